//===- PropertyChecker.cpp - Deciding properties of collaborations --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The properties that docs/soundness.md defines, on the explored states.
/// Implements: [fbpmn], section 3.4 (safe, sound, message-relaxed sound,
/// under the fairness given there) and [corradini2018] (option to complete,
/// proper completion, no dead activity) for collaborations.
///
/// Only some orders of independent steps are explored first; Reduction.cpp
/// proves what they tell, and (1) to (5) below refer to it. Properties that
/// this does not decide are decided on all states.
///
/// Input class: any collaboration. If all states are known, each verdict is
/// exact. Otherwise a violation that is found is a proof, because it
/// involves only known states (and so do the runs of Walks.cpp), and the
/// absence of one is inconclusive. Safe, bounded and no dead activity can
/// still be decided:
///
/// - by a coverability set (Covering.cpp);
/// - by states in which counts end at "many" (ManyTokens.cpp);
/// - by the processes alone (ProcessParts.cpp);
/// - for another network by `bag`, which reaches all tokens and messages
///   that the other network reaches, because a network only removes
///   receptions (and, in rsc, sends).
///
//===----------------------------------------------------------------------===//

#include "PropertyChecker.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Graph/Search.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace cif;

using Finding = CollaborationFinding;

static const char *const explorationMethod = "breadth-first exploration";
static const char *const reductionMethod =
    "breadth-first exploration with stubborn sets [valmari1991]";
static const char *const exchangedMethod =
    "breadth-first exploration with stubborn sets [valmari1991], instances "
    "exchanged [ip1996]";
static const char *const walksMethod = "random walks [west1986]";

PropertyChecker::PropertyChecker(const Module &module,
                                 const CollaborationSystem &system,
                                 const CollaborationOptions &options,
                                 std::function<CollaborationAnalysis *()> wider,
                                 DiagnosticEngine &diags)
    : module(module), system(system), options(options), wider(std::move(wider)),
      diags(diags), explain(module, system) {
  receivers.resize(system.messages().size());
  for (GroupIndex g = 0; g < system.groups().size(); ++g)
    if (system.step(g).receives != noneOf)
      receivers[system.step(g).receives].push_back(system.step(g).process);
  if (options.engine) {
    // Nothing is known but the beginning.
    walks = std::make_unique<WalkedSystem>(system);
    all = std::make_unique<StateGraph>(system, *walks, options.limits,
                                       /*isPart=*/true);
    graph = all.get();
    return;
  }
  if (options.reduce)
    exploreSome(/*fuse=*/true);
  if (!some)
    exploreAll();
}

