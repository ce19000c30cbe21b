//===- Distinguish.h - Formulas that tell states apart ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EQUIVALENCE_DISTINGUISH_H
#define CIF_LIB_EQUIVALENCE_DISTINGUISH_H

#include "cif/Equivalence/Formula.h"
#include "cif/Equivalence/Relation.h"
#include "cif/Support/Limits.h"
#include <optional>

namespace cif {

/// A formula of least depth that \p left satisfies and \p right does not. The
/// two are states of \p lts that differ modulo \p relation, a bisimulation.
/// Nothing when the budget is exceeded, and then \p limit says which.
std::optional<Formula> distinguish(const Lts &lts, StateIndex left,
                                   StateIndex right, Relation relation,
                                   Budget &budget, std::string &limit);

} // namespace cif

#endif
