//===- Views.cpp - What participants can tell from what they see ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The projection of a choreography in which participants use everything that
/// they can infer. A participant has seen a sequence of exchanges with their
/// values, its view; it may take a step with some values if some run of the
/// choreography with this view has the step next. Any peers that can take part
/// in all runs of the choreography can do at least this much; the peers made
/// here do no more.
///
/// This is the subset construction with formulas for sets: a state holds, for
/// each state in which the choreography may be, a formula over the variables
/// that matter there and cells, in which the participant keeps the values that
/// it has seen. What it has not seen is eliminated (`there is`), so that guards
/// depend only on cells: a participant that has received `x + 1` as `n` decides
/// by `n > 4` where the choreography decides by `x > 3`.
///
/// Whoever sees everything has the traces of the choreography and nothing else
/// of it: branches that begin alike are one until they differ.
///
/// States with equivalent formulas are merged. Without loops there are finitely
/// many. With loops there may be infinitely many: guards and sums make
/// choreographies as expressive as counter machines, so it is undecidable what
/// can be inferred.
///
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Conformance.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace cif;

namespace {

/// Where the choreography may be, and with which data.
using Belief = std::map<uint32_t, FormulaId>;

class View {
public:
  View(Pes &pes, StringRef who, Solver &solver, const Limits &limits)
      : spec(pes.spec), pes(pes), pool(pes.pool), who(who), solver(solver),
        budget(limits) {}
  Outcome<Stg> run();

private:
  bool sees(const StgTransition &u) const {
    return who.empty() || u.label.sender == who || u.label.receiver == who;
  }
  /// For people; who sees everything has no name.
  std::string whoText() const {
    return who.empty() ? "an observer" : "'" + who.str() + "'";
  }
  /// `there are values of bound with formula`.
  FormulaId exists(SmallVector<VariableId, 4> bound, FormulaId formula);
  /// What is known of the data behind \p u. \p cells: its fields, if seen.
  FormulaId behind(FormulaId before, const StgTransition &u,
                   ArrayRef<VariableId> cells);
  /// Adds that the choreography may be in \p state; whether that is new.
  bool add(Belief &belief, uint32_t state, FormulaId formula);
  /// Adds what happens unseen.
  void close(Belief &belief);
  /// Leaves out what holds of the cells wherever the choreography is.
  void forgetCommon(Belief &belief);
  /// Leaves out cells whose values do not matter any more.
  void forgetCells(Belief &belief);
  bool isEquivalent(const Belief &a, const Belief &b);
  uint32_t number(Belief belief);
  std::vector<VariableId> variablesIn(const Belief &belief) const;
  /// Another variable like \p v, always the same one.
  VariableId copyOf(VariableId v);
  VariableId cell(const StgLabel &label, size_t field, const StgTransition &u,
                  ArrayRef<VariableId> inUse);
  void steps(uint32_t from);
  void see(uint32_t from, const StgLabel &label);
  void tick(uint32_t from);

  static constexpr size_t mostStates = 2000, mostUnseen = 500, mostCopies = 8;

  const Stg &spec;
  Pes &pes;
  FormulaPool &pool;
  StringRef who; ///< empty: somebody who sees everything
  Solver &solver;
  Budget budget;
  Stg stg;
  std::vector<Belief> beliefs;
  std::map<Belief, uint32_t> numbers;
  std::map<std::tuple<StgLabel, size_t, size_t>, VariableId> cells;
  std::map<VariableId, VariableId> copies;
  std::set<VariableId> areCells;
  std::string stopped;
};

} // namespace

FormulaId View::exists(SmallVector<VariableId, 4> bound, FormulaId formula) {
  std::vector<VariableId> used;
  pool.collect(formula, used);
  llvm::erase_if(bound,
                 [&](VariableId v) { return !llvm::is_contained(used, v); });
  if (bound.empty() || !stopped.empty())
    return formula;
  std::optional<FormulaId> none = solver.forAll(bound, pool.negation(formula));
  bool exact = true;
  if (!none)
    none =
        forAllByInstances(pool, solver, bound, pool.negation(formula), exact);
  if (!exact) {
    stopped = solver.limit.empty()
                  ? "the solver cannot tell what " + whoText() +
                        " knows from what it has seen"
                  : solver.limit;
    return formula;
  }
  return pool.negation(*none);
}

FormulaId View::behind(FormulaId before, const StgTransition &u,
                       ArrayRef<VariableId> seen) {
  SmallVector<VariableId, 4> bound;
  Substitution old; // what u changes, or nobody needs any more
  auto isUpdated = [&](VariableId v) {
    return llvm::any_of(u.updates,
                        [&](const auto &update) { return update.first == v; });
  };
  for (VariableId v : spec.free[u.from])
    if (isUpdated(v) || !llvm::is_contained(spec.free[u.to], v)) {
      VariableId was = copyOf(v);
      old[v] = pool.var(was);
      bound.push_back(was);
    }
  for (size_t i = 0; i < u.fields.size(); ++i) {
    if (i < seen.size())
      old[u.fields[i].parameter] = pool.var(seen[i]);
    else
      bound.push_back(u.fields[i].parameter);
  }
  FormulaId formula =
      pool.conjunction(pool.conjunction(pool.substitute(before, old),
                                        pool.substitute(u.guard, old)),
                       pes.carries(u, old));
  for (const auto &[v, value] : u.updates)
    formula = pool.conjunction(formula, pool.make(ExprOp::Equal, pool.var(v),
                                                  pool.substitute(value, old)));
  return exists(std::move(bound), formula);
}

