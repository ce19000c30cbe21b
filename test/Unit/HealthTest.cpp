//===- HealthTest.cpp - What goes wrong between peers ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated peers under every network, against NaivePeers.h.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/Health.h"
#include "Generated.h"
#include "NaivePeers.h"
#include "SemanticsModels.h"
#include "cif/Check/Peers/QueueBound.h"
#include "cif/Check/Replay.h"
#include "cif/Explore/ExploreModule.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace cif;
using namespace cif::test;

namespace {
std::string textOf(const Module &module) {
  std::string text;
  for (const SystemDecl &decl : module.systems) {
    text += module.text(decl.name).str() +
            (decl.role == SystemRole::Controller ? " (controller):" : ":");
    for (StateIndex s = 0; s < decl.lts.numStates(); ++s) {
      if (decl.lts.saysFinal() && decl.lts.isFinal(s))
        text += " [" + std::to_string(s) + "]";
      for (size_t t = 0; t < decl.lts.labelsOf(s).size(); ++t)
        text += " " + std::to_string(s) + " " +
                labelText(decl.lts.labels[decl.lts.labelsOf(s)[t]]) + " " +
                std::to_string(decl.lts.targetsOf(s)[t]) + ";";
    }
    text += "\n";
  }
  return text;
}

/// How many steps it takes to each problem; nothing: it is not there.
struct NaiveHealth {
  std::optional<size_t> steps[3];
  bool complete = false;
};

NaiveHealth naiveHealth(const NaivePeers &naive, size_t most) {
  NaiveHealth result;
  std::map<NaivePeers::State, size_t> depth{{naive.initial(), 0}};
  std::vector<NaivePeers::State> order{naive.initial()};
  for (size_t i = 0; i < order.size(); ++i) {
    if (order.size() > most)
      return result;
    NaivePeers::State s = order[i];
    size_t at = depth[s];
    bool stuck = true;
    naive.successors(s, [&](const NaivePeers::State &next, int, bool) {
      stuck = false;
      if (depth.emplace(next, at + 1).second)
        order.push_back(next);
    });
    auto note = [&](HealthProblem problem) {
      auto &steps = result.steps[static_cast<unsigned>(problem)];
      steps = std::min(steps.value_or(at), at);
    };
    if (stuck && !naive.allDone(s))
      note(HealthProblem::Deadlock);
    if (naive.hasUnspecified(s))
      note(HealthProblem::UnspecifiedReception);
  }
  // Continuations are finitely many once all states are.
  for (const NaivePeers::State &s : order)
    if (naive.allDone(s) && naive.hasOrphan(s)) {
      auto &steps = result.steps[static_cast<unsigned>(HealthProblem::Orphan)];
      steps = std::min(steps.value_or(depth[s]), depth[s]);
    }
  result.complete = true;
  return result;
}

std::optional<Health> healthOf(const Module &module, NetworkKind network,
                               uint64_t wholeStates,
                               std::optional<uint32_t> bound = {}) {
  TestDiagnostics diags;
  SynchronizabilityOptions options;
  options.network = network;
  options.fewStates = options.wholeStates = wholeStates;
  options.limits.maxStates = 20'000;
  options.bound = bound;
  return checkHealth(module, options, diags.engine);
}
} // namespace

