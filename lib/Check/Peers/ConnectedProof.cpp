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
#include "cif/Calculus/BehaviourOfTerm.h"
#include "cif/Calculus/Connectedness.h"
#include "cif/Calculus/ParallelParts.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/IR/Link.h"
#include "cif/IR/Starts.h"
#include "cif/Semantics/Guards.h"
#include "cif/Support/Diagnostics.h"
#include "cif/Transforms/Normalize.h"
#include "llvm/ADT/DenseSet.h"

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

static bool hasFork(const IocGraph &graph) {
  return llvm::any_of(graph.nodes, [](const IocGraph::Node &node) {
    return node.kind == GraphNodeKind::Fork;
  });
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
  std::optional<IocTerm> term = recoverIocTerm(module, b, operations);
  if (!term || findOther(term->term, connectednessKinds()))
    return std::nullopt;
  return buildIocGraph(*term);
}

std::optional<IocGraph> cif::traceGraph(const Module &module,
                                        ChoreographyRef which) {
  if (which.isSystem) {
    std::vector<std::string> roles, operations;
    return buildIocGraph(module.systems[which.index].lts, roles, operations);
  }
  if (!guardsAreFree(module, which.index))
    return std::nullopt;
  std::optional<IocGraph> graph =
      graphOf(module, module.behaviours[which.index]);
  if (!graph)
    return graph;
  auto named = [&](uint32_t &role) {
    if (role != TermAction::none)
      role = module.participants[role].name.index();
  };
  for (TermAction &action : graph->actions) {
    named(action.sender);
    named(action.receiver);
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

/// The graph of the only choreography of \p normal, after two changes to it
/// that keep its traces: a step that shows nothing is anybody's, and while
/// there is one token, terminating is to end.
static std::optional<IocGraph> withoutNoise(Module &normal) {
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

/// Takes the only choreography of \p normal apart as long as that leaves
/// something to search, and keeps what is not proved.
static void findParts(const Module &normal, const Limits &limits,
                      ConnectedProof &proof) {
  constexpr size_t mostParts = 1000;
  const Behaviour &whole = normal.behaviours[0];
  llvm::DenseSet<uint32_t> names;
  for (const Participant &p : normal.participants)
    if (!names.insert(p.name.index()).second)
      return; // one peer, and two roles of the term
  OperationNumbers operations;
  std::optional<IocTerm> term = recoverIocTerm(normal, whole, operations);
  if (!term || findOther(term->term, connectednessKinds()))
    return;
  std::vector<IocTerm> work, left;
  work.push_back(std::move(*term));
  size_t seen = 0;
  while (!work.empty()) {
    IocTerm at = std::move(work.back());
    work.pop_back();
    if (++seen > mostParts)
      return;
    if (holdsOf(buildIocGraph(at), limits))
      continue;
    ParallelParts apart = parallelParts(at);
    for (NodeId n : apart.later)
      proof.later.push_back(labelForPeople(
          normal.label(LabelKind::Exchange, whole.node(n).message)));
    if (apart.parts.empty())
      left.push_back(std::move(at));
    for (IocTerm &part : llvm::reverse(apart.parts))
      work.push_back(std::move(part));
  }
  if (seen == 1)
    return; // nothing to take apart
  for (const IocTerm &part : left) {
    Module module = normal.clone();
    std::vector<MessageId> messages(part.term.size());
    for (size_t i = 0; i < messages.size(); ++i)
      if (part.term.nodes[i].kind == TermKind::Action)
        messages[i] = whole.node(part.term.nodes[i].node).message;
    module.behaviours[0] = behaviourOf(module, whole, part, messages);
    proof.parts.push_back(std::move(module));
  }
  proof.proved = left.empty();
}

ConnectedProof cif::proveConnected(const Module &module, ChoreographyRef which,
                                   const Limits &limits) {
  ConnectedProof proof;
  if (which.isSystem) {
    proof.proved = holdsOf(traceGraph(module, which), limits);
    return proof;
  }
  Module normal = extractBehaviour(module, which.index);
  Heard heard;
  SourceManager sources;
  DiagnosticEngine diags(sources, heard);
  NormalizeCounts counts;
  if (!normalize(normal, diags, counts) || heard.any)
    return proof;
  std::optional<IocGraph> graph = withoutNoise(normal);
  if (!graph)
    return proof;
  proof.proved = holdsOf(std::move(graph), limits);
  if (!proof.proved)
    findParts(normal, limits, proof);
  return proof;
}
