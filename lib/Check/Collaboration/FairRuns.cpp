//===- FairRuns.cpp - Fair runs by classes of steps -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The search of Fairness.cpp for very many conditions of one kind, so that a
/// look at each step of a component settles all of them. Implements:
/// [emerson1987].
///
/// Input class: any finite LTS with the steps of its transitions. Sound and
/// complete. Time O((n + m) (k + 1)) for k strong classes, times the classes of
/// a group.
///
//===----------------------------------------------------------------------===//

#include "FairRuns.h"

using namespace cif;

namespace {
class FairRunSearch {
public:
  FairRunSearch(const Lts &lts, ArrayRef<Step> steps,
                function_ref<bool(StateIndex)> known,
                const FairClasses &fairness, function_ref<bool(StateIndex)> bad)
      : lts(lts), steps(steps), known(known), fairness(fairness), bad(bad),
        group(lts.numStates(), none), seen(fairness.strong.size()),
        enabled(seen.size()), taken(seen.size()) {}

  std::optional<Lasso> run();

private:
  static constexpr uint32_t none = ~0u;

  template <class Visit>
  void forEachClass(uint32_t e, Visit visit) const {
    for (uint32_t c : fairness.ofGroup[steps[e].group])
      visit(c);
    if (steps[e].partner != noGroup)
      for (uint32_t c : fairness.ofGroup[steps[e].partner])
        visit(c);
  }
  /// Visits the classes that are enabled in a state, some more than once.
  template <class Visit>
  void forEachEnabled(StateIndex s, Visit visit) const {
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
      if (lts.target[e] != s)
        forEachClass(e, visit);
    if (!fairness.forbidden.empty())
      for (uint32_t c : fairness.forbidden[s])
        visit(c);
  }
  bool isEnabled(StateIndex s, uint32_t wanted) const {
    bool found = false;
    forEachEnabled(s, [&](uint32_t c) { found |= c == wanted; });
    return found;
  }
  bool takes(uint32_t e, uint32_t wanted) const {
    bool found = false;
    forEachClass(e, [&](uint32_t c) { found |= c == wanted; });
    return found;
  }
  bool isInner(StateIndex s, uint32_t e) const {
    return group[lts.target[e]] == group[s];
  }
  void look(ArrayRef<StateIndex> members);
  bool isFair(ArrayRef<StateIndex> members);
  Lasso lassoIn(ArrayRef<StateIndex> members);

  const Lts &lts;
  ArrayRef<Step> steps;
  function_ref<bool(StateIndex)> known;
  const FairClasses &fairness;
  function_ref<bool(StateIndex)> bad;
  std::vector<uint32_t> group; // what is searched together; none: nowhere
  uint32_t nextGroup = 0;
  std::vector<std::vector<StateIndex>> work;
  // By class, of the component that was looked at last.
  std::vector<StateIndex> seen;
  std::vector<uint32_t> enabled; // in so many of its states
  std::vector<bool> taken;       // by a step within it
};
} // namespace

void FairRunSearch::look(ArrayRef<StateIndex> members) {
  std::fill(seen.begin(), seen.end(), none);
  std::fill(enabled.begin(), enabled.end(), 0);
  taken.assign(taken.size(), false);
  for (StateIndex s : members) {
    forEachEnabled(s, [&](uint32_t c) {
      if (seen[c] != s)
        ++enabled[c];
      seen[c] = s;
    });
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
      if (lts.target[e] != s && isInner(s, e))
        forEachClass(e, [&](uint32_t c) { taken[c] = true; });
  }
}

bool FairRunSearch::isFair(ArrayRef<StateIndex> members) {
  bool hasStep = members.size() > 1;
  for (uint32_t e = lts.rowBegin[members[0]];
       !hasStep && e < lts.rowBegin[members[0] + 1]; ++e)
    hasStep = lts.target[e] == members[0];
  if (!hasStep || llvm::none_of(members, bad))
    return false;
  look(members);
  bool again = false;
  for (size_t c = 0; c < enabled.size(); ++c) {
    if (taken[c] || !enabled[c])
      continue;
    if (enabled[c] == members.size())
      return false; // any cycle here has it enabled all the time
    again |= fairness.strong[c];
  }
  if (!again)
    return true;
  std::vector<StateIndex> rest;
  for (StateIndex s : members) {
    bool away = false;
    forEachEnabled(
        s, [&](uint32_t c) { away |= fairness.strong[c] && !taken[c]; });
    if (!away)
      rest.push_back(s);
  }
  if (!rest.empty())
    work.push_back(std::move(rest));
  return false;
}

/// A cycle through a bad state, a step of each class that is taken and, for
/// weak classes that are not, a state where they are not enabled.
Lasso FairRunSearch::lassoIn(ArrayRef<StateIndex> members) {
  const uint32_t here = group[members.front()];
  auto inside = [&](uint32_t e) { return group[lts.target[e]] == here; };
  Lasso lasso;
  lasso.stem = shortestPath(lts, [&](StateIndex s) {
                 return group[s] == here && bad(s);
               })->transitions;
  StateIndex start =
      lasso.stem.empty() ? lts.initial : lts.target[lasso.stem.back()];
  StateIndex at = start;
  auto append = [&](const Path &path) {
    for (uint32_t e : path.transitions) {
      lasso.cycle.push_back(e);
      at = lts.target[e];
    }
  };
  for (uint32_t c = 0; c < enabled.size(); ++c) {
    if (!enabled[c])
      continue;
    if (taken[c]) {
      if (llvm::any_of(lasso.cycle, [&](uint32_t e) { return takes(e, c); }))
        continue;
      auto step = [&](StateIndex s) -> std::optional<uint32_t> {
        for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
          if (lts.target[e] != s && inside(e) && takes(e, c))
            return e;
        return std::nullopt;
      };
      append(*shortestPathFrom(
          lts, at, [&](StateIndex s) { return step(s).has_value(); }, inside));
      append({at, {*step(at)}});
    } else {
      append(*shortestPathFrom(
          lts, at, [&](StateIndex s) { return !isEnabled(s, c); }, inside));
    }
  }
  append(*shortestPathFrom(
      lts, at, [&](StateIndex s) { return s == start; }, inside,
      /*mayBeEmpty=*/!lasso.cycle.empty()));
  return lasso;
}

std::optional<Lasso> FairRunSearch::run() {
  std::vector<bool> reached = reachable(lts);
  std::vector<StateIndex> all;
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    if (reached[s] && known(s))
      all.push_back(s);
  work.push_back(std::move(all));
  while (!work.empty()) {
    std::vector<StateIndex> states = std::move(work.back());
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
    for (StateIndex s : states)
      sorted[next[parts.of[s]]++] = s;
    for (StateIndex s : states)
      group[s] = nextGroup + parts.of[s];
    nextGroup += parts.count;
    for (uint32_t c = 0; c < parts.count; ++c) {
      auto members = ArrayRef(sorted).slice(begin[c], begin[c + 1] - begin[c]);
      if (isFair(members))
        return lassoIn(members);
    }
  }
  return std::nullopt;
}

std::optional<Lasso> cif::findFairRun(const Lts &lts, ArrayRef<Step> steps,
                                      function_ref<bool(StateIndex)> known,
                                      const FairClasses &fairness,
                                      function_ref<bool(StateIndex)> bad) {
  return FairRunSearch(lts, steps, known, fairness, bad).run();
}
