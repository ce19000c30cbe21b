//===- NaiveNetwork.h - How messages travel, for the interpreters ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Messages in transit as a list in the order of sending, and what each network
/// lets come first.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVENETWORK_H
#define CIF_TEST_UNIT_NAIVENETWORK_H

#include "NaiveDiagram.h"

namespace cif::naive {

/// A state has the members `network` and, for `causal`, `clocks`.
class Messages {
public:
  Messages(const Diagram &of, NetworkKind on) : d(of), net(on) {}

  static std::string nameOf(const InTransit &m) {
    return std::to_string(m.from) + ">" + std::to_string(m.to) + ":" + m.name;
  }
  template <class State>
  static std::set<std::string> inTransit(const State &s) {
    std::set<std::string> all;
    for (const InTransit &m : s.network)
      all.insert(nameOf(m));
    return all;
  }
  /// Forgets the order that the network does not see.
  template <class State>
  void sort(State &s) const {
    std::stable_sort(s.network.begin(), s.network.end(),
                     [&](const InTransit &a, const InTransit &b) {
                       return net == NetworkKind::Bag ||
                                      net == NetworkKind::Causal
                                  ? a < b
                                  : queue(a) < queue(b);
                     });
  }
  /// Each way in which node \p n can send.
  template <class State, class Add>
  void send(const State &s, int n, const Add &add) const {
    if (isOpen(n, true))
      add(s); // the environment takes it at once
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
  /// Each way in which node \p n can receive.
  template <class State, class Add>
  void receive(const State &s, int n, Mark &mark, const Add &add) const {
    if (isOpen(n, false))
      add(s); // the environment may have sent it
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

private:
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
  /// The messages of a node's flows to other processes, each once.
  std::set<InTransit> messagesOf(int n, bool outgoing) const {
    std::set<InTransit> all;
    for (const MessageFlow &m : d.messages)
      if ((outgoing ? m.source : m.target) == n && m.source >= 0 &&
          m.target >= 0)
        all.insert(
            {d.nodes[m.source].process, d.nodes[m.target].process, m.name, {}});
    return all;
  }
  /// Whether a node exchanges messages with the environment: by a flow to a
  /// pool without a process, or because it has no message flow.
  bool isOpen(int n, bool outgoing) const {
    bool any = false;
    for (const MessageFlow &m : d.messages)
      if ((outgoing ? m.source : m.target) == n) {
        any = true;
        if ((outgoing ? m.target : m.source) < 0)
          return true;
      }
    return !any;
  }
  /// Whether the network lets message \p i come before the others.
  template <class State>
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

  const Diagram &d;
  NetworkKind net;
};

} // namespace cif::naive

#endif
