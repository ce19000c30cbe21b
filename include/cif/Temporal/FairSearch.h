//===- FairSearch.h - The search for fair cycles --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Emptiness of a Streett condition by recursive strong components. Implements:
/// [emerson1987].
///
/// Weak fairness of a set asks that the cycle has a transition of it or a state
/// where it is not enabled; strong fairness that it has a transition of it or
/// no state at all where it is enabled. A component that meets all conditions
/// has a fair cycle through all of its states. One that misses a weak condition
/// has none; one that misses a strong condition may still have one among its
/// states where the set is not enabled: these are searched again.
///
/// Input class: any finite LTS. Sound and complete. Time O((n + m) (k + 1)) for
/// k strong sets, times the cost of asking. The cycle is short, not shortest.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEMPORAL_FAIRSEARCH_H
#define CIF_TEMPORAL_FAIRSEARCH_H

#include "cif/Temporal/Fairness.h"

namespace cif {

/// \p Sets has
///   size(), isStrong(c): the conditions;
///   forTaken(s, e, known, visit): visits the sets of transition e of s;
///   forEnabled(s, known, visit): the sets that are enabled in s, some more
///     than once; both may leave out those that are \p known;
///   takes(s, e, c), enables(s, c): the same for one set.
/// The cycle begins in a bad state that is \p nearest, or else the first one.
template <class Sets>
class FairSearch {
public:
  FairSearch(const Lts &lts, const Sets &sets,
             function_ref<bool(StateIndex)> bad, bool nearest, Budget &budget)
      : lts(lts), sets(sets), bad(bad), nearest(nearest), budget(budget),
        group(lts.numStates(), none), seen(sets.size()), enabled(sets.size()),
        taken(sets.size()) {}

  /// A fair run whose cycle is in \p states, which can be reached. Nothing says
  /// nothing once the budget is used up.
  std::optional<Lasso> run(std::vector<StateIndex> states) {
    work.push_back(std::move(states));
    while (!work.empty()) {
      states = std::move(work.back());
      work.pop_back();
      const uint32_t now = nextGroup++;
      for (StateIndex s : states)
        group[s] = now;
      Components parts = componentsWithin(
          lts, [&](StateIndex s) { return group[s] == now; },
          [](uint32_t) { return true; });
      // Counting sort by component.
      std::vector<uint32_t> begin(parts.count + 1);
      for (StateIndex s : states)
        ++begin[parts.of[s] + 1];
      for (uint32_t c = 0; c < parts.count; ++c)
        begin[c + 1] += begin[c];
      std::vector<StateIndex> sorted(states.size());
      std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
      for (StateIndex s : states) {
        sorted[next[parts.of[s]]++] = s;
        group[s] = nextGroup + parts.of[s];
      }
      nextGroup += parts.count;
      for (uint32_t c = 0; c < parts.count; ++c) {
        auto members =
            ArrayRef(sorted).slice(begin[c], begin[c + 1] - begin[c]);
        const bool fair = isFair(members);
        if (budget.stopped())
          return std::nullopt;
        if (fair)
          return lassoIn(members);
      }
    }
    return std::nullopt;
  }

private:
  static constexpr uint32_t none = ~0u;

  template <class Visit>
  void forTaken(StateIndex s, Visit visit) const {
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
      if (group[lts.target[e]] == group[s])
        sets.forTaken(s, e, taken, visit);
  }

  /// What the component \p members takes; of the others, in how many of its
  /// states they are enabled.
  void look(ArrayRef<StateIndex> members) {
    std::fill(seen.begin(), seen.end(), none);
    std::fill(enabled.begin(), enabled.end(), 0);
    taken.assign(taken.size(), false);
    for (StateIndex s : members) {
      if (budget.spend(costOf(s)))
        return;
      forTaken(s, [&](uint32_t c) { taken[c] = true; });
    }
    for (StateIndex s : members) {
      if (budget.spend(costOf(s)))
        return;
      sets.forEnabled(s, taken, [&](uint32_t c) {
        if (std::exchange(seen[c], s) != s)
          ++enabled[c];
      });
    }
  }
  uint64_t costOf(StateIndex s) const {
    return 1 + (lts.rowBegin[s + 1] - lts.rowBegin[s]) * sets.size();
  }

