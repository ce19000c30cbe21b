//===- AdaptTest.cpp - Adapters of generated collaborations ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Collaborations got by projection, and the same with event-based gateways
/// made exclusive. What is offered is checked once more, by the definition: all
/// that the choreography does not know is hidden, then weak bisimulation.
///
//===----------------------------------------------------------------------===//

#include "Projected.h"
#include "SenderChoices.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/IR/Builder.h"
#include "cif/LTS/Operations.h"
#include "cif/Repair/Adaptation.h"
#include "cif/Support/Diagnostics.h"
#include "cif/Support/Source.h"
#include "gtest/gtest.h"

using namespace cif;
using namespace cif::test;

namespace {
bool conforms(const Module &processes, const Module &spec) {
  SourceManager sources;
  DiagnosticCollector collected;
  DiagnosticEngine diags(sources, collected);
  SemanticsOptions semantics;
  semantics.semantics = SemanticsKind::Collaboration;
  ExploredModule left = exploreModule(processes, semantics, {}, diags);
  semantics.semantics = SemanticsKind::Choreography;
  ExploredModule right = exploreModule(spec, semantics, {}, diags);
  EXPECT_TRUE(left && right && left->complete && right->complete);
  Lts seen = hide(left->lts, [&](const Label &label) {
    return !llvm::is_contained(right->lts.labels, label);
  });
  return compare(seen, right->lts, Relation::Weak).holds();
}
} // namespace

TEST(Adapt, OffersWhatConforms) {
  unsigned conforming = 0, broken = 0, mended = 0, acknowledged = 0;
  unsigned undoable = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    SenderChoices generator(seed);
    const Module &spec = generator.module;
    Module original = projected(spec), mutated = original.clone();
    std::vector<AdaptChange> undo;
    for (size_t b = 0; b < mutated.behaviours.size(); ++b)
      for (size_t n = 0; n < mutated.behaviours[b].nodes.size(); ++n) {
        Node &node = mutated.behaviours[b].nodes[n];
        if (node.kind != NodeKind::EventChoice || undo.size() == 2)
          continue;
        node.kind = NodeKind::Choice;
        undo.push_back(
            {AdaptChange::WaitForEvent, BehaviourId(b), NodeId(n), {}});
      }
    bool was = conforms(original, spec);
    conforming += was;
    SourceManager sources;
    DiagnosticCollector collected;
    DiagnosticEngine diags(sources, collected);
    AdaptOptions options;
    options.maxChanges = 2;
    options.maxChecks = 60;
    std::optional<Adaptation> adapted = adapt(mutated, spec, options, diags);
    ASSERT_TRUE(adapted) << seed;
    bool is = conforms(mutated, spec);
    broken += !is;
    if (adapted->found) {
      EXPECT_EQ(adapted->fact.verdict, Verdict::Holds) << seed;
      EXPECT_EQ(adapted->changes.empty(), is) << seed;
      EXPECT_TRUE(conforms(adapted->module, spec)) << seed;
      EXPECT_EQ(adapted->diff.empty(), adapted->changes.empty()) << seed;
      mended += !is;
      for (const AdaptChange &change : adapted->changes)
        acknowledged += change.kind == AdaptChange::Acknowledge;
    } else {
      EXPECT_FALSE(is) << seed;
      EXPECT_FALSE(adapted->tried.empty()) << seed;
      // What was made exclusive can be made event-based again, where only
      // receptions follow.
      std::vector<AdaptChange> possible = adaptChanges(mutated);
      bool canUndo = possible.size() <= 9 &&
                     llvm::all_of(undo, [&](const AdaptChange &change) {
                       return llvm::is_contained(possible, change);
                     });
      EXPECT_FALSE(was && canUndo) << seed;
      undoable += canUndo;
    }
  }
  EXPECT_GT(conforming, 10u);
  EXPECT_GT(broken, 50u);
  EXPECT_GT(mended, 20u);
  EXPECT_GT(acknowledged, 5u);
  EXPECT_GT(undoable, 5u);
}
