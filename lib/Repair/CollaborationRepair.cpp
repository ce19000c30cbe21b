//===- CollaborationRepair.cpp - Collaborations made sound ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: a search among the changes of CollaborationChanges.h, in the
/// manner of [c4, Sec. 4] for adapters; the goal is the conjunction of the
/// properties of [corradini2018] and [fbpmn, Sec. 3.4]. Input class: any
/// collaboration that these are defined for. Sound: the result was checked,
/// property by property. Not complete: only those changes, and few together.
///
//===----------------------------------------------------------------------===//

#include "cif/Repair/CollaborationRepair.h"
#include "cif/IR/Verifier.h"
#include "cif/Support/Source.h"

using namespace cif;

namespace {
class Search {
public:
  Search(const Module &of, const RepairOptions &with)
      : module(of), options(with), quiet(sources, unheard) {}

  /// What is known of the given collaboration; false: errors were reported.
  bool begin(const CollaborationAnalyses &given, DiagnosticEngine &diags);
  bool isNeeded() const { return !violated.empty(); }
  CollaborationRepair run();

private:
  enum class Answer { Holds, Fails, Open };
  Answer check(const Module &changed);
  /// Tries \p changes together; true: the search is over.
  bool attempt(ArrayRef<CollaborationChange> changes);
  bool isOver();

  using PerNetwork = std::pair<size_t, CollaborationProperty>;
  const Module &module;
  const RepairOptions &options;
  // What is tried is nobody's file: nothing is reported on it.
  SourceManager sources;
  DiagnosticCollector unheard;
  DiagnosticEngine quiet;
  FailurePlaces failure;
  /// What has to hold: first what is violated now, then what holds.
  std::vector<PerNetwork> violated, wanted;
  uint64_t statesEach = 0, states = 0;
  unsigned undecided = 0, seen = 0;
  CollaborationRepair result;
};
} // namespace

bool Search::begin(const CollaborationAnalyses &given,
                   DiagnosticEngine &diags) {
  uint64_t largest = 0;
  for (size_t i = 0; i < options.request.networks.size(); ++i) {
    CollaborationOptions with = options.request.options;
    with.semantics.network = options.request.networks[i];
    CollaborationAnalysis *analysis = given.get(with, diags);
    if (!analysis)
      return false;
    for (CollaborationProperty property : allCollaborationProperties()) {
      const CollaborationFinding &finding = analysis->check(property);
      if (finding.verdict == Verdict::Holds)
        wanted.push_back({i, property});
      if (finding.verdict != Verdict::Violated)
        continue;
      violated.push_back({i, property});
      failure.notes.push_back(finding.at);
      for (const Note &note : finding.notes)
        failure.notes.push_back(note.place);
      if (finding.witness)
        for (const WitnessStep &step : finding.witness->steps)
          failure.steps.push_back(step.at);
    }
    largest = std::max<uint64_t>(largest, analysis->exploration().numStates());
  }
  auto unknown = [](const Place &place) { return !place.known(); };
  llvm::erase_if(failure.notes, unknown);
  llvm::erase_if(failure.steps, unknown);
  wanted.insert(wanted.begin(), violated.begin(), violated.end());
  // A repair may let more happen, but hardly more than that.
  statesEach =
      std::min(std::max<uint64_t>(20 * largest, 2'000), options.maxStatesEach);
  if (uint64_t own = options.request.options.limits.maxStates)
    statesEach = std::min(statesEach, own);
  return true;
}

Search::Answer Search::check(const Module &changed) {
  if (!verify(changed, quiet))
    return Answer::Fails;
  CollaborationAnalyses analyses(changed);
  std::vector<CollaborationAnalysis *> columns;
  Answer answer = Answer::Holds;
  for (NetworkKind network : options.request.networks) {
    CollaborationOptions with = options.request.options;
    with.semantics.network = network;
    with.limits.maxStates = statesEach;
    columns.push_back(analyses.get(with, quiet));
    if (!columns.back())
      return Answer::Fails;
  }
  for (auto [network, property] : wanted) {
    Verdict verdict = columns[network]->check(property).verdict;
    if (verdict != Verdict::Holds)
      answer = verdict == Verdict::Violated ? Answer::Fails : Answer::Open;
    if (answer != Answer::Holds)
      break;
  }
  for (CollaborationAnalysis *analysis : columns)
    states += analysis->exploration().numStates();
  return answer;
}

bool Search::attempt(ArrayRef<CollaborationChange> changes) {
  Module changed = module.clone();
  std::optional<std::vector<std::string>> diff = applyChanges(changed, changes);
  if (!diff)
    return false;
  ++result.checks;
  Answer answer = check(changed);
  undecided += answer == Answer::Open;
  if (answer != Answer::Holds || ++seen < options.pick)
    return false;
  result.outcome = CollaborationRepair::Found;
  result.changes.assign(changes.begin(), changes.end());
  result.diff = std::move(*diff);
  result.module = std::move(changed);
  return true;
}

/// Whether a limit ends the search.
bool Search::isOver() {
  std::string limit = Budget(options.request.options.limits).look(0, 0);
  if (limit.empty() && result.checks < options.maxChecks &&
      states < options.maxStates)
    return false;
  result.outcome = CollaborationRepair::Limit;
  result.tried = "the first " + std::to_string(result.checks) +
                 " changes are not sufficient";
  if (!limit.empty())
    result.tried += " (" + stoppedText(limit) + ")";
  return true;
}

CollaborationRepair Search::run() {
  constexpr size_t mostChanges = 20'000, together = 60;
  std::vector<CollaborationChange> candidates =
      collaborationChanges(module, failure, mostChanges);
  for (const CollaborationChange &change : candidates)
    if (isOver() || attempt(change))
      return std::move(result);
  // Two together, those first that are the likeliest.
  const size_t most = std::min(candidates.size(), together);
  for (size_t sum = 1; options.maxChanges > 1 && sum < 2 * most; ++sum)
    for (size_t i = 0; 2 * i < sum; ++i)
      if (size_t j = sum - i; j < most)
        if (isOver() || attempt({candidates[i], candidates[j]}))
          return std::move(result);
  result.outcome = undecided || candidates.size() > together
                       ? CollaborationRepair::Limit
                       : CollaborationRepair::NotFound;
  result.tried = candidates.empty()
                     ? "there is no gateway, message or end event to change"
                     : "none of " + std::to_string(result.checks) +
                           " changes, alone or two together, is sufficient";
  if (seen)
    result.tried = "there are only " + std::to_string(seen) + " repairs";
  if (undecided)
    result.tried +=
        ", " + std::to_string(undecided) + " of them undecided within " +
        (statesEach == options.request.options.limits.maxStates
             ? "--max-states=" + std::to_string(statesEach)
             : std::to_string(statesEach) + " states each");
  return std::move(result);
}

std::optional<CollaborationRepair> cif::repairCollaboration(
    const Module &module, const CollaborationAnalyses &given,
    const RepairOptions &options, DiagnosticEngine &diags) {
  Search search(module, options);
  if (!search.begin(given, diags))
    return std::nullopt;
  if (!search.isNeeded())
    return CollaborationRepair{.outcome = CollaborationRepair::NotNeeded};
  return search.run();
}
