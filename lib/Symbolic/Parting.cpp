//===- Parting.cpp - Where implementation and choreography part -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Derives a run from the solution of the equations. If a predicate is false
/// for given values, one version of it was the first to be false, and some part
/// of its equation was false with the versions that the other predicates had at
/// that time. That part is a step that the other side cannot answer, or a step
/// after which an older version is false. So the versions along the run get
/// older, and the run ends.
///
/// The solver provides values that are not fixed yet. A run is one play of the
/// game: if the other side has several answers, it shows one of them.
///
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Conformance.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

namespace {

/// Both graphs at a moment, with the values of all variables.
struct Position {
  uint32_t s1, s2;
  Valuation values;
};

/// A silent way of one side.
struct SilentWay {
  uint32_t state;
  Valuation values;
  std::vector<const StgTransition *> steps;
  size_t before = SIZE_MAX; ///< the way that it continues
};
using Side = Pes::Side;

constexpr size_t maxWays = 4096; // of silent steps, with data

bool holds(const FormulaPool &pool, FormulaId formula,
           const Valuation &values) {
  return pool.evaluate(formula, values).value_or(0) != 0;
}

Valuation withFields(const StgTransition &t, const Valuation &values,
                     ArrayRef<DataNumber> fields) {
  Valuation all = values;
  for (size_t i = 0; i < t.fields.size() && i < fields.size(); ++i)
    all[t.fields[i].parameter] = fields[i];
  return all;
}

/// Whether a step is possible with these values of its fields.
bool possible(Pes &pes, const StgTransition &t, const Valuation &values,
              ArrayRef<DataNumber> fields) {
  Valuation all = withFields(t, values, fields);
  return holds(pes.pool, t.guard, values) &&
         holds(pes.pool, pes.carries(t, {}), all);
}

/// What variables have behind a step; false: a value could not be computed.
bool take(const FormulaPool &pool, const StgTransition &t, Valuation &values,
          ArrayRef<DataNumber> fields) {
  Valuation all = withFields(t, values, fields), after = values;
  for (const auto &[variable, value] : t.updates) {
    std::optional<DataNumber> number = pool.evaluate(value, all);
    if (!number)
      return false;
    after[variable] = *number;
  }
  values = std::move(after);
  return true;
}

/// All silent ways from a state, the shortest first. \p whole: these are all.
std::vector<SilentWay> silentWays(Pes &pes, Side of, uint32_t state,
                                  const Valuation &values, bool &whole) {
  std::vector<SilentWay> ways{{state, values, {}}};
  whole = true;
  for (size_t i = 0; i < ways.size(); ++i) {
    const SilentWay from = ways[i];
    for (const StgTransition &t : pes.graph(of).of(from.state)) {
      if (t.action != StgAction::Tau || !holds(pes.pool, t.guard, from.values))
        continue;
      SilentWay next{t.to, from.values, from.steps, i};
      next.steps.push_back(&t);
      if (!t.fields.empty() || ways.size() == maxWays ||
          !take(pes.pool, t, next.values, {})) {
        whole = false; // any value, or too many
        continue;
      }
      if (llvm::none_of(ways, [&](const SilentWay &w) {
            return w.state == next.state && w.values == next.values;
          }))
        ways.push_back(std::move(next));
    }
  }
  return ways;
}

class Search {
public:
  Search(Pes &pes, const PesSolution &solution, Solver &solver)
      : pes(pes), pool(pes.pool), solution(solution), solver(solver) {}
  std::optional<Parting> run(const Valuation &initial);

private:
  enum class Found : uint8_t { Nothing, Parted, Step };
  Found step();
  Found move(Side mover, const StgTransition &t, bool partOnly);
  Found silentMove(Side mover, const StgTransition &t);
  Found meet(const StgTransition &mover, ArrayRef<const SilentWay *> ways,
             ArrayRef<const StgTransition *> answers, bool specMoves,
             bool partOnly);
  bool passUnrelated(Side of, ArrayRef<SilentWay> ways, size_t to);
  Found alone(const StgTransition &t, bool isSpec,
              std::vector<DataNumber> values);
  void pass(Side of, const SilentWay &way);
  uint32_t &stateOf(Side side) {
    return side == Side::Implementation ? at.s1 : at.s2;
  }
  /// The formula of a state of \p by, and one of the other side.
  FormulaId relatedTo(Side by, uint32_t own, uint32_t other) const {
    return by == Side::Implementation ? related(own, other)
                                      : related(other, own);
  }
  Substitution constants(const Valuation &values);
  FormulaId related(uint32_t s1, uint32_t s2) const {
    uint32_t pair = pes.find(s1, s2);
    return pair == UINT32_MAX ? pool.truth(true)
                              : solution.predicates[pair].before(stamp);
  }
  FormulaId answered(const StgTransition &t, const StgTransition &u,
                     const Valuation &values, bool specMoves,
                     FormulaId &premise);
  std::vector<DataNumber> read(const StgTransition &t, const StgTransition &u,
                               const Valuation &model) const;

