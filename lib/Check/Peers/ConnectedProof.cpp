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
#include "cif/Calculus/BehaviourOfTerm.h"
#include "cif/Calculus/ConnectedHealth.h"
#include "cif/Calculus/Connectedness.h"
#include "cif/Calculus/ParallelParts.h"
#include "cif/Calculus/TermSlice.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/IR/Link.h"
#include "cif/IR/Starts.h"
#include "cif/Semantics/Guards.h"
#include "cif/Support/Diagnostics.h"
#include "cif/Transforms/Normalize.h"
#include "cif/Transforms/ProjectData.h"
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
  if (!guardsAreFree(module, which.index) ||
      !untoldData(module, module.behaviours[which.index]).empty())
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

namespace {
/// A part of a term, and what is left out of it.
struct PartOfTerm {
  IocTerm term;
  /// Runs of the branches that are left out, each with the child of the root's
  /// sequence that it can come before.
  std::vector<std::pair<size_t, std::vector<NodeId>>> others;
  bool endless = false; ///< some branch that is left out never ends
  size_t proved = 0;    ///< children of the root's sequence that are proved
  std::vector<NodeId> later; ///< ParallelParts::Part::later, of all splits
};

/// Takes the only choreography of a module apart as long as that leaves
/// something to search, and keeps what is not proved.
class PartsOf {
public:
  PartsOf(const Module &normal, const Limits &limits, ConnectedProof &into)
      : normal(normal), whole(normal.behaviours[0]), limits(limits),
        budget(limits), proof(into) {}
  void find(size_t largeFrom);

private:
  void findSlices(const IocTerm &term);
  bool takeApart(IocTerm term, std::vector<PartOfTerm> &left);
  bool proveStart(PartOfTerm &part);
  SearchedPart searched(const PartOfTerm &part) const;
  Module moduleOf(const IocTerm &term) const;
  std::vector<WitnessStep> handshakes(ArrayRef<NodeId> run) const;
  std::string label(NodeId n) const {
    return labelForPeople(
        normal.label(LabelKind::Exchange, whole.node(n).message));
  }

  const Module &normal;
  const Behaviour &whole;
  const Limits &limits;
  Budget budget; ///< a look at a subterm is a step
  ConnectedProof &proof;
};
} // namespace

Module PartsOf::moduleOf(const IocTerm &term) const {
  Module module = normal.clone();
  std::vector<MessageId> messages(term.term.size());
  for (size_t i = 0; i < messages.size(); ++i)
    if (term.term.nodes[i].kind == TermKind::Action)
      messages[i] = whole.node(term.term.nodes[i].node).message;
  module.behaviours[0] = behaviourOf(module, whole, term, messages);
  return module;
}

std::vector<WitnessStep> PartsOf::handshakes(ArrayRef<NodeId> run) const {
  std::vector<WitnessStep> steps;
  for (NodeId n : run)
    steps.push_back({label(n),
                     originPlace(normal, {Origin::Node, 0, n.index()}),
                     "received immediately"});
  return steps;
}

/// What comes before the last place where branches were left out happens by
/// handshakes, with these branches where they can begin.
SearchedPart PartsOf::searched(const PartOfTerm &part) const {
  SearchedPart result;
  result.isBehind = part.proved > 0;
  result.module = moduleOf(part.proved ? *restOfSequence(part.term, part.proved)
                                       : part.term);
  for (NodeId n : part.later)
    result.later.push_back(label(n));
  if (part.endless)
    return result;
  size_t begin = part.proved;
  for (const auto &[at, run] : part.others)
    begin = std::max(begin, at);
  std::vector<NodeId> before;
  SmallVector<TermId, 8> children = rootSequence(part.term);
  ShortestRuns runs(part.term);
  for (size_t c = 0; c <= begin; ++c) {
    for (const auto &[at, run] : part.others)
      if (at == c)
        llvm::append_range(before, run);
    if (c == begin)
      break;
    std::optional<std::vector<NodeId>> run = runs.of(children[c]);
    if (!run)
      return result;
    llvm::append_range(before, *run);
  }
  if (begin > part.proved) {
    std::optional<IocTerm> rest = restOfSequence(part.term, begin);
    if (!rest)
      return result;
    result.rest = moduleOf(*rest);
  }
  result.before = handshakes(before);
  return result;
}

