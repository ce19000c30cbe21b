//===- NaiveCollaboration.h - Collaborations, step by step ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A second implementation of the semantics `fbpmn` and `detailed`, for tests:
/// it interprets drawn diagrams with maps and lists, a rule for each kind of
/// node, and knows nothing of nets. And generated diagrams with nodes of all
/// kinds, as BPMN text.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVECOLLABORATION_H
#define CIF_TEST_UNIT_NAIVECOLLABORATION_H

#include "cif/Semantics/Semantics.h"
#include <algorithm>
#include <functional>
#include <map>
#include <random>
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
};

struct Node {
  Kind kind;
  int process;
  int parent = -1; ///< a sub-process, or -1
  int host = -1;   ///< of a boundary event
  bool interrupts = true;
  int code = 0; ///< of an error or escalation; 0: none
};
struct Flow {
  int source, target;
  bool isDefault = false, isConditional = false;
};
struct MessageFlow {
  int source, target;
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
           k == Kind::MessageStart;
  }
  static bool isEnd(Kind k) {
    return k == Kind::NoneEnd || k == Kind::MessageEnd ||
           k == Kind::Terminate || k == Kind::ErrorEnd ||
           k == Kind::EscalationEnd;
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
         k == Kind::EventBased;
}
inline bool isActivity(Kind k) {
  return k == Kind::Task || k == Kind::Send || k == Kind::Receive ||
         k == Kind::SubProcess;
}
/// What is known of a step of \p n before it is taken.
inline Mark markOf(const Diagram &d, int n) {
  Kind k = d.nodes[n].kind;
  Mark mark;
  mark.node = n;
  mark.starts = isGateway(k) || isActivity(k) ? -1 : n;
  return mark;
}

/// The published semantics. Bounds: none where 0.
class Fbpmn {
public:
  Fbpmn(const Diagram &of, NetworkKind on, int most)
      : d(of), net(on), bound(most) {
    in.resize(d.nodes.size());
    out.resize(d.nodes.size());
    for (size_t f = 0; f < d.flows.size(); ++f) {
      out[d.flows[f].source].push_back(f);
      in[d.flows[f].target].push_back(f);
    }
  }

  State initial() const {
    State s;
    s.node.assign(d.nodes.size(), 0);
    s.flow.assign(d.flows.size(), 0);
    s.message.assign(d.messages.size(), 0);
    s.process.assign(d.processes, 0);
    s.clocks.assign(d.processes, std::vector<int>(d.processes, 0));
    for (size_t n = 0; n < d.nodes.size(); ++n)
      if (Diagram::isStart(d.nodes[n].kind) && d.nodes[n].parent < 0)
        s.node[n] = 1;
    return s;
  }

  /// All steps, one entry each.
  std::vector<Taken> next(const State &s) const {
    std::vector<Taken> all;
    auto add = [&](const State &t) {
      for (int x : t.flow)
        if (bound && x > bound)
          return;
      for (int x : t.message)
        if (bound && x > bound)
          return;
      for (int x : t.node)
        if (bound && x > bound)
          return;
      all.push_back({t, mark});
      State &last = all.back().to;
      if (net != NetworkKind::Causal)
        for (auto &clock : last.clocks)
          std::fill(clock.begin(), clock.end(), 0);
      if (net != NetworkKind::Causal)
        for (InTransit &m : last.network)
          m.stamp.clear();
      canonical(last);
    };
    for (size_t n = 0; n < d.nodes.size(); ++n) {
      mark = markOf(d, n);
      step(s, n, add);
    }
    return all;
  }
  /// What is in transit, by the names that marks have.
  std::set<std::string> transit(const State &s) const {
    std::set<std::string> all;
    for (size_t m = 0; m < d.messages.size(); ++m)
      if (s.message[m])
        all.insert("m" + std::to_string(m));
    return all;
  }

  /// Whether no process that was started holds a token, ends aside.
  bool empty(const State &s) const {
    for (size_t f = 0; f < d.flows.size(); ++f)
      if (s.flow[f])
        return false;
    for (size_t n = 0; n < d.nodes.size(); ++n)
      if (s.node[n] && !Diagram::isStart(d.nodes[n].kind) &&
          !Diagram::isEnd(d.nodes[n].kind))
        return false;
    return true;
  }
  /// Whether every process that was started is complete.
  bool complete(const State &s) const {
    std::vector<bool> good(d.processes, true);
    for (size_t f = 0; f < d.flows.size(); ++f)
      if (s.flow[f])
        good[d.nodes[d.flows[f].source].process] = false;
    for (size_t n = 0; n < d.nodes.size(); ++n)
      if (!Diagram::isStart(d.nodes[n].kind) &&
          s.node[n] > (Diagram::isEnd(d.nodes[n].kind) ? 1 : 0))
        good[d.nodes[n].process] = false;
    for (int p = 0; p < d.processes; ++p)
      if (s.process[p] && !good[p])
        return false;
    return true;
  }
  bool sound(const State &s) const {
    for (int x : s.flow)
      if (x)
        return false;
    for (size_t n = 0; n < d.nodes.size(); ++n) {
      Kind k = d.nodes[n].kind;
      if (Diagram::isStart(k))
        continue;
      if (s.node[n] > (Diagram::isEnd(k) ? 1 : 0))
        return false;
    }
    return true;
  }

private:
  using Add = std::function<void(const State &)>;

  /// The order in the list means nothing where the network does not see it.
  void canonical(State &s) const {
    auto key = [&](const InTransit &m) {
      switch (net) {
      case NetworkKind::FifoPair:
        return std::pair(m.from, m.to);
      case NetworkKind::Inbox:
        return std::pair(m.to, 0);
      case NetworkKind::Outbox:
        return std::pair(m.from, 0);
      default:
        return std::pair(0, 0);
      }
    };
    if (net == NetworkKind::Bag || net == NetworkKind::Causal)
      std::sort(s.network.begin(), s.network.end());
    else
      std::stable_sort(s.network.begin(), s.network.end(),
                       [&](const InTransit &a, const InTransit &b) {
                         return key(a) < key(b);
                       });
  }

