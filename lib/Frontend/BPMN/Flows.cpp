//===- Flows.cpp - Sequence flows and lanes -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lowers sequence flows, with their conditions, and lanes, which are kept as
/// attributes of their nodes.
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "cif/Support/Diagnostics/Data.h"

using namespace cif;
using namespace cif::bpmn;

/// Sequence flows say what they connect, and nodes say it once more. A node
/// that names a flow which it does not have may have lost one.
bool Lowering::checkFlowRefs() {
  bool good = true;
  for (const Document::FlowRef &ref : doc.flowRefs) {
    if (!isFlowNode(doc[ref.node].kind) || ref.flow.empty())
      continue;
    ElementId flow = doc.resolve(ref.flow);
    if (flow && doc[flow].kind == ElementKind::SequenceFlow)
      flow = doc.resolve(doc.attribute(flow, ref.isOutgoing ? Attr::sourceRef
                                                            : Attr::targetRef));
    else if (flow)
      continue; // a message flow or an association, read elsewhere
    else
      flow = ElementId(0);
    // A flow without an end is told of itself.
    if (flow && flow != ref.node)
      good &= coverage.meet(place(ref.node), describe(ref.node),
                            Feature::DanglingFlow);
  }
  return good;
}

bool Lowering::makeFlow(ElementId e) {
  ElementId from = doc.resolve(doc.attribute(e, Attr::sourceRef));
  ElementId to = doc.resolve(doc.attribute(e, Attr::targetRef));
  for (ElementId end : {from, to})
    if (end && isForCompensation(end))
      return coverage.meet(place(e), describe(e), Feature::CompensationFlow);
  for (ElementId end : {from, to})
    if (!end || !isFlowNode(doc[end].kind) || !nodesOf[end.index()].entry)
      return coverage.meet(place(e), describe(e), Feature::FlowWithoutEnd,
                           danglingHint(e));
  NodeId source = nodesOf[from.index()].exit,
         target = nodesOf[to.index()].entry;
  if (behaviour->node(source).parent != behaviour->node(target).parent) {
    crossingFlows.push_back(e);
    return true;
  }
  const Node &sourceNode = behaviour->node(source);
  const Node &targetNode = behaviour->node(target);
  if (sourceNode.kind == NodeKind::Final ||
      sourceNode.kind == NodeKind::Terminate)
    return misuse(e, Rule::FlowFromEnd);
  if (targetNode.kind == NodeKind::Initial)
    return misuse(e, Rule::FlowToStart);
  if (targetNode.kind == NodeKind::Boundary)
    return misuse(e, Rule::FlowToBoundary);

  fillFlow(addFlow(source, target, loc(e)), e, from);
  return true;
}

