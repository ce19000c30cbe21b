//===- Implicit.cpp - What BPMN leaves implicit ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes explicit in the IR what BPMN says without drawing it:
///  - in a process or sub-process without start event, a node without incoming
///    flow starts with it (beside a start event it is never reached); a node
///    without outgoing flow ends its token [BPMN 2.0, 13.2.1, 10.4.2];
///  - an activity or event with several incoming flows starts once for each
///    token (a simple join before it), with several outgoing flows it gives a
///    token to each (an all-select after it);
///  - conditional flows of an activity are an inclusive split with its default;
///    flows without condition beside them are always taken [13.2.1];
///  - a throwing link continues at the catching link of its name.
/// What is added gets the location of the node that requires it.
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "cif/Support/Diagnostics/Bpmn.h"
#include "llvm/ADT/MapVector.h"

using namespace cif;
using namespace cif::bpmn;

static bool endsToken(const Node &node) {
  return node.kind == NodeKind::Final || node.kind == NodeKind::Terminate;
}

namespace {
/// How many flows each node of a body has; nodes by their index.
class Degrees {
public:
  Degrees(const Behaviour &b, size_t firstNode, size_t firstFlow)
      : incoming(b.nodes.size() - firstNode),
        outgoing(b.nodes.size() - firstNode), base(firstNode) {
    for (size_t i = firstFlow; i < b.flows.size(); ++i) {
      ++outgoing[b.flows[i].source.index() - base];
      ++incoming[b.flows[i].target.index() - base];
    }
  }
  uint32_t in(size_t node) const { return incoming[node - base]; }
  uint32_t out(size_t node) const { return outgoing[node - base]; }

private:
  std::vector<uint32_t> incoming, outgoing;
  size_t base;
};
} // namespace

bool Lowering::complete(size_t firstNode, size_t firstFlow, const Body &body) {
  if (!joinLinks())
    return false;
  settleAdHocs(firstNode, firstFlow);
  if (!addStarts(firstNode, firstFlow, body))
    return false;
  addEnds(firstNode, firstFlow);
  settleComplexGateways(firstNode, firstFlow);
  settleGateways(firstNode, firstFlow);
  addSplitsAndMerges(firstNode, firstFlow);
  return true;
}

bool Lowering::joinLinks() {
  bool good = true;
  for (ElementId e : links) {
    NodeId id = nodesOf[e.index()].entry;
    const auto targets = linkTargets.lookup(e.index());
    NodeId target =
        targets.empty() ? NodeId() : nodesOf[targets.front().index()].entry;
    if (targets.size() > 1) {
      good = misuse(e, Rule::LinkTwice);
    } else if (!target) {
      good &= coverage.meet(place(e), describe(e), Feature::LinkNowhere);
    } else {
      if (linkedByLabel.contains(e.index()))
        good &= coverage.meet(place(e), describe(e), Feature::LinkByLabel);
      addFlow(id, target, behaviour->node(id).loc);
    }
  }
  return good;
}

bool Lowering::addStarts(size_t firstNode, size_t firstFlow, const Body &body) {
  Degrees degrees(*behaviour, firstNode, firstFlow);
  struct Level {
    llvm::SmallVector<NodeId, 2> starts, implicit, instantiating;
  };
  llvm::MapVector<uint64_t, Level> levels; // by parent
  size_t numNodes = behaviour->nodes.size();
  for (size_t i = firstNode; i < numNodes; ++i) {
    const Node &node = behaviour->nodes[i];
    // A call's level is a body of its own.
    Level &level = levels[node.parent.raw()];
    if (node.kind == NodeKind::Initial)
      level.starts.push_back(NodeId(i));
    else if (degrees.in(i) == 0 && node.kind != NodeKind::Boundary &&
             !unreached.contains(i))
      // A receive or gateway that instantiates is a start of its own.
      (node.flags & Instantiate && !node.parent ? level.instantiating
                                                : level.implicit)
          .push_back(NodeId(i));
  }
  if (numNodes == firstNode) { // an empty process
    Node start{.kind = NodeKind::Initial, .loc = loc(body.element)};
    addNode(start, ElementId(), body.parent);
  }
  bool good = true;
  for (auto &[parent, level] : levels) {
    if (level.implicit.empty() &&
        !(level.starts.empty() && level.instantiating.empty()))
      continue;
    if (level.implicit.empty()) {
      Node start;
      start.kind = NodeKind::Initial;
      start.loc = parent == body.parent.raw() ? loc(body.element)
                                              : behaviour->nodes[parent].loc;
      ElementId scope =
          doc.resolve(doc.strings.lookup(module.text(start.loc.element)));
      good &= coverage.meet(module.place(start.loc),
                            scope ? describe(scope) : "sub-process",
                            Feature::NothingStarts);
      addNode(start, ElementId(), NodeId::fromRaw(uint32_t(parent)));
      continue;
    }
    if (!level.starts.empty()) {
      // Beside a start event, every other node must have an incoming flow
      // [bpmn20, 10.4.2]. No token comes to one that has none.
      for (NodeId id : level.implicit) {
        const Node &node = behaviour->node(id);
        diags.report(module.place(node.loc), diag::bpmn_never_starts)
            << module.text(node.loc.element);
      }
      continue;
    }
    Node first{.kind = NodeKind::Initial,
               .loc = behaviour->node(level.implicit.front()).loc};
    NodeId start =
        addNode(first, ElementId(), NodeId::fromRaw(uint32_t(parent)));
    for (NodeId id : level.implicit)
      addFlow(start, id, behaviour->node(id).loc);
  }
  return good;
}