/// Explores until no step is put off for ever, if that comes about soon.
void PropertyChecker::exploreSome(bool fuse) {
  constexpr unsigned mostRounds = 20;
  some.reset();
  std::optional<StepNet> steps = system.stepNet();
  if (!steps)
    return;
  reduced = std::make_unique<ReducedSystem>(system, std::move(*steps), fuse);
  ExplorerOptions explorer;
  explorer.limits = options.limits;
  // Choosing steps takes longer than to take them.
  if (uint64_t &most = explorer.limits.maxStates)
    most = std::max<uint64_t>(most / 4, std::min<uint64_t>(most, 20'000));
  explorer.keepOrigins = true;
  for (unsigned round = 0; round < mostRounds; ++round) {
    Exploration ex = explore(*reduced, explorer);
    if (!ex.complete)
      return;
    if (reduced->expandIgnored(ex))
      continue;
    some = std::make_unique<StateGraph>(system, std::move(ex));
    someHaveCycles = hasCycle(some->lts());
    return;
  }
}

const char *PropertyChecker::searchMethod() const {
  if (!isReduced())
    return explorationMethod;
  return reduced->exchanges() ? exchangedMethod : reductionMethod;
}

/// For what the reduction does not tell.
void PropertyChecker::exploreAll() {
  if (!all) {
    all = std::make_unique<StateGraph>(system, system, options.limits);
    if (all->growing) {
      Growth &growth = *all->growing->growth;
      growth.what = growthText(growth);
      all->incomplete = all->growing->incompleteText();
    }
  }
  graph = all.get();
}

/// What grows: flows by what they lead from and to, which their ids do not say.
std::string PropertyChecker::growthText(const Growth &growth) const {
  const std::vector<uint32_t> low = all->growing->vectorOf(growth.from),
                              high = all->growing->vectorOf(growth.to);
  std::string text = growth.what;
  for (auto [number, flow] : llvm::enumerate(system.flows())) {
    if (high[flow.slot] <= low[flow.slot])
      continue;
    const Flow &drawn =
        module.behaviours[flow.flow.unit].flow(FlowId(flow.flow.element));
    const std::string id =
        "flow '" + module.text(drawn.loc.element).str() + "' gains";
    if (size_t at = text.find(id);
        drawn.name.empty() && at != std::string::npos)
      text.replace(at, id.size(), explain.flowText(number) + " gains");
  }
  return text;
}

Finding PropertyChecker::check(CollaborationProperty property) {
  if (options.engine)
    return askEngine(property);
  Finding finding = find(property);
  if (finding.verdict != Verdict::Violated || !isReduced() || !reduced->fuses())
    return finding;
  // A run names every gateway, and is a shortest one.
  exploreSome(/*fuse=*/false);
  if (!some)
    exploreAll();
  return find(property);
}

/// Where a limit was met, or the states are infinitely many, walks may come to
/// what the search in breadth did not.
Finding PropertyChecker::find(CollaborationProperty property) {
  graph = some ? some.get() : all.get();
  Finding finding = decide(property);
  if (finding.verdict != Verdict::Inconclusive || system.isConstrained())
    return finding;
  if (Finding known = decideByStructure(property);
      known.verdict != Verdict::Inconclusive)
    return known;
  if (Finding known = decideByCounts(property);
      known.verdict != Verdict::Inconclusive)
    return known;
  if (Finding known = decideByParts(property);
      known.verdict != Verdict::Inconclusive)
    return known;
  if (!triedWalks)
    walkAbout();
  triedWalks = true;
  // An activity is dead for all runs or none.
  if (!walked || property == CollaborationProperty::NoDeadActivity)
    return finding;
  StateGraph *const before = std::exchange(graph, walked.get());
  Finding other = decide(property);
  graph = before;
  if (other.verdict != Verdict::Violated)
    return finding;
  if (other.method == explorationMethod)
    other.method = walksMethod;
  return other;
}

Finding PropertyChecker::decide(CollaborationProperty property) {
  switch (property) {
  case CollaborationProperty::Safe:
    return checkSafe();
  case CollaborationProperty::Bounded:
    return checkBounded();
  case CollaborationProperty::DeadlockFree:
    return checkDeadlockFree();
  case CollaborationProperty::LivelockFree:
    return checkLivelockFree();
  case CollaborationProperty::OptionToComplete:
    return checkOptionToComplete();
  case CollaborationProperty::ProperCompletion:
    return checkProperCompletion();
  case CollaborationProperty::NoDeadActivity:
    return checkNoDeadActivity();
  case CollaborationProperty::NoUndeliveredMessage:
    return checkNoUndeliveredMessage();
  case CollaborationProperty::Sound:
    return checkSound(true);
  case CollaborationProperty::MessageRelaxedSound:
    return checkSound(false);
  }
  llvm_unreachable("all are handled");
}

Finding PropertyChecker::holds(StringRef method) const {
  Finding finding;
  finding.verdict = Verdict::Holds;
  // The published fairness passes over a bound; the states beyond it were not
  // looked at all the same.
  finding.exact = !graph->isCut();
  finding.method = method.empty() ? searchMethod() : method.str();
  return finding;
}

Finding PropertyChecker::notDecided(StringRef what) const {
  Finding finding;
  finding.method = explorationMethod;
  finding.message = (what + ": " + graph->incomplete).str();
  return finding;
}

Finding PropertyChecker::violated(std::vector<RunStep> run, size_t loopStart,
                                  const Twine &message) const {
  Finding finding;
  finding.verdict = Verdict::Violated;
  finding.exact = true;
  finding.method = searchMethod();
  finding.message = message.str();
  finding.witness = explain.witness(graph->ex, run, loopStart);
  if (!finding.witness->steps.empty())
    finding.at = finding.witness->steps.back().at;
  finding.run = std::move(run);
  finding.loopStart = loopStart;
  return finding;
}

std::optional<Finding> PropertyChecker::underBag(CollaborationProperty property,
                                                 Verdict verdict) const {
  CollaborationAnalysis *bag = wider ? wider() : nullptr;
  if (!bag || bag->check(property).verdict != verdict)
    return std::nullopt;
  Finding finding = bag->check(property);
  finding.method += ", under bag, which allows more";
  finding.counts.reset();
  return finding;
}

const Covering *PropertyChecker::covering() {
  if (!covered)
    covered = std::make_unique<Covering>(system, options.limits);
  return covered->isKnown() ? covered.get() : nullptr;
}

//===----------------------------------------------------------------------===//
// Safe and bounded
//===----------------------------------------------------------------------===//

Finding PropertyChecker::checkSafe() {
  // The property speaks of flows that are drawn. Tokens in a merge that is not
  // could as well wait on the flows before it, so that looking away from it
  // misses nothing where all orders of steps are there. The reduction keeps
  // whether any flow gets two tokens; all orders tell which, and by a shortest
  // run.
  if (graph->facts().anyCrowded && isReduced()) {
    exploreAll();
    if (!graph->facts().crowded && !graph->allKnown())
      graph = some.get();
  }
  if (graph->facts().crowded) {
    auto [s, flow] = *graph->facts().crowded;
    Finding finding =
        violated(graph->ex.traceTo(s), SIZE_MAX,
                 explain.flowText(flow) + " holds " +
                     Twine(system.tokens(graph->vector(s), flow)) + " tokens");
    finding.at = explain.flowPlace(flow);
    explain.explainParting(graph->ex, finding.run, flow, noneOf, finding.notes);
    explain.explainChoices(finding.run, finding.notes);
    return finding;
  }
  if (graph->allKnown() && !(isReduced() && graph->facts().anyCrowded))
    return holds();
  if (const Covering *covers = covering(); covers && covers->isSafe())
    return holds(covers->method());
  if (std::optional<Finding> there =
          underBag(CollaborationProperty::Safe, Verdict::Holds))
    return *there;
  return notDecided("whether a flow may hold two tokens is not decided");
}

Finding PropertyChecker::checkBounded() {
  if (isReduced() && (!someHaveCycles || system.isBounded())) // (5)
    return holds();
  if (isReduced())
    exploreAll();
  if (graph->growing) {
    const Exploration &ex = *graph->growing;
    Finding finding;
    finding.verdict = Verdict::Violated;
    finding.exact = true;
    finding.method =
        "exploration; a cycle that adds tokens or messages [karpmiller]";
    finding.message = "unbounded: " + ex.growth->what;
    finding.run = ex.traceTo(ex.growth->from);
    finding.loopStart = finding.run.size();
    llvm::append_range(finding.run, ex.growth->cycle);
    finding.witness = explain.witness(ex, finding.run, finding.loopStart);
    if (!finding.witness->steps.empty())
      finding.at = finding.witness->steps.back().at;
    return finding;
  }
  if (graph->isCut())
    return notDecided("whether it is bounded is not decided");
  if (graph->ex.complete)
    return holds();
  if (system.isBounded())
    return holds("structure: no run grows for ever");
  if (const Covering *covers = covering(); covers && covers->isBounded())
    return holds(covers->method());
  if (std::optional<Finding> there =
          underBag(CollaborationProperty::Bounded, Verdict::Holds))
    return *there;
  return notDecided("whether it is bounded is not decided");
}

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

Finding PropertyChecker::stuck(StateIndex s, const Twine &message) const {
  Finding finding = violated(graph->ex.traceTo(s), SIZE_MAX, message);
  std::vector<uint32_t> state = graph->ex.vectorOf(s);
  explain.explainWaiting(state.data(), finding.notes);
  explain.explainMissing(state.data(), finding.run, finding.notes);
  explain.explainTransit(state.data(), finding.run, finding.notes);
  explain.explainChoices(finding.run, finding.notes);
  if (!finding.notes.empty())
    finding.at = finding.notes.front().place;
  return finding;
}

Finding PropertyChecker::doomed(StateIndex s, const std::vector<bool> &hopeful,
                                const Twine &message) const {
  // Everything behind s is without hope. On to what cannot be left: of those
  // components the one that is nearest.
  const Lts &lts = graph->lts();
  Components parts = componentsWithin(
      lts, [&](StateIndex t) { return !hopeful[t]; },
      [](uint32_t) { return true; });
  std::vector<bool> isBottom(parts.count, true);
  for (StateIndex t = 0; t < lts.numStates(); ++t)
    if (!hopeful[t])
      for (StateIndex to : lts.targetsOf(t))
        if (parts.of[to] != parts.of[t])
          isBottom[parts.of[t]] = false;
  std::vector<RunStep> run = graph->ex.traceTo(s);
  auto append = [&](const Path &path) {
    StateIndex at = path.start;
    for (uint32_t e : path.transitions) {
      run.push_back({at, graph->ex.steps[e], lts.target[e]});
      at = lts.target[e];
    }
    return at;
  };
  auto any = [](uint32_t) { return true; };
  const size_t lost = run.size();
  StateIndex end = append(*shortestPathFrom(
      lts, s, [&](StateIndex t) { return isBottom[parts.of[t]]; }, any));
  size_t loopStart = SIZE_MAX;
  if (lts.rowBegin[end] != lts.rowBegin[end + 1]) {
    loopStart = run.size();
    append(*shortestPathFrom(
        lts, end, [&](StateIndex t) { return t == end; }, any,
        /*mayBeEmpty=*/false));
  }
  Finding finding = violated(std::move(run), loopStart, message);
  if (lost > 0 && lost < finding.witness->steps.size())
    finding.witness->steps[lost - 1].note =
        "after this step there is no way to complete";
  std::vector<uint32_t> state = graph->ex.vectorOf(end);
  if (loopStart == SIZE_MAX)
    explain.explainWaiting(state.data(), finding.notes);
  explain.explainTransit(state.data(), finding.run, finding.notes);
  explain.explainChoices(finding.run, finding.notes);
  return finding;
}

/// "'A' and 'B' are not complete".
std::string PropertyChecker::unfinished(StateIndex s) const {
  const uint32_t *state = graph->vector(s);
  SmallVector<std::string, 2> names;
  for (uint32_t p = 0; p < system.processes().size(); ++p)
    if (!system.isSound(state, p) && system.isStarted(state, p))
      names.push_back("'" + system.processes()[p].name + "'");
  if (names.empty() || names.size() > 3)
    return "not every process is complete";
  if (system.processes().size() == 1)
    return "the process is not complete";
  const std::string last = names.pop_back_val();
  return (names.empty() ? last + " is"
                        : llvm::join(names, ", ") + " and " + last + " are") +
         " not complete";
}

Finding PropertyChecker::checkDeadlockFree() {
  for (StateIndex s = 0; s < graph->size(); ++s)
    if (graph->isDead(s) && !graph->isComplete(s))
      return stuck(s,
                   "deadlock: nothing more is possible, but " + unfinished(s));
  return graph->allKnown() ? holds()
                           : notDecided("deadlocks are not ruled out");
}

Finding PropertyChecker::checkLivelockFree() {
  std::vector<bool> goals(graph->size());
  for (StateIndex s = 0; s < graph->size(); ++s)
    goals[s] =
        graph->facts().complete[s] || !graph->isKnown(s) || graph->isEnd(s);
  std::vector<bool> hopeful = graph->canReach(goals);
  auto lost = llvm::find(hopeful, false);
  if (lost != hopeful.end())
    return doomed(static_cast<StateIndex>(lost - hopeful.begin()), hopeful,
                  "livelock: it runs for ever and cannot complete");
  return graph->allKnown() ? holds()
                           : notDecided("livelocks are not ruled out");
}

Finding PropertyChecker::checkOptionToComplete() {
  std::vector<bool> goals(graph->size());
  for (StateIndex s = 0; s < graph->size(); ++s)
    goals[s] = graph->facts().complete[s] || !graph->isKnown(s) ||
               // Stopped by the bound alone, which is no end [fbpmn].
               (graph->isEnd(s) && !graph->isDead(s));
  std::vector<bool> hopeful = graph->canReach(goals);
  auto lost = llvm::find(hopeful, false);
  if (lost != hopeful.end())
    return doomed(static_cast<StateIndex>(lost - hopeful.begin()), hopeful,
                  "it can reach a state from which it cannot complete");
  return graph->allKnown()
             ? holds()
             : notDecided("whether it can always complete is not decided");
}

/// Whether a state counts one of \p ends twice, or that is not counted.
bool PropertyChecker::reachesTwice(ArrayRef<uint32_t> ends) const {
  for (uint32_t e : ends) {
    if (system.elements()[e].marks.empty() || system.reachedMaximum() < 2)
      return true;
    for (StateIndex s = 0; s < graph->size(); ++s)
      if (system.reached(graph->vector(s), e) > 1)
        return true;
  }
  return false;
}

Finding PropertyChecker::checkProperCompletion() {
  // By state and end event of a process: whether a run there reaches that
  // event at least once, at least twice. Sixty-four events at a time.
  std::vector<uint32_t> ends;
  for (uint32_t e = 0; e < system.elements().size(); ++e)
    if (system.elements()[e].isEnd && !system.elements()[e].isNested)
      ends.push_back(e);
  if (isReduced() && reduced->exchanges()) {
    // Steps do not tell which instance it was, but the marks in a state do.
    if (!reachesTwice(ends))
      return holds();
    exploreAll();
  }
  const Lts &lts = graph->lts();
  bool anyTwice = false;
  for (size_t first = 0; first < ends.size(); first += 64) {
    std::vector<uint64_t> bitOf(system.elements().size());
    for (size_t i = first; i < std::min(ends.size(), first + 64); ++i)
      bitOf[ends[i]] = uint64_t(1) << (i - first);
    auto bits = [&](uint32_t e) {
      const CollaborationStep &step = system.step(graph->ex.steps[e].group);
      return step.element != noneOf && step.starts ? bitOf[step.element] : 0;
    };
    std::vector<uint64_t> once(graph->size()), twice(graph->size());
    std::vector<StateIndex> work{lts.initial};
    std::vector<bool> waiting(graph->size()), reached(graph->size());
    reached[lts.initial] = true;
    while (!work.empty()) {
      StateIndex s = work.back();
      work.pop_back();
      waiting[s] = false;
      for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e) {
        StateIndex t = lts.target[e];
        uint64_t now = bits(e);
        uint64_t two = twice[t] | twice[s] | (once[s] & now);
        uint64_t one = once[t] | once[s] | now;
        if (reached[t] && one == once[t] && two == twice[t])
          continue;
        once[t] = one;
        twice[t] = two;
        reached[t] = true;
        if (!waiting[t])
          work.push_back(t);
        waiting[t] = true;
      }
    }
    for (StateIndex s = 0; s < graph->size(); ++s) {
      anyTwice |= twice[s] != 0;
      if (!graph->facts().empty[s] || !twice[s])
        continue;
      uint32_t end = ends[first + llvm::countr_zero(twice[s])];
      return twiceReached(end);
    }
  }
  if (anyTwice && isReduced()) {
    exploreAll();
    return checkProperCompletion();
  }
  return graph->allKnown()
             ? holds()
             : notDecided("whether it completes properly is not decided");
}

/// A shortest run to a complete state that reaches \p end twice: breadth first
/// over states and how often, up to two.
Finding PropertyChecker::twiceReached(uint32_t end) const {
  const Lts &lts = graph->lts();
  StateSearch<uint32_t> search; // by transitions
  search.start({lts.initial, 0});
  for (std::vector<uint32_t> state; search.next(state);) {
    const StateIndex s = state[0];
    const uint32_t times = state[1];
    if (times == 2 && graph->facts().empty[s]) {
      Finding finding = violated(graph->runOf(search.run()), SIZE_MAX,
                                 explain.elementText(end) +
                                     " is reached more than once when the "
                                     "processes are complete");
      finding.at = explain.elementPlace(end);
      explain.explainParting(graph->ex, finding.run, noneOf, end,
                             finding.notes);
      return finding;
    }
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e) {
      const CollaborationStep &step = system.step(graph->ex.steps[e].group);
      bool counts = step.element == end && step.starts;
      search.reach({lts.target[e], std::min(2u, times + counts)}, e);
    }
  }
  llvm_unreachable("there is such a run");
}

