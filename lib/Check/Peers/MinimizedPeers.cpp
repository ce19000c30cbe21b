//===- MinimizedPeers.cpp - Peers that are minimised before they meet -----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MinimizedPeers.h"
#include "cif/Equivalence/Minimize.h"

using namespace cif;

std::optional<Module>
cif::minimizedPeers(const Module &module,
                    const SynchronizabilityOptions &options) {
  if (!options.reduces)
    return std::nullopt;
  double before = 1;
  for (const SystemDecl &system : module.systems)
    if (system.acts())
      before *= static_cast<double>(system.lts.numStates());
  if (before < static_cast<double>(options.fewStates))
    return std::nullopt;
  Module small = module.clone();
  double after = 1;
  Budget budget(options.limits);
  for (SystemDecl &system : small.systems) {
    if (!system.acts())
      continue;
    Outcome<Lts> lts =
        minimizeWithin(system.lts, Relation::DpBranching, budget);
    if (!lts)
      return std::nullopt;
    system.lts = std::move(*lts);
    // These are places of transitions that are gone.
    system.transitionLines = {};
    system.transitionPlaces.clear();
    after *= static_cast<double>(system.lts.numStates());
  }
  if (after * 2 > before)
    return std::nullopt;
  return small;
}
