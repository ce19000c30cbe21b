//===- SameView.cpp - Runs that look alike to a participant ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In a projection, a participant that does not know the variables of a guard
/// may take its branch at any time. That may be more than necessary: what it
/// has seen may exclude the branch. A step of it counts against realizability
/// where some run of the choreography looks the same to it and has the step,
/// with values that the choreography does not allow in the first run: then any
/// peer that does everything that the choreography does takes the step in both
/// runs.
///
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Conformance.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

namespace {

/// What a participant sees of one exchange.
struct Seen {
  const StgLabel *label;
  ArrayRef<DataNumber> values; ///< empty: any
};

/// A run of the choreography as far as it was followed.
struct Alike {
  uint32_t state;
  size_t seen;     ///< of the view
  unsigned unseen; ///< exchanges in a row that the participant does not see
  Substitution values;
  FormulaId condition;
  /// Its exchanges, and what their fields carry.
  std::vector<std::pair<const StgTransition *, SmallVector<FormulaId, 2>>>
      steps;
};

class Search {
public:
  Search(Pes &pes, Solver &solver, StringRef participant,
         std::vector<Seen> view, std::vector<CarriedValue> &alike)
      : pes(pes), pool(pes.pool), solver(solver), participant(participant),
        view(std::move(view)), alike(alike) {}
  /// \p refused: that the choreography does not allow \p step, with the
  /// values of its fields, where the run is.
  Answer run(const StgTransition &step, ArrayRef<DataNumber> values,
             function_ref<FormulaId(ArrayRef<FormulaId>)> refused);

private:
  bool sees(const StgTransition &t) const {
    return t.label.sender == participant || t.label.receiver == participant;
  }
  /// Takes \p u with these values; false: it cannot be taken.
  bool take(const StgTransition &u, ArrayRef<DataNumber> values, Alike &at,
            function_ref<FormulaId(ArrayRef<FormulaId>)> refused = nullptr);
  void tell(const Alike &run);

  Pes &pes;
  FormulaPool &pool;
  Solver &solver;
  StringRef participant;
  std::vector<Seen> view;
  std::vector<CarriedValue> &alike;
  bool unknown = false;
};

} // namespace

bool Search::take(const StgTransition &u, ArrayRef<DataNumber> values,
                  Alike &at,
                  function_ref<FormulaId(ArrayRef<FormulaId>)> refused) {
  FormulaId guard = pool.substitute(u.guard, at.values);
  Substitution given = at.values;
  for (size_t i = 0; i < u.fields.size(); ++i) {
    VariableId z = u.fields[i].parameter;
    const DataVariable of = pool.variable(z);
    if (i < values.size())
      given[z] = pool.number(values[i], of.sort);
    else if (u.fields[i].value)
      given[z] = pool.substitute(u.fields[i].value, at.values);
    else
      given[z] = pool.var(pool.makeVariable(of.name, of.owner, of.sort));
  }
  at.condition = pool.conjunction(
      at.condition, pool.conjunction(guard, pes.carries(u, given)));
  SmallVector<FormulaId, 2> carried;
  for (const StgField &field : u.fields)
    carried.push_back(given[field.parameter]);
  if (refused)
    at.condition = pool.conjunction(at.condition, refused(carried));
  Answer possible = solver.satisfiable(at.condition);
  unknown |= possible == Answer::Unknown;
  if (possible != Answer::Yes)
    return false;
  at.values = Pes::behind(pool, u, given);
  at.state = u.to;
  at.steps.emplace_back(&u, std::move(carried));
  return true;
}

/// Values with which \p run is possible.
void Search::tell(const Alike &run) {
  Valuation model;
  solver.satisfiable(run.condition, &model);
  for (const auto &[u, carried] : run.steps)
    for (uint32_t i = 0; i < carried.size(); ++i)
      if (auto value = pool.evaluate(carried[i], model))
        alike.push_back({u, 0, i, pool[carried[i]].sort, *value});
}

Answer Search::run(const StgTransition &step, ArrayRef<DataNumber> values,
                   function_ref<FormulaId(ArrayRef<FormulaId>)> refused) {
  constexpr size_t most = 2000;
  constexpr unsigned mostUnseen = 40;
  std::vector<Alike> work{{pes.spec.initial, 0, 0, {}, pool.truth(true), {}}};
  for (size_t tried = 0; !work.empty(); ++tried) {
    if (tried == most)
      return Answer::Unknown;
    const Alike at = std::move(work.back());
    work.pop_back();
    for (const StgTransition &u : pes.spec.of(at.state)) {
      bool isStep = at.seen == view.size() && u.action == step.action &&
                    u.label == step.label;
      Alike next = at;
      if (isStep && take(u, values, next, refused)) {
        tell(next);
        return Answer::Yes;
      }
      if (u.action != StgAction::Exchange)
        continue;
      next = at;
      next.unseen = sees(u) ? 0 : at.unseen + 1;
      if (next.unseen > mostUnseen) {
        unknown = true;
        continue;
      }
      ArrayRef<DataNumber> carries;
      if (sees(u)) {
        if (at.seen == view.size() || *view[at.seen].label != u.label)
          continue;
        carries = view[next.seen++].values;
      }
      if (take(u, carries, next))
        work.push_back(std::move(next));
    }
  }
  return unknown ? Answer::Unknown : Answer::No;
}

