//===- CheckHealth.cpp - --check-health -----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/EngineOptions.h"
#include "cif/Check/Peers/ConnectedProof.h"
#include "cif/Check/Peers/EachPeerSet.h"
#include "cif/Check/Peers/Health.h"
#include "cif/Check/Peers/QueueOptions.h"
#include "cif/Check/Replay.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Pass/FactBuilder.h"
#include "llvm/ADT/StringMap.h"

using namespace cif;

/// Peers that were projected have no source of their own: their sends are the
/// choreography's exchanges, and a reception is where its message was sent.
static void placeSteps(const PeerSet &set, FactBuilder &fact) {
  llvm::StringMap<std::pair<LabelIndex, bool>> actions;
  ArrayRef<Label> labels = set.global->lts.labels;
  for (LabelIndex l = 0; l < labels.size(); ++l)
    if (labels[l].kind == LabelKind::Exchange)
      for (LabelKind kind : {LabelKind::Send, LabelKind::Receive}) {
        Label action = labels[l];
        action.kind = kind;
        actions[labelText(action)] = {l, kind == LabelKind::Send};
      }
  std::vector<WitnessStep> &steps = fact.witness->steps;
  std::vector<Label> sends;
  std::vector<std::vector<size_t>> sent(labels.size()); // in the order of use
  std::vector<size_t> sendOf(steps.size(), SIZE_MAX), taken(labels.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    auto action = actions.find(steps[i].label);
    if (action == actions.end())
      continue;
    auto [label, isSend] = action->second;
    if (isSend) {
      sent[label].push_back(sends.size());
      sends.push_back(labels[label]);
      sendOf[i] = sends.size() - 1;
    } else if (taken[label] < sent[label].size()) {
      sendOf[i] = sent[label][taken[label]++];
    }
  }
  std::vector<Place> places = placesOf(set.source, *set.global, sends);
  for (size_t i = 0; i < steps.size(); ++i)
    if (sendOf[i] != SIZE_MAX && places[sendOf[i]].known())
      fact.at = steps[i].at = places[sendOf[i]];
}

/// Given peers and processes show where they wait for what does not come.
static void placeWaits(const PeerSet &set, const HealthFinding &finding,
                       FactBuilder &fact) {
  for (const Origin &origin : finding.waits) {
    const SystemDecl &peer = set.module.systems[origin.unit];
    Label label = peer.lts.labels[peer.lts.label[origin.element]];
    if (label.kind == LabelKind::Tau)
      continue;
    label.kind = LabelKind::Exchange;
    Place at = originPlace(set.module, origin);
    if (!fact.at.known())
      fact.at = at;
    fact.note(at, "'" + set.module.text(peer.name).str() + "' waits for " +
                      labelForPeople(label));
  }
}

static void report(Module &module, PassContext &context, const PeerSet &set,
                   const SynchronizabilityOptions &options,
                   const Health &health, HealthProblem problem) {
  const HealthFinding &finding =
      health.findings[static_cast<unsigned>(problem)];
  FactBuilder fact = factOn("health", set);
  fact.subject += ": " + healthProblemText(problem).str();
  fact.answer(finding.verdict, finding.exact);
  fact.by(finding.proved ? connectedMethod : health.method + dataMethodOf(set));
  fact.witness = finding.witness;
  if (fact.witness && set.global)
    placeSteps(set, fact);
  else
    placeWaits(set, finding, fact);
  fact.states = finding.proved ? 0 : health.states;
  fact.transitions = finding.proved ? 0 : health.transitions;
  fact.with("problem", healthProblemText(problem).str());
  fact.with("network", networkText(options.network).str());
  uint32_t bound = options.bound.value_or(noBound);
  fact.with("bound", bound == noBound ? "inf" : std::to_string(bound));
  if (finding.verdict != Verdict::Holds)
    fact.message = healthProblemText(problem).str() + ": " + finding.text;
  context.report(module, fact, [&] {
    return replaysOnPeers(
        set.module, options.network, options.handshakes, *fact.witness,
        problem == HealthProblem::Deadlock ? RunEnd::Stuck : RunEnd::Anything,
        context.limits, context.diags);
  });
}

namespace cif {
PassResult runCheckHealth(Module &module, PassContext &context) {
  std::optional<SynchronizabilityOptions> asked = queueOptions(context);
  if (!asked)
    return PassResult::Failed;
  asked->reduces = !context.flag("no-reduction");
  std::optional<EngineOptions> engine;
  if (!readEngineOptions(context, engine))
    return PassResult::Failed;
  // A bound keeps queues from growing: then there is nothing to report,
  // unless an engine tells whether the bound is ever reached.
  const unsigned problems =
      numHealthProblems - (asked->bound && !engine ? 1 : 0);
  auto tell = [&](const PeerSet &set, const SynchronizabilityOptions &options,
                  const Health &health) {
    for (unsigned i = 0; i < problems; ++i)
      report(module, context, set, options, health,
             static_cast<HealthProblem>(i));
    return true;
  };
  auto check = [&](const PeerSet &set) {
    SynchronizabilityOptions options = optionsFor(set, *asked);
    std::optional<Health> health =
        engine ? checkHealthWith(*engine, set.module, options, context.diags)
               : checkHealth(set.module, options, context.diags);
    return health && tell(set, options, *health);
  };
  // What is proved needs no peers, unless growth is still to be looked for.
  auto prove = [&](ChoreographyRef which) {
    PeerSet subject = choreographySubject(module, which);
    SynchronizabilityOptions options = optionsFor(subject, *asked);
    HealthProof proof;
    if (!context.flag("no-proof") && !engine)
      proof = proveHealthy(module, which, options.network, context.limits);
    asked->healthy = proof.healthy;
    return proof.healthy &&
           (proof.bounded || asked->bound ||
            networkHas(options.network, NetworkIsFinite)) &&
           tell(subject, options, provedHealth(true));
  };
  return checkEachPeerSet(module, context, "health", check, PeersFrom::Any,
                          prove);
}
} // namespace cif
