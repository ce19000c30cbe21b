//===- StateGraph.cpp - An explored collaboration -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One exploration and one look at each state, which all properties share.
///
/// A state is known when all of its steps are. The states beyond a limit are
/// not; with a constraint neither are, but in `fbpmn`, those from which the
/// constraint forbids a step. Whatever is said about known states is a proof.
///
/// Where growth without end is proved the exploration is repeated without
/// looking for growth, up to a number of states: a violation may be there.
///
//===----------------------------------------------------------------------===//

#include "StateGraph.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

/// How much of an unbounded collaboration is looked at.
static constexpr uint64_t statesOfUnbounded = 20'000;

StateGraph::StateGraph(const CollaborationSystem &of, const System &explored,
                       const Limits &limits)
    : system(of), ex(of) {
  explore(explored, limits);
  scratch.resize(of.width());
  look();
  if (of.isConstrained())
    lookAtCuts();
}

void StateGraph::explore(const System &explored, const Limits &limits) {
  ExplorerOptions options;
  options.limits = limits;
  options.keepOrigins = true;
  // Under a constraint nothing grows for ever.
  options.findGrowth = !system.isConstrained();
  ex = cif::explore(explored, options);
  if (!ex.complete)
    incomplete = ex.incompleteText();
  if (ex.growth) {
    growing.emplace(std::move(ex));
    options.findGrowth = false;
    options.limits.maxStates = std::min<uint64_t>(
        limits.maxStates ? limits.maxStates : UINT64_MAX,
        std::max<uint64_t>(statesOfUnbounded, 2 * growing->numStates()));
    ex = cif::explore(explored, options);
  }
  known.resize(size());
  for (size_t s = 0; s < size(); ++s)
    known[s] = ex.complete || s < ex.expanded;
  unknown = static_cast<size_t>(llvm::count(known, false));
}

void StateGraph::look() {
  complete.resize(size());
  empty.resize(size());
  sound.resize(size());
  quiet.resize(size());
  cut.resize(size());
  everStarted.resize(system.processes().size());
  const size_t processes = system.processes().size();
  for (StateIndex s = 0; s < size(); ++s) {
    const uint32_t *state = vector(s);
    bool isSound = true, isEmpty = true;
    for (uint32_t p = 0; p < processes; ++p) {
      isSound = isSound && system.isSound(state, p);
      if (!system.isStarted(state, p))
        continue;
      everStarted[p] = true;
      for (uint32_t slot : system.processes()[p].tokens)
        isEmpty = isEmpty && state[slot] == 0;
    }
    sound[s] = isSound;
    empty[s] = isEmpty;
    complete[s] = system.isComplete(state);
    quiet[s] = system.isQuiet(state);
    if (!crowded)
      for (uint32_t f = 0; f < system.flows().size(); ++f)
        if (system.tokens(state, f) > 1) {
          crowded = {s, f};
          break;
        }
  }
}

void StateGraph::lookAtCuts() {
  const bool counts = system.semantics() == SemanticsKind::Fbpmn;
  forbiddenGroups.resize(size());
  std::vector<uint32_t> room(system.width()), from(system.width());
  for (StateIndex s = 0; s < size(); ++s) {
    if (!known[s])
      continue;
    ex.store->unpack(s, from.data());
    system.forbidden(from.data(), room.data(),
                     [&](const Step &step, const uint32_t *) {
                       forbiddenGroups[s].push_back(step.group);
                       return true;
                     });
    if (forbiddenGroups[s].empty())
      continue;
    anyCut = cut[s] = true;
    if (!counts) {
      known[s] = false;
      ++unknown;
    }
  }
  if (anyCut && !counts && incomplete.empty())
    incomplete = "the constraint forbids steps that are possible";
}

