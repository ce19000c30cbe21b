//===- ConformanceRuns.cpp - Runs of the two models -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConformanceRuns.h"
#include "cif/LTS/TraceRuns.h"
#include <set>

using namespace cif;

ModelRuns::ModelRuns(const Pairing &of, bool loops) : pairing(of) {
  if (!loops)
    return;
  extended[0] = divergenceLoops(of.left);
  extended[1] = divergenceLoops(of.right);
}

/// Finds \p step among those that the system itself gives, and fills in what it
/// says. \p transition is one of the explored LTS.
bool ModelRuns::replay(ModelStep &step, uint32_t transition) const {
  const Exploration &found = *pairing.explored.exploration;
  const System &system = *pairing.explored.system;
  std::vector<uint32_t> from = found.vectorOf(step.from),
                        to = found.vectorOf(step.to), scratch(system.width());
  LabelIndex label = found.lts.label[transition];
  std::optional<Step> taken;
  system.successors(from.data(), scratch.data(),
                    [&](const Step &candidate, const uint32_t *next) {
                      if (candidate.label != label ||
                          !std::equal(to.begin(), to.end(), next))
                        return true;
                      taken = candidate;
                      return false;
                    });
  if (!taken)
    return false;
  step.own = pairing.own[label];
  // A handshake is shown where it is received.
  step.origin = system.groups().origin(
      taken->partner == noGroup ? taken->group : taken->partner);
  const Module &module = pairing.collaboration;
  if (step.origin.kind != Origin::Node)
    return true;
  for (unsigned slot = 0; slot < system.width(); ++slot) {
    Origin flow = system.slotOrigin(slot);
    if (to[slot] > from[slot] && flow.kind == Origin::Flow &&
        flow.unit == step.origin.unit &&
        module.behaviours[flow.unit].flows[flow.element].source.index() ==
            step.origin.element)
      step.taken = flow;
  }
  return true;
}

/// The model's steps along \p transitions, which begin at \p from.
std::optional<ModelRun>
ModelRuns::stepsOf(Side side, StateIndex from,
                   ArrayRef<uint32_t> transitions) const {
  const Lts &graph = lts(side);
  const Lts &explored = side == Side::Left ? pairing.explored.exploration->lts
                                           : pairing.global.lts;
  ModelRun run;
  for (uint32_t t : transitions) {
    ModelStep step;
    step.from = from;
    step.to = from = graph.target[t];
    step.shown = graph.labels[graph.label[t]];
    // Ticks and divergences stand behind what was explored, in the same row.
    uint32_t inRow = t - graph.rowBegin[step.from];
    uint32_t row = explored.rowBegin[step.from];
    if (row + inRow < explored.rowBegin[step.from + 1]) {
      if (side == Side::Right)
        step.origin = pairing.global.origins[row + inRow];
      else if (!replay(step, row + inRow))
        return std::nullopt;
    }
    run.push_back(std::move(step));
  }
  return run;
}

std::optional<ModelRun> ModelRuns::follow(Side side, StateIndex from,
                                          ArrayRef<Label> trace,
                                          StateGoal goal) const {
  TraceRuns runs(lts(side), from);
  for (const Label &label : trace)
    if (!runs.follow(label))
      return std::nullopt;
  for (size_t i = runs.begin(); i < runs.end(); ++i)
    if (goal(runs.state(i)))
      return stepsOf(side, from, runs.runTo(i));
  return std::nullopt;
}

std::optional<ModelRun> ModelRuns::along(Side side, ArrayRef<Label> trace,
                                         StateGoal goal) const {
  return follow(side, lts(side).initial, trace, goal);
}

std::optional<ModelRun> ModelRuns::weakly(Side side, StateIndex from,
                                          const Label &label,
                                          StateGoal goal) const {
  bool silent = label.kind == LabelKind::Tau;
  return follow(side, from, silent ? ArrayRef<Label>() : label, goal);
}

std::vector<StateIndex> ModelRuns::reached(Side side, StateIndex from,
                                           const Label &label) const {
  std::vector<StateIndex> states;
  (void)weakly(side, from, label, [&](StateIndex s) {
    states.push_back(s);
    return false;
  });
  return states;
}

static std::vector<Label> labelsOf(const Lts &lts,
                                   ArrayRef<StateIndex> states) {
  std::set<Label> labels;
  for (StateIndex s : states)
    for (LabelIndex l : lts.labelsOf(s))
      if (l != tauLabel)
        labels.insert(lts.labels[l]);
  return {labels.begin(), labels.end()};
}

std::vector<Label> ModelRuns::offers(Side side, StateIndex from) const {
  return labelsOf(lts(side), reached(side, from, Label::tau()));
}

std::vector<Label> ModelRuns::offersAfter(Side side,
                                          ArrayRef<Label> trace) const {
  std::vector<StateIndex> states;
  (void)along(side, trace, [&](StateIndex s) {
    states.push_back(s);
    return false;
  });
  return labelsOf(lts(side), states);
}
