//===- StateGraph.cpp - An explored collaboration -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One exploration, and one visit of each state, which all properties
/// share.
///
/// A state is known if all of its steps are. States beyond a limit are not
/// known; with a constraint, except in `fbpmn`, neither are states in which
/// the constraint forbids a step. Every statement about known states is a
/// proof.
///
/// If unbounded growth is proved, the exploration is repeated without
/// looking for growth, up to a number of states, to find violations.
///
/// A part of a system (some walks) is looked at in the same way, and so are
/// the steps that a system gives of a gateway that may take any set of too many
/// flows. The states before that gateway are not known.
///
//===----------------------------------------------------------------------===//

#include "StateGraph.h"
#include "cif/Explore/WrappedSystem.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

/// How much is looked at of a collaboration that is unbounded, or that gives
/// but some of its steps.
static constexpr uint64_t statesOfPart = 20'000;

namespace {
/// A system that does not tell of the steps that it does not give.
class GivenSteps final : public WrappedSystem<System> {
public:
  explicit GivenSteps(const System &of) : WrappedSystem(of) {}
  void successors(const uint32_t *state, uint32_t *scratch,
                  StepSink sink) const override {
    system.successors(state, scratch, sink);
  }
  std::string trouble() const override { return {}; }
};
} // namespace

StateGraph::StateGraph(const CollaborationSystem &of, const System &explored,
                       const Limits &limits, bool isPart)
    : system(of), ex(of) {
  explore(explored, limits);
  scratch.resize(of.width());
  if (isPart)
    lookForMissing();
  if (given || of.gaveSome())
    lookForUngiven();
  if (of.isConstrained())
    lookAtCuts();
}

StateGraph::StateGraph(const CollaborationSystem &of, Exploration explored)
    : system(of), ex(std::move(explored)), known(size(), true), cut(size()),
      scratch(of.width()) {}

bool cif::hasCycle(const Lts &lts) {
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    if (llvm::is_contained(lts.targetsOf(s), s))
      return true;
  return components(lts).count < lts.numStates();
}

void StateGraph::explore(const System &explored, const Limits &limits) {
  ExplorerOptions options{.limits = limits, .keepOrigins = true};
  // Under a constraint nothing grows for ever.
  options.findGrowth = !system.isConstrained();
  auto exploreFirst = [&](const System &of, uint64_t states) {
    options.limits.maxStates = std::min<uint64_t>(
        limits.maxStates ? limits.maxStates : UINT64_MAX, states);
    return cif::explore(of, options);
  };
  const System *from = &explored;
  ex = cif::explore(*from, options);
  if (!ex.complete)
    incomplete = ex.incompleteText();
  if (!ex.complete && system.gaveSome()) {
    given = std::make_unique<GivenSteps>(explored);
    from = given.get();
    ex = exploreFirst(*from, statesOfPart);
  }
  if (ex.growth) {
    growing.emplace(std::move(ex));
    options.findGrowth = false;
    ex = exploreFirst(
        *from, std::max<uint64_t>(statesOfPart, 2 * growing->numStates()));
  }
  const size_t expanded = ex.complete ? size() : ex.expanded;
  known.assign(expanded, true);
  known.resize(size());
  unknown = size() - expanded;
  cut.resize(size());
  if (!incomplete.empty())
    ex.complete = false;
}

void StateGraph::look() const {
  looked = Facts();
  for (std::vector<bool> *facts :
       {&looked->complete, &looked->empty, &looked->sound, &looked->quiet})
    facts->resize(size());
  looked->everStarted.resize(system.processes().size());
  const size_t processes = system.processes().size();
  const bool hasSoundStates = system.semantics() == SemanticsKind::Fbpmn;
  for (StateIndex s = 0; s < size(); ++s) {
    const uint32_t *state = vector(s);
    bool isSound = true, isEmpty = true;
    for (uint32_t p = 0; p < processes; ++p) {
      uint32_t held = 0;
      for (uint32_t slot : system.processes()[p].tokens)
        held |= state[slot];
      isSound = isSound && (hasSoundStates ? system.isSound(state, p) : !held);
      if (!system.isStarted(state, p))
        continue;
      looked->everStarted[p] = true;
      isEmpty = isEmpty && !held;
    }
    looked->sound[s] = isSound;
    looked->empty[s] = isEmpty;
    looked->complete[s] = hasSoundStates ? system.isComplete(state) : isEmpty;
    looked->quiet[s] = system.isQuiet(state);
    lookAtFlows(s, state);
  }
}

void StateGraph::lookAtFlows(StateIndex s, const uint32_t *state) const {
  if (looked->crowded)
    return;
  for (auto [number, flow] : llvm::enumerate(system.flows()))
    if (LLVM_UNLIKELY(state[flow.slot] > 1)) {
      looked->anyCrowded = true;
      if (!flow.isDrawn)
        continue;
      looked->crowded = {s, static_cast<uint32_t>(number)};
      return;
    }
}