void Lowering::addEnds(size_t firstNode, size_t firstFlow) {
  Degrees degrees(*behaviour, firstNode, firstFlow);
  size_t numNodes = behaviour->nodes.size();
  for (size_t i = firstNode; i < numNodes; ++i) {
    const Node node = behaviour->nodes[i];
    if (degrees.out(i) || endsToken(node))
      continue;
    Node end{.kind = NodeKind::Final, .loc = node.loc};
    addFlow(NodeId(i), addNode(end, ElementId(), node.parent), node.loc);
  }
}

/// The activities of an ad-hoc sub-process that nothing leads to may each be
/// chosen, again and again, until its completion condition holds [bpmn20,
/// 13.3.5]. When that is, is a free choice.
void Lowering::settleAdHocs(size_t firstNode, size_t firstFlow) {
  if (adHocs.empty())
    return;
  struct Inside {
    llvm::SmallVector<NodeId, 4> first, last;
    llvm::SmallVector<size_t, 1> out; ///< flows of the container itself
    bool starts = false, waits = false;
  };
  Degrees degrees(*behaviour, firstNode, firstFlow);
  llvm::DenseMap<uint32_t, Inside> inside;
  for (NodeId id : adHocs)
    inside[id.raw()];
  for (size_t i = firstFlow; i < behaviour->flows.size(); ++i)
    if (auto at = inside.find(behaviour->flows[i].source.raw());
        at != inside.end())
      at->second.out.push_back(i);
  for (size_t i = firstNode; i < behaviour->nodes.size(); ++i) {
    const Node &node = behaviour->nodes[i];
    if (!node.parent)
      continue;
    auto at = inside.find(node.parent.raw());
    if (at == inside.end())
      continue;
    Inside &in = at->second;
    in.starts |= node.kind == NodeKind::Initial;
    // What a container waits for is not looked for.
    in.waits |= node.kind != NodeKind::Task && node.kind != NodeKind::Send;
    if (degrees.in(i) == 0 && node.kind != NodeKind::Boundary)
      in.first.push_back(NodeId(i));
    if (degrees.out(i) == 0 && !endsToken(node))
      in.last.push_back(NodeId(i));
  }
  for (NodeId id : adHocs) {
    const Inside &in = inside[id.raw()];
    if (in.starts || in.first.empty())
      continue; // as in a plain sub-process
    auto add = [&](NodeKind kind) {
      Node node{.kind = kind};
      node.loc = behaviour->node(id).loc;
      return addNode(node, ElementId(), id);
    };
    NodeId start = add(NodeKind::Initial), merge = add(NodeKind::SimpleJoin),
           choice = add(NodeKind::Choice), end = add(NodeKind::Final);
    const Location at = behaviour->node(id).loc;
    addFlow(start, merge, at);
    addFlow(merge, choice, at);
    addFlow(choice, end, at);
    for (NodeId first : in.first)
      addFlow(choice, first, at);
    for (NodeId last : in.last)
      addFlow(last, merge, at);
    if (in.waits)
      letEnd(id, in.out);
  }
}

/// Lets a container end at any moment, as if it had completed. \p out: the
/// flows that leave it.
void Lowering::letEnd(NodeId container, ArrayRef<size_t> out) {
  const Location at = behaviour->node(container).loc;
  const NodeId parent = behaviour->node(container).parent;
  auto add = [&](NodeKind kind) {
    Node node{.kind = kind, .loc = at};
    if (kind == NodeKind::Boundary) {
      node.trigger = Trigger::Conditional;
      node.attachedTo = container;
    }
    return addNode(node, ElementId(), parent);
  };
  NodeId event = add(NodeKind::Boundary);
  // Several flows, and their conditions, are as those of an event.
  NodeId after = add(out.empty()       ? NodeKind::Final
                     : out.size() == 1 ? NodeKind::SimpleJoin
                                       : NodeKind::Throw);
  for (size_t flow : out)
    behaviour->flows[flow].source = after;
  if (!out.empty())
    addFlow(container, after, at);
  addFlow(event, after, at);
}

