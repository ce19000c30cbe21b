//===- ParallelParts.h - Parallel branches, one at a time -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_CALCULUS_PARALLELPARTS_H
#define CIF_CALCULUS_PARALLELPARTS_H

#include "cif/Calculus/IocTerm.h"

namespace cif {

/// A term `A ; ( B1 || ... || Bn ) ; Z` as the terms `A ; Bi ; Z`.
struct ParallelParts {
  std::vector<IocTerm> parts; ///< two or more, or none
  /// The steps of Z: what a run of a part shows of them is not yet a run of the
  /// whole.
  std::vector<NodeId> later;
};

/// Takes the first parallel composition in the sequence at the root of \p term
/// apart whose branches have no message in common with each other or with what
/// is before and after; branches that do share one stay together. Messages are
/// told by sender, receiver and operation. docs/algorithms.md says what follows
/// for the whole. The term has no recursion.
ParallelParts parallelParts(const IocTerm &term);

} // namespace cif

#endif
