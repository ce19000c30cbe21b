//===- Nodes.h - What nodes are called, and how they go -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_NODES_H
#define CIF_IR_NODES_H

#include "cif/IR/Module.h"

namespace cif {

/// What BPMN calls a node: "exclusive gateway", "send task", ...
StringRef elementKindText(const Node &node);

/// Whether a node does no more than to receive a message, or to send one.
inline bool isReception(const Node &node) {
  return node.kind == NodeKind::Receive ||
         (node.kind == NodeKind::Catch && node.trigger == Trigger::Message);
}
inline bool isSending(const Node &node) {
  return node.kind == NodeKind::Send ||
         (node.kind == NodeKind::Throw && node.trigger == Trigger::Message);
}

/// What stands for \p count elements, as one abstraction: \p what, and how many
/// times where that is more than once.
std::string countedText(StringRef what, uint64_t count);

/// Whether \p flow joins two nodes that were made of one element of the source,
/// such as a task and the merge before it, so that nobody drew it.
bool isWithinElement(const Behaviour &behaviour, const Flow &flow);

/// Takes nodes and flows out of a behaviour and numbers the others anew. No
/// flow that stays may have an end among the nodes.
void removeParts(Module &module, BehaviourId of,
                 const std::vector<bool> &deadNodes,
                 const std::vector<bool> &deadFlows);

} // namespace cif

#endif
