//===- SystemExchangeTest.cpp - Systems as other engines use them ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an engine in another process relies on: states travel as bytes, groups
/// step on their own, and the dependency matrix is true. The models are random
/// ones of every semantics, under every network, with data and without.
///
//===----------------------------------------------------------------------===//

#include "BpmnTesting.h"
#include "NaiveGenerator.h"
#include "NaiveThrows.h"
#include "RandomData.h"
#include "RandomSystems.h"
#include "cif/Explore/Explorer.h"
#include "cif/Semantics/CommandSystem.h"
#include <deque>
#include <gtest/gtest.h>

using namespace cif;
using namespace cif::test;

namespace {
using Vector = std::vector<uint32_t>;

constexpr NetworkKind allNetworks[] = {
#define CIF_NETWORK(NAME, WORD, TEXT, ORDER, PROPERTIES) NetworkKind::NAME,
#include "cif/Semantics/Networks.def"
};

/// A model and one way to read it.
struct Case {
  std::string text;
  std::function<Module()> module;
  SemanticsOptions options;
};

/// The kinds of models: peers, choreographies, collaborations, data, and
/// collaborations read from diagrams with boundary events, errors, escalations.
constexpr unsigned numKinds = 5;

/// The cases of model \p seed of one kind.
std::vector<Case> casesOf(unsigned kind, unsigned seed) {
  std::function<Module()> make;
  SmallVector<SemanticsKind, 3> semantics{SemanticsKind::Auto};
  if (kind < 3)
    make = [=] {
      Random random(seed);
      return kind == 0   ? randomPeers(random)
             : kind == 1 ? randomChoreography(random)
                         : randomCollaboration(random);
    };
  else if (kind == 3)
    make = [=] { return std::move(DataGenerator(seed).module); };
  else
    make = [=] {
      bpmntest::Parsed parsed = bpmntest::readModel(naive::Generator::text(
          naive::withThrows(naive::Generator(seed).make(), seed)));
      EXPECT_TRUE(parsed.good) << parsed.text();
      return std::move(parsed.module);
    };
  if (kind >= 2)
    semantics = {SemanticsKind::Collaboration, SemanticsKind::Detailed,
                 SemanticsKind::Fbpmn};
  std::vector<Case> cases;
  for (SemanticsKind of : semantics)
    for (NetworkKind network : allNetworks)
      for (bool plain : {false, true}) {
        if (kind == 1 && (plain || network != NetworkKind::Bag))
          continue; // choreographies have no network
        if (of == SemanticsKind::Fbpmn && network == NetworkKind::Sync)
          continue; // it has no handshakes
        SemanticsOptions options;
        options.semantics = of;
        options.network = network;
        options.bound = 1 + seed % 3;
        options.plainQueues = plain;
        cases.push_back(
            {"kind " + std::to_string(kind) + ", seed " + std::to_string(seed) +
                 ", " + semanticsWords()[static_cast<unsigned>(of)].str() +
                 ", " + networkText(network).str() + (plain ? ", plain" : ""),
             make, options});
      }
  return cases;
}

/// A system and what it is made of. \p asCommands: by its guarded commands,
/// where it has them.
struct Made {
  explicit Made(const Case &of, bool asCommands = false)
      : module(of.module()),
        system(makeSystem(module, of.options, diags.engine)) {
    std::string reason;
    Origin at;
    if (system && asCommands)
      if (auto model = system->commands(reason, at))
        system = makeCommandSystem(std::move(*model));
  }
  TestDiagnostics diags;
  Module module;
  std::unique_ptr<System> system;
  explicit operator bool() const { return system != nullptr; }
};

using Bytes = std::vector<std::string>; ///< by slot

Bytes exported(const System &system, const uint32_t *state) {
  Bytes bytes(system.width());
  for (unsigned slot = 0; slot < system.width(); ++slot)
    system.exportSlot(slot, state[slot], bytes[slot]);
  return bytes;
}

Vector imported(const System &system, const Bytes &bytes) {
  Vector state(system.width());
  for (unsigned slot = 0; slot < system.width(); ++slot) {
    std::optional<uint32_t> value = system.importSlot(slot, bytes[slot]);
    EXPECT_TRUE(value);
    state[slot] = value.value_or(0);
  }
  return state;
}

constexpr size_t mostStates = 3000;

/// How many states two systems find that hand every state to the other.
size_t countBetween(const System &a, const System &b) {
  std::set<Bytes> seen;
  std::deque<Bytes> work;
  auto add = [&](const System &by, const uint32_t *state) {
    auto [at, isNew] = seen.insert(exported(by, state));
    if (isNew)
      work.push_back(*at);
  };
  Vector state(a.width()), scratch(a.width());
  a.initial(state.data());
  add(a, state.data());
  // The second one has seen other contents first.
  size_t turn = 0;
  for (; !work.empty() && seen.size() <= mostStates; ++turn) {
    const System &by = turn % 3 ? b : a;
    Bytes now = turn % 2 ? work.front() : work.back();
    turn % 2 ? work.pop_front() : work.pop_back();
    state = imported(by, now);
    EXPECT_EQ(exported(by, state.data()), now);
    by.successors(state.data(), scratch.data(),
                  [&](const Step &, const uint32_t *next) {
                    add(by, next);
                    return true;
                  });
  }
  return seen.size();
}

void expectSameNumbers(const System &a, const System &b) {
  ASSERT_EQ(a.width(), b.width());
  ASSERT_EQ(a.groups().size(), b.groups().size());
  EXPECT_TRUE(a.labels() == b.labels());
  for (GroupIndex g = 0; g < a.groups().size(); ++g) {
    EXPECT_EQ(a.groups().origin(g), b.groups().origin(g));
    EXPECT_EQ(a.groups().reads(g), b.groups().reads(g));
    EXPECT_EQ(a.groups().writes(g), b.groups().writes(g));
  }
  for (unsigned slot = 0; slot < a.width(); ++slot)
    EXPECT_EQ(a.isInterned(slot), b.isInterned(slot));
}

/// A step as it depends on slots: what it shows, and the values it writes.
using Effect = std::tuple<LabelIndex, GroupIndex, Vector>;

std::vector<Effect> effects(const System &system, GroupIndex group,
                            const Vector &state, ArrayRef<uint32_t> writes) {
  std::vector<Effect> all;
  Vector scratch(state.size());
  system.successorsOf(
      group, state.data(), scratch.data(),
      [&](const Step &step, const uint32_t *next) {
        EXPECT_EQ(step.group, group);
        Vector written;
        for (uint32_t slot : writes)
          written.push_back(next[slot]);
        for (uint32_t slot = 0; slot < state.size(); ++slot)
          EXPECT_TRUE(next[slot] == state[slot] ||
                      llvm::is_contained(writes, slot))
              << "group " << group << " changes slot " << slot;
        all.push_back({step.label, step.partner, std::move(written)});
        return true;
      });
  return all;
}

/// The rows of all groups in \p state: what they do not read may be as in
/// \p other.
void expectTrueRows(const System &system, const Vector &state,
                    const Vector &other) {
  size_t steps = 0;
  for (GroupIndex g = 0; g < system.groups().size(); ++g) {
    const Vector reads = system.groups().reads(g),
                 writes = system.groups().writes(g);
    EXPECT_TRUE(std::includes(reads.begin(), reads.end(), writes.begin(),
                              writes.end()));
    std::vector<Effect> here = effects(system, g, state, writes);
    steps += here.size();
    Vector mixed = other;
    for (uint32_t slot : reads)
      mixed[slot] = state[slot];
    EXPECT_EQ(here, effects(system, g, mixed, writes)) << "group " << g;
  }
  // The groups together take all steps.
  Vector scratch(state.size());
  system.successors(state.data(), scratch.data(),
                    [&](const Step &, const uint32_t *) {
                      --steps;
                      return true;
                    });
  EXPECT_EQ(steps, 0u);
}

/// Changes bytes in one of a few ways.
std::string mutated(Random &random, std::string bytes) {
  auto somewhere = [&] { return below(random, bytes.size() + 1); };
  switch (below(random, 6)) {
  case 0: // a byte
    if (!bytes.empty())
      bytes[below(random, bytes.size())] = static_cast<char>(random());
    break;
  case 1: // a small change to a word
    if (size_t words = bytes.size() / 4)
      bytes[4 * below(random, words)] += below(random, 2) ? 1 : -1;
    break;
  case 2:
    bytes.resize(somewhere());
    break;
  case 3:
    bytes.resize(somewhere() / 4 * 4);
    break;
  case 4: // a word more
    bytes.insert(somewhere() / 4 * 4, std::string(4, '\0'));
    break;
  default: // two words exchanged
    if (size_t words = bytes.size() / 4)
      for (size_t a = 4 * below(random, words), b = 4 * below(random, words),
                  i = 0;
           i < 4; ++i)
        std::swap(bytes[a + i], bytes[b + i]);
  }
  return bytes;
}
} // namespace

