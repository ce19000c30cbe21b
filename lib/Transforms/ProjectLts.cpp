//===- ProjectLts.cpp - Peer LTSs of a choreography -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [verchor], Def. 3. Input class: any choreography whose LTS is
/// finite. Output: a deterministic LTS without silent steps, minimal modulo
/// weak traces. Differs from the paper: final states are kept, so that a peer
/// that may stop is distinguished from one that may not.
///
//===----------------------------------------------------------------------===//

#include "cif/Equivalence/Minimize.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/LTS/Operations.h"
#include "cif/Semantics/Guards.h"
#include "cif/Transforms/ProjectData.h"
#include <set>

using namespace cif;

std::vector<ChoreographyRef> cif::findChoreographies(const Module &module) {
  std::vector<ChoreographyRef> found;
  for (size_t i = 0; i < module.behaviours.size(); ++i)
    if (module.behaviours[i].kind == BehaviourKind::Choreography)
      found.push_back({false, static_cast<uint32_t>(i)});
  for (size_t i = 0; i < module.systems.size(); ++i)
    if (module.systems[i].role == SystemRole::Choreography)
      found.push_back({true, static_cast<uint32_t>(i)});
  return found;
}

StringRef cif::choreographyName(const Module &module, ChoreographyRef which) {
  return module.text(which.isSystem ? module.systems[which.index].name
                                    : module.behaviours[which.index].name);
}

Place cif::choreographyPlace(const Module &module, ChoreographyRef which) {
  return module.place(which.isSystem ? module.systems[which.index].loc
                                     : module.behaviours[which.index].loc);
}

static Lts onlyExchanges(const Lts &lts) {
  return hide(lts,
              [](const Label &l) { return l.kind != LabelKind::Exchange; });
}

/// What was explored, with exchanges alone.
static Outcome<GlobalLts> globalOf(const System &system,
                                   const Exploration &explored) {
  if (!explored.complete)
    return Stopped{explored.incompleteText()};
  GlobalLts global;
  global.lts = onlyExchanges(explored.lts);
  for (const Step &step : explored.steps)
    global.origins.push_back(
        step.group == noGroup ? Origin() : system.groups().origin(step.group));
  return global;
}

Outcome<GlobalLts> cif::globalLts(const Module &module, ChoreographyRef which,
                                  const Limits &limits,
                                  DiagnosticEngine &diags) {
  GlobalLts global;
  if (which.isSystem) {
    global.lts = onlyExchanges(module.systems[which.index].lts);
    for (size_t t = 0; t < global.lts.numTransitions(); ++t)
      global.origins.push_back(
          {Origin::Transition, which.index, static_cast<uint32_t>(t)});
    return global;
  }
  SemanticsOptions semantics;
  semantics.semantics = SemanticsKind::Choreography;
  semantics.only = {choreographyName(module, which).str()};
  ExplorerOptions options;
  options.limits = limits;
  options.keepOrigins = true;
  ExploredModule explored = exploreModule(module, semantics, options, diags);
  if (!explored)
    return Failed();
  return globalOf(*explored.system, *explored.exploration);
}

Outcome<GlobalLts> cif::valuedLts(const Module &module, ChoreographyRef which,
                                  const Limits &limits,
                                  DiagnosticEngine &diags) {
  if (which.isSystem || guardsAreFree(module, which.index))
    return globalLts(module, which, limits, diags);
  std::unique_ptr<System> system =
      makeValuedChoreography(module, which.index, limits, diags);
  if (!system)
    return Failed();
  ExplorerOptions options;
  options.limits = limits;
  options.keepOrigins = true;
  return globalOf(*system, explore(*system, options));
}

std::vector<std::string> cif::participantsOf(const Lts &global) {
  std::set<std::string> names;
  for (const Label &label : global.labels)
    if (label.kind == LabelKind::Exchange) {
      names.insert(label.sender);
      names.insert(label.receiver);
    }
  return {names.begin(), names.end()};
}

std::vector<std::string> cif::peerNamesOf(const Lts &global) {
  std::vector<std::string> names = participantsOf(global);
  if (names.empty())
    names.push_back("nobody");
  return names;
}

Outcome<Lts> cif::projectLts(const Lts &global, StringRef peer,
                             Budget &budget) {
  Lts local = hide(global, [&](const Label &l) {
    return l.kind != LabelKind::Exchange ||
           (l.sender != peer && l.receiver != peer);
  });
  for (Label &label : local.labels)
    if (label.kind == LabelKind::Exchange)
      label.kind = label.sender == peer ? LabelKind::Send : LabelKind::Receive;
  return minimizeWithin(local, Relation::WeakTrace, budget);
}
