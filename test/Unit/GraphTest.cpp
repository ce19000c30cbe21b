//===- GraphTest.cpp - Components, paths and fair cycles ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LtsGenerator.h"
#include "cif/LTS/Operations.h"
#include "cif/LTS/TraceRuns.h"
#include "cif/Temporal/Fairness.h"
#include <gtest/gtest.h>
#include <set>

using namespace cif;

namespace {
/// Whether there is a way from s to t, by definition.
std::vector<std::vector<bool>> reachMatrix(const Lts &lts, bool tauOnly) {
  size_t n = lts.numStates();
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n));
  for (StateIndex s = 0; s < n; ++s)
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
      if (!tauOnly || lts.label[e] == tauLabel)
        reach[s][lts.target[e]] = true;
  for (size_t k = 0; k < n; ++k)
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j)
        if (reach[i][k] && reach[k][j])
          reach[i][j] = true;
  return reach;
}

/// Whether \p cycle, from a state that recurs, meets every condition.
bool isFairRun(const Lts &lts, const Lasso &lasso,
               ArrayRef<FairnessSet> fairness, StateIndex start) {
  std::vector<StateIndex> states;
  StateIndex at = start;
  for (uint32_t e : lasso.cycle) {
    states.push_back(at);
    at = lts.target[e];
  }
  if (at != start || lasso.cycle.empty())
    return false;
  return llvm::all_of(fairness, [&](const FairnessSet &set) {
    if (llvm::any_of(lasso.cycle, set.taken))
      return true;
    return set.strong ? llvm::none_of(states, set.enabled)
                      : !llvm::all_of(states, set.enabled);
  });
}
} // namespace

TEST(Graph, ComponentsAreMutuallyReachable) {
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    Lts lts = randomLts(random, 9);
    for (bool tauOnly : {false, true}) {
      auto reach = reachMatrix(lts, tauOnly);
      Components parts = tauOnly ? tauComponents(lts) : components(lts);
      for (StateIndex s = 0; s < lts.numStates(); ++s)
        for (StateIndex t = 0; t < lts.numStates(); ++t) {
          EXPECT_EQ(parts.of[s] == parts.of[t],
                    s == t || (reach[s][t] && reach[t][s]));
          if (reach[s][t]) {
            EXPECT_GE(parts.of[s], parts.of[t]);
          }
        }
      if (!tauOnly)
        for (uint32_t c : bottomComponents(lts, parts))
          for (StateIndex s = 0; s < lts.numStates(); ++s)
            for (StateIndex t = 0; t < lts.numStates(); ++t)
              if (parts.of[s] == c && reach[s][t]) {
                EXPECT_EQ(parts.of[t], c);
              }
    }
  }
}

TEST(Graph, PathsDeadlocksAndLivelocks) {
  std::mt19937 random(4);
  for (int i = 0; i < 2000; ++i) {
    Lts lts = randomLts(random, 9);
    auto reach = reachMatrix(lts, false), silent = reachMatrix(lts, true);
    const std::vector<bool> all = reachable(lts);
    auto stuck = deadlocks(lts, all), looping = livelocks(lts, all);
    for (StateIndex s = 0; s < lts.numStates(); ++s) {
      bool reached = s == lts.initial || reach[lts.initial][s];
      EXPECT_EQ(all[s], reached);
      EXPECT_EQ(llvm::is_contained(stuck, s),
                reached && lts.labelsOf(s).empty());
      EXPECT_EQ(llvm::is_contained(looping, s), reached && silent[s][s]);
      auto path = shortestPath(lts, [&](StateIndex t) { return t == s; });
      ASSERT_EQ(path.has_value(), reached);
      StateIndex at = lts.initial;
      if (path)
        for (uint32_t e : path->transitions) {
          ASSERT_TRUE(lts.rowBegin[at] <= e && e < lts.rowBegin[at + 1]);
          at = lts.target[e];
        }
      if (path) {
        EXPECT_EQ(at, s);
      }
    }
  }
}

