//===- Reachable.cpp - What is true where a pair is reached ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In a product everybody tests its own copy of a value. So one part may go on
/// in a loop where another has left it, as far as the graph says; no data lead
/// there. Over a network such pairs outnumber the others, and their predicates
/// grow with each loop behind them, although nobody needs them.
///
/// For each pair a set of facts is kept that are true whenever it is reached:
/// what guards have tested, and which variables are equal because they were
/// given one value. Where ways meet, what all of them know is left, so that
/// sets only shrink and the search ends. A step whose guard contradicts the
/// facts is not followed.
///
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Conformance.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetOperations.h"
#include <set>

using namespace cif;

namespace {

using Facts = std::set<FormulaId>;

class Reachable {
public:
  Reachable(const Pes &pes, Solver &solver, const Limits &limits)
      : pes(pes), pool(pes.pool), solver(solver), budget(limits),
        known(pes.pairs.size()) {}
  std::vector<FormulaId> run();

private:
  std::vector<StgTransition> steps(uint32_t pair);
  bool possible(const StgTransition &t);
  std::vector<FormulaId> assumed(const StgTransition &t);
  Facts behind(const StgTransition &t);
  bool follow();
  VariableId leader(VariableId v);
  /// The two variables that \p fact says are equal.
  std::optional<std::pair<VariableId, VariableId>> equal(FormulaId fact) const;
  std::vector<VariableId> variablesIn(FormulaId formula) const {
    std::vector<VariableId> used;
    pool.collect(formula, used);
    return used;
  }
  void add(FormulaId fact, Facts &to) {
    if (to.size() < mostFacts && !pool.isLiteral(fact))
      to.insert(fact);
  }
  std::optional<FormulaId> carried(FormulaId formula);
  void addCarried(FormulaId fact, Facts &to);

  static constexpr size_t mostFacts = 64, largestFact = 24;

  const Pes &pes;
  FormulaPool &pool;
  Solver &solver;
  Budget budget;
  std::vector<std::optional<Facts>> known; ///< of each pair; none: unreached
  std::map<FormulaId, bool> answers;
  // Of the step that is taken:
  std::map<VariableId, VariableId> leaders; ///< of variables that are equal
  /// Of each leader: which variables have its value behind the step.
  std::map<VariableId, SmallVector<VariableId, 2>> heirs;
};

} // namespace

std::optional<std::pair<VariableId, VariableId>>
Reachable::equal(FormulaId fact) const {
  const FormulaPool::Node node = pool[fact];
  if (node.op != ExprOp::Equal || pool[node.lhs].op != ExprOp::Variable ||
      pool[node.rhs].op != ExprOp::Variable)
    return std::nullopt;
  return std::pair(variablesIn(node.lhs).front(),
                   variablesIn(node.rhs).front());
}

VariableId Reachable::leader(VariableId v) {
  for (auto at = leaders.find(v); at != leaders.end(); at = leaders.find(v))
    v = at->second;
  return v;
}

/// What is true before \p t where it is taken.
std::vector<FormulaId> Reachable::assumed(const StgTransition &t) {
  const Facts &facts = *known[t.from];
  std::vector<FormulaId> all(facts.begin(), facts.end());
  llvm::append_range(all, pool.conjuncts(t.guard));
  if (t.allows)
    llvm::append_range(all, pool.conjuncts(t.allows));
  for (const StgField &field : t.fields)
    if (field.value)
      all.push_back(
          pool.make(ExprOp::Equal, pool.var(field.parameter), field.value));
  return all;
}

bool Reachable::possible(const StgTransition &t) {
  if (pool.isLiteral(t.guard))
    return pool.is(t.guard, true);
  std::vector<VariableId> used = variablesIn(t.guard);
  FormulaId all = t.guard;
  for (FormulaId fact : *known[t.from])
    if (llvm::any_of(variablesIn(fact),
                     [&](VariableId v) { return llvm::is_contained(used, v); }))
      all = pool.conjunction(all, fact);
  if (all == t.guard)
    return true;
  auto [at, isNew] = answers.try_emplace(all, true);
  if (isNew)
    at->second = solver.satisfiable(all) != Answer::No;
  return at->second;
}

/// \p formula in terms of what variables are called behind the step; nothing:
/// some value is forgotten.
std::optional<FormulaId> Reachable::carried(FormulaId formula) {
  Substitution renamed;
  for (VariableId v : variablesIn(formula)) {
    auto found = heirs.find(leader(v));
    if (found == heirs.end())
      return std::nullopt;
    renamed[v] = pool.var(found->second.front());
  }
  return pool.substitute(formula, renamed);
}

