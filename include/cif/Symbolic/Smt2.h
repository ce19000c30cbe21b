//===- Smt2.h - Questions for other solvers -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The equations and their solution as a file in SMT-LIB 2.6, so that another
/// solver can be asked whether it agrees. Each question says which answer is
/// expected.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SYMBOLIC_SMT2_H
#define CIF_SYMBOLIC_SMT2_H

#include "cif/Symbolic/Conformance.h"

namespace cif {

/// For each pair: that its predicate and what the equation makes of the others
/// are the same (`unsat` says yes). Then whether the initial one is false for
/// some data, and true for some. A solution that is not complete has no
/// questions.
void printSmt2(const Pes &pes, const PesSolution &solution,
               const SymbolicVerdict &verdict, raw_ostream &os);

/// Each predicate as it was solved, one a line.
void printSolution(const Pes &pes, const PesSolution &solution,
                   raw_ostream &os);

} // namespace cif

#endif
