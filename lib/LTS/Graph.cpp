//===- Graph.cpp - LTSs as graphs ---------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Components, breadth-first search, and what follows from them.
///
//===----------------------------------------------------------------------===//

#include "cif/LTS/Graph.h"
#include "cif/Graph/Search.h"

using namespace cif;

/// \p allowed tells which transitions count, \p inside which states.
template <class StateFilter, class EdgeFilter>
static Components filtered(const Lts &lts, StateFilter inside,
                           EdgeFilter allowed) {
  const uint32_t *rows = lts.rowBegin.data();
  const StateIndex *targets = lts.target.data();
  return componentsOf(
      lts.numStates(), inside, [=](StateIndex s) { return rows[s]; },
      [=](StateIndex s) { return rows[s + 1]; },
      [&](StateIndex, uint32_t e) { return allowed(e) ? targets[e] : ~0u; });
}

Components cif::components(const Lts &lts) {
  return filtered(
      lts, [](StateIndex) { return true; }, [](uint32_t) { return true; });
}

Components cif::tauComponents(const Lts &lts) {
  const LabelIndex *labels = lts.label.data();
  return filtered(
      lts, [](StateIndex) { return true; },
      [=](uint32_t e) { return labels[e] == tauLabel; });
}

Components cif::componentsWithin(const Lts &lts,
                                 function_ref<bool(StateIndex)> state,
                                 function_ref<bool(uint32_t)> transition) {
  return filtered(lts, state, transition);
}

std::vector<uint32_t> cif::bottomComponents(const Lts &lts,
                                            const Components &components) {
  std::vector<bool> leaves(components.count);
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    for (StateIndex t : lts.targetsOf(s))
      if (components.of[s] != components.of[t])
        leaves[components.of[s]] = true;
  std::vector<uint32_t> result;
  for (uint32_t c = 0; c < components.count; ++c)
    if (!leaves[c])
      result.push_back(c);
  return result;
}

// States are mostly numbered in the order of some search: one sweep in that
// order reads the arrays as they lie, and only what it had passed already is
// left over.
std::vector<bool> cif::reachable(const Lts &lts) {
  std::vector<uint8_t> seen(lts.numStates());
  std::vector<StateIndex> passed;
  const uint32_t *rows = lts.rowBegin.data();
  const StateIndex *targets = lts.target.data();
  auto expand = [&](StateIndex s, StateIndex reached) {
    for (uint32_t e = rows[s], end = rows[s + 1]; e < end; ++e)
      if (StateIndex t = targets[e]; !seen[t]) {
        seen[t] = true;
        if (t <= reached)
          passed.push_back(t);
      }
  };
  seen[lts.initial] = true;
  for (StateIndex s = lts.initial; s < lts.numStates(); ++s)
    if (seen[s])
      expand(s, s);
  while (!passed.empty()) {
    StateIndex s = passed.back();
    passed.pop_back();
    expand(s, lts.numStates());
  }
  return {seen.begin(), seen.end()};
}

std::optional<Path> cif::shortestPathFrom(const Lts &lts, StateIndex start,
                                          function_ref<bool(StateIndex)> goal,
                                          function_ref<bool(uint32_t)> allowed,
                                          bool mayBeEmpty) {
  constexpr uint32_t none = ~0u;
  if (mayBeEmpty && goal(start))
    return Path{start, {}};
  // The transition that discovered each state, and its source.
  std::vector<uint32_t> by(lts.numStates(), none);
  std::vector<StateIndex> parent(lts.numStates(), none), queue{start};
  std::vector<bool> seen(lts.numStates());
  seen[start] = true;
  auto pathTo = [&](StateIndex source, uint32_t last) {
    Path path{start, {}};
    for (StateIndex s : wayTo(source, [&](StateIndex i) { return parent[i]; }))
      path.transitions.push_back(by[s]);
    path.transitions.push_back(last);
    return path;
  };
  for (size_t i = 0; i < queue.size(); ++i) {
    StateIndex s = queue[i];
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e) {
      StateIndex t = lts.target[e];
      if (!allowed(e))
        continue;
      if ((!seen[t] || t == start) && goal(t))
        return pathTo(s, e);
      if (seen[t])
        continue;
      seen[t] = true;
      by[t] = e;
      parent[t] = s;
      queue.push_back(t);
    }
  }
  return std::nullopt;
}

std::optional<Path> cif::shortestPath(const Lts &lts,
                                      function_ref<bool(StateIndex)> goal) {
  return shortestPathFrom(lts, lts.initial, goal,
                          [](uint32_t) { return true; });
}

std::optional<Path> cif::shortestPathToLabel(const Lts &lts, LabelIndex label) {
  auto found = shortestPath(lts, [&](StateIndex s) {
    return llvm::is_contained(lts.labelsOf(s), label);
  });
  if (!found)
    return std::nullopt;
  StateIndex end = found->transitions.empty()
                       ? found->start
                       : lts.target[found->transitions.back()];
  uint32_t e = lts.rowBegin[end];
  while (lts.label[e] != label)
    ++e;
  found->transitions.push_back(e);
  return found;
}

std::vector<StateIndex> cif::deadlocks(const Lts &lts,
                                       const std::vector<bool> &reached) {
  std::vector<StateIndex> result;
  const uint32_t *rows = lts.rowBegin.data();
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    if (rows[s] == rows[s + 1] && reached[s] && !lts.isFinal(s))
      result.push_back(s);
  return result;
}

std::vector<StateIndex> cif::livelocks(const Lts &lts,
                                       const std::vector<bool> &reached) {
  Components silent = tauComponents(lts);
  std::vector<bool> cyclic(silent.count);
  const LabelIndex *labels = lts.label.data();
  const StateIndex *targets = lts.target.data();
  bool any = false;
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    for (uint32_t e = lts.rowBegin[s], end = lts.rowBegin[s + 1]; e < end; ++e)
      if (labels[e] == tauLabel && silent.of[targets[e]] == silent.of[s])
        any = cyclic[silent.of[s]] = true;
  std::vector<StateIndex> result;
  if (!any)
    return result;
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    if (reached[s] && cyclic[silent.of[s]])
      result.push_back(s);
  return result;
}
