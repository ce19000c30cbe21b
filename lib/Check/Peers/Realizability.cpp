//===- Realizability.cpp - Peers against a choreography -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [verchor], Def. 6 (realizability: the peers are the
/// projection) and Def. 7 (conformance: any peers). Sound/complete for: as
/// Synchronizability.cpp says for its part; the comparison with the
/// choreography is exact. Differs from the paper: the relation can be a
/// stronger one.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/Realizability.h"
#include "MinimizedPeers.h"
#include "cif/Check/Peers/ConnectedProof.h"
#include "cif/Check/Peers/EachPeerSet.h"
#include "cif/Check/Replay.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Pass/FactBuilder.h"

using namespace cif;

std::optional<Realizability> cif::checkRealizability(
    const Module &peers, const Lts &choreography, Relation relation,
    const SynchronizabilityOptions &options, DiagnosticEngine &diags) {
  SynchronizabilityOptions once = options;
  once.reduces = false;
  if (std::optional<Module> small =
          isWeak(relation) ? minimizedPeers(peers, options) : std::nullopt) {
    std::optional<Realizability> result =
        checkRealizability(*small, choreography, relation, once, diags);
    if (!result)
      return std::nullopt;
    result->method += "; peers minimised first";
    if (isAnswer(*result, options))
      return result;
  }
  Realizability result;
  std::optional<Lts> sync = synchronousComposition(
      peers, options.handshakes, options.limits, diags, result.limit);
  if (!sync) {
    if (result.limit.empty())
      return std::nullopt;
    result.method = "synchronous composition";
    return result;
  }
  CompareOptions compareOptions{.limits = options.limits};
  result.handshakes = compare(*sync, choreography, relation, compareOptions);
  std::optional<Synchronizability> queues =
      checkSynchronizability(peers, once, diags);
  if (!queues)
    return std::nullopt;
  result.queues = std::move(*queues);
  result.states = sync->numStates() + result.queues.states;
  result.transitions = sync->numTransitions() + result.queues.transitions;
  result.method = (relationName(relation) + " of the synchronous composition; "
                                            "synchronizability: ")
                      .str() +
                  result.queues.method;
  if (result.queues.verdict == Verdict::Violated ||
      result.handshakes.verdict == Verdict::Violated) {
    result.verdict = Verdict::Violated;
    result.exact = true;
  } else if (result.queues.verdict == Verdict::Inconclusive ||
             result.handshakes.verdict == Verdict::Inconclusive) {
    result.limit = result.queues.limit.empty() ? result.handshakes.limit
                                               : result.queues.limit;
  } else {
    result.verdict = Verdict::Holds;
    result.exact = result.queues.exact;
  }
  return result;
}

