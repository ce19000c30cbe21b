//===- BeyondStates.cpp - Properties where not all states are known -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is known of a collaboration with more states than a search finds:
/// arguments from the structure, and walks. docs/soundness.md says why each of
/// them is a proof.
///
//===----------------------------------------------------------------------===//

#include "PropertyChecker.h"
#include "cif/Explore/ManyTokens.h"

using namespace cif;

using Finding = CollaborationFinding;

/// What needs no states: docs/soundness.md says why each of these follows.
Finding PropertyChecker::decideByStructure(CollaborationProperty property) {
  Finding finding;
  if (!fate)
    fate = system.fate(options.limits);
  auto holdsAs = [&](const char *method) {
    finding.verdict = Verdict::Holds;
    finding.exact = true;
    finding.method = method;
    return finding;
  };
  static const char *const draining =
      "every token can go on to an end by itself";
  static const char *const ending = "steps can be chosen that lead to an end";
  static const char *const trap = "a trap that stays marked [commoner1972]";
  const size_t processes = system.processes().size();
  // A run to where the process has started.
  auto trapped = [&](const std::vector<bool> &of, const Twine &message) {
    for (uint32_t p = 0; p < processes; ++p)
      for (StateIndex s = 0; of[p] && s < graph->size(); ++s)
        if (system.isStarted(graph->vector(s), p)) {
          finding = violated(graph->ex.traceTo(s), SIZE_MAX,
                             "process '" + system.processes()[p].name + "' " +
                                 message);
          finding.method = trap;
          return finding;
        }
    return finding;
  };
  switch (property) {
  case CollaborationProperty::DeadlockFree:
    if (fate->drains)
      return holdsAs(draining);
    if (llvm::is_contained(fate->alwaysSteps, true))
      return holdsAs(trap);
    return finding;
  case CollaborationProperty::LivelockFree:
    if (fate->drains)
      return holdsAs(draining);
    if (fate->ends)
      return holdsAs(ending);
    return trapped(fate->alwaysSteps,
                   "goes on for ever once it has started, and cannot complete");
  case CollaborationProperty::OptionToComplete:
    if (fate->drains)
      return holdsAs(draining);
    return trapped(fate->neverCompletes,
                   "cannot complete once it has started: some token always "
                   "stays");
  case CollaborationProperty::ProperCompletion:
    // Where it is complete nothing was started: no end was reached.
    if (processes && !llvm::is_contained(fate->neverCompletes, false))
      return holdsAs(trap);
    return finding;
  default:
    return finding;
  }
}

const StateGraph *PropertyChecker::statesOrMore() {
  if (const StateGraph &states = explored(); states.allKnown())
    return &states;
  constexpr uint64_t mostStates = 20'000;
  if (!triedCounts && !system.isConstrained())
    counted = makeManyTokens(system);
  if (counted && !triedCounts) {
    Limits limits = options.limits;
    limits.maxStates =
        limits.maxStates ? std::min(limits.maxStates, mostStates) : mostStates;
    more = std::make_unique<StateGraph>(system, *counted, limits);
    if (!more->incomplete.empty())
      more.reset();
  }
  triedCounts = true;
  return more.get();
}

/// What no run does where counts end at "many" no run does.
Finding PropertyChecker::decideByCounts(CollaborationProperty property) {
  const char *method =
      "breadth-first exploration, counts up to many [pnueli2002]";
  Finding finding;
  if (!statesOrMore() || !more)
    return finding;
  StateGraph *const before = std::exchange(graph, more.get());
  const StateGraph::Facts &facts = more->facts();
  bool isGood = false;
  std::vector<uint32_t> dead;
  switch (property) {
  case CollaborationProperty::Safe:
    isGood = !facts.crowded;
    break;
  case CollaborationProperty::DeadlockFree:
  case CollaborationProperty::ProperCompletion:
    isGood = decide(property).verdict == Verdict::Holds;
    break;
  case CollaborationProperty::OptionToComplete:
    // Every state can reach one without steps, and each of these is complete.
    isGood =
        fate && fate->ends &&
        decide(CollaborationProperty::DeadlockFree).verdict == Verdict::Holds;
    method = "steps can be chosen that lead to an end, counts up to many "
             "[pnueli2002]";
    break;
  case CollaborationProperty::NoUndeliveredMessage:
    isGood = true;
    for (StateIndex s = 0; s < more->size(); ++s)
      isGood &= !facts.complete[s] || facts.quiet[s];
    break;
  case CollaborationProperty::NoDeadActivity: {
    std::vector<bool> started = more->startedElements();
    for (uint32_t e = 0; e < started.size(); ++e)
      if (!started[e])
        dead.push_back(e);
    break;
  }
  default: // a run here need not be one of the system
    break;
  }
  graph = before;
  if (!dead.empty())
    return deadElements(dead, method);
  return isGood ? holds(method) : finding;
}

