//===- StructureTest.cpp - Structural flaws and their runs ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated choreographies whose splits meet in joins of any kind, against the
/// rules of tokens spelt out: sets of markings, and a search from each of them.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Structure/Structure.h"
#include "cif/IR/Builder.h"
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace cif;

namespace {

/// Blocks within blocks; the join of a split is of its kind or of another.
class Generator {
public:
  Generator(Module &module, unsigned seed)
      : b(module, BehaviourKind::Choreography, "P"), random(seed) {}

  void make() {
    NodeId start = b.add(NodeKind::Initial);
    NodeId end = sequence(start, 0);
    // A join without a way on is a dead end.
    b.chain({end, b.add(below(8) ? NodeKind::Final : NodeKind::SimpleJoin)});
  }

private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random() % n); }

  NodeId step() {
    return b.interaction("a", "b", "m" + std::to_string(messages++));
  }

  NodeId sequence(NodeId from, unsigned depth) {
    for (unsigned n = 1 + below(2); n; --n)
      from = block(from, depth);
    return from;
  }

  NodeId block(NodeId from, unsigned depth) {
    if (depth > 1 || below(3) == 0) {
      NodeId node = step();
      b.chain({from, node});
      return node;
    }
    static const NodeKind splits[] = {NodeKind::Choice, NodeKind::AllSelect,
                                      NodeKind::SubsetSelect,
                                      NodeKind::EventChoice};
    NodeId split = b.add(splits[below(4)]);
    NodeKind kind = below(2) ? NodeKind::SimpleJoin : NodeKind::AllJoin;
    NodeId join = b.add(kind);
    b.chain({from, split});
    bool hasDefault =
        b.behaviour().node(split).kind == NodeKind::SubsetSelect && below(2);
    for (unsigned n = 2 + below(2); n; --n) {
      NodeId first = step();
      if (n == 1 && hasDefault)
        b.defaultFlow(split, first);
      else
        b.flow(split, first);
      b.chain({below(2) ? sequence(first, depth + 1) : first, join});
    }
    if (below(4))
      return join;
    // Around again, sometimes.
    NodeId again = b.add(NodeKind::Choice);
    b.chain({join, again, join});
    return again;
  }

  BehaviourBuilder b;
  std::mt19937 random;
  unsigned messages = 0;
};

/// Tokens on flows, to the letter.
class Tokens {
public:
  using Marking = std::vector<unsigned>;
  using Step = std::pair<std::string, Marking>;

  Tokens(const Module &of, const Behaviour &behaviour)
      : module(of), b(behaviour), flows(behaviour) {}

  Marking start() const {
    Marking m(b.flows.size(), 0);
    for (size_t i = 0; i < b.flows.size(); ++i)
      m[i] = b.node(b.flows[i].source).kind == NodeKind::Initial;
    return m;
  }

  /// An event choice is passed by the first step of a branch, which in these
  /// graphs follows at once: it is a choice and a step.
  std::vector<Step> steps(const Marking &m) const {
    std::vector<Step> found;
    for (size_t n = 0; n < b.nodes.size(); ++n) {
      const Node &node = b.nodes[n];
      ArrayRef<FlowId> in = flows.incoming(NodeId(n));
      if (node.kind == NodeKind::AllJoin) {
        if (!in.empty() &&
            llvm::all_of(in, [&](FlowId f) { return m[f.index()] > 0; })) {
          Marking next = m;
          for (FlowId f : in)
            --next[f.index()];
          leave(NodeId(n), next, found);
        }
        continue;
      }
      for (FlowId f : in)
        if (m[f.index()]) {
          Marking next = m;
          --next[f.index()];
          leave(NodeId(n), next, found);
        }
    }
    return found;
  }

  /// All markings, or none where there are too many.
  std::set<Marking> reach(const Marking &from, size_t limit) const {
    std::set<Marking> seen{from};
    std::vector<Marking> work{from};
    while (!work.empty()) {
      Marking m = work.back();
      work.pop_back();
      for (auto &[label, next] : steps(m))
        if (seen.insert(next).second) {
          if (seen.size() > limit)
            return {};
          work.push_back(next);
        }
    }
    return seen;
  }

  bool shows(const Marking &m, const StructureFlaw &flaw) const {
    unsigned sum = 0;
    for (FlowId f : flows.incoming(flaw.node))
      sum += m[f.index()];
    switch (flaw.shownBy) {
    case FlawRun::None:
      return false;
    case FlawRun::TokenArrives:
      return sum > 0;
    case FlawRun::TwoTokens:
      for (FlowId f : flows.outgoing(flaw.node))
        sum += m[f.index()];
      return sum > 1;
    case FlawRun::TokenStays:
      for (FlowId f : flows.incoming(flaw.node))
        if (m[f.index()] && !everTakes(m, f))
          return true;
      return false;
    }
    return false;
  }

private:
  bool everTakes(const Marking &from, FlowId f) const {
    for (const Marking &m : reach(from, SIZE_MAX))
      for (auto &[label, next] : steps(m))
        if (next[f.index()] < m[f.index()])
          return true;
    return false;
  }