  bool send(State &s, int m) const {
    int from = d.nodes[d.messages[m].source].process;
    int to = d.nodes[d.messages[m].target].process;
    if (net == NetworkKind::Rsc && !s.network.empty())
      return false;
    ++s.clocks[from][from];
    if (net == NetworkKind::FifoPair)
      s.used.insert({from, to});
    if (net == NetworkKind::Inbox)
      s.used.insert({to, 0});
    if (net == NetworkKind::Outbox)
      s.used.insert({from, 0});
    s.network.push_back({from, to, d.messages[m].name, s.clocks[from]});
    ++s.message[m];
    return true;
  }

  /// Each way to take a message of this flow out of the network.
  void receive(const State &s, int m, const Add &then) const {
    int from = d.nodes[d.messages[m].source].process;
    int to = d.nodes[d.messages[m].target].process;
    if (!s.message[m])
      return;
    std::set<InTransit> tried;
    for (size_t i = 0; i < s.network.size(); ++i) {
      const InTransit &it = s.network[i];
      if (it.from != from || it.to != to || it.name != d.messages[m].name ||
          !tried.insert(it).second)
        continue;
      bool allowed = true;
      for (size_t k = 0; k < s.network.size(); ++k) {
        const InTransit &other = s.network[k];
        if (k == i)
          continue;
        switch (net) {
        case NetworkKind::FifoAll:
          allowed &= k > i;
          break;
        case NetworkKind::FifoPair:
          allowed &= k > i || other.from != from || other.to != to;
          break;
        case NetworkKind::Inbox:
          allowed &= k > i || other.to != to;
          break;
        case NetworkKind::Outbox:
          allowed &= k > i || other.from != from;
          break;
        case NetworkKind::Causal: {
          bool before = other.to == to;
          for (size_t p = 0; p < it.stamp.size(); ++p)
            before = before && other.stamp[p] <= it.stamp[p];
          allowed &= !before;
          break;
        }
        default:
          break;
        }
      }
      if (!allowed)
        continue;
      State t = s;
      if (net == NetworkKind::Causal)
        for (size_t p = 0; p < it.stamp.size(); ++p)
          t.clocks[to][p] = std::max(t.clocks[to][p], it.stamp[p]);
      t.network.erase(t.network.begin() + i);
      --t.message[m];
      mark.received = "m" + std::to_string(m);
      then(t);
      mark.received.clear();
      if (net != NetworkKind::Causal)
        return; // equal ones are the same
    }
  }

  void give(State &s, int n) const {
    for (int f : out[n])
      ++s.flow[f];
  }
  void clear(State &s, int scope, int process) const {
    auto inside = [&](int n) {
      return scope < 0 ? d.nodes[n].process == process : d.isIn(n, scope);
    };
    for (size_t n = 0; n < d.nodes.size(); ++n)
      if (inside(n))
        s.node[n] = 0;
    for (size_t f = 0; f < d.flows.size(); ++f)
      if (inside(d.flows[f].source))
        s.flow[f] = 0;
  }
  bool mayComplete(const State &s, int n) const {
    bool any = false;
    for (size_t f = 0; f < d.flows.size(); ++f)
      if (d.nodes[d.flows[f].source].parent == n && s.flow[f])
        return false;
    for (size_t k = 0; k < d.nodes.size(); ++k)
      if (d.nodes[k].parent == n && s.node[k]) {
        if (!Diagram::isEnd(d.nodes[k].kind))
          return false;
        any = true;
      }
    return any;
  }
  std::pair<std::set<int>, std::set<int>> pre(int n, int e) const {
    // Flows with a path to e on which no node from the target on is n.
    std::set<int> flows, nodes;
    bool grows = true;
    while (grows) {
      grows = false;
      for (size_t x = 0; x < d.flows.size(); ++x) {
        if (flows.count(x) || int(x) == e || d.flows[x].target == n)
          continue;
        bool leads = d.flows[x].target == d.flows[e].source;
        for (int y : flows)
          leads = leads || d.flows[x].target == d.flows[y].source;
        if (leads) {
          flows.insert(x);
          grows = true;
        }
      }
    }
    for (int x : flows) {
      nodes.insert(d.flows[x].target);
      Kind k = d.nodes[d.flows[x].source].kind;
      if (k == Kind::NoneStart || k == Kind::MessageStart)
        nodes.insert(d.flows[x].source);
    }
    return {flows, nodes};
  }

  void start(const State &s, int n, const Add &add) const {
    mark.starts = n;
    for (int f : in[n])
      if (s.flow[f] && !s.node[n]) {
        State t = s;
        --t.flow[f];
        ++t.node[n];
        if (d.nodes[n].kind == Kind::SubProcess)
          for (size_t k = 0; k < d.nodes.size(); ++k)
            if (d.nodes[k].parent == n && Diagram::isStart(d.nodes[k].kind))
              ++t.node[k];
        add(t);
      }
    mark.starts = -1;
  }
  void sendAll(const State &s, int n, const Add &add) const {
    for (size_t m = 0; m < d.messages.size(); ++m)
      if (d.messages[m].source == n) {
        State t = s;
        if (send(t, m))
          add(t);
      }
  }
  void receiveAll(const State &s, int n, const Add &add) const {
    for (size_t m = 0; m < d.messages.size(); ++m)
      if (d.messages[m].target == n)
        receive(s, m, add);
  }