/// How many children of the sequence at the root may be sender-connected: of
/// the steps that break a condition not both are among them.
static size_t mostConnected(const IocTerm &term, const Limits &limits) {
  constexpr size_t mostFlaws = 64;
  SmallVector<TermId, 8> children = rootSequence(term);
  size_t most = children.size() - 1;
  Budget budget(limits);
  const IocGraph graph = buildIocGraph(term);
  for (const SenderConnection &flaw : findSenderFlaws(graph, budget, mostFlaws))
    if (flaw.flaw == SenderConnection::Untold ||
        flaw.flaw == SenderConnection::Deciders) {
      const TermId last(std::max(graph.nodes[flaw.first].origin,
                                 graph.nodes[flaw.second].origin));
      // Each child stands behind its own parts.
      const size_t child = llvm::lower_bound(children, last,
                                             [](TermId a, TermId b) {
                                               return a.index() < b.index();
                                             }) -
                           children.begin();
      most = std::min(most, child);
    }
  return most;
}

/// Looks for the longest beginning of the sequence that is sender-connected,
/// and whose last steps are seen by all who can be the first to send
/// afterwards.
bool PartsOf::proveStart(PartOfTerm &part) {
  constexpr uint64_t mostWork = 5'000'000;
  const size_t children = rootSequence(part.term).size();
  if (children < 2 || children * part.term.term.size() > mostWork)
    return false;
  size_t first = 1;
  for (const auto &[at, run] : part.others)
    first = std::max(first, at);
  std::vector<llvm::BitVector> senders = firstSenders(part.term);
  if (senders.empty())
    return false;
  for (size_t begin = mostConnected(part.term, limits);
       begin >= first && !budget.spend(part.term.term.size()); --begin) {
    SmallVector<uint32_t, 2> who;
    for (unsigned role : senders[begin].set_bits())
      if (who.size() < 3)
        who.push_back(role);
    // A step has two roles.
    if (who.empty() || who.size() > 2 || !restOfSequence(part.term, begin))
      continue;
    if (!holdsOf(buildIocGraph(startOfSequence(part.term, begin, who)), limits))
      continue;
    part.proved = begin;
    return true;
  }
  return false;
}

/// How many states \p term has, or somewhat more.
static double mostStates(const IocTerm &term) {
  std::vector<double> states(term.term.size(), 1);
  for (size_t i = 0; i < states.size(); ++i) {
    const TermNode &node = term.term.nodes[i];
    states[i] += node.kind == TermKind::Action;
    for (TermId c = node.firstChild; c; c = term[c].nextSibling)
      if (node.kind == TermKind::Parallel)
        states[i] *= states[c.index()];
      else
        states[i] += states[c.index()];
  }
  return states.back();
}

/// The last step before \p step with its receiver, if any.
static TermId lastBefore(const IocTerm &term, TermId step) {
  for (size_t i = step.index(); i-- > 0;)
    if (term.term.nodes[i].kind == TermKind::Action &&
        term.actions[i].involves(term.action(step).receiver))
      return TermId(i);
  return {};
}

/// Looks around the places where a condition is not met.
void PartsOf::findSlices(const IocTerm &term) {
  constexpr size_t mostSlices = 16, mostSteps = 2'000, mostInAll = 6'000;
  constexpr double mostToSearch = 4'000;
  Budget budget(limits);
  const IocGraph graph = buildIocGraph(term);
  const TermSlicer slicer(term);
  std::vector<TermSlice> slices;
  auto add = [&](ArrayRef<TermId> steps) {
    if (std::optional<TermSlice> slice = slicer.around(steps, mostSteps);
        slice && mostStates(slice->term) <= mostToSearch)
      slices.push_back(std::move(*slice));
  };
  for (const SenderConnection &flaw :
       findSenderFlaws(graph, budget, mostSlices)) {
    if (flaw.first == TermAction::none || flaw.second == TermAction::none)
      return; // nothing is known of it
    const TermId steps[] = {TermId(graph.nodes[flaw.first].origin),
                            TermId(graph.nodes[flaw.second].origin)};
    add(steps);
    // Whoever sends too early may also find the receiver busy.
    if (flaw.flaw == SenderConnection::Untold)
      if (TermId busy = lastBefore(term, steps[1]))
        add({steps[0], steps[1], busy});
  }
  llvm::stable_sort(slices, [](const TermSlice &a, const TermSlice &b) {
    return a.term.term.size() < b.term.term.size();
  });
  size_t inAll = 0;
  for (const TermSlice &slice : slices) {
    if ((inAll += slice.term.term.size()) > mostInAll)
      break;
    SearchedPart &part = proof.slices.emplace_back();
    part.module = moduleOf(slice.term);
    part.isBehind = true;
    part.before = handshakes(slice.before);
  }
}

