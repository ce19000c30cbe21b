//===- CheckStructure.cpp - --check-structure -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Replay.h"
#include "cif/Check/Structure/Structure.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Pass/Pass.h"
#include "cif/Support/Diagnostics/Structure.h"

using namespace cif;

static Fact newFact(const Twine &subject) {
  FactBuilder fact("structure", subject);
  fact.by("graph rules");
  return fact;
}

static void warn(const StructureFlaw &flaw, PassContext &context) {
  StringRef rule = structureRuleText(flaw.rule);
  context.count(rule, 1);
  auto report = context.diags.report(flaw.at, diag::structure_flaw);
  report << flaw.text << rule;
  if (flaw.other.known())
    report.note(flaw.other, "the branches split here");
}

static std::string sentence(const StructureFlaw &flaw) {
  return flaw.text + " [" + structureRuleText(flaw.rule).str() + "]";
}

static void violated(FactBuilder &fact, ArrayRef<const StructureFlaw *> shown,
                     const StructureFlaw &first, const StructureRuns &runs,
                     PassContext &context) {
  fact.verdict = Verdict::Violated;
  fact.message = fact.subject + ": " + sentence(first);
  fact.at = first.at;
  fact.show("trace", runs.run);
  auto parts = [&](const StructureFlaw &flaw) {
    if (flaw.other.known())
      fact.note(flaw.other, "the branches split here");
    context.count(structureRuleText(flaw.rule), 1);
  };
  parts(first);
  for (const StructureFlaw *flaw : shown)
    if (flaw != &first) {
      fact.note(flaw->at, "also: " + sentence(*flaw));
      parts(*flaw);
    }
}

static void inconclusive(FactBuilder &fact,
                         ArrayRef<const StructureFlaw *> flaws,
                         const StructureRuns &runs) {
  fact.verdict = Verdict::Inconclusive;
  fact.exact = false;
  fact.message =
      fact.subject + ": not all runs were explored (" + runs.undecided + ")";
  for (const StructureFlaw *flaw : flaws)
    fact.note(flaw->at, "undecided: " + sentence(*flaw));
}

static void checkBehaviour(Module &module, const Behaviour &b,
                           PassContext &context) {
  FactBuilder fact =
      newFact(behaviourKindText(b.kind) + " '" + module.text(b.name) + "'");
  fact.at = module.place(b.loc);
  fact.holds();
  std::vector<StructureFlaw> flaws = checkStructure(module, b);
  StructureRuns runs;
  if (llvm::any_of(flaws, [](const StructureFlaw &flaw) {
        return flaw.shownBy != FlawRun::None;
      })) {
    runs = runStructure(module, b, flaws, context.limits);
    if (runs.states)
      fact.by(Twine("graph rules, and ") +
              (runs.complete ? "all runs" : "some runs") +
              (b.kind == BehaviourKind::Process ? " of the process on its own"
                                                : ""));
    fact.sized(runs.states, runs.transitions);
  }
  SmallVector<const StructureFlaw *, 4> shown, undecided;
  for (size_t i = 0; i < flaws.size(); ++i)
    if (flaws[i].shownBy == FlawRun::None)
      warn(flaws[i], context);
    else if (runs.outcomes[i] == StructureRuns::Shown)
      shown.push_back(&flaws[i]);
    else if (runs.outcomes[i] == StructureRuns::Undecided)
      undecided.push_back(&flaws[i]);
    else
      context.count("proved harmless", 1);
  if (!shown.empty())
    violated(fact, shown, flaws[runs.first], runs, context);
  else if (!undecided.empty())
    inconclusive(fact, undecided, runs);
  for (StringRef text : runs.abstractions)
    context.diags.abstracted(text);
  context.report(module, fact, [&] {
    SemanticsOptions semantics;
    semantics.semantics = b.kind == BehaviourKind::Process
                              ? SemanticsKind::Local
                              : SemanticsKind::Choreography;
    semantics.only = {module.text(b.name).str()};
    return replays(module, semantics, *fact.witness, RunEnd::Anything,
                   context.limits, context.diags);
  });
}

namespace cif {
PassResult runCheckStructure(Module &module, PassContext &context) {
  for (const Behaviour &b : module.behaviours)
    checkBehaviour(module, b, context);
  FactBuilder fact = newFact("the module as a whole");
  fact.holds();
  for (const StructureFlaw &flaw : checkParts(module))
    warn(flaw, context);
  context.report(module, std::move(fact));
  return PassResult::Unchanged;
}
} // namespace cif