/// When a complex gateway fires is for its condition to say. Each token that
/// comes may be the one that makes it fire, then or when it starts anew, or one
/// that is taken on the way [bpmn20, 13.4.5].
void Lowering::settleComplexGateways(size_t firstNode, size_t firstFlow) {
  if (complexGateways.empty())
    return;
  Degrees degrees(*behaviour, firstNode, firstFlow);
  llvm::DenseMap<uint32_t, NodeId> splits;
  size_t numFlows = behaviour->flows.size();
  for (NodeId id : complexGateways) {
    if (degrees.in(id.index()) < 2)
      continue; // a split
    Node more{.loc = behaviour->node(id).loc};
    NodeId parent = behaviour->node(id).parent;
    behaviour->node(id).kind = NodeKind::Choice;
    more.kind = NodeKind::Final;
    addFlow(id, addNode(more, ElementId(), parent), more.loc);
    if (degrees.out(id.index()) < 2)
      continue;
    more.kind = NodeKind::SubsetSelect;
    NodeId split = addNode(more, ElementId(), parent);
    addFlow(id, split, more.loc);
    splits[id.raw()] = split;
  }
  for (size_t i = firstFlow; i < numFlows; ++i)
    if (auto split = splits.find(behaviour->flows[i].source.raw());
        split != splits.end())
      behaviour->flows[i].source = split->second;
}

void Lowering::settleGateways(size_t firstNode, size_t firstFlow) {
  Degrees degrees(*behaviour, firstNode, firstFlow);
  for (size_t i = firstNode; i < behaviour->nodes.size(); ++i) {
    NodeKind &kind = behaviour->nodes[i].kind;
    if (degrees.out(i) > 1 || keptKinds.contains(uint32_t(i)))
      continue;
    if (kind == NodeKind::Choice)
      kind = NodeKind::SimpleJoin;
    else if (kind == NodeKind::AllSelect)
      kind = NodeKind::AllJoin;
    else if (kind == NodeKind::SubsetSelect)
      kind = NodeKind::SubsetJoin;
  }
}

void Lowering::addSplitsAndMerges(size_t firstNode, size_t firstFlow) {
  Degrees degrees(*behaviour, firstNode, firstFlow);
  size_t numNodes = behaviour->nodes.size();
  size_t numFlows = behaviour->flows.size();
  // What each node's flows leave from and enter at, where that is not itself.
  struct Ends {
    NodeId merge, all, subset;
    uint32_t conditional = 0;
    bool hasDefault = false;
  };
  llvm::DenseMap<uint32_t, Ends> ends;
  auto isPlain = [&](NodeId id) {
    return !isGateway(behaviour->node(id).kind);
  };
  for (size_t i = firstFlow; i < numFlows; ++i) {
    const Flow &flow = behaviour->flows[i];
    if (degrees.out(flow.source.index()) < 2 || !isPlain(flow.source))
      continue;
    Ends &e = ends[flow.source.raw()];
    e.conditional += bool(flow.guard);
    e.hasDefault |= (flow.flags & DefaultFlow) != 0;
  }
  auto add = [&](NodeKind kind, NodeId at) {
    Node node{.kind = kind};
    node.loc = behaviour->node(at).loc;
    return addNode(node, ElementId(), behaviour->node(at).parent);
  };
  for (size_t i = firstNode; i < numNodes; ++i) {
    NodeId id(i);
    if (!isPlain(id))
      continue;
    uint32_t out = degrees.out(i);
    Location at = behaviour->nodes[i].loc;
    if (degrees.in(i) > 1 && !endsToken(behaviour->nodes[i])) {
      NodeId merge = add(NodeKind::SimpleJoin, id);
      ends[id.raw()].merge = merge;
      addFlow(merge, id, at);
    }
    if (out < 2)
      continue;
    Ends e = ends[id.raw()];
    uint32_t plain = out - e.conditional - (e.conditional && e.hasDefault);
    if (plain > 0) { // taken whatever the conditions say
      e.all = add(NodeKind::AllSelect, id);
      addFlow(id, e.all, at);
    }
    if (e.conditional) {
      e.subset = add(NodeKind::SubsetSelect, id);
      addFlow(e.all ? e.all : id, e.subset, at);
      if (plain > 0 && !e.hasDefault) {
        // No condition may hold: then the other flows are all there is.
        FlowId none = addFlow(e.subset, add(NodeKind::Final, id), at);
        behaviour->flow(none).flags |= DefaultFlow;
      }
    }
    ends[id.raw()] = e;
  }
  for (size_t i = firstFlow; i < numFlows; ++i) {
    Flow &flow = behaviour->flows[i];
    auto source = ends.find(flow.source.raw());
    auto target = ends.find(flow.target.raw());
    if (target != ends.end() && target->second.merge)
      flow.target = target->second.merge;
    if (source != ends.end()) {
      const Ends &e = source->second;
      bool inSubset = flow.guard || (flow.flags & DefaultFlow);
      if (inSubset && e.subset)
        flow.source = e.subset;
      else if (e.all)
        flow.source = e.all;
    }
    // A default means something only where conditions are looked at.
    NodeKind kind = behaviour->node(flow.source).kind;
    if (kind != NodeKind::Choice && kind != NodeKind::DominatedChoice &&
        kind != NodeKind::EventChoice && kind != NodeKind::SubsetSelect)
      flow.flags &= ~DefaultFlow;
  }
}
