//===- ConformanceRuns.cpp - Runs of the two models -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConformanceRuns.h"
#include <set>

using namespace cif;

constexpr uint32_t none = UINT32_MAX;

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

std::optional<ModelRun> ModelRuns::runTo(Side side, ArrayRef<Item> items,
                                         size_t last) const {
  const Lts &graph = lts(side);
  const Lts &explored = side == Side::Left ? pairing.explored.exploration->lts
                                           : pairing.global.lts;
  ModelRun run;
  for (size_t at = last; items[at].parent != none; at = items[at].parent) {
    ModelStep step;
    step.from = items[items[at].parent].state;
    step.to = items[at].state;
    uint32_t t = items[at].transition;
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
  std::reverse(run.begin(), run.end());
  return run;
}

void ModelRuns::closeSilently(const Lts &graph, std::vector<Item> &items,
                              size_t begin, std::vector<uint32_t> &seen,
                              uint32_t stamp) const {
  for (size_t i = begin; i < items.size(); ++i) {
    StateIndex s = items[i].state;
    for (uint32_t t = graph.rowBegin[s]; t < graph.rowBegin[s + 1]; ++t)
      if (graph.label[t] == tauLabel && seen[graph.target[t]] != stamp) {
        seen[graph.target[t]] = stamp;
        items.push_back({graph.target[t], static_cast<uint32_t>(i), t});
      }
  }
}

/// The index of \p label, or one that no transition has.
static LabelIndex indexOf(const Lts &lts, const Label &label) {
  return static_cast<LabelIndex>(llvm::find(lts.labels, label) -
                                 lts.labels.begin());
}

std::optional<ModelRun> ModelRuns::along(Side side, ArrayRef<Label> trace,
                                         StateGoal goal) const {
  const Lts &graph = lts(side);
  std::vector<uint32_t> seen(graph.numStates(), none);
  std::vector<Item> items{{graph.initial, none, none}};
  seen[graph.initial] = 0;
  size_t begin = 0;
  for (size_t done = 0;; ++done) {
    closeSilently(graph, items, begin, seen, static_cast<uint32_t>(done));
    if (done == trace.size())
      break;
    LabelIndex wanted = indexOf(graph, trace[done]);
    size_t end = items.size();
    for (size_t i = begin; i < end; ++i) {
      StateIndex s = items[i].state;
      for (uint32_t t = graph.rowBegin[s]; t < graph.rowBegin[s + 1]; ++t)
        if (graph.label[t] == wanted && seen[graph.target[t]] != done + 1) {
          seen[graph.target[t]] = static_cast<uint32_t>(done + 1);
          items.push_back({graph.target[t], static_cast<uint32_t>(i), t});
        }
    }
    if (items.size() == end)
      return std::nullopt;
    begin = end;
  }
  for (size_t i = begin; i < items.size(); ++i)
    if (goal(items[i].state))
      return runTo(side, items, i);
  return std::nullopt;
}

std::optional<ModelRun> ModelRuns::weakly(Side side, StateIndex from,
                                          const Label &label,
                                          StateGoal goal) const {
  const Lts &graph = lts(side);
  std::vector<uint32_t> seen(graph.numStates(), none);
  std::vector<Item> items{{from, none, none}};
  seen[from] = 0;
  closeSilently(graph, items, 0, seen, 0);
  size_t begin = 0;
  if (label.kind != LabelKind::Tau) {
    LabelIndex wanted = indexOf(graph, label);
    size_t end = begin = items.size();
    for (size_t i = 0; i < end; ++i) {
      StateIndex s = items[i].state;
      for (uint32_t t = graph.rowBegin[s]; t < graph.rowBegin[s + 1]; ++t)
        if (graph.label[t] == wanted && seen[graph.target[t]] != 1) {
          seen[graph.target[t]] = 1;
          items.push_back({graph.target[t], static_cast<uint32_t>(i), t});
        }
    }
    closeSilently(graph, items, begin, seen, 1);
  }
  for (size_t i = begin; i < items.size(); ++i)
    if (goal(items[i].state))
      return runTo(side, items, i);
  return std::nullopt;
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
