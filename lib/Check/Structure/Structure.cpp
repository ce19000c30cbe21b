//===- Structure.cpp - Structural rules of behaviours ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: the structural expectations of [verchor, Sec. III] on splits
/// and joins, and those of BPMN on starts and ends [bpmn20, 13.3]. Input
/// class: any behaviour that verifies; no structuredness is assumed.
/// Sound/complete for: the rules as stated here. A mismatched join may
/// still work: its tokens may come from two rounds of a cycle, or only one
/// of two branches may ever be taken. The rule says only that it does not
/// match; StructureRuns.cpp decides whether that shows.
///
/// A join does not match if its immediate dominator is a split of a
/// different kind: every token at the incoming flows of the join comes
/// through that split, where the branches diverge. Linear, except for the
/// O(m log n) of the dominators.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Structure/Structure.h"
#include "cif/Graph/Dominators.h"
#include "cif/Graph/Reach.h"
#include "cif/IR/Names.h"
#include "cif/IR/Nodes.h"
#include "cif/IR/Starts.h"

using namespace cif;

StringRef cif::structureRuleText(StructureRule rule) {
  static const char *const texts[] = {
      "unreachable",    "dead-end",   "mismatched-join", "unused-message",
      "never-received", "never-sent", "idle-participant"};
  return texts[static_cast<unsigned>(rule)];
}

/// How many branches a node of this kind starts or waits for.
namespace {
enum class Gate { None, One, All, Some };
} // namespace

static Gate splitGate(NodeKind kind) {
  switch (kind) {
  case NodeKind::Choice:
  case NodeKind::DominatedChoice:
  case NodeKind::EventChoice:
    return Gate::One;
  case NodeKind::AllSelect:
    return Gate::All;
  case NodeKind::SubsetSelect:
    return Gate::Some;
  default:
    return Gate::None;
  }
}

/// What a node waits for; a split with several incoming flows is a join of its
/// own kind first.
static Gate joinGate(NodeKind kind) {
  switch (kind) {
  case NodeKind::SimpleJoin:
    return Gate::One;
  case NodeKind::AllJoin:
    return Gate::All;
  case NodeKind::SubsetJoin:
    return Gate::Some;
  default:
    return splitGate(kind);
  }
}

namespace {
class StructureChecker {
public:
  StructureChecker(const Module &module, const Behaviour &behaviour)
      : module(module), b(behaviour), flows(behaviour),
        root(static_cast<uint32_t>(behaviour.nodes.size())) {}

  std::vector<StructureFlaw> check() {
    if (b.nodes.empty())
      return {};
    findScopes();
    buildGraph();
    reach();
    for (size_t i = 0; i < b.nodes.size(); ++i) {
      NodeId node{i};
      if (!reached[i])
        // Only where it begins: what follows is a consequence.
        unreachable(node);
      else
        deadEnd(node);
    }
    mismatchedJoins();
    return std::move(flaws);
  }

private:
  size_t scopeOf(NodeId node) const {
    NodeId parent = b.node(node).parent;
    return parent ? parent.index() : root;
  }

  /// Which scopes (containers, and the whole) say where they end.
  void findScopes() {
    hasFinal.assign(b.nodes.size() + 1, false);
    for (size_t i = 0; i < b.nodes.size(); ++i) {
      NodeKind kind = b.nodes[i].kind;
      if (kind == NodeKind::Final || kind == NodeKind::Terminate)
        hasFinal[scopeOf(NodeId(i))] = true;
    }
  }

  void buildGraph() {
    std::vector<bool> starts = startingNodes(b, flows);
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    edges.reserve(b.flows.size() + b.nodes.size());
    for (size_t i = 0; i < b.nodes.size(); ++i) {
      auto node = static_cast<uint32_t>(i);
      const Node &n = b.nodes[i];
      if (starts[i])
        edges.push_back({static_cast<uint32_t>(scopeOf(NodeId(i))), node});
      if (n.kind == NodeKind::Boundary)
        edges.push_back({n.attachedTo.index(), node});
    }
    for (const Flow &f : b.flows)
      if (b.node(f.source).kind != NodeKind::Stuck) // nothing gets past it
        edges.push_back({f.source.index(), f.target.index()});
    graph = Graph::fromEdges(b.nodes.size() + 1, edges);
  }

