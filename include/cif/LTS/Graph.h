//===- Graph.h - LTSs as graphs -----------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LTS_GRAPH_H
#define CIF_LTS_GRAPH_H

#include "cif/Graph/Components.h"
#include "cif/IR/Lts.h"
#include <optional>

namespace cif {

/// The strongly connected components.
Components components(const Lts &lts);
/// Those of the silent steps alone.
Components tauComponents(const Lts &lts);
/// Those of the states and transitions (by index) that are let through.
Components componentsWithin(const Lts &lts,
                            function_ref<bool(StateIndex)> state,
                            function_ref<bool(uint32_t)> transition);

/// Components that no transition leaves, in ascending order of their number.
std::vector<uint32_t> bottomComponents(const Lts &lts,
                                       const Components &components);

/// The states that can be reached from the initial one; as a bit per state.
std::vector<bool> reachable(const Lts &lts);

/// A path as transitions (indexes into lts.label and lts.target) and the state
/// that it starts from.
struct Path {
  StateIndex start = 0;
  std::vector<uint32_t> transitions;
};

/// A shortest path from the initial state to one for which \p goal holds.
std::optional<Path> shortestPath(const Lts &lts,
                                 function_ref<bool(StateIndex)> goal);
/// The same from any state, over transitions that \p allowed lets through; a
/// path of no transitions only counts when \p mayBeEmpty.
std::optional<Path> shortestPathFrom(const Lts &lts, StateIndex start,
                                     function_ref<bool(StateIndex)> goal,
                                     function_ref<bool(uint32_t)> allowed,
                                     bool mayBeEmpty = true);
/// A shortest path from the initial state that ends with a transition labelled
/// \p label.
std::optional<Path> shortestPathToLabel(const Lts &lts, LabelIndex label);

/// The states of \p reached without transitions, final ones excepted.
std::vector<StateIndex> deadlocks(const Lts &lts,
                                  const std::vector<bool> &reached);
/// The states of \p reached on a silent cycle.
std::vector<StateIndex> livelocks(const Lts &lts,
                                  const std::vector<bool> &reached);

} // namespace cif

#endif