TEST(SystemExchange, TwoSystemsThatHandOverEveryStateCountTheSame) {
  unsigned compared = 0, interned = 0;
  std::vector<unsigned> byNetwork(std::size(allNetworks));
  for (unsigned kind = 0; kind < numKinds; ++kind)
    for (unsigned seed = 0; seed < 10; ++seed)
      for (const Case &at : casesOf(kind, seed)) {
        SCOPED_TRACE(at.text);
        Made a(at), b(at);
        ASSERT_TRUE(a && b) << a.diags.text();
        expectSameNumbers(*a.system, *b.system);
        ExplorerOptions limited;
        limited.limits.maxStates = mostStates;
        Exploration e = explore(*a.system, limited);
        if (!e.complete)
          continue;
        Made fresh(at);
        EXPECT_EQ(countBetween(*b.system, *fresh.system), e.numStates());
        ++compared;
        ++byNetwork[static_cast<unsigned>(*at.options.network)];
        for (unsigned slot = 0; slot < a.system->width(); ++slot)
          interned += a.system->isInterned(slot);
      }
  EXPECT_GT(compared, 500u);
  EXPECT_GT(interned, 500u);
  for (unsigned count : byNetwork)
    EXPECT_GT(count, 30u);
}

TEST(SystemExchange, PlainQueuesHaveTheSameStates) {
  unsigned compared = 0;
  for (unsigned kind : {0u, 2u, 3u, 4u})
    for (unsigned seed = 0; seed < 8; ++seed) {
      std::vector<Case> cases = casesOf(kind, seed);
      for (size_t i = 0; i < cases.size(); i += 2) {
        SCOPED_TRACE(cases[i].text);
        Made stored(cases[i]), plain(cases[i + 1]);
        ASSERT_TRUE(stored && plain);
        ExplorerOptions limited;
        limited.limits.maxStates = mostStates;
        Exploration a = explore(*stored.system, limited),
                    b = explore(*plain.system, limited);
        EXPECT_EQ(a.complete, b.complete);
        if (!a.complete)
          continue;
        EXPECT_EQ(a.numStates(), b.numStates());
        EXPECT_EQ(a.transitions, b.transitions);
        EXPECT_TRUE(a.lts.finals.ref() == b.lts.finals.ref());
        // Also for people.
        for (StateIndex s = 0; s < std::min<size_t>(a.numStates(), 50); ++s)
          EXPECT_EQ(a.describe(s), b.describe(s));
        ++compared;
      }
    }
  EXPECT_GT(compared, 300u);
}

