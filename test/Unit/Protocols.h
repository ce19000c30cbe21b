//===- Protocols.h - Generated protocols and naive checks -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated protocols, and their definitions spelt out: sets of
/// configurations, one set for handshakes and one for queues, side by side.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_PROTOCOLS_H
#define CIF_TEST_UNIT_PROTOCOLS_H

#include "cif/IR/Builder.h"
#include "cif/LTS/LtsBuilder.h"
#include "cif/Transforms/Project.h"
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>

namespace cif::test {

struct Transition {
  unsigned from, sender, receiver, message, to;
};

struct Protocol {
  unsigned states, peers;
  std::vector<Transition> transitions;
};

inline std::string peerName(unsigned p) { return "p" + std::to_string(p); }

inline Protocol randomProtocol(std::mt19937 &random, unsigned seed) {
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Protocol p;
  p.peers = 2 + seed % 3;
  p.states = 2 + below(4);
  for (unsigned s = 1; s < p.states; ++s)
    p.transitions.push_back({below(s), 0, 0, 0, s});
  for (unsigned i = below(3); i > 0; --i)
    p.transitions.push_back({below(p.states), 0, 0, 0, below(p.states)});
  for (Transition &t : p.transitions) {
    t.sender = below(p.peers);
    t.receiver = (t.sender + 1 + below(p.peers - 1)) % p.peers;
    if (seed % 5 == 0) // a chain of senders, for trees
      t.sender = 0, t.receiver = 1 + below(p.peers - 1);
    if (seed % 5 == 1) // a ring
      t.receiver = (t.sender + 1) % p.peers;
    t.message = below(2);
  }
  return p;
}

inline Label exchange(const Transition &t) {
  return {LabelKind::Exchange, peerName(t.sender), peerName(t.receiver),
          "m" + std::to_string(t.message)};
}

inline Lts globalOf(const Protocol &p) {
  LtsBuilder builder;
  for (const Transition &t : p.transitions)
    builder.add(t.from, builder.labels.intern(exchange(t)), t.to);
  return std::move(builder).finish(0, p.states);
}

/// Local states, then the places of each queue: 0 for none, else a message. As
/// text, so that they are small and compare fast.
using Configuration = std::string;
using Configurations = std::set<Configuration>;
using Action = std::vector<unsigned>; // sender, receiver, message

/// The peers are the protocol itself with what is not theirs made silent.
class Naive {
public:
  Naive(const Protocol &of, bool pairs, unsigned limit)
      : protocol(of), fifoPair(pairs), bound(limit) {
    std::map<unsigned, size_t> places;
    for (const Transition &t : protocol.transitions) {
      unsigned queue = fifoPair ? t.sender * 8 + t.receiver : t.receiver;
      places.try_emplace(queue, protocol.peers + places.size() * bound);
      queueAt.push_back(places[queue]);
    }
    width = protocol.peers + places.size() * bound;
  }

  Configurations start() const { return close({std::string(width, '\0')}); }

  /// Bound 0: handshakes.
  std::map<Action, Configurations> after(const Configurations &from) const {
    std::map<Action, Configurations> next;
    for (const Configuration &c : from)
      for (size_t i = 0; i < protocol.transitions.size(); ++i) {
        const Transition &t = protocol.transitions[i];
        if (at(c, t.sender) != t.from)
          continue;
        Configuration to = c;
        to[t.sender] = static_cast<char>(t.to);
        Action action{t.sender, t.receiver, t.message};
        if (bound) {
          size_t place = queueAt[i], end = place + bound;
          while (place < end && to[place])
            ++place;
          if (place == end)
            continue;
          to[place] = code(t);
          next[action].insert(to);
          continue;
        }
        for (const Transition &r : protocol.transitions)
          if (code(r) == code(t) && at(c, t.receiver) == r.from) {
            Configuration both = to;
            both[t.receiver] = static_cast<char>(r.to);
            next[action].insert(both);
          }
      }
    for (auto &[action, set] : next)
      set = close(std::move(set));
    return next;
  }

private:
  static unsigned at(const Configuration &c, unsigned peer) {
    return static_cast<unsigned char>(c[peer]);
  }
  static char code(const Transition &t) {
    return static_cast<char>((t.sender * 4 + t.receiver) * 4 + t.message + 1);
  }
  Configurations close(Configurations set) const {
    std::vector<Configuration> work(set.begin(), set.end());
    auto add = [&](const Configuration &c) {
      if (set.insert(c).second)
        work.push_back(c);
    };
    while (!work.empty()) {
      Configuration c = work.back();
      work.pop_back();
      for (size_t i = 0; i < protocol.transitions.size(); ++i) {
        const Transition &t = protocol.transitions[i];
        for (unsigned p = 0; p < protocol.peers; ++p) {
          if (p == t.sender || at(c, p) != t.from)
            continue;
          Configuration to = c;
          to[p] = static_cast<char>(t.to);
          if (p != t.receiver)
            add(to);
          if (bound && p == t.receiver) {
            size_t first = queueAt[i];
            if (to[first] != code(t))
              continue;
            to.erase(first, 1);
            to.insert(first + bound - 1, 1, '\0');
            add(to);
          }
        }
      }
    }
    return set;
  }