  void step(const State &s, int n, const Add &add) const {
    const Node &node = d.nodes[n];
    auto each = [&](const std::function<void(State &)> &then) {
      for (int f : in[n])
        if (s.flow[f]) {
          State t = s;
          --t.flow[f];
          then(t);
        }
    };
    switch (node.kind) {
    case Kind::NoneStart:
    case Kind::TimerStart:
    case Kind::MessageStart: {
      if (!s.node[n] || (node.parent < 0 && s.process[node.process]))
        return;
      State t = s;
      --t.node[n];
      if (node.parent < 0)
        t.process[node.process] = 1;
      give(t, n);
      if (node.kind != Kind::MessageStart)
        add(t);
      else if (node.parent < 0)
        receiveAll(t, n, add);
      return;
    }
    case Kind::NoneEnd:
      return each([&](State &t) {
        ++t.node[n];
        add(t);
      });
    case Kind::MessageEnd:
      return each([&](State &t) {
        ++t.node[n];
        sendAll(t, n, add);
      });
    case Kind::Terminate:
      return each([&](State &t) {
        clear(t, node.parent, node.process);
        t.node[n] = 1;
        add(t);
      });
    case Kind::Task:
    case Kind::Send:
    case Kind::Receive: {
      start(s, n, add);
      if (!s.node[n])
        return;
      State t = s;
      --t.node[n];
      give(t, n);
      if (node.kind == Kind::Task)
        add(t);
      else if (node.kind == Kind::Send)
        sendAll(t, n, add);
      else
        receiveAll(t, n, add);
      return;
    }
    case Kind::SubProcess: {
      start(s, n, add);
      if (!s.node[n] || !mayComplete(s, n))
        return;
      State t = s;
      clear(t, n, node.process);
      t.node[n] = 0;
      give(t, n);
      for (size_t k = 0; k < d.nodes.size(); ++k)
        if (d.nodes[k].parent == n && Diagram::isEnd(d.nodes[k].kind) &&
            s.node[k])
          add(t); // counted for each of them
      return;
    }
    case Kind::Throw:
      return each([&](State &t) {
        give(t, n);
        sendAll(t, n, add);
      });
    case Kind::Catch:
      return each([&](State &t) {
        give(t, n);
        receiveAll(t, n, add);
      });
    case Kind::Timer:
      return each([&](State &t) {
        give(t, n);
        add(t);
      });
    case Kind::MessageBoundary:
    case Kind::TimerBoundary: {
      if (!s.node[node.host])
        return;
      bool isScope = d.nodes[node.host].kind == Kind::SubProcess;
      if (isScope && node.interrupts && mayComplete(s, node.host))
        return;
      State t = s;
      if (node.interrupts) {
        if (isScope)
          clear(t, node.host, node.process);
        t.node[node.host] = 0;
      }
      give(t, n);
      if (node.kind == Kind::TimerBoundary)
        add(t);
      else
        receiveAll(t, n, add);
      return;
    }
    case Kind::Exclusive:
      return each([&](State &t) {
        for (int f : out[n]) {
          State u = t;
          ++u.flow[f];
          mark.flow = out[n].size() > 1 ? f : -1;
          add(u);
        }
      });
    case Kind::Parallel: {
      State t = s;
      for (int f : in[n]) {
        if (!s.flow[f])
          return;
        --t.flow[f];
      }
      give(t, n);
      add(t);
      return;
    }
    case Kind::Inclusive:
      return inclusive(s, n, add);
    case Kind::ErrorEnd:
    case Kind::EscalationEnd:
    case Kind::EscalationThrow:
    case Kind::ErrorBoundary:
    case Kind::EscalationBoundary:
      return; // not in the published tool
    case Kind::EventBased:
      return each([&](State &t) {
        for (int f : out[n]) {
          int target = d.flows[f].target;
          State u = t;
          ++u.flow[f];
          mark.flow = out[n].size() > 1 ? f : -1;
          if (d.nodes[target].kind == Kind::Timer)
            add(u);
          for (size_t m = 0; m < d.messages.size(); ++m)
            if (d.messages[m].target == target && s.message[m])
              add(u);
        }
      });
    }
  }

  void inclusive(const State &s, int n, const Add &add) const {
    std::set<int> flows, nodes;
    bool any = false;
    State t = s;
    for (int f : in[n])
      if (s.flow[f]) {
        any = true;
        --t.flow[f];
        auto [preFlows, preNodes] = pre(n, f);
        flows.insert(preFlows.begin(), preFlows.end());
        nodes.insert(preNodes.begin(), preNodes.end());
      }
    if (!any)
      return;
    for (int f : in[n])
      if (!s.flow[f]) {
        auto [preFlows, preNodes] = pre(n, f);
        for (int x : preFlows)
          if (!flows.count(x) && s.flow[x])
            return;
        for (int x : preNodes)
          if (!nodes.count(x) && s.node[x])
            return;
      }
    std::vector<int> optional;
    for (int f : out[n])
      if (d.flows[f].isDefault) {
        State u = t;
        ++u.flow[f];
        mark.flow = out[n].size() > 1 ? f : -1;
        add(u);
      } else {
        optional.push_back(f);
      }
    for (unsigned chosen = 1; chosen < (1u << optional.size()); ++chosen) {
      State u = t;
      for (size_t i = 0; i < optional.size(); ++i)
        if (chosen >> i & 1)
          ++u.flow[optional[i]];
      mark.flow = -1;
      for (size_t i = 0; i < optional.size(); ++i)
        if (chosen == 1u << i && out[n].size() > 1)
          mark.flow = optional[i];
      add(u);
    }
  }

  const Diagram &d;
  NetworkKind net;
  int bound;
  mutable Mark mark; ///< of the step that is being taken
  std::vector<std::vector<int>> in, out;
};

/// `detailed`, for diagrams in normal form: nodes other than gateways have one
/// incoming and one outgoing flow at most, gateways split or join, and what
/// follows an event-based gateway follows nothing else.
class Detailed {
public:
  Detailed(const Diagram &of, NetworkKind on, int most)
      : d(of), net(on), bound(most), in(of.nodes.size()), out(of.nodes.size()),
        boundaries(of.nodes.size()) {
    for (size_t f = 0; f < d.flows.size(); ++f) {
      out[d.flows[f].source].push_back(f);
      in[d.flows[f].target].push_back(f);
    }
    for (size_t n = 0; n < d.nodes.size(); ++n)
      if (d.nodes[n].host >= 0)
        boundaries[d.nodes[n].host].push_back(n);
  }

