//===- SynchronizabilityTest.cpp - The checks against naive ones ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated protocols, decided once more straight from the definitions: sets
/// of configurations, one set for handshakes and one for queues, side by side.
///
//===----------------------------------------------------------------------===//

#include "Generated.h"
#include "Protocols.h"
#include "SemanticsModels.h"
#include "cif/Check/Peers/Realizability.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/IR/Verifier.h"
#include <gtest/gtest.h>

using namespace cif;
using namespace cif::test;

TEST(Synchronizability, AgreesWithTheDefinitions) {
  std::mt19937 random(20);
  unsigned compared = 0, violated = 0, realizable = 0, exactTopologies = 0;
  Generated models("protocols with sets of configurations", 5000);
  const unsigned wanted = models.wanted();
  for (unsigned seed = 0; compared < wanted && seed < 3 * wanted; ++seed) {
    Protocol p = randomProtocol(random, seed);
    bool pairs = seed % 2;
    unsigned bound = 1 + seed % 7 / 6;
    Naive sync(p, pairs, 0), queued(p, pairs, bound);
    std::optional<unsigned> expected = extraTrace(queued, sync);
    std::optional<unsigned> beyond = extraTrace(sync, NaiveGlobal(p));
    if (!expected || !beyond)
      continue;
    ++compared;
    models.count();
    SCOPED_TRACE("seed " + std::to_string(seed));

    Lts global = globalOf(p);
    Module module = peersOf(global);
    TestDiagnostics diags;
    SynchronizabilityOptions options;
    options.network = pairs ? NetworkKind::FifoPair : NetworkKind::Inbox;
    options.bound = bound;
    auto result = checkRealizability(module, global, Relation::WeakTrace,
                                     options, diags.engine);
    ASSERT_TRUE(result) << diags.text();
    const Synchronizability &queues = result->queues;
    EXPECT_EQ(queues.verdict, *expected ? Verdict::Violated : Verdict::Holds);
    EXPECT_EQ(queues.trace.size(), *expected);
    EXPECT_EQ(result->handshakes.verdict,
              *beyond ? Verdict::Violated : Verdict::Holds);
    EXPECT_EQ(result->verdict,
              *expected || *beyond ? Verdict::Violated : Verdict::Holds);
    violated += queues.verdict == Verdict::Violated;
    realizable += result->verdict == Verdict::Holds;

    // What holds exactly holds for larger bounds.
    if (queues.verdict == Verdict::Holds && queues.exact) {
      ++exactTopologies;
      std::optional<unsigned> larger = extraTrace(Naive(p, pairs, 3), sync);
      EXPECT_EQ(larger.value_or(0), 0u);
    }
  }
  EXPECT_EQ(compared, wanted);
  EXPECT_GT(violated, 500u);
  EXPECT_GT(realizable, 500u);
  EXPECT_GT(exactTopologies, 250u);
}

/// Each state twice, with a silent step from one to the other, which has all of
/// its steps.
static Lts withSilentSteps(std::mt19937 &random, const Lts &lts) {
  LtsBuilder builder;
  for (StateIndex s = 0; s < lts.numStates(); ++s) {
    builder.add(2 * s, tauLabel, 2 * s + 1);
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t)
      for (unsigned copy : {0, 1})
        if (copy || random() % 2)
          builder.add(2 * s + copy,
                      builder.labels.intern(lts.labels[lts.label[t]]),
                      2 * lts.target[t] + random() % 2);
  }
  return std::move(builder).finish(2 * lts.initial, 2 * lts.numStates());
}

