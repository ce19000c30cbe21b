//===- Properties.cpp - Properties of collaborations ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Collaboration/Properties.h"
#include "PropertyChecker.h"

using namespace cif;

StringRef cif::collaborationPropertyText(CollaborationProperty property) {
  static const StringRef texts[] = {
      "safe",
      "bounded",
      "deadlock-free",
      "livelock-free",
      "option-to-complete",
      "proper-completion",
      "no-dead-activity",
      "no-undelivered-message",
      "sound",
      "message-relaxed-sound",
  };
  static_assert(std::size(texts) == numCollaborationProperties);
  return texts[static_cast<unsigned>(property)];
}

struct CollaborationAnalysis::State {
  const Module &module;
  std::unique_ptr<CollaborationSystem> system;
  PropertyChecker checker;
  std::array<std::optional<CollaborationFinding>, numCollaborationProperties>
      findings;

  State(const Module &of, std::unique_ptr<CollaborationSystem> by,
        const CollaborationOptions &options,
        std::function<CollaborationAnalysis *()> wider, DiagnosticEngine &diags)
      : module(of), system(std::move(by)),
        checker(of, *system, options, std::move(wider), diags) {}
};

CollaborationAnalysis::CollaborationAnalysis(std::unique_ptr<State> with)
    : state(std::move(with)) {}
CollaborationAnalysis::~CollaborationAnalysis() = default;

std::unique_ptr<CollaborationAnalysis> CollaborationAnalysis::make(
    const Module &module, const CollaborationOptions &options,
    std::function<CollaborationAnalysis *()> wider, DiagnosticEngine &diags) {
  SemanticsOptions semantics = options.semantics;
  semantics.runLimits = options.limits;
  std::unique_ptr<CollaborationSystem> system =
      makeCollaborationSystem(module, semantics, diags);
  if (!system)
    return nullptr;
  return std::unique_ptr<CollaborationAnalysis>(
      new CollaborationAnalysis(std::make_unique<State>(
          module, std::move(system), options, std::move(wider), diags)));
}

void CollaborationAnalysis::tellAbstractions(DiagnosticEngine &diags) const {
  cif::tellAbstractions(state->module, *state->system, diags);
}

const CollaborationFinding &
CollaborationAnalysis::check(CollaborationProperty property) {
  auto &finding = state->findings[static_cast<unsigned>(property)];
  if (!finding) {
    finding = state->checker.check(property);
    if (!finding->counts)
      finding->counts = {exploration().numStates(), exploration().transitions};
  }
  return *finding;
}

const CollaborationSystem &CollaborationAnalysis::system() const {
  return *state->system;
}

const Exploration &CollaborationAnalysis::exploration() const {
  return state->checker.explored().ex;
}

std::string CollaborationAnalysis::subject() const {
  ArrayRef<CollaborationProcess> processes = system().processes();
  if (processes.size() != 1)
    return "the collaboration";
  return "process '" + processes[0].name + "'";
}

Place CollaborationAnalysis::place() const {
  ArrayRef<CollaborationProcess> processes = system().processes();
  if (processes.empty())
    return {};
  const Module &module = state->module;
  return module.place(module.behaviours[processes[0].behaviour].loc);
}

//===----------------------------------------------------------------------===//
// Where networks differ
//===----------------------------------------------------------------------===//

namespace {
/// Follows a run under another network, as far as that allows it.
class Follower {
public:
  Follower(const CollaborationSystem &in)
      : system(in), state(in.width()), room(in.width()) {
    system.initial(state.data());
  }
  /// Takes the step of the same element; false: it is not possible here.
  bool take(const Step &step) {
    std::vector<uint32_t> next;
    system.successors(
        state.data(), room.data(), [&](const Step &other, const uint32_t *to) {
          if (other.group != step.group || other.partner != step.partner)
            return true;
          next.assign(to, to + state.size());
          return false;
        });
    if (next.empty())
      return false;
    state = std::move(next);
    return true;
  }
  std::vector<GroupIndex> enabled() {
    std::vector<GroupIndex> groups;
    system.successors(state.data(), room.data(),
                      [&](const Step &step, const uint32_t *) {
                        groups.push_back(step.group);
                        return true;
                      });
    return groups;
  }

private:
  const CollaborationSystem &system;
  std::vector<uint32_t> state, room;
};
} // namespace

/// The first message in transit after \p run that \p kind would deliver before
/// \p message; noneOf: none.
static uint32_t messageBefore(const CollaborationSystem &system,
                              NetworkKind kind, ArrayRef<RunStep> run,
                              uint32_t message) {
  SmallVector<uint32_t, 8> transit;
  for (const RunStep &step : run) {
    const CollaborationStep &meaning = system.step(step.step.group);
    if (meaning.receives != noneOf)
      if (auto at = llvm::find(transit, meaning.receives); at != transit.end())
        transit.erase(at);
    if (meaning.sends != noneOf)
      transit.push_back(meaning.sends);
  }
  for (uint32_t m : transit) {
    if (m == message)
      return noneOf;
    if (keepsOrder(kind, system.messages()[m].label,
                   system.messages()[message].label))
      return m;
  }
  return noneOf;
}

