//===- EngineHealth.cpp - Problems of peers that an engine finds ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The problems that Health.cpp defines, with an engine (Engine.h) in place of
/// our own search.
///
/// - Deadlocks and unspecified receptions are states that are searched for.
/// - An orphan message is in transit in a state in which all peers are done,
///   and cif-pins does not soon find a continuation that receives it. If no
///   such state is reached, there is no orphan. If one is found, our own search
///   decides; if a continuation receives the message after all, nothing is
///   known about other states.
/// - Queues are bounded if the bound that is given never keeps a message from
///   being sent. Then the other answers are exact as well.
///
//===----------------------------------------------------------------------===//

#include "HealthVisitor.h"
#include "cif/Explore/ExploreModule.h"

using namespace cif;

namespace {
/// What may follow a state.
class Continuation final : public WrappedSystem<System> {
public:
  Continuation(const System &of, std::vector<uint32_t> from)
      : WrappedSystem(of), start(std::move(from)) {}
  void initial(uint32_t *state) const override { llvm::copy(start, state); }
  void successors(const uint32_t *state, uint32_t *scratch,
                  StepSink sink) const override {
    system.successors(state, scratch, sink);
  }

private:
  const std::vector<uint32_t> start;
};

class EngineHealth {
public:
  EngineHealth(const Module &of, const SynchronizabilityOptions &asked,
               DiagnosticEngine &engine)
      : module(of), options(asked), diags(engine),
        bound(asked.bound.value_or(noBound)) {}

  std::optional<Health> check(const EngineOptions &with);

private:
  bool ask(Engine &engine, HealthProblem problem);
  bool askForBound(Engine &engine);
  HealthFinding &operator[](HealthProblem problem) {
    return health.findings[static_cast<unsigned>(problem)];
  }
  /// What is wrong behind \p run, which it may make longer. False: nothing.
  bool show(HealthProblem problem, std::vector<Step> run,
            const std::vector<uint32_t> &last);

  const Module &module;
  const SynchronizabilityOptions &options;
  DiagnosticEngine &diags;
  const uint32_t bound;
  std::unique_ptr<PeerComposition> system;
  bool isCut = false; ///< the bound keeps something from being sent
  Health health;
};
} // namespace

bool EngineHealth::show(HealthProblem problem, std::vector<Step> run,
                        const std::vector<uint32_t> &last) {
  HealthVisitor visitor(*system, bound);
  StateIndex at = 0;
  if (problem == HealthProblem::Orphan) {
    Continuation behind(*system, last);
    Exploration explored = explore(
        behind,
        {.limits = options.limits, .keepOrigins = true, .visitor = &visitor});
    // What the engine saw may yet be received, or nobody knows.
    std::string why = findOrphan(*system, explored, visitor, options.limits);
    if (!why.empty()) {
      (*this)[problem].text = stoppedText(why);
      return false;
    }
    at = visitor.found[static_cast<unsigned>(problem)];
    if (at != nowhere)
      for (const RunStep &step : explored.traceTo(at))
        run.push_back(step.step);
  } else {
    std::vector<uint32_t> scratch(system->width());
    size_t count = 0;
    system->successors(last.data(), scratch.data(),
                       [&](const Step &step, const uint32_t *) {
                         ++count;
                         return visitor.transition(0, step, 0);
                       });
    visitor.expanded(0, last.data(), count);
  }
  const auto i = static_cast<unsigned>(problem);
  std::optional<std::vector<WitnessStep>> steps =
      replayRun(module, *system, run);
  if (visitor.found[i] == nowhere || !steps)
    return false;
  HealthFinding &finding = health.findings[i];
  finding.verdict = Verdict::Violated;
  finding.exact = true;
  finding.text = healthText(problem, visitor.who[i]);
  if (run.empty())
    finding.text += ", from the beginning";
  for (GroupIndex group : visitor.waits[i])
    finding.waits.push_back(system->groups().origin(group));
  finding.witness.emplace();
  finding.witness->kind = "trace";
  finding.witness->steps = std::move(*steps);
  return true;
}

bool EngineHealth::ask(Engine &engine, HealthProblem problem) {
  Outcome<EngineAnswer> answer =
      problem == HealthProblem::Deadlock ? engine.findDeadlock()
      : problem == HealthProblem::Orphan ? engine.find(Goal::Left)
                                         : engine.find(Goal::Unspecified);
  if (answer.isFailed())
    return false;
  HealthFinding &finding = (*this)[problem];
  if (answer.isStopped()) {
    finding.text = stoppedText(answer.limit());
    return true;
  }
  health.states = std::max(health.states, answer->states);
  health.transitions = std::max(health.transitions, answer->transitions);
  // Nothing that is left for sure; perhaps something that a bound leaves there.
  if (problem == HealthProblem::Orphan && isCut && !answer->isReached) {
    answer = engine.find(Goal::LeftWithin);
    if (answer.isFailed())
      return false;
    if (answer.isStopped()) {
      finding.text = stoppedText(answer.limit());
      return true;
    }
  }
  if (!answer->isReached) {
    finding.verdict = Verdict::Holds;
    finding.exact = !isCut && !engine.isTold();
  } else if (!show(problem, answer->run.steps, answer->run.states.back()) &&
             finding.text.empty()) {
    finding.text = "all peers are done with a message in transit that may "
                   "still be received; the engine did not search further";
  }
  return true;
}

bool EngineHealth::askForBound(Engine &engine) {
  HealthFinding &finding = (*this)[HealthProblem::Unbounded];
  finding.verdict = Verdict::Holds;
  finding.exact = true;
  if (bound == noBound || networkHas(options.network, NetworkIsFinite))
    return true;
  Outcome<EngineAnswer> answer = engine.find(Goal::Cut);
  if (answer.isFailed())
    return false;
  // What is not known to be complete is not.
  isCut = answer.isStopped() || answer->isReached;
  finding.exact = !engine.isTold();
  if (!isCut)
    return true;
  finding = HealthFinding();
  finding.text = answer.isStopped() ? stoppedText(answer.limit())
                                    : "a queue can need room for more than " +
                                          std::to_string(bound) + " messages";
  return true;
}

std::optional<Health> EngineHealth::check(const EngineOptions &with) {
  SemanticsOptions semantics = SemanticsOptions::peers(
      options.network, Observation::Both, options.handshakes, bound);
  semantics.plainQueues = bound != noBound;
  system = makePeerComposition(module, semantics, diags);
  if (!system)
    return std::nullopt;
  Engine engine(with, module, semantics, *system, options.limits, diags);
  if (!engine.isReady() || !askForBound(engine))
    return std::nullopt;
  health.method = engine.method();
  if (bound != noBound)
    health.method += ", queues up to " + std::to_string(bound);
  for (HealthProblem problem :
       {HealthProblem::Deadlock, HealthProblem::UnspecifiedReception,
        HealthProblem::Orphan})
    if (!ask(engine, problem))
      return std::nullopt;
  return std::move(health);
}

std::optional<Health>
cif::checkHealthWith(const EngineOptions &engine, const Module &module,
                     const SynchronizabilityOptions &options,
                     DiagnosticEngine &diags) {
  return EngineHealth(module, options, diags).check(engine);
}
