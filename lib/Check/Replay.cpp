//===- Replay.cpp - Runs of witnesses -------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A search in depth over pairs of a state and how many labels are done. A step
/// with the next label comes before internal ones, so that a run that is there
/// is found soon, whatever else could happen beside it.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Replay.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/LTS/TraceRuns.h"
#include "llvm/ADT/StringMap.h"
#include <set>

using namespace cif;

namespace {
class Replay {
public:
  Replay(const System &system, const Witness &witness, RunEnd end)
      : system(system), end(end) {
    llvm::StringMap<LabelIndex> numbers;
    for (LabelIndex l = 0; l < system.labels().size(); ++l)
      numbers.try_emplace(labelForPeople(system.labels()[l]), l);
    std::string silent = labelForPeople(Label::tau());
    for (const WitnessStep &step : witness.steps) {
      auto at = numbers.find(step.label);
      if (step.label == silent)
        continue;
      if (at == numbers.end())
        known = false;
      else
        wanted.push_back(at->second);
    }
  }

  bool run(const Limits &limits) {
    if (!known)
      return false;
    Budget budget(limits);
    // A run that is as hard to find as all states proves nothing to anybody.
    constexpr size_t maxVisited = 2'000'000;
    State first(system.width());
    system.initial(first.data());
    visit(0, std::move(first));
    while (!stack.empty()) {
      // How many states a search may visit is no limit on looking again at
      // what it found.
      if (seen.size() > maxVisited || !budget.exceeded(0, 0).empty())
        return false;
      auto at = stack.back();
      stack.pop_back();
      if (expand(at->first, at->second))
        return true;
    }
    return false;
  }

private:
  using State = std::vector<uint32_t>;
  using Pair = std::pair<size_t, State>;

  void visit(size_t done, State state) {
    auto [at, isNew] = seen.emplace(done, std::move(state));
    if (isNew)
      stack.push_back(at);
  }

  /// True: this is the end of the run.
  bool expand(size_t done, const State &state) {
    if (done == wanted.size() && end == RunEnd::Anything)
      return true;
    State scratch(state.size());
    std::vector<State> silent, next;
    bool any = false;
    system.successors(state.data(), scratch.data(),
                      [&](const Step &step, const uint32_t *to) {
                        any = true;
                        State after(to, to + state.size());
                        if (step.label == tauLabel)
                          silent.push_back(std::move(after));
                        else if (done < wanted.size() &&
                                 step.label == wanted[done])
                          next.push_back(std::move(after));
                        return true;
                      });
    if (done == wanted.size() && !any)
      return !system.isFinal(state.data());
    for (State &after : silent)
      visit(done, std::move(after));
    for (State &after : next) // on top of the stack
      visit(done + 1, std::move(after));
    return false;
  }

  const System &system;
  const RunEnd end;
  std::vector<LabelIndex> wanted;
  bool known = true; ///< the system has all labels of the witness
  std::set<Pair> seen;
  std::vector<std::set<Pair>::iterator> stack;
};
} // namespace

bool cif::replays(const Module &module, const SemanticsOptions &options,
                  const Witness &witness, RunEnd end, const Limits &limits,
                  DiagnosticEngine &diags) {
  SemanticsOptions within = options;
  within.runLimits = limits;
  std::unique_ptr<System> system = makeSystem(module, within, diags);
  return system && Replay(*system, witness, end).run(limits);
}

static SemanticsOptions peersWith(NetworkKind network,
                                  ArrayRef<std::string> handshakes,
                                  Observation observe) {
  SemanticsOptions options;
  options.semantics = SemanticsKind::Peers;
  options.network = network;
  options.observe = observe;
  options.handshakes = handshakes.vec();
  return options;
}

bool cif::replaysOnPeers(const Module &module, NetworkKind network,
                         ArrayRef<std::string> handshakes,
                         const Witness &witness, RunEnd end,
                         const Limits &limits, DiagnosticEngine &diags) {
  return replays(module, peersWith(network, handshakes, Observation::Both),
                 witness, end, limits, diags);
}

bool cif::replaysExtraSends(const Module &module, NetworkKind network,
                            ArrayRef<std::string> handshakes,
                            const Witness &witness, const Limits &limits,
                            DiagnosticEngine &diags) {
  return replays(module, peersWith(network, handshakes, Observation::Send),
                 witness, RunEnd::Anything, limits, diags) &&
         !replays(module,
                  peersWith(NetworkKind::Sync, handshakes, Observation::Send),
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
