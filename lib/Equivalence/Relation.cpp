//===- Relation.cpp - The relations between LTSs ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Equivalence/Relation.h"

using namespace cif;

static const StringRef names[] = {
    "strong",
    "branching",
    "dp-branching",
    "weak",
    "weak-trace",
    "trace",
    "weak-simulation-equivalence",
    "ready",
    "failures",
    "weak-simulation",
    "weak-trace-inclusion",
    "trace-inclusion",
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

bool cif::canMinimize(Relation relation) { return relation <= Relation::Trace; }

bool cif::isWeak(Relation relation) {
  return relation != Relation::Strong && relation != Relation::Trace &&
         relation != Relation::TraceInclusion;
}

bool cif::isPreorder(Relation relation) {
  return relation >= Relation::WeakSimulation;
}
