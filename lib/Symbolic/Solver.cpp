//===- Solver.cpp - Quantifiers over finitely many cases ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Solver.h"
#include "llvm/ADT/DenseSet.h"

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

/// What \p v is compared with in a comparison of which \p side mentions it:
/// with `v + t` on one side and `u` on the other, `u - t`.
static std::optional<FormulaId> comparedWith(FormulaPool &pool, FormulaId v,
                                             FormulaId side, FormulaId other) {
  if (side == v)
    return other;
  const FormulaPool::Node node = pool[side];
  if (node.op == ExprOp::Add && (node.lhs == v || node.rhs == v))
    return pool.make(ExprOp::Subtract, other,
                     node.lhs == v ? node.rhs : node.lhs);
  if (node.op == ExprOp::Subtract && node.lhs == v)
    return pool.make(ExprOp::Add, other, node.rhs);
  return std::nullopt;
}

std::optional<FormulaId> cif::forAllByCases(FormulaPool &pool, VariableId v,
                                            FormulaId formula) {
  constexpr size_t mostWork = 200'000; // cases, times the formula
  const FormulaId variable = pool.var(v);
  std::vector<FormulaId> parts = pool.below(formula);
  llvm::DenseSet<uint32_t> mentions;
  std::vector<FormulaId> terms;
  for (FormulaId part : parts) {
    const FormulaPool::Node node = pool[part];
    bool left = node.lhs && mentions.count(node.lhs.index()),
         right = node.rhs && mentions.count(node.rhs.index());
    if (part == variable || left || right)
      mentions.insert(part.index());
    if ((!left && !right) || pool[node.lhs].sort != intData ||
        node.sort != boolData)
      continue; // arithmetic is looked at where it is compared
    std::optional<FormulaId> term;
    if (!left || !right)
      term = comparedWith(pool, variable, left ? node.lhs : node.rhs,
                          left ? node.rhs : node.lhs);
    std::vector<VariableId> used;
    if (term)
      pool.collect(*term, used);
    if (!term || llvm::is_contained(used, v))
      return std::nullopt;
    if (!llvm::is_contained(terms, *term))
      terms.push_back(*term);
  }
  if (terms.size() * 3 * parts.size() > mostWork)
    return std::nullopt;
  FormulaId all = terms.empty() ? formula : pool.truth(true);
  for (FormulaId term : terms)
    for (int64_t beside : {-1, 0, 1})
      all = pool.conjunction(
          all, pool.substitute(formula, {{v, pool.make(ExprOp::Add, term,
                                                       pool.number(beside))}}));
  return all;
}

FormulaId cif::forAllByInstances(FormulaPool &pool, Solver &solver,
                                 ArrayRef<VariableId> bound, FormulaId formula,
                                 bool &exact) {
  constexpr unsigned mostInstances = 16;
  FormulaId all = pool.truth(true);
  exact = false;
  for (unsigned n = 0; n <= mostInstances; ++n) {
    Valuation model;
    Answer more = solver.satisfiable(
        pool.conjunction(all, pool.negation(formula)), &model);
    exact = more == Answer::No;
    if (more != Answer::Yes)
      break;
    Substitution values;
    for (VariableId v : bound)
      if (auto value = model.find(v); value != model.end())
        values[v] = pool.number(value->second, pool.variable(v).sort);
    FormulaId instance = pool.substitute(formula, values);
    if (pool.is(pool.conjunction(all, instance), true))
      break; // numbers that overflow here
    all = pool.conjunction(all, instance);
  }
  return all;
}
