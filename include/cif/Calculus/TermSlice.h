//===- TermSlice.h - The part of a term around some of its steps ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A small part of a large choreography whose flaws are flaws of the whole:
/// where to look first if a condition is not met in one place. See
/// docs/algorithms.md, "Slices".
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CALCULUS_TERMSLICE_H
#define CIF_CALCULUS_TERMSLICE_H

#include "cif/Calculus/ParallelParts.h"

namespace cif {

struct TermSlice {
  Term term;
  /// The steps of a run of the whole after which the slice can begin, as nodes
  /// of the behaviour. None of them is in the slice.
  std::vector<NodeId> before;
};

/// Takes slices of one term, which must outlive this and has no recursion.
class TermSlicer {
public:
  explicit TermSlicer(const Term &term);
  /// The least slice with \p steps: no message of it is used elsewhere.
  /// Nothing: that is the whole term, or more than \p most steps, or what
  /// precedes it never ends.
  std::optional<TermSlice> around(ArrayRef<TermId> steps, size_t most) const;
  /// The parent of each subterm; of the root, nothing.
  const std::vector<TermId> &parents() const { return parentOf; }

private:
  const Term &term;
  ShortestRuns runs;
  std::vector<TermId> parentOf;
  std::vector<SmallVector<uint32_t, 2>> uses; ///< of each message
  std::vector<uint32_t> message;              ///< of each Action
};

} // namespace cif

#endif
