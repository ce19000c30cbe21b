//===- Reduction.h - Fewer orders of independent steps ----------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A collaboration with stubborn sets of steps: of the orders in which
/// independent steps can be taken, only some are followed. Reduction.cpp says
/// what stays the same.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_REDUCTION_H
#define CIF_EXPLORE_REDUCTION_H

#include "cif/Explore/Ignored.h"
#include "cif/Explore/WrappedSystem.h"
#include "cif/Semantics/CollaborationSystem.h"

namespace cif {

class ReducedSystem final : public WrappedSystem<System, CollaborationSystem> {
public:
  /// \p net is that of \p of, which must outlive this.
  ReducedSystem(const CollaborationSystem &of, StepNet net);

  /// Looks for steps that are put off for ever in \p explored, all states of
  /// this with the step of each transition. Where there are some, it makes
  /// states take all of their steps from now on; true: explore again.
  bool expandIgnored(const Exploration &explored) {
    return whole.expand(system, explored);
  }

  void successors(const uint32_t *state, uint32_t *scratch,
                  StepSink sink) const override;
  void changes(const uint32_t *state, uint32_t *scratch,
               ChangeSink sink) const override;

private:
  class Closure;
  using Groups = std::vector<GroupIndex>;
  void index();
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
  ExpandedStates whole;
};

} // namespace cif

#endif
