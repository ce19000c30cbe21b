//===- PeerReduction.cpp - Fewer orders of independent steps --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [valmari1991], strong stubborn sets, for communicating automata
/// with unbounded queues.
///
/// In each state a set S of peers is determined, and only their steps are
/// taken. Let T be the local transitions of the peers in S. For each peer of S,
///  - if it waits for a message that is behind another one, the receiver of the
///    other one is in S; if the message is not in transit, its sender is in S,
///    unless it can never send the message again;
///  - if it sends into a queue that other peers send into too, these are in S,
///  unless they can never do so again;
///  - its partners in handshakes are in S, unless they can never take part.
/// So, as long as S does not move, no other step enables or disables a step of
/// T: every peer that could is in S. And a step of T can be taken before the
/// others as well as after them: one that sends appends to a queue that only S
/// appends to, and if that queue is empty nobody takes from it in between; one
/// that receives takes a head that nobody else takes.
///
/// What is preserved if the reduced system is finite:
///  - the states without steps, with shortest runs to them: a run to one has a
///    transition of T, as those stay enabled otherwise. The first one can be
///    taken first; the rest follows by induction;
///  - the states in which all peers are done, with shortest runs: S has a peer
///    that is not done, which has to move, and whose next step is in T. If all
///    are done, all steps are taken. If a peer that is not done can never move
///    again, no such state follows;
///  - whether a peer can come to be stuck before messages that it cannot
///    receive (it stays so), and how often a message can still be received: for
///    each run there is one of the reduced system with all of its transitions
///    and perhaps more. If T has no transition of the run, its steps can be put
///    before the run. This terminates if no step is postponed for ever: in a
///    component that no transition leaves, each transition that is enabled in
///    some state is taken in some state. expandIgnored ensures this
///    [valmari2017];
///  - that no run is infinite;
///  - if there are visible labels, the properties that depend only on the order
///    of visible steps. Then no step of T shows one, unless all steps are
///    taken, and each cycle of the reduced system has a state in which all
///    steps are taken (expandCycles) [peled1996]. For a run, its first
///    transition of T can be taken first, and an enabled one of T if it has
///    none: neither changes the order of visible steps. No step of the run is
///    postponed for ever, because the reduced system is finite. So for each
///    maximal run there is one with the same visible steps, which ends where
///    all peers are done if the first does, by the above.
///
/// For k-MC [lange19], queues of pairs have a bound. Then a send into a full
/// queue is disabled, and the receiver is in S; a send and a reception that are
/// both enabled commute as before. docs/algorithms.md shows that the conditions
/// are preserved if, in addition,
///  - S has the sender of what a peer of S can receive now, if the sender may
///    come to a state in which it sends to two others;
///  - S has the receiver of what a peer of S can send now, if the receiver may
///    come to a state in which it receives from two others.
///
//===----------------------------------------------------------------------===//

#include "cif/Explore/PeerReduction.h"
#include "cif/LTS/Graph.h"
#include "cif/LTS/Operations.h"

using namespace cif;
using Kind = PeerView::Kind;

bool cif::canReducePeers(NetworkKind network) {
  switch (network) {
  case NetworkKind::Sync:
  case NetworkKind::Bag:
  case NetworkKind::FifoPair:
  case NetworkKind::Inbox:
  case NetworkKind::Outbox:
  case NetworkKind::FifoAll:
    return true;
  case NetworkKind::Causal: // what a message waits for is no queue
  case NetworkKind::Rsc:    // all sends compete
  default:                  // nothing is proved above
    return false;
  }
}

ReducedPeers::ReducedPeers(const PeerComposition &of, NetworkKind network,
                           std::vector<bool> visible, KeepsKmc kmc)
    : WrappedSystem(of), kind(network), visible(std::move(visible)),
      keepsKmc(kmc) {
  peerView = of.view();
  const PeerView &peers = view();
  for (uint32_t p = 0; p < peers.peers.size(); ++p)
    peerOfGroup.resize(peerOfGroup.size() + peers.peers[p].lts->label.size(),
                       p);
  numMessages.resize(peers.peers.size());
  intoQueue.resize(peers.peers.size());
  for (uint32_t m = 0; m < peers.messages.size(); ++m) {
    const PeerView::Message &message = peers.messages[m];
    ordinalOfSender.push_back(numMessages[message.sender]++);
    ordinalOfReceiver.push_back(message.sender == message.receiver
                                    ? ordinalOfSender.back()
                                    : numMessages[message.receiver]++);
    if (message.handshake)
      continue;
    if (kind == NetworkKind::Inbox)
      intoQueue[message.receiver].push_back(m);
    else if (kind == NetworkKind::FifoAll)
      intoQueue[0].push_back(m);
  }
  findFutures();
  if (keepsKmc == KeepsKmc::Yes)
    findChoices();
}