  void reach() {
    Reach reach(b.nodes.size() + 1, root);
    for (uint32_t node; reach.take(node);)
      for (uint32_t next : graph.successors(node))
        reach.add(next);
    reached = std::move(reach.nodes());
  }

  std::string named(NodeId node) const {
    const Node &n = b.node(node);
    std::string text = elementKindText(n).str();
    if (n.kind == NodeKind::Interaction && n.message)
      return text + " '" + module.exchangeText(n.message) + "'";
    if (!n.name.empty())
      text += " '" + module.text(n.name).str() + "'";
    else if (n.message)
      text += " '" + module.text(module.message(n.message).name).str() + "'";
    return text;
  }

  void add(StructureRule rule, NodeId node, std::string text,
           FlawRun shownBy = FlawRun::None, NodeId other = {}) {
    flaws.push_back({rule, module.place(b.node(node).loc), std::move(text),
                     other ? module.place(b.node(other).loc) : Place(), node,
                     shownBy});
  }

  void unreachable(NodeId node) {
    const Node &n = b.node(node);
    // A node in an unreachable container, or after an unreachable node, or in
    // an unreachable cycle that has an earlier node: said once.
    if (n.parent && !reached[n.parent.index()])
      return;
    for (FlowId in : flows.incoming(node)) {
      NodeId source = b.flow(in).source;
      if (!reached[source.index()] && source.index() < node.index())
        return;
    }
    add(StructureRule::Unreachable, node,
        named(node) + " is unreachable: no path leads to it from a start");
  }

  void deadEnd(NodeId node) {
    const Node &n = b.node(node);
    if (!flows.outgoing(node).empty() || n.kind == NodeKind::Final ||
        n.kind == NodeKind::Terminate || n.kind == NodeKind::Stuck ||
        (n.kind == NodeKind::Container && (n.flags & EventTriggered)) ||
        (n.kind == NodeKind::Throw && n.trigger == Trigger::Link))
      return;
    bool gateway =
        splitGate(n.kind) != Gate::None || joinGate(n.kind) != Gate::None;
    // Where no end is drawn, an activity without outgoing flows is one.
    if (!gateway && n.kind != NodeKind::Initial && !hasFinal[scopeOf(node)])
      return;
    add(StructureRule::DeadEnd, node,
        named(node) + " is a dead end: no flow leaves it, but it is not an end",
        flows.incoming(node).empty() ? FlawRun::None : FlawRun::TokenArrives);
  }

  void mismatchedJoins() {
    std::vector<uint32_t> idom = immediateDominators(graph, root);
    for (size_t i = 0; i < b.nodes.size(); ++i) {
      NodeId node{i};
      Gate join = joinGate(b.nodes[i].kind);
      if (join == Gate::None || !reached[i] || idom[i] == root)
        continue;
      size_t live = 0;
      for (FlowId in : flows.incoming(node))
        live += reached[b.flow(in).source.index()];
      if (live < 2 || idom[i] == noNode)
        continue;
      NodeId split{idom[i]};
      Gate kind = splitGate(b.node(split).kind);
      if (kind == Gate::None || kind == join ||
          flows.outgoing(split).size() < 2)
        continue;
      add(StructureRule::MismatchedJoin, node,
          named(node) + " joins the branches of " + named(split) + ": " +
              consequence(kind, join),
          join == Gate::All   ? FlawRun::TokenStays
          : join == Gate::One ? FlawRun::TwoTokens
                              : FlawRun::None,
          split);
    }
  }

