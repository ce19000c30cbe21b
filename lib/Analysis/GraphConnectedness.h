//===- GraphConnectedness.h - Parts of connectedness of graphs ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_ANALYSIS_GRAPHCONNECTEDNESS_H
#define CIF_LIB_ANALYSIS_GRAPHCONNECTEDNESS_H

#include "cif/Analysis/Connectedness.h"
#include "cif/Analysis/Dominators.h"
#include "llvm/ADT/BitVector.h"

namespace cif {

/// Where the branches of a split come together, and what is between. Walks take
/// from a budget and stop when it is used up.
class GraphStructure {
public:
  explicit GraphStructure(const IocGraph &graph);

  /// The steps between \p split and where its branches come together, from
  /// \p branch on.
  struct Region {
    std::vector<uint32_t> steps; ///< sorted
    bool again = false;          ///< it leads back to the split
  };
  void region(uint32_t split, uint32_t branch, Region &found, uint64_t &budget);

  /// The steps that a token at \p origin can come to without a step; sorted.
  void firstSteps(uint32_t origin, std::vector<uint32_t> &found,
                  uint64_t &budget);

  /// Whether each join ends the parallel branches of one fork.
  bool nested() const;

  /// Immediate ones; the postdominator of what ends is `end`.
  std::vector<uint32_t> dominator, postdominator;
  uint32_t end;

  /// Nodes of what never ends, one for each such part, count as ends.
  void addEndless(std::vector<bool> &stops);

private:
  bool passes(uint32_t origin, uint32_t join, uint32_t mine, uint64_t &budget);

  const IocGraph &g;
  std::vector<uint32_t> marks, closureMarks, pending;
  uint32_t mark = 0;
};

/// Uses of one operation that may mix up.
void checkGraphCausality(const IocGraph &graph, GraphStructure &structure,
                         const ConnectednessOptions &options,
                         Connectedness &result, uint64_t &budget);

} // namespace cif

#endif
