//===- CheckRsc.cpp - --check-rsc -----------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/EachPeerSet.h"
#include "cif/Check/Peers/Rsc.h"
#include "cif/Check/Replay.h"
#include "cif/Pass/FactBuilder.h"

using namespace cif;

static void report(Module &module, PassContext &context, const PeerSet &set,
                   NetworkKind network, const Rsc &result) {
  FactBuilder fact = factOn("rsc", set);
  fact.answer(result.verdict);
  fact.by("no cycle in a conflict graph, whatever the queues' length");
  fact.with("question", "order up to independence");
  fact.with("network", networkText(network).str());
  fact.sized(result.states, result.transitions);
  const Fact blank = fact;
  if (result.verdict == Verdict::Violated) {
    fact.message = "an execution cannot be reordered into whole exchanges";
    fact.witness = result.witness;
    fact.witness->steps.back().note += " <- cannot come right after its send";
    for (const std::string &sentence : result.cycle)
      fact.note(sentence);
  } else if (result.verdict == Verdict::Inconclusive) {
    fact.inconclusive(noVerdictText(result.limit));
  }
  for (const std::string &text : result.unreached)
    fact.note(text);
  bool holds = result.verdict == Verdict::Holds;
  auto replays = [&](const Fact &violated, RunEnd end) {
    return replaysOnPeers(set.module, network, {}, *violated.witness, end,
                          context.limits, context.diags);
  };
  context.report(module, fact, [&] { return replays(fact, RunEnd::Anything); });
  if (!holds)
    return;
  for (unsigned i = 0; i < 3; ++i) {
    const HealthFinding &finding = result.findings[i];
    std::string problem =
        healthProblemText(static_cast<HealthProblem>(i)).str();
    Fact health = blank;
    health.subject += ": " + problem;
    health.parameters.push_back({"problem", problem});
    health.verdict = finding.verdict;
    health.exact = finding.exact;
    health.method = "whole exchanges and sends that are never received "
                    "represent all executions (RSC)";
    health.witness = finding.witness;
    if (finding.verdict != Verdict::Holds)
      health.message = problem + ": " + finding.text;
    context.report(module, health,
                   [&] { return replays(health, RunEnd::Anything); });
  }
}

namespace cif {
PassResult runCheckRsc(Module &module, PassContext &context) {
  std::optional<unsigned> pairs =
      context.oneOf("network", {"inbox", "fifo-pair"});
  if (!pairs)
    return PassResult::Failed;
  NetworkKind network = *pairs ? NetworkKind::FifoPair : NetworkKind::Inbox;
  return checkEachPeerSet(module, context, "rsc", [&](const PeerSet &set) {
    std::optional<Rsc> result =
        checkRsc(set.module, network, context.limits, context.diags);
    if (result)
      report(module, context, set, network, *result);
    return result.has_value();
  });
}
} // namespace cif
