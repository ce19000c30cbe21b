//===- Kmc.cpp - k-multiparty compatibility -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [lange19], Defs. of k-safety, k-exhaustivity, k-OBI, k-SIBI
/// and k-CIBI. Input class: any peers with a queue for each ordered pair;
/// the theorem (k-OBI, k-CIBI and k-MC imply safety for every bound) is
/// about communicating session automata.
///
/// Sound/complete for: each condition is decided on the whole transition
/// system with queues up to k.
///
/// Differs from the paper: conditions are decided by backward reachability
/// for each queue rather than by a search from each configuration. Sets of
/// peers that no message links are checked separately, because their
/// transition system is a product and no condition relates two of them. In
/// k-CIBI a reception depends on a send only if it receives that very
/// message and the queue was empty at the beginning, so that no more
/// depends on the first reception than in the paper. The partial order
/// reduction is another one: strong stubborn sets (PeerReduction.h). It shows
/// that all conditions hold; if one does not, all orders are explored, so that
/// the run is shortest.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/Kmc.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Explore/PeerReduction.h"
#include "cif/Graph/Reach.h"
#include "cif/Graph/Search.h"
#include "cif/IR/Names.h"
#include "cif/LTS/Graph.h"
#include "cif/LTS/Operations.h"
#include "cif/Semantics/PeerView.h"
#include "llvm/ADT/BitVector.h"
#include <map>

using namespace cif;
using llvm::BitVector;
using Kind = PeerView::Kind;

//===----------------------------------------------------------------------===//
// Conditions on each peer alone
//===----------------------------------------------------------------------===//

static void fail(KmcCondition &condition, const Twine &text) {
  if (!condition.holds)
    return;
  condition.holds = false;
  condition.text = text.str();
}

