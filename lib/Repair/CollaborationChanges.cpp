//===- CollaborationChanges.cpp - Small changes of collaborations ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Repair/CollaborationChanges.h"
#include "ElementText.h"
#include "cif/Graph/Dominators.h"
#include "cif/Repair/Adaptation.h"
#include "cif/Semantics/CollaborationSystem.h"
#include "llvm/ADT/StringMap.h"

using namespace cif;

//===----------------------------------------------------------------------===//
// What could be changed
//===----------------------------------------------------------------------===//

namespace {
using Change = CollaborationChange;

/// How much a change takes away from what was drawn, or adds to it.
enum Weight : unsigned {
  KindOfJoin = 0,
  KindOfSplit = 1,
  KindOfBoth = 2,
  Moves = 1,
  Swaps = 2,
  Interrupts = 3,
  MissingEnd = 3,
  Ends = 4,
  Answers = 4,
  Drops = 7,
};

class Candidates {
public:
  Candidates(const Module &of, const FailurePlaces &failure, size_t at)
      : module(of), most(at) {
    for (const Place &place : failure.steps)
      far[keyOf(place)] = 2;
    for (const Place &place : failure.notes)
      far[keyOf(place)] = 0;
  }

  std::vector<Change> all() {
    for (size_t b = 0; b < module.behaviours.size(); ++b)
      if (module.behaviours[b].kind == BehaviourKind::Process)
        ofProcess(BehaviourId(b));
    ofMessages();
    llvm::stable_sort(found, [](const Change &a, const Change &b) {
      return a.cost < b.cost;
    });
    return std::move(found);
  }

private:
  static std::string keyOf(const Place &place) {
    return place.element.empty()
               ? place.file + ":" + std::to_string(place.line) + ":" +
                     std::to_string(place.column)
               : place.element;
  }
  /// How far an element is from where the failure shows.
  unsigned distance(const Node &node) const {
    Place place = module.place(node.loc);
    if (!place.known() && place.element.empty())
      return 1; // nobody can tell
    auto at = far.find(keyOf(place));
    return at == far.end() ? 5 : at->second;
  }
  void add(Change change, unsigned weight, unsigned from) {
    if (found.size() >= most)
      return;
    change.cost = weight + from;
    found.push_back(change);
  }
  void ofProcess(BehaviourId b);
  void gateways(BehaviourId b, const FlowIndex &flows);
  void alternatives(BehaviourId b, const FlowIndex &flows);
  void ofMessages();
  void missingEnd(MessageId m, bool receives);
  std::vector<uint32_t> joinsOf(const Behaviour &graph) const;

  const Module &module;
  const size_t most;
  llvm::StringMap<unsigned> far;
  std::vector<Change> found;
};

bool isSplit(NodeKind kind) {
  return kind == NodeKind::Choice || kind == NodeKind::AllSelect ||
         kind == NodeKind::SubsetSelect || kind == NodeKind::EventChoice;
}
bool isJoin(NodeKind kind) {
  return kind == NodeKind::SimpleJoin || kind == NodeKind::AllJoin ||
         kind == NodeKind::SubsetJoin;
}
NodeKind joinFor(NodeKind split) {
  return split == NodeKind::AllSelect      ? NodeKind::AllJoin
         : split == NodeKind::SubsetSelect ? NodeKind::SubsetJoin
                                           : NodeKind::SimpleJoin;
}

bool isMessageStep(const Node &node) {
  return isReception(node) || isSending(node);
}

/// Whether an event-based gateway may stand before all that follows \p n.
bool waitsEverywhere(const Behaviour &graph, const FlowIndex &flows, NodeId n) {
  return llvm::all_of(flows.outgoing(n), [&](FlowId f) {
    NodeId target = graph.flow(f).target;
    const Node &node = graph.node(target);
    return (isReception(node) || node.kind == NodeKind::Catch) &&
           flows.incoming(target).size() == 1;
  });
}

/// The decision that \p n is a branch of, where it has no other way in.
NodeId decisionBefore(const Behaviour &graph, const FlowIndex &flows,
                      NodeId n) {
  if (flows.incoming(n).size() != 1)
    return {};
  NodeId before = graph.flow(flows.incoming(n)[0]).source;
  NodeKind kind = graph.node(before).kind;
  bool decides = kind == NodeKind::EventChoice || kind == NodeKind::Choice;
  return decides && flows.outgoing(before).size() > 1 ? before : NodeId();
}

/// Whether nobody drew a node: it is a part of what it stands in, as the loop
/// around a compensation handler, or leads to it.
bool isMade(const Behaviour &graph, const FlowIndex &flows, NodeId n) {
  Name id = graph.node(n).loc.element;
  auto isOf = [&](NodeId other) {
    return other && !id.empty() && graph.node(other).loc.element == id;
  };
  return isOf(graph.node(n).parent) ||
         (graph.node(n).kind == NodeKind::Boundary &&
          flows.outgoing(n).size() == 1 &&
          isOf(graph.flow(flows.outgoing(n)[0]).target));
}
} // namespace