/// Backwards from the transitions with each message.
void ReducedPeers::findFutures() {
  constexpr uint64_t mostBits = uint64_t(1) << 28;
  const PeerView &peers = view();
  future.resize(peers.peers.size());
  uint64_t bits = 0;
  for (uint32_t p = 0; p < peers.peers.size(); ++p) {
    const PeerView::Peer &peer = peers.peers[p];
    const Lts &lts = *peer.lts;
    bits += uint64_t(lts.numStates()) * numMessages[p];
    if (bits > mostBits)
      return;
    std::vector<bool> &table = future[p];
    table.resize(size_t(lts.numStates()) * numMessages[p]);
    if (table.empty())
      table.resize(1); // nothing is asked of it
    LabelledPredecessors before(lts);
    std::vector<std::pair<StateIndex, uint32_t>> work;
    auto reach = [&](StateIndex s, uint32_t ordinal) {
      std::vector<bool>::reference seen =
          table[size_t(s) * numMessages[p] + ordinal];
      if (!seen)
        work.push_back({s, ordinal});
      seen = true;
    };
    for (StateIndex s = 0; s < lts.numStates(); ++s)
      for (LabelIndex l : lts.labelsOf(s))
        if (peer.actions[l].kind != Kind::Internal) {
          uint32_t m = peer.actions[l].message;
          reach(s, peers.messages[m].sender == p ? ordinalOfSender[m]
                                                 : ordinalOfReceiver[m]);
        }
    while (!work.empty()) {
      auto [s, ordinal] = work.back();
      work.pop_back();
      for (uint32_t i = before.begin[s]; i < before.begin[s + 1]; ++i)
        reach(before.source[i], ordinal);
    }
  }
}

/// Backwards from the states with two partners in one direction.
void ReducedPeers::findChoices() {
  const PeerView &peers = view();
  auto find = [&](const PeerView::Peer &peer, Kind direction) {
    const Lts &lts = *peer.lts;
    std::vector<bool> found(lts.numStates());
    std::vector<StateIndex> work;
    auto reach = [&](StateIndex s) {
      if (!found[s])
        work.push_back(s);
      found[s] = true;
    };
    for (StateIndex s = 0; s < lts.numStates(); ++s) {
      std::optional<uint32_t> pair;
      for (LabelIndex l : lts.labelsOf(s))
        if (PeerView::Action action = peer.actions[l];
            action.kind == direction) {
          const uint32_t own = peers.messages[action.message].pair;
          if (pair.value_or(own) != own)
            reach(s);
          pair = own;
        }
    }
    LabelledPredecessors before(lts);
    while (!work.empty()) {
      StateIndex s = work.back();
      work.pop_back();
      for (uint32_t i = before.begin[s]; i < before.begin[s + 1]; ++i)
        reach(before.source[i]);
    }
    return found;
  };
  for (const PeerView::Peer &peer : peers.peers) {
    sendsToTwo.push_back(find(peer, Kind::Send));
    hearsTwo.push_back(find(peer, Kind::Receive));
  }
}

/// The peers that have to be looked at together with one of them.
class ReducedPeers::Closure {
public:
  Closure(const ReducedPeers &of, const uint32_t *in,
          const std::vector<bool> &enabledGroups,
          const std::vector<bool> &visibleGroups)
      : r(of), state(in), enabled(enabledGroups), shown(visibleGroups),
        member(of.view().peers.size()) {}

  void grow(uint32_t seed) {
    member.assign(member.size(), false);
    numEnabled = 0;
    isVisible = false;
    add(seed);
    while (!work.empty())
      look(work.pop_back_val());
  }

  size_t numEnabled = 0;
  bool isVisible = false; ///< one of these steps is
  const std::vector<bool> &members() const { return member; }

private:
  void add(uint32_t p) {
    if (!member[p])
      work.push_back(p);
    member[p] = true;
  }
  void addIfItMay(uint32_t p, uint32_t message) {
    if (!member[p] && r.may(p, state[p], message))
      add(p);
  }
  void look(uint32_t p);
  /// A local transition with \p m, which can be taken now if \p can.
  void lookForKmc(const PeerView::Message &m, bool sends, bool can) {
    if (sends ? !can || r.hearsTwo[m.receiver][state[m.receiver]]
              : can && r.sendsToTwo[m.sender][state[m.sender]])
      add(sends ? m.receiver : m.sender);
  }

  const ReducedPeers &r;
  const uint32_t *state;
  const std::vector<bool> &enabled, &shown; ///< by group
  std::vector<bool> member;
  SmallVector<uint32_t, 32> work;
};

