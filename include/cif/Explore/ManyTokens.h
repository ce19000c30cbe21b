//===- ManyTokens.h - Counts up to "many" -----------------------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_MANYTOKENS_H
#define CIF_EXPLORE_MANYTOKENS_H

#include "cif/Semantics/CollaborationSystem.h"

namespace cif {

/// A system with finitely many states that does whatever \p of does: counts
/// end at "many". Null: it cannot be told what a step takes, or there is more
/// than counts.
std::unique_ptr<System> makeManyTokens(const CollaborationSystem &of);

} // namespace cif

#endif