/// Adds \p fact; of one variable, for each that is equal.
void Reachable::addCarried(FormulaId fact, Facts &to) {
  std::optional<FormulaId> after = carried(fact);
  if (!after || pool.below(fact).size() > largestFact)
    return;
  add(*after, to);
  std::vector<VariableId> used = variablesIn(fact);
  if (used.size() == 1)
    for (VariableId heir : ArrayRef(heirs[leader(used[0])]).drop_front())
      add(pool.substitute(fact, {{used[0], pool.var(heir)}}), to);
}

Facts Reachable::behind(const StgTransition &t) {
  leaders.clear();
  heirs.clear();
  const std::vector<FormulaId> before = assumed(t);
  for (FormulaId fact : before)
    if (auto same = equal(fact)) {
      VariableId a = leader(same->first), b = leader(same->second);
      if (a != b)
        leaders[std::max(a, b)] = std::min(a, b);
    }
  std::vector<std::pair<VariableId, FormulaId>> computed;
  for (VariableId v : pes.pairs[t.to].variables) {
    auto update = llvm::find_if(
        t.updates, [&](const auto &given) { return given.first == v; });
    if (update == t.updates.end())
      heirs[leader(v)].push_back(v);
    else if (pool[update->second].op == ExprOp::Variable)
      heirs[leader(variablesIn(update->second).front())].push_back(v);
    else
      computed.emplace_back(v, update->second);
  }
  Facts after;
  for (const auto &[of, all] : heirs)
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        add(pool.make(ExprOp::Equal, pool.var(all[j]), pool.var(all[i])),
            after);
  for (FormulaId fact : before)
    if (!equal(fact))
      addCarried(fact, after);
  for (auto [v, value] : computed)
    if (std::optional<FormulaId> now = carried(value))
      add(pool.make(ExprOp::Equal, pool.var(v), *now), after);
  return after;
}

/// What happens to both sides at once, as steps from pair to pair.
std::vector<StgTransition> Reachable::steps(uint32_t pair) {
  std::vector<StgTransition> all;
  auto add = [&](StgTransition step, uint32_t s1, uint32_t s2) {
    step.from = pair;
    step.to = pes.find(s1, s2);
    if (step.to != UINT32_MAX)
      all.push_back(std::move(step));
  };
  const PesPair &at = pes.pairs[pair];
  for (const StgTransition &u : pes.spec.of(at.choreography))
    if (u.action == StgAction::Tau)
      add(u, at.implementation, u.to);
  for (const StgTransition &t : pes.impl.of(at.implementation)) {
    if (t.action == StgAction::Tau)
      add(t, t.to, at.choreography);
    if (t.action != StgAction::Exchange)
      continue;
    for (const StgTransition &u : pes.spec.of(at.choreography)) {
      if (u.action != t.action || u.label != t.label)
        continue;
      StgTransition both = t;
      Substitution same;
      for (size_t i = 0; i < u.fields.size(); ++i) {
        if (i < t.fields.size())
          same[u.fields[i].parameter] = pool.var(t.fields[i].parameter);
        else
          both.fields.push_back(u.fields[i]);
      }
      both.guard = pool.conjunction(t.guard, u.guard);
      for (const auto &[v, value] : u.updates)
        both.updates.emplace_back(v, pool.substitute(value, same));
      add(std::move(both), t.to, u.to);
    }
  }
  return all;
}

/// Finds the facts of all pairs; false: a limit.
bool Reachable::follow() {
  known[0].emplace();
  std::vector<uint32_t> work{0};
  while (!work.empty()) {
    uint32_t at = work.back();
    work.pop_back();
    for (const StgTransition &t : steps(at)) {
      if (budget.spend(16) || !budget.look(0, memoryInUse()).empty())
        return false;
      if (!possible(t))
        continue;
      Facts next = behind(t);
      std::optional<Facts> &old = known[t.to];
      if (old)
        llvm::set_intersect(next, *old);
      if (!old || next.size() < old->size()) {
        old = std::move(next);
        work.push_back(t.to);
      }
    }
  }
  return true;
}

std::vector<FormulaId> Reachable::run() {
  std::vector<FormulaId> all;
  if (!follow())
    return all;
  for (const std::optional<Facts> &facts : known) {
    FormulaId together = pool.truth(facts.has_value());
    if (facts)
      for (FormulaId fact : *facts)
        together = pool.conjunction(together, fact);
    all.push_back(together);
  }
  return all;
}

std::vector<FormulaId> cif::reachableData(const Pes &pes, Solver &solver,
                                          const Limits &limits) {
  return Reachable(pes, solver, limits).run();
}
