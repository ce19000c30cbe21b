//===- DominatorsTest.cpp - Against the definition ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Graph/Dominators.h"
#include <gtest/gtest.h>
#include <random>

using namespace cif;

/// The nodes that the root reaches when \p without is taken away.
static std::vector<bool> reachable(const Graph &graph, uint32_t without) {
  std::vector<bool> seen(graph.numNodes(), false);
  std::vector<uint32_t> work;
  if (without != 0) {
    seen[0] = true;
    work.push_back(0);
  }
  while (!work.empty()) {
    uint32_t node = work.back();
    work.pop_back();
    for (uint32_t next : graph.successors(node))
      if (next != without && !seen[next]) {
        seen[next] = true;
        work.push_back(next);
      }
  }
  return seen;
}

TEST(Dominators, AgreeWithTheDefinition) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    uint32_t n = 1 + random() % 12;
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    for (unsigned i = random() % (3 * n); i; --i)
      edges.push_back({random() % n, random() % n});
    Graph graph = Graph::fromEdges(n, edges);
    std::vector<uint32_t> idom = immediateDominators(graph, 0);
    std::vector<bool> reached = reachable(graph, noNode);
    // d dominates v when v is lost without d.
    std::vector<std::vector<bool>> dominates;
    for (uint32_t d = 0; d < n; ++d) {
      std::vector<bool> left = reachable(graph, d);
      std::vector<bool> row(n);
      for (uint32_t v = 0; v < n; ++v)
        row[v] = reached[v] && !left[v];
      dominates.push_back(row);
    }
    for (uint32_t v = 0; v < n; ++v) {
      if (v == 0 || !reached[v]) {
        EXPECT_EQ(idom[v], noNode);
        continue;
      }
      ASSERT_NE(idom[v], noNode);
      EXPECT_TRUE(dominates[idom[v]][v] && idom[v] != v);
      for (uint32_t d = 0; d < n; ++d)
        EXPECT_TRUE(d == v || !dominates[d][v] || dominates[d][idom[v]]);
    }
  }
}

TEST(Dominators, DepthCostsNoStack) {
  constexpr uint32_t n = 1'000'000;
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (uint32_t i = 0; i + 1 < n; ++i) {
    edges.push_back({i, i + 1});
    edges.push_back({i + 1, i / 2});
  }
  std::vector<uint32_t> idom =
      immediateDominators(Graph::fromEdges(n, edges), 0);
  EXPECT_EQ(idom[n - 1], n - 2);
}
