//===- ExploreModule.cpp - From a module to an explored system
//------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Explore/ExploreModule.h"
#include "cif/IR/Names.h"
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

bool cif::replayRun(const System &system, ArrayRef<Step> run,
                    function_ref<void(const Step &, const uint32_t *)> each) {
  std::vector<uint32_t> state(system.width()), scratch(state), after(state);
  system.initial(state.data());
  for (const Step &wanted : run) {
    std::optional<Step> taken;
    system.successors(state.data(), scratch.data(),
                      [&](const Step &step, const uint32_t *to) {
                        if (step.group != wanted.group ||
                            step.partner != wanted.partner)
                          return true;
                        taken = step;
                        after.assign(to, to + state.size());
                        return false;
                      });
    if (!taken)
      return false;
    state = after;
    each(*taken, state.data());
  }
  return true;
}

std::optional<std::vector<WitnessStep>>
cif::replayRun(const Module &module, const System &system, ArrayRef<Step> run) {
  std::vector<WitnessStep> steps;
  auto add = [&](const Step &step, const uint32_t *state) {
    steps.push_back({labelForPeople(system.labels()[step.label]),
                     originPlace(module, system.groups().origin(step.group)),
                     system.describe(state)});
  };
  if (!replayRun(system, run, add))
    return std::nullopt;
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
