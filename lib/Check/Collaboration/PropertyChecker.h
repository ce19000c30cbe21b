//===- PropertyChecker.h - Deciding properties of collaborations *- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_COLLABORATION_PROPERTYCHECKER_H
#define CIF_LIB_CHECK_COLLABORATION_PROPERTYCHECKER_H

#include "Explain.h"
#include "cif/Check/Collaboration/Properties.h"
#include "cif/Explore/Coverability.h"
#include "cif/Explore/Reduction.h"

namespace cif {

/// Decides each property on one exploration.
class PropertyChecker {
public:
  PropertyChecker(const Module &module, const CollaborationSystem &system,
                  const CollaborationOptions &options,
                  std::function<CollaborationAnalysis *()> wider);

  CollaborationFinding check(CollaborationProperty property);
  const StateGraph &explored() const { return *graph; }
  const Explainer &explainer() const { return explain; }

private:
  using Finding = CollaborationFinding;
  Finding checkSafe();
  Finding checkBounded();
  Finding checkDeadlockFree();
  Finding checkLivelockFree();
  Finding checkOptionToComplete();
  Finding checkProperCompletion();
  Finding checkNoDeadActivity();
  Finding checkNoUndeliveredMessage();
  Finding checkSound(bool messages);

  void exploreAll();
  const PetriNet *petriNet();
  Finding holds() const;
  /// Nothing is known beyond what was explored.
  Finding notDecided(StringRef what) const;
  Finding violated(std::vector<RunStep> run, size_t loopStart,
                   const Twine &message) const;
  /// A run to a state from which nothing else can be reached but a stuck state
  /// or a cycle for ever, and on to that.
  Finding doomed(StateIndex s, const std::vector<bool> &hopeful,
                 const Twine &message) const;
  Finding twiceReached(uint32_t end) const;
  Finding stuck(StateIndex s, const Twine &message) const;
  /// By element: whether one of its steps that start it was taken.
  std::vector<bool> startedElements() const;
  Finding deadElements(ArrayRef<uint32_t> dead, StringRef method) const;
  std::vector<bool> markedFlows(std::vector<StateIndex> &first) const;
  /// The coverability set where there is one: under bag, of a Petri net.
  const CoverabilitySet *coverability();
  /// What is known under bag, where this is another network.
  const Finding *underBag(CollaborationProperty property) const;
  void noteNeverStarted(Finding &finding) const;

  const Module &module;
  const CollaborationSystem &system;
  const CollaborationOptions options;
  std::function<CollaborationAnalysis *()> wider;
  Explainer explain;
  std::optional<PetriNet> net;
  std::unique_ptr<ReducedSystem> reduced; ///< null: all steps are explored
  std::unique_ptr<StateGraph> graph;
  std::optional<CoverabilitySet> covered;
  bool triedCoverability = false, triedNet = false;
  std::string noNet; ///< why there is no Petri net
};

} // namespace cif

#endif