TEST(Synchronizability, MinimisedPeersChangeNothing) {
  std::mt19937 random(11);
  Generated models("protocols with minimised peers", 500);
  unsigned holds = 0, violated = 0, minimised = 0;
  for (unsigned seed = 0; models.done() < models.wanted(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Lts global = globalOf(randomProtocol(random, seed));
    Module module = peersOf(global);
    for (SystemDecl &peer : module.systems)
      peer.lts = withSilentSteps(random, peer.lts);
    TestDiagnostics diags;
    SynchronizabilityOptions options;
    options.network = static_cast<NetworkKind>(random() % 8);
    options.limits.maxStates = 20'000;
    if (random() % 2)
      options.bound = 1 + random() % 2;
    options.reduces = false;
    auto one = checkRealizability(module, global, Relation::Weak, options,
                                  diags.engine);
    options.reduces = true;
    options.fewStates = 1;
    auto two = checkRealizability(module, global, Relation::Weak, options,
                                  diags.engine);
    ASSERT_TRUE(one && two) << diags.text();
    if (one->verdict == Verdict::Inconclusive)
      continue;
    models.count();
    ASSERT_EQ(one->verdict, two->verdict);
    ASSERT_LE(one->exact, two->exact);
    ASSERT_EQ(one->queues.trace.size(), two->queues.trace.size());
    minimised += StringRef(two->method).ends_with("; peers minimised first");
    ++(one->verdict == Verdict::Holds ? holds : violated);
  }
  EXPECT_GT(minimised, holds / 2);
  EXPECT_GT(holds, models.wanted() / 10);
  EXPECT_GT(violated, models.wanted() / 10);
}

TEST(Synchronizability, ProjectedGraphsMeanTheirPeers) {
  std::mt19937 random(7);
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Protocol p = randomProtocol(random, seed);
    Module module = graphOf(p);
    TestDiagnostics diags;
    auto global = globalLts(module, {false, 0}, Limits(), diags.engine);
    ASSERT_TRUE(global) << diags.text() << global.limit();
    Budget budget{Limits()};
    for (const std::string &name : participantsOf(global->lts)) {
      std::vector<UntoldChoice> untold;
      Behaviour process = projectGraph(module, module.behaviours[0],
                                       module.findParticipant(name), untold);
      Module local = module.clone();
      process.name = local.intern(name);
      local.behaviours.push_back(std::move(process));
      ASSERT_TRUE(verify(local, diags.engine)) << diags.text();
      SemanticsOptions semantics;
      semantics.semantics = SemanticsKind::Local;
      ExploredModule explored =
          exploreModule(local, semantics, ExplorerOptions(), diags.engine);
      ASSERT_TRUE(explored) << diags.text();
      ASSERT_TRUE(explored->complete);
      auto peer = projectLts(global->lts, name, budget);
      EXPECT_TRUE(compare(explored->lts, *peer, Relation::WeakTrace).holds())
          << name;
    }
  }
}

TEST(Synchronizability, Topologies) {
  auto topology =
      [](std::initializer_list<std::pair<const char *, const char *>> peers) {
        Module module;
        for (auto [name, text] : peers) {
          SystemDecl decl;
          decl.name = module.intern(name);
          decl.owner = module.getParticipant(decl.name);
          decl.role = SystemRole::Peer;
          decl.lts = readLts(text, name);
          module.systems.push_back(std::move(decl));
        }
        TestDiagnostics diags;
        SemanticsOptions semantics;
        auto view = makePeerView(module, semantics, diags.engine);
        EXPECT_TRUE(view);
        return topologyOf(*view);
      };
  EXPECT_EQ(topology({{"a", "0 b!m 1; 1 b?n 0"}, {"b", "0 a?m 1; 1 a!n 0"}}),
            Topology::OrientedRing);
  EXPECT_EQ(topology({{"a", "0 b!m 1; 1 c!n 0"},
                      {"b", "0 a?m 0"},
                      {"c", "0 a?n 1; 1 d!o 0"},
                      {"d", "0 c?o 0"}}),
            Topology::Tree);
  EXPECT_EQ(topology({{"a", "0 b!m 0; 0 c?o 0"},
                      {"b", "0 a?m 1; 1 c!n 0"},
                      {"c", "0 b?n 1; 1 a!o 0"}}),
            Topology::OrientedRing);
  // Two senders to one; a ring with a tail; two rings.
  EXPECT_EQ(topology({{"a", "0 c!m 0"}, {"b", "0 c!n 0"}, {"c", "0 a?m 0"}}),
            Topology::Other);
  EXPECT_EQ(
      topology({{"a", "0 b!m 0; 0 c!o 0"}, {"b", "0 a!n 0"}, {"c", "0 a?o 0"}}),
      Topology::Other);
  EXPECT_EQ(topology({{"a", "0 b!m 0"},
                      {"b", "0 a!n 0"},
                      {"c", "0 d!m 0"},
                      {"d", "0 c!n 0"}}),
            Topology::Other);
}
