//===- NaiveDiagram.h - Collaborations as they are drawn ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Diagrams for the interpreters of the tests, and the states and steps that
/// these have in common: maps and lists, and nothing of nets.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVEDIAGRAM_H
#define CIF_TEST_UNIT_NAIVEDIAGRAM_H

#include "cif/Semantics/Semantics.h"
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cif::naive {

enum class Kind {
  NoneStart,
  TimerStart,
  MessageStart,
  NoneEnd,
  MessageEnd,
  Terminate,
  Task,
  Send,
  Receive,
  SubProcess,
  Throw,
  Catch,
  Timer,
  MessageBoundary,
  TimerBoundary,
  Exclusive,
  Parallel,
  Inclusive,
  EventBased,
  // Only `detailed` knows these; see NaiveThrows.h.
  ErrorEnd,
  EscalationEnd,
  EscalationThrow,
  ErrorBoundary,
  EscalationBoundary,
  // Only NaiveScopes.h knows these.
  ErrorStart, ///< of an event sub-process, as the next one
  EscalationStart,
  CancelEnd,
  CancelBoundary,
  LinkThrow,
  LinkCatch,
  Complex,
  TwoWay,   ///< a task that sends and receives, in any order
  Service,  ///< a task that sends, then receives
  Announce, ///< a throw event on which nothing depends, as the next one
  AnnounceEnd,
  Handler, ///< an event sub-process
  Called,  ///< a process that call activities call; no node of the diagram
  Undoing, ///< a compensation handler; see NaiveUndoing.h
};

/// The marker of an activity.
enum class Repeat { No, Loop, LoopTestBefore, Sequence, Parallel };

struct Node {
  Kind kind;
  int process;
  int parent = -1; ///< a sub-process, or -1
  int host = -1;   ///< of a boundary event
  bool interrupts = true;
  int code = 0; ///< of an error or escalation; 0: none
  Repeat repeat = Repeat::No;
  int times = 0;        ///< of several instances; 0: not given
  int calls = -1;       ///< of a call activity, which is a SubProcess
  int link = -1;        ///< of a throwing link: the catching one
  bool isAdHoc = false; ///< of a SubProcess, as the next one
  bool isTransaction = false;
  /// Instead of `timer`: an event that comes at any moment, too.
  const char *trigger = "timer";
  int undoes = -1;   ///< of a compensation handler
  int ref = -1;      ///< of what throws compensation: an activity, or -1: all
  bool waits = true; ///< of the same: for the handlers
};
struct Flow {
  int source, target;
  bool isDefault = false, isConditional = false;
};
struct MessageFlow {
  int source, target; ///< -1: a pool without a process
  std::string name;
};

struct Diagram {
  int processes = 0;
  std::vector<Node> nodes;
  std::vector<Flow> flows;
  std::vector<MessageFlow> messages;

  bool isIn(int node, int scope) const {
    for (int p = nodes[node].parent; p >= 0; p = nodes[p].parent)
      if (p == scope)
        return true;
    return false;
  }
  static bool isStart(Kind k) {
    return k == Kind::NoneStart || k == Kind::TimerStart ||
           k == Kind::MessageStart || k == Kind::ErrorStart ||
           k == Kind::EscalationStart;
  }
  static bool isEnd(Kind k) {
    return k == Kind::NoneEnd || k == Kind::MessageEnd ||
           k == Kind::Terminate || k == Kind::ErrorEnd ||
           k == Kind::EscalationEnd || k == Kind::CancelEnd ||
           k == Kind::AnnounceEnd;
  }
};

struct InTransit {
  int from, to;
  std::string name;
  std::vector<int> stamp;
  auto operator<=>(const InTransit &) const = default;
};

struct State {
  std::vector<int> node, flow, message, process;
  std::vector<InTransit> network; ///< in the order of sending
  std::vector<std::vector<int>> clocks;
  std::set<std::pair<int, int>> used; ///< queues, as published
  std::vector<int> armed;             ///< boundary events that fire once
  auto operator<=>(const State &) const = default;
};

/// The most tokens that a flow has.
inline int mostTokens(const State &s) {
  return s.flow.empty() ? 0 : *std::max_element(s.flow.begin(), s.flow.end());
}

/// Whose step it was, and what it did.
struct Mark {
  int node = -1;
  int event = -1;       ///< that an event-based gateway passed the token to
  int starts = -1;      ///< a task, event or sub-process
  int catches = -1;     ///< the boundary event that starts as well
  int flow = -1;        ///< that a splitting gateway chose alone
  std::string received; ///< a message; empty: none
};
struct Taken {
  State to;
  Mark mark;
};

inline bool isGateway(Kind k) {
  return k == Kind::Exclusive || k == Kind::Parallel || k == Kind::Inclusive ||
         k == Kind::EventBased || k == Kind::Complex;
}
inline bool isActivity(Kind k) {
  return k == Kind::Task || k == Kind::Send || k == Kind::Receive ||
         k == Kind::SubProcess || k == Kind::TwoWay || k == Kind::Service ||
         k == Kind::Handler || k == Kind::Undoing;
}
/// What is known of a step of \p n before it is taken.
inline Mark markOf(const Diagram &d, int n) {
  Kind k = d.nodes[n].kind;
  Mark mark;
  mark.node = n;
  mark.starts = isGateway(k) || isActivity(k) ? -1 : n;
  return mark;
}

/// How many flows come from a node, or lead to it.
inline int countFlows(const Diagram &d, int n, bool outgoing) {
  int all = 0;
  for (const Flow &f : d.flows)
    all += (outgoing ? f.source : f.target) == n;
  return all;
}

/// Makes event-based gateways exclusive before what has other flows or boundary
/// events.
inline void settleEventBased(Diagram &d) {
  for (const Flow &f : d.flows)
    if (d.nodes[f.source].kind == Kind::EventBased &&
        countFlows(d, f.target, false) > 1)
      d.nodes[f.source].kind = Kind::Exclusive;
  // What a boundary event is on may follow an event-based gateway.
  for (const Node &node : d.nodes)
    for (const Flow &f : d.flows)
      if (node.host >= 0 && f.target == node.host &&
          d.nodes[f.source].kind == Kind::EventBased)
        d.nodes[f.source].kind = Kind::Exclusive;
}

/// The same without what `detailed` reads in another way: conditions on the
/// flows of tasks, and settleEventBased.
inline Diagram drawnForm(const Diagram &drawn) {
  Diagram d = drawn;
  for (Flow &f : d.flows)
    f.isConditional = false;
  settleEventBased(d);
  return d;
}

/// The same with gateways where several flows meet or part.
inline Diagram normalForm(const Diagram &drawn) {
  Diagram d = drawnForm(drawn);
  auto count = [&](int n, bool outgoing) { return countFlows(d, n, outgoing); };
  size_t numNodes = d.nodes.size();
  for (size_t n = 0; n < numNodes; ++n) {
    Kind k = d.nodes[n].kind;
    bool isGateway =
        k == Kind::Exclusive || k == Kind::Parallel || k == Kind::Inclusive;
    if (k == Kind::EventBased)
      continue;
    bool joins = count(n, false) > 1, splits = count(n, true) > 1;
    auto insert = [&](Kind kind) {
      Node node{kind, d.nodes[n].process, d.nodes[n].parent};
      d.nodes.push_back(node);
      return int(d.nodes.size() - 1);
    };
    if (joins && !Diagram::isEnd(k) && (!isGateway || splits)) {
      int merge = insert(isGateway ? k : Kind::Exclusive);
      for (Flow &f : d.flows)
        if (f.target == int(n))
          f.target = merge;
      d.flows.push_back({merge, int(n)});
    }
    if (splits && !isGateway) {
      int split = insert(Kind::Parallel);
      for (Flow &f : d.flows)
        if (f.source == int(n))
          f.source = split;
      d.flows.push_back({int(n), split});
    }
  }
  return d;
}

} // namespace cif::naive

#endif
