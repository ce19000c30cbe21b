//===- ElementText.h - Elements of a collaboration, and their text --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_REPAIR_ELEMENTTEXT_H
#define CIF_LIB_REPAIR_ELEMENTTEXT_H

#include "cif/IR/Module.h"

namespace cif {

/// Whether a node does no more than to receive a message, or to send one.
inline bool isReception(const Node &node) {
  return node.kind == NodeKind::Receive ||
         (node.kind == NodeKind::Catch && node.trigger == Trigger::Message);
}
inline bool isSending(const Node &node) {
  return node.kind == NodeKind::Send ||
         (node.kind == NodeKind::Throw && node.trigger == Trigger::Message);
}

/// `'decide' (c_decide, file:12)`.
std::string elementText(const Module &module, const Node &node);

} // namespace cif

#endif