/// Where the branches of each split meet: the first join that all ways from it
/// to an end pass; noNode: none.
std::vector<uint32_t> Candidates::joinsOf(const Behaviour &graph) const {
  // Dominators of the graph turned round, from a node behind all ends.
  const auto end = static_cast<uint32_t>(graph.nodes.size());
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  std::vector<bool> hasNext(graph.nodes.size());
  for (const Flow &flow : graph.flows) {
    edges.push_back({flow.target.index(), flow.source.index()});
    hasNext[flow.source.index()] = true;
  }
  for (uint32_t n = 0; n < end; ++n)
    if (!hasNext[n])
      edges.push_back({end, n});
  std::vector<uint32_t> after =
      immediateDominators(Graph::fromEdges(end + 1, edges), end);
  for (uint32_t &n : after)
    if (n == end || n == noNode || !isJoin(graph.nodes[n].kind))
      n = noNode;
  return after;
}

void Candidates::gateways(BehaviourId b, const FlowIndex &flows) {
  const Behaviour &graph = module.behaviours[b.index()];
  std::vector<uint32_t> joins = joinsOf(graph);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    NodeId n(i);
    const Node &node = graph.node(n);
    if (isMade(graph, flows, n))
      continue;
    unsigned from = distance(node);
    Change change;
    change.behaviour = b;
    change.node = n;
    if (isJoin(node.kind) && flows.incoming(n).size() > 1)
      for (NodeKind to :
           {NodeKind::SimpleJoin, NodeKind::AllJoin, NodeKind::SubsetJoin})
        if (to != node.kind) {
          change.to = to;
          add(change, KindOfJoin, from);
        }
    if (!isSplit(node.kind) || flows.outgoing(n).size() < 2)
      continue;
    for (NodeKind to : {NodeKind::EventChoice, NodeKind::Choice,
                        NodeKind::AllSelect, NodeKind::SubsetSelect}) {
      if (to == node.kind ||
          (to == NodeKind::EventChoice && !waitsEverywhere(graph, flows, n)))
        continue;
      change.to = to;
      change.other = NodeId();
      add(change, to == NodeKind::EventChoice ? KindOfJoin : KindOfSplit, from);
      if (joins[i] == noNode || graph.nodes[joins[i]].kind == joinFor(to))
        continue;
      change.other = NodeId(joins[i]);
      change.toOther = joinFor(to);
      add(change, KindOfBoth,
          std::min(from, distance(graph.node(change.other))));
    }
  }
}

void Candidates::alternatives(BehaviourId b, const FlowIndex &flows) {
  const Behaviour &graph = module.behaviours[b.index()];
  std::vector<NodeId> receptions;
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    if (isReception(graph.nodes[n]) && !taskOf(graph, NodeId(n)) &&
        graph.nodes[n].loop == LoopKind::None)
      receptions.push_back(NodeId(n));
  for (NodeId branch : receptions) {
    NodeId decision = decisionBefore(graph, flows, branch);
    if (!decision)
      continue;
    for (NodeId x : receptions) {
      const Node &node = graph.node(x);
      // Only where it waits, or could.
      if (distance(node) > 2 || node.parent != graph.node(branch).parent ||
          decisionBefore(graph, flows, x) == decision || x == branch ||
          flows.incoming(x).empty())
        continue;
      Change change;
      change.kind = Change::WaitForEither;
      change.behaviour = b;
      change.node = x;
      change.other = branch;
      add(change, Moves, distance(node));
    }
  }
}

