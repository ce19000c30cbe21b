//===- NaivePeers.h - Compositions of peers, the long way -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Peers with internal steps, several ways to do the same, final states and
/// controllers; and a second implementation of their composition under each
/// network. What is in transit is one list in the order of sending, from which
/// each network takes by its own rule.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVEPEERS_H
#define CIF_TEST_UNIT_NAIVEPEERS_H

#include "RandomPeers.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Semantics/Semantics.h"
#include <deque>
#include <set>

namespace cif::test {

/// Two to \p most peers, the last one perhaps a controller.
inline Module noisyPeers(std::mt19937 &random, unsigned most = 3) {
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Module module;
  const unsigned peers = 2 + below(most - 1);
  const bool finals = below(3), controller = below(4) == 0;
  auto name = [](unsigned p) { return "p" + std::to_string(p); };
  for (unsigned p = 0; p < peers; ++p) {
    LtsBuilder builder;
    const unsigned states = 1 + below(3);
    auto add = [&](unsigned from, unsigned to) {
      std::string other = name((p + 1 + below(peers - 1)) % peers),
                  m = "m" + std::to_string(below(2));
      LabelIndex label = tauLabel;
      if (unsigned kind = below(5); kind > 0)
        label = builder.labels.intern(
            kind > 2 ? Label{LabelKind::Receive, other, name(p), m}
                     : Label{LabelKind::Send, name(p), other, m});
      builder.add(from, label, to);
    };
    for (unsigned s = 1; s < states; ++s)
      add(below(s), s);
    for (unsigned i = below(4); i > 0; --i)
      add(below(states), below(states));
    Lts lts = std::move(builder).finish(0, states);
    if (finals)
      lts.finals = std::vector<uint64_t>{random() % (1u << states)};
    addRandomPeer(module, name(p), std::move(lts));
  }
  if (controller)
    module.systems.back().role = SystemRole::Controller;
  return module;
}

class NaivePeers {
public:
  struct Sent {
    unsigned message;
    std::set<unsigned> past; ///< positions of what came causally before it
    auto operator<=>(const Sent &) const = default;
  };
  struct State {
    std::vector<unsigned> locals;
    std::vector<Sent> transit;             ///< in the order of sending
    std::vector<std::set<unsigned>> knows; ///< by peer: positions
    unsigned mark = UINT_MAX;              ///< a message to watch
    auto operator<=>(const State &) const = default;
  };
  struct Message {
    unsigned sender, receiver;
    std::string name;
  };
  struct Step {
    unsigned from, to;
    int message; ///< -1: internal
    bool sends;
  };

  NaivePeers(const Module &module, NetworkKind on) : network(on) {
    std::map<std::string, unsigned> numbers;
    for (const SystemDecl &decl : module.systems)
      numbers.emplace(module.text(decl.name).str(), numbers.size());
    std::map<std::string, unsigned> known;
    for (const SystemDecl &decl : module.systems) {
      auto &steps = peers.emplace_back();
      auto &done = isDone.emplace_back();
      controller.push_back(decl.role == SystemRole::Controller);
      for (StateIndex s = 0; s < decl.lts.numStates(); ++s) {
        done.push_back(decl.lts.saysFinal() ? decl.lts.isFinal(s)
                                            : decl.lts.labelsOf(s).empty());
        for (size_t t = 0; t < decl.lts.labelsOf(s).size(); ++t) {
          const Label &label = decl.lts.labels[decl.lts.labelsOf(s)[t]];
          Step step{s, decl.lts.targetsOf(s)[t], -1, false};
          if (label.kind != LabelKind::Tau) {
            std::string text =
                label.sender + " " + label.receiver + " " + label.message;
            auto [at, isNew] = known.emplace(text, messages.size());
            if (isNew)
              messages.push_back({numbers[label.sender],
                                  numbers[label.receiver], label.message});
            step.message = static_cast<int>(at->second);
            step.sends = label.kind == LabelKind::Send;
          }
          steps.push_back(step);
        }
      }
    }
  }

