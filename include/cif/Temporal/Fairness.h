//===- Fairness.h - Fair cycles -----------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Looks for a run that goes on for ever, is fair, and meets a bad state again
/// and again. Fairness is a list of conditions on sets of transitions:
///
///   weak:   a set that is enabled from some point on is taken again and again;
///   strong: a set that is enabled again and again is taken again and again.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEMPORAL_FAIRNESS_H
#define CIF_TEMPORAL_FAIRNESS_H

#include "cif/LTS/Graph.h"
#include "cif/Support/Limits.h"
#include <functional>

namespace cif {

/// One condition. A set is enabled in a state when \p enabled says so, and
/// taken by a transition (by index) when \p taken says so. Both may look at
/// more than the LTS: a step that a bound forbids can count as enabled.
struct FairnessSet {
  bool strong = false;
  std::function<bool(StateIndex)> enabled;
  std::function<bool(uint32_t)> taken;
};

/// The set of the transitions with a label.
FairnessSet fairLabel(const Lts &lts, LabelIndex label, bool strong);

/// A run: \p stem from the initial state, then \p cycle for ever.
struct Lasso {
  std::vector<uint32_t> stem, cycle; ///< transitions
};

/// A fair run from the initial state whose cycle has a state for which \p bad
/// holds, or nothing when there is none. Runs that end are not looked at. Once
/// \p budget is used up, nothing is said.
std::optional<Lasso> findFairCycle(const Lts &lts,
                                   ArrayRef<FairnessSet> fairness,
                                   function_ref<bool(StateIndex)> bad,
                                   Budget &budget);

} // namespace cif

#endif
