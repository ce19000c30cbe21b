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
#include "NaiveRelations.h"
#include "cif/Equivalence/Compare.h"
#include "cif/Equivalence/Minimize.h"
#include "cif/Equivalence/Partition.h"
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

static Reduction reducedBy(unsigned threads, const Lts &lts,
                           Relation relation) {
  Limits limits;
  limits.threads = threads;
  Budget budget(limits);
  std::string limit;
  return *reduceWithin(lts, relation, budget, limit);
}

static void expectSame(const Reduction &left, const Reduction &right) {
  EXPECT_EQ(left.partition.classOf, right.partition.classOf);
  EXPECT_EQ(left.quotient.rowBegin.ref(), right.quotient.rowBegin.ref());
  EXPECT_EQ(left.quotient.label.ref(), right.quotient.label.ref());
  EXPECT_EQ(left.quotient.target.ref(), right.quotient.target.ref());
}

/// Fewer transitions are left to one thread.
constexpr size_t enough = 1 << 18;

/// Many small classes.
TEST(Threads, OneMinimizationByMany) {
  std::mt19937 random(59);
  Lts lts = randomLts(random, 400'000);
  while (lts.numTransitions() < enough)
    lts = randomLts(random, 400'000);
  for (Relation relation : {Relation::Strong, Relation::DpBranching}) {
    const Reduction alone = reducedBy(1, lts, relation);
    EXPECT_GT(alone.partition.numClasses, 1000u);
    expectSame(alone, reducedBy(2, lts, relation));
    expectSame(alone, reducedBy(5, lts, relation));
  }
}

/// A few large ones: small LTSs side by side, each many times.
TEST(Threads, ManyAgreeWithTheDefinition) {
  std::mt19937 random(61);
  std::vector<Lts> small;
  while (small.size() < 200) {
    small.push_back(randomLts(random, 5));
    small.push_back(mutated(small.back(), random));
  }
  LtsBuilder builder;
  for (const Label &label : small[0].labels)
    builder.labels.intern(label);
  StateIndex states = 0;
  std::vector<StateIndex> initial;
  for (size_t i = 0, transitions = 0; transitions < enough; ++i) {
    const Lts &part = small[i % small.size()];
    for (StateIndex s = 0; s < part.numStates(); ++s)
      for (uint32_t e = part.rowBegin[s]; e < part.rowBegin[s + 1]; ++e)
        builder.add(states + s, part.label[e], states + part.target[e]);
    initial.push_back(states + part.initial);
    states += static_cast<StateIndex>(part.numStates());
    transitions += part.numTransitions();
  }
  const Lts lts = std::move(builder).finish(0, states);
  for (Relation relation : {Relation::Strong, Relation::Branching,
                            Relation::DpBranching, Relation::Weak}) {
    const Reduction shared = reducedBy(2, lts, relation);
    expectSame(reducedBy(1, lts, relation), shared);
    expectSame(reducedBy(5, lts, relation), shared);
    unsigned related = 0;
    for (unsigned i = 0; i < 4000; ++i) {
      size_t left = random() % initial.size(),
             right = random() % initial.size();
      if (i % 2) // one and its mutant
        right = left ^ 1;
      if (right >= initial.size())
        continue;
      bool expected = naive::related(small[left % small.size()],
                                     small[right % small.size()], relation);
      related += expected;
      ASSERT_EQ(shared.partition.classOf[initial[left]] ==
                    shared.partition.classOf[initial[right]],
                expected)
          << relationName(relation).str() << " " << left << " " << right;
    }
    EXPECT_GT(related, 100u);
    EXPECT_LT(related, 3900u);
  }
}
