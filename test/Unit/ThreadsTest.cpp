//===- ThreadsTest.cpp - What threads share -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Exploration has threads of its own, and so has the minimisation of what is
/// large. Besides, a program may run several at a time on one LTS, whose arrays
/// they share.
/// These tests say something under the thread sanitizer (the tsan preset),
/// which runs them together with those of the explorer.
///
//===----------------------------------------------------------------------===//

#include "LtsGenerator.h"
#include "cif/Equivalence/Compare.h"
#include "cif/Equivalence/Minimize.h"
#include <gtest/gtest.h>
#include <thread>

using namespace cif;

TEST(Threads, OneLtsMinimizedAndComparedAtOnce) {
  std::mt19937 random(53);
  for (unsigned round = 0; round < 20; ++round) {
    const Lts lts = randomLts(random, 200);
    const Lts other = mutated(lts, random);
    auto work = [&](std::vector<size_t> &sizes,
                    std::vector<Verdict> &verdicts) {
      for (Relation relation : {Relation::Strong, Relation::Branching,
                                Relation::DpBranching, Relation::Weak}) {
        Lts mine = lts; // shares its arrays
        sizes.push_back(minimize(mine, relation).numStates());
        CompareOptions options;
        options.wantCertificate = true;
        verdicts.push_back(compare(mine, other, relation, options).verdict);
      }
    };
    std::vector<size_t> sizes[3];
    std::vector<Verdict> verdicts[3];
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 3; ++i)
      threads.emplace_back([&, i] { work(sizes[i], verdicts[i]); });
    for (std::thread &thread : threads)
      thread.join();
    for (unsigned i = 1; i < 3; ++i) {
      EXPECT_EQ(sizes[0], sizes[i]);
      EXPECT_EQ(verdicts[0], verdicts[i]);
    }
  }
}

TEST(Threads, OneMinimizationByMany) {
  std::mt19937 random(59);
  Lts lts = randomLts(random, 400'000);
  while (lts.numTransitions() < 1 << 18) // fewer are left to one thread
    lts = randomLts(random, 400'000);
  for (Relation relation : {Relation::Strong, Relation::DpBranching}) {
    std::vector<Lts> results;
    for (unsigned threads : {1, 3}) {
      Limits limits;
      limits.threads = threads;
      Budget budget(limits);
      results.push_back(*minimizeWithin(lts, relation, budget));
    }
    EXPECT_EQ(results[0].rowBegin.ref(), results[1].rowBegin.ref());
    EXPECT_EQ(results[0].label.ref(), results[1].label.ref());
    EXPECT_EQ(results[0].target.ref(), results[1].target.ref());
    EXPECT_GT(results[0].numStates(), 1u);
  }
}
