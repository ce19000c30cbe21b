//===- SolvePes.cpp - The greatest solution of predicate equations --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Predicates that do not depend on themselves are computed once, after those
/// that they depend on. In a cycle all start with `true` and are strengthened
/// until the solver says that nothing changes [definitions of greatest fixed
/// points; symbolic, Algorithm 2 gives the equations only]. This need not
/// terminate, because data are unbounded. Then what is known so far is weaker
/// than the solution, so a violation that it shows is real.
///
/// Quantifiers are eliminated as soon as they occur, so predicates never have
/// any. If the solver cannot eliminate one, it is replaced by its instances for
/// some values, which is weaker, too.
///
//===----------------------------------------------------------------------===//

#include "cif/Graph/Components.h"
#include "cif/Symbolic/Conformance.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

namespace {
class PesSolver {
public:
  PesSolver(const Pes &pes, Solver &solver, const SymbolicOptions &options)
      : pes(pes), pool(pes.pool), solver(solver), options(options),
        budget(options.limits) {}
  PesSolution run();

private:
  FormulaId forAll(ArrayRef<VariableId> bound, FormulaId formula);
  FormulaId exists(ArrayRef<VariableId> bound, FormulaId formula);
  std::optional<FormulaId> evaluate(uint32_t pair);
  FormulaId evaluate(const PesNode &node, ArrayRef<FormulaId> values,
                     uint32_t first);
  /// Strengthens a predicate by its equation. Unknown: no answer.
  Answer strengthen(uint32_t pair, bool cyclic);
  bool solve(ArrayRef<uint32_t> component);
  void stop(uint32_t pair, const Twine &why);
  std::vector<std::vector<uint32_t>> order() const;
  bool dependsOnItself(uint32_t pair) const {
    return llvm::is_contained(pes.pairs[pair].uses, pair);
  }

  const Pes &pes;
  FormulaPool &pool;
  Solver &solver;
  const SymbolicOptions &options;
  Budget budget;
  PesSolution result;
  uint64_t stamp = 0;
  bool weaker = false; ///< what was evaluated last is than its equation
  bool askedReachable = false;
};
} // namespace

FormulaId PesSolver::forAll(ArrayRef<VariableId> bound, FormulaId formula) {
  if (auto left = solver.forAll(bound, formula))
    return *left;
  bool exact;
  FormulaId left = forAllByInstances(pool, solver, bound, formula, exact);
  weaker |= !exact;
  return left;
}

FormulaId PesSolver::exists(ArrayRef<VariableId> bound, FormulaId formula) {
  FormulaId none = pool.negation(formula);
  if (auto left = solver.forAll(bound, none))
    return pool.negation(*left);
  bool exact;
  FormulaId left = forAllByInstances(pool, solver, bound, none, exact);
  weaker |= !exact;
  return exact ? pool.negation(left) : pool.truth(true);
}

/// Strongly connected components, each behind those that it uses.
std::vector<std::vector<uint32_t>> PesSolver::order() const {
  std::vector<std::vector<uint32_t>> found;
  ComponentSearch(pes.pairs.size())
      .visit(
          0, // everything is found from here
          [](uint32_t) { return 0; },
          [&](uint32_t p) { return pes.pairs[p].uses.size(); },
          [&](uint32_t p, uint32_t i) { return pes.pairs[p].uses[i]; },
          [&](ArrayRef<uint32_t> members) {
            // What is used is mostly found behind what uses it.
            found.emplace_back(members.rbegin(), members.rend());
          });
  return found;
}

FormulaId PesSolver::evaluate(const PesNode &node, ArrayRef<FormulaId> values,
                              uint32_t first) {
  auto child = [&](size_t i) { return values[node.children[i] - first]; };
  switch (node.kind) {
  case PesNode::Formula:
    return node.formula;
  case PesNode::Apply:
    return pool.substitute(result.predicates[node.pair].formula(), node.given);
  case PesNode::Substitute:
    return pool.substitute(child(0), node.given);
  case PesNode::And:
  case PesNode::Or: {
    FormulaId all = child(0);
    for (size_t i = 1; i < node.children.size(); ++i)
      all = pool.make(node.kind == PesNode::And ? ExprOp::And : ExprOp::Or, all,
                      child(i));
    return all;
  }
  case PesNode::Implies:
    return pool.make(ExprOp::Implies, child(0), child(1));
  case PesNode::ForAll:
    return forAll(node.bound, child(0));
  case PesNode::Exists:
    return exists(node.bound, child(0));
  }
  llvm_unreachable("no such node");
}