// Fewer orders of independent steps: the same verdicts, deadlocks as near, and
// runs that are runs of the whole.
TEST(Health, Reduction) {
  std::mt19937 random(79);
  size_t compared = 0, found[numHealthProblems] = {}, fewer = 0, more = 0;
  Generated models("sets of peers with and without reduction", 300);
  for (unsigned i = 0; i < models.wanted(); ++i) {
    models.count();
    Module module = noisyPeers(random, 5);
    for (NetworkKind network :
         {NetworkKind::Sync, NetworkKind::Bag, NetworkKind::FifoPair,
          NetworkKind::Inbox, NetworkKind::Outbox, NetworkKind::FifoAll}) {
      TestDiagnostics diags;
      SynchronizabilityOptions options;
      options.network = network;
      options.limits.maxStates = 3'000;
      options.reduces = false;
      std::optional<Health> whole = checkHealth(module, options, diags.engine);
      options.reduces = true;
      options.fewStates = 1;
      std::optional<Health> reduced =
          checkHealth(module, options, diags.engine);
      ASSERT_TRUE(whole && reduced);
      fewer += reduced->states < whole->states;
      std::string what = networkText(network).str() + "\n" + textOf(module);
      for (unsigned p = 0; p < numHealthProblems; ++p) {
        const HealthFinding &one = whole->findings[p],
                            &two = reduced->findings[p];
        auto problem = static_cast<HealthProblem>(p);
        if (two.witness && problem != HealthProblem::Unbounded) {
          ASSERT_TRUE(replaysOnPeers(module, network, {}, *two.witness,
                                     problem == HealthProblem::Deadlock
                                         ? RunEnd::Stuck
                                         : RunEnd::Anything,
                                     options.limits, diags.engine))
              << p << " under " << what;
        }
        more += one.verdict == Verdict::Inconclusive &&
                two.verdict != Verdict::Inconclusive;
        if (one.verdict == Verdict::Inconclusive ||
            two.verdict == Verdict::Inconclusive)
          continue;
        ++compared;
        ASSERT_EQ(one.verdict, two.verdict) << p << " under " << what;
        if (one.verdict != Verdict::Violated)
          continue;
        ++found[p];
        // Where queues grow, the whole is searched with short ones only.
        if (problem == HealthProblem::Deadlock &&
            whole->findings[3].verdict == Verdict::Holds) {
          ASSERT_EQ(one.witness->steps.size(), two.witness->steps.size())
              << what;
        }
      }
    }
  }
  EXPECT_GT(compared, 1000u);
  EXPECT_GT(fewer, 50u);
  EXPECT_GT(more, 0u);
  for (size_t each : found)
    EXPECT_GT(each, 50u);
  RecordProperty("compared", static_cast<int>(compared));
  std::printf("compared %zu verdicts, %zu decided by the reduction alone; "
              "fewer states %zu times\n",
              compared, more, fewer);
}

// Where messages can be weighed, no search finds growth.
TEST(Health, WeighedQueues) {
  std::mt19937 random(80);
  size_t bounded = 0, grows = 0;
  Generated models("sets of peers whose messages are weighed", 600);
  for (unsigned i = 0; i < models.wanted(); ++i) {
    models.count();
    Module module = noisyPeers(random, 4);
    TestDiagnostics diags;
    SemanticsOptions semantics;
    semantics.semantics = SemanticsKind::Peers;
    semantics.network = NetworkKind::Bag;
    std::unique_ptr<PeerComposition> system =
        makePeerComposition(module, semantics, diags.engine);
    ASSERT_TRUE(system);
    ExplorerOptions options;
    options.limits.maxStates = 3'000;
    Exploration explored = explore(*system, options);
    Budget budget(options.limits);
    const bool weighed = areQueuesBounded(system->view(), budget);
    bounded += weighed;
    grows += explored.growth.has_value();
    ASSERT_FALSE(weighed && explored.growth) << textOf(module);
  }
  EXPECT_GT(bounded, 50u);
  EXPECT_GT(grows, 50u);
}