  State initial() const {
    State s;
    s.node.assign(d.nodes.size(), 0);
    s.flow.assign(d.flows.size(), 0);
    s.process.assign(d.processes, 0);
    s.armed.assign(d.nodes.size(), 0);
    if (net == NetworkKind::Causal)
      s.clocks.assign(d.processes, std::vector<int>(d.processes, 0));
    return s;
  }
  std::vector<Taken> next(const State &s) const {
    std::vector<Taken> all;
    auto add = [&](const State &t) {
      for (int x : t.flow)
        if (x > bound)
          return;
      for (size_t n = 0; n < d.nodes.size(); ++n)
        if (t.node[n] > bound && isActivity(d.nodes[n].kind))
          return;
      std::map<std::tuple<int, int, std::string>, int> inTransit;
      for (const InTransit &m : t.network)
        if (++inTransit[{m.from, m.to, m.name}] > bound)
          return;
      all.push_back({t, mark});
      sort(all.back().to);
    };
    for (size_t n = 0; n < d.nodes.size(); ++n) {
      mark = markOf(d, n);
      step(s, n, add);
    }
    return all;
  }
  /// What is in transit, by the names that marks have.
  std::set<std::string> transit(const State &s) const {
    std::set<std::string> all;
    for (const InTransit &m : s.network)
      all.insert(nameOf(m));
    return all;
  }
  /// A process without a token is complete, started or not.
  bool complete(const State &s) const { return sound(s); }
  bool empty(const State &s) const { return sound(s); }
  /// No token anywhere.
  bool sound(const State &s) const {
    for (int x : s.flow)
      if (x)
        return false;
    for (size_t n = 0; n < d.nodes.size(); ++n)
      if (s.node[n] && !Diagram::isEnd(d.nodes[n].kind))
        return false;
    return true;
  }

private:
  using Add = std::function<void(const State &)>;

  static std::string nameOf(const InTransit &m) {
    return std::to_string(m.from) + ">" + std::to_string(m.to) + ":" + m.name;
  }
  std::pair<int, int> queue(const InTransit &m) const {
    switch (net) {
    case NetworkKind::FifoPair:
      return {m.from, m.to};
    case NetworkKind::Inbox:
      return {m.to, 0};
    case NetworkKind::Outbox:
      return {m.from, 0};
    default:
      return {0, 0};
    }
  }
  void sort(State &s) const {
    std::stable_sort(s.network.begin(), s.network.end(),
                     [&](const InTransit &a, const InTransit &b) {
                       return net == NetworkKind::Bag ||
                                      net == NetworkKind::Causal
                                  ? a < b
                                  : queue(a) < queue(b);
                     });
  }
  /// The messages of a node's flows, each once.
  std::set<InTransit> messagesOf(int n, bool outgoing) const {
    std::set<InTransit> all;
    for (const MessageFlow &m : d.messages)
      if ((outgoing ? m.source : m.target) == n)
        all.insert(
            {d.nodes[m.source].process, d.nodes[m.target].process, m.name, {}});
    return all;
  }
  void sendAll(const State &s, int n, const Add &add) const {
    if (net == NetworkKind::Rsc && !s.network.empty())
      return;
    for (const InTransit &m : messagesOf(n, true)) {
      State t = s;
      t.network.push_back(m);
      if (net == NetworkKind::Causal) {
        ++t.clocks[m.from][m.from];
        t.network.back().stamp = t.clocks[m.from];
      }
      add(t);
    }
  }
  /// Whether the network lets message \p i come before the others.
  bool mayCome(const State &s, size_t i) const {
    const InTransit &m = s.network[i];
    for (size_t k = 0; k < s.network.size(); ++k) {
      const InTransit &other = s.network[k];
      bool before =
          net != NetworkKind::Bag && k < i && queue(other) == queue(m);
      if (net == NetworkKind::Causal) {
        before = k != i && other.to == m.to;
        for (size_t p = 0; p < m.stamp.size(); ++p)
          before = before && other.stamp[p] <= m.stamp[p];
      }
      if (before)
        return false;
    }
    return true;
  }
  void receiveAll(const State &s, int n, const Add &add) const {
    for (const InTransit &m : messagesOf(n, false))
      for (size_t i = 0; i < s.network.size(); ++i) {
        const InTransit &it = s.network[i];
        if (nameOf(it) != nameOf(m) || !mayCome(s, i))
          continue;
        State t = s;
        for (size_t p = 0; p < it.stamp.size(); ++p)
          t.clocks[m.to][p] = std::max(t.clocks[m.to][p], it.stamp[p]);
        t.network.erase(t.network.begin() + i);
        mark.received = nameOf(m);
        add(t);
        mark.received.clear();
        break;
      }
  }
  void give(State &s, int n) const {
    for (int f : out[n])
      ++s.flow[f];
  }
  bool isEmpty(const State &s, int scope) const {
    for (size_t f = 0; f < d.flows.size(); ++f)
      if (s.flow[f] && d.isIn(d.flows[f].source, scope))
        return false;
    for (size_t n = 0; n < d.nodes.size(); ++n)
      if ((s.node[n] || s.armed[n]) && d.isIn(n, scope))
        return false;
    return true;
  }
  void clear(State &s, int scope, int process) const {
    auto inside = [&](int n) {
      return scope < 0 ? d.nodes[n].process == process : d.isIn(n, scope);
    };
    for (size_t f = 0; f < d.flows.size(); ++f)
      if (inside(d.flows[f].source))
        s.flow[f] = 0;
    for (size_t n = 0; n < d.nodes.size(); ++n)
      if (inside(n)) {
        s.armed[n] = 0;
        if (!Diagram::isEnd(d.nodes[n].kind))
          s.node[n] = 0;
      }
  }
  void end(State &s, int n) const {
    if (d.nodes[n].parent < 0)
      s.node[n] = std::min(2, s.node[n] + 1);
  }
  void leaveHost(State &s, int n) const {
    for (int b : boundaries[n])
      s.armed[b] = 0;
  }

