//===- ExploreModule.h - From a module to an explored system
//---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_EXPLOREMODULE_H
#define CIF_EXPLORE_EXPLOREMODULE_H

#include "cif/Explore/Explorer.h"
#include "cif/IR/Fact.h"
#include "cif/Semantics/Semantics.h"

namespace cif {

/// A system and what its exploration found. The module must stay as it is.
struct ExploredModule {
  std::unique_ptr<System> system;
  std::optional<Exploration> exploration;

  explicit operator bool() const { return exploration.has_value(); }
  Exploration *operator->() { return &*exploration; }
};

/// Makes the system that \p semantics selects and explores it. Empty: errors
/// were reported.
ExploredModule exploreModule(const Module &module,
                             const SemanticsOptions &semantics,
                             const ExplorerOptions &options,
                             DiagnosticEngine &diags);

/// A run as the steps of a witness: labels as in the sources, the places of the
/// elements that took them, and the state after each step where \p withStates.
std::vector<WitnessStep> witnessSteps(const Module &module,
                                      const Exploration &exploration,
                                      ArrayRef<RunStep> run, bool withStates);
/// Takes a run that was found by other means step by step from the initial
/// state, and tells each step with the state after it. Steps are known by their
/// groups. False: it is no run of the system.
bool replayRun(
    const System &system, ArrayRef<Step> run,
    function_ref<void(const Step &taken, const uint32_t *after)> each);
/// The same as the steps of a witness, with the states. Nothing: it is no run.
std::optional<std::vector<WitnessStep>>
replayRun(const Module &module, const System &system, ArrayRef<Step> run);
/// The witness of unbounded growth: the run to the cycle, and the cycle.
Witness growthWitness(const Module &module, const Exploration &exploration);

/// `p -> q : m` for people; `tau` for silent steps.
std::string labelForPeople(const Label &label);

} // namespace cif

#endif
