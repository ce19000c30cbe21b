//===- StateGraph.h - An explored collaboration -----------------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_COLLABORATION_STATEGRAPH_H
#define CIF_LIB_CHECK_COLLABORATION_STATEGRAPH_H

#include "FairRuns.h"
#include "cif/Explore/Explorer.h"
#include "cif/LTS/Operations.h"
#include "cif/Semantics/CollaborationSystem.h"

namespace cif {

/// Whether a run can go on for ever.
bool hasCycle(const Lts &lts);

/// The states of a collaboration with what the properties ask of each.
class StateGraph {
public:
  /// \p explored: the system itself, or with fewer steps. \p isPart: those
  /// that are left out count, and a state that lacks one is not known.
  /// Where the system gives but some of its steps, neither are states that may
  /// lack one, and some states are looked at all the same.
  StateGraph(const CollaborationSystem &system, const System &explored,
             const Limits &limits, bool isPart = false);
  /// All states of the system with fewer steps.
  StateGraph(const CollaborationSystem &system, Exploration explored);

  const CollaborationSystem &system;
  Exploration ex;
  /// Proved unbounded growth, with an exploration of its own.
  std::optional<Exploration> growing;
  /// Why not all states or steps are known; empty: all are.
  std::string incomplete;

  size_t size() const { return ex.numStates(); }
  const Lts &lts() const { return ex.lts; }
  bool isKnown(StateIndex s) const { return known[s]; }
  bool allKnown() const { return unknown == 0; }
  /// No step leads from it.
  bool isEnd(StateIndex s) const {
    return lts().rowBegin[s] == lts().rowBegin[s + 1];
  }
  /// No step leads from it, and none would without a constraint.
  bool isDead(StateIndex s) const { return known[s] && isEnd(s) && !cut[s]; }
  bool isCut() const { return anyCut; } ///< a constraint forbade a step
  const uint32_t *vector(StateIndex s) const {
    ex.store->unpack(s, scratch.data());
    return scratch.data();
  }

  /// What is asked of all states; found out when it is first asked for.
  struct Facts {
    /// \name By state
    /// @{
    std::vector<bool> complete; ///< CollaborationSystem::isComplete
    std::vector<bool> empty;    ///< no started process holds a token
    std::vector<bool> sound;    ///< every process is in a sound state
    std::vector<bool> quiet;    ///< nothing is in transit
    /// @}
    /// The first state with several tokens on a flow that is drawn, and that
    /// flow; whether any flow, drawn or not, has several in some state.
    std::optional<std::pair<StateIndex, uint32_t>> crowded;
    bool anyCrowded = false;
    std::vector<bool> everStarted; ///< by process
  };
  const Facts &facts() const {
    if (!looked)
      look();
    return *looked;
  }
  /// The same of one state.
  bool isComplete(StateIndex s) const {
    return looked ? looked->complete[s] : system.isComplete(vector(s));
  }

  /// The states from which one of \p goals can be reached.
  std::vector<bool> canReach(const std::vector<bool> &goals) const;
  /// By state: which of up to 64 goals (bits) can be reached from it.
  std::vector<uint64_t> canReach(std::vector<uint64_t> goals) const;
  /// By element: whether a step that starts it was taken.
  std::vector<bool> startedElements() const;
  /// The classes of weak and strong fairness [fbpmn].
  const FairClasses &fairness() const;
  /// A run along transitions from the initial state.
  std::vector<RunStep> runOf(ArrayRef<uint32_t> transitions) const;

private:
  void explore(const System &explored, const Limits &limits);
  void look() const;
  void lookAtFlows(StateIndex s, const uint32_t *state) const;
  void lookAtCuts();
  void lookForMissing();
  void lookForUngiven();
  void forEachWorkedOut(
      function_ref<void(uint32_t, const CollaborationStep &)> visit) const;
  const Predecessors &predecessors() const;

  std::unique_ptr<System> given; ///< the steps that the system gives
  std::vector<bool> known, cut;
  size_t unknown = 0;
  bool anyCut = false;
  mutable std::optional<Facts> looked;
  mutable std::vector<uint32_t> scratch;
  mutable std::optional<Predecessors> back; ///< made when needed
  mutable std::optional<FairClasses> classes;
  std::vector<SmallVector<GroupIndex, 2>> forbiddenGroups; ///< by state
};

} // namespace cif

#endif