  static bool isError(Kind k) {
    return k == Kind::ErrorEnd || k == Kind::ErrorBoundary;
  }
  /// The boundary events that catch what \p n throws.
  std::vector<int> catchers(int n) const {
    std::vector<int> all;
    for (int p = d.nodes[n].parent; p >= 0 && all.empty();
         p = d.nodes[p].parent)
      for (int b : boundaries[p]) {
        const Node &by = d.nodes[b];
        if ((by.kind == Kind::ErrorBoundary ||
             by.kind == Kind::EscalationBoundary) &&
            isError(by.kind) == isError(d.nodes[n].kind) &&
            (!by.code || !d.nodes[n].code || by.code == d.nodes[n].code))
          all.push_back(b);
      }
    return all;
  }
  /// Whether a boundary event needs no trigger from inside.
  bool comesAlone(int b) const {
    Kind k = d.nodes[b].kind;
    if (k == Kind::TimerBoundary)
      return true;
    if (k == Kind::MessageBoundary)
      return false;
    if (k == Kind::ErrorBoundary && !d.nodes[b].code)
      return true;
    for (size_t n = 0; n < d.nodes.size(); ++n)
      if (d.nodes[n].kind == Kind::ErrorEnd ||
          d.nodes[n].kind == Kind::EscalationEnd ||
          d.nodes[n].kind == Kind::EscalationThrow)
        for (int by : catchers(n))
          if (by == b)
            return false;
    return true;
  }
  void throwTo(const State &t, int n, const Add &add) const {
    for (int b : catchers(n)) {
      State u = t;
      int host = d.nodes[b].host;
      if (d.nodes[b].interrupts) {
        clear(u, host, d.nodes[b].process);
        --u.node[host];
        leaveHost(u, host);
      } else if (d.nodes[n].kind == Kind::EscalationThrow) {
        give(u, n);
      }
      give(u, b);
      mark.catches = b;
      add(u);
      mark.catches = -1;
    }
  }

  void start(const State &s, int n, const Add &add) const {
    mark.starts = n;
    bool single = d.nodes[n].kind == Kind::SubProcess || !boundaries[n].empty();
    for (int f : in[n])
      if (s.flow[f] && !(single && s.node[n])) {
        State t = s;
        --t.flow[f];
        ++t.node[n];
        for (int b : boundaries[n])
          t.armed[b] = comesAlone(b) && !d.nodes[b].interrupts;
        if (d.nodes[n].kind == Kind::SubProcess)
          for (size_t k = 0; k < d.nodes.size(); ++k)
            if (d.nodes[k].parent == n && Diagram::isStart(d.nodes[k].kind))
              ++t.node[k];
        add(t);
      }
    mark.starts = -1;
  }

  void step(const State &s, int n, const Add &add) const {
    const Node &node = d.nodes[n];
    auto each = [&](const std::function<void(State &)> &then) {
      for (int f : in[n])
        if (s.flow[f] && d.nodes[d.flows[f].source].kind != Kind::EventBased) {
          State t = s;
          --t.flow[f];
          then(t);
        }
    };
    switch (node.kind) {
    case Kind::NoneStart:
    case Kind::TimerStart:
    case Kind::MessageStart: {
      State t = s;
      if (node.parent < 0) {
        if (s.process[node.process])
          return;
        t.process[node.process] = 1;
      } else if (!t.node[n]--) {
        return;
      }
      give(t, n);
      if (node.kind == Kind::MessageStart)
        receiveAll(t, n, add);
      else
        add(t);
      return;
    }
    case Kind::NoneEnd:
      return each([&](State &t) {
        end(t, n);
        add(t);
      });
    case Kind::MessageEnd:
      return each([&](State &t) {
        end(t, n);
        sendAll(t, n, add);
      });
    case Kind::Terminate:
      return each([&](State &t) {
        clear(t, node.parent, node.process);
        end(t, n);
        add(t);
      });
    case Kind::Task:
    case Kind::Send:
    case Kind::Receive: {
      start(s, n, add);
      if (!s.node[n])
        return;
      State t = s;
      --t.node[n];
      leaveHost(t, n);
      give(t, n);
      if (node.kind == Kind::Task)
        add(t);
      else if (node.kind == Kind::Send)
        sendAll(t, n, add);
      else
        receiveAll(t, n, add);
      return;
    }
    case Kind::SubProcess: {
      start(s, n, add);
      if (!s.node[n] || !isEmpty(s, n))
        return;
      State t = s;
      --t.node[n];
      leaveHost(t, n);
      give(t, n);
      add(t);
      return;
    }
    case Kind::Throw:
      return each([&](State &t) {
        give(t, n);
        sendAll(t, n, add);
      });
    case Kind::Catch:
      return each([&](State &t) {
        give(t, n);
        receiveAll(t, n, add);
      });
    case Kind::Timer:
      return each([&](State &t) {
        give(t, n);
        add(t);
      });
    case Kind::ErrorEnd:
    case Kind::EscalationEnd:
    case Kind::EscalationThrow:
      return each([&](State &t) {
        bool isEnd = Diagram::isEnd(node.kind);
        if (isEnd)
          end(t, n);
        if (!catchers(n).empty())
          return throwTo(t, n, add);
        if (!isEnd)
          give(t, n);
        add(t);
      });
    case Kind::MessageBoundary:
    case Kind::TimerBoundary:
    case Kind::ErrorBoundary:
    case Kind::EscalationBoundary: {
      if (node.kind != Kind::MessageBoundary && !comesAlone(n))
        return;
      bool once = node.kind != Kind::MessageBoundary && !node.interrupts;
      if (!s.node[node.host] || (once && !s.armed[n]))
        return;
      bool isScope = d.nodes[node.host].kind == Kind::SubProcess;
      if (isScope && node.interrupts && isEmpty(s, node.host))
        return;
      State t = s;
      t.armed[n] = 0;
      if (node.interrupts) {
        if (isScope)
          clear(t, node.host, node.process);
        --t.node[node.host];
        leaveHost(t, node.host);
      }
      give(t, n);
      if (node.kind != Kind::MessageBoundary)
        add(t);
      else
        receiveAll(t, n, add);
      return;
    }
    case Kind::Exclusive:
      return each([&](State &t) {
        for (int f : out[n]) {
          State u = t;
          ++u.flow[f];
          mark.flow = out[n].size() > 1 ? f : -1;
          add(u);
        }
      });
    case Kind::Parallel: {
      State t = s;
      for (int f : in[n]) {
        if (!s.flow[f])
          return;
        --t.flow[f];
      }
      give(t, n);
      add(t);
      return;
    }
    case Kind::EventBased:
      return each([&](State &t) {
        for (int f : out[n]) {
          int event = d.flows[f].target;
          State u = t;
          give(u, event);
          mark.event = mark.starts = event;
          mark.flow = out[n].size() > 1 ? f : -1;
          if (d.nodes[event].kind == Kind::Timer)
            add(u);
          else
            receiveAll(u, event, add);
        }
      });
    case Kind::Inclusive:
      return inclusive(s, n, add);
    }
  }

