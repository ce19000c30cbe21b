//===- ProcessParts.cpp - What processes alone tell of all ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where a collaboration has more states than a search finds, its processes may
/// have few. A process alone, to which the environment sends whatever it may
/// receive, does all that it does among the others: what it cannot do alone it
/// cannot do. docs/soundness.md says what follows.
///
/// Input class: asynchronous networks, which let a send wait for nothing but
/// room; no constraint, not `fbpmn`. Sound: each verdict is a proof. Not
/// complete.
///
//===----------------------------------------------------------------------===//

#include "PropertyChecker.h"
#include "cif/Explore/WrappedSystem.h"
#include <set>

using namespace cif;

using Finding = CollaborationFinding;

static const char *const partsMethod =
    "each process alone, with all that it may receive";
static const char *const restMethod =
    "breadth-first exploration without the processes that cannot complete";

namespace {
/// A system in which some processes do nothing.
class RestingSystem final : public WrappedSystem<System> {
public:
  RestingSystem(const CollaborationSystem &of, const std::vector<bool> &rests)
      : WrappedSystem(of), isLeftOut(of.groups().size()) {
    for (GroupIndex g = 0; g < isLeftOut.size(); ++g)
      isLeftOut[g] = of.step(g).process != noneOf && rests[of.step(g).process];
  }
  void successors(const uint32_t *state, uint32_t *scratch,
                  StepSink sink) const override {
    system.successors(state, scratch,
                      [&](const Step &step, const uint32_t *next) {
                        return isLeftOut[step.group] || sink(step, next);
                      });
  }

private:
  std::vector<bool> isLeftOut; ///< by group
};
} // namespace

/// Whether process \p p can receive alone what it receives among the others.
static bool receivesAlone(const CollaborationSystem &system, uint32_t p,
                          const CollaborationSystem &alone) {
  std::set<uint32_t> nodes;
  for (GroupIndex g = 0; g < alone.groups().size(); ++g)
    if (alone.step(g).isEnvironment)
      nodes.insert(alone.groups().origin(g).element);
  for (GroupIndex g = 0; g < system.groups().size(); ++g)
    if (system.step(g).process == p && system.step(g).receives != noneOf &&
        !nodes.count(system.groups().origin(g).element))
      return false;
  return true;
}

/// Explores the processes, if that can tell anything.
ArrayRef<PropertyChecker::Part> PropertyChecker::makeParts() {
  constexpr size_t mostParts = 50;
  constexpr uint64_t mostStates = 20'000;
  if (parts)
    return parts->all;
  parts = std::make_unique<Parts>();
  const size_t processes = system.processes().size();
  if (processes < 2 || processes > mostParts || !options.semantics.open ||
      system.isConstrained() || system.semantics() == SemanticsKind::Fbpmn ||
      system.networkKind() == NetworkKind::Sync)
    return {};
  for (uint32_t p = 0; p < processes; ++p) {
    const uint32_t behaviour = system.processes()[p].behaviour;
    CollaborationOptions alone = options;
    alone.reduce = false;
    alone.limits.maxStates =
        options.limits.maxStates
            ? std::min<uint64_t>(options.limits.maxStates, mostStates)
            : mostStates;
    alone.semantics.network = NetworkKind::Bag;
    alone.semantics.runLimits = alone.limits;
    alone.semantics.only = {
        module.text(module.behaviours[behaviour].name).str()};
    Part part;
    part.system =
        makeCollaborationSystem(module, alone.semantics, parts->quiet);
    if (!part.system || part.system->processes().size() != 1 ||
        part.system->processes()[0].behaviour != behaviour ||
        !receivesAlone(system, p, *part.system)) {
      parts->all.clear();
      return {};
    }
    part.checker = std::make_unique<PropertyChecker>(
        module, *part.system, alone, nullptr, parts->quiet);
    parts->all.push_back(std::move(part));
  }
  return parts->all;
}

/// By process: whether it cannot complete once it has started.
std::vector<bool> PropertyChecker::incompleteAlone() {
  std::vector<bool> never;
  for (const Part &part : makeParts()) {
    const StateGraph *states = part.checker->statesOrMore();
    bool completes = !states;
    for (StateIndex s = 0; !completes && s < states->size(); ++s)
      completes = states->facts().complete[s] &&
                  part.system->isStarted(states->vector(s), 0);
    never.push_back(!completes);
  }
  return never;
}