  State initial() const {
    State s;
    s.locals.assign(peers.size(), 0);
    s.knows.resize(peers.size());
    return s;
  }

  /// Each successor, with the message that is sent or -1, and whether the
  /// marked message was received.
  template <class Sink>
  void successors(const State &s, Sink sink) const {
    for (unsigned p = 0; p < peers.size(); ++p)
      for (const Step &step : peers[p]) {
        if (step.from != s.locals[p])
          continue;
        State next = s;
        next.locals[p] = step.to;
        if (step.message < 0) {
          sink(next, -1, false);
        } else if (handed(step.message)) {
          unsigned r = messages[step.message].receiver;
          for (const Step &taken : peers[r])
            if (step.sends && taken.from == s.locals[r] && !taken.sends &&
                taken.message == step.message) {
              next.locals[r] = taken.to;
              sink(next, controller[r] ? -1 : step.message, false);
            }
        } else if (step.sends) {
          if (network == NetworkKind::Rsc && !s.transit.empty())
            continue;
          next.transit.push_back(
              {static_cast<unsigned>(step.message), s.knows[p]});
          next.knows[p].insert(static_cast<unsigned>(s.transit.size()));
          sink(next, step.message, false);
        } else if (int at = position(s, step.message); at >= 0) {
          sink(take(next, p, static_cast<unsigned>(at)), -1,
               s.mark == static_cast<unsigned>(at));
        }
      }
  }

  bool allDone(const State &s) const {
    for (unsigned p = 0; p < peers.size(); ++p)
      if (!isDone[p][s.locals[p]])
        return false;
    return true;
  }

  /// A peer that only receives, and nothing of what stands first for it.
  bool hasUnspecified(const State &s) const {
    for (unsigned p = 0; p < peers.size(); ++p) {
      bool any = false, stuck = true;
      for (const Step &step : peers[p]) {
        if (step.from != s.locals[p])
          continue;
        any = true;
        if (step.message < 0 || step.sends || handed(step.message) ||
            position(s, step.message) >= 0) {
          stuck = false;
          break;
        }
        const Sent *first = firstBefore(s, step.message);
        stuck &= first && messages[first->message].receiver == p;
      }
      if (any && stuck)
        return true;
    }
    return false;
  }

  /// Whether no continuation receives some message in transit. \p most states
  /// are looked at for each.
  bool hasOrphan(const State &s) const {
    for (unsigned m = 0; m < s.transit.size(); ++m) {
      State marked = s;
      marked.mark = m;
      std::set<State> seen{marked};
      std::deque<State> work{marked};
      bool received = false;
      while (!work.empty() && !received) {
        State at = work.front();
        work.pop_front();
        successors(at, [&](const State &next, int, bool got) {
          received |= got;
          if (seen.insert(next).second)
            work.push_back(next);
        });
      }
      if (!received)
        return true;
    }
    return false;
  }

