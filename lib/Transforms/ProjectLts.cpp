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
#include "cif/LTS/LtsBuilder.h"
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
  GlobalLts global{.lts = onlyExchanges(explored.lts)};
  for (const Step &step : explored.steps)
    global.origins.push_back(
        step.group == noGroup ? Origin() : system.groups().origin(step.group));
  return global;
}

Outcome<GlobalLts> cif::globalLts(const Module &module, ChoreographyRef which,
                                  const Limits &limits,
                                  DiagnosticEngine &diags) {
  // To build a system is linear, which is long for a large choreography.
  if (std::string limit = Budget(limits).look(/*states=*/0, /*bytes=*/0);
      !limit.empty())
    return Stopped{limit};
  GlobalLts global;
  if (which.isSystem) {
    global.lts = onlyExchanges(module.systems[which.index].lts);
    for (size_t t = 0; t < global.lts.numTransitions(); ++t)
      global.origins.push_back(
          {Origin::Transition, which.index, static_cast<uint32_t>(t)});
    return global;
  }
  SemanticsOptions semantics{.semantics = SemanticsKind::Choreography,
                             .only = {choreographyName(module, which).str()}};
  ExploredModule explored = exploreModule(
      module, semantics, {.limits = limits, .keepOrigins = true}, diags);
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
  return globalOf(*system,
                  explore(*system, {.limits = limits, .keepOrigins = true}));
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

/// The part of \p peer in \p global, with other steps silent. A state that does
/// nothing but to take one silent step is left out: with many peers these are
/// nearly all.
static Lts ownPart(const Lts &global, StringRef peer) {
  constexpr StateIndex unknown = UINT32_MAX;
  std::vector<LabelIndex> own(global.labels.size(), tauLabel);
  LabelTable labels;
  for (LabelIndex l = 1; l < own.size(); ++l) {
    const Label &label = global.labels[l];
    const bool sends = label.sender == peer;
    if (label.kind != LabelKind::Exchange || (!sends && label.receiver != peer))
      continue;
    Label action = label;
    action.kind = sends ? LabelKind::Send : LabelKind::Receive;
    own[l] = labels.intern(action);
  }
  // Where each state leads before anything can be told from it.
  std::vector<StateIndex> leads(global.numStates(), unknown);
  std::vector<StateIndex> way;
  for (StateIndex s = 0; s < leads.size(); ++s) {
    StateIndex at = s;
    way.clear();
    while (leads[at] == unknown) {
      way.push_back(at);
      leads[at] = at; // also where a silent cycle comes back to it
      if (global.labelsOf(at).size() != 1 ||
          own[global.labelsOf(at)[0]] != tauLabel)
        break;
      const StateIndex next = global.targetsOf(at)[0];
      if (global.isFinal(at) && !global.isFinal(next))
        break;
      at = next;
    }
    const StateIndex end = leads[at];
    for (StateIndex passed : way)
      leads[passed] = end;
  }
  std::vector<StateIndex> number(leads.size(), unknown);
  StateIndex kept = 0;
  for (StateIndex s = 0; s < leads.size(); ++s)
    if (leads[s] == s)
      number[s] = kept++;
  LtsBuilder builder;
  builder.labels = std::move(labels);
  std::vector<uint64_t> finals(global.saysFinal() ? (kept + 63) / 64 : 0);
  for (StateIndex s = 0; s < leads.size(); ++s) {
    if (leads[s] != s)
      continue;
    for (uint32_t t = global.rowBegin[s]; t < global.rowBegin[s + 1]; ++t)
      builder.add(number[s], own[global.label[t]],
                  number[leads[global.target[t]]]);
    if (global.isFinal(s))
      finals[number[s] / 64] |= uint64_t(1) << (number[s] % 64);
  }
  Lts part = std::move(builder).finish(number[leads[global.initial]], kept);
  part.finals = std::move(finals);
  return part;
}

Outcome<Lts> cif::projectLts(const Lts &global, StringRef peer,
                             Budget &budget) {
  return minimizeWithin(ownPart(global, peer), Relation::WeakTrace, budget);
}
