//===- Replay.cpp - Runs of witnesses -------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A depth-first search over pairs of a state and the number of labels replayed
/// so far. A step with the next label is tried before internal ones, so that an
/// existing run is found quickly, whatever else could happen.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Replay.h"
#include "RunSearch.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/LTS/TraceRuns.h"
#include "llvm/ADT/StringMap.h"

using namespace cif;

static bool replaysOn(const System &system, const Witness &witness, RunEnd end,
                      const Limits &limits) {
  llvm::StringMap<LabelIndex> numbers;
  for (LabelIndex l = 0; l < system.labels().size(); ++l)
    numbers.try_emplace(labelForPeople(system.labels()[l]), l);
  std::vector<LabelIndex> wanted;
  for (const WitnessStep &step : witness.steps) {
    if (step.label == labelForPeople(Label::tau()))
      continue;
    auto at = numbers.find(step.label);
    if (at == numbers.end())
      return false;
    wanted.push_back(at->second);
  }
  auto match = [&](const Step &step, uint32_t done) {
    if (step.label == tauLabel)
      return Fit::Unseen;
    return done < wanted.size() && step.label == wanted[done] ? Fit::Next
                                                              : Fit::No;
  };
  auto isEnd = [&](const uint32_t *state) {
    if (end == RunEnd::Anything)
      return true;
    bool isStuck = !system.isFinal(state);
    std::vector<uint32_t> scratch(system.width());
    system.successors(
        state, scratch.data(),
        [&](const Step &, const uint32_t *) { return isStuck = false; });
    return isStuck;
  };
  // A run that is as hard to find as all states proves nothing to anybody. How
  // many states a search may visit is no limit on looking again at what it
  // found.
  constexpr size_t maxVisited = 2'000'000;
  Budget budget(limits);
  return RunSearch(system, wanted.size(), match)
      .find(
          maxVisited,
          [&](size_t, size_t) { return budget.exceeded(0, 0).empty(); }, isEnd);
}

bool cif::replays(const Module &module, const SemanticsOptions &options,
                  const Witness &witness, RunEnd end, const Limits &limits,
                  DiagnosticEngine &diags) {
  SemanticsOptions within = options;
  within.runLimits = limits;
  std::unique_ptr<System> system = makeSystem(module, within, diags);
  return system && replaysOn(*system, witness, end, limits);
}

bool cif::replaysOnPeers(const Module &module, NetworkKind network,
                         ArrayRef<std::string> handshakes,
                         const Witness &witness, RunEnd end,
                         const Limits &limits, DiagnosticEngine &diags) {
  return replays(
      module, SemanticsOptions::peers(network, Observation::Both, handshakes),
      witness, end, limits, diags);
}

bool cif::replaysExtraSends(const Module &module, NetworkKind network,
                            ArrayRef<std::string> handshakes,
                            const Witness &witness, const Limits &limits,
                            DiagnosticEngine &diags) {
  return replays(
             module,
             SemanticsOptions::peers(network, Observation::Send, handshakes),
             witness, RunEnd::Anything, limits, diags) &&
         !replays(module,
                  SemanticsOptions::peers(NetworkKind::Sync, Observation::Send,
                                          handshakes),
                  witness, RunEnd::Anything, limits, diags);
}

bool cif::replaysOnLts(const Lts &lts, ArrayRef<WitnessStep> steps) {
  llvm::StringMap<LabelIndex> numbers;
  for (LabelIndex l = 0; l < lts.labels.size(); ++l)
    numbers.try_emplace(labelForPeople(lts.labels[l]), l);
  TraceRuns runs(lts, lts.initial);
  return llvm::all_of(steps, [&](const WitnessStep &step) {
    auto wanted = numbers.find(step.label);
    return wanted != numbers.end() && runs.follow(wanted->second);
  });
}
