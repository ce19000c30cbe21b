//===- ParallelParts.h - Parallel branches, one at a time -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_CALCULUS_PARALLELPARTS_H
#define CIF_CALCULUS_PARALLELPARTS_H

#include "cif/IR/Term.h"
#include "cif/Support/Limits.h"
#include "llvm/ADT/BitVector.h"

namespace cif {

/// A term `A ; ( B1 || ... || Bn ) ; Z` as the terms `A ; Bi ; Z`.
struct ParallelParts {
  struct Part {
    Term term;
    /// How many children of the sequence at the root stand where the parallel
    /// composition stood.
    size_t width = 1;
    /// A shortest run of the branches that are left out; nothing: they never
    /// end.
    std::optional<std::vector<NodeId>> others;
    /// The steps of Z that somebody takes part in who is in a branch that is
    /// left out, or all if one of those never ends: a run of the part with one
    /// of them is not yet one of the whole.
    std::vector<NodeId> later;
  };
  std::vector<Part> parts; ///< two or more, or none
  /// Where the parallel composition is in the sequence at the root.
  size_t at = 0;
};

/// Takes the first parallel composition in the sequence at the root of \p term
/// apart whose branches have no message in common with each other or with what
/// is before and after; branches that do share one stay together, and so do all
/// without a step of \p suspect (by subterm), if others have one. Messages are
/// told by sender, receiver and operation. docs/algorithms.md says what follows
/// for the whole. The term has no recursion. None, if \p budget is spent, or if
/// the parts would be large and many.
ParallelParts parallelParts(const Term &term, const std::vector<bool> &suspect,
                            Budget &budget);

/// \p term without the subterms in \p drop, which have siblings that stay. A
/// sequence or split that has one child left is that child. The term has no
/// recursion.
Term termWithout(const Term &term, std::vector<bool> drop);

/// Shortest runs of the parts of a term, which must outlive this. Guards are
/// free; the term has no recursion.
class ShortestRuns {
public:
  explicit ShortestRuns(const Term &term);
  /// The steps of a shortest run of \p part to its end, silent ones left out;
  /// nothing: there is none.
  std::optional<std::vector<NodeId>> of(TermId part) const;
  /// Appends that run to \p run; false: there is none.
  bool append(TermId part, std::vector<NodeId> &run) const;

private:
  static constexpr uint64_t never = UINT64_MAX;
  TermId best(const TermNode &choice) const;

  const Term &term;
  std::vector<uint64_t> length; ///< by node; never: it has no end
};

/// The children of the sequence at the root of \p term; else the root.
SmallVector<TermId, 8> rootSequence(const Term &term);
/// \p term from child \p begin of the sequence at its root on; nothing: what is
/// before it uses a message of what is left.
std::optional<Term> restOfSequence(const Term &term, size_t begin);

/// For each child of the sequence at the root: who may do nothing from there on
/// before it sends; a superset, by role. Empty: that would be too much.
std::vector<llvm::BitVector> firstSenders(const Term &term);
/// The first \p begin children of the sequence at the root of \p term, and then
/// a message from each of \p senders to a role of its own, in any order. If
/// this is sender-connected, so that none of them can begin early, only the
/// rest has to be searched (docs/algorithms.md, "In parts").
Term startOfSequence(const Term &term, size_t begin,
                     ArrayRef<uint32_t> senders);

} // namespace cif

#endif
