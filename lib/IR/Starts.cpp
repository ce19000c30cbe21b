//===- Starts.cpp - Where behaviours and containers start -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Starts.h"

using namespace cif;

bool cif::startsByMessage(const Node &node) {
  if (node.parent)
    return false;
  if (node.kind == NodeKind::Initial)
    return node.trigger == Trigger::Message;
  return (node.kind == NodeKind::Receive ||
          node.kind == NodeKind::EventChoice) &&
         (node.flags & Instantiate);
}

std::vector<bool> cif::startingNodes(const Behaviour &b,
                                     const FlowIndex &flows) {
  size_t count = b.nodes.size();
  auto scopeOf = [&](const Node &node) {
    return node.parent ? node.parent.index() : count;
  };
  auto isExplicit = [&](size_t i) {
    return flows.incoming(NodeId(i)).empty() &&
           (b.nodes[i].kind == NodeKind::Initial ||
            startsByMessage(b.nodes[i]));
  };
  std::vector<bool> starts(count, false), hasStart(count + 1, false);
  for (size_t i = 0; i < count; ++i)
    if (isExplicit(i))
      starts[i] = hasStart[scopeOf(b.nodes[i])] = true;
  for (size_t i = 0; i < count; ++i) {
    const Node &node = b.nodes[i];
    if (node.kind == NodeKind::Container && (node.flags & EventTriggered))
      starts[i] = true;
    else if (!hasStart[scopeOf(node)] && flows.incoming(NodeId(i)).empty() &&
             node.kind != NodeKind::Boundary &&
             !(node.kind == NodeKind::Catch && node.trigger == Trigger::Link))
      starts[i] = true;
  }
  return starts;
}

bool cif::hasBlackBoxesOnly(const Module &module) {
  return module.behaviours.empty() && module.systems.empty() &&
         !module.participants.empty();
}