/// What \p participant has seen at the end of \p run. A reception brings the
/// values of the send of the same number. Nothing: messages may have overtaken
/// each other, and it is not known which one was received.
static std::optional<std::vector<Seen>>
viewOf(ArrayRef<PartingStep> run, StringRef participant, Travel travel) {
  const bool travels = travel != Travel::None;
  std::vector<Seen> view;
  std::map<StgLabel, std::vector<ArrayRef<DataNumber>>> sent;
  std::map<StgLabel, size_t> received;
  for (const PartingStep &step : run) {
    const StgTransition *t = step.implementation;
    if (!t)
      continue;
    if (t->action == StgAction::Exchange) {
      sent[t->label].push_back(step.values);
      if (t->label.sender == participant ||
          (!travels && t->label.receiver == participant))
        view.push_back({&t->label, step.values});
    } else if (t->receives && t->label.receiver == participant) {
      size_t number = received[t->label]++;
      const auto &all = sent[t->label];
      if (travel == Travel::Overtakes && all.size() > number + 1 &&
          !all[number].empty())
        return std::nullopt;
      view.push_back({&t->label, number < all.size() ? all[number]
                                                     : ArrayRef<DataNumber>()});
    }
  }
  return view;
}

Answer cif::mustBeAble(Pes &pes, const Parting &parting, StringRef participant,
                       Travel travel, const StgTransition &step, Solver &solver,
                       std::vector<CarriedValue> &alike) {
  FormulaPool &pool = pes.pool;
  ArrayRef<PartingStep> before = ArrayRef(parting.steps).drop_back();
  // The choreography, wherever what was exchanged may have led it.
  struct Position {
    uint32_t state;
    Substitution now;
    bool operator==(const Position &) const = default;
  };
  std::vector<Position> positions{{pes.spec.initial, {}}};
  for (const PartingStep &taken : before) {
    if (!taken.choreography)
      continue;
    std::vector<Position> next;
    for (const Position &at : positions)
      for (const StgTransition &u : pes.spec.of(at.state)) {
        if (u.action != taken.choreography->action ||
            u.label != taken.choreography->label)
          continue;
        Substitution given = at.now;
        for (size_t i = 0; i < u.fields.size() && i < taken.values.size(); ++i)
          given[u.fields[i].parameter] = pool.number(
              taken.values[i], pool.variable(u.fields[i].parameter).sort);
        FormulaId may = pool.conjunction(pool.substitute(u.guard, given),
                                         pes.carries(u, given));
        Position after{u.to, {}};
        for (const auto &[v, value] : Pes::behind(pool, u, given))
          if (llvm::is_contained(pes.spec.free[u.to], v))
            after.now[v] = value;
        if (!pool.is(may, false) && !llvm::is_contained(next, after))
          next.push_back(std::move(after));
      }
    positions = std::move(next);
  }
  auto refused = [&](ArrayRef<FormulaId> carried) {
    FormulaId none = pool.truth(true);
    for (const Position &at : positions)
      for (const StgTransition &u : pes.spec.of(at.state)) {
        if (u.action != step.action || u.label != step.label)
          continue;
        Substitution given = at.now;
        for (size_t i = 0; i < u.fields.size() && i < carried.size(); ++i)
          given[u.fields[i].parameter] = carried[i];
        none = pool.conjunction(none, pool.negation(pool.conjunction(
                                          pool.substitute(u.guard, at.now),
                                          pes.carries(u, given))));
      }
    return none;
  };
  std::optional<std::vector<Seen>> view = viewOf(before, participant, travel);
  if (!view)
    return Answer::Unknown;
  Search search(pes, solver, participant, std::move(*view), alike);
  // Where an answer comes too late, these values count, and no others.
  if (parting.lateAnswer)
    return search.run(step, parting.steps.back().values, refused);
  // Whoever receives a message takes all of its values.
  if (step.action == StgAction::Exchange && participant != step.label.sender)
    return search.run(step, {}, nullptr);
  // With the values of this run, if possible: then both runs can be replayed.
  if (search.run(step, parting.steps.back().values, refused) == Answer::Yes)
    return Answer::Yes;
  return search.run(step, {}, refused);
}
