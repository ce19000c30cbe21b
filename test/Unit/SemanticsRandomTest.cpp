//===- SemanticsRandomTest.cpp - Systems against naive interpreters
//--------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GrowthTesting.h"
#include "RandomSystems.h"
#include "SemanticsNaive.h"
#include "cif/Equivalence/Compare.h"
#include "cif/Explore/Explorer.h"
#include "cif/Semantics/CommandSystem.h"
#include <gtest/gtest.h>
#include <random>

using namespace cif;
using namespace cif::test;

namespace {
/// What the library says, by text.
TextGraph textGraph(const Exploration &e) {
  TextGraph graph;
  graph.complete = e.complete;
  graph.states = e.numStates();
  std::vector<std::string> texts;
  for (StateIndex s = 0; s < e.numStates(); ++s) {
    std::string described = e.describe(s);
    auto [control, transit] = StringRef(described).split("; ");
    std::string text = control == "no token" ? "" : control.str() + ", ";
    texts.push_back(text + "; " + sortedTransit(transit));
    if (e.lts.isFinal(s))
      graph.finals.insert(texts.back());
  }
  for (StateIndex s = 0; s < e.numStates(); ++s)
    for (size_t i = 0; i < e.lts.labelsOf(s).size(); ++i) {
      const Label &label = e.lts.labels[e.lts.labelsOf(s)[i]];
      graph.steps.insert(texts[s] + " | " + labelText(label) + " | " +
                         texts[e.lts.targetsOf(s)[i]]);
    }
  return graph;
}

constexpr NetworkKind networks[] = {NetworkKind::Sync,     NetworkKind::Bag,
                                    NetworkKind::FifoPair, NetworkKind::Inbox,
                                    NetworkKind::Outbox,   NetworkKind::FifoAll,
                                    NetworkKind::Causal,   NetworkKind::Rsc};
constexpr size_t naiveLimit = 150;

/// The first few lines that only one side has.
std::string difference(const TextGraph &found, const TextGraph &expected) {
  std::string text = ": " + std::to_string(found.states) +
                     " states, expected " + std::to_string(expected.states) +
                     "\n";
  int lines = 0;
  auto only = [&](const std::set<std::string> &a,
                  const std::set<std::string> &b, const char *mark) {
    for (const std::string &line : a)
      if (!b.count(line) && ++lines < 20)
        text += mark + line + "\n";
  };
  only(found.steps, expected.steps, "  too much: ");
  only(expected.steps, found.steps, "  missing:  ");
  only(found.finals, expected.finals, "  final, too much: ");
  only(expected.finals, found.finals, "  final, missing:  ");
  return text;
}

/// Nothing when the plain enumeration of a choice's first steps is too long.
std::optional<TextGraph> naiveTokens(const Module &m, NaiveNetwork network,
                                     Observation observe) {
  NaiveTokens naive(m, std::move(network), observe);
  TextGraph graph = naive.graph(naiveLimit);
  if (naive.tooDeep)
    return std::nullopt;
  return graph;
}

struct Counts {
  unsigned compared = 0, grew = 0, cut = 0, deep = 0, commands = 0;
};

/// The same system by its commands: as many states, steps and ends, and
/// bisimilar.
void compareCommands(const Exploration &e, Counts &counts,
                     const std::string &where) {
  std::string reason;
  Origin at;
  auto model = e.system->commands(reason, at);
  if (!model) {
    EXPECT_NE(reason, "") << where;
    return;
  }
  ++counts.commands;
  const bool knowsFinal = model->finalReason.empty();
  auto system = makeCommandSystem(std::move(*model));
  Exploration by = explore(*system, {});
  ASSERT_TRUE(by.complete) << where;
  EXPECT_EQ(by.numStates(), e.numStates()) << where;
  EXPECT_EQ(by.transitions, e.transitions) << where;
  auto finals = [](const Lts &lts) {
    size_t count = 0;
    for (StateIndex s = 0; s < lts.numStates(); ++s)
      count += lts.isFinal(s);
    return count;
  };
  if (knowsFinal) {
    EXPECT_EQ(finals(by.lts), finals(e.lts)) << where;
  }
  CompareOptions strictly;
  strictly.observeFinals = knowsFinal;
  EXPECT_EQ(
      cif::compare(by.lts, e.lts, *parseRelation("strong"), strictly).verdict,
      Verdict::Holds)
      << where;
}

/// Compares one model; both sides stop at their limits alike.
void compare(const Module &m, SemanticsOptions options,
             std::function<std::optional<TextGraph>()> naive, Counts &counts,
             const std::string &where) {
  TestDiagnostics diags;
  auto system = makeSystem(m, options, diags.engine);
  ASSERT_TRUE(system) << diags.text();
  ExplorerOptions explorer;
  explorer.limits.maxStates = naiveLimit + 1;
  Exploration e = explore(*system, explorer);
  if (e.growth) {
    ++counts.grew;
    expectRepeats(e, 3);
    return;
  }
  ASSERT_EQ(verifyLts(e.lts), "");
  if (!e.complete) {
    ++counts.cut;
    return;
  }
  compareCommands(e, counts, where);
  std::optional<TextGraph> expected = naive();
  if (!expected) {
    ++counts.deep;
    return;
  }
  ++counts.compared;
  TextGraph found = textGraph(e);
  ASSERT_TRUE(found == *expected) << where << difference(found, *expected);
}
} // namespace

TEST(SemanticsRandom, PeersUnderEveryNetwork) {
  Random random(3);
  Counts counts;
  for (int i = 0; i < 400 && !HasFatalFailure(); ++i) {
    Module m = randomPeers(random);
    for (NetworkKind network : networks) {
      SemanticsOptions options;
      options.network = network;
      options.bound = below(random, 3) ? 1 + below(random, 2) : noBound;
      options.observe = static_cast<Observation>(below(random, 4));
      compare(
          m, options,
          [&] {
            return naivePeers(m, {network, options.bound, {}}, options.observe,
                              naiveLimit);
          },
          counts,
          "model " + std::to_string(i) + " " + networkText(network).str());
    }
  }
  EXPECT_GT(counts.compared, 2000u);
  EXPECT_GT(counts.grew, 50u);
  EXPECT_GT(counts.commands, 1500u); // all but those under causal
}

TEST(SemanticsRandom, ChoreographiesOfAnyShape) {
  Random random(5);
  Counts counts;
  for (int i = 0; i < 5500 && !HasFatalFailure(); ++i) {
    Module m = randomChoreography(random);
    compare(
        m, {},
        [&] {
          return naiveTokens(m, {NetworkKind::Bag, noBound, {}},
                             Observation::Exchange);
        },
        counts, "model " + std::to_string(i));
  }
  EXPECT_GT(counts.compared, 2000u);
  EXPECT_LT(counts.deep, 20u);
  EXPECT_GT(counts.commands, 500u);
}

TEST(SemanticsRandom, CollaborationsUnderEveryNetwork) {
  Random random(7);
  Counts counts;
  for (int i = 0; i < 300 && !HasFatalFailure(); ++i) {
    Module m = randomCollaboration(random);
    for (NetworkKind network : networks) {
      SemanticsOptions options;
      options.network = network;
      options.bound = below(random, 3) ? 1 + below(random, 2) : noBound;
      options.observe = static_cast<Observation>(below(random, 3));
      compare(
          m, options,
          [&] {
            return naiveTokens(m, {network, options.bound, {}},
                               options.observe);
          },
          counts,
          "model " + std::to_string(i) + " " + networkText(network).str());
    }
  }
  EXPECT_GT(counts.compared, 1000u);
  EXPECT_GT(counts.commands, 300u);
}