/// After each label: exactly the states that the definition gives, each once,
/// and a run to each that has the labels so far.
TEST(Graph, RunsOverTracesAgreeWithTheDefinition) {
  std::mt19937 random(5);
  unsigned followed = 0;
  for (int i = 0; i < 2000; ++i) {
    Lts lts = randomLts(random, 9);
    auto silent = reachMatrix(lts, true);
    auto close = [&](std::set<StateIndex> states) {
      for (StateIndex s : std::set<StateIndex>(states))
        for (StateIndex t = 0; t < lts.numStates(); ++t)
          if (silent[s][t])
            states.insert(t);
      return states;
    };
    TraceRuns runs(lts, lts.initial);
    std::set<StateIndex> now = close({lts.initial});
    std::vector<LabelIndex> trace;
    for (;;) {
      std::set<StateIndex> level;
      for (size_t n = runs.begin(); n < runs.end(); ++n) {
        EXPECT_TRUE(level.insert(runs.state(n)).second);
        StateIndex at = lts.initial;
        std::vector<LabelIndex> visible;
        for (uint32_t e : runs.runTo(n)) {
          ASSERT_TRUE(lts.rowBegin[at] <= e && e < lts.rowBegin[at + 1]);
          at = lts.target[e];
          if (lts.label[e] != tauLabel)
            visible.push_back(lts.label[e]);
        }
        EXPECT_EQ(at, runs.state(n));
        EXPECT_EQ(visible, trace);
      }
      EXPECT_EQ(level, now);
      if (lts.labels.size() < 2 || trace.size() == 5)
        break;
      LabelIndex next = 1 + random() % (lts.labels.size() - 1);
      std::set<StateIndex> after;
      for (StateIndex s : now)
        for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
          if (lts.label[e] == next)
            after.insert(lts.target[e]);
      ASSERT_EQ(runs.follow(lts.labels[next]), !after.empty());
      if (after.empty())
        break;
      now = close(after);
      trace.push_back(next);
      ++followed;
    }
  }
  EXPECT_GT(followed, 1000u);
}

/// All subsets of states as candidates: a fair run exists when the states of
/// some strongly connected set meet the conditions with all their transitions.
TEST(Graph, FairCyclesAgreeWithTheDefinition) {
  std::mt19937 random(6);
  unsigned found = 0;
  for (int i = 0; i < 3000; ++i) {
    Lts lts = randomLts(random, 6, 10);
    std::vector<FairnessSet> fairness;
    for (LabelIndex l = 0; l < lts.labels.size(); ++l)
      if (random() % 2)
        fairness.push_back(fairLabel(lts, l, random() % 2));
    StateIndex badState = random() % lts.numStates();
    auto bad = [&](StateIndex s) { return s == badState; };
    Budget budget((Limits()));
    auto lasso = findFairCycle(lts, fairness, bad, budget);

    auto reach = reachMatrix(lts, false);
    size_t n = lts.numStates();
    bool expected = false;
    for (unsigned set = 1; set < (1u << n) && !expected; ++set) {
      auto in = [&](StateIndex s) { return set >> s & 1; };
      if (!in(badState))
        continue;
      LtsBuilder builder; // the LTS inside the set
      std::vector<uint32_t> inner;
      for (StateIndex s = 0; s < n; ++s)
        for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
          if (in(s) && in(lts.target[e])) {
            builder.add(s, tauLabel, lts.target[e]);
            inner.push_back(e);
          }
      Lts part = std::move(builder).finish(badState, n);
      auto within = reachMatrix(part, false);
      bool strongly = true;
      std::vector<StateIndex> states;
      for (StateIndex s = 0; s < n; ++s)
        if (in(s)) {
          states.push_back(s);
          for (StateIndex t = 0; t < n; ++t)
            strongly &= !in(t) || within[s][t];
        }
      bool reached = badState == lts.initial || reach[lts.initial][badState];
      expected = strongly && reached &&
                 llvm::all_of(fairness, [&](const FairnessSet &f) {
                   if (llvm::any_of(inner, f.taken))
                     return true;
                   return f.strong ? llvm::none_of(states, f.enabled)
                                   : !llvm::all_of(states, f.enabled);
                 });
    }
    ASSERT_EQ(lasso.has_value(), expected) << i;
    if (lasso) {
      ++found;
      EXPECT_TRUE(isFairRun(lts, *lasso, fairness, badState)) << i;
    }
  }
  EXPECT_GT(found, 100u);
}

TEST(Graph, HideAndDeterminise) {
  std::mt19937 random(8);
  for (int i = 0; i < 500; ++i) {
    Lts lts = randomLts(random, 8);
    Lts hidden = hide(lts, [](const Label &l) { return namesLabel("a", l); });
    EXPECT_EQ(verifyLts(hidden), "");
    for (const Label &l : hidden.labels)
      EXPECT_NE(l, Label::plain("a"));
    Lts flat = determinize(hidden);
    EXPECT_EQ(verifyLts(flat), "");
    for (StateIndex s = 0; s < flat.numStates(); ++s) {
      auto labels = flat.labelsOf(s);
      EXPECT_TRUE(std::is_sorted(labels.begin(), labels.end()));
      EXPECT_EQ(std::adjacent_find(labels.begin(), labels.end()), labels.end());
      EXPECT_FALSE(llvm::is_contained(labels, tauLabel));
    }
  }
}
