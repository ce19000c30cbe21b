//===- EngineChecker.cpp - Properties that an engine decides --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Safe, bounded, deadlock-free and no dead activity, as PropertyChecker.cpp
/// defines them, with an engine (Engine.h) in place of our own search. A run
/// that the engine finds is treated like any other. If it finds none, the
/// property holds for the states that it explored:
///
/// - without a constraint, or if the constraint forbids nothing, these are all
///   states;
/// - otherwise the verdict is given only in `fbpmn`, where a constraint is part
///   of the model, and is not exact; in the other semantics nothing is decided.
///
/// A constraint that forbids nothing shows that there are finitely many states.
/// Arguments that the user adds may exclude states; a verdict that depends on
/// finding nothing is then not exact.
///
//===----------------------------------------------------------------------===//

#include "PropertyChecker.h"

using namespace cif;

using Finding = CollaborationFinding;

bool cif::engineAsks(CollaborationProperty property) {
  return property == CollaborationProperty::Safe ||
         property == CollaborationProperty::Bounded ||
         property == CollaborationProperty::DeadlockFree ||
         property == CollaborationProperty::NoDeadActivity;
}

static Finding withoutAnswer(const Outcome<EngineAnswer> &answer) {
  Finding finding;
  finding.failed = answer.isFailed();
  finding.counts = {0, 0};
  if (answer.isStopped())
    finding.message = noVerdictText(answer.limit());
  return finding;
}

static const char *const forbids =
    "the constraint forbids steps that are possible";

Finding PropertyChecker::askEngine(CollaborationProperty property) {
  assert(engineAsks(property) && "no engine decides it");
  Engine engine(*options.engine, module, options.semantics, system,
                options.limits, diags);
  Finding finding;
  if (!engine.isReady()) {
    finding.failed = true;
    return finding;
  }
  bool isCut = false;
  std::optional<std::pair<uint64_t, uint64_t>> counts;
  if (system.isConstrained()) {
    Outcome<EngineAnswer> answer = engine.find(Goal::Cut);
    if (!answer) {
      finding = withoutAnswer(answer);
      finding.method = engine.method();
      return finding;
    }
    isCut = answer->isReached;
    counts = {answer->states, answer->transitions};
  }
  if (property != CollaborationProperty::Bounded) {
    finding = property == CollaborationProperty::NoDeadActivity
                  ? askForElements(engine, isCut)
                  : askFor(engine, property, isCut);
  } else {
    // Where it is not constrained, isReady has seen that it is.
    finding.verdict = isCut ? Verdict::Inconclusive : Verdict::Holds;
    finding.exact = !isCut;
    if (isCut)
      finding.message =
          std::string("whether it is bounded is not decided: ") + forbids;
    finding.counts = counts;
  }
  // No run shows that an activity is dead.
  if (engine.isTold() && (finding.verdict != Verdict::Violated ||
                          property == CollaborationProperty::NoDeadActivity))
    finding.exact = false;
  finding.method = engine.method();
  return finding;
}

/// What follows where nothing was found.
static Finding nothingFound(const CollaborationSystem &system, bool isCut,
                            const char *open) {
  Finding finding;
  finding.exact = !isCut;
  if (!isCut || system.semantics() == SemanticsKind::Fbpmn)
    finding.verdict = Verdict::Holds;
  else
    finding.message = std::string(open) + ": " + forbids;
  return finding;
}

Finding PropertyChecker::askFor(Engine &engine, CollaborationProperty property,
                                bool isCut) {
  const bool isDeadlock = property == CollaborationProperty::DeadlockFree;
  Outcome<EngineAnswer> answer =
      isDeadlock ? engine.findDeadlock() : engine.find(Goal::Unsafe);
  if (!answer)
    return withoutAnswer(answer);
  Finding finding;
  if (answer->isReached) {
    walks = std::make_unique<WalkedSystem>(system);
    walks->add(answer->run);
    walked = std::make_unique<StateGraph>(system, *walks, options.limits,
                                          /*isPart=*/true);
    graph = walked.get();
    finding = decide(property);
  } else {
    finding =
        nothingFound(system, isCut,
                     isDeadlock ? "deadlocks are not ruled out"
                                : "whether a flow may hold two tokens is not "
                                  "decided");
  }
  finding.counts = {answer->states, answer->transitions};
  return finding;
}

/// Most elements start soon: those are not asked for.
Finding PropertyChecker::askForElements(Engine &engine, bool isCut) {
  constexpr uint64_t few = 20'000;
  Limits limits = options.limits;
  limits.maxStates = limits.maxStates ? std::min(limits.maxStates, few) : few;
  StateGraph near(system, system, limits);
  std::vector<bool> started = near.startedElements();
  std::pair<uint64_t, uint64_t> counts(near.size(), near.ex.transitions);
  std::vector<uint32_t> dead;
  if (engine.canFindAll()) {
    Outcome<EngineAnswer> answer = engine.findAll(Goal::Start);
    if (!answer)
      return withoutAnswer(answer);
    for (uint32_t element : answer->found)
      if (element < started.size())
        started[element] = true;
    counts = {answer->states, answer->transitions};
  }
  for (uint32_t e = 0; e < started.size(); ++e) {
    if (started[e])
      continue;
    if (!engine.canFindAll()) {
      Outcome<EngineAnswer> answer = engine.find(Goal::Start, e);
      if (!answer)
        return withoutAnswer(answer);
      counts = {answer->states, answer->transitions};
      // The run to it may start others.
      WalkedSystem run(system);
      run.add(answer->run);
      if (answer->isReached) {
        StateGraph there(system, run, limits, /*isPart=*/true);
        std::vector<bool> also = there.startedElements();
        for (uint32_t other = 0; other < started.size(); ++other)
          started[other] = started[other] || also[other];
      }
    }
    if (!started[e])
      dead.push_back(e);
  }
  Finding finding;
  if (dead.empty()) {
    finding.verdict = Verdict::Holds;
    finding.exact = true;
  } else {
    finding = nothingFound(system, isCut, "not every activity started");
    if (finding.verdict == Verdict::Holds)
      finding = neverRun(dead);
    finding.exact = !isCut;
    finding.at = explain.elementPlace(dead[0]);
  }
  finding.counts = counts;
  return finding;
}
