//===- SearchTest.cpp - Searches against relaxation of all edges ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Graph/Search.h"
#include "Generated.h"
#include <gtest/gtest.h>
#include <random>

using namespace cif;

namespace {
struct Edge {
  uint32_t from, to;
  unsigned cost;
};
} // namespace

/// Costs from node 0, by going over all edges until nothing changes.
static std::vector<unsigned> leastCosts(uint32_t n, ArrayRef<Edge> edges) {
  std::vector<unsigned> costs(n, UINT32_MAX);
  costs[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Edge &e : edges)
      if (costs[e.from] != UINT32_MAX && costs[e.from] + e.cost < costs[e.to]) {
        costs[e.to] = costs[e.from] + e.cost;
        changed = true;
      }
  }
  return costs;
}

TEST(Search, FindsRunsOfLeastCost) {
  std::mt19937 random(11);
  test::Generated graphs("weighted graphs for the search", 2000);
  for (; graphs.done() < graphs.wanted(); graphs.count()) {
    uint32_t n = 1 + random() % 12;
    std::vector<Edge> edges;
    for (unsigned i = random() % (3 * n); i; --i)
      edges.push_back({static_cast<uint32_t>(random() % n),
                       static_cast<uint32_t>(random() % n),
                       static_cast<unsigned>(random() % 4)});
    std::vector<unsigned> costs = leastCosts(n, edges);
    StateSearch<Edge> search;
    search.start({0, 7});
    std::vector<bool> seen(n);
    unsigned last = 0;
    size_t steps = 0;
    for (std::vector<uint32_t> state; search.next(state);) {
      ASSERT_EQ(state.size(), 2u);
      ASSERT_EQ(state[1], 7u);
      uint32_t at = state[0];
      ASSERT_FALSE(seen[at]) << "expanded twice";
      seen[at] = true;
      // The run leads here, and costs as little as can be.
      uint32_t reached = 0;
      unsigned cost = 0;
      for (const Edge &e : search.run()) {
        ASSERT_EQ(e.from, reached);
        reached = e.to;
        cost += e.cost;
      }
      ASSERT_EQ(reached, at);
      ASSERT_EQ(cost, costs[at]);
      ASSERT_GE(cost, last) << "not in the order of costs";
      last = cost;
      for (const Edge &e : edges) {
        if (e.from != at)
          continue;
        ++steps;
        if (e.cost)
          search.reachLater(e.cost, {e.to, 7}, e);
        else
          search.reach({e.to, 7}, e);
      }
    }
    ASSERT_EQ(search.numSteps(), steps);
    for (uint32_t i = 0; i < n; ++i)
      ASSERT_EQ(seen[i], costs[i] != UINT32_MAX);
  }
}

TEST(Search, NumbersStatesAsTheyAreExpanded) {
  StateSearch<uint32_t> search;
  search.start({0});
  std::vector<uint32_t> state;
  for (uint32_t number = 0; search.next(state); ++number) {
    EXPECT_EQ(search.current(), number);
    for (uint32_t to : {2 * state[0] + 1, 2 * state[0] + 2, state[0]})
      if (to < 15)
        search.reach({to}, to);
  }
  EXPECT_EQ(search.numExpanded(), 15u);
  EXPECT_EQ(search.states.runTo(14), (std::vector<uint32_t>{2, 6, 14}));
}

TEST(Search, EndsAtALimit) {
  Limits limits;
  limits.maxStates = 10;
  Budget budget(limits);
  StateSearch<NoStep> search;
  search.start({0});
  std::vector<uint32_t> state;
  while (search.next(state, budget))
    search.reach({state[0] + 1}, {});
  EXPECT_EQ(search.limit, "--max-states=10");
  EXPECT_EQ(search.states.size(), 11u);
}

TEST(Search, LeadsBackToTheAncestorAsked) {
  auto parentOf = [](uint32_t s) { return s == 0 ? noParent : s - 1; };
  EXPECT_EQ(wayTo(3, parentOf), (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_EQ(wayTo(3, parentOf, 1), (std::vector<uint32_t>{2, 3}));
  EXPECT_TRUE(wayTo(0, parentOf).empty());
}