/// Some tools let flows lead straight to the first node of a sub-process, or
/// from its last one, and mean the sub-process.
bool Lowering::makeCrossingFlows(size_t firstNode, size_t firstFlow) {
  if (crossingFlows.empty())
    return true;
  std::vector<bool> hasIncoming(behaviour->nodes.size() - firstNode),
      hasOutgoing(hasIncoming), hasStart(hasIncoming);
  for (size_t i = firstFlow; i < behaviour->flows.size(); ++i) {
    hasOutgoing[behaviour->flows[i].source.index() - firstNode] = true;
    hasIncoming[behaviour->flows[i].target.index() - firstNode] = true;
  }
  for (size_t i = firstNode; i < behaviour->nodes.size(); ++i)
    if (const Node &node = behaviour->nodes[i];
        node.kind == NodeKind::Initial && node.parent)
      if (node.parent.index() >= firstNode)
        hasStart[node.parent.index() - firstNode] = true;
  auto levelsAbove = [&](NodeId node) {
    unsigned levels = 0;
    for (NodeId at = behaviour->node(node).parent;
         at && at.index() >= firstNode; at = behaviour->node(at).parent)
      ++levels;
    return levels;
  };
  llvm::DenseMap<uint32_t, NodeId> entered, left; // by container
  bool good = true;
  for (ElementId e : crossingFlows) {
    ElementId from = doc.resolve(doc.attribute(e, Attr::sourceRef));
    ElementId to = doc.resolve(doc.attribute(e, Attr::targetRef));
    NodeId source = nodesOf[from.index()].exit;
    NodeId target = nodesOf[to.index()].entry;
    NodeId wasSource = source, wasTarget = target;
    bool clear = true;
    unsigned sourceLevels = levelsAbove(source);
    unsigned targetLevels = levelsAbove(target);
    auto leave = [&] {
      clear &= !hasOutgoing[source.index() - firstNode];
      NodeId container = behaviour->node(source).parent;
      clear &= left.try_emplace(container.raw(), wasSource).first->second ==
               wasSource;
      source = container;
      --sourceLevels;
    };
    auto enter = [&] {
      clear &= !hasIncoming[target.index() - firstNode];
      NodeId container = behaviour->node(target).parent;
      clear &= !hasStart[container.index() - firstNode];
      clear &= entered.try_emplace(container.raw(), wasTarget).first->second ==
               wasTarget;
      target = container;
      --targetLevels;
    };
    while (clear &&
           behaviour->node(source).parent != behaviour->node(target).parent) {
      bool up = sourceLevels >= targetLevels,
           down = targetLevels >= sourceLevels;
      if (up)
        leave();
      if (down && clear)
        enter();
    }
    if (!clear || source == target ||
        behaviour->node(source).kind == NodeKind::Final ||
        behaviour->node(source).kind == NodeKind::Terminate ||
        behaviour->node(target).kind == NodeKind::Initial) {
      good = misuse(e, Rule::CrossingBorder);
      continue;
    }
    if (!coverage.meet(place(e), describe(e), Feature::CrossingFlow)) {
      good = false;
      continue;
    }
    fillFlow(addFlow(source, target, loc(e)), e, from);
  }
  return good;
}

void Lowering::fillFlow(FlowId id, ElementId e, ElementId from) {
  Flow &flow = behaviour->flow(id);
  flow.name = tidy(doc.text(doc[e].name));
  Name defaultFlow = doc.attribute(from, Attr::default_);
  if (!defaultFlow.empty() && doc.resolve(defaultFlow) == e)
    flow.flags |= DefaultFlow;
  else if (ElementId c = doc.child(e, ElementKind::ConditionExpression))
    flow.guard = condition(c, from);
  else
    flow.guard = namedCondition(e, from);
  if (flow.guard && module.expr(flow.guard).op == ExprOp::Opaque)
    diags.report(module.place(module.expr(flow.guard).loc),
                 diag::condition_open)
        << module.text(module.expr(flow.guard).name) << "it is not understood";
}

void Lowering::makeLanes(ElementId laneSet) {
  Name key = module.intern("lane");
  // Lanes stand in document order, inner ones after what they are in: the last
  // one that claims a node is its innermost.
  llvm::DenseMap<uint32_t, size_t> attributeOf;
  for (uint32_t i = laneSet.index(); i < doc[laneSet].end; ++i) {
    ElementId e(i);
    if (doc[e].kind != ElementKind::FlowNodeRef &&
        doc[e].kind != ElementKind::FlowElementRef)
      continue;
    ElementId element = doc.resolve(doc[e].text);
    if (!element || !doc[e].parent ||
        doc[doc[e].parent].kind != ElementKind::Lane)
      continue;
    NodeId node = nodesOf[element.index()].entry;
    if (!node)
      continue;
    const Element &lane = doc[doc[e].parent];
    Name value = tidy(doc.text(lane.name.empty() ? lane.id : lane.name));
    if (value.empty())
      continue;
    auto [entry, isNew] =
        attributeOf.try_emplace(node.raw(), behaviour->attributes.size());
    if (isNew)
      behaviour->attributes.push_back({node, key, value});
    else
      behaviour->attributes[entry->second].value = value;
  }
}