  static const char *consequence(Gate split, Gate join) {
    if (join == Gate::All)
      return split == Gate::One ? "it waits for branches that are not taken"
                                : "it waits for branches that may not be taken";
    if (join == Gate::One)
      return "what follows happens once for each branch";
    return split == Gate::One ? "only one branch ever comes"
                              : "all branches always come";
  }

  const Module &module;
  const Behaviour &b;
  FlowIndex flows;
  const uint32_t root; ///< stands for the behaviour itself
  std::vector<bool> hasFinal;
  llvm::BitVector reached;
  Graph graph;
  std::vector<StructureFlaw> flaws;
};
} // namespace

std::vector<StructureFlaw> cif::checkStructure(const Module &module,
                                               const Behaviour &behaviour) {
  return StructureChecker(module, behaviour).check();
}

//===----------------------------------------------------------------------===//
// Messages and participants
//===----------------------------------------------------------------------===//

std::vector<StructureFlaw> cif::checkParts(const Module &module) {
  std::vector<StructureFlaw> flaws;
  std::vector<bool> hasProcess(module.participants.size(), false);
  std::vector<bool> active(module.participants.size(), false);
  std::vector<bool> exchanged(module.messages.size(), false);
  std::vector<bool> sent(module.messages.size(), false);
  std::vector<bool> received(module.messages.size(), false);
  auto acts = [&](ParticipantId p) {
    if (p)
      active[p.index()] = true;
  };
  auto uses = [&](MessageId m, bool global, bool sends) {
    if (!m)
      return;
    auto &used = global ? exchanged : sends ? sent : received;
    used[m.index()] = true;
    acts(module.message(m).sender);
    acts(module.message(m).receiver);
  };
  // A message flow shows the message at both of its ends, where these are
  // nodes: a task may have several.
  for (const MessageFlow &f : module.messageFlows) {
    uses(f.message, false, true);
    if (f.targetNode)
      uses(f.message, false, false);
  }
  for (const Behaviour &b : module.behaviours) {
    bool global = b.kind == BehaviourKind::Choreography;
    acts(b.owner);
    if (b.owner && b.kind == BehaviourKind::Process)
      hasProcess[b.owner.index()] = true;
    for (const Node &n : b.nodes) {
      bool sends = hasTrait(n.kind, NodeTraits::Out);
      uses(n.message, global, sends);
      uses(n.reply, global, !sends);
      acts(n.participant);
    }
  }
  for (const SystemDecl &s : module.systems) {
    acts(s.owner);
    for (const Label &l : s.lts.labels)
      for (const std::string &name : {l.sender, l.receiver})
        if (!name.empty())
          acts(module.findParticipant(name));
  }

  for (size_t i = 0; i < module.messages.size(); ++i) {
    const Message &m = module.messages[i];
    auto known = [&](ParticipantId p) { return p && hasProcess[p.index()]; };
    std::string name = "message '" + module.exchangeText(MessageId(i)) + "'";
    Place at = module.place(m.loc);
    if (!exchanged[i] && !sent[i] && !received[i])
      flaws.push_back({StructureRule::UnusedMessage, at,
                       name + " is never exchanged", Place(), NodeId()});
    else if (sent[i] && !received[i] && known(m.receiver))
      flaws.push_back({StructureRule::NeverReceived, at,
                       name + " is sent but never received", Place(),
                       NodeId()});
    else if (received[i] && !sent[i] && known(m.sender))
      flaws.push_back({StructureRule::NeverSent, at,
                       name + " is received but never sent", Place(),
                       NodeId()});
  }
  for (size_t i = 0; i < module.participants.size(); ++i)
    if (!active[i])
      flaws.push_back({StructureRule::IdleParticipant,
                       module.place(module.participants[i].loc),
                       "participant '" +
                           module.text(module.participants[i].name).str() +
                           "' takes part in nothing",
                       Place(), NodeId()});
  return flaws;
}
