//===- CheckRealizable.cpp - --check-realizable ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Conformance/SymbolicConforms.h"
#include "cif/Check/IdleOptions.h"
#include "cif/Check/Peers/EachPeerSet.h"
#include "cif/Check/Peers/QueueOptions.h"
#include "cif/Check/Peers/Realizability.h"
#include "cif/Semantics/Guards.h"
#include "cif/Transforms/ProjectData.h"

using namespace cif;

/// Who would have to know which data, where that is a reason: of a choreography
/// that is not realizable, or whose guards are not followed.
static void addUntoldData(Fact &fact, const Module &source) {
  constexpr size_t mostNotes = 10;
  for (size_t i = 0; i < source.behaviours.size(); ++i) {
    const Behaviour &b = source.behaviours[i];
    if (b.kind != BehaviourKind::Choreography)
      continue;
    for (const auto &[p, lacks] : untoldData(source, b)) {
      if (fact.verdict != Verdict::Violated) {
        if (!lacks.flow ||
            guardDecides(source, static_cast<uint32_t>(i), lacks.flow))
          continue;
        fact.verdict = Verdict::Inconclusive;
        fact.exact = false;
        fact.message =
            "no verdict: a choice depends on a guard that is not evaluated, "
            "over data that the participant lacks; --relation=symbolic "
            "evaluates it";
      }
      if (fact.notes.size() < mostNotes)
        fact.notes.push_back(
            {untoldPlace(source, b, lacks),
             untoldText(source, b, source.participantName(p), lacks)});
    }
  }
}

/// A violation may be one only because guards are free choices.
static void addLeftGuards(Fact &fact, const Module &source) {
  for (size_t i = 0; i < source.behaviours.size(); ++i)
    if (source.behaviours[i].kind == BehaviourKind::Choreography &&
        leavesGuards(source, static_cast<uint32_t>(i)))
      fact.notes.push_back({Place(), "guards are free choices here; "
                                     "--relation=symbolic evaluates them"});
}

namespace cif {
PassResult runCheckRealizable(Module &module, PassContext &context) {
  std::optional<unsigned> relation =
      context.oneOf("relation", {"weak-trace", "symbolic"});
  if (!relation)
    return PassResult::Failed;
  if (*relation == 1)
    return noneGiven(context, {"certificate", "no-proof"},
                     "with --relation=symbolic")
               ? checkSymbolicRealizable(module, context)
               : PassResult::Failed;
  if (!noneGiven(
          context,
          {"integers", "solver-timeout", "max-rounds", "equations", "smt2"},
          "without --relation=symbolic"))
    return PassResult::Failed;
  std::optional<SynchronizabilityOptions> options = queueOptions(context);
  if (!options)
    return PassResult::Failed;
  auto decide = [&](const PeerSet &set) -> std::optional<ReplayedFact> {
    if (set.connected) {
      Fact fact = connectedFact("realizable", set, *options);
      fact.parameters.push_back(
          {"relation", relationName(Relation::WeakTrace).str()});
      return ReplayedFact{std::move(fact), {}};
    }
    const std::string data = dataMethodOf(set);
    std::shared_ptr<Module> open;
    if (options->network == NetworkKind::Sync && !data.empty())
      open = std::make_shared<Module>(takingAnyValue(set.module, set.source));
    const Module &peers = open ? *open : set.module;
    std::optional<Realizability> result = checkRealizability(
        peers, set.global->lts, Relation::WeakTrace, *options, context.diags);
    if (!result)
      return std::nullopt;
    Fact fact = realizabilityFact("realizable", set, *set.global, set.source,
                                  *result, Relation::WeakTrace, *options);
    fact.method += data;
    if (fact.verdict != Verdict::Inconclusive)
      addUntoldData(fact, set.source);
    if (fact.verdict == Verdict::Violated)
      addLeftGuards(fact, set.source);
    return ReplayedFact{
        std::move(fact), [&context, &set, &options, open,
                          found = std::move(*result)](const Fact &told) {
          return replaysRealizability(found, *told.witness,
                                      open ? *open : set.module,
                                      set.global->lts, *options, context.diags);
        }};
  };
  return checkSendOrder(module, context, "realizable", decide,
                        PeersFrom::Choreography);
}
} // namespace cif
