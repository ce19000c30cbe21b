//===- Explorer.h - Breadth-first exploration of a system
//------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Breadth-first exploration of any System into an LTS. States are numbered as
/// a plain breadth-first search finds them, whatever the number of threads. A
/// limit that is met gives an honest part: every row of the LTS is whole or
/// empty, and the result says which limit.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_EXPLORER_H
#define CIF_EXPLORE_EXPLORER_H

#include "cif/Explore/StateStore.h"
#include "cif/IR/Lts.h"
#include "cif/Semantics/System.h"
#include "cif/Support/Limits.h"
#include <optional>

namespace cif {

/// Told about states and transitions in the order of the search, by one thread.
/// Returning false stops the search there.
class ExplorationVisitor {
public:
  virtual ~ExplorationVisitor();
  /// A new state; its transitions are not known yet.
  virtual bool state(StateIndex, const uint32_t * /*vector*/) { return true; }
  virtual bool transition(StateIndex /*from*/, const Step &,
                          StateIndex /*to*/) {
    return true;
  }
  /// All transitions of a state were told; \p count of them. A state with none
  /// is a deadlock or the end.
  virtual bool expanded(StateIndex, const uint32_t * /*vector*/,
                        size_t /*count*/) {
    return true;
  }
};

struct ExplorerOptions {
  Limits limits;
  bool keepTransitions = true; ///< false: only states, for on-the-fly checks
  bool keepOrigins = false;    ///< keep each transition's Step
  bool findGrowth = true;      ///< stop where growth without end is proved
  ExplorationVisitor *visitor = nullptr;
};

/// One step of a run.
struct RunStep {
  StateIndex from;
  Step step;
  StateIndex to;
};

/// A proof that the states are infinitely many: after the run to its first
/// state the cycle can be repeated for ever, and each time something grows.
struct Growth {
  std::string what;    ///< "inbox of b gains m"
  StateIndex from, to; ///< where the cycle begins, and where it ended
  std::vector<RunStep> cycle;
};

/// What an exploration found. Keeps a reference to the system.
class Exploration {
public:
  explicit Exploration(const System &of)
      : system(&of), store(std::make_unique<StateStore>(of)) {}

  const System *system;
  /// The LTS. Where the exploration is not complete the states from
  /// `expanded` on have no transitions.
  Lts lts;
  /// The step of each transition, where asked for.
  SharedArray<Step> steps;
  bool complete = false; ///< everything reachable is there
  bool stopped = false;  ///< the visitor ended it
  std::string limit;     ///< the limit that was met, or empty
  std::optional<Growth> growth;
  size_t expanded = 0;      ///< states whose transitions are all there
  uint64_t transitions = 0; ///< also where they are not kept

  size_t numStates() const { return store->size(); }
  /// The slots of a state.
  std::vector<uint32_t> vectorOf(StateIndex s) const;
  std::string describe(StateIndex s) const;
  /// A shortest run from the initial state.
  std::vector<RunStep> traceTo(StateIndex s) const;
  /// The same from an ancestor in the tree of shortest runs.
  std::vector<RunStep> pathFrom(StateIndex ancestor, StateIndex s) const;
  /// Why it is not complete, for people: "unbounded: ..." or "limit ... met".
  std::string incompleteText() const;

  std::unique_ptr<StateStore> store;
};

Exploration explore(const System &system, const ExplorerOptions &options);

} // namespace cif

#endif
