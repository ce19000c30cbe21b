//===- NaiveScopeGenerator.h - Generated scopes within scopes -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Small generated diagrams with all that NaiveScopes.h knows: event
/// sub-processes, markers, calls, ad hoc sub-processes, transactions, links,
/// complex gateways, tasks that send and receive, and messages to and from
/// nobody in particular.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVESCOPEGENERATOR_H
#define CIF_TEST_UNIT_NAIVESCOPEGENERATOR_H

#include "NaiveGenerator.h"

namespace cif::naive {

class ScopeGenerator : public Generator {
public:
  /// Small ones, so that few have many states.
  explicit ScopeGenerator(unsigned seed) : Generator(seed, 4) {
    mostBranches = 2;
  }

  Diagram make() {
    d = Diagram();
    d.processes = 1 + chance(40);
    for (int p = 0; p < d.processes; ++p) {
      lastCalled = -1;
      level(p, -1, 1 + pick(d.processes > 1 ? 2 : 3), 0, Role::Process);
    }
    settle();
    connectMessages();
    settleEventBased(d);
    return d;
  }

private:
  enum class Role { Process, SubProcess, Transaction, Handler, Called };

  static bool isMessageKind(Kind k) {
    return k == Kind::Send || k == Kind::Receive || k == Kind::Throw ||
           k == Kind::Catch || k == Kind::MessageEnd ||
           k == Kind::MessageBoundary || k == Kind::MessageStart ||
           k == Kind::TwoWay || k == Kind::Service;
  }
  Kind middleKind(unsigned depth) {
    static const Kind kinds[] = {
        Kind::Task,      Kind::Task,       Kind::Send,
        Kind::Send,      Kind::Receive,    Kind::Receive,
        Kind::Throw,     Kind::Catch,      Kind::Timer,
        Kind::Timer,     Kind::TwoWay,     Kind::Service,
        Kind::Exclusive, Kind::Parallel,   Kind::Inclusive,
        Kind::Complex,   Kind::EventBased, Kind::EscalationThrow,
        Kind::Announce};
    if (depth < 2 && chance(depth ? 15 : 25))
      return Kind::SubProcess;
    return kinds[pick(std::size(kinds))];
  }
  Kind endKind(Role role) {
    if (role == Role::Transaction && chance(50))
      return Kind::CancelEnd;
    bool isInner = role != Role::Process;
    return chance(15)              ? Kind::MessageEnd
           : chance(12)            ? Kind::Terminate
           : chance(8)             ? Kind::AnnounceEnd
           : isInner && chance(20) ? Kind::ErrorEnd
           : isInner && chance(20) ? Kind::EscalationEnd
                                   : Kind::NoneEnd;
  }
  int addEvent(Kind kind, int process, int parent) {
    static const char *const triggers[] = {"timer", "signal", "conditional"};
    int n = add(kind, process, parent);
    d.nodes[n].trigger = kind == Kind::Announce || kind == Kind::AnnounceEnd
                             ? (chance(50) ? "signal" : "compensate")
                             : triggers[pick(3)];
    if (kind == Kind::ErrorEnd || kind == Kind::EscalationEnd ||
        kind == Kind::EscalationThrow || kind == Kind::ErrorBoundary ||
        kind == Kind::EscalationBoundary || kind == Kind::ErrorStart ||
        kind == Kind::EscalationStart)
      d.nodes[n].code = int(pick(3));
    return n;
  }

  void level(int process, int parent, unsigned size, unsigned depth,
             Role role) {
    std::vector<int> starts, middle, ends, others, scopes;
    addStarts(process, parent, role, starts);
    for (unsigned i = 0; i < size; ++i) {
      Kind kind = middleKind(depth);
      int n = addEvent(kind, process, parent);
      middle.push_back(n);
      if (kind == Kind::SubProcess)
        scopes.push_back(n);
      if (kind == Kind::EventBased)
        addAwaited(process, parent, middle);
    }
    for (unsigned i = 0, all = 1 + chance(30); i < all; ++i)
      ends.push_back(addEvent(endKind(role), process, parent));
    if (chance(10)) {
      int to = add(Kind::LinkCatch, process, parent);
      int from = add(Kind::LinkThrow, process, parent);
      d.nodes[from].link = to;
      ends.push_back(from);
      others.push_back(to);
    }
    for (int n : middle) {
      Kind k = d.nodes[n].kind;
      if (k == Kind::SubProcess)
        d.nodes[n].isTransaction = chance(20);
      if (isActivity(k) && chance(k == Kind::SubProcess ? 50 : 10))
        others.push_back(addBoundary(n));
      if (isActivity(k) && chance(15) && k != Kind::TwoWay &&
          k != Kind::Service)
        repeat(d.nodes[n]);
    }
    connect(starts, middle, ends, others);
    for (int n : scopes)
      fill(n, depth);
    while (depth < 2 && chance(depth ? 15 : 25)) {
      int h = add(Kind::Handler, process, parent);
      level(process, h, 1 + chance(30), depth + 1, Role::Handler);
    }
  }
  void addStarts(int process, int parent, Role role, std::vector<int> &starts) {
    if (role == Role::Handler) {
      static const Kind kinds[] = {Kind::MessageStart, Kind::MessageStart,
                                   Kind::TimerStart, Kind::ErrorStart,
                                   Kind::EscalationStart};
      Kind kind = kinds[pick(std::size(kinds))];
      starts.push_back(addEvent(kind, process, parent));
      d.nodes[starts[0]].interrupts = kind == Kind::ErrorStart || chance(50);
      return;
    }
    for (unsigned i = 0, all = 1 + (role == Role::Process && chance(15));
         i < all; ++i)
      starts.push_back(
          addEvent(role == Role::Process && chance(25)   ? Kind::MessageStart
                   : role == Role::Process && chance(10) ? Kind::TimerStart
                                                         : Kind::NoneStart,
                   process, parent));
  }
  int addBoundary(int n) {
    bool isScope = d.nodes[n].kind == Kind::SubProcess;
    Kind kind = d.nodes[n].isTransaction && chance(50) ? Kind::CancelBoundary
                : isScope && chance(25)                ? Kind::ErrorBoundary
                : isScope && chance(33) ? Kind::EscalationBoundary
                : chance(50)            ? Kind::MessageBoundary
                                        : Kind::TimerBoundary;
    int b = addEvent(kind, d.nodes[n].process, d.nodes[n].parent);
    d.nodes[b].host = n;
    d.nodes[b].interrupts = kind == Kind::ErrorBoundary ||
                            kind == Kind::CancelBoundary || chance(65);
    return b;
  }
  void repeat(Node &node) {
    static const Repeat all[] = {Repeat::Loop, Repeat::LoopTestBefore,
                                 Repeat::Sequence, Repeat::Parallel};
    node.repeat = all[pick(4)];
    node.times = chance(60) ? 2 : 0;
  }
  void fill(int n, unsigned depth) {
    int process = d.nodes[n].process;
    if (!d.nodes[n].isTransaction && chance(20)) {
      d.nodes[n].isAdHoc = true;
      d.nodes[n].repeat = Repeat::No;
      static const Kind kinds[] = {Kind::Task, Kind::Task, Kind::Send,
                                   Kind::Receive};
      int first = add(kinds[pick(4)], process, n);
      int second = add(kinds[pick(4)], process, n);
      if (chance(50))
        d.flows.push_back({first, second});
      return;
    }
    int body = n;
    if (!d.nodes[n].isTransaction && chance(25)) {
      if (lastCalled >= 0 && chance(50)) {
        d.nodes[n].calls = lastCalled;
        shared.insert(lastCalled);
        return;
      }
      body = add(Kind::Called, process, -1);
      d.nodes[n].calls = body;
      level(process, body, 1 + chance(25), depth + 1, Role::Called);
      lastCalled = body;
      return;
    }
    level(process, body, 1 + chance(25), depth + 1,
          d.nodes[n].isTransaction ? Role::Transaction : Role::SubProcess);
  }

