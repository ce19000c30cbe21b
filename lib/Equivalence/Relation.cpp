//===- Relation.cpp - The relations between LTSs ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Equivalence/Relation.h"

using namespace cif;

static const StringRef names[] = {
#define CIF_RELATION(NAME, WORD, TEXT, PROPERTIES) WORD,
#include "cif/Equivalence/Relations.def"
};

StringRef cif::relationName(Relation relation) {
  return names[static_cast<size_t>(relation)];
}

std::optional<Relation> cif::parseRelation(StringRef name) {
  for (auto [index, known] : llvm::enumerate(names))
    if (known == name)
      return static_cast<Relation>(index);
  return std::nullopt;
}

ArrayRef<StringRef> cif::relationNames() { return names; }

static bool has(Relation relation, RelationProperty property) {
  static constexpr unsigned properties[] = {
#define CIF_RELATION(NAME, WORD, TEXT, PROPERTIES) PROPERTIES,
#include "cif/Equivalence/Relations.def"
  };
  return properties[static_cast<size_t>(relation)] & property;
}

bool cif::canMinimize(Relation relation) {
  return has(relation, RelationMinimizes);
}

bool cif::isWeak(Relation relation) { return has(relation, RelationIsWeak); }

bool cif::isPreorder(Relation relation) {
  return has(relation, RelationIsPreorder);
}