bool View::add(Belief &belief, uint32_t state, FormulaId formula) {
  if (!stopped.empty() || pool.is(formula, false))
    return false;
  auto [at, isNew] = belief.try_emplace(state, pool.truth(false));
  FormulaId more = pool.conjunction(formula, pool.negation(at->second));
  Answer grows = solver.satisfiable(more);
  if (grows == Answer::Unknown)
    stopped = solver.silence();
  if (grows == Answer::Yes)
    at->second = isNew ? formula : pool.make(ExprOp::Or, at->second, formula);
  else if (isNew)
    belief.erase(at);
  return grows == Answer::Yes;
}

void View::close(Belief &belief) {
  std::vector<uint32_t> work;
  for (const auto &entry : belief)
    work.push_back(entry.first);
  for (size_t round = 0; !work.empty() && stopped.empty(); ++round) {
    if (round == mostUnseen)
      stopped = "what " + whoText() + " knows changes in each round of a loop";
    uint32_t at = work.back();
    work.pop_back();
    for (const StgTransition &u : spec.of(at))
      if (u.action == StgAction::Exchange && !sees(u) &&
          add(belief, u.to, behind(belief[at], u, {})))
        work.push_back(u.to);
  }
}

void View::forgetCommon(Belief &belief) {
  auto ofCells = [&](FormulaId part) {
    std::vector<VariableId> used;
    pool.collect(part, used);
    return llvm::all_of(used, [&](VariableId v) { return areCells.count(v); });
  };
  std::optional<std::set<FormulaId>> common;
  for (const auto &entry : belief) {
    std::set<FormulaId> own;
    for (FormulaId part : pool.conjuncts(entry.second))
      if ((!common || common->count(part)) && ofCells(part))
        own.insert(part);
    common = std::move(own);
  }
  for (auto &entry : belief) {
    FormulaId rest = pool.truth(true);
    for (FormulaId part : pool.conjuncts(entry.second))
      if (!common->count(part))
        rest = pool.conjunction(rest, part);
    entry.second = rest;
  }
}

/// Of values that a cell may have, no two lead to different beliefs: then it
/// does not matter which one it has.
void View::forgetCells(Belief &belief) {
  FormulaId possible = pool.truth(false);
  for (const auto &entry : belief) {
    const std::vector<VariableId> &free = spec.free[entry.first];
    possible = pool.make(ExprOp::Or, possible,
                         exists({free.begin(), free.end()}, entry.second));
  }
  for (VariableId c : variablesIn(belief)) {
    if (!areCells.count(c) || !stopped.empty())
      continue;
    Substitution other{{c, pool.var(copyOf(c))}};
    if (llvm::any_of(belief, [&](const auto &entry) {
          FormulaId differs =
              pool.conjunction(pool.substitute(entry.second, other),
                               pool.negation(entry.second));
          return solver.satisfiable(pool.conjunction(possible, differs)) !=
                 Answer::No;
        }))
      continue;
    for (auto &entry : belief)
      entry.second = exists({c}, entry.second);
    possible = exists({c}, possible);
  }
}