//===----------------------------------------------------------------------===//
// Dead activities, messages left over
//===----------------------------------------------------------------------===//

std::vector<bool>
PropertyChecker::markedFlows(std::vector<StateIndex> &first) const {
  std::vector<bool> marked(system.flows().size());
  first.assign(marked.size(), noneOf);
  for (StateIndex s = 0; s < graph->size(); ++s) {
    const uint32_t *state = graph->vector(s);
    for (uint32_t f = 0; f < marked.size(); ++f)
      if (!marked[f] && system.tokens(state, f)) {
        marked[f] = true;
        first[f] = s;
      }
  }
  return marked;
}

/// What never happens is shown by its elements.
Finding PropertyChecker::neverRun(ArrayRef<uint32_t> dead) const {
  Finding finding;
  finding.verdict = Verdict::Violated;
  finding.exact = true;
  finding.message = deadText(dead);
  finding.witness.emplace();
  finding.witness->kind = "elements";
  for (uint32_t e : dead)
    finding.witness->steps.push_back(
        {explain.elementText(e), explain.elementPlace(e), "never runs"});
  return finding;
}

/// "task 'A' can never run, nor can 2 others".
std::string PropertyChecker::deadText(ArrayRef<uint32_t> dead) const {
  std::string message = explain.elementText(dead[0]) + " can never run";
  if (dead.size() > 1)
    message += ", nor can " + std::to_string(dead.size() - 1) +
               (dead.size() == 2 ? " other" : " others");
  return message;
}