/// False: there is nothing to take apart, or too much.
bool PartsOf::takeApart(IocTerm term, std::vector<PartOfTerm> &left) {
  constexpr size_t mostParts = 1000;
  std::vector<PartOfTerm> work;
  work.push_back({std::move(term), {}});
  size_t seen = 0;
  bool proves = false;
  while (!work.empty()) {
    PartOfTerm at = std::move(work.back());
    work.pop_back();
    if (++seen > mostParts || budget.spend(at.term.term.size()))
      return false;
    if (holdsOf(buildIocGraph(at.term), limits))
      continue;
    ParallelParts apart = parallelParts(at.term, budget);
    if (budget.stopped())
      return false;
    if (apart.parts.empty()) {
      proves |= proveStart(at);
      left.push_back(std::move(at));
    }
    for (ParallelParts::Part &part : llvm::reverse(apart.parts)) {
      PartOfTerm next{std::move(part.term), at.others,
                      at.endless || !part.others, 0, at.later};
      llvm::append_range(next.later, part.later);
      for (auto &[place, run] : next.others)
        if (place > apart.at)
          place += part.width - 1;
      if (part.others)
        next.others.push_back({apart.at, std::move(*part.others)});
      work.push_back(std::move(next));
    }
  }
  return seen > 1 || proves;
}

void PartsOf::find(size_t largeFrom) {
  llvm::DenseSet<uint32_t> names;
  for (const Participant &p : normal.participants)
    if (!names.insert(p.name.index()).second)
      return; // one peer, and two roles of the term
  OperationNumbers operations;
  std::optional<IocTerm> term = recoverIocTerm(normal, whole, operations);
  if (!term || findOther(term->term, connectednessKinds()))
    return;
  // Where it is small, the search of the whole finds a shorter run.
  if (term->term.size() * term->numRoles >= largeFrom)
    findSlices(*term);
  if (!proof.slices.empty())
    return;
  std::vector<PartOfTerm> left;
  if (!takeApart(std::move(*term), left))
    return;
  for (const PartOfTerm &part : left) {
    if (budget.spend(whole.nodes.size())) {
      proof.parts.clear();
      return;
    }
    proof.parts.push_back(searched(part));
  }
  proof.proved = left.empty();
}

std::optional<Module> cif::normalizedAlone(const Module &module,
                                           ChoreographyRef which) {
  Module normal = extractBehaviour(module, which.index);
  Heard heard;
  SourceManager sources;
  DiagnosticEngine diags(sources, heard);
  NormalizeCounts counts;
  if (!normalize(normal, diags, counts) || heard.any)
    return std::nullopt;
  return normal;
}

/// Whether nothing is ever sent, however choices are made: then the peers send
/// nothing either, and that is all that the choreography allows.
static bool exchangesNothing(const Module &normal) {
  const Behaviour &b = normal.behaviours[0];
  return llvm::none_of(b.nodes,
                       [](const Node &node) { return bool(node.message); }) &&
         untoldData(normal, b).empty();
}

ConnectedProof cif::proveConnected(const Module &module, ChoreographyRef which,
                                   const Limits &limits, size_t largeFrom) {
  ConnectedProof proof;
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
  if (!proof.proved)
    PartsOf(*normal, limits, proof).find(largeFrom);
  return proof;
}

/// Whether a graph with parallel branches is that of a term: each of them has
/// its join, which all its branches come to.
static bool isTerm(const Module &normal) {
  OperationNumbers operations;
  std::optional<IocTerm> term =
      recoverIocTerm(normal, normal.behaviours[0], operations);
  return term && !findOther(term->term, connectednessKinds());
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
  std::optional<Module> normal;
  std::optional<IocGraph> graph;
  if (!which.isSystem)
    normal = normalizedAlone(module, which);
  else if (module.systems[which.index].lts.saysFinal())
    graph = traceGraph(module, which);
  if (normal)
    graph = graphWithoutNoise(*normal);
  if (!graph || !neverStops(*graph) || !holdsOf(graph, limits) ||
      (!isSequential(*graph) && !isTerm(*normal)))
    return proof;
  Budget budget(limits);
  const bool pairs = network == NetworkKind::FifoPair;
  proof.healthy =
      isCausal(network) || ((pairs || network == NetworkKind::Bag) &&
                            keepsOrder(*graph, pairs, budget));
  proof.bounded = proof.healthy && isAnswered(*graph, budget);
  proof.sequential = isSequential(*graph);
  return proof;
}