void ReducedPeers::Closure::look(uint32_t p) {
  const PeerView &peers = r.view();
  const PeerView::Peer &peer = peers.peers[p];
  for (uint32_t t = peer.lts->rowBegin[state[p]];
       t < peer.lts->rowBegin[state[p] + 1]; ++t) {
    PeerView::Action action = peer.action(t);
    const bool can = enabled[peer.firstGroup + t];
    numEnabled += can;
    isVisible |= shown[peer.firstGroup + t];
    if (action.kind == Kind::Internal)
      continue;
    const PeerView::Message &m = peers.messages[action.message];
    const bool sends = action.kind == Kind::Send;
    if (r.keepsKmc == KeepsKmc::Yes)
      lookForKmc(m, sends, can);
    if (r.kind == NetworkKind::Sync || m.handshake) {
      addIfItMay(sends ? m.receiver : m.sender, action.message);
    } else if (sends) {
      for (uint32_t other :
           r.intoQueue[r.kind == NetworkKind::FifoAll ? 0 : m.receiver])
        addIfItMay(peers.messages[other].sender, other);
    } else if (!can) {
      uint32_t first = r.system.heldUpBy(state, action.message);
      if (first == UINT32_MAX)
        addIfItMay(m.sender, action.message);
      else
        add(peers.messages[first].receiver);
    }
  }
}

/// Which peers are to step; false: all of them.
bool ReducedPeers::chooses(const uint32_t *state, uint32_t *scratch,
                           std::vector<bool> &chosen) const {
  const size_t numPeers = view().peers.size();
  std::vector<bool> enabled(peerOfGroup.size()), shown(peerOfGroup.size()),
      steps(numPeers), sends(numPeers);
  size_t all = 0;
  system.changes(state, scratch, [&](const Step &step, ArrayRef<SlotChange>) {
    ++all;
    enabled[step.group] = true;
    if (isVisible(step.label))
      shown[step.group] = true;
    uint32_t p = peerOfGroup[step.group];
    steps[p] = true;
    const PeerView::Peer &peer = view().peers[p];
    if (peer.action(step.group - peer.firstGroup).kind == Kind::Send)
      sends[p] = true;
    return true;
  });
  if (all < 2 || whole.contains(state, numSlots))
    return false;
  // Peers that are not done come first: one of them has to be there, unless
  // one can never move again.
  Closure closure(*this, state, enabled, shown);
  size_t fewest = SIZE_MAX;
  bool anyLeft = false, endIsOut = false;
  auto look = [&](uint32_t p) {
    closure.grow(p);
    if (closure.numEnabled && !closure.isVisible &&
        closure.numEnabled < fewest) {
      fewest = closure.numEnabled;
      chosen = closure.members();
    }
  };
  // Who receives comes before who sends: what is taken does not pile up.
  for (bool sending : {false, true})
    for (uint32_t p = 0; p < numPeers && fewest > 1; ++p)
      if (sends[p] == sending && !view().peers[p].isDone(state[p])) {
        anyLeft = true;
        look(p);
        endIsOut |= closure.numEnabled == 0;
      }
  for (uint32_t p = 0; endIsOut && p < numPeers && fewest > 1; ++p)
    if (view().peers[p].isDone(state[p]) && steps[p])
      look(p);
  return anyLeft && fewest < all;
}

void ReducedPeers::successors(const uint32_t *state, uint32_t *scratch,
                              StepSink sink) const {
  std::vector<bool> chosen;
  const bool some = chooses(state, scratch, chosen);
  system.successors(state, scratch, [&](const Step &step, const uint32_t *to) {
    return (some && !chosen[peerOfGroup[step.group]]) || sink(step, to);
  });
}

void ReducedPeers::changes(const uint32_t *state, uint32_t *scratch,
                           ChangeSink sink) const {
  std::vector<bool> chosen;
  const bool some = chooses(state, scratch, chosen);
  system.changes(state, scratch,
                 [&](const Step &step, ArrayRef<SlotChange> changed) {
                   return (some && !chosen[peerOfGroup[step.group]]) ||
                          sink(step, changed);
                 });
}

bool ReducedPeers::asksAll(const uint32_t *state) const {
  std::vector<bool> chosen;
  std::vector<uint32_t> scratch(numSlots);
  return !chooses(state, scratch.data(), chosen);
}

std::optional<Exploration> cif::exploreVisibleOrders(ReducedPeers &reduced,
                                                     ExplorerOptions options) {
  constexpr unsigned mostRounds = 20;
  options.keepOrigins = true;
  for (unsigned round = 0; round < mostRounds; ++round) {
    Exploration explored = explore(reduced, options);
    if (!explored.complete)
      return std::nullopt;
    if (!reduced.expandCycles(explored))
      return explored;
  }
  return std::nullopt;
}
