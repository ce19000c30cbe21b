//===- SynthesizeControllers.cpp - --synthesize-controllers ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/EachPeerSet.h"
#include "cif/Check/Peers/Health.h"
#include "cif/Check/Peers/QueueOptions.h"
#include "cif/Check/Peers/Repairability.h"
#include "cif/Check/Replay.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/IR/Builder.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Repair/Controllers.h"
#include "cif/Support/Diagnostics/Repair.h"

using namespace cif;

static std::string stepsText(const Witness &witness) {
  std::string text;
  for (const WitnessStep &step : witness.steps)
    text += (text.empty() ? "" : ", ") + step.label;
  return text.empty() ? "nothing" : text;
}

/// Adds where the divergent choice may lead to.
static bool showDeadlock(const PeerSet &set,
                         const SynchronizabilityOptions &options,
                         DiagnosticEngine &diags, Fact &fact) {
  std::optional<Health> health = checkHealth(set.module, options, diags);
  if (!health)
    return false;
  for (HealthProblem problem :
       {HealthProblem::Deadlock, HealthProblem::UnspecifiedReception}) {
    const HealthFinding &finding =
        health->findings[static_cast<unsigned>(problem)];
    if (!finding.witness)
      continue;
    fact.notes.push_back({Place(), healthProblemText(problem).str() +
                                       " after " + stepsText(*finding.witness) +
                                       ": " + finding.text});
    break;
  }
  return true;
}

static Fact notFound(const PeerSet &set,
                     const std::optional<Controllers> &found, StringRef limit) {
  FactBuilder fact("controlled", set.subject, set.at);
  fact.by("synchronisations between controllers (VerChor Def. 10)");
  if (!found || found->search.kind == SetAnswer::Unknown)
    return fact.inconclusive(noVerdictText(limit));
  fact.inconclusive("no synchronisations between consecutive interactions "
                    "enforce the choreography");
  fact.note("with all " + std::to_string(found->candidates) +
            " of them this is still possible: " +
            labelsForPeople(found->search.last.trace));
  return fact;
}

static std::string orderText(const Module &module, const Behaviour &graph,
                             const Synchronisation &sync) {
  return module.exchangeText(graph.node(sync.after).message) + " waits for " +
         module.exchangeText(graph.node(sync.before).message);
}

/// Says at each synchronisation what it is for.
static void explain(Architecture &architecture, const Module &source,
                    const Behaviour &graph, const Controllers &found) {
  Module &module = architecture.module;
  Behaviour &whole = module.behaviours.front();
  for (size_t i = 0; i < found.chosen.size(); ++i)
    for (size_t n = 0; n < whole.nodes.size(); ++n) {
      if (whole.nodes[n].message != architecture.synchronisations[i])
        continue;
      whole.attributes.push_back(
          {NodeId(n), module.intern("enforces"),
           module.intern(orderText(source, graph, found.chosen[i]))});
      whole.attributes.push_back(
          {NodeId(n), module.intern("otherwise"),
           module.intern(labelsForPeople(found.search.without[i]))});
    }
  sortAttributes(module, whole);
}

static Fact controlledFact(const PeerSet &set, const Architecture &architecture,
                           const Behaviour &graph, const Controllers &found,
                           const Realizability &check) {
  FactBuilder fact("controlled", set.subject, set.at);
  fact.by("VerChor Def. 10; " + check.method)
      .sized(check.states, check.transitions);
  fact.answer(check.verdict, check.exact);
  size_t n = found.chosen.size();
  fact.with("synchronisations", std::to_string(n));
  fact.with("candidates", std::to_string(found.candidates));
  if (check.verdict != Verdict::Holds) {
    fact.message = "the controllers found do not keep the order";
    fact.show("trace");
    for (const SendStep &step : check.queues.trace)
      fact.step(labelForPeople(step.label));
    return fact;
  }
  if (n == 0) {
    fact.note("the peers realize the choreography as "
              "they are: no controllers are needed");
    return fact;
  }
  for (size_t i = 0; i < n; ++i)
    fact.note(set.source.place(graph.node(found.chosen[i].after).loc),
              labelForPeople(architecture.labels[i].second) + ": " +
                  orderText(set.source, graph, found.chosen[i]) +
                  "; without it this is possible: " +
                  labelsForPeople(found.search.without[i]));
  std::string count =
      std::to_string(n) + " synchronisation" + (n == 1 ? "" : "s");
  fact.note(count +
            "; none can be left out (each was tried, and fewer "
            "synchronisations allow more)" +
            (!found.search.fewest    ? std::string()
             : found.candidates == 1 ? ", and it is the only candidate"
                                     : ", and no smaller set of the " +
                                           std::to_string(found.candidates) +
                                           " candidates suffices"));
  return fact;
}

/// Processes and peers, controllers as behaviours and systems of their own.
static std::optional<Module> project(const Architecture &architecture,
                                     PassContext &context, std::string &limit) {
  const Module &from = architecture.module;
  Outcome<GlobalLts> global =
      globalLts(from, {false, 0}, context.limits, context.diags);
  if (!global) {
    limit = global.limit();
    return std::nullopt;
  }
  Module result = from.clone();
  result.behaviours.clear();
  Budget budget(context.limits);
  for (const std::string &name : participantsOf(global->lts)) {
    bool controller =
        llvm::any_of(architecture.controllers,
                     [&](const auto &c) { return c.controller == name; });
    Outcome<Lts> lts = projectLts(global->lts, name, budget);
    if (!lts) {
      limit = lts.limit();
      return std::nullopt;
    }
    ParticipantId owner = result.findParticipant(name);
    std::vector<UntoldChoice> untold;
    Behaviour process =
        projectGraph(from, from.behaviours.front(), owner, untold);
    process.name = result.intern(name);
    if (controller)
      process.kind = BehaviourKind::Controller;
    SystemDecl decl;
    decl.name = process.name;
    decl.role = controller ? SystemRole::Controller : SystemRole::Peer;
    decl.owner = owner;
    decl.loc = process.loc;
    decl.lts = std::move(*lts);
    result.behaviours.push_back(std::move(process));
    result.systems.push_back(std::move(decl));
  }
  return result;
}