  Pes &pes;
  FormulaPool &pool;
  const PesSolution &solution;
  Solver &solver;
  Position at;
  uint64_t stamp = UINT64_MAX;
  Parting result;
};

} // namespace

Substitution Search::constants(const Valuation &values) {
  Substitution by;
  for (auto [v, value] : values)
    by[v] = pool.number(value, pool.variable(v).sort);
  return by;
}

/// With the values so far: \p premise, that the step that is taken may carry
/// its values, and that the answer may too and leads to something related.
FormulaId Search::answered(const StgTransition &t, const StgTransition &u,
                           const Valuation &values, bool specMoves,
                           FormulaId &premise) {
  SmallVector<VariableId, 1> bound;
  Substitution known = constants(values);
  Substitution ofSpec = pes.asIn(t, u, bound);
  for (auto [v, value] : known)
    ofSpec.try_emplace(v, value);
  FormulaId byImpl = pes.carries(t, known), bySpec = pes.carries(u, ofSpec);
  premise = specMoves ? bySpec : byImpl;
  Substitution after = Pes::behind(pool, t, known);
  for (const auto &[v, value] : Pes::behind(pool, u, ofSpec))
    if (!known.count(v) || llvm::any_of(u.updates, [&, w = v](const auto &x) {
          return x.first == w;
        }))
      after[v] = value;
  return pool.conjunction(specMoves ? byImpl : bySpec,
                          pool.substitute(related(t.to, u.to), after));
}

std::vector<DataNumber> Search::read(const StgTransition &t,
                                     const StgTransition &u,
                                     const Valuation &model) const {
  std::vector<DataNumber> values;
  for (size_t i = 0; i < std::max(t.fields.size(), u.fields.size()); ++i) {
    VariableId z =
        i < t.fields.size() ? t.fields[i].parameter : u.fields[i].parameter;
    auto found = model.find(z);
    DataSort sort = pool.variable(z).sort;
    // A field that does not matter: the first value there is.
    values.push_back(found != model.end() ? found->second
                     : sort.isEnum()      ? pool.literals(sort).front()
                     : sort == intData    ? pes.range.any()
                                          : 0);
  }
  return values;
}

Search::Found Search::alone(const StgTransition &t, bool isSpec,
                            std::vector<DataNumber> values) {
  PartingStep last;
  (isSpec ? last.choreography : last.implementation) = &t;
  last.values = std::move(values);
  result.steps.push_back(std::move(last));
  return Found::Parted;
}

static Side otherSide(Side side) {
  return side == Side::Implementation ? Side::Choreography
                                      : Side::Implementation;
}

/// The silent steps of a way, before what happens at its end.
void Search::pass(Side of, const SilentWay &way) {
  for (const StgTransition *t : way.steps)
    result.steps.push_back(of == Side::Implementation
                               ? PartingStep{t, nullptr, {}}
                               : PartingStep{nullptr, t, {}});
  stateOf(of) = way.state;
  at.values = way.values;
}

/// On the way to \p to, passes to a state that is not related to where the
/// other side is, if there is one. Then the answer at the end of the way does
/// not help.
bool Search::passUnrelated(Side of, ArrayRef<SilentWay> ways, size_t to) {
  uint32_t other = stateOf(otherSide(of));
  for (; to != SIZE_MAX && ways[to].before != SIZE_MAX; to = ways[to].before)
    if (!holds(pool, relatedTo(of, ways[to].state, other), ways[to].values)) {
      pass(of, ways[to]);
      return true;
    }
  return false;
}

