//===- Structure.h - Structural rules of behaviours -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What can be said of a behaviour without running it: nodes that nothing leads
/// to, nodes that lead nowhere, joins that do not fit the split their branches
/// come from; and of a module: messages and participants that have no part.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_ANALYSIS_STRUCTURE_H
#define CIF_ANALYSIS_STRUCTURE_H

#include "cif/IR/Module.h"

namespace cif {

enum class StructureRule : uint8_t {
  Unreachable,     ///< no way leads from a start to the node
  DeadEnd,         ///< a token that gets there is neither used nor ended
  MismatchedJoin,  ///< its branches come from a split of another kind
  UnusedMessage,   ///< declared, never exchanged
  NeverReceived,   ///< sent, and the receiver's process never receives it
  NeverSent,       ///< received, and the sender's process never sends it
  IdleParticipant, ///< declared, takes no part
};
/// "unreachable", "dead-end", ...
StringRef structureRuleText(StructureRule rule);

struct StructureViolation {
  StructureRule rule;
  Place at;
  std::string text; ///< one sentence
  Place other;      ///< e.g. the split, where there is one
};

/// Violations in one behaviour, by node.
std::vector<StructureViolation> checkStructure(const Module &module,
                                               const Behaviour &behaviour);
/// Violations between the parts of a module.
std::vector<StructureViolation> checkParts(const Module &module);

} // namespace cif

#endif
