//===- ImpossibleBranches.h - Branches that no data allow -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Branches whose guard contradicts itself, or the guards that were passed on
/// every way to them. No participant needs data in order not to take them.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_CONFORMANCE_IMPOSSIBLEBRANCHES_H
#define CIF_CHECK_CONFORMANCE_IMPOSSIBLEBRANCHES_H

#include "cif/Symbolic/Solver.h"

namespace cif {

/// Removes the flows of such branches from the first behaviour. Not all are
/// found: only guards over variables that keep their values are followed.
void closeImpossibleBranches(Module &module, FormulaPool &pool, Solver &solver);

} // namespace cif

#endif
