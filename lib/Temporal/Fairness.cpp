//===- Fairness.cpp - Fair cycles ---------------------------------------===//
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
/// k strong sets, times the cost of asking. The lasso's stem is shortest to the
/// component; the cycle is short, not shortest.
///
//===----------------------------------------------------------------------===//

#include "cif/Temporal/Fairness.h"

using namespace cif;

FairnessSet cif::fairLabel(const Lts &lts, LabelIndex label, bool strong) {
  return {strong,
          [&lts, label](StateIndex s) {
            return llvm::is_contained(lts.labelsOf(s), label);
          },
          [&lts, label](uint32_t e) { return lts.label[e] == label; }};
}

namespace {
class FairCycleSearch {
public:
  FairCycleSearch(const Lts &lts, ArrayRef<FairnessSet> fairness,
                  function_ref<bool(StateIndex)> bad)
      : lts(lts), fairness(fairness), bad(bad), group(lts.numStates(), none) {}

  std::optional<Lasso> run();

private:
  static constexpr uint32_t none = ~0u;

  /// Whether \p members, a component, has a fair cycle; else puts what is to be
  /// searched again on the list.
  bool isFair(ArrayRef<StateIndex> members);
  Lasso lassoIn(ArrayRef<StateIndex> members);
  template <class Visit>
  void forEachInner(ArrayRef<StateIndex> members, Visit visit) const {
    for (StateIndex s : members)
      for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
        if (group[lts.target[e]] == group[s])
          visit(s, e);
  }

  const Lts &lts;
  ArrayRef<FairnessSet> fairness;
  function_ref<bool(StateIndex)> bad;
  std::vector<uint32_t> group; // what is searched together; none: nowhere
  uint32_t nextGroup = 0;
  std::vector<std::vector<StateIndex>> work;
};
} // namespace

bool FairCycleSearch::isFair(ArrayRef<StateIndex> members) {
  bool hasStep = false;
  forEachInner(members, [&](StateIndex, uint32_t) { hasStep = true; });
  if (!hasStep || llvm::none_of(members, bad))
    return false;
  std::vector<bool> away; // states of members that must not be on a cycle
  for (const FairnessSet &set : fairness) {
    bool taken = false;
    forEachInner(members, [&](StateIndex, uint32_t e) {
      taken = taken || set.taken(e);
    });
    if (taken)
      continue;
    size_t enabled = 0;
    for (StateIndex s : members)
      enabled += set.enabled(s);
    if (!set.strong && enabled == members.size())
      return false; // any cycle here has it enabled all the time
    if (!set.strong || enabled == 0)
      continue;
    away.resize(members.size());
    for (auto [i, s] : llvm::enumerate(members))
      if (set.enabled(s))
        away[i] = true;
  }
  if (away.empty())
    return true;
  std::vector<StateIndex> rest;
  for (auto [i, s] : llvm::enumerate(members))
    if (!away[i])
      rest.push_back(s);
  if (!rest.empty())
    work.push_back(std::move(rest));
  return false;
}

/// A cycle through a bad state, a transition of each set that is taken and, for
/// weak sets that are not, a state where they are not enabled.
Lasso FairCycleSearch::lassoIn(ArrayRef<StateIndex> members) {
  uint32_t here = group[members.front()];
  auto inside = [&](uint32_t e) { return group[lts.target[e]] == here; };
  StateIndex start = *llvm::find_if(members, bad);
  Lasso lasso;
  lasso.stem =
      shortestPath(lts, [&](StateIndex s) { return s == start; })->transitions;
  StateIndex at = start;
  auto append = [&](const Path &path) {
    for (uint32_t e : path.transitions) {
      lasso.cycle.push_back(e);
      at = lts.target[e];
    }
  };
  for (const FairnessSet &set : fairness) {
    bool possible = false;
    forEachInner(members, [&](StateIndex, uint32_t e) {
      possible = possible || set.taken(e);
    });
    if (possible) {
      if (llvm::any_of(lasso.cycle, set.taken))
        continue;
      auto goal = [&](StateIndex s) {
        for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
          if (inside(e) && set.taken(e))
            return true;
        return false;
      };
      append(*shortestPathFrom(lts, at, goal, inside));
      for (uint32_t e = lts.rowBegin[at]; e < lts.rowBegin[at + 1]; ++e)
        if (inside(e) && set.taken(e)) {
          append({at, {e}});
          break;
        }
    } else if (!set.strong) {
      append(*shortestPathFrom(
          lts, at, [&](StateIndex s) { return !set.enabled(s); }, inside));
    }
  }
  append(*shortestPathFrom(
      lts, at, [&](StateIndex s) { return s == start; }, inside,
      /*mayBeEmpty=*/!lasso.cycle.empty()));
  return lasso;
}

std::optional<Lasso> FairCycleSearch::run() {
  std::vector<bool> seen = reachable(lts);
  std::vector<StateIndex> all;
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    if (seen[s])
      all.push_back(s);
  work.push_back(std::move(all));
  while (!work.empty()) {
    std::vector<StateIndex> states = std::move(work.back());
    work.pop_back();
    uint32_t now = nextGroup++;
    for (StateIndex s : states)
      group[s] = now;
    Components parts = componentsWithin(
        lts, [&](StateIndex s) { return group[s] == now; },
        [](uint32_t) { return true; });
    std::vector<std::vector<StateIndex>> members(parts.count);
    for (StateIndex s : states)
      members[parts.of[s]].push_back(s);
    for (auto &component : members) {
      uint32_t mine = nextGroup++;
      for (StateIndex s : component)
        group[s] = mine;
    }
    for (auto &component : members)
      if (isFair(component))
        return lassoIn(component);
  }
  return std::nullopt;
}

std::optional<Lasso> cif::findFairCycle(const Lts &lts,
                                        ArrayRef<FairnessSet> fairness,
                                        function_ref<bool(StateIndex)> bad) {
  return FairCycleSearch(lts, fairness, bad).run();
}
