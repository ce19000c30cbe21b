//===- ElementText.h - Elements of a collaboration, and their text --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_REPAIR_ELEMENTTEXT_H
#define CIF_LIB_REPAIR_ELEMENTTEXT_H

#include "cif/IR/Nodes.h"

namespace cif {

/// `'decide' (c_decide, file:12)`.
std::string elementText(const Module &module, const Node &node);

} // namespace cif

#endif