  void leave(NodeId n, const Marking &m, std::vector<Step> &found) const {
    const Node &node = b.node(n);
    ArrayRef<FlowId> out = flows.outgoing(n);
    auto put = [&](auto chosen, std::string label = "tau") {
      Marking next = m;
      for (size_t i = 0; i < out.size(); ++i)
        next[out[i].index()] += chosen(i);
      found.push_back({label, next});
    };
    auto isDefault = [&](size_t i) {
      return (b.flow(out[i]).flags & DefaultFlow) != 0;
    };
    switch (node.kind) {
    case NodeKind::Choice:
      for (size_t one = 0; one < out.size(); ++one)
        put([&](size_t i) { return i == one; });
      return;
    case NodeKind::EventChoice:
      for (size_t one = 0; one < out.size(); ++one) {
        leave(b.flow(out[one]).target, m, found);
      }
      return;
    case NodeKind::SubsetSelect:
      for (unsigned set = 1; set < 1u << out.size(); ++set) {
        bool fits = true;
        for (size_t i = 0; i < out.size(); ++i)
          fits &= !(set >> i & 1) || !isDefault(i) || set == 1u << i;
        if (fits)
          put([&](size_t i) { return set >> i & 1; });
      }
      return;
    case NodeKind::Interaction:
      return put([](size_t) { return 1; }, module.exchangeText(node.message));
    default:
      return put([](size_t) { return 1; });
    }
  }

  const Module &module;
  const Behaviour &b;
  FlowIndex flows;
};

TEST(Structure, RunsShowFlaws) {
  unsigned shown = 0, harmless = 0, models = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Module module;
    Generator(module, seed).make();
    const Behaviour &b = module.behaviours[0];
    std::vector<StructureFlaw> flaws = checkStructure(module, b);
    Tokens tokens(module, b);
    std::set<Tokens::Marking> all = tokens.reach(tokens.start(), 300);
    if (all.empty())
      continue;
    ++models;
    StructureRuns runs = runStructure(module, b, flaws, Limits());
    EXPECT_EQ(runs.undecided, "");
    EXPECT_EQ(runs.states, all.size());
    for (size_t i = 0; i < flaws.size(); ++i) {
      if (flaws[i].shownBy == FlawRun::None)
        continue;
      bool naive = llvm::any_of(all, [&](const Tokens::Marking &m) {
        return tokens.shows(m, flaws[i]);
      });
      ASSERT_EQ(runs.outcomes[i],
                naive ? StructureRuns::Shown : StructureRuns::Harmless)
          << "seed " << seed << ": " << flaws[i].text;
      (naive ? shown : harmless) += 1;
    }
    // The run leads to where the first one shows.
    if (!llvm::is_contained(runs.outcomes, StructureRuns::Shown))
      continue;
    std::set<Tokens::Marking> at{tokens.start()};
    for (const WitnessStep &step : runs.run) {
      std::set<Tokens::Marking> next;
      for (const Tokens::Marking &m : at)
        for (auto &[label, to] : tokens.steps(m))
          if (label == step.label)
            next.insert(to);
      at = std::move(next);
    }
    EXPECT_TRUE(llvm::any_of(at,
                             [&](const Tokens::Marking &m) {
                               return tokens.shows(m, flaws[runs.first]);
                             }))
        << "seed " << seed;
  }
  // All of it was there.
  EXPECT_GT(models, 500u);
  EXPECT_GT(shown, 200u);
  EXPECT_GT(harmless, 20u);
}

TEST(Structure, LimitsLeaveItUndecided) {
  Module module;
  BehaviourBuilder b(module, BehaviourKind::Choreography, "P");
  NodeId split = b.add(NodeKind::Choice), join = b.add(NodeKind::AllJoin);
  b.chain({b.add(NodeKind::Initial), split, b.interaction("a", "b", "x"), join,
           b.add(NodeKind::Final)});
  b.chain({split, b.interaction("a", "b", "y"), join});
  std::vector<StructureFlaw> flaws =
      checkStructure(module, module.behaviours[0]);
  ASSERT_EQ(flaws.size(), 1u);
  Limits limits;
  EXPECT_EQ(
      runStructure(module, module.behaviours[0], flaws, limits).outcomes[0],
      StructureRuns::Shown);
  limits.maxStates = 1;
  StructureRuns runs =
      runStructure(module, module.behaviours[0], flaws, limits);
  EXPECT_EQ(runs.outcomes[0], StructureRuns::Undecided);
  EXPECT_NE(runs.undecided, "");
}

} // namespace
