//===- Dominators.h - Dominators of a graph -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_GRAPH_DOMINATORS_H
#define CIF_GRAPH_DOMINATORS_H

#include "cif/Support/LLVM.h"
#include <vector>

namespace cif {

class Budget;

/// A directed graph in CSR form.
struct Graph {
  std::vector<uint32_t> begin; ///< numNodes + 1
  std::vector<uint32_t> target;

  size_t numNodes() const { return begin.size() - 1; }
  ArrayRef<uint32_t> successors(uint32_t node) const {
    return ArrayRef(target).slice(begin[node], begin[node + 1] - begin[node]);
  }
  /// The graph with these edges, whose ends are below \p numNodes; the order of
  /// edges with the same source is kept. O(n + m).
  static Graph fromEdges(size_t numNodes,
                         ArrayRef<std::pair<uint32_t, uint32_t>> edges);
};

constexpr uint32_t noNode = 0xffffffffu;

/// The immediate dominator of each node from \p root; noNode for the root and
/// for what it does not reach. O(m log n), without recursion. Where \p budget
/// ends before it does, noNode for all.
/// Implements: [lengauer79], the simple version.
std::vector<uint32_t> immediateDominators(const Graph &graph, uint32_t root,
                                          Budget *budget = nullptr);

} // namespace cif

#endif