/// A step and its possible answers: \p answers are of the other side, and the
/// way that leads to each stands at the same place of \p ways.
Search::Found Search::meet(const StgTransition &mover,
                           ArrayRef<const SilentWay *> ways,
                           ArrayRef<const StgTransition *> answers,
                           bool specMoves, bool partOnly) {
  if (mover.action == StgAction::Tick)
    return answers.empty() ? alone(mover, specMoves, {}) : Found::Nothing;
  FormulaId none = pes.carries(mover, constants(at.values));
  auto implOf = [&](size_t i) -> const StgTransition & {
    return specMoves ? *answers[i] : mover;
  };
  auto specOf = [&](size_t i) -> const StgTransition & {
    return specMoves ? mover : *answers[i];
  };
  std::vector<FormulaId> wrong; // of each answer: a value for which it is
  for (size_t i = 0; i < answers.size(); ++i) {
    FormulaId premise;
    FormulaId good =
        answered(implOf(i), specOf(i), ways[i]->values, specMoves, premise);
    wrong.push_back(pool.conjunction(premise, pool.negation(good)));
    none = pool.conjunction(i ? none : premise, pool.negation(good));
  }
  Valuation model;
  Answer any = solver.satisfiable(none, &model);
  if (answers.empty())
    return any == Answer::Yes
               ? alone(mover, specMoves, read(mover, mover, model))
               : Found::Nothing;
  size_t chosen = 0;
  bool late = any != Answer::Yes;
  if (late) { // each answer is wrong for a value of its own, or all is well
    for (size_t i = answers.size(); i-- > 0;) {
      model.clear(); // that of the first answer is left
      if (solver.satisfiable(wrong[i], &model) != Answer::Yes)
        return Found::Nothing;
    }
  }
  std::vector<DataNumber> values = read(implOf(chosen), specOf(chosen), model);
  auto accepts = [&](size_t i) {
    return possible(pes, *answers[i], ways[i]->values, values);
  };
  if (!late)
    while (chosen < answers.size() && !accepts(chosen))
      ++chosen;
  if (chosen == answers.size() || !accepts(chosen)) {
    if (late)
      result.lateAnswer = answers[chosen];
    return alone(mover, specMoves, std::move(values));
  }
  if (partOnly)
    return Found::Nothing;
  const StgTransition &t = implOf(chosen), &u = specOf(chosen);
  pass(specMoves ? Side::Implementation : Side::Choreography, *ways[chosen]);
  if (!take(pool, t, at.values, values) || !take(pool, u, at.values, values))
    return Found::Nothing;
  result.steps.push_back({&t, &u, std::move(values)});
  at.s1 = t.to;
  at.s2 = u.to;
  return Found::Step;
}

/// A step that is no silent one, and how the other side answers it.
Search::Found Search::move(Side mover, const StgTransition &t, bool partOnly) {
  if (!holds(pool, t.guard, at.values))
    return Found::Nothing;
  const Side by = otherSide(mover);
  bool whole;
  std::vector<SilentWay> all =
      silentWays(pes, by, stateOf(by), at.values, whole);
  std::vector<const SilentWay *> ways;
  std::vector<const StgTransition *> answers;
  for (const SilentWay &way : all)
    for (const StgTransition &u : pes.graph(by).of(way.state))
      if (u.action == t.action && u.label == t.label &&
          holds(pool, u.guard, way.values)) {
        ways.push_back(&way);
        answers.push_back(&u);
      }
  if (!partOnly)
    for (const SilentWay *way : ways)
      if (passUnrelated(by, all, way - all.data()))
        return Found::Step;
  return whole ? meet(t, ways, answers, mover == Side::Choreography, partOnly)
               : Found::Nothing;
}

/// A silent step, after which the other side is where it was. It could answer
/// with silent steps of its own: none of them may help.
Search::Found Search::silentMove(Side mover, const StgTransition &t) {
  if (!holds(pool, t.guard, at.values))
    return Found::Nothing;
  const Side by = otherSide(mover);
  bool whole;
  std::vector<SilentWay> ways =
      silentWays(pes, by, stateOf(by), at.values, whole);
  FormulaId wrong = pes.carries(t, constants(at.values));
  std::vector<FormulaId> arrived;
  for (const SilentWay &way : ways) {
    // Steps of the one side do not change what the other has.
    Substitution known = constants(way.values);
    arrived.push_back(pool.substitute(relatedTo(mover, t.to, way.state),
                                      Pes::behind(pool, t, known)));
    wrong = pool.conjunction(wrong, pool.negation(arrived.back()));
  }
  Valuation model;
  if (solver.satisfiable(wrong, &model) != Answer::Yes) {
    for (size_t i = 1; i < ways.size(); ++i)
      if (!pool.is(arrived[i], false) &&
          passUnrelated(by, ways, ways[i].before))
        return Found::Step;
    return Found::Nothing;
  }
  if (!whole && mover == Side::Choreography)
    return Found::Nothing;
  std::vector<DataNumber> values = read(t, t, model);
  if (!take(pool, t, at.values, values))
    return Found::Nothing;
  result.steps.push_back(mover == Side::Implementation
                             ? PartingStep{&t, nullptr, std::move(values)}
                             : PartingStep{nullptr, &t, std::move(values)});
  stateOf(mover) = t.to;
  return Found::Step;
}

/// The next step from here. First those that the other side cannot answer at
/// all.
Search::Found Search::step() {
  for (bool partOnly : {true, false})
    for (bool silent : {false, true})
      for (Side mover : {Side::Implementation, Side::Choreography})
        for (const StgTransition &t : pes.graph(mover).of(stateOf(mover))) {
          if (!pes.counts(mover, t) || (t.action == StgAction::Tau) != silent ||
              (silent && partOnly))
            continue;
          Found found =
              silent ? silentMove(mover, t) : move(mover, t, partOnly);
          if (found != Found::Nothing)
            return found;
        }
  return Found::Nothing;
}