static void checkShape(const PeerView &machines, Kmc &result) {
  for (const PeerView::Message &m : machines.messages)
    if (m.handshake) {
      result.limit = "'" + machines.peers[m.sender].name + "' hands '" +
                     m.name + "' over to '" + machines.peers[m.receiver].name +
                     "' by handshake, which k-MC does not cover";
      return;
    }
  for (const PeerView::Peer &peer : machines.peers) {
    std::vector<bool> reached = reachable(*peer.lts);
    std::vector<uint32_t> seenAt(peer.lts->labels.size(), UINT32_MAX);
    for (StateIndex s = 0; s < peer.lts->numStates(); ++s) {
      if (!reached[s])
        continue;
      std::string where =
          "'" + peer.name + "' in state " + std::to_string(s) + " ";
      const PeerView::Message *first = nullptr;
      Kind direction = Kind::Internal;
      for (LabelIndex l : peer.lts->labelsOf(s)) {
        PeerView::Action action = peer.actions[l];
        if (action.kind == Kind::Internal) {
          fail(result.csa, where + "takes an internal step");
          fail(result.directed, where + "takes an internal step");
          result.limit =
              where + "takes an internal step, which k-MC does not cover";
          continue;
        }
        const PeerView::Message &m = machines.messages[action.message];
        if (seenAt[l] == s)
          fail(result.csa, where + "can do " +
                               labelText(machines.label(action)) +
                               " in two ways");
        seenAt[l] = s;
        if (!first) {
          first = &m;
          direction = action.kind;
        } else if (action.kind != direction) {
          fail(result.csa, where + "both sends and receives");
          fail(result.directed, where + "both sends and receives");
        } else if (m.pair != first->pair) {
          bool sends = direction == Kind::Send;
          auto partner = [&](const PeerView::Message &of) {
            return "'" + machines.peers[sends ? of.receiver : of.sender].name +
                   "'";
          };
          fail(result.directed, where + (sends ? "sends to " : "hears ") +
                                    partner(*first) + " and " + partner(m));
        }
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Conditions on the transition system with queues up to k
//===----------------------------------------------------------------------===//

namespace {
/// One set of linked peers with queues up to k.
class BoundedPeers {
public:
  /// \p all: what has all steps of each state, if \p whole leaves some out.
  BoundedPeers(const Module &from, const PeerView &of, ArrayRef<uint32_t> which,
               const Exploration &whole, uint32_t k, const Limits &withLimits,
               const System *all = nullptr)
      : module(from), machines(of), peers(which), exploration(whole),
        lts(whole.lts), bound(k), limits(withLimits), states(whole.numStates()),
        slots(whole.system->width()) {
    number();
    if (all)
      enable(*all);
    look();
  }

  void check(Kmc &result);
  /// Whether k-OBI and k-SIBI hold. If there are more states than are known,
  /// they may fail in these, too.
  bool isIndependent();
  /// Whether all conditions hold.
  bool holds();

private:
  struct LabelInfo {
    Kind kind = Kind::Internal;
    uint32_t peer = 0;    ///< whose step it is
    uint32_t message = 0; ///< in machines
  };

  void number();
  void enable(const System &all);
  void look();
  /// The labels of the steps that are possible in a state.
  ArrayRef<LabelIndex> enabledIn(StateIndex s) const {
    return enabledBegin.empty()
               ? lts.labelsOf(s)
               : ArrayRef(enabled).slice(enabledBegin[s],
                                         enabledBegin[s + 1] - enabledBegin[s]);
  }
  void checkOutputs(Kmc &result);
  void checkInputs(Kmc &result);
  struct Chains;
  void measureQueues(Chains &chains) const;
  void startChains(Chains &chains);
  void checkChains(Kmc &result);
  void checkExhaustive(Kmc &result);
  void checkSafe(Kmc &result);

  uint32_t pairOf(const LabelInfo &info) const {
    return machines.messages[info.message].pair;
  }
  /// The states from which one of \p goals is reached over transitions whose
  /// labels are let through.
  BitVector backward(const BitVector &goals,
                     function_ref<bool(const LabelInfo &)> allowed) const;
  BitVector backward(const BitVector &goals) const {
    return backward(goals, [](const LabelInfo &) { return true; });
  }
  void violate(KmcCondition &condition, StateIndex s, const Twine &text) const;
  /// The messages that peer \p p, which is in \p local, may receive from others
  /// than \p sender.
  SmallVector<uint32_t, 8> others(uint32_t p, StateIndex local,
                                  uint32_t sender) const;
  std::string name(uint32_t peer) const {
    return "'" + machines.peers[peer].name + "'";
  }
  const uint32_t *unpacked(StateIndex s) {
    exploration.store->unpack(s, vector.data());
    return vector.data();
  }

  const Module &module;
  const PeerView &machines;
  ArrayRef<uint32_t> peers;
  const Exploration &exploration;
  const Lts &lts;
  const uint32_t bound;
  const Limits &limits;
  const size_t states;
  const unsigned slots;
  std::vector<LabelInfo> labels;  ///< by label
  std::vector<uint32_t> pairs;    ///< those of these peers
  std::vector<uint32_t> pairSlot; ///< by pair: its queue's slot
  std::vector<uint32_t> vector;   ///< the slots of one state
  /// Labels by state, where the transitions are not all; or empty.
  std::vector<uint32_t> enabledBegin;
  std::vector<LabelIndex> enabled;
  LabelledPredecessors before{lts};

  // By pair: the states in which a send is possible, a reception is, a send is
  // offered and kept back by the bound, something waits.
  std::vector<BitVector> sends, receives, keptBack, waits;
  std::vector<BitVector> listens; ///< by peer: where it can only receive
};
} // namespace

void BoundedPeers::number() {
  std::map<Label, LabelInfo> known;
  pairSlot.assign(machines.numPairs, 0);
  GroupIndex group = 0; // groups are the peers' transitions, peer after peer
  BitVector mine(machines.numPairs);
  for (uint32_t p : peers) {
    const PeerView::Peer &peer = machines.peers[p];
    for (size_t t = 0; t < peer.lts->numTransitions(); ++t, ++group) {
      PeerView::Action action = peer.action(t);
      if (action.kind == Kind::Internal)
        continue;
      known[machines.label(action)] = {action.kind, p, action.message};
      uint32_t pair = machines.messages[action.message].pair;
      mine.set(pair);
      for (uint32_t slot : exploration.system->groups().writes(group))
        if (slot >= peers.size())
          pairSlot[pair] = slot;
    }
  }
  for (uint32_t pair : mine.set_bits())
    pairs.push_back(pair);
  for (const Label &label : lts.labels) {
    auto at = known.find(label);
    labels.push_back(at == known.end() ? LabelInfo() : at->second);
  }
}

/// The labels of a reduced system are those of \p all.
void BoundedPeers::enable(const System &all) {
  vector.resize(slots);
  std::vector<uint32_t> scratch(slots);
  enabledBegin.assign(1, 0);
  for (StateIndex s = 0; s < states; ++s) {
    all.changes(unpacked(s), scratch.data(),
                [&](const Step &step, ArrayRef<SlotChange>) {
                  enabled.push_back(step.label);
                  return true;
                });
    enabledBegin.push_back(enabled.size());
  }
}

void BoundedPeers::look() {
  vector.resize(slots);
  for (std::vector<BitVector> *sets : {&sends, &receives, &keptBack, &waits}) {
    sets->resize(machines.numPairs);
    for (uint32_t pair : pairs)
      (*sets)[pair].resize(states);
  }
  listens.resize(machines.peers.size());
  for (uint32_t p : peers)
    listens[p].resize(states);
  for (StateIndex s = 0; s < states; ++s) {
    for (LabelIndex l : enabledIn(s))
      if (labels[l].kind != Kind::Internal)
        (labels[l].kind == Kind::Send ? sends : receives)[pairOf(labels[l])]
            .set(s);
    const uint32_t *at = unpacked(s);
    for (uint32_t pair : pairs)
      if (at[pairSlot[pair]])
        waits[pair].set(s);
    for (size_t i = 0; i < peers.size(); ++i) {
      const PeerView::Peer &peer = machines.peers[peers[i]];
      bool maySend = false;
      for (LabelIndex l : peer.lts->labelsOf(at[i])) {
        PeerView::Action action = peer.actions[l];
        if (action.kind == Kind::Receive)
          listens[peers[i]].set(s);
        if (action.kind != Kind::Send)
          continue;
        maySend = true;
        uint32_t pair = machines.messages[action.message].pair;
        if (!sends[pair].test(s))
          keptBack[pair].set(s);
      }
      // Who can send instead does not wait.
      if (maySend)
        listens[peers[i]].reset(s);
    }
  }
}

BitVector
BoundedPeers::backward(const BitVector &goals,
                       function_ref<bool(const LabelInfo &)> allowed) const {
  BitVector letThrough(labels.size());
  for (size_t l = 0; l < labels.size(); ++l)
    letThrough[l] = allowed(labels[l]);
  Reach<StateIndex> reached(goals.size());
  for (unsigned s : goals.set_bits())
    reached.add(s);
  for (StateIndex s; reached.take(s);)
    for (uint32_t i = before.begin[s]; i < before.begin[s + 1]; ++i)
      if (letThrough.test(before.label[i]))
        reached.add(before.source[i]);
  return std::move(reached.nodes());
}

void BoundedPeers::violate(KmcCondition &condition, StateIndex s,
                           const Twine &text) const {
  fail(condition, text);
  condition.witness.emplace();
  condition.witness->kind = "trace";
  condition.witness->steps =
      witnessSteps(module, exploration, exploration.traceTo(s), true);
  if (condition.witness->steps.empty())
    condition.text += ", from the beginning";
}

bool BoundedPeers::isIndependent() {
  Kmc result;
  result.cibi.holds = false; // not looked at: it follows from k-SIBI
  checkOutputs(result);
  if (result.obi.holds)
    checkInputs(result);
  return result.obi.holds && result.sibi.holds;
}

bool BoundedPeers::holds() {
  Kmc result;
  if (!isIndependent())
    return false;
  checkExhaustive(result);
  checkSafe(result);
  return result.compatible();
}

void BoundedPeers::check(Kmc &result) {
  if (result.obi.holds)
    checkOutputs(result);
  if (result.cibi.holds || result.sibi.holds)
    checkInputs(result);
  if (result.exhaustive.holds)
    checkExhaustive(result);
  if (result.safe.holds || result.safeAnyBound.holds)
    checkSafe(result);
}

/// k-OBI: all or none of the sends of a local state are possible.
void BoundedPeers::checkOutputs(Kmc &result) {
  for (StateIndex s = 0; s < states; ++s) {
    const uint32_t *at = unpacked(s);
    for (size_t i = 0; i < peers.size(); ++i) {
      const PeerView::Peer &peer = machines.peers[peers[i]];
      std::optional<uint32_t> can, cannot;
      for (LabelIndex l : peer.lts->labelsOf(at[i]))
        if (PeerView::Action action = peer.actions[l];
            action.kind == Kind::Send) {
          const PeerView::Message &m = machines.messages[action.message];
          (sends[m.pair].test(s) ? can : cannot) = action.message;
        }
      if (!can || !cannot)
        continue;
      const PeerView::Message &sent = machines.messages[*can],
                              &kept = machines.messages[*cannot];
      violate(result.obi, s,
              "'" + peer.name + "' can send '" + sent.name + "' to " +
                  name(sent.receiver) + " but, within the bound, not '" +
                  kept.name + "' to " + name(kept.receiver));
      return;
    }
  }
}

SmallVector<uint32_t, 8> BoundedPeers::others(uint32_t p, StateIndex local,
                                              uint32_t sender) const {
  SmallVector<uint32_t, 8> found;
  const PeerView::Peer &peer = machines.peers[p];
  for (LabelIndex l : peer.lts->labelsOf(local))
    if (PeerView::Action action = peer.actions[l];
        action.kind == Kind::Receive &&
        machines.messages[action.message].sender != sender)
      found.push_back(action.message);
  return found;
}

/// k-SIBI: a peer that can receive from one peer cannot receive from another
/// one, and no other one can send what it could receive instead.
void BoundedPeers::checkInputs(Kmc &result) {
  std::map<uint32_t, BitVector> canSend; // by message
  for (StateIndex s = 0; s < states; ++s)
    for (LabelIndex l : enabledIn(s)) {
      const LabelInfo &info = labels[l];
      if (info.kind != Kind::Receive)
        continue;
      const PeerView::Message &taken = machines.messages[info.message];
      size_t slot = llvm::find(peers, info.peer) - peers.begin();
      SmallVector<uint32_t, 8> instead =
          others(info.peer, unpacked(s)[slot], taken.sender);
      for (LabelIndex other : enabledIn(s))
        if (labels[other].kind == Kind::Receive &&
            llvm::is_contained(instead, labels[other].message)) {
          const PeerView::Message &m = machines.messages[labels[other].message];
          for (KmcCondition *condition : {&result.sibi, &result.cibi})
            if (condition->holds)
              violate(*condition, s,
                      name(info.peer) + " can receive '" + taken.name +
                          "' from " + name(taken.sender) + " and '" + m.name +
                          "' from " + name(m.sender));
          return;
        }
      if (!result.sibi.holds)
        continue; // only the rule above is left to be looked at
      for (uint32_t other : instead) {
        auto [at, isNew] = canSend.try_emplace(other);
        if (isNew) {
          BitVector now(states);
          for (StateIndex t = 0; t < states; ++t)
            for (LabelIndex by : enabledIn(t))
              if (labels[by].kind == Kind::Send && labels[by].message == other)
                now.set(t);
          at->second = backward(now);
        }
        if (!at->second.test(s))
          continue;
        const PeerView::Message &m = machines.messages[other];
        violate(result.sibi, s,
                name(info.peer) + " can receive '" + taken.name + "' from " +
                    name(taken.sender) + " while " + name(m.sender) +
                    " may still send '" + m.name +
                    "', which it can receive too");
        break;
      }
    }
  if (!result.sibi.holds && result.cibi.holds)
    checkChains(result);
}

/// Runs from a reception on, with what depends on it.
struct BoundedPeers::Chains {
  /// How many messages are in each queue, by state and pair.
  std::vector<uint32_t> length;
  std::vector<uint32_t> pairIndex; ///< where a pair is among `pairs`
  /// A case: who received (and in which local state) from whom, and which
  /// queues were empty.
  ArrayPool<uint32_t> cases;
  /// A run: a state, its case, who knows, what is tainted; by the state of the
  /// first reception.
  StateSearch<StateIndex> runs;
  size_t peerWords; ///< of the bits of who knows
};

void BoundedPeers::measureQueues(Chains &chains) const {
  const size_t numPairs = pairs.size();
  chains.pairIndex.assign(machines.numPairs, 0);
  for (size_t i = 0; i < numPairs; ++i)
    chains.pairIndex[pairs[i]] = i;
  std::vector<uint32_t> &length = chains.length;
  length.assign(states * numPairs, 0);
  BitVector known(states);
  known.set(lts.initial);
  for (StateIndex s = 0; s < states; ++s)
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t) {
      StateIndex to = lts.target[t];
      if (known.test(to))
        continue;
      known.set(to);
      std::copy_n(&length[s * numPairs], numPairs, &length[to * numPairs]);
      const LabelInfo &info = labels[lts.label[t]];
      if (info.kind != Kind::Internal)
        length[to * numPairs + chains.pairIndex[pairOf(info)]] +=
            info.kind == Kind::Send ? 1 : -1;
    }
}

/// After each reception in place of which something else could be received.
void BoundedPeers::startChains(Chains &chains) {
  const size_t numPairs = pairs.size();
  std::vector<uint32_t> one, next;
  for (StateIndex s = 0; s < states; ++s)
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t) {
      const LabelInfo &info = labels[lts.label[t]];
      if (info.kind != Kind::Receive)
        continue;
      uint32_t sender = machines.messages[info.message].sender;
      size_t slot = llvm::find(peers, info.peer) - peers.begin();
      StateIndex local = unpacked(s)[slot];
      if (others(info.peer, local, sender).empty())
        continue;
      one.assign(3 + (numPairs + 31) / 32, 0);
      one[0] = info.peer;
      one[1] = local;
      one[2] = sender;
      for (size_t c = 0; c < numPairs; ++c)
        if (chains.length[s * numPairs + c] == 0)
          one[3 + c / 32] |= 1u << (c % 32);
      next.assign(2 + chains.peerWords + numPairs, 0);
      next[0] = lts.target[t];
      next[1] = chains.cases.intern(one);
      next[2 + info.peer / 32] |= 1u << (info.peer % 32);
      chains.runs.start(next, s);
    }
}

/// k-CIBI: whatever could be received instead is only sent after the
/// reception, and because of it. From each configuration after such a
/// reception, runs are followed with what depends on it: the peers that know
/// of it, and the messages that they sent (the last ones in each queue).
void BoundedPeers::checkChains(Kmc &result) {
  Chains chains;
  chains.peerWords = (machines.peers.size() + 31) / 32;
  measureQueues(chains);
  startChains(chains);
  auto &[length, pairIndex, cases, runs, peerWords] = chains;
  auto bit = [](uint32_t *words, uint32_t i) -> bool {
    return words[i / 32] >> (i % 32) & 1;
  };
  std::vector<uint32_t> one, next;
  Budget budget(limits);
  for (std::vector<uint32_t> run; runs.next(run);) {
    if (std::string met =
            budget.exceeded(states + runs.states.size(),
                            runs.bytes() + cases.bytes() + states * 16);
        !met.empty()) {
      result.limit = stoppedText(met);
      return;
    }
    const StateIndex s = run[0], received = runs.states.by(runs.current());
    one.assign(cases[run[1]].begin(), cases[run[1]].end());
    SmallVector<uint32_t, 8> instead = others(one[0], one[1], one[2]);
    if (llvm::all_of(instead, [&](uint32_t m) {
          return bit(&run[2], machines.messages[m].sender);
        }))
      continue;
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t) {
      const LabelInfo &info = labels[lts.label[t]];
      next = run;
      next[0] = lts.target[t];
      if (info.kind != Kind::Internal) {
        size_t c = pairIndex[pairOf(info)];
        uint32_t &tainted = next[2 + peerWords + c];
        bool knows = bit(&run[2], info.peer);
        if (info.kind == Kind::Send) {
          if (!knows && llvm::is_contained(instead, info.message)) {
            const PeerView::Message &m = machines.messages[info.message];
            violate(result.cibi, received,
                    name(one[0]) + " can receive from " + name(one[2]) +
                        " while " + name(m.sender) + " may send '" + m.name +
                        "', which it can receive too, without knowing of this");
            return;
          }
          tainted += knows && bit(&one[3], c);
        } else if (tainted && tainted == length[s * pairs.size() + c]) {
          --tainted;
          next[2 + info.peer / 32] |= 1u << (info.peer % 32);
        }
      }
      runs.reach(next, received);
    }
  }
}

/// k-exhaustive: each send that a peer offers becomes possible within the bound
/// without a step of that peer.
void BoundedPeers::checkExhaustive(Kmc &result) {
  StateIndex worst = states;
  uint32_t worstPair = 0;
  for (uint32_t pair : pairs) {
    if (keptBack[pair].none())
      continue;
    uint32_t sender = 0;
    for (const PeerView::Message &m : machines.messages)
      if (m.pair == pair)
        sender = m.sender;
    // The peer does not move, so that it offers the same at the end.
    BitVector fine = backward(
        sends[pair], [&](const LabelInfo &i) { return i.peer != sender; });
    BitVector bad = keptBack[pair];
    bad.reset(fine);
    if (int first = bad.find_first();
        first >= 0 && static_cast<StateIndex>(first) < worst) {
      worst = first;
      worstPair = pair;
    }
  }
  if (worst == states)
    return;
  const uint32_t *at = unpacked(worst);
  for (size_t i = 0; i < peers.size(); ++i)
    for (LabelIndex l : machines.peers[peers[i]].lts->labelsOf(at[i]))
      if (PeerView::Action action = machines.peers[peers[i]].actions[l];
          action.kind == Kind::Send &&
          machines.messages[action.message].pair == worstPair) {
        const PeerView::Message &m = machines.messages[action.message];
        violate(result.exhaustive, worst,
                name(peers[i]) + " can never send '" + m.name + "' to " +
                    name(m.receiver) + " with queues up to " + Twine(bound));
        return;
      }
}

/// k-safe: whatever waits can be received (eventual reception), and whoever
/// waits can receive something (progress).
void BoundedPeers::checkSafe(Kmc &result) {
  BitVector kept(states);
  for (uint32_t pair : pairs)
    kept |= keptBack[pair];
  BitVector bounded = backward(kept);
  StateIndex worst = states, worstAny = states;
  std::string text, textAny;
  auto look = [&](BitVector bad, const BitVector &fine,
                  function_ref<std::string()> what) {
    bad.reset(fine);
    int first = bad.find_first();
    if (first >= 0 && static_cast<StateIndex>(first) < worst) {
      worst = first;
      text = what();
    }
    bad.reset(bounded);
    first = bad.find_first();
    if (first >= 0 && static_cast<StateIndex>(first) < worstAny) {
      worstAny = first;
      textAny = what();
    }
  };
  for (uint32_t pair : pairs)
    look(waits[pair], backward(receives[pair]), [&] {
      for (const PeerView::Message &m : machines.messages)
        if (m.pair == pair)
          return "the message at the head of the queue from " + name(m.sender) +
                 " to " + name(m.receiver) + " is never received";
      return std::string();
    });
  for (uint32_t p : peers) {
    BitVector now(states);
    for (const PeerView::Message &m : machines.messages)
      if (m.receiver == p && !receives[m.pair].empty())
        now |= receives[m.pair];
    look(listens[p], backward(now),
         [&] { return name(p) + " waits but never receives anything"; });
  }
  if (worst != states && result.safe.holds)
    violate(result.safe, worst,
            text + (worstAny == worst
                        ? ""
                        : ", with queues up to " + std::to_string(bound)));
  if (worstAny != states && result.safeAnyBound.holds)
    violate(result.safeAnyBound, worstAny, textAny);
}

/// Whether fewer orders show that all conditions hold of one set of linked
/// peers; at a limit false. Nothing: errors were reported.
static std::optional<bool>
holdsReduced(const Module &module, const PeerView &machines,
             ArrayRef<uint32_t> peers, const SemanticsOptions &semantics,
             const Limits &limits, DiagnosticEngine &diags, Kmc &result) {
  constexpr unsigned mostRounds = 50;
  std::unique_ptr<PeerComposition> all =
      makePeerComposition(module, semantics, diags);
  if (!all)
    return std::nullopt;
  ReducedPeers reduced(*all, NetworkKind::FifoPair, {}, KeepsKmc::Yes);
  ExplorerOptions options{.limits = limits, .keepOrigins = true};
  for (unsigned round = 0; round < mostRounds; ++round) {
    Exploration explored = explore(reduced, options);
    if (!explored.complete)
      return false;
    if (reduced.expandIgnored(explored))
      continue;
    if (!BoundedPeers(module, machines, peers, explored, semantics.bound,
                      limits, all.get())
             .holds())
      return false;
    result.states += explored.numStates();
    result.transitions += explored.transitions;
    result.reduced = true;
    return true;
  }
  return false;
}

std::optional<Kmc> cif::checkKmc(const Module &module, uint32_t k,
                                 const Limits &limits, DiagnosticEngine &diags,
                                 uint64_t reduceFrom) {
  SemanticsOptions semantics =
      SemanticsOptions::peers(NetworkKind::FifoPair, Observation::Both, {}, k);
  std::optional<PeerView> view = makePeerView(module, semantics, diags);
  if (!view)
    return std::nullopt;
  const PeerView &machines = *view;
  Kmc result{.k = k};
  checkShape(machines, result);
  if (!result.limit.empty())
    return result;
  std::vector<std::vector<uint32_t>> sets = machines.linkedPeers();
  for (const std::vector<uint32_t> &peers : sets) {
    semantics.only.clear();
    if (sets.size() > 1)
      for (uint32_t p : peers)
        semantics.only.push_back(
            module.text(module.systems[machines.peers[p].system].name).str());
    const bool canReduce =
        result.csa.holds &&
        reduceFrom < (limits.maxStates ? limits.maxStates : UINT64_MAX);
    ExplorerOptions options{.limits = limits};
    if (canReduce)
      options.limits.maxStates = reduceFrom;
    ExploredModule explored;
    if (!canReduce || reduceFrom)
      explored = exploreModule(module, semantics, options, diags);
    if (canReduce && (!reduceFrom || (explored && !explored->complete))) {
      // Fewer orders cannot be enough if the first states show a violation.
      const bool canHold =
          !reduceFrom ||
          BoundedPeers(module, machines, peers, *explored.exploration, k,
                       limits, explored.system.get())
              .isIndependent();
      std::optional<bool> holds = false;
      if (canHold)
        holds = holdsReduced(module, machines, peers, semantics, limits, diags,
                             result);
      if (!holds)
        return std::nullopt;
      if (*holds)
        continue;
      options.limits = limits;
      explored = exploreModule(module, semantics, options, diags);
    }
    if (!explored)
      return std::nullopt;
    result.states += explored->numStates();
    result.transitions += explored->transitions;
    if (!explored->complete) {
      result.limit = explored->incompleteText();
      return result;
    }
    BoundedPeers(module, machines, peers, *explored.exploration, k, limits)
        .check(result);
    if (!result.limit.empty())
      return result;
  }
  return result;
}
