//===- AmendPass.cpp - --amend --------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AmendConnected.h"
#include "PatchCheck.h"
#include "cif/Check/IdleOptions.h"
#include "cif/Check/Peers/ConnectedProof.h"
#include "cif/Check/Peers/EachPeerSet.h"
#include "cif/Check/Peers/QueueOptions.h"
#include "cif/Check/Peers/Repairability.h"
#include "cif/Check/Replay.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Repair/Amendment.h"
#include "cif/Support/Diagnostics/Repair.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Transforms/Normalize.h"

using namespace cif;

static Fact provedFact(const PeerSet &set,
                       const SynchronizabilityOptions &options) {
  FactBuilder fact = connectedFact("realizable", set, options);
  fact.with("relation", relationName(Relation::WeakTrace).str());
  return fact;
}

/// Checked once more from the beginning, as anybody would. Nothing: errors
/// were reported.
static std::optional<Fact> checkedAgain(const PeerSet &set,
                                        const Amendment &found,
                                        const SynchronizabilityOptions &options,
                                        PassContext &context) {
  if (found.connected) {
    PeerSet subject;
    subject.subject = "amended " + set.subject;
    subject.at = set.at;
    return provedFact(subject, options);
  }
  std::vector<PeerSet> after = peerSets(found.module, PeersFrom::Choreography,
                                        context.limits, context.diags);
  if (after.empty())
    return std::nullopt;
  PeerSet &amended = after.front();
  std::optional<Realizability> check =
      checkRealizability(amended.module, amended.global->lts,
                         Relation::WeakTrace, options, context.diags);
  if (!check)
    return std::nullopt;
  amended.subject = "amended " + set.subject;
  return realizabilityFact("realizable", amended, *amended.global,
                           amended.source, *check, Relation::WeakTrace,
                           options);
}

static PassResult finish(Module &module, const PeerSet &set,
                         const Behaviour &graph, Amendment &found,
                         const SynchronizabilityOptions &options,
                         PassContext &context) {
  DiagnosticEngine &diags = context.diags;
  std::optional<Fact> checked = checkedAgain(set, found, options, context);
  if (!checked)
    return PassResult::Failed;
  FactBuilder fact = std::move(*checked);
  std::vector<std::string> exchanges;
  size_t fields = 0;
  for (size_t i = 0; i < found.added.size(); ++i) {
    const Synchronisation &sync = found.added[i];
    exchanges.push_back(exchangeText(found.module, found.messages[i], sync));
    std::string told = "carries what '" +
                       found.module.participantName(sync.to).str() +
                       "' has to know: " + carriedText(found.module, sync);
    std::string text =
        exchanges.back() +
        " is added: " + (sync.carries.empty() ? "" : "it " + told + "; and ") +
        found.module.exchangeText(graph.node(sync.after).message) +
        " waits for " +
        found.module.exchangeText(graph.node(sync.before).message);
    if (sync.extends) {
      text = found.module.exchangeText(found.messages[i]) + " " + told;
      fields += sync.carries.size();
    }
    if (!found.without[i].empty())
      text +=
          "; without it this is possible: " + labelsForPeople(found.without[i]);
    fact.note(found.module.place(graph.node(found.added[i].after).loc), text);
  }
  size_t n = llvm::count_if(
      found.added, [](const Synchronisation &s) { return !s.extends; });
  auto counted = [](size_t number, StringRef what) {
    return std::to_string(number) + " " + what.str() + (number == 1 ? "" : "s");
  };
  fact.note((fields ? counted(fields, "field") : "") +
            (fields && n ? " and " : "") +
            (n || !fields ? counted(n, "interaction") : "") + " added" +
            (found.fewest ? "; no smaller set of the " +
                                std::to_string(found.candidates) +
                                " candidates is sufficient"
                          : "; not all smaller sets were tried"));
  if (context.host.log &&
      !printAmendment(*context.host.log, diags.sources(), found.module, graph,
                      found.added, exchanges, context.limits))
    fact.note(noPatchText);
  module = std::move(found.module);
  context.count("interactions added", n);
  context.count("sets of interactions tried", found.questions);
  context.report(module, std::move(fact));
  return PassResult::Changed;
}