std::optional<Parting> Search::run(const Valuation &initial) {
  result.initial = initial;
  at = {pes.impl.initial, pes.spec.initial, initial};
  for (;;) {
    uint32_t pair = pes.find(at.s1, at.s2);
    if (pair == UINT32_MAX)
      return std::nullopt;
    // The first version that these values do not satisfy.
    uint64_t first = stamp;
    for (const auto &version : solution.predicates[pair].versions)
      if (version.stamp < stamp && !holds(pool, version.formula, at.values)) {
        first = version.stamp;
        break;
      }
    if (first == stamp)
      return std::nullopt;
    stamp = first;
    Found found = step();
    if (found == Found::Nothing) { // a silent step with any value is in the way
      stamp = UINT64_MAX;
      for (const StgTransition &t : pes.impl.of(at.s1))
        if (found == Found::Nothing && t.action == StgAction::Tau &&
            result.steps.size() < maxWays)
          found = silentMove(Side::Implementation, t);
    }
    switch (found) {
    case Found::Nothing:
      return std::nullopt;
    case Found::Parted:
      return std::move(result);
    case Found::Step:
      break;
    }
  }
}

std::optional<Parting> cif::findParting(Pes &pes, const PesSolution &solution,
                                        const Valuation &initial,
                                        Solver &solver) {
  return Search(pes, solution, solver).run(initial);
}

//===----------------------------------------------------------------------===//
// Replay
//===----------------------------------------------------------------------===//

/// Whether the step that one side takes alone can have no answer.
static bool parts(Pes &pes, const Parting &parting, const Position &at) {
  const PartingStep &last = parting.steps.back();
  bool bySpec = last.choreography;
  const StgTransition &t = bySpec ? *last.choreography : *last.implementation;
  if (t.from != (bySpec ? at.s2 : at.s1) ||
      !possible(pes, t, at.values, last.values))
    return false;
  auto answers = [&](const StgTransition &other, const Valuation &values) {
    if (other.action != t.action || other.label != t.label ||
        (parting.lateAnswer && parting.lateAnswer != &other))
      return false;
    return possible(pes, other, values, last.values);
  };
  const Side by = bySpec ? Side::Implementation : Side::Choreography;
  bool whole;
  for (const SilentWay &way :
       silentWays(pes, by, bySpec ? at.s1 : at.s2, at.values, whole))
    for (const StgTransition &other : pes.graph(by).of(way.state))
      if (answers(other, way.values))
        return false;
  return whole;
}

bool cif::replayParting(Pes &pes, const Parting &parting) {
  if (parting.steps.empty())
    return false;
  Position at{pes.impl.initial, pes.spec.initial, parting.initial};
  for (const PartingStep &step : ArrayRef(parting.steps).drop_back()) {
    const StgTransition *t = step.implementation, *u = step.choreography;
    // Silent steps are taken alone, and all others together.
    const StgTransition *any = t ? t : u;
    if (!any || (any->action == StgAction::Tau) == (t && u) ||
        (t && u && t->label != u->label))
      return false;
    for (const StgTransition *one : {t, u}) {
      uint32_t &state = one == t ? at.s1 : at.s2;
      if (!one)
        continue;
      if (one->from != state || !possible(pes, *one, at.values, step.values) ||
          !take(pes.pool, *one, at.values, step.values))
        return false;
      state = one->to;
    }
  }
  return parts(pes, parting, at);
}

std::vector<CarriedValue> cif::carriedValues(Pes &pes, const Parting &parting) {
  FormulaPool &pool = pes.pool;
  std::vector<CarriedValue> all;
  uint32_t step = 0;
  auto addHidden = [&](const StgTransition &t, const Valuation &values) {
    for (uint32_t i = 0; i < t.carried.size(); ++i)
      if (auto value = pool.evaluate(t.carried[i], values))
        all.push_back({&t, step, i, pool[t.carried[i]].sort, *value});
  };
  Valuation now = parting.initial;
  for (; step < parting.steps.size(); ++step) {
    const PartingStep &of = parting.steps[step];
    for (const StgTransition *t : {of.implementation, of.choreography}) {
      if (!t)
        continue;
      if (t->action == StgAction::Tau)
        addHidden(*t, withFields(*t, now, of.values));
      else
        for (uint32_t i = 0; i < t->fields.size() && i < of.values.size(); ++i)
          all.push_back({t, step, i, pool.variable(t->fields[i].parameter).sort,
                         of.values[i]});
      take(pool, *t, now, of.values);
    }
  }
  for (const StgTransition &t : pes.impl.transitions)
    if (t.action == StgAction::Tau)
      addHidden(t, parting.initial);
  return all;
}
