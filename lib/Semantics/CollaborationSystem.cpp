//===- CollaborationSystem.cpp - What a state of a collaboration means ----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Semantics/CollaborationSystem.h"

using namespace cif;

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
