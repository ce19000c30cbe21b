//===- Nodes.cpp - What nodes are called, and how they go ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Nodes.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

StringRef cif::elementKindText(const Node &node) {
  switch (node.kind) {
  case NodeKind::Initial:
    return "start event";
  case NodeKind::Final:
    return "end event";
  case NodeKind::Choice:
  case NodeKind::DominatedChoice:
  case NodeKind::SimpleJoin:
    return "exclusive gateway";
  case NodeKind::AllSelect:
  case NodeKind::AllJoin:
    return "parallel gateway";
  case NodeKind::SubsetSelect:
  case NodeKind::SubsetJoin:
    return "inclusive gateway";
  case NodeKind::EventChoice:
    return "event-based gateway";
  case NodeKind::Send:
    return "send task";
  case NodeKind::Receive:
    return "receive task";
  case NodeKind::Catch:
  case NodeKind::Throw:
    return "event";
  case NodeKind::Boundary:
    return "boundary event";
  case NodeKind::Terminate:
    return "terminate event";
  case NodeKind::Container:
    return "sub-process";
  default:
    return nodeKindText(node.kind);
  }
}

std::string cif::countedText(StringRef what, uint64_t count) {
  std::string text = what.str();
  if (count > 1)
    text += " (" + std::to_string(count) + " times)";
  return text;
}

bool cif::isWithinElement(const Behaviour &behaviour, const Flow &flow) {
  const Location &loc = flow.loc;
  return (loc.line || !loc.element.empty()) &&
         loc == behaviour.node(flow.source).loc &&
         loc == behaviour.node(flow.target).loc;
}

void cif::removeParts(Module &module, BehaviourId of,
                      const std::vector<bool> &deadNodes,
                      const std::vector<bool> &deadFlows) {
  Behaviour &b = module.behaviours[of.index()];
  std::vector<NodeId> number(b.nodes.size());
  std::vector<Node> nodes;
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (!deadNodes[i]) {
      number[i] = NodeId(nodes.size());
      nodes.push_back(b.nodes[i]);
    }
  auto renumber = [&](NodeId &id) {
    if (id)
      id = number[id.index()];
  };
  for (Node &node : nodes) {
    renumber(node.parent);
    renumber(node.attachedTo);
  }
  std::vector<Flow> flows;
  for (size_t f = 0; f < b.flows.size(); ++f)
    if (!deadFlows[f]) {
      flows.push_back(b.flows[f]);
      renumber(flows.back().source);
      renumber(flows.back().target);
    }
  llvm::erase_if(b.attributes, [&](const Attribute &attribute) {
    return attribute.node && deadNodes[attribute.node.index()];
  });
  for (Attribute &attribute : b.attributes)
    renumber(attribute.node);
  for (MessageFlow &flow : module.messageFlows) {
    if (flow.sourceBehaviour == of)
      renumber(flow.sourceNode);
    if (flow.targetBehaviour == of)
      renumber(flow.targetNode);
  }
  b.nodes = std::move(nodes);
  b.flows = std::move(flows);
}
