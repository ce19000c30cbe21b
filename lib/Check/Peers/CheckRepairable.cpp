//===- CheckRepairable.cpp - --check-repairable ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/PeerSets.h"
#include "cif/Check/Peers/Repairability.h"
#include "cif/Check/Replay.h"
#include "cif/Equivalence/Minimize.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Pass/Pass.h"
#include "cif/Semantics/Guards.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Transforms/Normalize.h"
#include "cif/Transforms/ProjectData.h"

using namespace cif;

static bool fill(const Module &normal, ChoreographyRef which, bool strict,
                 const Limits &limits, DiagnosticEngine &diags,
                 FactBuilder &fact) {
  Outcome<GlobalLts> global = valuedLts(normal, which, limits, diags);
  if (global.isFailed())
    return false;
  auto minimal = [&]() -> Outcome<Lts> {
    if (!global)
      return Outcome<Lts>::without(global);
    // Termination is not spoken of in Def. 8.
    Lts open = global->lts;
    open.finals = {};
    Budget budget(limits);
    return minimizeWithin(open, Relation::WeakTrace, budget);
  };
  Outcome<Lts> protocol = minimal();
  if (!protocol) {
    fact.inconclusive(noVerdictText(protocol.limit()));
    return true;
  }
  fact.sized(global->lts.numStates(), global->lts.numTransitions());
  fact.exact = true;
  std::optional<DivergentChoice> choice =
      findDivergentChoice(*protocol, !strict);
  fact.verdict = choice ? Verdict::Violated : Verdict::Holds;
  if (!choice)
    return true;
  fact.message = "a choice between exchanges of different senders: '" +
                 choice->first.sender + "' and '" + choice->second.sender +
                 "' may decide differently";
  fact.show("trace");
  std::vector<Label> run = choice->trace;
  auto placeAfter = [&](const Label &label) {
    run.push_back(label);
    Place place = placesOf(normal, *global, run).back();
    run.pop_back();
    return place;
  };
  std::vector<Place> places = placesOf(normal, *global, run);
  for (size_t i = 0; i < run.size(); ++i)
    fact.step(labelForPeople(run[i]), places[i]);
  fact.step(labelForPeople(choice->first), placeAfter(choice->first),
            "<- either");
  fact.at = fact.witness->steps.back().at;
  fact.step(labelForPeople(choice->second), placeAfter(choice->second),
            "<- or");
  fact.note("'" + choice->first.sender + "' and '" + choice->second.sender +
            "' would have to agree; let one of them decide");
  return true;
}

std::optional<Fact> cif::repairabilityFact(const Module &normal,
                                           ChoreographyRef which, bool strict,
                                           const Limits &limits,
                                           DiagnosticEngine &diags) {
  FactBuilder fact("repairable",
                   "choreography '" + choreographyName(normal, which) + "'",
                   choreographyPlace(normal, which));
  fact.with("notion", strict ? "strict" : "diamond");
  fact.by(strict ? "no choice between senders (VerChor Def. 8)"
                 : "no choice between senders that is not an "
                   "interleaving (VerChor Def. 8, diamonds closed)");
  if (std::string data =
          which.isSystem ? "" : dataMethod(normal, which.index, true);
      !data.empty())
    fact.method += "; " + data;
  if (!fill(normal, which, strict, limits, diags, fact))
    return std::nullopt;
  return fact;
}

bool cif::replaysChoice(const Module &normal, ChoreographyRef which,
                        const Witness &witness, const Limits &limits,
                        DiagnosticEngine &diags) {
  Outcome<GlobalLts> global = valuedLts(normal, which, limits, diags);
  // The last two steps are alternatives.
  if (!global || witness.steps.size() < 2)
    return false;
  std::vector<WitnessStep> either(witness.steps.begin(),
                                  witness.steps.end() - 1);
  std::vector<WitnessStep> other(either.begin(), either.end() - 1);
  other.push_back(witness.steps.back());
  return replaysOnLts(global->lts, either) && replaysOnLts(global->lts, other);
}

namespace cif {
PassResult runCheckRepairable(Module &module, PassContext &context) {
  std::optional<unsigned> strict =
      context.oneOf("notion", {"diamond", "strict"});
  if (!strict)
    return PassResult::Failed;
  std::vector<ChoreographyRef> choreographies = findChoreographies(module);
  if (choreographies.empty()) {
    context.diags.report(diag::nothing_to_check) << "choreography";
    return PassResult::Failed;
  }
  Module normal = module.clone();
  if (!normalize(normal, context.diags))
    return PassResult::Failed;
  for (ChoreographyRef which : choreographies) {
    std::optional<Fact> fact = repairabilityFact(normal, which, *strict,
                                                 context.limits, context.diags);
    if (!fact)
      return PassResult::Failed;
    context.report(module, *fact, [&] {
      return replaysChoice(normal, which, *fact->witness, context.limits,
                           context.diags);
    });
  }
  return PassResult::Unchanged;
}
} // namespace cif
