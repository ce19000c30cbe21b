//===- Components.h - Strongly connected components of a graph ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Strongly connected components of any graph, by Tarjan's algorithm with a
/// stack of its own. Implements: [tarjan1972].
///
//===----------------------------------------------------------------------===//

#ifndef CIF_GRAPH_COMPONENTS_H
#define CIF_GRAPH_COMPONENTS_H

#include "cif/Support/LLVM.h"
#include <vector>

namespace cif {

/// Strongly connected components, numbered so that edges between different
/// ones go to the lower number. When all are single nodes, `of` is a
/// permutation that sorts the nodes topologically, last ones first.
struct Components {
  std::vector<uint32_t> of; ///< of each node; UINT32_MAX: not visited
  uint32_t count = 0;
};

/// A search for components from one node after the other. What one call has
/// visited the next ones leave out.
class ComponentSearch {
public:
  explicit ComponentSearch(size_t numNodes = 0) : low(numNodes) {}

  /// Graphs may grow between calls of visit, and while \p found is called.
  void grow(size_t numNodes) { low.resize(numNodes); }

  /// Visits what \p root reaches, unless it has been visited. The edges of a
  /// node are those from \p begin(node) up to \p end(node), and
  /// \p target(node, edge) is where one leads; UINT32_MAX: it does not count.
  /// Calls \p found with the nodes of each component, those that it leads to
  /// before it; its first node is the one where the search entered it.
  template <class Begin, class End, class Target, class Found>
  void visit(uint32_t root, Begin begin, End end, Target target, Found found) {
    if (low[root])
      return;
    enter(root, begin(root));
    while (!frames.empty()) {
      Frame &frame = frames.back();
      const uint32_t node = frame.node, last = end(node);
      uint32_t e = frame.edge, least = low[node], next = none;
      for (; e < last; ++e) {
        uint32_t to = target(node, e);
        if (to == none)
          continue;
        if (!low[to]) {
          next = to;
          break;
        }
        if (low[to] < least) // never one whose component is known
          least = low[to];
      }
      low[node] = least;
      if (next != none) {
        frame.edge = e; // looked at once more on return, for its low link
        enter(next, begin(next));
        continue;
      }
      if (least == frame.time) {
        size_t first = open.size() - 1;
        while (open[first] != node)
          --first;
        for (size_t i = first; i < open.size(); ++i)
          low[open[i]] = closed;
        found(ArrayRef(open).drop_front(first));
        open.resize(first);
      }
      frames.pop_back();
    }
    time = 0;
  }

private:
  static constexpr uint32_t none = ~0u, closed = ~0u;
  struct Frame {
    uint32_t node, edge, time;
  };
  void enter(uint32_t node, uint32_t edge) {
    low[node] = ++time;
    frames.push_back({node, edge, time});
    open.push_back(node);
  }

  /// The least time of entry that is known to be reached and still open;
  /// 0: not visited; closed: in a component.
  std::vector<uint32_t> low;
  std::vector<Frame> frames;
  std::vector<uint32_t> open; ///< visited, and in no component yet
  uint32_t time = 0;
};

/// The components of the nodes for which \p inside holds, with edges as in
/// ComponentSearch::visit. Edges to other nodes are left out.
template <class Inside, class Begin, class End, class Target>
Components componentsOf(size_t numNodes, Inside inside, Begin begin, End end,
                        Target target) {
  Components result;
  result.of.assign(numNodes, ~0u);
  ComponentSearch search(numNodes);
  auto within = [&](uint32_t node, uint32_t edge) {
    uint32_t to = target(node, edge);
    return to != ~0u && inside(to) ? to : ~0u;
  };
  for (uint32_t root = 0; root < numNodes; ++root)
    if (inside(root))
      search.visit(root, begin, end, within, [&](ArrayRef<uint32_t> members) {
        for (uint32_t member : members)
          result.of[member] = result.count;
        ++result.count;
      });
  return result;
}

} // namespace cif

#endif