  const Protocol &protocol;
  bool fifoPair;
  unsigned bound;
  std::vector<size_t> queueAt; ///< by transition: the first place of its queue
  size_t width;
};

/// The protocol's own language, by sets of states.
class NaiveGlobal {
public:
  explicit NaiveGlobal(const Protocol &of) : protocol(of) {}
  std::set<unsigned> start() const { return {0}; }
  std::map<Action, std::set<unsigned>>
  after(const std::set<unsigned> &from) const {
    std::map<Action, std::set<unsigned>> next;
    for (const Transition &t : protocol.transitions)
      if (from.count(t.from))
        next[{t.sender, t.receiver, t.message}].insert(t.to);
    return next;
  }

private:
  const Protocol &protocol;
};

/// The length of a shortest trace that \p left has and \p right has not, 0 for
/// none; the search gives up after so many pairs and then says nothing.
template <class Left, class Right>
std::optional<unsigned> extraTrace(const Left &left, const Right &right) {
  using Pair = std::pair<decltype(left.start()), decltype(right.start())>;
  std::map<Pair, unsigned> depth;
  std::deque<Pair> work{{left.start(), right.start()}};
  depth[work.front()] = 0;
  while (!work.empty()) {
    if (depth.size() > 300)
      return std::nullopt;
    Pair at = work.front();
    work.pop_front();
    auto there = right.after(at.second);
    for (auto &[action, set] : left.after(at.first)) {
      auto same = there.find(action);
      if (same == there.end())
        return depth[at] + 1;
      Pair next{set, same->second};
      if (depth.try_emplace(next, depth[at] + 1).second)
        work.push_back(next);
    }
  }
  return 0;
}

inline Module peersOf(const Lts &global) {
  Module module;
  Budget budget{Limits()};
  for (const std::string &name : participantsOf(global)) {
    SystemDecl decl;
    decl.name = module.intern(name);
    decl.owner = module.getParticipant(decl.name);
    decl.role = SystemRole::Peer;
    decl.lts = *projectLts(global, name, budget);
    module.systems.push_back(std::move(decl));
  }
  return module;
}

/// The protocol as the reader of conversation protocols makes it.
inline Module graphOf(const Protocol &p) {
  Module module;
  BehaviourBuilder b(module, BehaviourKind::Choreography, "P");
  NodeId start = b.add(NodeKind::Initial);
  std::vector<unsigned> ways(p.states, 0);
  for (const Transition &t : p.transitions)
    ++ways[t.from];
  std::vector<NodeId> joins, nodes;
  for (unsigned s = 0; s < p.states; ++s) {
    joins.push_back(b.add(NodeKind::SimpleJoin));
    nodes.push_back(b.add(ways[s] > 1    ? NodeKind::EventChoice
                          : ways[s] == 1 ? NodeKind::SimpleJoin
                                         : NodeKind::Final));
    b.chain({joins[s], nodes[s]});
  }
  b.chain({start, joins[0]});
  for (const Transition &t : p.transitions) {
    NodeId step = b.interaction(peerName(t.sender), peerName(t.receiver),
                                "m" + std::to_string(t.message));
    b.chain({nodes[t.from], step, joins[t.to]});
  }
  return module;
}
} // namespace cif::test

#endif
