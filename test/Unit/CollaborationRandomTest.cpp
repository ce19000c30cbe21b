//===- CollaborationRandomTest.cpp - Generated collaborations -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated diagrams, read as BPMN, against the naive interpreter: the same
/// numbers of states and steps under every network, and of states that are
/// sound. CIF_COLLABORATIONS says how many diagrams (150).
///
//===----------------------------------------------------------------------===//

#include "BpmnTesting.h"
#include "NaiveCollaboration.h"
#include "SemanticsModels.h"
#include "cif/Explore/Explorer.h"
#include "cif/Semantics/CollaborationSystem.h"
#include <cstdlib>
#include <deque>

using namespace cif;
using namespace cif::test;

namespace {
struct Counts {
  size_t states = 0, steps = 0, sound = 0;
  bool operator==(const Counts &) const = default;
};

/// What the naive interpreter finds; nothing: too much.
template <class Naive>
std::optional<Counts> naively(const Naive &naive, size_t most) {
  Counts counts;
  std::set<naive::State> seen{naive.initial()};
  std::deque<naive::State> work(seen.begin(), seen.end());
  while (!work.empty()) {
    naive::State s = std::move(work.front());
    work.pop_front();
    counts.sound += naive.sound(s);
    for (naive::State &t : naive.next(s)) {
      ++counts.steps;
      if (seen.insert(t).second)
        work.push_back(std::move(t));
    }
    if (seen.size() > most)
      return std::nullopt;
  }
  counts.states = seen.size();
  return counts;
}

Counts explored(const CollaborationSystem &system) {
  Exploration all = explore(system, {});
  EXPECT_TRUE(all.complete) << all.incompleteText();
  Counts counts{all.numStates(), all.transitions, 0};
  for (StateIndex s = 0; s < all.numStates(); ++s) {
    std::vector<uint32_t> state = all.vectorOf(s);
    bool sound = true;
    for (uint32_t p = 0; p < system.processes().size(); ++p)
      sound &= system.isSound(state.data(), p);
    counts.sound += sound;
  }
  return counts;
}

unsigned howMany() {
  const char *asked = std::getenv("CIF_COLLABORATIONS");
  return asked ? std::atoi(asked) : 150;
}

const NetworkKind networks[] = {NetworkKind::Bag,     NetworkKind::FifoPair,
                                NetworkKind::Inbox,   NetworkKind::Outbox,
                                NetworkKind::FifoAll, NetworkKind::Causal,
                                NetworkKind::Rsc};

/// Compares what \p kind finds in generated diagrams with \p Naive.
template <class Naive>
void compare(SemanticsKind kind, bool inNormalForm) {
  unsigned compared = 0, large = 0;
  size_t states = 0;
  for (unsigned seed = 0; seed < howMany(); ++seed) {
    naive::Diagram diagram = naive::Generator(seed).make();
    if (inNormalForm)
      diagram = naive::normalForm(diagram);
    std::string text = naive::Generator::text(diagram);
    bpmntest::Parsed parsed = bpmntest::readModel(text);
    ASSERT_TRUE(parsed.good) << parsed.text() << text;
    uint32_t bound = 1 + seed % 2;
    for (NetworkKind network : networks) {
      if (inNormalForm && network == NetworkKind::Causal)
        continue; // its clocks are compared up to a shift: Network.* tests
      auto counts = naively(Naive(diagram, network, bound), 1500);
      if (!counts) {
        ++large;
        continue;
      }
      TestDiagnostics diags;
      SemanticsOptions options;
      options.semantics = kind;
      options.network = network;
      options.limits = {bound, bound, bound};
      auto system =
          makeCollaborationSystem(parsed.module, options, diags.engine);
      ASSERT_TRUE(system) << diags.text() << text;
      Counts found = explored(*system);
      ASSERT_EQ(found.states, counts->states)
          << seed << " " << networkText(network).str() << " " << text;
      ASSERT_EQ(found.steps, counts->steps)
          << seed << " " << networkText(network).str() << " " << text;
      ASSERT_EQ(found.sound, counts->sound)
          << seed << " " << networkText(network).str() << " " << text;
      ++compared;
      states += counts->states;
    }
  }
  EXPECT_GT(compared, howMany() * 2);
  std::printf("%u compared, %zu states, %u too large\n", compared, states,
              large);
}

TEST(CollaborationRandom, FbpmnIsTheInterpreter) {
  compare<naive::Fbpmn>(SemanticsKind::Fbpmn, /*inNormalForm=*/false);
}

TEST(CollaborationRandom, DetailedIsTheInterpreter) {
  compare<naive::Detailed>(SemanticsKind::Detailed, /*inNormalForm=*/true);
}
} // namespace
