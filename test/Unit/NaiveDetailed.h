//===- NaiveDetailed.h - The detailed semantics, step by step -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A second implementation of the semantics `detailed`, for tests: it
/// interprets diagrams, with a rule for each kind of node.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVEDETAILED_H
#define CIF_TEST_UNIT_NAIVEDETAILED_H

#include "NaiveJoins.h"
#include "NaiveNetwork.h"

namespace cif::naive {

/// `detailed`, for diagrams in drawn form. In normal form it has the states of
/// the system; elsewhere the system has tokens in merges that are not drawn.
class Detailed {
public:
  Detailed(const Diagram &of, NetworkKind on, int most)
      : d(of), net(on), messages(of, on), bound(most), in(of.nodes.size()),
        out(of.nodes.size()), boundaries(of.nodes.size()) {
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
      messages.sort(all.back().to);
    };
    for (size_t n = 0; n < d.nodes.size(); ++n) {
      mark = markOf(d, n);
      step(s, n, add);
    }
    return all;
  }
  /// What is in transit, by the names that marks have.
  std::set<std::string> transit(const State &s) const {
    return Messages::inTransit(s);
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

  void sendAll(const State &s, int n, const Add &add) const {
    messages.send(s, n, add);
  }
  void receiveAll(const State &s, int n, const Add &add) const {
    messages.receive(s, n, mark, add);
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
    default:
      return; // see NaiveScopes.h
    }
  }

  /// The positions to which a token can come next without passing \p n, or
  /// unless it \p moves send another.
  std::vector<Position> onward(const Position &at, int n, bool moves) const {
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
        if (d.nodes[b].interrupts ||
            (!moves &&
             (d.nodes[b].kind == Kind::MessageBoundary || comesAlone(b))))
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
  void inclusive(const State &s, int n, const Add &add) const {
    std::set<Position> all;
    for (size_t f = 0; f < d.flows.size(); ++f)
      if (s.flow[f])
        all.insert({'f', int(f)});
    for (size_t k = 0; k < d.nodes.size(); ++k)
      if (s.node[k] && !Diagram::isEnd(d.nodes[k].kind))
        all.insert({'n', int(k)});
    for (int p = 0; p < d.processes; ++p)
      if (!s.process[p])
        all.insert({'p', p});
    std::vector<int> marked, unmarked;
    State t = s;
    for (int f : in[n])
      if (s.flow[f]) {
        marked.push_back(f);
        --t.flow[f];
      } else {
        unmarked.push_back(f);
      }
    if (marked.empty() ||
        joinWaits(marked, unmarked, all,
                  [&](const Position &p, bool moves) {
                    return onward(p, n, moves);
                  }))
      return;
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
  Messages messages;
  int bound;
  mutable Mark mark; ///< of the step that is being taken
  std::vector<std::vector<int>> in, out, boundaries;
};

} // namespace cif::naive

#endif