Finding PropertyChecker::deadElements(ArrayRef<uint32_t> dead,
                                      StringRef method) const {
  std::vector<StateIndex> first;
  std::vector<bool> marked = markedFlows(first);
  Finding finding;
  uint32_t last = noneOf;
  std::vector<Note> others, reasons; // the first one is the message itself
  for (uint32_t e : dead) {
    if (e != dead[0])
      others.push_back(
          {explain.elementPlace(e), explain.elementText(e) + " can never run"});
    uint32_t flow = explain.explainDead(e, marked, reasons);
    if (last == noneOf)
      last = flow;
    if (others.size() + reasons.size() > 40)
      break;
  }
  if (last != noneOf) {
    finding =
        violated(graph->ex.traceTo(first[last]), SIZE_MAX, deadText(dead));
    if (!finding.witness->steps.empty())
      finding.witness->steps.back().note = "the closest that a token comes: " +
                                           finding.witness->steps.back().note;
  } else {
    finding = neverRun(dead);
  }
  finding.method = method.str();
  finding.at = explain.elementPlace(dead[0]);
  for (Note &reason : reasons)
    if (llvm::none_of(finding.notes, [&](const Note &known) {
          return known.text == reason.text;
        }))
      finding.notes.push_back(std::move(reason));
  if (finding.witness->kind != "elements") // which lists them itself
    llvm::append_range(finding.notes, others);
  return finding;
}