void StateGraph::lookForMissing() {
  std::vector<uint32_t> room(system.width()), from(system.width());
  for (StateIndex s = 0; s < size(); ++s) {
    if (!known[s])
      continue;
    size_t steps = 0;
    ex.store->unpack(s, from.data());
    system.successors(from.data(), room.data(),
                      [&](const Step &, const uint32_t *) {
                        return ++steps <= lts().targetsOf(s).size();
                      });
    if (steps > lts().targetsOf(s).size()) {
      known[s] = false;
      ++unknown;
    }
  }
}

/// Where there was other trouble in between, nothing is known.
void StateGraph::lookForUngiven() {
  for (StateIndex s = 0; s < size(); ++s)
    if (known[s] && (!system.gaveSome() || system.mayLackSteps(vector(s)))) {
      known[s] = false;
      ++unknown;
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

const Predecessors &StateGraph::predecessors() const {
  return back ? *back : back.emplace(lts());
}

std::vector<bool> StateGraph::canReach(const std::vector<bool> &goals) const {
  std::vector<bool> reached = goals;
  std::vector<StateIndex> work;
  for (StateIndex s = 0; s < size(); ++s)
    if (reached[s])
      work.push_back(s);
  while (!work.empty()) {
    StateIndex s = work.back();
    work.pop_back();
    for (StateIndex before : predecessors().of(s))
      if (!reached[before]) {
        reached[before] = true;
        work.push_back(before);
      }
  }
  return reached;
}

std::vector<uint64_t> StateGraph::canReach(std::vector<uint64_t> goals) const {
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
    for (StateIndex p : predecessors().of(s)) {
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

/// Visits transitions whose groups do not say all, with what they mean.
void StateGraph::forEachWorkedOut(
    function_ref<void(uint32_t, const CollaborationStep &)> visit) const {
  if (!system.worksOut())
    return;
  std::vector<uint32_t> room(system.width()), from(system.width()),
      packed(ex.store->packedWords());
  for (StateIndex s = 0; s < size(); ++s) {
    ex.store->unpack(s, from.data());
    system.workedOut(
        from.data(), room.data(),
        [&](const Step &step, const uint32_t *to,
            const CollaborationStep &meaning) {
          if (!ex.store->pack(to, packed.data()))
            return; // not stored: nothing led there
          StateIndex t =
              ex.store->find(packed.data(), ex.store->hash(packed.data()));
          for (uint32_t e = lts().rowBegin[s]; e < lts().rowBegin[s + 1]; ++e)
            if (lts().target[e] == t && ex.steps[e].group == step.group &&
                ex.steps[e].partner == step.partner)
              visit(e, meaning);
        });
  }
}

std::vector<bool> StateGraph::startedElements() const {
  std::vector<bool> started(system.elements().size());
  auto add = [&](const CollaborationStep &meaning) {
    if (meaning.starts && meaning.element != noneOf)
      started[meaning.element] = true;
    for (uint32_t element : meaning.alsoStarts)
      started[element] = true;
  };
  std::vector<bool> taken(system.groups().size());
  for (const Step &step : ex.steps)
    for (GroupIndex g : {step.group, step.partner})
      if (g != noGroup && !taken[g]) {
        taken[g] = true;
        add(system.step(g));
      }
  forEachWorkedOut(
      [&](uint32_t, const CollaborationStep &meaning) { add(meaning); });
  return started;
}

/// Weak fairness of each node, strong fairness of each flow that a splitting
/// exclusive, event-based or inclusive gateway chooses alone, and of what is
/// found out about the data there. A step that passes gateways on its way is a
/// step of each of them.
const FairClasses &StateGraph::fairness() const {
  if (classes)
    return *classes;
  classes.emplace();
  const StepGroups &groups = system.groups();
  classes->ofGroup.resize(groups.size());
  // By unit and element; by the kind of the origin, too.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> ofOrigin[4], ofFlow,
      ofData;
  auto classOf = [&](auto &table, uint32_t unit, uint32_t element,
                     bool strong) {
    auto [at, isNew] = table.try_emplace(
        {unit, element}, static_cast<uint32_t>(classes->strong.size()));
    if (isNew)
      classes->strong.push_back(strong);
    return at->second;
  };
  auto addChoices = [&](auto &list, uint32_t unit,
                        const CollaborationStep &step) {
    for (uint32_t flow : step.chosenFlows)
      list.push_back(classOf(ofFlow, step.process, flow, true));
    for (uint32_t node : step.passedChoices)
      list.push_back(classOf(ofOrigin[Origin::Node], unit, node, false));
  };
  for (GroupIndex g = 0; g < groups.size(); ++g) {
    const Origin &origin = groups.origin(g);
    // What stems from no element is a class of its own.
    classes->ofGroup[g].push_back(
        classOf(ofOrigin[origin.kind], origin.unit,
                origin.kind == Origin::None ? g : origin.element, false));
    if (origin.kind != Origin::None && system.step(g).process == noneOf)
      classes->ofGroup[g].push_back(classOf(ofData, 0, g, true));
    addChoices(classes->ofGroup[g], origin.unit, system.step(g));
  }
  forEachWorkedOut([&](uint32_t e, const CollaborationStep &meaning) {
    addChoices(classes->ofTransition[e], groups.origin(ex.steps[e].group).unit,
               meaning);
  });
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