/// Transitions by target, made when they are first needed.
const std::vector<uint32_t> &StateGraph::predecessorBegin() const {
  if (!backBegin.empty())
    return backBegin;
  const Lts &l = lts();
  backBegin.resize(size() + 1);
  for (StateIndex t : l.target)
    ++backBegin[t + 1];
  for (size_t s = 0; s < size(); ++s)
    backBegin[s + 1] += backBegin[s];
  back.resize(l.numTransitions());
  std::vector<uint32_t> next(backBegin.begin(), backBegin.end() - 1);
  for (StateIndex s = 0; s < l.numStates(); ++s)
    for (StateIndex t : l.targetsOf(s))
      back[next[t]++] = s;
  return backBegin;
}

std::vector<bool> StateGraph::canReach(const std::vector<bool> &goals) const {
  const std::vector<uint32_t> &begin = predecessorBegin();
  std::vector<bool> reached = goals;
  std::vector<StateIndex> work;
  for (StateIndex s = 0; s < size(); ++s)
    if (reached[s])
      work.push_back(s);
  while (!work.empty()) {
    StateIndex s = work.back();
    work.pop_back();
    for (uint32_t i = begin[s]; i < begin[s + 1]; ++i)
      if (!reached[back[i]]) {
        reached[back[i]] = true;
        work.push_back(back[i]);
      }
  }
  return reached;
}

std::vector<uint64_t> StateGraph::canReach(std::vector<uint64_t> goals) const {
  const std::vector<uint32_t> &begin = predecessorBegin();
  std::vector<StateIndex> work;
  std::vector<bool> waiting(size());
  for (StateIndex s = 0; s < size(); ++s)
    if (goals[s]) {
      work.push_back(s);
      waiting[s] = true;
    }
  while (!work.empty()) {
    StateIndex s = work.back();
    work.pop_back();
    waiting[s] = false;
    for (uint32_t i = begin[s]; i < begin[s + 1]; ++i) {
      StateIndex p = back[i];
      if ((goals[p] | goals[s]) == goals[p])
        continue;
      goals[p] |= goals[s];
      if (!waiting[p])
        work.push_back(p);
      waiting[p] = true;
    }
  }
  return goals;
}

/// Weak fairness of each node, strong fairness of each flow that a splitting
/// exclusive, event-based or inclusive gateway chooses alone.
const FairClasses &StateGraph::fairness() const {
  if (classes)
    return *classes;
  classes.emplace();
  const StepGroups &groups = system.groups();
  classes->ofGroup.resize(groups.size());
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> ofNode, ofFlow;
  auto classOf = [&](auto &table, uint32_t unit, uint32_t element,
                     bool strong) {
    auto [at, isNew] = table.try_emplace(
        {unit, element}, static_cast<uint32_t>(classes->strong.size()));
    if (isNew)
      classes->strong.push_back(strong);
    return at->second;
  };
  for (GroupIndex g = 0; g < groups.size(); ++g) {
    const Origin &origin = groups.origin(g);
    // What stems from no element is a class of its own.
    const bool isNode = origin.kind != Origin::None;
    classes->ofGroup[g].push_back(
        classOf(ofNode, isNode ? origin.unit * 4 + origin.kind : noneOf - 2,
                isNode ? origin.element : g, false));
    const CollaborationStep &step = system.step(g);
    if (step.chosenFlow != noneOf)
      classes->ofGroup[g].push_back(
          classOf(ofFlow, step.process, step.chosenFlow, true));
  }
  if (!anyCut)
    return *classes;
  classes->forbidden.resize(size());
  for (StateIndex s = 0; s < size(); ++s)
    for (GroupIndex g : forbiddenGroups[s])
      llvm::append_range(classes->forbidden[s], classes->ofGroup[g]);
  return *classes;
}

std::vector<RunStep> StateGraph::runOf(ArrayRef<uint32_t> transitions) const {
  std::vector<RunStep> run;
  StateIndex at = lts().initial;
  for (uint32_t e : transitions) {
    run.push_back({at, ex.steps[e], lts().target[e]});
    at = lts().target[e];
  }
  return run;
}
