//===- CheckImplementable.cpp - --check-implementable ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/ConnectedProof.h"
#include "cif/Check/Peers/Implementability.h"
#include "cif/Check/Peers/PeerSets.h"
#include "cif/Check/Peers/Synchronizability.h"
#include "cif/Check/Replay.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Graph/Reach.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Pass/Pass.h"
#include "cif/Semantics/Guards.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Transforms/Normalize.h"
#include "cif/Transforms/ProjectData.h"

using namespace cif;

static void describe(const Module &normal, const GlobalLts &global,
                     const Incoherence &found, FactBuilder &fact) {
  std::string who = "'" + found.participant + "'";
  auto partner = [&](const Label &label) {
    return "'" +
           (label.sender == found.participant ? label.receiver : label.sender) +
           "'";
  };
  std::string here, there;
  std::vector<Label> second = found.second;
  switch (found.kind) {
  case Coherence::Send:
    fact.message = who + " cannot know whether to send '" + found.here.message +
                   "' to " + partner(found.here);
    here = "<- " + who + " sends";
    fact.note("after the second run " + who + " must not send '" +
              found.here.message + "' to " + partner(found.here) +
              ", but it has seen the same in both runs");
    break;
  case Coherence::NotMixed:
    fact.message = who + " cannot know whether to send '" + found.here.message +
                   "' to " + partner(found.here) + " or to wait for '" +
                   found.there.message + "' from " + partner(found.there);
    here = "<- " + who + " sends";
    there = "<- " + who + " waits";
    second.push_back(found.there);
    break;
  case Coherence::End:
    fact.message = who + " cannot know whether to send '" + found.here.message +
                   "' to " + partner(found.here) +
                   " or whether the run is over";
    here = "<- " + who + " sends";
    fact.note("the second run is complete, and " + who +
              " has seen the same in both; nobody else knows that the first "
              "run is not complete");
    break;
  case Coherence::Decided:
    fact.message = who + " may send '" + found.here.message + "' to " +
                   partner(found.here) + ", or '" + found.there.sender +
                   "' may send '" + found.there.message + "' to '" +
                   found.there.receiver + "', but nobody decides which";
    here = "<- " + who + " sends";
    there = "<- '" + found.there.sender + "' sends";
    second.push_back(found.there);
    break;
  case Coherence::Receive:
    fact.message = who + " may mistake '" + found.here.message + "' from " +
                   partner(found.here) + " for that of the other run";
    here = "<- " + who + " receives this first";
    there = "<- " + who + " should receive this first";
    second.push_back(found.there);
    fact.note("in the second run '" + found.here.message + "' from " +
              partner(found.here) + " can arrive before " + who +
              " has received '" + found.there.message + "' from " +
              partner(found.there));
    break;
  }
  Witness witness;
  witness.kind = "runs";
  auto add = [&](const char *run, ArrayRef<Label> labels, size_t marked,
                 StringRef mark) {
    std::vector<Place> places = placesOf(normal, global, labels);
    for (size_t i = 0; i < labels.size(); ++i)
      witness.steps.push_back(
          {labelForPeople(labels[i]), places[i],
           std::string(run) + (i == marked ? (" " + mark).str() : "")});
  };
  std::vector<Label> first = found.first;
  first.push_back(found.here);
  add("first run", first, found.first.size(), here);
  fact.at = witness.steps.back().at;
  llvm::append_range(second, found.meanwhile);
  add("second run", second, found.second.size(), there);
  if (second.empty())
    fact.note("the second run is empty");
  fact.witness = std::move(witness);
}

static void fill(const Module &normal, const GlobalLts &global,
                 const Implementability &result, FactBuilder &fact) {
  fact.answer(result.verdict);
  fact.sized(result.states, result.transitions);
  if (!result.limit.empty()) {
    fact.inconclusive(noVerdictText(result.limit));
  } else if (!result.gap.empty()) {
    fact.message = "the conditions do not apply: " + result.gap;
    if (!result.gapRun.empty()) {
      fact.at = placesOf(normal, global, result.gapRun).back();
      fact.note("after: " + labelsForPeople(result.gapRun));
    }
    if (!result.remedy.empty())
      fact.note(result.remedy);
  } else if (result.incoherence) {
    describe(normal, global, *result.incoherence, fact);
  } else {
    fact.note("--project makes peers that implement it");
  }
}

