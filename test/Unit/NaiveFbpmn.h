//===- NaiveFbpmn.h - The published semantics, step by step ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A second implementation of the semantics `fbpmn`, for tests: it interprets
/// diagrams, with a rule for each kind of node.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVEFBPMN_H
#define CIF_TEST_UNIT_NAIVEFBPMN_H

#include "NaiveDiagram.h"

namespace cif::naive {

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
    default:
      return; // not in the published tool
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

} // namespace cif::naive

#endif