/// What traces do not show: the controlled peers may still get stuck.
static bool warn(const Module &controlled, const PeerSet &set,
                 const SynchronizabilityOptions &options,
                 DiagnosticEngine &diags) {
  if (controlled.systems.empty()) // nobody exchanges anything
    return true;
  std::optional<Health> health = checkHealth(controlled, options, diags);
  if (!health)
    return false;
  for (unsigned i = 0; i < numHealthProblems; ++i) {
    const HealthFinding &finding = health->findings[i];
    auto problem = static_cast<HealthProblem>(i);
    if (!finding.witness || problem == HealthProblem::Unbounded)
      continue;
    auto report = diags.report(set.at, diag::controlled_trouble);
    report << healthProblemText(problem) + " is possible: " + finding.text;
    for (const WitnessStep &step : finding.witness->steps)
      report.note(step.at, step.label);
  }
  return true;
}

static PassResult finish(Module &module, PeerSet &set, const Behaviour &graph,
                         const Controllers &found,
                         SynchronizabilityOptions options,
                         PassContext &context) {
  DiagnosticEngine &diags = context.diags;
  Architecture architecture = makeArchitecture(set.source, graph, found.chosen);
  explain(architecture, set.source, graph, found);

  // The same checks as for any peers, on the controlled ones.
  PeerSet controlled;
  controlled.subject = "controlled " + set.subject;
  controlled.at = set.at;
  Outcome<ControlledPeers> peers =
      controlledPeers(architecture, set.global->lts, context.limits, diags);
  if (!peers) {
    if (peers.isFailed())
      return PassResult::Failed;
    set.limit = peers.limit();
    context.report(module, limitFact("controlled", set, context));
    return PassResult::Stopped;
  }
  controlled.module = std::move(peers->module);
  options.handshakes = peers->handshakes;
  std::optional<Realizability> check = checkRealizability(
      controlled.module, set.global->lts, Relation::WeakTrace, options, diags);
  if (!check)
    return PassResult::Failed;
  controlled.global = set.global;
  controlled.source = set.source.clone();

  std::vector<Fact> facts;
  facts.push_back(controlledFact(set, architecture, graph, found, *check));
  facts.push_back(synchronizabilityFact(controlled, check->queues, options));
  facts.push_back(realizabilityFact("realizable", controlled, *set.global,
                                    set.source, *check, Relation::WeakTrace,
                                    options));
  for (Fact &fact : facts)
    fact.method += dataMethodOf(set);
  std::optional<Module> result = project(architecture, context, set.limit);
  if (!result) {
    if (set.limit.empty())
      return PassResult::Failed;
    context.report(module, limitFact("controlled", set, context));
    return PassResult::Stopped;
  }
  options.handshakes = architecture.handshakes;
  if (!warn(*result, set, options, diags))
    return PassResult::Failed;
  module = std::move(*result);
  context.count("synchronisations", found.chosen.size());
  context.count("sets of synchronisations tried", found.search.questions);
  for (Fact &fact : facts)
    context.report(module, fact, [&] {
      return check->queues.verdict != Verdict::Violated ||
             replaysExtraSends(controlled.module, options.network,
                               peers->handshakes, *fact.witness, context.limits,
                               diags);
    });
  return PassResult::Changed;
}

static PassResult synthesize(Module &module, ChoreographyRef which,
                             PeerSet &set,
                             const SynchronizabilityOptions &options,
                             PassContext &context) {
  DiagnosticEngine &diags = context.diags;
  std::optional<Realizability> before = checkRealizability(
      set.module, set.global->lts, Relation::WeakTrace, options, diags);
  if (!before)
    return PassResult::Failed;
  if (before->verdict == Verdict::Violated) {
    std::optional<Fact> repairable = repairabilityFact(
        set.source, which, /*strict=*/false, context.limits, diags);
    if (!repairable)
      return PassResult::Failed;
    if (repairable->verdict != Verdict::Holds) {
      const Fact choice = *repairable;
      if (!showDeadlock(set, options, diags, *repairable))
        return PassResult::Failed;
      context.report(module, std::move(*repairable), [&] {
        return replaysChoice(set.source, which, *choice.witness, context.limits,
                             diags);
      });
      return PassResult::Unchanged;
    }
  }
  Outcome<Behaviour> graph = graphOf(set, which, context.limits);
  std::string limit = graph.limit();
  std::optional<Controllers> found;
  if (graph) {
    found = synthesizeControllers(set.source, *graph, set.global->lts, options,
                                  diags);
    if (!found)
      return PassResult::Failed;
    limit = found->limit;
  }
  if (!found || found->search.kind != SetAnswer::Enough) {
    context.report(module, notFound(set, found, limit));
    return !found || found->search.kind == SetAnswer::Unknown
               ? PassResult::Stopped
               : PassResult::Unchanged;
  }
  return finish(module, set, *graph, *found, options, context);
}

namespace cif {
PassResult runSynthesizeControllers(Module &module, PassContext &context) {
  std::optional<SynchronizabilityOptions> options =
      queueOptions(context, /*onlyQueues=*/true);
  if (!options)
    return PassResult::Failed;
  return changeTheChoreography(
      module, context, "--synthesize-controllers", "controlled",
      [&](ChoreographyRef which, PeerSet &set) {
        return synthesize(module, which, set, *options, context);
      });
}
} // namespace cif