  /// Where a token can be: on a flow, at a node, or at the start of a process.
  struct Position {
    char where;
    int index;
    auto operator<=>(const Position &) const = default;
  };

  /// The positions to which a token can come next without passing \p n.
  std::vector<Position> onward(const Position &at, int n) const {
    std::vector<Position> next;
    auto outs = [&](int node) {
      for (int f : out[node])
        next.push_back({'f', f});
    };
    if (at.where == 'p') {
      for (size_t k = 0; k < d.nodes.size(); ++k)
        if (d.nodes[k].process == at.index && d.nodes[k].parent < 0 &&
            Diagram::isStart(d.nodes[k].kind))
          outs(k);
      return next;
    }
    if (at.where == 'n') {
      outs(at.index);
      // One that only what is thrown inside triggers asks for the host where
      // it interrupts it.
      for (int b : boundaries[at.index])
        if (d.nodes[b].interrupts || d.nodes[b].kind == Kind::MessageBoundary ||
            comesAlone(b))
          outs(b);
      return next;
    }
    int target = d.flows[at.index].target;
    if (target == n)
      return next;
    Kind kind = d.nodes[target].kind;
    if (kind == Kind::ErrorEnd || kind == Kind::EscalationEnd ||
        kind == Kind::EscalationThrow) {
      std::vector<int> by = catchers(target);
      for (int b : by) {
        outs(b);
        if (!d.nodes[b].interrupts)
          outs(target);
      }
      if (by.empty())
        outs(target);
      return next;
    }
    if (isActivity(d.nodes[target].kind)) {
      next.push_back({'n', target});
      if (d.nodes[target].kind == Kind::SubProcess && !d.isIn(n, target))
        for (size_t k = 0; k < d.nodes.size(); ++k)
          if (d.nodes[k].parent == target && Diagram::isStart(d.nodes[k].kind))
            next.push_back({'n', int(k)});
    } else if (d.nodes[target].kind == Kind::EventBased) {
      for (int f : out[target])
        outs(d.flows[f].target);
    } else {
      outs(target);
    }
    return next;
  }
  bool leadsTo(const Position &from, int flow, int n) const {
    std::set<Position> seen;
    std::vector<Position> work{from};
    while (!work.empty()) {
      Position at = work.back();
      work.pop_back();
      for (const Position &p : onward(at, n)) {
        if (p == Position{'f', flow})
          return true;
        if (seen.insert(p).second)
          work.push_back(p);
      }
    }
    return false;
  }
  void inclusive(const State &s, int n, const Add &add) const {
    std::vector<Position> marked;
    for (size_t f = 0; f < d.flows.size(); ++f)
      if (s.flow[f])
        marked.push_back({'f', int(f)});
    for (size_t k = 0; k < d.nodes.size(); ++k)
      if (s.node[k] && !Diagram::isEnd(d.nodes[k].kind))
        marked.push_back({'n', int(k)});
    for (int p = 0; p < d.processes; ++p)
      if (!s.process[p])
        marked.push_back({'p', p});
    bool any = false;
    State t = s;
    for (int f : in[n])
      if (s.flow[f]) {
        any = true;
        --t.flow[f];
      }
    if (!any)
      return;
    for (int z : in[n])
      if (!s.flow[z])
        for (const Position &x : marked) {
          bool excused = false;
          for (int f : in[n])
            excused = excused ||
                      (s.flow[f] && x != Position{'f', f} && leadsTo(x, f, n));
          if (!excused && leadsTo(x, z, n))
            return;
        }
    std::vector<int> optional;
    for (int f : out[n])
      if (d.flows[f].isDefault && out[n].size() > 1) {
        State u = t;
        ++u.flow[f];
        mark.flow = out[n].size() > 1 ? f : -1;
        add(u);
      } else {
        optional.push_back(f);
      }
    for (unsigned chosen = 1; chosen < (1u << optional.size()); ++chosen) {
      State u = t;
      for (size_t i = 0; i < optional.size(); ++i)
        if (chosen >> i & 1)
          ++u.flow[optional[i]];
      mark.flow = -1;
      for (size_t i = 0; i < optional.size(); ++i)
        if (chosen == 1u << i && out[n].size() > 1)
          mark.flow = optional[i];
      add(u);
    }
  }

  const Diagram &d;
  NetworkKind net;
  int bound;
  mutable Mark mark; ///< of the step that is being taken
  std::vector<std::vector<int>> in, out, boundaries;
};