void Candidates::ofProcess(BehaviourId b) {
  const Behaviour &graph = module.behaviours[b.index()];
  FlowIndex flows(graph);
  gateways(b, flows);
  alternatives(b, flows);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    NodeId n(i);
    const Node &node = graph.node(n);
    if (isMade(graph, flows, n))
      continue;
    Change change;
    change.behaviour = b;
    change.node = n;
    if (node.kind == NodeKind::Boundary && node.trigger != Trigger::Error &&
        node.trigger != Trigger::Cancel &&
        node.trigger != Trigger::Compensation &&
        node.trigger != Trigger::Race) {
      change.kind = Change::Interrupt;
      add(change, Interrupts, distance(node));
    }
    if (node.kind == NodeKind::Terminate ||
        (node.kind == NodeKind::Final && node.trigger == Trigger::None)) {
      change.kind = Change::End;
      add(change, Ends, distance(node));
    }
    if (!isMessageStep(node) || flows.outgoing(n).size() != 1 ||
        taskOf(graph, n))
      continue;
    NodeId next = graph.flow(flows.outgoing(n)[0]).target;
    if (!isMessageStep(graph.node(next)) || next == n ||
        flows.incoming(next).size() != 1 || taskOf(graph, next) ||
        (decisionBefore(graph, flows, n) && !isReception(graph.node(next))))
      continue;
    change.kind = Change::Swap;
    change.other = next;
    add(change, Swaps, std::min(distance(node), distance(graph.node(next))));
  }
}

/// A message that one side sends, or waits for, and the other side does not
/// know: every place where that could.
void Candidates::missingEnd(MessageId m, bool receives) {
  const Message &message = module.message(m);
  ParticipantId owner = receives ? message.receiver : message.sender;
  for (size_t b = 0; b < module.behaviours.size(); ++b) {
    const Behaviour &graph = module.behaviours[b];
    if (graph.kind != BehaviourKind::Process || graph.owner != owner)
      continue;
    FlowIndex flows(graph);
    Change change;
    change.behaviour = BehaviourId(b);
    change.message = m;
    // What is drawn last comes first: others may wait for what is there.
    for (size_t f = graph.flows.size(); f-- > 0;) {
      const Flow &flow = graph.flows[f];
      if (graph.node(flow.source).kind == NodeKind::EventChoice ||
          taskOf(graph, flow.source) || taskOf(graph, flow.target))
        continue;
      change.kind = receives ? Change::Receive : Change::Send;
      change.flow = FlowId(f);
      add(change, MissingEnd, 0);
    }
    for (size_t n = 0; receives && n < graph.nodes.size(); ++n) {
      const Node &node = graph.nodes[n];
      if (!isReception(node) || taskOf(graph, NodeId(n)) ||
          flows.incoming(NodeId(n)).empty() || distance(node) > 2)
        continue;
      change.kind = Change::ReceiveEither;
      change.node = NodeId(n);
      for (bool ends : {true, false}) {
        change.thenEnds = ends;
        if (ends || flows.outgoing(NodeId(n)).size() == 1)
          add(change, MissingEnd - 1, distance(node));
      }
    }
  }
}

void Candidates::ofMessages() {
  std::vector<unsigned> sends(module.messages.size()),
      receives(module.messages.size()), near(module.messages.size(), 5);
  for (const Behaviour &graph : module.behaviours)
    for (const Node &node : graph.nodes) {
      if (graph.kind != BehaviourKind::Process || !node.message)
        continue;
      size_t m = node.message.index();
      sends[m] += sendsMessage(node);
      receives[m] += receivesMessage(node);
      near[m] = std::min(near[m], distance(node));
    }
  for (size_t i = 0; i < module.messages.size(); ++i) {
    MessageId m(i);
    if (!module.message(m).sender || !module.message(m).receiver)
      continue;
    if (sends[i] && !receives[i])
      missingEnd(m, /*receives=*/true);
    if (receives[i] && !sends[i])
      missingEnd(m, /*receives=*/false);
    Change change;
    change.kind = Change::Drop;
    change.message = m;
    if (sends[i] || receives[i])
      add(change, Drops, near[i]);
  }
  for (const AdaptChange &adapt : adaptChanges(module)) {
    if (adapt.kind != AdaptChange::Acknowledge)
      continue;
    Change change;
    change.kind = Change::Acknowledge;
    change.message = adapt.message;
    add(change, Answers, near[adapt.message.index()]);
  }
}

std::vector<CollaborationChange>
cif::collaborationChanges(const Module &module, const FailurePlaces &failure,
                          size_t most) {
  return Candidates(module, failure, most).all();
}
