//===- CheckCollaboration.cpp - --check-collaboration, --check-sound, ... -===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The checks of processes and collaborations, each as a pass of its own,
/// and all of them as a table. PropertyChecker.cpp decides them.
///
//===----------------------------------------------------------------------===//

#include "Table.h"
#include "TableParts.h"
#include "cif/Check/Collaboration/Analyses.h"
#include "cif/Check/IdleOptions.h"
#include "cif/IR/Starts.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

/// Whether there is something to check; else an error was reported.
static bool hasProcesses(const Module &module, PassContext &context) {
  if (hasBlackBoxesOnly(module) || module.has(BehaviourKind::Process))
    return true;
  context.diags.report(diag::nothing_to_check) << "process";
  return false;
}

/// One property under each network that is asked for.
static PassResult checkOne(Module &module, PassContext &context,
                           CollaborationProperty property) {
  std::optional<CollaborationRequest> request = collaborationRequest(context);
  if (!request || !hasProcesses(module, context))
    return PassResult::Failed;
  const auto &analyses = context.analyses.get<CollaborationAnalyses>(module);
  std::vector<std::pair<Fact, CollaborationAnalysis *>> facts;
  for (NetworkKind network : request->networks) {
    CollaborationOptions options = request->options;
    options.semantics.network = network;
    CollaborationAnalysis *analysis = analyses.get(options, context.diags);
    if (!analysis)
      return PassResult::Failed;
    facts.push_back(
        {collaborationFact(*analysis, property, options), analysis});
    if (analysis->check(property).failed)
      return PassResult::Failed;
  }
  for (auto &[fact, analysis] : facts)
    reportFinding(context, module, std::move(fact), *analysis, property);
  return PassResult::Unchanged;
}

/// How far networks are explored that decide nothing.
static constexpr uint64_t statesOfCompared = 30'000;
/// How far the others are explored beside them.
static constexpr uint64_t statesOfCheck = 120'000;

/// Why a property fails under one network and holds under another.
static std::vector<Note>
differenceOf(ArrayRef<CollaborationAnalysis *> analyses,
             CollaborationProperty property) {
  CollaborationAnalysis *failing = nullptr, *holding = nullptr;
  for (CollaborationAnalysis *analysis : analyses) {
    Verdict verdict = analysis->check(property).verdict;
    if (verdict == Verdict::Violated && !failing)
      failing = analysis;
    if (verdict == Verdict::Holds && !holding)
      holding = analysis;
  }
  if (!failing || !holding)
    return {};
  return explainDifference(*failing, *holding, property);
}

/// Names the networks under which the verdict is another one, and says why.
static void compareWith(Fact &fact, CollaborationAnalysis &analysis,
                        ArrayRef<CollaborationAnalysis *> others,
                        CollaborationProperty property) {
  for (Verdict verdict : {Verdict::Violated, Verdict::Holds}) {
    SmallVector<StringRef, 8> networks;
    CollaborationAnalysis *first = nullptr;
    for (CollaborationAnalysis *other : others)
      if (verdict != fact.verdict &&
          other->check(property).verdict == verdict) {
        networks.push_back(networkText(other->network()));
        first = first ? first : other;
      }
    if (networks.empty())
      continue;
    std::string text =
        verdictText(verdict).str() + " under " + llvm::join(networks, ", ");
    fact.parameters.push_back({"differs", text});
    std::vector<Note> why;
    if (verdict == Verdict::Violated && fact.verdict == Verdict::Holds)
      why = explainDifference(*first, analysis, property);
    else if (fact.verdict == Verdict::Violated)
      why = explainDifference(analysis, *first, property);
    fact.notes.push_back({{}, fact.property + " " + text});
    llvm::append_range(fact.notes, why);
    return;
  }
}

namespace cif {
/// All properties under all networks, as facts and as a table.
PassResult runCheckCollaboration(Module &module, PassContext &context) {
  std::optional<unsigned> format = context.oneOf("format", {"text", "html"});
  std::optional<CollaborationRequest> request = collaborationRequest(context);
  if (!format || !request || !tableApplies(context) ||
      !hasProcesses(module, context))
    return PassResult::Failed;
  if (context.option("compare") != "all" &&
      llvm::all_of(request->compared,
                   [&](NetworkKind network) {
                     return llvm::is_contained(request->networks, network);
                   }) &&
      !noneGiven(context, {"compare"},
                 "for a network that is checked; --network says which are"))
    return PassResult::Failed;
  // Within --check answers are to come soon; --max-states asks for more.
  if (!request->compared.empty() &&
      context.limits.maxStates == Limits().maxStates)
    request->options.limits.maxStates = statesOfCheck;
  const auto &analyses = context.analyses.get<CollaborationAnalyses>(module);
  std::vector<CollaborationAnalysis *> columns;
  std::vector<CollaborationOptions> options;
  CollaborationTable table;
  for (NetworkKind network : request->networks) {
    options.push_back(request->options);
    options.back().semantics.network = network;
    columns.push_back(analyses.get(options.back(), context.diags));
    if (!columns.back())
      return PassResult::Failed;
    table.networks.push_back(networkText(network).str());
  }
  table.subject = columns.front()->subject();
  std::vector<CollaborationAnalysis *> others;
  for (NetworkKind network : request->compared) {
    // Without messages all networks are one.
    if (llvm::is_contained(request->networks, network) ||
        columns.front()->system().messages().empty())
      continue;
    CollaborationOptions with = request->options;
    with.semantics.network = network;
    with.limits.maxStates = std::min<uint64_t>(
        with.limits.maxStates ? with.limits.maxStates : UINT64_MAX,
        statesOfCompared);
    others.push_back(analyses.get(with, context.diags));
    if (!others.back())
      return PassResult::Failed;
  }
  for (CollaborationProperty property : allCollaborationProperties()) {
    CollaborationTable::Row &row = table.rows.emplace_back();
    row.property = collaborationPropertyText(property).str();
    row.difference = differenceOf(columns, property);
    for (auto [analysis, with] : llvm::zip(columns, options)) {
      row.facts.push_back(collaborationFact(*analysis, property, with));
      compareWith(row.facts.back(), *analysis, others, property);
      if (row.facts.back().verdict == Verdict::Violated)
        llvm::append_range(row.facts.back().notes, row.difference);
    }
  }
  for (auto [row, property] :
       llvm::zip(table.rows, allCollaborationProperties()))
    for (auto [fact, analysis] : llvm::zip(row.facts, columns))
      reportFinding(context, module, fact, *analysis, property);

  return writeTable(context, *format == 0, [&](raw_ostream &os) {
    printTable(os, table, static_cast<TableFormat>(*format));
  });
}

#define CIF_COLLABORATION_CHECK(NAME)                                          \
  PassResult runCheck##NAME(Module &module, PassContext &context) {            \
    return checkOne(module, context, CollaborationProperty::NAME);             \
  }
CIF_COLLABORATION_CHECK(Safe)
CIF_COLLABORATION_CHECK(Bounded)
CIF_COLLABORATION_CHECK(DeadlockFree)
CIF_COLLABORATION_CHECK(LivelockFree)
CIF_COLLABORATION_CHECK(OptionToComplete)
CIF_COLLABORATION_CHECK(ProperCompletion)
CIF_COLLABORATION_CHECK(NoDeadActivity)
CIF_COLLABORATION_CHECK(NoUndeliveredMessage)
CIF_COLLABORATION_CHECK(Sound)
CIF_COLLABORATION_CHECK(MessageRelaxedSound)
#undef CIF_COLLABORATION_CHECK
} // namespace cif