/// Each process alone has finitely many states, and sends on no cycle of them.
bool PropertyChecker::areBoundedAlone() {
  std::set<std::pair<uint32_t, uint32_t>> senders;
  for (GroupIndex g = 0; g < system.groups().size(); ++g)
    if (system.step(g).sends != noneOf)
      senders.insert(
          {system.groups().origin(g).unit, system.groups().origin(g).element});
  for (const Part &part : makeParts()) {
    const StateGraph &states = part.checker->explored();
    if (!states.allKnown())
      return false;
    const Lts &lts = states.lts();
    Components of = components(lts);
    for (StateIndex s = 0; s < lts.numStates(); ++s)
      for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e) {
        const Origin &by =
            part.system->groups().origin(states.ex.steps[e].group);
        if (of.of[s] == of.of[lts.target[e]] &&
            senders.count({by.unit, by.element}))
          return false;
      }
  }
  return !makeParts().empty();
}

/// The elements that do not start even in their process alone.
std::vector<uint32_t> PropertyChecker::deadAlone() {
  std::set<std::pair<uint32_t, uint32_t>> dead; // process and first node
  for (auto [p, part] : llvm::enumerate(makeParts())) {
    const StateGraph *states = part.checker->statesOrMore();
    if (!states)
      continue;
    std::vector<bool> started = states->startedElements();
    for (uint32_t e = 0; e < started.size(); ++e)
      if (!started[e])
        dead.insert({p, part.system->elements()[e].nodes[0]});
  }
  std::vector<uint32_t> all;
  for (uint32_t e = 0; e < system.elements().size(); ++e)
    if (dead.count(
            {system.elements()[e].process, system.elements()[e].nodes[0]}))
      all.push_back(e);
  return all;
}

/// A complete state is one that is reached without the processes that cannot
/// complete. What is asked of such states can be asked of fewer processes.
Finding PropertyChecker::decideWithoutThose(CollaborationProperty property) {
  if (!triedRest) {
    triedRest = true;
    std::vector<bool> rests = incompleteAlone();
    if (llvm::is_contained(rests, true)) {
      resting = std::make_unique<RestingSystem>(system, rests);
      rested = std::make_unique<StateGraph>(system, *resting, options.limits);
    }
  }
  Finding finding;
  if (!rested)
    return finding;
  StateGraph *const before = std::exchange(graph, rested.get());
  if (property == CollaborationProperty::ProperCompletion) {
    finding = checkProperCompletion();
  } else {
    bool anyLeft = false;
    for (StateIndex s = 0; s < graph->size() && !finding.witness; ++s) {
      if (graph->facts().quiet[s] || !graph->facts().complete[s])
        continue;
      anyLeft = true;
      std::vector<uint32_t> state = graph->ex.vectorOf(s);
      for (uint32_t m = 0; m < receivers.size() && !finding.witness; ++m)
        if (system.inTransit(state.data(), m) && isLost(state.data(), m))
          finding = undelivered(s, m);
    }
    if (!anyLeft && graph->allKnown())
      finding = holds();
  }
  if (finding.verdict != Verdict::Inconclusive)
    finding.method = restMethod;
  graph = before;
  return finding;
}

Finding PropertyChecker::decideByParts(CollaborationProperty property) {
  Finding finding;
  ArrayRef<Part> all = makeParts();
  if (all.empty())
    return finding;
  auto allHold = [&] {
    return llvm::all_of(all, [&](const Part &part) {
      return part.checker->check(property).verdict == Verdict::Holds;
    });
  };
  switch (property) {
  case CollaborationProperty::Safe:
    return allHold() ? holds(partsMethod) : finding;
  case CollaborationProperty::Bounded:
    return areBoundedAlone() ? holds(partsMethod) : finding;
  case CollaborationProperty::NoDeadActivity:
    if (std::vector<uint32_t> dead = deadAlone(); !dead.empty())
      return deadElements(dead, partsMethod);
    return finding;
  case CollaborationProperty::ProperCompletion:
    return allHold() ? holds(partsMethod) : decideWithoutThose(property);
  case CollaborationProperty::NoUndeliveredMessage:
    return decideWithoutThose(property);
  default:
    return finding;
  }
}
