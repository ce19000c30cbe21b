//===- Relation.h - The relations between LTSs --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The relations between LTSs, and their names on the command line.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EQUIVALENCE_RELATION_H
#define CIF_EQUIVALENCE_RELATION_H

#include "cif/Support/LLVM.h"
#include <optional>

namespace cif {

/// What --relation= takes. Equivalences first, then preorders ("the left one is
/// included in, or simulated by, the right one").
enum class Relation : uint8_t {
  Strong,                    ///< strong bisimulation
  Branching,                 ///< branching bisimulation
  DpBranching,               ///< the same, preserving divergence
  Weak,                      ///< weak bisimulation
  WeakTrace,                 ///< equal weak traces (tau is silent)
  Trace,                     ///< equal traces (tau is a label)
  WeakSimulationEquivalence, ///< each simulates the other weakly
  Ready,                     ///< equal weak ready pairs
  Failures,                  ///< equal weak failures
  WeakSimulation,            ///< preorder: the right simulates the left weakly
  WeakTraceInclusion,        ///< preorder: weak traces of left in right
  TraceInclusion,            ///< preorder: traces of left in right
};

/// The name for --relation=: `strong`, `dp-branching`, `weak-trace`, ...
StringRef relationName(Relation relation);
std::optional<Relation> parseRelation(StringRef name);
/// All names, in the order of the enumeration.
ArrayRef<StringRef> relationNames();
/// Whether LTSs can be minimised modulo \p relation.
bool canMinimize(Relation relation);
/// Whether tau is silent in \p relation.
bool isWeak(Relation relation);
bool isPreorder(Relation relation);

} // namespace cif

#endif