/// Whether steps of \p group start a process.
bool PropertyChecker::startsProcess(GroupIndex group) const {
  const uint32_t process = system.step(group).process;
  return process != noneOf &&
         llvm::is_contained(system.groups().ownWrites(group),
                            system.processes()[process].permit);
}

bool PropertyChecker::leavesMessage(const uint32_t *state) const {
  for (uint32_t m = 0; m < receivers.size(); ++m)
    if (system.inTransit(state, m) && isLost(state, m))
      return true;
  return false;
}

/// Keeps the walks that show something new: an element that starts; several
/// tokens on a flow; an end that is no completion, or with a message left; a
/// completion with an end event that was reached twice.
void PropertyChecker::walkAbout() {
  // Long runs make long queues, each of which is stored: too much for what
  // the networks other than the one that decides are asked for.
  if (system.networkKind() != NetworkKind::Bag)
    return;
  const size_t processes = system.processes().size();
  std::vector<bool> started = graph->startedElements();
  bool crowded = false, stuck = false, noisy = false, twice = false;
  walks = std::make_unique<WalkedSystem>(system);
  bool any = false;
  auto isEmpty = [&](const uint32_t *state) {
    for (uint32_t p = 0; p < processes; ++p)
      if (system.isStarted(state, p) &&
          llvm::any_of(system.processes()[p].tokens,
                       [&](uint32_t slot) { return state[slot] != 0; }))
        return false;
    return true;
  };
  // What is walked is bounded by itself; few states ask for few steps.
  WalkOptions bounds;
  bounds.putsOff.resize(system.groups().size());
  for (GroupIndex g = 0; g < bounds.putsOff.size(); ++g)
    bounds.putsOff[g] = startsProcess(g);
  Limits limits = options.limits;
  if (limits.maxStates)
    bounds.maxSteps = std::min(bounds.maxSteps, 20 * limits.maxStates);
  limits.maxStates = 0;
  walk(system, bounds, limits, [&](const Walk &walk) {
    bool useful = false;
    auto isNew = [&](bool &seen, bool now) {
      useful |= now && !seen;
      seen = seen || now;
    };
    std::vector<uint32_t> ends(system.elements().size());
    bool endedTwice = false;
    for (size_t i = 0; i < walk.steps.size(); ++i) {
      const CollaborationStep &meaning = system.step(walk.steps[i].group);
      const uint32_t *state = walk.states[i + 1].data();
      if (meaning.starts && meaning.element != noneOf) {
        const CollaborationElement &element =
            system.elements()[meaning.element];
        useful |= !started[meaning.element];
        started[meaning.element] = true;
        endedTwice |=
            element.isEnd && !element.isNested && ++ends[meaning.element] > 1;
      }
      if (!crowded)
        for (uint32_t f = 0; f < system.flows().size(); ++f)
          isNew(crowded,
                system.flows()[f].isDrawn && system.tokens(state, f) > 1);
      if ((!twice && endedTwice) || !noisy)
        if (isEmpty(state)) {
          isNew(twice, endedTwice);
          isNew(noisy, leavesMessage(state));
        }
    }
    const uint32_t *last = walk.states.back().data();
    isNew(stuck, walk.isStuck && !system.isComplete(last));
    isNew(noisy, walk.isStuck && !system.isQuiet(last));
    any |= useful;
    if (useful)
      walks->add(walk);
    return true;
  });
  if (any && (system.trouble().empty() || system.gaveSome()))
    walked = std::make_unique<StateGraph>(system, *walks, limits,
                                          /*isPart=*/true);
}