  /// Whether \p members, a component, has a fair cycle; else puts what is to be
  /// searched again on the list.
  bool isFair(ArrayRef<StateIndex> members) {
    bool hasStep = members.size() > 1 ||
                   llvm::is_contained(lts.targetsOf(members[0]), members[0]);
    if (!hasStep || llvm::none_of(members, bad))
      return false;
    look(members);
    bool again = false;
    for (uint32_t c = 0; c < enabled.size(); ++c) {
      if (taken[c] || !enabled[c])
        continue;
      if (enabled[c] == members.size())
        return false; // any cycle here has it enabled all the time
      again |= sets.isStrong(c);
    }
    if (!again)
      return true;
    std::vector<StateIndex> rest;
    for (StateIndex s : members) {
      bool away = false;
      sets.forEnabled(
          s, taken, [&](uint32_t c) { away |= sets.isStrong(c) && !taken[c]; });
      if (!away)
        rest.push_back(s);
    }
    if (!rest.empty())
      work.push_back(std::move(rest));
    return false;
  }

  /// A cycle through a bad state, a transition of each set that is taken and,
  /// for weak sets that are not, a state where they are not enabled. Nothing: a
  /// limit was reached.
  std::optional<Lasso> lassoIn(ArrayRef<StateIndex> members) {
    const uint32_t here = group[members.front()];
    const StateIndex first = *llvm::find_if(members, bad);
    auto inside = [&](uint32_t e) { return group[lts.target[e]] == here; };
    Lasso lasso;
    lasso.stem = shortestPath(lts, [&](StateIndex s) {
                   return nearest ? group[s] == here && bad(s) : s == first;
                 })->transitions;
    const StateIndex start =
        lasso.stem.empty() ? lts.initial : lts.target[lasso.stem.back()];
    StateIndex at = start;
    std::vector<bool> passed(enabled.size()); // sets that the cycle takes
    auto append = [&](const Path &path) {
      for (uint32_t e : path.transitions) {
        sets.forTaken(at, e, passed, [&](uint32_t c) { passed[c] = true; });
        lasso.cycle.push_back(e);
        at = lts.target[e];
      }
    };
    for (uint32_t c = 0; c < enabled.size(); ++c) {
      if (budget.spend(taken[c] && passed[c] ? 1 : lts.numStates()))
        return std::nullopt;
      if (taken[c] && !passed[c]) {
        auto step = [&](StateIndex s) -> std::optional<uint32_t> {
          for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
            if (inside(e) && sets.takes(s, e, c))
              return e;
          return std::nullopt;
        };
        append(*shortestPathFrom(
            lts, at, [&](StateIndex s) { return step(s).has_value(); },
            inside));
        append({at, {*step(at)}});
      } else if (!taken[c] && enabled[c]) {
        append(*shortestPathFrom(
            lts, at, [&](StateIndex s) { return !sets.enables(s, c); },
            inside));
      }
    }
    append(*shortestPathFrom(
        lts, at, [&](StateIndex s) { return s == start; }, inside,
        /*mayBeEmpty=*/!lasso.cycle.empty()));
    return lasso;
  }

  const Lts &lts;
  const Sets &sets;
  function_ref<bool(StateIndex)> bad;
  const bool nearest;
  Budget &budget;
  std::vector<uint32_t> group; // what is searched together; none: nowhere
  uint32_t nextGroup = 0;
  std::vector<std::vector<StateIndex>> work;
  // By set, of the component that was looked at last.
  std::vector<StateIndex> seen;
  std::vector<uint32_t> enabled; // in so many of its states
  std::vector<bool> taken;       // by a step within it
};

} // namespace cif

#endif