TEST(SystemExchange, GroupsKeepToTheirRows) {
  Random random(11);
  unsigned systems = 0;
  auto look = [&](const Case &at, bool asCommands) {
    SCOPED_TRACE(at.text + (asCommands ? ", as commands" : ""));
    Made made(at, asCommands);
    ASSERT_TRUE(made);
    ExplorerOptions limited;
    limited.limits.maxStates = 400;
    Exploration e = explore(*made.system, limited);
    ++systems;
    for (unsigned i = 0; i < 6; ++i)
      expectTrueRows(*made.system, e.vectorOf(random() % e.numStates()),
                     e.vectorOf(random() % e.numStates()));
  };
  for (unsigned kind = 0; kind < numKinds; ++kind)
    for (unsigned seed = 0; seed < 25; ++seed)
      for (Case &at : casesOf(kind, 100 + seed)) {
        look(at, /*asCommands=*/false);
        look(at, /*asCommands=*/true);
        if (kind)
          continue;
        at.options.eagerReceptions = SemanticsOptions::Eager;
        look(at, /*asCommands=*/false);
      }
  EXPECT_GT(systems, 2000u);
}

TEST(SystemExchange, ChangedBytesAreRefusedOrCanonical) {
  Random random(5);
  unsigned taken = 0, refused = 0;
  for (unsigned kind = 0; kind < numKinds; ++kind)
    for (unsigned seed = 0; seed < 10; ++seed)
      for (const Case &at : casesOf(kind, 200 + seed)) {
        SCOPED_TRACE(at.text);
        Made made(at);
        ASSERT_TRUE(made);
        const System &system = *made.system;
        ExplorerOptions limited;
        limited.limits.maxStates = 200;
        Exploration e = explore(system, limited);
        Vector scratch(system.width());
        for (unsigned round = 0; round < 40; ++round) {
          Vector state = e.vectorOf(random() % e.numStates());
          unsigned slot = random() % system.width();
          std::string bytes, again;
          system.exportSlot(slot, state[slot], bytes);
          for (unsigned times = 1 + below(random, 2); times; --times)
            bytes = mutated(random, bytes);
          std::optional<uint32_t> value = system.importSlot(slot, bytes);
          ++(value ? taken : refused);
          if (!value)
            continue;
          system.exportSlot(slot, *value, again);
          EXPECT_EQ(again, bytes);
          // Whatever was let in can be worked with.
          state[slot] = *value;
          system.successors(
              state.data(), scratch.data(),
              [](const Step &, const uint32_t *) { return true; });
          (void)system.describe(state.data());
          (void)system.isFinal(state.data());
        }
      }
  EXPECT_GT(taken, 1000u);
  EXPECT_GT(refused, 1000u);
}
