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

/// What --relation= takes; Relations.def says what each is.
enum class Relation : uint8_t {
#define CIF_RELATION(NAME, WORD, TEXT, PROPERTIES) NAME,
#include "cif/Equivalence/Relations.def"
};

enum RelationProperty : uint8_t {
  RelationIsWeak = 1,     ///< tau is silent
  RelationIsPreorder = 2, ///< it has a left and a right side
  RelationMinimizes = 4,  ///< LTSs can be minimised modulo it
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
