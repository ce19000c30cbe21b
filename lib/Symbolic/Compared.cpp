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
/// hidden that the choreography does not have, and no silent steps in it.
///
//===----------------------------------------------------------------------===//

#include "cif/Support/DiagnosticKinds.h"
#include "cif/Symbolic/Conformance.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

/// Everyone in the choreography has a process, where there are any.
static bool checkParticipants(const Module &module, const Module &spec,
                              const Behaviour &b, DiagnosticEngine &diags) {
  bool processes = llvm::any_of(module.behaviours, [](const Behaviour &x) {
    return x.kind == BehaviourKind::Process;
  });
  if (!processes)
    return true;
  std::string missing;
  for (const Participant &p : spec.participants) {
    bool takesPart = llvm::any_of(b.nodes, [&](const Node &n) {
      if (!n.message)
        return false;
      const Message &m = spec.message(n.message);
      return (m.sender && spec.participant(m.sender).name == p.name) ||
             (m.receiver && spec.participant(m.receiver).name == p.name);
    });
    bool plays = llvm::any_of(module.behaviours, [&](const Behaviour &x) {
      return x.kind == BehaviourKind::Process &&
             module.participantName(x.owner) == spec.text(p.name);
    });
    if (takesPart && !plays)
      missing +=
          (missing.empty() ? "'" : ", '") + spec.text(p.name).str() + "'";
  }
  if (missing.empty())
    return true;
  diags.report(spec.place(b.loc), diag::conforms_participants)
      << spec.text(b.name) << missing;
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

Outcome<ComparedGraphs> cif::buildComparison(const Module &module,
                                             const Module &spec,
                                             FormulaPool &pool, Solver &solver,
                                             const Limits &limits,
                                             DiagnosticEngine &diags,
                                             std::vector<OpenCondition> &open) {
  auto global = llvm::find_if(spec.behaviours, [](const Behaviour &b) {
    return b.kind == BehaviourKind::Choreography;
  });
  if (global == spec.behaviours.end()) {
    diags.report(diag::nothing_to_check)
        << "choreography with interactions as nodes";
    return Failed();
  }
  if (!checkParticipants(module, spec, *global, diags))
    return Failed();
  Outcome<Stg> drawn = buildStg(spec, *global, pool, limits, diags, open);
  if (!drawn)
    return Outcome<ComparedGraphs>::without(drawn);
  Outcome<Stg> whole = buildImplementation(module, pool, limits, diags, open);
  if (!whole)
    return Outcome<ComparedGraphs>::without(whole);
  ComparedGraphs graphs;
  graphs.at = spec.place(global->loc);
  graphs.constants = pool.constants();
  const StgTransition *silent = nullptr;
  std::optional<Stg> settled = withoutDecisions(*drawn, pool, solver, silent);
  if (!settled) {
    diags.report(silent->at, diag::symbolic_silent)
        << (silent->decides ? "a choice that no condition settles"
                            : "an internal step");
    return Failed();
  }
  graphs.choreography = std::move(*settled);
  std::vector<StgLabel> alphabet = alphabetOf(graphs.choreography);
  std::vector<StgLabel> exchanged = alphabetOf(*whole);
  std::set_difference(exchanged.begin(), exchanged.end(), alphabet.begin(),
                      alphabet.end(), std::back_inserter(graphs.hidden));
  graphs.implementation = restrict(*whole, alphabet, pool);
  if (!checkFields(pool, graphs, diags))
    return Failed();
  return graphs;
}
