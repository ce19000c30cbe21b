//===- CollaborationSystem.cpp - What a state of a collaboration means ----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Semantics/CollaborationSystem.h"

using namespace cif;

bool cif::isTaskOfSteps(const Behaviour &behaviour, NodeId n) {
  const Node &node = behaviour.node(n);
  return node.kind == NodeKind::Container && !node.loc.element.empty() &&
         llvm::any_of(behaviour.nodes, [&](const Node &inner) {
           return inner.parent == n && hasTrait(inner.kind, NodeTraits::Step) &&
                  inner.loc.element == node.loc.element;
         });
}

NodeId cif::taskOf(const Behaviour &behaviour, NodeId n) {
  const Node &node = behaviour.node(n);
  return node.parent && !node.loc.element.empty() &&
                 node.loc.element == behaviour.node(node.parent).loc.element &&
                 isTaskOfSteps(behaviour, node.parent)
             ? node.parent
             : NodeId();
}

CollaborationSystem::~CollaborationSystem() = default;

bool CollaborationSystem::isComplete(const uint32_t *state,
                                     uint32_t process) const {
  if (kind == SemanticsKind::Fbpmn)
    return isSound(state, process);
  for (uint32_t slot : processTable[process].tokens)
    if (state[slot])
      return false;
  return true;
}

bool CollaborationSystem::isComplete(const uint32_t *state) const {
  for (uint32_t p = 0; p < processTable.size(); ++p)
    if (isStarted(state, p) && !isComplete(state, p))
      return false;
  return true;
}
