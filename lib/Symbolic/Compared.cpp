//===- Compared.cpp - The two graphs that are compared --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From two modules to an implementation and a choreography that can be
/// compared [symbolic, section 3]: the same participants and fields, exchanges
/// hidden that the choreography does not have, and decisions of the
/// choreography left out that data settle.
///
//===----------------------------------------------------------------------===//

#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Diagnostics/Compose.h"
#include "cif/Support/Diagnostics/Data.h"
#include "cif/Symbolic/Conformance.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace cif;

/// Everyone in the choreography has a process or a peer, where there are any.
static bool checkParticipants(const Module &module, const Stg &choreography,
                              Place at, DiagnosticEngine &diags) {
  std::set<StringRef> plays;
  for (const Behaviour &b : module.behaviours)
    if (b.kind == BehaviourKind::Process)
      plays.insert(module.participantName(b.owner));
  for (const SystemDecl &s : module.systems)
    if (s.role == SystemRole::Peer)
      plays.insert(module.participantName(s.owner));
  if (plays.empty())
    return true;
  std::set<std::string> missing;
  for (const StgLabel &label : alphabetOf(choreography))
    for (const std::string *name : {&label.sender, &label.receiver})
      if (!plays.count(*name))
        missing.insert("'" + *name + "'");
  if (missing.empty())
    return true;
  diags.report(std::move(at), diag::conforms_participants)
      << choreography.name << llvm::join(missing, ", ");
  return false;
}

/// One message carries values of the same sorts on both sides.
static bool checkFields(const FormulaPool &pool, const ComparedGraphs &graphs,
                        DiagnosticEngine &diags) {
  auto text = [&](const StgTransition &t) {
    std::string sorts;
    for (const StgField &field : t.fields) {
      DataSort sort = pool.variable(field.parameter).sort;
      sorts += sorts.empty() ? "(" : ", ";
      sorts += sort == boolData     ? "bool"
               : sort == intData    ? "int"
               : sort == stringData ? "string"
                                    : "an enumeration";
    }
    return sorts.empty() ? std::string("nothing") : sorts + ")";
  };
  for (const StgTransition &t : graphs.implementation.transitions)
    for (const StgTransition &u : graphs.choreography.transitions) {
      if (t.action != StgAction::Exchange || u.action != t.action ||
          t.label != u.label || t.fields.empty() || u.fields.empty())
        continue;
      auto same = [&](const StgField &a, const StgField &b) {
        DataSort x = pool.variable(a.parameter).sort;
        DataSort y = pool.variable(b.parameter).sort;
        return x == y || (x.isEnum() && y.isEnum());
      };
      if (llvm::equal(t.fields, u.fields, same))
        continue;
      diags.report(t.at, diag::symbolic_fields)
          << t.label.sender + " -> " + t.label.receiver + " : " +
                 t.label.message
          << text(t) << text(u);
      return false;
    }
  return true;
}

Outcome<ComparedGraphs>
cif::buildComparison(const Module &module, const Module &spec,
                     FormulaPool &pool, Solver &solver, const Limits &limits,
                     DiagnosticEngine &diags, std::vector<OpenCondition> &open,
                     const StgNetwork &network, const IntegerRange &integers,
                     Decisions decisions) {
  ComparedGraphs graphs;
  auto global = llvm::find_if(spec.behaviours, [](const Behaviour &b) {
    return b.kind == BehaviourKind::Choreography;
  });
  auto protocol = llvm::find_if(spec.systems, [](const SystemDecl &s) {
    return s.role == SystemRole::Choreography;
  });
  bool isGraph = global != spec.behaviours.end();
  if (!isGraph && protocol == spec.systems.end()) {
    diags.report(diag::nothing_to_check) << "choreography";
    return Failed();
  }
  graphs.at = spec.place(isGraph ? global->loc : protocol->loc);
  Outcome<Stg> drawn = isGraph
                           ? buildStg(spec, *global, pool, limits, diags, open)
                           : Outcome<Stg>(stgOfSystem(spec, *protocol, pool));
  if (!drawn)
    return Outcome<ComparedGraphs>::without(drawn);
  graphs.openInChoreography = open.size();
  if (!checkParticipants(module, *drawn, graphs.at, diags))
    return Failed();
  Outcome<Stg> whole =
      buildImplementation(module, pool, limits, diags, open, network);
  if (!whole)
    return Outcome<ComparedGraphs>::without(whole);
  graphs.constants = pool.constants();
  Outcome<Stg> settled =
      decisions == Decisions::Count
          ? withoutDecisions(*drawn, pool, solver)
          : withoutSilence(*drawn, pool, [](uint32_t) { return true; });
  if (!settled)
    return Outcome<ComparedGraphs>::without(settled);
  graphs.choreography = std::move(*settled);
  std::vector<StgLabel> alphabet =
      isGraph ? alphabetOf(spec, *global) : alphabetOf(graphs.choreography);
  std::vector<StgLabel> exchanged = alphabetOf(*whole);
  std::set_difference(exchanged.begin(), exchanged.end(), alphabet.begin(),
                      alphabet.end(), std::back_inserter(graphs.hidden));
  graphs.implementation = restrict(*whole, alphabet, pool, integers);
  if (!checkFields(pool, graphs, diags))
    return Failed();
  return graphs;
}
