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
#include "llvm/ADT/STLExtras.h"

using namespace cif;

SymbolicVerdict cif::decideConformance(Pes &pes, const PesSolution &solution,
                                       Solver &solver,
                                       ArrayRef<int64_t> constants) {
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
    result.stopped =
        solution.stopped.empty() ? solver.silence() : solution.stopped;
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
  if (!result.parting) {
    result.verdict = Verdict::Inconclusive;
    result.stopped = solution.stopped.empty()
                         ? "the equations say that it does not hold for all "
                           "data, but no 64-bit values were found that show it"
                         : solution.stopped;
    return result;
  }
  if (solution.stopped.empty()) {
    FormulaId where = pool.conjunction(possible, related);
    Answer sometimes = solver.satisfiable(where);
    if (sometimes == Answer::No)
      result.constraint = pool.truth(false);
    else if (sometimes == Answer::Yes)
      result.constraint =
          readableConstraint(pool, solver, related, possible, constants);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Decisions of a choreography
//===----------------------------------------------------------------------===//

/// Whether at most one of the decisions in \p state can be taken, and nothing
/// else: then data settle the choice, and its step need not be seen.
static bool isSettled(const Stg &stg, uint32_t state, FormulaPool &pool,
                      Solver &solver) {
  ArrayRef<StgTransition> all = stg.of(state);
  for (const StgTransition &a : all)
    if (a.action != StgAction::Tau || !a.decides)
      return false;
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (solver.satisfiable(pool.conjunction(all[i].guard, all[j].guard)) !=
          Answer::No)
        return false;
  return true;
}

Outcome<Stg> cif::withoutSilence(const Stg &stg, FormulaPool &pool,
                                 function_ref<bool(uint32_t)> passes) {
  constexpr size_t maxWays = 65536;
  struct Way {
    uint32_t state;
    FormulaId guard;
    size_t before; ///< the way that it continues
  };
  Stg result = stg;
  result.transitions.clear();
  for (uint32_t s = 0; s < stg.numStates(); ++s) {
    std::vector<Way> ways{{s, pool.truth(true), SIZE_MAX}};
    for (size_t i = 0; i < ways.size(); ++i) {
      const Way way = ways[i];
      for (StgTransition t : stg.of(way.state)) {
        t.guard = pool.conjunction(way.guard, t.guard);
        if (t.action != StgAction::Tau || !passes(way.state)) {
          t.from = s;
          result.transitions.push_back(std::move(t));
          continue;
        }
        // Nothing is assigned on the way: coming back adds nothing.
        size_t k = i;
        while (k != SIZE_MAX && ways[k].state != t.to)
          k = ways[k].before;
        if (k == SIZE_MAX)
          ways.push_back({t.to, t.guard, i});
      }
      if (ways.size() > maxWays)
        return Stopped{"more than " + std::to_string(maxWays) +
                       " ways through choices that follow each other"};
    }
  }
  result.finish(pool, stg.numStates());
  return result;
}

Outcome<Stg> cif::withoutDecisions(const Stg &stg, FormulaPool &pool,
                                   Solver &solver) {
  std::vector<bool> settled;
  for (uint32_t s = 0; s < stg.numStates(); ++s)
    settled.push_back(isSettled(stg, s, pool, solver));
  return withoutSilence(stg, pool, [&](uint32_t s) { return settled[s]; });
}
