//===- EquivalenceTest.cpp - Relations against their definitions --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LtsGenerator.h"
#include "NaiveRelations.h"
#include "cif/Equivalence/Compare.h"
#include "cif/Equivalence/Minimize.h"
#include "cif/Equivalence/Partition.h"
#include "cif/LTS/Aut.h"
#include "cif/LTS/Operations.h"
#include <gtest/gtest.h>

using namespace cif;

static std::string text(const Lts &lts) {
  std::string result;
  llvm::raw_string_ostream os(result);
  writeAut(lts, os);
  return result;
}

class EquivalenceOf : public testing::TestWithParam<int> {
protected:
  Relation relation() const { return static_cast<Relation>(GetParam()); }
};

TEST_P(EquivalenceOf, AgreesWithTheDefinition) {
  std::mt19937 random(17 + GetParam());
  unsigned related = 0;
  for (int i = 0; i < 20000; ++i) {
    Lts left = randomLts(random, 5);
    Lts right = i % 2 ? randomLts(random, 4) : mutated(left, random);
    bool expected = naive::related(left, right, relation());
    Comparison result = compare(left, right, relation());
    ASSERT_EQ(result.verdict, expected ? Verdict::Holds : Verdict::Violated)
        << relationName(relation()).str() << " " << i << "\n"
        << text(left) << text(right);
    related += expected;
    // A witness was replayed by the engine; here by definition.
    if (!expected) {
      ASSERT_TRUE(result.difference);
      ASSERT_FALSE(result.difference->sentences.empty());
      if (result.difference->kind == Difference::Formula) {
        const Lts &mine = result.difference->side == Side::Left ? left : right;
        const Lts &theirs =
            result.difference->side == Side::Left ? right : left;
        const Formula &formula = *result.difference->graph;
        ASSERT_TRUE(satisfying(formula, mine)[mine.initial]);
        ASSERT_FALSE(satisfying(formula, theirs)[theirs.initial]);
      }
    }
  }
  // The generator is of no use when all pairs are alike.
  EXPECT_GT(related, 1000u);
  EXPECT_LT(related, 19000u);
}

// With few labels the first round of refinement goes by sets of bits.
TEST(Reduction, IsTheSameWithLabelsThatNobodyUses) {
  std::mt19937 random(41);
  for (int i = 0; i < 2000; ++i) {
    Lts few = randomLts(random, 60, i % 90), many = few;
    for (int k = 0; k < 80; ++k)
      many.labels.push_back(Label::plain("unused " + std::to_string(k)));
    for (Relation relation : {Relation::Strong, Relation::Branching,
                              Relation::DpBranching, Relation::Weak}) {
      Reduction one = reduce(few, relation), other = reduce(many, relation);
      ASSERT_EQ(one.partition.classOf, other.partition.classOf)
          << relationName(relation).str() << " " << i << "\n"
          << text(few);
      ASSERT_EQ(text(one.quotient), text(other.quotient));
    }
  }
}

TEST_P(EquivalenceOf, HoldsOfItselfInAnyOrder) {
  std::mt19937 random(71 + GetParam());
  for (int i = 0; i < 500; ++i) {
    Lts lts = randomLts(random, 12);
    EXPECT_TRUE(compare(lts, lts, relation()).holds());
    EXPECT_TRUE(compare(lts, shuffled(lts, random), relation()).holds());
  }
}

TEST_P(EquivalenceOf, HoldsOfTheMinimisedOne) {
  if (!canMinimize(relation()))
    return;
  std::mt19937 random(5 + GetParam());
  for (int i = 0; i < 1000; ++i) {
    Lts lts = randomLts(random, 14);
    Lts small = minimize(lts, relation());
    ASSERT_EQ(verifyLts(small), "");
    EXPECT_TRUE(compare(lts, small, relation()).holds()) << text(lts);
    Lts again = minimize(small, relation());
    EXPECT_EQ(again.numStates(), small.numStates());
    EXPECT_EQ(again.numTransitions(), small.numTransitions()) << text(lts);
    Lts other = minimize(shuffled(lts, random), relation());
    EXPECT_EQ(other.numStates(), small.numStates());
    EXPECT_EQ(other.numTransitions(), small.numTransitions()) << text(lts);
  }
}

/// A chain is as many classes as states; one side is a step longer.
static Lts chain(StateIndex length) {
  Lts lts;
  lts.labels.push_back(Label::plain("a"));
  std::vector<uint32_t> rows(length + 1, length - 1);
  std::vector<StateIndex> targets;
  for (StateIndex s = 0; s + 1 < length; ++s) {
    rows[s] = s;
    targets.push_back(s + 1);
  }
  lts.rowBegin = rows;
  lts.label = std::vector<LabelIndex>(length - 1, 1);
  lts.target = targets;
  return lts;
}

TEST_P(EquivalenceOf, IsLeftOpenWhenInterrupted) {
  Lts left = chain(5001), right = chain(5000);
  CompareOptions options;
  options.wantCertificate = true;
  interrupted = true;
  Comparison result = compare(left, right, relation(), options);
  Budget budget{Limits()};
  Outcome<Lts> small = canMinimize(relation())
                           ? minimizeWithin(left, relation(), budget)
                           : Stopped{"interrupted"};
  interrupted = false;
  EXPECT_EQ(result.verdict, Verdict::Inconclusive);
  EXPECT_EQ(result.limit, "interrupted");
  EXPECT_TRUE(result.certificate.empty());
  EXPECT_TRUE(small.isStopped());
  EXPECT_EQ(small.limit(), "interrupted");
}

static std::string suffix(const testing::TestParamInfo<int> &parameter) {
  std::string name = relationName(static_cast<Relation>(parameter.param)).str();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Relations, EquivalenceOf,
                         testing::Range(0, int(Relation::TraceInclusion) + 1),
                         suffix);
