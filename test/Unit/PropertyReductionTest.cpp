//===- PropertyReductionTest.cpp - Properties with fewer orders -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Properties of random peers, decided on all states and on those that the
/// reduction with visible labels leaves.
///
//===----------------------------------------------------------------------===//

#include "Generated.h"
#include "RandomPeers.h"
#include "SemanticsModels.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Explore/PeerReduction.h"
#include "cif/Temporal/Ltl.h"
#include <gtest/gtest.h>
#include <random>

using namespace cif;
using namespace cif::test;

namespace {
/// Gives some peers final states, or all states final.
void addFinals(std::mt19937 &random, Module &module) {
  if (random() % 3 == 0)
    return;
  for (SystemDecl &peer : module.systems)
    peer.lts.finals =
        std::vector<uint64_t>{random() % 2 ? ~uint64_t(0) >> 1 : random() % 64};
}

std::string randomProperty(std::mt19937 &random) {
  auto name = [&] {
    std::string from = "p" + std::to_string(random() % 3),
                to = "p" + std::to_string(random() % 3);
    return random() % 2 ? "m" + std::to_string(random() % 2)
                        : "\"" + from + "\"->\"" + to + "\":m" +
                              std::to_string(random() % 2);
  };
  std::string a = name(), b = name();
  switch (random() % 10) {
  case 0:
    return "never " + a;
  case 1:
    return "eventually " + a;
  case 2:
    return a + " only after " + b;
  case 3:
    return "every " + a + " is answered by " + b;
  case 4:
    return "no " + a + " after " + b;
  case 5:
    return a + " at most once";
  case 6:
    return a + " exactly once";
  case 7:
    return "G F " + a;
  case 8:
    return "F G !" + a;
  default:
    return "(G F " + a + ") -> (G F " + b + ")";
  }
}
} // namespace

TEST(PropertyReduction, SameVerdicts) {
  Generated models("properties of peers with and without reduction", 4000);
  unsigned holds = 0, violated = 0, smaller = 0;
  for (unsigned seed = 1; models.done() < models.wanted(); ++seed) {
    ASSERT_LT(seed, models.wanted() * 20);
    std::mt19937 random(seed);
    Module module = randomPeers(random, seed);
    if (module.systems.size() < 2)
      continue;
    addFinals(random, module);
    static const NetworkKind kinds[] = {
        NetworkKind::Sync,  NetworkKind::Bag,    NetworkKind::FifoPair,
        NetworkKind::Inbox, NetworkKind::Outbox, NetworkKind::FifoAll};
    SemanticsOptions semantics;
    semantics.semantics = SemanticsKind::Peers;
    semantics.network = kinds[random() % 6];
    semantics.observe =
        random() % 2 ? Observation::Exchange : Observation::Receive;
    TestDiagnostics diags;
    std::unique_ptr<PeerComposition> peers =
        makePeerComposition(module, semantics, diags.engine);
    ASSERT_TRUE(peers);
    ExplorerOptions options;
    options.limits.maxStates = 3000;
    options.keepOrigins = true;
    Exploration whole = explore(*peers, options);
    if (!whole.complete)
      continue;
    std::string text = randomProperty(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
    ltl::SyntaxError error;
    std::optional<ltl::Property> property = ltl::parseProperty(text, error);
    ASSERT_TRUE(property) << error.expected;
    ASSERT_TRUE(property->ignoresOthers());
    std::vector<bool> visible;
    for (const Label &label : peers->labels())
      visible.push_back(
          llvm::any_of(property->atoms, [&](const ltl::Atom &atom) {
            return atom.matches(label);
          }));
    ReducedPeers reduced(*peers, *semantics.network, visible);
    std::optional<Exploration> some = exploreVisibleOrders(reduced, options);
    ASSERT_TRUE(some);
    ASSERT_LE(some->numStates(), whole.numStates());
    smaller += some->numStates() < whole.numStates();
    ltl::CheckOptions by;
    ltl::CheckResult all = ltl::check(whole.lts, *property, by);
    ltl::CheckResult few = ltl::check(some->lts, *property, by);
    ASSERT_TRUE(all.complete && few.complete);
    ASSERT_EQ(all.counterexample.has_value(), few.counterexample.has_value());
    ++(all.counterexample ? violated : holds);
    models.count();
    // Its run is one of all steps: each state is found again.
    if (!few.counterexample)
      continue;
    std::vector<Step> run;
    for (uint32_t e : few.counterexample->stem)
      run.push_back(some->steps[e]);
    for (uint32_t e : few.counterexample->cycle)
      run.push_back(some->steps[e]);
    ASSERT_TRUE(replayRun(*peers, run, [](const Step &, const uint32_t *) {}));
  }
  EXPECT_GT(holds, models.wanted() / 10);
  EXPECT_GT(violated, models.wanted() / 10);
  EXPECT_GT(smaller, models.wanted() / 10);
}
