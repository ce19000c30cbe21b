//===- FairRuns.h - Fair runs by classes of steps ---------------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_COLLABORATION_FAIRRUNS_H
#define CIF_LIB_CHECK_COLLABORATION_FAIRRUNS_H

#include "cif/Semantics/System.h"
#include "cif/Temporal/Fairness.h"
#include "llvm/ADT/DenseMap.h"

namespace cif {

/// Fairness of static steps. A class is enabled in a state when a step of one
/// of its groups leads from it to another state: a step that changes nothing
/// counts for nothing.
struct FairClasses {
  std::vector<bool> strong;                      ///< by class; else weak
  std::vector<SmallVector<uint32_t, 2>> ofGroup; ///< by group: its classes
  /// By transition: classes beyond those of its groups, where there are any.
  llvm::DenseMap<uint32_t, SmallVector<uint32_t, 2>> ofTransition;
  /// By state: classes with a step that only a constraint forbids. Empty: none.
  std::vector<SmallVector<uint32_t, 2>> forbidden;
};

/// A fair run for ever with a state again and again for which \p bad holds, or
/// nothing. Only states whose steps are \p known are on its cycle. The stem is
/// a shortest way to the cycle's first state. Once \p budget is used up,
/// nothing is said.
std::optional<Lasso> findFairRun(const Lts &lts, ArrayRef<Step> steps,
                                 function_ref<bool(StateIndex)> known,
                                 const FairClasses &fairness,
                                 function_ref<bool(StateIndex)> bad,
                                 Budget &budget);

} // namespace cif

#endif