std::vector<uint32_t> PropertyChecker::uncovered(std::vector<bool> started) {
  covering()->forEachPossible([&](GroupIndex g) {
    const CollaborationStep &step = system.step(g);
    if (step.starts && step.element != noneOf)
      started[step.element] = true;
    for (uint32_t element : step.alsoStarts)
      started[element] = true;
  });
  std::vector<uint32_t> dead;
  for (uint32_t e = 0; e < started.size(); ++e)
    if (!started[e])
      dead.push_back(e);
  return dead;
}

Finding PropertyChecker::checkNoDeadActivity() {
  std::vector<bool> started = graph->startedElements();
  std::vector<uint32_t> dead;
  auto findDead = [&] {
    dead.clear();
    for (uint32_t e = 0; e < started.size(); ++e)
      if (!started[e])
        dead.push_back(e);
    return !dead.empty();
  };
  if (!findDead())
    return holds();
  if (graph->allKnown())
    return deadElements(dead, searchMethod());
  if (const Covering *covers = covering()) {
    std::vector<uint32_t> never = uncovered(started);
    if (!never.empty())
      return deadElements(never, covers->method());
    if (covers->isExact())
      return holds(covers->method());
  }
  if (std::optional<Finding> there =
          underBag(CollaborationProperty::NoDeadActivity, Verdict::Violated)) {
    there->run.clear();
    return *there;
  }
  if (!triedWalks)
    walkAbout();
  triedWalks = true;
  if (walked) {
    std::vector<bool> there = walked->startedElements();
    for (uint32_t e : dead)
      started[e] = there[e];
    if (!findDead())
      return holds(walksMethod);
  }
  return notDecided(
      std::to_string(dead.size()) +
      " activities did not start in the explored part, the first of them " +
      explain.elementText(dead[0]));
}