static void fill(const RunsOfProjection &runs, StringRef data,
                 FactBuilder &fact) {
  fact.answer(runs.verdict);
  fact.sized(runs.states, runs.transitions);
  fact.by("all runs of the projection" +
          (data.empty() ? "" : "; " + data.str()));
  if (runs.verdict == Verdict::Holds) {
    fact.note("--project makes peers that implement it");
    return;
  }
  fact.message = runs.text;
  fact.witness = runs.witness;
  fact.note("what each of them does here, it does in some run of the "
            "choreography, and nobody can tell the difference");
}

/// Two of a message may change places where nothing keeps them in order, and
/// then it matters what they carry. Labels show the values that guards depend
/// on, and no others.
static void nameUncompared(const Module &normal, const Behaviour &choreography,
                           DiagnosticEngine &diags) {
  const FlowIndex flows(choreography);
  const bool loops =
      !isAcyclic(choreography.nodes.size(), [&](uint32_t node, auto visit) {
        for (FlowId flow : flows.outgoing(NodeId(node)))
          visit(choreography.flow(flow).target.index());
      });
  llvm::BitVector met(normal.messages.size());
  for (const Node &node : choreography.nodes) {
    if (!node.message || normal.message(node.message).fields.empty())
      continue;
    if (loops || met.test(node.message.index())) {
      diags.abstracted(
          ("values that no guard depends on are not compared: two of '" +
           normal.text(normal.message(node.message).name) +
           "' may change places")
              .str());
      return;
    }
    met.set(node.message.index());
  }
}

namespace cif {
PassResult runCheckImplementable(Module &module, PassContext &context) {
  std::vector<ChoreographyRef> choreographies = findChoreographies(module);
  if (choreographies.empty()) {
    context.diags.report(diag::nothing_to_check) << "choreography";
    return PassResult::Failed;
  }
  std::optional<unsigned> word = context.oneOf("network", networkWords());
  if (!word)
    return PassResult::Failed;
  const auto network = static_cast<NetworkKind>(*word);
  Module normal = module.clone();
  if (!normalize(normal, context.diags))
    return PassResult::Failed;
  for (ChoreographyRef which : choreographies) {
    auto nameAbstraction = [&](const FactBuilder &fact) {
      if (fact.verdict == Verdict::Holds && network == NetworkKind::Bag &&
          !which.isSystem)
        nameUncompared(normal, normal.behaviours[which.index], context.diags);
    };
    FactBuilder fact("implementable",
                     "choreography '" + choreographyName(normal, which) + "'",
                     choreographyPlace(normal, which));
    fact.with("question", "order up to independence");
    fact.with("network", networkText(network));
    HealthProof proof;
    if (!context.flag("no-proof"))
      proof = proveHealthy(normal, which, network, context.limits);
    if (proof.implementable) {
      fact.holds();
      fact.by(connectedMethod);
      fact.note("--project makes peers that implement it");
      nameAbstraction(fact);
      context.report(module, fact);
      continue;
    }
    fact.by("send coherence, receive coherence, no mixed choice (Li, "
            "Stutz, Wies and Zufferey)");
    std::string data =
        which.isSystem ? "" : dataMethod(normal, which.index, true);
    if (!data.empty())
      fact.method += "; " + data;
    Outcome<GlobalLts> global =
        valuedLts(normal, which, context.limits, context.diags);
    if (global.isFailed())
      return PassResult::Failed;
    RunsOfProjection allRuns;
    if (global) {
      Implementability result = implementabilityUnder(
          network, checkImplementability(global->lts, context.limits, network));
      if (!result.gap.empty() && result.words)
        allRuns = runProjection(*result.words, network, context.limits,
                                context.diags);
      if (allRuns.verdict == Verdict::Inconclusive)
        fill(normal, *global, result, fact);
      else
        fill(allRuns, data, fact);
    } else {
      fact.inconclusive(noVerdictText(global.limit()));
    }
    nameAbstraction(fact);
    context.report(module, fact, [&] {
      if (allRuns.verdict == Verdict::Violated)
        return replaysOnPeers(allRuns.peers, network, {}, *fact.witness,
                              RunEnd::Anything, context.limits, context.diags);
      // The steps of the two runs, which their notes tell apart.
      std::vector<WitnessStep> runs[2];
      for (const WitnessStep &step : fact.witness->steps)
        runs[StringRef(step.note).starts_with("second")].push_back(step);
      return replaysOnLts(global->lts, runs[0]) &&
             replaysOnLts(global->lts, runs[1]);
    });
  }
  return PassResult::Unchanged;
}
} // namespace cif
