//===- Reduction.h - Fewer orders of independent steps ----------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A collaboration with stubborn sets of steps: of the orders in which
/// independent steps can be taken, only some are followed. Steps of gateways
/// that nothing depends on can be fused with the step before them, and
/// instances of a participant can be exchanged. Reduction.cpp, Fusion.cpp and
/// Symmetry.cpp say what stays the same.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_REDUCTION_H
#define CIF_EXPLORE_REDUCTION_H

#include "cif/Explore/Ignored.h"
#include "cif/Explore/Symmetry.h"
#include "cif/Explore/WrappedSystem.h"
#include "cif/Semantics/CollaborationSystem.h"
#include "llvm/ADT/BitVector.h"

namespace cif {

class ReducedSystem final : public WrappedSystem<System, CollaborationSystem> {
public:
  /// \p net is that of \p of, which must outlive this. \p fuse: states that a
  /// fused step passes are left out, and with them the gateways on the way; and
  /// states that differ in which instance is which are one.
  ReducedSystem(const CollaborationSystem &of, StepNet net, bool fuse);

  /// Looks for steps that are put off for ever in \p explored, all states of
  /// this with the step of each transition. Where there are some, it makes
  /// states take all of their steps from now on; true: explore again.
  bool expandIgnored(const Exploration &explored) {
    return symmetry.any() ? whole.expandCycles(system, explored)
                          : whole.expand(system, explored);
  }

  void successors(const uint32_t *state, uint32_t *scratch,
                  StepSink sink) const override;
  void changes(const uint32_t *state, uint32_t *scratch,
               ChangeSink sink) const override;

  /// Whether any steps are fused, or instances exchanged: then a run of this is
  /// not one of the system.
  bool fuses() const { return passed.any() || symmetry.any(); }
  /// Whether instances are exchanged.
  bool exchanges() const { return symmetry.any(); }

private:
  class Closure;
  using Groups = std::vector<GroupIndex>;
  void index();
  /// \name Fusion.cpp
  /// @{
  void findPassed();
  bool isPassed(uint32_t place) const;
  void keepOneOfEachCycle();
  bool passOn(const Step &step, const uint32_t *state,
              ArrayRef<SlotChange> changed, ChangeSink sink) const;
  /// @}
  bool chooses(const uint32_t *state, uint32_t *scratch,
               std::vector<bool> &chosen) const;

  const StepNet net;
  /// \name By place
  /// @{
  std::vector<Groups> producers, consumers;
  std::vector<std::vector<uint32_t>> setsOf, joinsOf;
  std::vector<bool> observed; ///< two tokens on it must not be missed
  /// @}
  std::vector<Groups> clearers, emptyTesters, markTesters; ///< by set
  std::vector<Groups> ofJoin;                              ///< by join
  std::vector<Groups> senders, receivers;                  ///< by message
  std::vector<std::vector<uint32_t>> inQueue; ///< by queue: its messages
  Groups ofData;
  /// Places that a token leaves in the step that brings it.
  llvm::BitVector passed;
  std::vector<SmallVector<uint32_t, 2>> passedBy; ///< by group: where it puts
  InstanceSymmetry symmetry;
  ExpandedStates whole;
};

} // namespace cif

#endif
