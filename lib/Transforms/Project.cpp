//===- Project.cpp - --project --------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/ExprText.h"
#include "cif/Pass/Pass.h"
#include "cif/Semantics/Semantics.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Transforms/Normalize.h"
#include "cif/Transforms/ProjectData.h"
#include "llvm/ADT/DenseSet.h"

using namespace cif;

static bool isKnown(const Module &module,
                    ArrayRef<ChoreographyRef> choreographies, StringRef peer,
                    DiagnosticEngine &diags) {
  std::vector<StringRef> names;
  for (const Participant &p : module.participants)
    names.push_back(module.text(p.name));
  for (ChoreographyRef which : choreographies)
    if (which.isSystem)
      for (const Label &l : module.systems[which.index].lts.labels)
        if (l.kind == LabelKind::Exchange) {
          names.push_back(l.sender);
          names.push_back(l.receiver);
        }
  if (llvm::is_contained(names, peer))
    return true;
  diags.report(diag::unknown_peer).guess(nearest(peer, names)) << peer;
  return false;
}

/// The line that each transition of \p local, the part of \p peer in
/// \p global, comes from: the first one of the exchanges that it stands for,
/// so that what a check says of the peers points into the choreography. Empty
/// where no line is known. A walk through both at once, up to a size at which
/// nobody reads on.
static std::vector<uint32_t> linesOf(const Module &normal,
                                     const GlobalLts &global, const Lts &local,
                                     StringRef peer, SourceId file) {
  constexpr size_t maxPairs = 1u << 22;
  llvm::StringMap<LabelIndex> numbers;
  for (LabelIndex l = 1; l < local.labels.size(); ++l)
    numbers[labelText(local.labels[l])] = l;
  std::vector<LabelIndex> actions(global.lts.labels.size(), tauLabel);
  for (LabelIndex l = 1; l < actions.size(); ++l) {
    Label action = global.lts.labels[l];
    if (action.kind != LabelKind::Exchange ||
        (action.sender != peer && action.receiver != peer))
      continue;
    action.kind = action.sender == peer ? LabelKind::Send : LabelKind::Receive;
    actions[l] = numbers.lookup(labelText(action));
  }
  std::vector<uint32_t> lines(local.numTransitions());
  llvm::DenseSet<std::pair<StateIndex, StateIndex>> seen;
  std::vector<std::pair<StateIndex, StateIndex>> stack;
  auto visit = [&](StateIndex g, StateIndex d) {
    if (seen.size() < maxPairs && seen.insert({g, d}).second)
      stack.push_back({g, d});
  };
  visit(global.lts.initial, local.initial);
  while (!stack.empty()) {
    auto [g, d] = stack.back();
    stack.pop_back();
    for (uint32_t t = global.lts.rowBegin[g]; t < global.lts.rowBegin[g + 1];
         ++t) {
      LabelIndex action = actions[global.lts.label[t]];
      if (action == tauLabel) {
        visit(global.lts.target[t], d);
        continue;
      }
      const LabelIndex *at = llvm::find(local.labelsOf(d), action);
      if (at == local.labelsOf(d).end())
        continue;
      auto own = static_cast<uint32_t>(local.rowBegin[d] +
                                       (at - local.labelsOf(d).begin()));
      Location from = originLocation(normal, global.origins[t]);
      if (from.source == file && from.line &&
          (!lines[own] || from.line < lines[own]))
        lines[own] = from.line;
      visit(global.lts.target[t], local.target[own]);
    }
  }
  if (llvm::all_of(lines, [](uint32_t line) { return line == 0; }))
    lines.clear();
  return lines;
}