bool cif::replaysRealizability(const Realizability &result,
                               const Witness &witness, const Module &peers,
                               const Lts &choreography,
                               const SynchronizabilityOptions &options,
                               DiagnosticEngine &diags) {
  if (result.queues.verdict == Verdict::Violated)
    return replaysExtraSends(peers, options.network, options.handshakes,
                             witness, options.limits, diags);
  std::string limit;
  std::optional<Lts> sync = synchronousComposition(
      peers, options.handshakes, options.limits, diags, limit);
  return sync && result.handshakes.difference &&
         replays(*result.handshakes.difference, *sync, choreography,
                 result.handshakes.relation);
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

static void addParameters(FactBuilder &fact,
                          const SynchronizabilityOptions &options) {
  uint32_t bound = options.bound.value_or(1);
  fact.with("question", "exact send order");
  fact.with("network", networkText(options.network).str());
  fact.with("bound", bound == noBound ? "inf" : std::to_string(bound));
}

/// Where a peer sends what \p exchange names. A controller may pass it on, so
/// that nobody does: then where it is named.
static Place placeOfSend(const Module &peers, const Label &exchange) {
  Label send = exchange;
  send.kind = LabelKind::Send;
  for (auto [unit, peer] : llvm::enumerate(peers.systems))
    for (uint32_t t = 0; t < peer.lts.numTransitions(); ++t)
      if (peer.lts.labels[peer.lts.label[t]] == send)
        return originPlace(
            peers, {Origin::Transition, static_cast<uint32_t>(unit), t});
  for (const Message &m : peers.messages)
    if (peers.participantName(m.sender) == exchange.sender &&
        peers.participantName(m.receiver) == exchange.receiver &&
        peers.text(m.name) == exchange.message)
      return peers.place(m.loc);
  return {};
}

/// Places of \p trace in the choreography, and in the peers for what it does
/// not have.
static std::vector<Place> placesIn(const PeerSet &set, const GlobalLts &spec,
                                   const Module &source,
                                   ArrayRef<Label> trace) {
  std::vector<Place> places = placesOf(source, spec, trace);
  for (auto [label, place] : llvm::zip(trace, places))
    if (!place.known())
      place = placeOfSend(set.module, label);
  return places;
}

/// The steps of a run with queues, at their places in the choreography where it
/// has them, else in the peers.
static Witness queueWitness(const PeerSet &set, const GlobalLts *spec,
                            const Module *source,
                            const Synchronizability &result) {
  Witness witness{.kind = "trace"};
  std::vector<Place> places(result.trace.size());
  if (spec) {
    std::vector<Label> trace;
    trace.reserve(result.trace.size());
    for (const SendStep &step : result.trace)
      trace.push_back(step.label);
    places = placesOf(*source, *spec, trace);
  }
  for (size_t i = 0; i < result.trace.size(); ++i) {
    const SendStep &step = result.trace[i];
    if (!places[i].known())
      places[i] = originPlace(set.module, step.origin);
    std::string note = step.queues;
    if (i + 1 == result.trace.size())
      note += " <- not possible by handshakes";
    witness.steps.push_back({labelForPeople(step.label), places[i], note});
  }
  return witness;
}

static void addNotes(FactBuilder &fact, const Synchronizability &result) {
  fact.note(result.explanation);
  fact.note(result.instead.empty()
                ? "by handshakes nothing more can happen here"
                : "by handshakes only this can happen here: " +
                      labelsForPeople(result.instead));
}

/// A fact with what every result has.
template <class Result>
static FactBuilder factOf(StringRef property, const PeerSet &set,
                          const Result &result,
                          const SynchronizabilityOptions &options) {
  FactBuilder fact = factOn(property, set);
  fact.answer(result.verdict, result.exact);
  fact.by(result.method).sized(result.states, result.transitions);
  addParameters(fact, options);
  return fact;
}

Fact cif::connectedFact(StringRef property, const PeerSet &set,
                        SynchronizabilityOptions options) {
  Synchronizability result{
      .verdict = Verdict::Holds, .exact = true, .method = connectedMethod};
  options.bound = options.bound.value_or(noBound);
  return factOf(property, set, result, options);
}

Fact cif::synchronizabilityFact(const PeerSet &set,
                                const Synchronizability &result,
                                const SynchronizabilityOptions &options) {
  FactBuilder fact = factOf("synchronizable", set, result, options);
  const GlobalLts *global = set.global ? &*set.global : nullptr;
  if (result.verdict == Verdict::Violated) {
    fact.witness = queueWitness(set, global, &set.source, result);
    fact.at = fact.witness->steps.back().at;
    fact.message = "the peers send in an order that handshakes do not allow";
    addNotes(fact, result);
  } else if (result.verdict == Verdict::Inconclusive) {
    fact.inconclusive(noVerdictText(result.limit));
  } else if (!result.exact) {
    fact.note("larger bounds may differ: a bound is decisive only for "
              "rings and trees; --bound=inf explores without one");
  }
  return fact;
}

/// `x can happen before y` for a trace that only the peers have.
static void describeExtra(FactBuilder &fact, const Difference &d) {
  const Label &last = d.trace.back();
  std::vector<Label> before;
  for (const Label &l : d.instead)
    if (l.sender != last.sender && l.receiver != last.sender)
      before.push_back(l);
  if (d.instead.empty()) {
    fact.note("the choreography allows nothing more here");
    return;
  }
  if (before.empty()) {
    fact.note("the choreography allows only this here: " +
              labelsForPeople(d.instead));
    return;
  }
  fact.note(labelForPeople(last) + " can happen before " +
            labelsForPeople(before) + ": '" + last.sender +
            "' is not told of it");
}

Fact cif::realizabilityFact(StringRef property, const PeerSet &set,
                            const GlobalLts &spec, const Module &source,
                            const Realizability &result, Relation relation,
                            const SynchronizabilityOptions &options) {
  FactBuilder fact = factOf(property, set, result, options);
  fact.with("relation", relationName(relation).str());
  if (result.verdict == Verdict::Inconclusive) {
    fact.inconclusive(noVerdictText(result.limit));
    return fact;
  }
  if (result.verdict == Verdict::Holds)
    return fact;
  if (result.queues.verdict == Verdict::Violated) {
    fact.witness = queueWitness(set, &spec, &source, result.queues);
    fact.at = fact.witness->steps.back().at;
    fact.message = "the peers are not synchronizable: they send in an order "
                   "that handshakes do not allow";
    addNotes(fact, result.queues);
    return fact;
  }
  const Difference &d = *result.handshakes.difference;
  bool extra = d.side == Side::Left;
  fact.witness.emplace();
  fact.witness->kind = d.kind == Difference::Formula ? "game" : "trace";
  fact.witness->formula = d.formula;
  std::vector<Place> places = placesIn(set, spec, source, d.trace);
  for (size_t i = 0; i < d.trace.size(); ++i)
    fact.witness->steps.push_back(
        {labelForPeople(d.trace[i]), places[i], std::string()});
  fact.message =
      extra ? "the peers do what the choreography does not allow"
            : "the peers cannot do everything that the choreography allows";
  if (!places.empty())
    fact.at = places.back();
  if (d.kind == Difference::Trace && !d.trace.empty()) {
    fact.witness->steps.back().note = extra
                                          ? "<- not allowed by the choreography"
                                          : "<- not possible for the peers";
    if (extra)
      describeExtra(fact, d);
    else if (!d.instead.empty())
      fact.note("the peers can do only this here: " +
                labelsForPeople(d.instead));
  }
  if (d.kind != Difference::Trace)
    for (const std::string &sentence : d.sentences)
      fact.note(sentence);
  return fact;
}
