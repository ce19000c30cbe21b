//===- ExplorerModule.cpp - From a module to an explored system
//------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Names.h"
#include "cif/LTS/ExploreModule.h"
#include "cif/Support/Diagnostics.h"

using namespace cif;

ExploredModule cif::exploreModule(const Module &module,
                                  const SemanticsOptions &semantics,
                                  const ExplorerOptions &options,
                                  DiagnosticEngine &diags) {
  ExploredModule result;
  SemanticsOptions within = semantics;
  within.runLimits = options.limits;
  result.system = makeSystem(module, within, diags);
  if (result.system)
    result.exploration.emplace(explore(*result.system, options));
  return result;
}

std::string cif::labelForPeople(const Label &label) {
  if (label.kind == LabelKind::Exchange)
    return quoted(label.sender) + " -> " + quoted(label.receiver) + " : " +
           quoted(label.message);
  return labelText(label);
}

std::vector<WitnessStep> cif::witnessSteps(const Module &module,
                                           const Exploration &exploration,
                                           ArrayRef<RunStep> run,
                                           bool withStates) {
  const System &system = *exploration.system;
  std::vector<WitnessStep> steps;
  for (const RunStep &taken : run) {
    WitnessStep step;
    step.label = labelForPeople(system.labels()[taken.step.label]);
    step.at = originPlace(module, system.groups().origin(taken.step.group));
    if (withStates)
      step.note = exploration.describe(taken.to);
    steps.push_back(std::move(step));
  }
  return steps;
}

Witness cif::growthWitness(const Module &module,
                           const Exploration &exploration) {
  Witness witness;
  if (!exploration.growth)
    return witness;
  witness.kind = "lasso";
  witness.steps = witnessSteps(
      module, exploration, exploration.traceTo(exploration.growth->from), true);
  witness.loopStart = witness.steps.size();
  for (WitnessStep &step :
       witnessSteps(module, exploration, exploration.growth->cycle, true))
    witness.steps.push_back(std::move(step));
  return witness;
}
