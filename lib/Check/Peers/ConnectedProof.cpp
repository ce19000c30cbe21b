//===- ConnectedProof.cpp - Realizability without search ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: the premises of the proof in docs/algorithms.md ("Proof before
/// search"). Sound for: choreographies whose traces are those of a graph of
/// steps, choices, forks and joins. A premise that is not known to hold means
/// no proof, and the checks search.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/ConnectedProof.h"
#include "ConnectedGraph.h"
#include "cif/Calculus/ConnectedHealth.h"
#include "cif/Calculus/Connectedness.h"
#include "cif/Calculus/ParallelOrder.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/IR/Link.h"
#include "cif/IR/Starts.h"
#include "cif/Semantics/Guards.h"
#include "cif/Support/Diagnostics.h"
#include "cif/Transforms/Normalize.h"
#include "cif/Transforms/ProjectData.h"

using namespace cif;

/// Whether a node means to the graph what it means to the semantics.
static bool isPlain(const Behaviour &b, const FlowIndex &flows, NodeId n,
                    bool starts) {
  const Node &node = b.node(n);
  if (node.trigger == Trigger::Link || node.kind == NodeKind::Boundary ||
      (starts && node.kind != NodeKind::Initial))
    return false;
  bool event = node.kind == NodeKind::Catch || node.kind == NodeKind::Throw;
  if (event && (node.trigger == Trigger::Message) != bool(node.message))
    return false;
  // A join that several flows leave is a choice to the semantics.
  if (node.kind == NodeKind::SimpleJoin && flows.outgoing(n).size() > 1)
    return false;
  if (node.kind == NodeKind::AllSelect && flows.incoming(n).size() > 1)
    return false;
  bool chooses = node.kind == NodeKind::Choice ||
                 node.kind == NodeKind::DominatedChoice ||
                 node.kind == NodeKind::EventChoice;
  return chooses || llvm::none_of(flows.outgoing(n), [&](FlowId f) {
           return bool(b.flow(f).guard);
         });
}

/// Whether the joins of \p graph wait for all that the ones of \p b wait for:
/// what cannot be reached is not in the graph, and never comes.
static bool joinsAreWhole(const IocGraph &graph, const Behaviour &b,
                          const FlowIndex &flows) {
  for (uint32_t n = 0; n < graph.size(); ++n)
    if (NodeId node = graph.nodes[n].node;
        graph.kind(n) == GraphNodeKind::Join && node &&
        b.node(node).kind == NodeKind::AllJoin &&
        graph.predecessors(n).size() != flows.incoming(node).size())
      return false;
  return true;
}

/// Whether \p term has only the kinds of connectedness, and loops that are
/// drawn as recursions: what is called last starts again when nothing is left
/// of the round before.
static bool hasOnlyLoops(const Term &term) {
  SmallVector<TermKind, 16> kinds(connectednessKinds());
  kinds.append({TermKind::Rec, TermKind::Call});
  if (findOther(term, kinds))
    return false;
  std::vector<bool> last = lastCalls(term);
  for (size_t i = 0; i < term.size(); ++i)
    if (term.nodes[i].kind == TermKind::Call && !last[i])
      return false;
  return true;
}

static std::optional<IocGraph> graphOf(const Module &module,
                                       const Behaviour &b) {
  FlowIndex flows(b);
  std::vector<bool> starts = startingNodes(b, flows);
  bool containers = false;
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    if (!isPlain(b, flows, NodeId(i), starts[i]))
      return std::nullopt;
    containers |= b.nodes[i].kind == NodeKind::Container;
  }
  OperationNumbers operations;
  std::optional<IocGraph> graph = buildIocGraph(module, b, operations);
  if (!graph || !joinsAreWhole(*graph, b, flows))
    return std::nullopt;
  if (!containers || !hasFork(*graph))
    return graph;
  // A container ends when all is over in it, and is entered once at a time.
  // Where there are several tokens only terms are known to do so.
  std::optional<Term> term = recoverTerm(module, b, operations);
  if (!term || !hasOnlyLoops(*term))
    return std::nullopt;
  return buildIocGraph(*term);
}

/// Identifies the roles of \p action by their names, as peers are.
static void nameRoles(const Module &module, TermAction &action) {
  for (uint32_t *role : {&action.sender, &action.receiver})
    if (*role != TermAction::none)
      *role = module.participants[*role].name.index();
}

std::optional<IocGraph> cif::traceGraph(const Module &module,
                                        ChoreographyRef which) {
  if (which.isSystem) {
    std::vector<std::string> roles, operations;
    return buildIocGraph(module.systems[which.index].lts, roles, operations);
  }
  if (!guardsAreFree(module, which.index) ||
      !untoldData(module, module.behaviours[which.index]).empty())
    return std::nullopt;
  std::optional<IocGraph> graph =
      graphOf(module, module.behaviours[which.index]);
  if (!graph)
    return graph;
  for (TermAction &action : graph->actions) {
    nameRoles(module, action);
    if (!action.isTau() && action.sender == action.receiver)
      return std::nullopt;
  }
  return graph;
}

namespace {
/// Whatever normalizing says, the search is to say: it may be an abstraction.
struct Heard : DiagnosticConsumer {
  bool any = false;
  void handle(const Diagnostic &) override { any = true; }
};
} // namespace