/// Nothing is explored where the structure of the only choreography tells
/// what is missing. Nothing: it does not.
static std::optional<PassResult>
amendWhatIsProved(Module &module, const SynchronizabilityOptions &options,
                  PassContext &context) {
  std::vector<ChoreographyRef> which = findChoreographies(module);
  if (which.size() != 1)
    return std::nullopt;
  PeerSet set = choreographySubject(module, which[0]);
  if (proveConnected(module, which[0], context.limits).proved) {
    context.diags.report(set.at, diag::nothing_to_amend)
        << choreographyName(module, which[0]);
    context.report(module, provedFact(set, options));
    return PassResult::Unchanged;
  }
  if (which[0].isSystem)
    return std::nullopt;
  // Whatever normalizing says, the search is to say.
  set.source = module.clone();
  DiagnosticCollector said;
  DiagnosticEngine quiet(context.diags.sources(), said);
  if (!normalize(set.source, quiet) || !said.all.empty())
    return std::nullopt;
  const Behaviour &graph = set.source.behaviours[which[0].index];
  std::optional<Amendment> found = amendWithoutSearch(
      set.source, which[0].index, graph, options, context.diags);
  if (!found)
    return std::nullopt;
  return finish(module, set, graph, *found, options, context);
}

static Fact notFound(const PeerSet &set, const Amendment &found) {
  return FactBuilder("realizable", "amended " + set.subject, set.at)
      .by("interactions between consecutive ones")
      .inconclusive(found.outcome == Amendment::Unknown
                        ? "no amendment was found: " + stoppedText(found.limit)
                        : "no amendment was found among the " +
                              std::to_string(found.candidates) +
                              " interactions that could be added");
}

static PassResult amend(Module &module, ChoreographyRef which, PeerSet &set,
                        const SynchronizabilityOptions &options,
                        PassContext &context) {
  DiagnosticEngine &diags = context.diags;
  std::optional<Realizability> before = checkRealizability(
      set.module, set.global->lts, Relation::WeakTrace, options, diags);
  if (!before)
    return PassResult::Failed;
  if (before->verdict != Verdict::Violated) {
    if (before->verdict == Verdict::Holds)
      diags.report(set.at, diag::nothing_to_amend)
          << choreographyName(module, which);
    context.report(module,
                   realizabilityFact("realizable", set, *set.global, set.source,
                                     *before, Relation::WeakTrace, options));
    return before->verdict == Verdict::Holds ? PassResult::Unchanged
                                             : PassResult::Stopped;
  }
  std::optional<Fact> repairable = repairabilityFact(
      set.source, which, /*strict=*/false, context.limits, diags);
  if (!repairable)
    return PassResult::Failed;
  if (repairable->verdict != Verdict::Holds) {
    bool open = repairable->verdict == Verdict::Inconclusive;
    context.report(module, *repairable, [&] {
      return replaysChoice(set.source, which, *repairable->witness,
                           context.limits, diags);
    });
    return open ? PassResult::Stopped : PassResult::Unchanged;
  }
  Outcome<Behaviour> graph = graphOf(set, which, context.limits);
  if (!graph) {
    set.limit = graph.limit();
    context.report(module, limitFact("realizable", set, context));
    return PassResult::Stopped;
  }
  uint32_t index = which.index;
  std::optional<Amendment> found;
  if (which.isSystem) {
    index = static_cast<uint32_t>(set.source.behaviours.size());
    found = amendWithoutSearch(set.source, index, *graph, options, diags);
  }
  if (!found)
    found = amendForRealizability(set.source, index, *graph, options, diags);
  if (!found)
    return PassResult::Failed;
  if (found->outcome != Amendment::Found) {
    context.report(module, notFound(set, *found));
    return found->outcome == Amendment::Unknown ? PassResult::Stopped
                                                : PassResult::Unchanged;
  }
  return finish(module, set, *graph, *found, options, context);
}

namespace cif {
PassResult runAmend(Module &module, PassContext &context) {
  SmallVector<StringRef, 6> goals{"realizable"};
  for (unsigned i = 0; i < numIocSemantics; ++i)
    goals.push_back(iocSemanticsName(static_cast<IocSemantics>(i)));
  std::optional<unsigned> goal = context.oneOf("goal", goals);
  if (!goal)
    return PassResult::Failed;
  if (*goal > 0)
    return noneGiven(context, {"bound", "network"},
                     "for this goal: connectedness is the same on every "
                     "network")
               ? amendForConnectedness(
                     module, static_cast<IocSemantics>(*goal - 1), context)
               : PassResult::Failed;
  if (!noneGiven(context, {"only", "pick", "deciders"},
                 "for this goal; it is for connectedness, as in --amend=sync"))
    return PassResult::Failed;
  std::optional<SynchronizabilityOptions> options =
      queueOptions(context, /*onlyQueues=*/true);
  if (!options)
    return PassResult::Failed;
  if (std::optional<PassResult> done =
          amendWhatIsProved(module, *options, context))
    return *done;
  return changeTheChoreography(
      module, context, "--amend=realizable", "realizable",
      [&](ChoreographyRef which, PeerSet &set) {
        return amend(module, which, set, *options, context);
      });
}
} // namespace cif
