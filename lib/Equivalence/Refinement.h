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

struct RefinementInput {
  const Lts &lts;
  /// For branching bisimulation: a permutation such that silent steps other
  /// than loops go down in rank. Empty: strong bisimulation.
  ArrayRef<uint32_t> rank;
  const Predecessors *tauPredecessors = nullptr; ///< for branching
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

private:
  Budget *budget = nullptr;
  std::string *limit = nullptr;
};

/// Rows of states are mostly short, and insertion is fastest on these.
inline void sortUnique(SmallVectorImpl<uint64_t> &pairs) {
  if (pairs.size() <= 24) {
    for (size_t i = 1; i < pairs.size(); ++i) {
      uint64_t pair = pairs[i];
      size_t j = i;
      for (; j > 0 && pairs[j - 1] > pair; --j)
        pairs[j] = pairs[j - 1];
      pairs[j] = pair;
    }
  } else {
    std::sort(pairs.begin(), pairs.end());
  }
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
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
