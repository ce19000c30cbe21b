//===- Constraint.cpp - Constraints for people ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The result of quantifier elimination is correct but hard to read. Here it is
/// rewritten as a few cases, each of a few comparisons: a model gives a case,
/// which consists of the comparisons that are true in it; comparisons that the
/// solver finds unnecessary are dropped; this is repeated until no model is
/// left.
///
//===----------------------------------------------------------------------===//

#include "cif/IR/Names.h"
#include "cif/Symbolic/Conformance.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

namespace {

/// The comparisons and truth values that a formula is made of.
std::vector<FormulaId> atomsOf(const FormulaPool &pool, FormulaId formula) {
  std::vector<FormulaId> atoms;
  for (FormulaId at : pool.below(formula)) {
    const FormulaPool::Node &node = pool[at];
    bool onBools = node.lhs && pool[node.lhs].sort == boolData;
    if (node.sort == boolData && !onBools && node.op != ExprOp::BoolLiteral)
      atoms.push_back(at);
  }
  return atoms;
}

class Cases {
public:
  Cases(FormulaPool &pool, Solver &solver, FormulaId possible)
      : pool(pool), solver(solver), possible(possible) {}
  /// The same for all data that are possible; nothing: too many cases.
  std::optional<FormulaId> rewrite(FormulaId formula);

private:
  FormulaId shortest(std::vector<FormulaId> parts, FormulaId formula);
  FormulaId together(std::vector<FormulaId> parts);
  bool implies(FormulaId a, FormulaId b) {
    return solver.satisfiable(pool.conjunction(
               possible, pool.conjunction(a, pool.negation(b)))) == Answer::No;
  }
  FormulaId all(ArrayRef<FormulaId> parts) {
    FormulaId result = pool.truth(true);
    for (FormulaId part : parts)
      result = pool.conjunction(result, part);
    return result;
  }

