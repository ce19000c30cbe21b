//===- Refinement.h - Partition refinement ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EQUIVALENCE_REFINEMENT_H
#define CIF_LIB_EQUIVALENCE_REFINEMENT_H

#include "cif/Equivalence/Partition.h"
#include "cif/LTS/Operations.h"

namespace cif {

/// A transition or a pair of a signature as one number: the label above, the
/// state or class below.
constexpr uint64_t pairOf(uint32_t label, uint32_t to) {
  return uint64_t(label) << 32 | to;
}
constexpr uint64_t labelBits = ~uint64_t(0) << 32;
constexpr bool isTau(uint64_t edge) { return edge >> 32 == tauLabel; }

/// The transitions of an LTS as signatures want them, each row in ascending
/// order: silent ones come first, and a row whose labels differ stays in order
/// whatever numbers take the places of the targets.
struct SortedRows {
  ArrayRef<uint32_t> begin; ///< Lts::rowBegin
  std::unique_ptr<uint64_t[]> edges;
  uint32_t longest = 0; ///< the most transitions of a state

  explicit SortedRows(const Lts &lts, unsigned threads = 1);
  size_t numStates() const { return begin.size() - 1; }
  ArrayRef<uint64_t> of(StateIndex s) const {
    return {edges.get() + begin[s], edges.get() + begin[s + 1]};
  }
};

struct RefinementInput {
  const SortedRows &rows;
  size_t numLabels;
  /// For branching bisimulation: a permutation such that silent steps other
  /// than loops go down in rank. Empty: strong bisimulation.
  ArrayRef<uint32_t> rank;
  /// What else can be seen of a state, 0 for nothing; or empty.
  ArrayRef<uint8_t> marks;
};

/// Limits that long refinements look at, where there are some.
class Watch {
public:
  Watch() = default;
  Watch(Budget &within, std::string &text) : budget(&within), limit(&text) {}

  /// Whether a limit is met. \p sure: look at the clock in any case, as what
  /// comes next is long.
  bool met(uint64_t bytes, bool sure) {
    if (budget && (budget->due(0, bytes) || sure))
      *limit = budget->look(0, bytes);
    return budget && !limit->empty();
  }
  /// Threads to share the work on \p transitions: few are not worth it.
  unsigned threadsFor(size_t transitions) const {
    return budget && transitions >= 1 << 18 ? budget->limits.threads : 1;
  }

private:
  Budget *budget = nullptr;
  std::string *limit = nullptr;
};

/// Rows of states are mostly short, and insertion is fastest on these.
inline void sortPairs(uint64_t *first, uint64_t *last) {
  if (last - first > 24)
    return std::sort(first, last);
  for (uint64_t *next = first + 1; next < last; ++next) {
    uint64_t pair = *next, *to = next;
    for (; to > first && to[-1] > pair; --to)
      *to = to[-1];
    *to = pair;
  }
}

/// The class of each state, in no particular order; empty: a limit is reached.
std::vector<uint32_t> refine(const RefinementInput &input, uint32_t &numClasses,
                             Watch &watch);

/// The quotient by weak bisimulation of an LTS whose silent steps, loops
/// excepted, go down in \p rank; \p classOf gets the class of each state.
/// Numbering is that of Partition.
/// Nothing: a limit is reached.
std::optional<Reduction> reduceWeak(const Lts &lts, ArrayRef<uint32_t> rank,
                                    Watch &watch);

} // namespace cif

#endif