/// Whether nobody can receive \p message in a complete state: all who could
/// have ended, and no process starts twice.
bool PropertyChecker::isLost(const uint32_t *state, uint32_t message) const {
  return llvm::all_of(receivers[message], [&](uint32_t process) {
    return process != noneOf && system.isStarted(state, process);
  });
}

Finding PropertyChecker::undelivered(StateIndex s, uint32_t message) const {
  Finding finding = violated(graph->ex.traceTo(s), SIZE_MAX,
                             explain.messageText(message) +
                                 " is in transit when the processes are "
                                 "complete, but is never received");
  std::vector<uint32_t> at = graph->ex.vectorOf(s);
  explain.explainTransit(at.data(), finding.run, finding.notes);
  explain.explainChoices(finding.run, finding.notes);
  if (!finding.notes.empty())
    finding.at = finding.notes.front().place;
  return finding;
}

Finding PropertyChecker::checkNoUndeliveredMessage() {
  const Lts &lts = graph->lts();
  const size_t messages = system.messages().size();
  if (messages == 0) {
    // Whatever is exchanged with the environment is never in transit.
    Finding finding = holds("no message can be in transit");
    finding.exact = true;
    return finding;
  }
  // A message that is left in a complete state is left behind it as well, be
  // that complete or not, and (2) leads there.
  bool anyLeft = false;
  for (size_t first = 0; first < messages; first += 64) {
    const size_t last = std::min(messages, first + 64);
    std::vector<uint64_t> goals(graph->size());
    for (StateIndex s = 0; s < graph->size(); ++s) {
      if (!graph->isKnown(s) || (graph->isEnd(s) && !graph->isDead(s)))
        goals[s] = ~uint64_t(0);
      for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
        for (GroupIndex g :
             {graph->ex.steps[e].group, graph->ex.steps[e].partner})
          if (g != noGroup && system.step(g).receives >= first &&
              system.step(g).receives < last)
            goals[s] |= uint64_t(1) << (system.step(g).receives - first);
    }
    std::vector<uint64_t> taken = graph->canReach(std::move(goals));
    for (StateIndex s = 0; s < graph->size(); ++s) {
      if (graph->facts().quiet[s] ||
          (!graph->facts().complete[s] && (anyLeft || !isReduced())))
        continue;
      const uint32_t *state = graph->vector(s);
      for (size_t m = first; m < last; ++m) {
        if (!system.inTransit(state, static_cast<uint32_t>(m)) ||
            (taken[s] >> (m - first) & 1 &&
             !(graph->facts().complete[s] &&
               isLost(state, static_cast<uint32_t>(m)))))
          continue;
        anyLeft = true;
        if (!graph->facts().complete[s])
          continue;
        return undelivered(s, static_cast<uint32_t>(m));
      }
    }
  }
  if (anyLeft && isReduced()) {
    exploreAll();
    return checkNoUndeliveredMessage();
  }
  return graph->allKnown() ? holds()
                           : notDecided("leftover messages are not ruled out");
}