std::vector<VariableId> View::variablesIn(const Belief &belief) const {
  std::vector<VariableId> used;
  for (const auto &entry : belief)
    pool.collect(entry.second, used);
  llvm::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

bool View::isEquivalent(const Belief &a, const Belief &b) {
  for (auto x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y)
    if (x->first != y->first)
      return false;
  for (auto x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y)
    if (x->second != y->second &&
        solver.satisfiable(pool.make(ExprOp::NotEqual, x->second, y->second)) !=
            Answer::No)
      return false;
  return true;
}

uint32_t View::number(Belief belief) {
  forgetCommon(belief);
  forgetCells(belief);
  if (auto known = numbers.find(belief); known != numbers.end())
    return known->second;
  for (uint32_t i = 0; i < beliefs.size() && stopped.empty(); ++i)
    if (beliefs[i].size() == belief.size() &&
        variablesIn(beliefs[i]) == variablesIn(belief) &&
        isEquivalent(beliefs[i], belief))
      return numbers[belief] = i;
  if (beliefs.size() == mostStates)
    stopped = "what " + whoText() + " may know of the data takes more than " +
              std::to_string(mostStates) + " cases";
  uint32_t made = static_cast<uint32_t>(beliefs.size());
  numbers[belief] = made;
  beliefs.push_back(std::move(belief));
  return made;
}

VariableId View::copyOf(VariableId v) {
  auto [at, isNew] = copies.try_emplace(v);
  if (isNew) {
    const DataVariable of = pool.variable(v);
    at->second = pool.makeVariable(of.name, of.owner, of.sort);
  }
  return at->second;
}

/// A variable for a value that is seen, other than those that are needed.
VariableId View::cell(const StgLabel &label, size_t field,
                      const StgTransition &u, ArrayRef<VariableId> inUse) {
  for (size_t copy = 0; copy < mostCopies; ++copy) {
    auto [at, isNew] = cells.try_emplace({label, field, copy});
    if (isNew) {
      const DataVariable of = pool.variable(u.fields[field].parameter);
      at->second = pool.makeVariable(of.name, who, of.sort);
      areCells.insert(at->second);
    }
    if (!llvm::is_contained(inUse, at->second))
      return at->second;
  }
  stopped = "what " + whoText() +
            " knows depends on more and more values that it has seen";
  return cells[{label, field, 0}];
}

/// The participant's step with \p label.
void View::see(uint32_t from, const StgLabel &label) {
  const Belief now = beliefs[from];
  const std::vector<VariableId> inUse = variablesIn(now);
  Belief next;
  SmallVector<VariableId, 2> seen;
  const StgTransition *shown = nullptr;
  for (const auto &entry : now)
    for (const StgTransition &u : spec.of(entry.first)) {
      if (u.action != StgAction::Exchange || u.label != label)
        continue;
      if (!shown || shown->fields.size() < u.fields.size())
        shown = &u;
      for (size_t i = seen.size(); i < u.fields.size(); ++i)
        seen.push_back(cell(label, i, u, inUse));
      add(next, u.to, behind(entry.second, u, seen));
    }
  if (next.empty() || !stopped.empty())
    return;
  FormulaId allowed = pool.truth(false);
  for (const auto &entry : next) {
    SmallVector<VariableId, 4> hidden(spec.free[entry.first].begin(),
                                      spec.free[entry.first].end());
    allowed = pool.make(ExprOp::Or, allowed, exists(hidden, entry.second));
  }
  StgTransition t;
  t.from = from;
  t.at = shown->at;
  t.label = label;
  t.action = who.empty()           ? StgAction::Exchange
             : label.sender == who ? StgAction::Send
                                   : StgAction::Receive;
  Substitution carried;
  for (VariableId c : seen) {
    VariableId z = copyOf(c);
    t.fields.push_back({z, FormulaId()});
    carried[c] = pool.var(z);
    t.updates.emplace_back(c, pool.var(z));
  }
  t.guard = exists({seen.begin(), seen.end()}, allowed);
  t.allows = pool.substitute(allowed, carried);
  close(next);
  t.to = number(std::move(next));
  stg.transitions.push_back(std::move(t));
}

void View::tick(uint32_t from) {
  FormulaId may = pool.truth(false);
  for (const auto &entry : Belief(beliefs[from]))
    for (const StgTransition &u : spec.of(entry.first))
      if (u.action == StgAction::Tick)
        may = pool.make(ExprOp::Or, may,
                        exists({spec.free[entry.first].begin(),
                                spec.free[entry.first].end()},
                               pool.conjunction(entry.second, u.guard)));
  if (pool.is(may, false))
    return;
  StgTransition t;
  t.from = from;
  t.guard = may;
  t.action = StgAction::Tick;
  t.to = number({});
  stg.transitions.push_back(std::move(t));
}

void View::steps(uint32_t from) {
  std::set<StgLabel> labels;
  for (const auto &entry : beliefs[from])
    for (const StgTransition &u : spec.of(entry.first))
      if (u.action == StgAction::Exchange && sees(u))
        labels.insert(u.label);
  for (const StgLabel &label : labels)
    see(from, label);
  tick(from);
}

Outcome<Stg> View::run() {
  stg.name = who.str();
  for (const std::vector<VariableId> &free : spec.free)
    for (VariableId v : free)
      copyOf(v); // all at once: a solver does not like new variables
  Belief first{{spec.initial, pool.truth(true)}};
  close(first);
  number(std::move(first));
  for (uint32_t s = 0; s < beliefs.size() && stopped.empty(); ++s) {
    steps(s);
    std::string limit = budget.exceeded(beliefs.size(), memoryInUse());
    if (!limit.empty())
      stopped = limit;
  }
  if (!stopped.empty())
    return Stopped{stopped};
  stg.finish(pool, beliefs.size());
  return std::move(stg);
}

Outcome<Stg> cif::tracesOf(Pes &pes, Solver &solver, const Limits &limits) {
  Outcome<Stg> traces = View(pes, "", solver, limits).run();
  if (traces)
    traces->name = pes.spec.name;
  return traces;
}

Outcome<std::vector<Stg>> cif::projectByViews(Pes &pes, Solver &solver,
                                              const Limits &limits) {
  std::set<std::string> participants;
  for (const StgLabel &label : alphabetOf(pes.spec))
    participants.insert({label.sender, label.receiver});
  std::vector<Stg> parts;
  for (const std::string &who : participants) {
    Outcome<Stg> part = View(pes, who, solver, limits).run();
    if (!part)
      return Outcome<std::vector<Stg>>::without(part);
    parts.push_back(std::move(*part));
  }
  return parts;
}
