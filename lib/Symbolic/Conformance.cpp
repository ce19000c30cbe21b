//===- Conformance.cpp - Symbolic conformance -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From the solution of the equations to a verdict [symbolic, Table 2]: the
/// predicate of the initial states is true for all data, for none, or under the
/// condition that it is.
///
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Conformance.h"
#include "cif/IR/Names.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

SymbolicVerdict cif::decideConformance(Pes &pes, const PesSolution &solution,
                                       Solver &solver) {
  FormulaPool &pool = pes.pool;
  SymbolicVerdict result;
  FormulaId related = solution.predicates[0].formula();
  std::vector<VariableId> free = pes.pairs[0].variables;
  pool.collect(related, free); // constants of hidden exchanges
  FormulaId possible = pool.truth(true);
  for (VariableId v : free)
    possible = pool.conjunction(
        possible, pes.inRange(pool.var(v), pool.variable(v).sort));
  Valuation model;
  FormulaId wrong = pool.conjunction(possible, pool.negation(related));
  switch (solver.satisfiable(wrong, &model)) {
  case Answer::Unknown:
    result.stopped = solution.stopped.empty() ? "the solver gave no answer"
                                              : solution.stopped;
    return result;
  case Answer::No:
    result.stopped = solution.stopped;
    if (solution.stopped.empty())
      result.verdict = Verdict::Holds;
    return result;
  case Answer::Yes:
    break;
  }
  if (pes.cutsSilentLoops) {
    result.stopped = "a loop of hidden exchanges that changes data";
    return result;
  }
  result.verdict = Verdict::Violated;
  // Variables that the formula does not mention may have any value.
  for (VariableId v : free)
    if (!model.count(v)) {
      Valuation any;
      FormulaId some = pes.inRange(pool.var(v), pool.variable(v).sort);
      solver.satisfiable(some, &any);
      model[v] = any.count(v) ? any[v] : 0;
    }
  result.parting = findParting(pes, solution, model, solver);
  if (solution.stopped.empty()) {
    FormulaId where = pool.conjunction(possible, related);
    Answer sometimes = solver.satisfiable(where);
    if (sometimes == Answer::No)
      result.constraint = pool.truth(false);
    else if (sometimes == Answer::Yes)
      result.constraint = solver.simplify(related).value_or(related);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Constraints for people
//===----------------------------------------------------------------------===//

namespace {
/// Comparisons as the source might have written them.
class Prettier {
public:
  Prettier(FormulaPool pool, ArrayRef<int64_t> constants)
      : pool(std::move(pool)), constants(constants) {}
  FormulaId run(FormulaId root);

  FormulaPool pool;

private:
  FormulaId compare(FormulaPool::Node node);
  bool inSource(int64_t value) const {
    return llvm::is_contained(constants, value);
  }
  ArrayRef<int64_t> constants;
};
} // namespace

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
    made[at] = node.op >= ExprOp::Equal ? compare(node)
                                        : pool.make(node.op, node.lhs, node.rhs);
  }
  return made[root];
}

std::string cif::constraintText(const FormulaPool &pool, FormulaId constraint,
                                ArrayRef<int64_t> constants) {
  Prettier prettier(pool, constants);
  FormulaId formula = prettier.run(constraint);
  std::vector<VariableId> used;
  prettier.pool.collect(formula, used);
  auto count = [&](auto same) { return llvm::count_if(used, same); };
  auto name = [&](VariableId v) {
    const DataVariable &of = pool.variable(v);
    if (count([&](VariableId w) { return pool.variable(w).name == of.name; }) <
        2)
      return quoted(of.name);
    std::string text = pool.qualifiedName(v);
    // Several of one name: by their order.
    auto alike = [&](VariableId w) { return pool.qualifiedName(w) == text; };
    if (count(alike) > 1)
      text += "#" + std::to_string(count([&](VariableId w) {
                return w <= v && alike(w);
              }));
    return text;
  };
  return prettier.pool.text(formula, name);
}

//===----------------------------------------------------------------------===//
// Decisions of a choreography
//===----------------------------------------------------------------------===//

std::optional<Stg> cif::withoutDecisions(const Stg &stg, FormulaPool &pool,
                                         Solver &solver,
                                         const StgTransition *&why) {
  // Whether at most one of the decisions at a state can be taken, and nothing
  // else: then the choice is settled by the data, and the step can be left out.
  for (uint32_t s = 0; s < stg.numStates(); ++s)
    for (const StgTransition &a : stg.of(s)) {
      if (a.action != StgAction::Tau)
        continue;
      why = &a;
      if (!a.decides || !a.updates.empty())
        return std::nullopt;
      for (const StgTransition &b : stg.of(s))
        if (&a != &b && (b.action != StgAction::Tau ||
                         solver.satisfiable(pool.conjunction(
                             a.guard, b.guard)) != Answer::No))
          return std::nullopt;
    }
  why = nullptr;
  constexpr size_t maxWays = 65536;
  Stg result = stg;
  result.transitions.clear();
  for (uint32_t s = 0; s < stg.numStates(); ++s) {
    struct Way {
      uint32_t state;
      FormulaId guard;
      size_t length;
    };
    std::vector<Way> ways{{s, pool.truth(true), 0}};
    for (size_t i = 0; i < ways.size(); ++i) {
      const Way way = ways[i];
      for (StgTransition t : stg.of(way.state)) {
        t.guard = pool.conjunction(way.guard, t.guard);
        if (t.action != StgAction::Tau) {
          t.from = s;
          result.transitions.push_back(std::move(t));
        } else if (way.length < stg.numStates() && ways.size() < maxWays) {
          ways.push_back({t.to, t.guard, way.length + 1});
        } else { // it may go on silently for ever
          why = &stg.of(way.state)[0];
          return std::nullopt;
        }
      }
    }
  }
  result.finish(pool, stg.numStates());
  return result;
}