  /// Takes away what BPMN does not have.
  void settle() {
    for (Flow &f : d.flows) {
      Kind k = d.nodes[f.source].kind;
      f.isConditional = f.isConditional && !f.isDefault &&
                        (isGateway(k) || countFlows(d, f.source, true) > 1);
      if (k == Kind::EventBased)
        d.nodes[f.target].repeat = Repeat::No;
    }
    // A process that several call knows no partner.
    for (size_t n = 0; n < d.nodes.size(); ++n)
      for (int body : shared)
        if (d.isIn(n, body) || d.nodes[n].parent == body)
          close(n);
    // A default beside conditions.
    std::set<int> has;
    for (Flow &f : d.flows)
      if (isActivity(d.nodes[f.source].kind) && !f.isConditional && chance(50))
        for (const Flow &g : d.flows)
          if (g.source == f.source && g.isConditional &&
              has.insert(f.source).second)
            f.isDefault = true;
  }
  /// Makes a node something that needs no message.
  void close(int n) {
    Kind &k = d.nodes[n].kind;
    bool isHost = false;
    for (const Node &other : d.nodes)
      isHost |= other.host == n;
    k = k == Kind::MessageStart
            ? (inHandler(n) ? Kind::TimerStart : Kind::NoneStart)
        : k == Kind::MessageBoundary                    ? Kind::TimerBoundary
        : k == Kind::MessageEnd                         ? Kind::NoneEnd
        : k == Kind::Throw || k == Kind::Catch          ? Kind::Timer
        : k == Kind::Receive && isAwaited(n) && !isHost ? Kind::Timer
        : isMessageKind(k)                              ? Kind::Task
                                                        : k;
  }
  bool inHandler(int n) const {
    return d.nodes[n].parent >= 0 &&
           d.nodes[d.nodes[n].parent].kind == Kind::Handler;
  }

  void connectMessages() {
    std::vector<int> senders, receivers;
    for (size_t n = 0; n < d.nodes.size(); ++n) {
      Kind k = d.nodes[n].kind;
      bool both = k == Kind::TwoWay || k == Kind::Service;
      if (both || k == Kind::Send || k == Kind::Throw || k == Kind::MessageEnd)
        senders.push_back(n);
      if (both || (isMessageKind(k) && k != Kind::Send && k != Kind::Throw &&
                   k != Kind::MessageEnd))
        receivers.push_back(n);
    }
    for (int n : senders)
      if (chance(15) || !link(n, receivers, true))
        open(n, true);
    // Some were made something else.
    llvm::erase_if(senders,
                   [&](int n) { return !isMessageKind(d.nodes[n].kind); });
    for (int n : receivers)
      if (!isReached(n) && (chance(15) || !link(n, senders, false)))
        open(n, false);
  }
  /// Leaves a node to the environment, or makes it something else.
  void open(int n, bool out) {
    Kind k = d.nodes[n].kind;
    bool both = k == Kind::TwoWay || k == Kind::Service;
    // From outside it may come any number of times.
    bool again = !d.nodes[n].interrupts &&
                 (k == Kind::MessageBoundary || k == Kind::MessageStart);
    if (!both && (again || chance(40)))
      return close(n);
    if (both || chance(50)) {
      MessageFlow m{n, -1, "o" + std::to_string(n)};
      if (!out)
        std::swap(m.source, m.target);
      d.messages.push_back(m);
    }
  }

  int lastCalled = -1;
  std::set<int> shared;
};

} // namespace cif::naive

#endif
