//===- Dominators.cpp - Dominators of a graph -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [lengauer79], the simple version: depth-first numbers,
/// semidominators by path compression, then immediate dominators.
/// Differs from the paper: depth-first search and compression use stacks of
/// their own, so that depth of the input costs no stack.
///
//===----------------------------------------------------------------------===//

#include "cif/Graph/Dominators.h"
#include "cif/Support/Limits.h"
#include <numeric>

using namespace cif;

Graph Graph::fromEdges(size_t numNodes,
                       ArrayRef<std::pair<uint32_t, uint32_t>> edges) {
  Graph graph;
  graph.begin.assign(numNodes + 1, 0);
  for (auto [from, to] : edges)
    ++graph.begin[from + 1];
  std::partial_sum(graph.begin.begin(), graph.begin.end(), graph.begin.begin());
  graph.target.resize(edges.size());
  std::vector<uint32_t> next(graph.begin.begin(), graph.begin.end() - 1);
  for (auto [from, to] : edges)
    graph.target[next[from]++] = to;
  return graph;
}

namespace {
class LengauerTarjan {
public:
  LengauerTarjan(const Graph &graph, uint32_t root) : graph(graph) {
    size_t n = graph.numNodes();
    number.assign(n, noNode);
    parent.assign(n, noNode);
    search(root);
    std::vector<std::pair<uint32_t, uint32_t>> reversed;
    for (uint32_t v : vertex)
      for (uint32_t w : graph.successors(v))
        reversed.push_back({w, v});
    predecessors = Graph::fromEdges(n, reversed);
  }

  /// Takes from \p budget; where that ends, nothing is known.
  std::vector<uint32_t> run(Budget *budget) {
    size_t n = graph.numNodes();
    std::vector<uint32_t> idom(n, noNode);
    semi = number; // by depth-first number
    label.resize(n);
    std::iota(label.begin(), label.end(), 0u);
    ancestor.assign(n, noNode);
    // Buckets as linked lists: nodes whose semidominator is the key.
    std::vector<uint32_t> bucketHead(n, noNode), bucketNext(n, noNode);
    for (size_t i = vertex.size(); i-- > 1;) {
      uint32_t w = vertex[i];
      if (budget && budget->spend(1 + predecessors.successors(w).size()))
        return std::vector<uint32_t>(n, noNode);
      for (uint32_t v : predecessors.successors(w))
        semi[w] = std::min(semi[w], semi[evaluate(v)]);
      uint32_t s = vertex[semi[w]];
      bucketNext[w] = bucketHead[s];
      bucketHead[s] = w;
      uint32_t p = parent[w];
      ancestor[w] = p;
      for (uint32_t v = bucketHead[p]; v != noNode; v = bucketNext[v]) {
        uint32_t u = evaluate(v);
        idom[v] = semi[u] < semi[v] ? u : p;
      }
      bucketHead[p] = noNode;
    }
    for (size_t i = 1; i < vertex.size(); ++i) {
      uint32_t w = vertex[i];
      if (idom[w] != vertex[semi[w]])
        idom[w] = idom[idom[w]];
    }
    return idom;
  }

private:
  void search(uint32_t root) {
    std::vector<std::pair<uint32_t, uint32_t>> stack; // node, next successor
    auto visit = [&](uint32_t v, uint32_t from) {
      number[v] = static_cast<uint32_t>(vertex.size());
      vertex.push_back(v);
      parent[v] = from;
      stack.push_back({v, 0});
    };
    visit(root, noNode);
    while (!stack.empty()) {
      auto &[v, next] = stack.back();
      ArrayRef<uint32_t> successors = graph.successors(v);
      if (next == successors.size()) {
        stack.pop_back();
        continue;
      }
      uint32_t w = successors[next++];
      if (number[w] == noNode)
        visit(w, v);
    }
  }

  /// The node of least semidominator on the path of the forest above \p v.
  uint32_t evaluate(uint32_t v) {
    if (ancestor[v] == noNode)
      return v;
    path.clear();
    uint32_t u = v;
    while (ancestor[ancestor[u]] != noNode) {
      path.push_back(u);
      u = ancestor[u];
    }
    while (!path.empty()) {
      uint32_t w = path.back();
      path.pop_back();
      uint32_t a = ancestor[w];
      if (semi[label[a]] < semi[label[w]])
        label[w] = label[a];
      ancestor[w] = ancestor[a];
    }
    return label[v];
  }

  const Graph &graph;
  Graph predecessors;
  std::vector<uint32_t> number, parent, vertex, semi, label, ancestor, path;
};
} // namespace

std::vector<uint32_t> cif::immediateDominators(const Graph &graph,
                                               uint32_t root, Budget *budget) {
  return LengauerTarjan(graph, root).run(budget);
}