/// A shortest run of \p system that ends with a start of \p element; nothing:
/// none was found soon.
static std::vector<RunStep> runToStart(const CollaborationSystem &system,
                                       uint32_t element) {
  ExplorerOptions options;
  options.limits.maxStates = 20'000;
  options.keepOrigins = true;
  Exploration ex = explore(system, options);
  for (StateIndex s = 0; s < ex.numStates(); ++s)
    for (uint32_t e = ex.lts.rowBegin[s]; e < ex.lts.rowBegin[s + 1]; ++e) {
      const CollaborationStep &meaning = system.step(ex.steps[e].group);
      if (!(meaning.starts && meaning.element == element) &&
          !llvm::is_contained(meaning.alsoStarts, element))
        continue;
      std::vector<RunStep> run = ex.traceTo(s);
      run.push_back({s, ex.steps[e], ex.lts.target[e]});
      return run;
    }
  return {};
}

/// Why an element that never runs under one network runs under the other: the
/// step on its way there that the first network does not allow.
static std::vector<Note> explainNeverRuns(const CollaborationSystem &here,
                                          const CollaborationSystem &there,
                                          const Module &module,
                                          const Explainer &explain,
                                          uint32_t element) {
  std::vector<RunStep> run = runToStart(there, element);
  Follower follower(here);
  for (size_t i = 0; i < run.size(); ++i) {
    const GroupIndex g = run[i].step.group;
    if (follower.take(run[i].step))
      continue;
    const Origin &origin = here.groups().origin(g);
    std::string text = "under " + networkText(there.networkKind()).str() + " ";
    const uint32_t message = here.step(g).receives;
    uint32_t before = message == noneOf
                          ? noneOf
                          : messageBefore(here, here.networkKind(),
                                          ArrayRef(run).take_front(i), message);
    if (before != noneOf)
      text += explain.messageText(message) + " overtakes " +
              explain.messageText(before) + " at " + explain.originName(origin);
    else
      text += explain.stepText(run[i].step) + ", which has to wait here";
    return {{originPlace(module, origin),
             text + ", so that " + explain.elementText(element) + " runs"}};
  }
  return {};
}

std::vector<Note> cif::explainDifference(CollaborationAnalysis &failing,
                                         CollaborationAnalysis &holding,
                                         CollaborationProperty property) {
  const CollaborationFinding &finding = failing.check(property);
  const CollaborationSystem &system = failing.system();
  const Explainer &explain = failing.state->checker.explainer();
  const Module &module = failing.state->module;
  const std::string there = networkText(holding.network()).str();
  auto note = [&](GroupIndex g, const std::string &text) {
    return std::vector<Note>{
        {originPlace(module, system.groups().origin(g)), text}};
  };
  auto elementOf = [&](GroupIndex g) {
    return explain.originName(system.groups().origin(g));
  };
  if (property == CollaborationProperty::NoDeadActivity) {
    std::vector<bool> started =
        failing.state->checker.explored().startedElements();
    for (uint32_t e = 0; e < started.size(); ++e)
      if (!started[e])
        return explainNeverRuns(system, holding.system(), module, explain, e);
  }
  Follower here(system), other(holding.system());
  ArrayRef<RunStep> run = finding.run;
  for (size_t i = 0; i < run.size(); ++i) {
    const GroupIndex g = run[i].step.group;
    const CollaborationStep &meaning = system.step(g);
    if (!other.take(run[i].step)) {
      // The run needs what the other network does not allow.
      if (meaning.receives == noneOf)
        return note(g, "under " + there + " this step has to wait: " +
                           explain.stepText(run[i].step));
      uint32_t before = messageBefore(system, holding.network(),
                                      run.take_front(i), meaning.receives);
      std::string text = explain.messageText(meaning.receives);
      if (before == noneOf)
        return note(g, "under " + there + " " + text +
                           " cannot be received here at " + elementOf(g));
      return note(g, text + " overtakes " + explain.messageText(before) +
                         " at " + elementOf(g) + "; under " + there +
                         " it does not");
    }
    if (!here.take(run[i].step))
      return {};
  }
  // The run is one of both: what the other network allows behind it.
  std::vector<GroupIndex> possible = here.enabled();
  for (GroupIndex g : other.enabled()) {
    if (llvm::is_contained(possible, g))
      continue;
    const CollaborationStep &meaning = system.step(g);
    if (meaning.receives == noneOf)
      return note(g, "under " + there + " " + elementOf(g) +
                         " can continue after this run");
    uint32_t before =
        messageBefore(system, failing.network(), run, meaning.receives);
    std::string text = explain.messageText(meaning.receives);
    if (before == noneOf)
      return note(g, "under " + there + " " + text +
                         " can be received after this run at " + elementOf(g));
    return note(g, text + " waits behind " + explain.messageText(before) +
                       "; under " + there + " it overtakes it at " +
                       elementOf(g));
  }
  return {};
}