static void addProcess(const Module &normal, const Behaviour &choreography,
                       StringRef peer, StringRef name, Module &result,
                       PassContext &context) {
  ParticipantId owner = result.findParticipant(peer);
  std::vector<UntoldChoice> untold;
  std::vector<UntoldData> unknown;
  Behaviour process =
      projectGraph(normal, choreography, owner, untold, unknown);
  process.name = result.intern(name);
  for (const UntoldData &lacks : unknown)
    if (lacks.flow)
      context.diags.report(untoldPlace(normal, choreography, lacks),
                           diag::untold_choice)
          << peer
          << "on this one only if '" + exprText(normal, lacks.asks) +
                 "' is true: " + untoldText(normal, choreography, peer, lacks);
  for (const UntoldChoice &u : untold)
    context.diags.report(normal.place(choreography.node(u.choice).loc),
                         diag::untold_choice)
        << peer
        << normal.exchangeText(u.sends) + " on one branch " +
               (u.receives ? "and receives " + normal.exchangeText(u.receives) +
                                 " on another"
                           : "but not on another");
  result.behaviours.push_back(std::move(process));
}

/// Adds the processes and peers of one choreography to \p result, whose
/// participants and messages are those of \p normal.
static Outcome<bool> project(const Module &normal, ChoreographyRef which,
                             ArrayRef<std::string> wanted, bool several,
                             Module &result, PassContext &context) {
  Outcome<GlobalLts> global =
      globalLts(normal, which, context.limits, context.diags);
  if (!global)
    return Outcome<bool>::without(global);
  Budget budget(context.limits);
  for (const std::string &peer : participantsOf(global->lts)) {
    if (!wanted.empty() && !llvm::is_contained(wanted, peer))
      continue;
    std::string name =
        several ? (choreographyName(normal, which) + "." + peer).str() : peer;
    SystemDecl decl;
    decl.name = result.intern(name);
    decl.role = SystemRole::Peer;
    decl.owner = result.getParticipant(result.intern(peer));
    decl.loc = which.isSystem ? normal.systems[which.index].loc
                              : normal.behaviours[which.index].loc;
    Outcome<Lts> lts = projectLts(global->lts, peer, budget);
    if (!lts)
      return Outcome<bool>::without(lts);
    decl.lts = std::move(*lts);
    decl.transitionLines =
        linesOf(normal, *global, decl.lts, peer, decl.loc.source);
    context.count("peers", 1);
    context.count("states of peers", decl.lts.numStates());
    if (!which.isSystem)
      addProcess(normal, normal.behaviours[which.index], peer, name, result,
                 context);
    result.systems.push_back(std::move(decl));
  }
  return true;
}

namespace cif {
PassResult runProject(Module &module, PassContext &context) {
  std::optional<unsigned> keep = context.oneOf("keep", {"false", "true"});
  if (!keep)
    return PassResult::Failed;
  std::vector<ChoreographyRef> choreographies = findChoreographies(module);
  if (choreographies.empty()) {
    (void)context.diags.report(diag::nothing_to_project);
    return PassResult::Failed;
  }
  SmallVector<std::string, 4> wanted;
  for (StringRef peer : context.list("peer")) {
    if (!isKnown(module, choreographies, peer, context.diags))
      return PassResult::Failed;
    wanted.push_back(peer.str());
  }
  Module normal = module.clone();
  if (!normalize(normal, context.diags))
    return PassResult::Failed;
  Module result = normal.clone();
  result.facts.clear();
  result.messageFlows.clear();
  // Older peers and processes would stand beside the new ones.
  llvm::erase_if(result.behaviours, [&](const Behaviour &b) {
    return b.kind != BehaviourKind::Choreography || !*keep;
  });
  llvm::erase_if(result.systems, [&](const SystemDecl &s) {
    return s.role != SystemRole::Choreography || !*keep;
  });
  bool several = choreographies.size() > 1;
  for (ChoreographyRef which : choreographies) {
    Outcome<bool> done =
        project(normal, which, wanted, several, result, context);
    if (done.isStopped())
      return context.stop(
          module, "choreography '" + choreographyName(normal, which) + "'",
          choreographyPlace(normal, which), done.limit());
    if (!done)
      return PassResult::Failed;
  }
  module = std::move(result);
  return PassResult::Changed;
}
} // namespace cif
