//===- RepairTest.cpp - Repairs of generated collaborations ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sound collaborations got by projection, with one thing broken in each: a
/// kind of gateway, the order of two steps, a reception. As each of these can
/// be undone by one change, a repair must be found; and what is offered must
/// have every property by the naive interpreter, which shares no code with the
/// check.
///
//===----------------------------------------------------------------------===//

#include "NaiveProperties.h"
#include "Projected.h"
#include "SenderChoices.h"
#include "cif/IR/Verifier.h"
#include "cif/Repair/CollaborationRepair.h"
#include "cif/Support/Source.h"
#include "gtest/gtest.h"

using namespace cif;
using namespace cif::test;

namespace {
naive::Kind naiveKind(const Node &node) {
  switch (node.kind) {
  case NodeKind::Initial:
    return node.message ? naive::Kind::MessageStart : naive::Kind::NoneStart;
  case NodeKind::Final:
    return naive::Kind::NoneEnd;
  case NodeKind::Terminate:
    return naive::Kind::Terminate;
  case NodeKind::Send:
    return naive::Kind::Send;
  case NodeKind::Receive:
    return naive::Kind::Receive;
  case NodeKind::Catch:
    return naive::Kind::Catch;
  case NodeKind::AllSelect:
  case NodeKind::AllJoin:
    return naive::Kind::Parallel;
  case NodeKind::SubsetSelect:
  case NodeKind::SubsetJoin:
    return naive::Kind::Inclusive;
  case NodeKind::EventChoice:
    return naive::Kind::EventBased;
  case NodeKind::Choice:
  case NodeKind::SimpleJoin:
    return naive::Kind::Exclusive;
  default:
    return naive::Kind::Task;
  }
}

/// The module as the naive interpreter draws it: every message has one sender
/// and one receiver at most.
naive::Diagram diagramOf(const Module &module) {
  naive::Diagram d;
  std::map<uint32_t, std::pair<int, int>> ends; // by message
  for (const Behaviour &b : module.behaviours) {
    const int first = static_cast<int>(d.nodes.size());
    for (const Node &node : b.nodes) {
      const int n = static_cast<int>(d.nodes.size());
      d.nodes.push_back({naiveKind(node), d.processes});
      if (!node.message)
        continue;
      auto &end = ends.try_emplace(node.message.index(), -1, -1).first->second;
      (sendsMessage(node) ? end.first : end.second) = n;
    }
    for (const Flow &flow : b.flows)
      d.flows.push_back({first + static_cast<int>(flow.source.index()),
                         first + static_cast<int>(flow.target.index())});
    ++d.processes;
  }
  for (const auto &[message, end] : ends)
    if (end.first >= 0 && end.second >= 0)
      d.messages.push_back(
          {end.first, end.second, "m" + std::to_string(message)});
  return naive::normalForm(d);
}

/// Whether all properties hold; nothing: there are too many states.
std::optional<bool> isSoundNaively(const Module &module) {
  naive::Diagram d = diagramOf(module);
  auto found = naive::Properties::of(
      d, naive::Detailed(d, NetworkKind::Bag, 1'000'000), 600);
  if (!found)
    return std::nullopt;
  return llvm::all_of(
      allCollaborationProperties(),
      [&](CollaborationProperty property) { return found->holds(property); });
}

/// Breaks one thing at a time; false: there is nothing of that kind.
bool breakSomething(Module &module, unsigned kind, SenderChoices &random) {
  std::vector<std::pair<Behaviour *, size_t>> places;
  for (Behaviour &b : module.behaviours)
    for (size_t n = 0; n < b.nodes.size(); ++n) {
      NodeKind k = b.nodes[n].kind;
      FlowIndex flows(b);
      NodeId id(n);
      bool isStep = k == NodeKind::Send || k == NodeKind::Receive;
      bool isPlace = kind == 0   ? k == NodeKind::EventChoice
                     : kind == 1 ? k == NodeKind::Choice
                     : kind == 2 ? k == NodeKind::SimpleJoin
                                 : isStep;
      if (isPlace && kind == 3) {
        // Two steps in a row, with nothing else that leads in between.
        isPlace = flows.outgoing(id).size() == 1;
        NodeId next = isPlace ? b.flow(flows.outgoing(id)[0]).target : NodeId();
        isPlace = isPlace &&
                  (b.node(next).kind == NodeKind::Send ||
                   b.node(next).kind == NodeKind::Receive) &&
                  flows.incoming(next).size() == 1 &&
                  flows.incoming(id).size() == 1 &&
                  !isGateway(b.node(b.flow(flows.incoming(id)[0]).source).kind);
      }
      if (isPlace)
        places.push_back({&b, n});
    }
  if (places.empty())
    return false;
  auto [b, n] = places[static_cast<size_t>(
      random.below(static_cast<int>(places.size())))];
  Node &node = b->nodes[n];
  if (kind == 0)
    node.kind = NodeKind::Choice;
  else if (kind == 1)
    node.kind = NodeKind::AllSelect;
  else if (kind == 2)
    node.kind = NodeKind::AllJoin;
  else
    std::swap(node,
              b->node(b->flow(FlowIndex(*b).outgoing(NodeId(n))[0]).target));
  return true;
}
} // namespace

TEST(Repair, MendsWhatWasBroken) {
  unsigned broken[4] = {}, sound = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    SenderChoices generator(seed);
    Module original = projected(generator.module);
    std::optional<bool> was = isSoundNaively(original);
    if (!was || !*was)
      continue;
    ++sound;
    for (unsigned kind = 0; kind < 4; ++kind) {
      Module mutated = original.clone();
      if (!breakSomething(mutated, kind, generator))
        continue;
      std::optional<bool> is = isSoundNaively(mutated);
      if (!is)
        continue;
      SourceManager sources;
      DiagnosticCollector collected;
      DiagnosticEngine diags(sources, collected);
      ASSERT_TRUE(verify(mutated, diags)) << seed;
      RepairOptions options;
      options.request.networks = {NetworkKind::Bag};
      options.request.options.semantics.semantics = SemanticsKind::Detailed;
      options.request.options.semantics.open = true;
      std::optional<CollaborationRepair> repair = repairCollaboration(
          mutated, CollaborationAnalyses(mutated), options, diags);
      ASSERT_TRUE(repair) << seed;
      EXPECT_EQ(*is, repair->outcome == CollaborationRepair::NotNeeded)
          << seed << " " << kind;
      if (*is)
        continue;
      ++broken[kind];
      ASSERT_EQ(repair->outcome, CollaborationRepair::Found)
          << seed << " " << kind << ": " << repair->tried;
      EXPECT_EQ(repair->changes.size(), 1u) << seed << " " << kind;
      EXPECT_FALSE(repair->diff.empty()) << seed;
      EXPECT_TRUE(verify(repair->module, diags)) << seed;
      std::optional<bool> now = isSoundNaively(repair->module);
      EXPECT_TRUE(now && *now)
          << seed << " " << kind << ": " << repair->diff[0];
    }
  }
  std::printf("%u sound; broken and mended: event %u, choice %u, join %u, "
              "order %u\n",
              sound, broken[0], broken[1], broken[2], broken[3]);
  for (unsigned count : broken)
    EXPECT_GT(count, 2u);
}
