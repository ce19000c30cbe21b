//===- PeerReduction.h - Fewer orders of independent steps ------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A composition of peers in which only some peers step in each state: of the
/// orders of independent steps, only some are followed. PeerReduction.cpp says
/// what stays the same.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_PEERREDUCTION_H
#define CIF_EXPLORE_PEERREDUCTION_H

#include "cif/Explore/Ignored.h"
#include "cif/Explore/WrappedSystem.h"
#include "cif/Semantics/PeerView.h"

namespace cif {

/// Whether ReducedPeers knows which steps are independent under \p network. It
/// does so only for queues without a bound, except for k-MC.
bool canReducePeers(NetworkKind network);

/// Which conditions of [lange19] a reduction preserves beside what all do.
enum class KeepsKmc : bool { No, Yes };

class ReducedPeers final : public WrappedSystem<PeerComposition> {
public:
  /// \p of has unbounded queues under \p network and outlives this. Of the
  /// \p visible labels of \p of, the orders stay. If \p kmc, the queues are of
  /// pairs and may have a bound, no peer both sends and receives in a state,
  /// and the conditions of k-MC stay as PeerReduction.cpp says.
  ReducedPeers(const PeerComposition &of, NetworkKind network,
               std::vector<bool> visible = {}, KeepsKmc kmc = KeepsKmc::No);

  /// Looks for steps that are put off for ever in \p explored, all states of
  /// this with the step of each transition. Where there are some, it makes
  /// states take all of their steps from now on; true: explore again.
  bool expandIgnored(const Exploration &explored) {
    return whole.expand(system, explored);
  }
  /// The same for steps that are put off on a cycle.
  bool expandCycles(const Exploration &explored) {
    return whole.expandCycles(system, explored);
  }

  void successors(const uint32_t *state, uint32_t *scratch,
                  StepSink sink) const override;
  void changes(const uint32_t *state, uint32_t *scratch,
               ChangeSink sink) const override;
  void inTransit(const uint32_t *state,
                 MutableArrayRef<uint32_t> counts) const override {
    system.inTransit(state, counts);
  }
  std::string transitText(const uint32_t *state) const override {
    return system.transitText(state);
  }
  uint32_t heldUpBy(const uint32_t *state, uint32_t message) const override {
    return system.heldUpBy(state, message);
  }
  bool sendWaits(uint32_t message) const override {
    return system.sendWaits(message);
  }
  bool asksAll(const uint32_t *state) const override;

private:
  class Closure;
  void findFutures();
  void findChoices();
  /// Whether \p peer, which is in \p local, may send or receive \p message now
  /// or later.
  bool may(uint32_t peer, StateIndex local, uint32_t message) const {
    const std::vector<bool> &table = future[peer];
    return table.empty() || table[size_t(local) * numMessages[peer] +
                                  (view().messages[message].sender == peer
                                       ? ordinalOfSender[message]
                                       : ordinalOfReceiver[message])];
  }
  bool chooses(const uint32_t *state, uint32_t *scratch,
               std::vector<bool> &chosen) const;

  bool isVisible(LabelIndex label) const {
    return !visible.empty() && visible[label];
  }

  const NetworkKind kind;
  const std::vector<bool> visible; ///< by label; empty: none
  const KeepsKmc keepsKmc;
  /// \name For k-MC, by peer and local state
  /// Whether the peer may come to where it sends to two others, or receives
  /// from two.
  /// @{
  std::vector<std::vector<bool>> sendsToTwo, hearsTwo;
  /// @}
  std::vector<uint32_t> peerOfGroup;
  /// By message: its number among those of its sender, and of its receiver.
  std::vector<uint32_t> ordinalOfSender, ordinalOfReceiver;
  std::vector<uint32_t> numMessages; ///< by peer
  /// By peer: of each local state and message; empty: not known.
  std::vector<std::vector<bool>> future;
  /// By peer: the messages that others put where it reads; under fifo-all all
  /// of them are with the first.
  std::vector<std::vector<uint32_t>> intoQueue;
  ExpandedStates whole;
};

/// Explores \p reduced, which has visible labels, until no step is put off on a
/// cycle: then each maximal run has one with the same visible steps. Nothing: a
/// limit was met, or that did not come about.
std::optional<Exploration> exploreVisibleOrders(ReducedPeers &reduced,
                                                ExplorerOptions options);

} // namespace cif

#endif