//===----------------------------------------------------------------------===//
// Sound
//===----------------------------------------------------------------------===//

void PropertyChecker::noteNeverStarted(Finding &finding) const {
  // If one of several instances can start, so can the others.
  llvm::StringSet<> started;
  if (isReduced() && reduced->exchanges())
    for (uint32_t p = 0; p < graph->facts().everStarted.size(); ++p)
      if (graph->facts().everStarted[p])
        started.insert(system.processes()[p].name);
  for (uint32_t p = 0; p < graph->facts().everStarted.size(); ++p)
    if (!graph->facts().everStarted[p] &&
        !started.contains(system.processes()[p].name))
      finding.notes.push_back(
          {originPlace(module,
                       {Origin::Node, system.processes()[p].behaviour, 0}),
           "process '" + system.processes()[p].name +
               "' is never started, which counts as sound"});
}

/// Where no complete state can be reached any more, no run is sound, and some
/// are fair.
Finding PropertyChecker::soundByCompletion(Finding &&otherwise) {
  graph = some.get();
  Finding finding = checkOptionToComplete();
  return finding.verdict == Verdict::Violated ? finding : std::move(otherwise);
}

Finding PropertyChecker::checkSound(bool messages) {
  auto isBad = [&](StateIndex s) {
    return !graph->facts().sound[s] || (messages && !graph->facts().quiet[s]);
  };
  const char *method =
      options.fair ? "fair runs: weak fairness of steps, strong fairness of "
                     "choices [fbpmn]"
                   : "all runs, fair or not";
  for (StateIndex s = 0; s < graph->size(); ++s) {
    if (!graph->isDead(s) || !isBad(s))
      continue;
    Finding finding =
        stuck(s, graph->facts().sound[s]
                     ? "a run ends with messages that nobody receives"
                     : "a run ends, but " + unfinished(s));
    finding.method = method;
    return finding;
  }
  // Every run ends, or: all steps are needed to tell which runs are fair.
  if (isReduced() && someHaveCycles)
    exploreAll();
  FairClasses none;
  none.ofGroup.resize(system.groups().size());
  Budget budget(options.limits);
  std::optional<Lasso> lasso = findFairRun(
      graph->lts(), graph->ex.steps,
      [&](StateIndex s) { return graph->isKnown(s); },
      options.fair ? graph->fairness() : none, isBad, budget);
  if (budget.stopped()) {
    Finding finding;
    finding.method = method;
    finding.message =
        "whether it is sound is not decided: " + stoppedText(budget.limit());
    return finding;
  }
  if (lasso) {
    std::vector<uint32_t> path = lasso->stem;
    llvm::append_range(path, lasso->cycle);
    Finding finding = violated(
        graph->runOf(path), lasso->stem.size(),
        std::string(options.fair ? "a fair run" : "a run") +
            " goes on for ever" +
            (messages
                 ? " in which, again and again, a process is not complete or a "
                   "message is in transit"
                 : " in which, again and again, a process is not complete"));
    finding.method = method;
    return finding;
  }
  if (!graph->allKnown()) {
    Finding finding = notDecided("whether it is sound is not decided");
    if (some && graph == all.get())
      finding = soundByCompletion(std::move(finding));
    finding.method = method;
    return finding;
  }
  Finding finding = holds(method);
  noteNeverStarted(finding);
  return finding;
}