TEST(Health, Generated) {
  std::mt19937 random(77);
  size_t compared = 0, found[3] = {0, 0, 0};
  Generated models("sets of peers", 300);
  for (unsigned i = 0; i < models.wanted(); ++i) {
    models.count();
    Module module = noisyPeers(random);
    for (unsigned n = 0; n < networkWords().size(); ++n) {
      auto network = static_cast<NetworkKind>(n);
      NaiveHealth naive = naiveHealth(NaivePeers(module, network), 60);
      // With the reduction too, and with a bound that does not matter.
      std::optional<Health> whole = healthOf(module, network, 1'000'000),
                            first = healthOf(module, network, 1);
      ASSERT_TRUE(whole && first);
      std::string what = networkText(network).str() + "\n" + textOf(module);
      for (unsigned p = 0; p < 3; ++p) {
        const HealthFinding &one = whole->findings[p],
                            &two = first->findings[p];
        if (one.verdict != Verdict::Inconclusive &&
            two.verdict != Verdict::Inconclusive) {
          ASSERT_EQ(one.verdict, two.verdict) << p << " under " << what;
        }
        if (!naive.complete)
          continue;
        ++compared;
        ASSERT_EQ(one.verdict,
                  naive.steps[p] ? Verdict::Violated : Verdict::Holds)
            << p << " under " << what;
        ASSERT_EQ(two.verdict, one.verdict) << p << " under " << what;
        ASSERT_TRUE(one.exact);
        if (!naive.steps[p])
          continue;
        ++found[p];
        ASSERT_EQ(one.witness->steps.size(), *naive.steps[p])
            << p << " under " << what;
      }
    }
  }
  EXPECT_GT(compared, 1000u);
  for (size_t each : found)
    EXPECT_GT(each, 100u);
  RecordProperty("compared", static_cast<int>(compared));
}

// What a bound keeps from being sent never counts: whatever is found with one
// is there without.
TEST(Health, Bounds) {
  std::mt19937 random(78);
  size_t found = 0;
  for (unsigned i = 0; i < 200; ++i) {
    Module module = noisyPeers(random);
    for (NetworkKind network : {NetworkKind::Bag, NetworkKind::Inbox,
                                NetworkKind::Outbox, NetworkKind::Causal}) {
      NaiveHealth naive = naiveHealth(NaivePeers(module, network), 60);
      std::optional<Health> bounded = healthOf(module, network, 1'000'000, 1);
      for (unsigned p = 0; naive.complete && p < 3; ++p)
        if (bounded->findings[p].verdict == Verdict::Violated) {
          ++found;
          ASSERT_TRUE(naive.steps[p])
              << p << " under " << networkText(network).str() << "\n"
              << textOf(module);
        }
    }
  }
  EXPECT_GT(found, 100u);
}

// A run is one of the system or is none.
TEST(Health, Replay) {
  Module module;
  addRandomPeer(module, "a", readLts("0 b!m 1", "a"));
  addRandomPeer(module, "b", readLts("0 a?m 1", "b"));
  TestDiagnostics diags;
  SemanticsOptions semantics;
  semantics.semantics = SemanticsKind::Peers;
  std::unique_ptr<System> system = makeSystem(module, semantics, diags.engine);
  ASSERT_TRUE(system);
  Step send{tauLabel, 0, noGroup}, receive{tauLabel, 1, noGroup};
  auto steps = replayRun(module, *system, {send, receive});
  ASSERT_TRUE(steps);
  EXPECT_EQ(steps->size(), 2u);
  EXPECT_FALSE(replayRun(module, *system, {receive, send}));
  EXPECT_FALSE(replayRun(module, *system, {send, send}));
  EXPECT_TRUE(replayRun(module, *system, {}));
}

// The reduction leaves peers alone that are done: p could take x before r sends
// y, and would then not be done when y is left.
TEST(Health, ReductionKeepsWhereAllAreDone) {
  Module module;
  addRandomPeer(module, "r", readLts("0 p!x 1; 1 q!y 2; final 2", "r"));
  addRandomPeer(module, "p", readLts("0 r?x 1; final 0", "p"));
  addRandomPeer(module, "q", readLts("final 0", "q"));
  for (uint64_t wholeStates : {1, 1000}) {
    std::optional<Health> health =
        healthOf(module, NetworkKind::Inbox, wholeStates);
    ASSERT_TRUE(health);
    const HealthFinding &orphan =
        health->findings[static_cast<unsigned>(HealthProblem::Orphan)];
    EXPECT_EQ(orphan.verdict, Verdict::Violated);
    EXPECT_TRUE(orphan.exact);
    ASSERT_TRUE(orphan.witness);
    EXPECT_EQ(orphan.witness->steps.size(), 2u);
  }
}
