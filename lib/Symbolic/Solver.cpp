//===- Solver.cpp - Quantifiers over finitely many cases ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Solver.h"

using namespace cif;

Solver::~Solver() = default;

FormulaId cif::forAllFinite(FormulaPool &pool, ArrayRef<VariableId> bound,
                            FormulaId formula,
                            SmallVectorImpl<VariableId> &integers) {
  std::vector<VariableId> used;
  pool.collect(formula, used);
  for (VariableId v : bound) {
    if (!llvm::is_contained(used, v))
      continue;
    const DataSort sort = pool.variable(v).sort;
    if (sort == intData) {
      integers.push_back(v);
      continue;
    }
    FormulaId all = pool.truth(true);
    auto instance = [&](FormulaId value) {
      all = pool.conjunction(all, pool.substitute(formula, {{v, value}}));
    };
    if (sort == boolData) {
      instance(pool.truth(false));
      instance(pool.truth(true));
    } else if (sort.isEnum()) {
      for (uint32_t literal : pool.literals(sort))
        instance(pool.number(literal, sort));
    } else {
      for (FormulaId other : pool.stringsIn(formula))
        if (other != pool.var(v))
          instance(other);
      // One that is none of these: a new name for it equals nothing else.
      instance(pool.number(pool.anotherLiteral(), stringData));
    }
    formula = all;
  }
  return formula;
}
