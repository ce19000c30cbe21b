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
  /// For work that only time and memory bound.
  Budget &ofRun() { return budget; }
  /// Whether spend() of ofRun() or of this came to an end.
  bool stopped() const { return !left || budget.stopped(); }

private:
  uint64_t left;
  Budget budget;
};

/// Where the branches of a split come together, and what is between. Walks take
/// from a budget and stop when it is used up.
class GraphStructure {
public:
  /// Of no use where \p budget ends meanwhile.
  GraphStructure(const IocGraph &graph, Budget &budget);

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

/// Forward data flow: asks \p visit for the start of \p g and for each node
/// before which something changed, until nothing does. It says whether anything
/// changed after the node; nothing: stop, and the result is false. \p reached
/// holds the nodes that were visited. A join waits for all branches, so that
/// too little is never taken to be known on the way round a loop.
template <class Visit>
bool flowForward(const IocGraph &g, std::vector<bool> &reached, Visit visit) {
  reached.assign(g.size(), false);
  std::vector<bool> queued(g.size(), false);
  std::vector<uint32_t> work{0}, next;
  for (; !work.empty(); std::swap(work, next)) {
    next.clear();
    for (uint32_t n : work) {
      queued[n] = false;
      if (g.kind(n) == GraphNodeKind::Join &&
          llvm::any_of(g.predecessors(n),
                       [&](uint32_t way) { return !reached[way]; }))
        continue;
      std::optional<bool> changed = visit(n);
      if (!changed)
        return false;
      if (reached[n] && !*changed)
        continue;
      reached[n] = true;
      for (uint32_t to : g.successors(n))
        if (!queued[to]) {
          queued[to] = true;
          next.push_back(to);
        }
    }
    llvm::sort(next);
  }
  return true;
}

/// Uses of one operation that may mix up.
void checkGraphCausality(const IocGraph &graph, GraphStructure &structure,
                         const ConnectednessOptions &options,
                         Connectedness &result, Steps &budget);

} // namespace cif

#endif