/// The same with gateways where several flows meet or part.
inline Diagram normalForm(Diagram d) {
  auto count = [&](int n, bool outgoing) {
    int all = 0;
    for (const Flow &f : d.flows)
      all += (outgoing ? f.source : f.target) == n;
    return all;
  };
  for (Flow &f : d.flows)
    f.isConditional = false;
  for (const Flow &f : d.flows)
    if (d.nodes[f.source].kind == Kind::EventBased &&
        count(f.target, false) > 1)
      d.nodes[f.source].kind = Kind::Exclusive;
  // What a boundary event is on may follow an event-based gateway.
  for (const Node &node : d.nodes)
    for (const Flow &f : d.flows)
      if (node.host >= 0 && f.target == node.host &&
          d.nodes[f.source].kind == Kind::EventBased)
        d.nodes[f.source].kind = Kind::Exclusive;
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

//===----------------------------------------------------------------------===//
// Generated diagrams
//===----------------------------------------------------------------------===//

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  Diagram make() {
    d = Diagram();
    d.processes = 1 + pick(3);
    for (int p = 0; p < d.processes; ++p)
      level(p, -1, 2 + pick(4));
    connectMessages();
    return d;
  }

  /// The diagram as BPMN; node i has the id `ni`, flow i `fi`.
  static std::string text(const Diagram &d) {
    std::string all = "<collaboration id='c'>";
    for (int p = 0; p < d.processes; ++p)
      all += "<participant id='q" + std::to_string(p) + "' name='q" +
             std::to_string(p) + "' processRef='p" + std::to_string(p) + "'/>";
    for (size_t m = 0; m < d.messages.size(); ++m)
      all += "<messageFlow id='m" + std::to_string(m) + "' name='" +
             d.messages[m].name + "' sourceRef='n" +
             std::to_string(d.messages[m].source) + "' targetRef='n" +
             std::to_string(d.messages[m].target) + "'/>";
    all += "</collaboration>";
    for (int p = 0; p < d.processes; ++p)
      all += "<process id='p" + std::to_string(p) + "'>" + contents(d, p, -1) +
             "</process>";
    return all;
  }

private:
  unsigned pick(unsigned below) { return random() % below; }
  bool chance(unsigned percent) { return pick(100) < percent; }

  int add(Kind kind, int process, int parent) {
    d.nodes.push_back({kind, process, parent});
    return d.nodes.size() - 1;
  }

  void level(int process, int parent, unsigned size) {
    std::vector<int> starts, middle, ends, boundaries;
    unsigned numStarts = 1 + (parent < 0 && chance(15));
    for (unsigned i = 0; i < numStarts; ++i)
      starts.push_back(add(parent < 0 && chance(25)   ? Kind::MessageStart
                           : parent < 0 && chance(10) ? Kind::TimerStart
                                                      : Kind::NoneStart,
                           process, parent));
    static const Kind kinds[] = {
        Kind::Task,      Kind::Task,       Kind::Send,      Kind::Receive,
        Kind::Throw,     Kind::Catch,      Kind::Timer,     Kind::Exclusive,
        Kind::Exclusive, Kind::Parallel,   Kind::Parallel,  Kind::Inclusive,
        Kind::Inclusive, Kind::EventBased, Kind::SubProcess};
    std::vector<int> scopes;
    for (unsigned i = 0; i < size; ++i) {
      Kind kind = kinds[pick(std::size(kinds))];
      if (kind == Kind::SubProcess && parent >= 0)
        kind = Kind::Task;
      int n = add(kind, process, parent);
      middle.push_back(n);
      if (kind == Kind::SubProcess)
        scopes.push_back(n);
      if (kind == Kind::EventBased) {
        // It has somewhere to go.
        middle.push_back(add(Kind::Catch, process, parent));
        middle.push_back(
            add(chance(50) ? Kind::Timer : Kind::Receive, process, parent));
      }
    }
    unsigned numEnds = 1 + chance(30);
    for (unsigned i = 0; i < numEnds; ++i)
      ends.push_back(add(chance(15)   ? Kind::Terminate
                         : chance(20) ? Kind::MessageEnd
                                      : Kind::NoneEnd,
                         process, parent));
    for (int n : std::vector<int>(middle)) {
      Kind k = d.nodes[n].kind;
      bool isActivity = k == Kind::Task || k == Kind::Send ||
                        k == Kind::Receive || k == Kind::SubProcess;
      if (isActivity && chance(k == Kind::SubProcess ? 50 : 12)) {
        int b = add(chance(50) ? Kind::MessageBoundary : Kind::TimerBoundary,
                    process, parent);
        d.nodes[b].host = n;
        d.nodes[b].interrupts = chance(70);
        boundaries.push_back(b);
      }
    }
    connect(starts, middle, ends, boundaries);
    for (int n : scopes)
      level(process, n, 1 + pick(2));
  }

  void connect(const std::vector<int> &starts, const std::vector<int> &middle,
               const std::vector<int> &ends,
               const std::vector<int> &boundaries) {
    std::vector<int> targets(middle);
    targets.insert(targets.end(), ends.begin(), ends.end());
    std::vector<int> sources(starts);
    sources.insert(sources.end(), middle.begin(), middle.end());
    sources.insert(sources.end(), boundaries.begin(), boundaries.end());
    std::set<std::pair<int, int>> known;
    auto flow = [&](int from, int to) {
      if (from == to || !known.insert({from, to}).second)
        return;
      d.flows.push_back({from, to});
    };
    auto waits = [&](int n) {
      Kind k = d.nodes[n].kind;
      return k == Kind::Catch || k == Kind::Receive || k == Kind::Timer;
    };
    auto target = [&](int from) {
      // Mostly forward, so that much of it is reached.
      for (int tries = 0; tries < 30; ++tries) {
        int to = targets[pick(targets.size())];
        if (d.nodes[from].kind == Kind::EventBased && !waits(to))
          continue;
        if (to != from && (to > from || chance(25)))
          return to;
      }
      return d.nodes[from].kind == Kind::EventBased ? from + 1 : ends[0];
    };
    for (int n : sources) {
      Kind k = d.nodes[n].kind;
      bool splits = k == Kind::Exclusive || k == Kind::Parallel ||
                    k == Kind::Inclusive || k == Kind::EventBased;
      unsigned count = splits ? 1 + pick(3) : 1 + chance(15);
      for (unsigned i = 0; i < count; ++i)
        flow(n, target(n));
    }
    for (int n : targets) {
      bool entered = false;
      for (const Flow &f : d.flows)
        entered |= f.target == n;
      if (!entered) {
        int from = starts[0];
        for (int s : sources)
          if (s < n && d.nodes[s].kind != Kind::EventBased && chance(50))
            from = s;
        flow(from, n);
      }
    }
    std::set<int> hasDefault;
    for (Flow &f : d.flows) {
      Kind k = d.nodes[f.source].kind;
      if (!known.count({f.source, f.target}))
        continue;
      if (k == Kind::Inclusive && chance(25) &&
          hasDefault.insert(f.source).second)
        f.isDefault = true;
      else if ((k == Kind::Task || k == Kind::Exclusive ||
                k == Kind::Inclusive) &&
               chance(20))
        f.isConditional = true;
    }
  }

  void connectMessages() {
    std::vector<int> senders, receivers;
    for (size_t n = 0; n < d.nodes.size(); ++n)
      switch (d.nodes[n].kind) {
      case Kind::Send:
      case Kind::Throw:
      case Kind::MessageEnd:
        senders.push_back(n);
        break;
      case Kind::Receive:
      case Kind::Catch:
      case Kind::MessageStart:
      case Kind::MessageBoundary:
        receivers.push_back(n);
        break;
      default:
        break;
      }
    std::set<std::pair<int, int>> known;
    auto link = [&](int from, const std::vector<int> &others, bool out) {
      for (int tries = 0; tries < 20; ++tries) {
        if (others.empty())
          return false;
        int to = others[pick(others.size())];
        int source = out ? from : to, target = out ? to : from;
        if (d.nodes[source].process == d.nodes[target].process)
          continue;
        if (known.insert({source, target}).second)
          d.messages.push_back(
              {source, target,
               chance(30) ? "x" : "m" + std::to_string(source)});
        return true;
      }
      return false;
    };
    // What finds no partner becomes something that needs none.
    for (int n : senders)
      if (!link(n, receivers, true))
        d.nodes[n].kind = d.nodes[n].kind == Kind::Send    ? Kind::Task
                          : d.nodes[n].kind == Kind::Throw ? Kind::Timer
                                                           : Kind::NoneEnd;
    senders.erase(std::remove_if(senders.begin(), senders.end(),
                                 [&](int n) {
                                   Kind k = d.nodes[n].kind;
                                   return k != Kind::Send && k != Kind::Throw &&
                                          k != Kind::MessageEnd;
                                 }),
                  senders.end());
    for (int n : receivers) {
      bool linked = false;
      for (const MessageFlow &m : d.messages)
        linked |= m.target == n;
      if (linked || link(n, senders, false))
        continue;
      Kind &k = d.nodes[n].kind;
      bool awaited = false;
      for (const Flow &f : d.flows)
        awaited |= f.target == n && d.nodes[f.source].kind == Kind::EventBased;
      k = k == Kind::MessageStart          ? Kind::NoneStart
          : k == Kind::MessageBoundary     ? Kind::TimerBoundary
          : k == Kind::Receive && !awaited ? Kind::Task
                                           : Kind::Timer;
    }
    // A receive task with a boundary event keeps its host.
    for (Node &n : d.nodes)
      if (n.host >= 0 && d.nodes[n.host].kind == Kind::Timer)
        d.nodes[n.host].kind = Kind::Task;
    // An event-based gateway leads to what waits.
    for (Flow &f : d.flows)
      if (d.nodes[f.source].kind == Kind::EventBased &&
          d.nodes[f.target].kind == Kind::Task)
        d.nodes[f.source].kind = Kind::Exclusive;
    for (Flow &f : d.flows)
      f.isDefault &= d.nodes[f.source].kind == Kind::Inclusive;
  }

  static std::string contents(const Diagram &d, int process, int parent) {
    std::string all;
    for (size_t n = 0; n < d.nodes.size(); ++n) {
      const Node &node = d.nodes[n];
      if (node.process != process || node.parent != parent)
        continue;
      std::string id = "id='n" + std::to_string(n) + "'";
      for (size_t f = 0; f < d.flows.size(); ++f)
        if (d.flows[f].source == int(n) && d.flows[f].isDefault)
          id += " default='f" + std::to_string(f) + "'";
      std::string code;
      if (node.code)
        code = std::string(" ") +
               (node.kind == Kind::ErrorEnd || node.kind == Kind::ErrorBoundary
                    ? "error"
                    : "escalation") +
               "Ref='c" + std::to_string(node.code) + "'";
      auto event = [&](const char *tag, const char *definition) {
        std::string more;
        if (node.host >= 0)
          more = " attachedToRef='n" + std::to_string(node.host) +
                 "' cancelActivity='" + (node.interrupts ? "true" : "false") +
                 "'";
        all += std::string("<") + tag + " " + id + more + ">" +
               (*definition ? std::string("<") + definition +
                                  "EventDefinition" + code + "/>"
                            : "") +
               "</" + tag + ">";
      };
      auto plain = [&](const char *tag) {
        all += std::string("<") + tag + " " + id + "/>";
      };
      switch (node.kind) {
      case Kind::NoneStart:
        event("startEvent", "");
        break;
      case Kind::TimerStart:
        event("startEvent", "timer");
        break;
      case Kind::MessageStart:
        event("startEvent", "message");
        break;
      case Kind::NoneEnd:
        event("endEvent", "");
        break;
      case Kind::MessageEnd:
        event("endEvent", "message");
        break;
      case Kind::Terminate:
        event("endEvent", "terminate");
        break;
      case Kind::Task:
        plain("task");
        break;
      case Kind::Send:
        plain("sendTask");
        break;
      case Kind::Receive:
        plain("receiveTask");
        break;
      case Kind::SubProcess:
        all += "<subProcess " + id + ">" + contents(d, process, n) +
               "</subProcess>";
        break;
      case Kind::Throw:
        event("intermediateThrowEvent", "message");
        break;
      case Kind::Catch:
        event("intermediateCatchEvent", "message");
        break;
      case Kind::Timer:
        event("intermediateCatchEvent", "timer");
        break;
      case Kind::MessageBoundary:
        event("boundaryEvent", "message");
        break;
      case Kind::TimerBoundary:
        event("boundaryEvent", "timer");
        break;
      case Kind::Exclusive:
        plain("exclusiveGateway");
        break;
      case Kind::Parallel:
        plain("parallelGateway");
        break;
      case Kind::Inclusive:
        plain("inclusiveGateway");
        break;
      case Kind::EventBased:
        plain("eventBasedGateway");
        break;
      case Kind::ErrorEnd:
        event("endEvent", "error");
        break;
      case Kind::EscalationEnd:
        event("endEvent", "escalation");
        break;
      case Kind::EscalationThrow:
        event("intermediateThrowEvent", "escalation");
        break;
      case Kind::ErrorBoundary:
        event("boundaryEvent", "error");
        break;
      case Kind::EscalationBoundary:
        event("boundaryEvent", "escalation");
        break;
      }
    }
    for (size_t f = 0; f < d.flows.size(); ++f) {
      const Flow &flow = d.flows[f];
      const Node &source = d.nodes[flow.source];
      if (source.process != process || source.parent != parent)
        continue;
      all +=
          "<sequenceFlow id='f" + std::to_string(f) + "' sourceRef='n" +
          std::to_string(flow.source) + "' targetRef='n" +
          std::to_string(flow.target) + "'>" +
          (flow.isConditional ? "<conditionExpression>may</conditionExpression>"
                              : "") +
          "</sequenceFlow>";
    }
    return all;
  }

  std::mt19937 random;
  Diagram d;
};

} // namespace cif::naive

#endif
