//===- GraphConnectedness.h - Parts of connectedness of graphs ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CALCULUS_GRAPHCONNECTEDNESS_H
#define CIF_LIB_CALCULUS_GRAPHCONNECTEDNESS_H

#include "cif/Calculus/Connectedness.h"
#include "cif/Graph/Dominators.h"
#include "llvm/ADT/BitVector.h"

namespace cif {

/// How many steps are left, as the run's limits allow.
class Steps {
public:
  explicit Steps(const ConnectednessOptions &options)
      : left(options.maxSteps), budget(options.limits) {}

  explicit operator bool() const { return left != 0; }
  Steps &operator--() { return *this -= 1; }
  Steps &operator-=(uint64_t amount) {
    left = budget.spend(amount) ? 0 : left - std::min(left, amount);
    return *this;
  }
  const std::string &limit() const { return budget.limit(); }

private:
  uint64_t left;
  Budget budget;
};

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
  void region(uint32_t split, uint32_t branch, Region &found, Steps &budget);

  /// The steps that a token at \p origin can come to without a step; sorted.
  void firstSteps(uint32_t origin, std::vector<uint32_t> &found, Steps &budget);

  /// Whether each join ends the parallel branches of one fork.
  bool nested() const;

  /// Immediate ones; the postdominator of what ends is `end`.
  std::vector<uint32_t> dominator, postdominator;
  uint32_t end;

  /// Nodes of what never ends, one for each such part, count as ends.
  void addEndless(std::vector<bool> &stops);

private:
  bool passes(uint32_t origin, uint32_t join, uint32_t mine, Steps &budget);

  const IocGraph &g;
  std::vector<uint32_t> marks, closureMarks, pending;
  uint32_t mark = 0;
};

/// Uses of one operation that may mix up.
void checkGraphCausality(const IocGraph &graph, GraphStructure &structure,
                         const ConnectednessOptions &options,
                         Connectedness &result, Steps &budget);

} // namespace cif

#endif