  FormulaPool &pool;
  Solver &solver;
  FormulaId possible;
};

/// The number that \p node bounds its left side by, from below or from above.
std::optional<int64_t> boundOf(const FormulaPool &pool,
                               const FormulaPool::Node &node, bool below) {
  if (!node.rhs || pool[node.rhs].op != ExprOp::IntLiteral)
    return std::nullopt;
  int64_t value = pool[node.rhs].value;
  if (node.op == (below ? ExprOp::GreaterEqual : ExprOp::LessEqual))
    return value;
  if (node.op == (below ? ExprOp::Greater : ExprOp::Less))
    return below ? value + 1 : value - 1;
  return std::nullopt;
}

/// Two bounds that meet are an equality.
FormulaId Cases::together(std::vector<FormulaId> parts) {
  for (FormulaId &a : parts)
    for (FormulaId &b : parts) {
      const FormulaPool::Node x = pool[a], y = pool[b];
      auto low = boundOf(pool, x, true), high = boundOf(pool, y, false);
      if (low && high && *low == *high && x.lhs == y.lhs) {
        a = pool.make(ExprOp::Equal, x.lhs, pool.number(*low));
        b = pool.truth(true);
      }
    }
  return all(parts);
}

FormulaId Cases::shortest(std::vector<FormulaId> parts, FormulaId formula) {
  for (size_t i = parts.size(); i-- > 0;) {
    std::vector<FormulaId> fewer = parts;
    fewer.erase(fewer.begin() + i);
    if (implies(all(fewer), formula))
      parts = std::move(fewer);
  }
  return together(std::move(parts));
}

std::optional<FormulaId> Cases::rewrite(FormulaId formula) {
  constexpr size_t maxCases = 12, maxAtoms = 64;
  std::vector<FormulaId> atoms = atomsOf(pool, formula);
  if (atoms.size() > maxAtoms)
    return std::nullopt;
  FormulaId covered = pool.truth(false);
  for (size_t n = 0; n <= maxCases; ++n) {
    Valuation model;
    FormulaId left = pool.conjunction(
        possible, pool.conjunction(formula, pool.negation(covered)));
    Answer more = solver.satisfiable(left, &model);
    if (more == Answer::No)
      return covered;
    if (more == Answer::Unknown)
      return std::nullopt;
    std::vector<VariableId> used;
    pool.collect(formula, used);
    for (VariableId v : used)
      model.try_emplace(v, 0);
    std::vector<FormulaId> parts;
    for (FormulaId atom : atoms) {
      std::optional<DataNumber> truth = pool.evaluate(atom, model);
      if (!truth)
        return std::nullopt;
      parts.push_back(*truth ? atom : pool.negation(atom));
    }
    llvm::sort(parts);
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    covered = pool.make(ExprOp::Or, covered, shortest(parts, formula));
  }
  return std::nullopt;
}

/// Comparisons as the source might have written them.
class Prettier {
public:
  Prettier(FormulaPool &pool, ArrayRef<int64_t> constants)
      : pool(pool), constants(constants) {}
  FormulaId run(FormulaId root);

private:
  FormulaId compare(FormulaPool::Node node);
  std::optional<FormulaId> divided(const FormulaPool::Node &node);
  bool inSource(int64_t value) const {
    return llvm::is_contained(constants, value);
  }
  FormulaPool &pool;
  ArrayRef<int64_t> constants;
};

/// `4 * y > 3` as `y > 0`: integers have no others.
std::optional<FormulaId> Prettier::divided(const FormulaPool::Node &node) {
  const FormulaPool::Node left = pool[node.lhs], right = pool[node.rhs];
  if (left.op != ExprOp::Multiply || right.op != ExprOp::IntLiteral)
    return std::nullopt;
  bool first = pool[left.lhs].op == ExprOp::IntLiteral;
  const FormulaPool::Node factor = pool[first ? left.lhs : left.rhs];
  FormulaId by = first ? left.rhs : left.lhs;
  if (factor.op != ExprOp::IntLiteral || factor.value <= 0)
    return std::nullopt;
  int64_t below = right.value / factor.value;
  int64_t rest = right.value % factor.value;
  below -= rest < 0;
  switch (node.op) {
  case ExprOp::Equal:
  case ExprOp::NotEqual:
    if (rest)
      return pool.truth(node.op == ExprOp::NotEqual);
    break;
  case ExprOp::Less:
  case ExprOp::GreaterEqual:
    below += rest != 0;
    break;
  default:
    break;
  }
  return pool.make(node.op, by, pool.number(below));
}

FormulaId Prettier::compare(FormulaPool::Node node) {
  static const std::pair<ExprOp, ExprOp> flips[] = {
      {ExprOp::Less, ExprOp::Greater},
      {ExprOp::LessEqual, ExprOp::GreaterEqual}};
  if (pool.isLiteral(node.lhs) && !pool.isLiteral(node.rhs)) { // 5 <= x
    std::swap(node.lhs, node.rhs);
    for (auto [a, b] : flips)
      if (node.op == a || node.op == b) {
        node.op = node.op == a ? b : a;
        break;
      }
  }
  if (auto simpler = divided(node)) {
    node = pool[*simpler];
    if (!node.rhs)
      return *simpler;
  }
  const FormulaPool::Node right = pool[node.rhs], left = pool[node.lhs];
  if (right.op != ExprOp::IntLiteral)
    return pool.make(node.op, node.lhs, node.rhs);
  if (right.value == 0 && left.op == ExprOp::Subtract) // x - y >= 0
    return pool.make(node.op, left.lhs, left.rhs);
  // Integers: x > 9 is x >= 10.
  static const struct {
    ExprOp op, other;
    int change;
  } same[] = {{ExprOp::Greater, ExprOp::GreaterEqual, 1},
              {ExprOp::GreaterEqual, ExprOp::Greater, -1},
              {ExprOp::Less, ExprOp::LessEqual, -1},
              {ExprOp::LessEqual, ExprOp::Less, 1}};
  for (const auto &entry : same)
    if (node.op == entry.op && !inSource(right.value) &&
        inSource(right.value + entry.change))
      return pool.make(entry.other, node.lhs,
                       pool.number(right.value + entry.change));
  return pool.make(node.op, node.lhs, node.rhs);
}

FormulaId Prettier::run(FormulaId root) {
  std::map<FormulaId, FormulaId> made;
  for (FormulaId at : pool.below(root)) {
    FormulaPool::Node node = pool[at];
    if (!node.lhs) {
      made[at] = at;
      continue;
    }
    node.lhs = made[node.lhs];
    if (node.rhs)
      node.rhs = made[node.rhs];
    made[at] = node.op >= ExprOp::Equal
                   ? compare(node)
                   : pool.make(node.op, node.lhs, node.rhs);
  }
  return made[root];
}

} // namespace

FormulaId cif::readableConstraint(FormulaPool &pool, Solver &solver,
                                  FormulaId constraint, FormulaId possible,
                                  ArrayRef<int64_t> constants) {
  // Numbers on the right, so that bounds that meet are found.
  FormulaId plain = Prettier(pool, {}).run(constraint);
  Cases cases(pool, solver, possible);
  FormulaId best = plain;
  if (auto as = cases.rewrite(plain))
    best = *as;
  // Or all but a few cases.
  if (auto as = cases.rewrite(pool.negation(plain)))
    if (pool.below(*as).size() < pool.below(best).size())
      best = pool.negation(*as);
  return Prettier(pool, constants).run(best);
}

std::string cif::constraintText(const FormulaPool &pool, FormulaId constraint) {
  std::vector<VariableId> used;
  pool.collect(constraint, used);
  auto count = [&](auto same) { return llvm::count_if(used, same); };
  auto name = [&](VariableId v) {
    const DataVariable &of = pool.variable(v);
    if (count([&](VariableId w) { return pool.variable(w).name == of.name; }) <
        2)
      return quoted(of.name);
    std::string text = pool.qualifiedName(v);
    // Several of one name: by their order.
    auto alike = [&](VariableId w) { return pool.qualifiedName(w) == text; };
    if (count(alike) > 1) {
      auto number = count([&](VariableId w) { return w <= v && alike(w); });
      text += "#" + std::to_string(number);
    }
    return text;
  };
  return pool.text(constraint, name);
}
