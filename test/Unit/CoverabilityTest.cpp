//===- CoverabilityTest.cpp - Minimal coverability sets -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Explore/Coverability.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace cif;

namespace {
using Marking = std::vector<uint32_t>;

/// The tree of [karpmiller] by its definition; its nodes' markings, or nothing
/// when it has more than \p most.
std::optional<std::set<Marking>> karpMillerTree(const PureNet &net,
                                                size_t most) {
  struct Node {
    Marking marking;
    size_t parent;
  };
  std::vector<Node> tree{{net.initial, SIZE_MAX}};
  std::set<Marking> markings;
  for (size_t at = 0; at < tree.size(); ++at) {
    if (tree.size() > most)
      return std::nullopt;
    Marking here = tree[at].marking;
    markings.insert(here);
    bool repeats = false;
    for (size_t up = tree[at].parent; up != SIZE_MAX; up = tree[up].parent)
      repeats |= tree[up].marking == here;
    if (repeats)
      continue;
    for (const PureNet::Transition &t : net.transitions) {
      Marking next = here;
      bool enabled = true;
      for (auto &[place, count] : t.take)
        enabled &= next[place] >= count;
      if (!enabled)
        continue;
      for (auto &[place, count] : t.take)
        next[place] -= next[place] == omega ? 0 : count;
      for (auto &[place, count] : t.give)
        next[place] += next[place] == omega ? 0 : count;
      for (size_t up = at; up != SIZE_MAX; up = tree[up].parent) {
        const Marking &low = tree[up].marking;
        bool below = true;
        for (size_t p = 0; p < low.size(); ++p)
          below &= low[p] <= next[p];
        if (below)
          for (size_t p = 0; p < low.size(); ++p)
            if (low[p] < next[p])
              next[p] = omega;
      }
      tree.push_back({next, at});
    }
  }
  return markings;
}

std::set<Marking> maximalOf(const std::set<Marking> &all) {
  std::set<Marking> result;
  for (const Marking &m : all)
    if (std::none_of(all.begin(), all.end(), [&](const Marking &other) {
          if (other == m)
            return false;
          for (size_t p = 0; p < m.size(); ++p)
            if (m[p] > other[p])
              return false;
          return true;
        }))
      result.insert(m);
  return result;
}

PureNet randomNet(std::mt19937 &random) {
  auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  PureNet net;
  unsigned places = 1 + pick(5);
  for (unsigned p = 0; p < places; ++p)
    net.initial.push_back(pick(3) == 0 ? 1 + pick(2) : 0);
  unsigned transitions = 1 + pick(5);
  for (unsigned t = 0; t < transitions; ++t) {
    PureNet::Transition made;
    for (unsigned p = 0; p < places; ++p) {
      if (pick(3) == 0)
        made.take.push_back({p, 1 + pick(5) / 4});
      if (pick(3) == 0)
        made.give.push_back({p, 1 + pick(5) / 4});
    }
    net.transitions.push_back(made);
  }
  return net;
}
} // namespace

TEST(Coverability, AsTheKarpMillerTree) {
  std::mt19937 random(7);
  unsigned compared = 0, unbounded = 0, several = 0;
  for (int i = 0; i < 20000; ++i) {
    PureNet net = randomNet(random);
    std::optional<std::set<Marking>> tree = karpMillerTree(net, 3000);
    if (!tree)
      continue;
    CoverabilitySet set = coverabilitySet(net, {});
    ASSERT_TRUE(set.complete);
    std::set<Marking> found(set.markings.begin(), set.markings.end());
    ASSERT_EQ(found.size(), set.markings.size());
    ASSERT_EQ(found, maximalOf(*tree)) << "net " << i;
    bool hasOmega = false;
    for (const Marking &m : *tree)
      hasOmega |= std::count(m.begin(), m.end(), omega) > 0;
    EXPECT_EQ(set.isBounded(), !hasOmega);
    ++compared;
    unbounded += hasOmega;
    several += found.size() > 1;
  }
  // The generator makes all kinds.
  EXPECT_GT(compared, 4000u);
  EXPECT_GT(unbounded, 1000u);
  EXPECT_GT(several, 500u);
}

TEST(Coverability, ProducerAndConsumer) {
  // 0: idle, 1: ready, 2: the buffer, 3: what was taken from it twice.
  PureNet net;
  net.initial = {1, 0, 0, 0};
  net.transitions = {
      {{{0, 1}}, {{1, 1}}}, {{{1, 1}}, {{0, 1}, {2, 1}}}, {{{2, 2}}, {{3, 1}}}};
  CoverabilitySet set = coverabilitySet(net, {});
  ASSERT_TRUE(set.complete);
  EXPECT_TRUE(set.isUnbounded(2));
  EXPECT_TRUE(set.isUnbounded(3));
  EXPECT_FALSE(set.isUnbounded(0));
  EXPECT_TRUE(set.covers({{1, 1}, {2, 1000}, {3, 1000}}));
  EXPECT_FALSE(set.covers({{0, 1}, {1, 1}}));
}

TEST(Coverability, HoldsItsLimits) {
  PureNet net;
  for (unsigned p = 0; p < 30; ++p) {
    net.initial.push_back(1);
    net.initial.push_back(0);
    net.transitions.push_back({{{2 * p, 1}}, {{2 * p + 1, 1}}});
  }
  Limits limits;
  limits.maxStates = 1000;
  CoverabilitySet set = coverabilitySet(net, limits);
  EXPECT_FALSE(set.complete);
  EXPECT_FALSE(set.limit.empty());
  EXPECT_LE(set.explored, 1002u);
}