std::optional<FormulaId> PesSolver::evaluate(uint32_t number) {
  const PesPair &pair = pes.pairs[number];
  std::vector<FormulaId> values;
  weaker = false;
  for (uint32_t n = pair.firstNode; n < pair.endNode; ++n) {
    if (budget.spend(16))
      return std::nullopt;
    values.push_back(evaluate(pes.nodes[n], values, pair.firstNode));
  }
  return values.back();
}

Answer PesSolver::strengthen(uint32_t pair, bool cyclic) {
  SolvedPredicate &predicate = result.predicates[pair];
  std::optional<FormulaId> now = evaluate(pair);
  if (!now)
    return Answer::Unknown;
  FormulaId old = predicate.formula();
  FormulaId both = pool.normalized(pool.conjunction(old, *now));
  if (weaker) { // it still may show a violation
    predicate.versions.push_back({++stamp, both});
    return Answer::Unknown;
  }
  const size_t large = cyclic ? 40 : 200;
  const bool isLarge = pool.below(both).size() > large;
  if (isLarge && !askedReachable) {
    askedReachable = true;
    result.reachable = reachableData(pes, solver, options.limits);
  }
  FormulaId here =
      result.reachable.empty() ? pool.truth(true) : result.reachable[pair];
  // In a cycle it is asked whether it changed. What grows from cycle to cycle
  // is mostly about data that do not lead here.
  if (cyclic || (isLarge && !result.reachable.empty())) {
    Answer changed = solver.satisfiable(
        pool.conjunction(here, pool.conjunction(old, pool.negation(*now))));
    if (changed == Answer::No || (cyclic && changed == Answer::Unknown))
      return changed;
  }
  // Solvers take long to simplify what is large, and in a cycle it gets larger.
  if (cyclic && isLarge)
    both = solver.simplify(both).value_or(both);
  predicate.versions.push_back({++stamp, both});
  return Answer::Yes;
}

void PesSolver::stop(uint32_t pair, const Twine &why) {
  if (!result.stopped.empty())
    return;
  result.stopped = (why + ", at " + pes.name(pair)).str();
  result.stoppedAt = pair;
}

bool PesSolver::solve(ArrayRef<uint32_t> component) {
  bool cyclic = component.size() > 1 || dependsOnItself(component[0]);
  for (unsigned round = 0;; ++round) {
    bool changed = false;
    for (uint32_t pair : llvm::reverse(component)) {
      if (std::string limit = budget.look(pes.pairs.size(), memoryInUse());
          !limit.empty()) {
        stop(pair, limit);
        return false;
      }
      Answer answer = strengthen(pair, cyclic);
      if (answer == Answer::Unknown) {
        std::string limit = budget.look(0, memoryInUse());
        stop(pair, limit.empty() ? solver.silence() : limit);
        return false;
      }
      changed |= answer == Answer::Yes;
    }
    if (!cyclic || !changed)
      return true;
    if (round == options.maxRounds) {
      stop(component.front(),
           "no fixed point after " + Twine(options.maxRounds) + " rounds");
      return false;
    }
  }
}

PesSolution PesSolver::run() {
  result.predicates.assign(pes.pairs.size(), {{{0, pool.truth(true)}}});
  for (const std::vector<uint32_t> &component : order()) {
    // After a limit, only what needs no time: the rest stays `true`.
    if (budget.stopped() || !budget.look(0, memoryInUse()).empty()) {
      stop(component.front(), budget.look(0, memoryInUse()));
      break;
    }
    if (solve(component))
      result.solved += component.size();
  }
  return std::move(result);
}

PesSolution cif::solvePes(const Pes &pes, Solver &solver,
                          const SymbolicOptions &options) {
  return PesSolver(pes, solver, options).run();
}
