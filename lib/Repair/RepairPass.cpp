//===- RepairPass.cpp - --repair ------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Digest.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Repair/CollaborationRepair.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/Visible.h"

using namespace cif;

/// Every property under every network, as anybody would check it.
static bool report(const Module &module, const CollaborationAnalyses &of,
                   StringRef prefix, const RepairOptions &options,
                   PassContext &context,
                   function_ref<void(Fact &)> change = nullptr) {
  for (NetworkKind network : options.request.networks) {
    CollaborationOptions with = options.request.options;
    with.semantics.network = network;
    CollaborationAnalysis *analysis = of.get(with, context.diags);
    if (!analysis)
      return false;
    for (CollaborationProperty property : allCollaborationProperties()) {
      Fact fact = collaborationFact(*analysis, property, with);
      StringRef subject = fact.subject;
      if (!prefix.empty())
        fact.subject = subject.consume_front("the ")
                           ? ("the " + prefix + subject).str()
                           : (prefix + subject).str();
      if (change)
        change(fact);
      reportFinding(context, module, std::move(fact), *analysis, property);
    }
  }
  return true;
}

/// Nothing is violated: what holds is told, and what is not known.
static PassResult keep(const Module &module, const CollaborationAnalyses &given,
                       const RepairOptions &options, PassContext &context) {
  if (context.host.log)
    *context.host.log << "no property of the collaboration is violated; "
                         "nothing is changed\n";
  bool known = true;
  if (!report(module, given, "", options, context, [&](Fact &fact) {
        known &= fact.verdict != Verdict::Inconclusive;
      }))
    return PassResult::Failed;
  return known ? PassResult::Unchanged : PassResult::Stopped;
}

static PassResult notFound(const Module &module,
                           const CollaborationAnalyses &given,
                           const CollaborationRepair &repair,
                           const RepairOptions &options, PassContext &context) {
  if (repair.outcome == CollaborationRepair::NotFound) {
    bool isFirst = true;
    bool done = report(module, given, "", options, context, [&](Fact &fact) {
      if (fact.verdict != Verdict::Violated || !isFirst)
        return;
      isFirst = false;
      fact.notes.push_back({Place(), "no repair was found: " + repair.tried});
    });
    return done ? PassResult::Unchanged : PassResult::Failed;
  }
  context.report(module,
                 FactBuilder("sound", "the repaired collaboration")
                     .by("changes of gateways, messages and their order")
                     .inconclusive("no repair was found: " + repair.tried));
  return PassResult::Stopped;
}

namespace cif {
PassResult runRepair(Module &module, PassContext &context) {
  RepairOptions options;
  std::optional<CollaborationRequest> request = collaborationRequest(context);
  std::optional<uint64_t> pick = context.number("pick");
  if (!request || !pick)
    return PassResult::Failed;
  if (*pick == 0 || *pick > 1000) {
    context.diags.report(diag::bad_option_value)
        << "pick" << context.option("pick") << "a number from 1 to 1000";
    return PassResult::Failed;
  }
  if (!module.has(BehaviourKind::Process)) {
    context.diags.report(diag::nothing_to_check) << "process";
    return PassResult::Failed;
  }
  options.request = std::move(*request);
  options.pick = static_cast<unsigned>(*pick);
  const auto &given = context.analyses.get<CollaborationAnalyses>(module);
  std::optional<CollaborationRepair> repair =
      repairCollaboration(module, given, options, context.diags);
  if (!repair)
    return PassResult::Failed;
  context.count("changes tried", repair->checks);
  if (repair->outcome == CollaborationRepair::NotNeeded)
    return keep(module, given, options, context);
  if (repair->outcome != CollaborationRepair::Found)
    return notFound(module, given, *repair, options, context);
  size_t count = repair->changes.size();
  context.count("changes", count);
  if (raw_ostream *os = context.host.log) {
    *os << "the collaboration is sound after " << count
        << (count == 1 ? " change:\n" : " changes:\n");
    for (const std::string &line : repair->diff)
      *os << "  " << visible(line) << '\n';
  }
  const PeerStamps before(module);
  module = std::move(repair->module);
  dropStalePeers(module, before);
  CollaborationAnalyses changed(module);
  return report(module, changed, "repaired ", options, context)
             ? PassResult::Changed
             : PassResult::Failed;
}
} // namespace cif