  std::vector<std::vector<Step>> peers;
  std::vector<std::vector<bool>> isDone;
  std::vector<bool> controller;
  std::vector<Message> messages;
  NetworkKind network;

private:
  bool handed(int message) const {
    return network == NetworkKind::Sync ||
           controller[messages[message].receiver];
  }
  bool share(unsigned a, unsigned b) const {
    const Message &x = messages[a], &y = messages[b];
    switch (network) {
    case NetworkKind::FifoPair:
      return x.sender == y.sender && x.receiver == y.receiver;
    case NetworkKind::Inbox:
      return x.receiver == y.receiver;
    case NetworkKind::Outbox:
      return x.sender == y.sender;
    case NetworkKind::FifoAll:
    case NetworkKind::Rsc:
      return true;
    default:
      return false;
    }
  }
  const Sent *firstBefore(const State &s, int message) const {
    for (const Sent &sent : s.transit)
      if (share(sent.message, message))
        return &sent;
    return nullptr;
  }
  /// Where the message is that would be received; -1: nowhere.
  int position(const State &s, int message) const {
    for (size_t i = 0; i < s.transit.size(); ++i) {
      if (s.transit[i].message != static_cast<unsigned>(message)) {
        if (share(s.transit[i].message, message))
          return -1;
        continue;
      }
      if (network == NetworkKind::Causal)
        for (unsigned before : s.transit[i].past)
          if (messages[s.transit[before].message].receiver ==
              messages[message].receiver)
            return -1;
      return static_cast<int>(i);
    }
    return -1;
  }
  State take(State s, unsigned p, unsigned at) const {
    for (unsigned before : s.transit[at].past)
      s.knows[p].insert(before);
    auto remove = [&](std::set<unsigned> &set) {
      std::set<unsigned> left;
      for (unsigned i : set)
        if (i != at)
          left.insert(i > at ? i - 1 : i);
      set = std::move(left);
    };
    s.transit.erase(s.transit.begin() + at);
    for (Sent &sent : s.transit)
      remove(sent.past);
    for (auto &set : s.knows)
      remove(set);
    if (s.mark == at)
      s.mark = UINT_MAX;
    else if (s.mark != UINT_MAX && s.mark > at)
      --s.mark;
    return s;
  }
};

/// The first sends of the peers under \p network that \p global does not have,
/// looking at \p most states with up to five messages in transit; empty: none
/// was found.
inline std::string extraSends(const Module &peers, const Lts &global,
                              NetworkKind network, size_t most,
                              bool *complete = nullptr) {
  NaivePeers naive(peers, network);
  auto close = [&](std::set<StateIndex> set) {
    std::vector<StateIndex> work(set.begin(), set.end());
    while (!work.empty()) {
      StateIndex s = work.back();
      work.pop_back();
      for (uint32_t t = global.rowBegin[s]; t < global.rowBegin[s + 1]; ++t)
        if (global.label[t] == tauLabel && set.insert(global.target[t]).second)
          work.push_back(global.target[t]);
    }
    return set;
  };
  struct At {
    NaivePeers::State state;
    std::set<StateIndex> allowed;
    auto operator<=>(const At &) const = default;
  };
  bool whole = true;
  std::map<At, std::string> seen;
  std::deque<const At *> work;
  auto reach = [&](At at, const std::string &sent) {
    if (at.state.transit.size() > 5) {
      whole = false;
      return;
    }
    auto [it, isNew] = seen.emplace(std::move(at), sent);
    if (isNew)
      work.push_back(&it->first);
  };
  reach({naive.initial(), close({global.initial})}, "");
  std::string found;
  while (!work.empty() && found.empty() && seen.size() < most) {
    At at = *work.front();
    std::string sent = seen[at];
    work.pop_front();
    naive.successors(at.state, [&](const NaivePeers::State &next, int message,
                                   bool) {
      if (message < 0)
        return reach({next, at.allowed}, sent);
      const NaivePeers::Message &m = naive.messages[message];
      const std::string &from = peers.text(peers.systems[m.sender].name).str();
      const std::string &to = peers.text(peers.systems[m.receiver].name).str();
      Label label{LabelKind::Exchange, from, to, m.name};
      std::set<StateIndex> after;
      for (StateIndex s : at.allowed)
        for (uint32_t t = global.rowBegin[s]; t < global.rowBegin[s + 1]; ++t)
          if (global.labels[global.label[t]] == label)
            after.insert(global.target[t]);
      std::string all = sent + labelForPeople(label) + "\n";
      if (after.empty())
        found = all;
      else
        reach({next, close(after)}, all);
    });
  }
  if (complete)
    *complete = whole && (work.empty() || !found.empty());
  return found;
}

} // namespace cif::test

#endif
