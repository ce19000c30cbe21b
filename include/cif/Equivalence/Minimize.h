//===- Minimize.h - Minimisation ----------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Minimal LTSs modulo an equivalence.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EQUIVALENCE_MINIMIZE_H
#define CIF_EQUIVALENCE_MINIMIZE_H

#include "cif/Equivalence/Relation.h"
#include "cif/IR/Lts.h"
#include "cif/Support/Limits.h"
#include "cif/Support/Outcome.h"

namespace cif {

/// The smallest LTS that is equivalent to \p lts modulo \p relation, which must
/// be one of those that canMinimize() names. States that cannot be reached are
/// dropped; what \p lts says of final states is kept, and tells states apart.
Lts minimize(const Lts &lts, Relation relation);
/// The same within limits (the trace relations may need exponentially many
/// states). Stopped at a limit; never Failed.
Outcome<Lts> minimizeWithin(const Lts &lts, Relation relation, Budget &budget);

} // namespace cif

#endif