std::optional<IocGraph> cif::graphWithoutNoise(Module &normal) {
  bool terminates = false, exchanges = false;
  for (Node &node : normal.behaviours[0].nodes) {
    exchanges |= bool(node.message);
    if (!node.message && !node.participant && !normal.participants.empty())
      node.participant = ParticipantId(0);
    if (node.kind == NodeKind::Terminate) {
      terminates = true;
      node.kind = NodeKind::Final;
    }
  }
  if (!exchanges)
    return std::nullopt; // there are no peers, as the search says
  std::optional<IocGraph> graph = traceGraph(normal, {false, 0});
  if (graph && terminates && hasFork(*graph))
    return std::nullopt;
  return graph;
}

static bool holdsOf(std::optional<IocGraph> graph, const Limits &limits) {
  Budget budget(limits);
  return graph && findSenderConnection(*graph, budget).holds();
}

std::optional<Module> cif::normalizedAlone(const Module &module,
                                           ChoreographyRef which) {
  Module normal = extractBehaviour(module, which.index);
  Heard heard;
  SourceManager sources;
  DiagnosticEngine diags(sources, heard);
  if (!normalize(normal, diags) || heard.any)
    return std::nullopt;
  return normal;
}

bool cif::exchangesNothing(const Module &normal) {
  const Behaviour &b = normal.behaviours[0];
  return llvm::none_of(b.nodes,
                       [](const Node &node) { return bool(node.message); }) &&
         untoldData(normal, b).empty();
}

/// Proofs are linear, which is long for a large choreography.
static bool isTimeUp(const Limits &limits) {
  return !Budget(limits).look(/*states=*/0, /*bytes=*/0).empty();
}

ConnectedProof cif::proveConnected(const Module &module, ChoreographyRef which,
                                   const Limits &limits, size_t largeFrom,
                                   bool keepsStarts) {
  ConnectedProof proof;
  if (isTimeUp(limits))
    return proof;
  if (which.isSystem) {
    proof.proved = holdsOf(traceGraph(module, which), limits);
    return proof;
  }
  std::optional<Module> normal = normalizedAlone(module, which);
  if (!normal)
    return proof;
  if (exchangesNothing(*normal)) {
    proof.proved = true;
    return proof;
  }
  std::optional<IocGraph> graph = graphWithoutNoise(*normal);
  if (!graph)
    return proof;
  proof.proved = holdsOf(std::move(graph), limits);
  if (!proof.proved) {
    auto shared = std::make_shared<const Module>(std::move(*normal));
    proof.proved =
        findSearchedParts(shared, limits, largeFrom, keepsStarts, proof.left);
  }
  return proof;
}

/// The term of a graph with parallel branches, with names as roles. Nothing if
/// it is none: each split has its join, which all its branches come to.
static std::optional<Term> termOf(const Module &normal) {
  OperationNumbers operations;
  std::optional<Term> term =
      recoverTerm(normal, normal.behaviours[0], operations);
  if (!term || !hasOnlyLoops(*term))
    return std::nullopt;
  for (TermNode &node : term->nodes)
    nameRoles(normal, node.action);
  return term;
}

/// Whether peers that are healthy under \p network implement \p term, because
/// what they do is whole exchanges in some order.
static bool isImplemented(const Term &term, NetworkKind network,
                          Budget &budget) {
  switch (network) {
  case NetworkKind::Sync:
  case NetworkKind::Rsc:
    return true; // one exchange is over before the next one begins
  case NetworkKind::Inbox:
  case NetworkKind::FifoAll:
    return hasOrderOfExchanges(term, /*inOrderOfSending=*/true, budget);
  default:
    return hasOrderOfExchanges(term, /*inOrderOfSending=*/false, budget);
  }
}

/// Whether messages to one receiver arrive in causal order, as the argument on
/// progress asks (docs/algorithms.md). Of other networks nothing is known.
static bool isCausal(NetworkKind network) {
  switch (network) {
  case NetworkKind::Sync:
  case NetworkKind::Causal:
  case NetworkKind::Inbox:
  case NetworkKind::Outbox:
  case NetworkKind::FifoAll:
  case NetworkKind::Rsc:
    return true;
  default:
    return false;
  }
}

HealthProof cif::proveHealthy(const Module &module, ChoreographyRef which,
                              NetworkKind network, const Limits &limits) {
  HealthProof proof;
  if (isTimeUp(limits))
    return proof;
  std::optional<Module> normal;
  std::optional<IocGraph> graph;
  if (!which.isSystem)
    normal = normalizedAlone(module, which);
  else if (module.systems[which.index].lts.saysFinal())
    graph = traceGraph(module, which);
  if (normal)
    graph = graphWithoutNoise(*normal);
  if (!graph || !neverStops(*graph) || !holdsOf(graph, limits))
    return proof;
  const bool sequential = isSequential(*graph);
  std::optional<Term> term;
  if (!sequential)
    term = termOf(*normal);
  if (!sequential && !term)
    return proof;
  Budget budget(limits);
  const bool pairs = network == NetworkKind::FifoPair;
  proof.healthy =
      isCausal(network) || ((pairs || network == NetworkKind::Bag) &&
                            keepsOrder(*graph, pairs, budget));
  proof.bounded = proof.healthy && isAnswered(*graph, budget);
  proof.implementable =
      proof.healthy && (sequential || isImplemented(*term, network, budget));
  return proof;
}
