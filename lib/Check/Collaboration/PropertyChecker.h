//===- PropertyChecker.h - Deciding properties of collaborations *- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_COLLABORATION_PROPERTYCHECKER_H
#define CIF_LIB_CHECK_COLLABORATION_PROPERTYCHECKER_H

#include "Covering.h"
#include "Explain.h"
#include "cif/Check/Collaboration/Properties.h"
#include "cif/Explore/Reduction.h"
#include "cif/Explore/Walks.h"

namespace cif {

/// Decides each property on one exploration.
class PropertyChecker {
public:
  PropertyChecker(const Module &module, const CollaborationSystem &system,
                  const CollaborationOptions &options,
                  std::function<CollaborationAnalysis *()> wider,
                  DiagnosticEngine &diags);

  CollaborationFinding check(CollaborationProperty property);
  const StateGraph &explored() const { return some ? *some : *all; }
  const Explainer &explainer() const { return explain; }

private:
  using Finding = CollaborationFinding;
  Finding checkSafe();
  Finding checkBounded();
  Finding checkDeadlockFree();
  Finding checkLivelockFree();
  Finding checkOptionToComplete();
  Finding checkProperCompletion();
  bool reachesTwice(ArrayRef<uint32_t> ends) const;
  Finding checkNoDeadActivity();
  Finding checkNoUndeliveredMessage();
  Finding checkSound(bool messages);
  Finding soundByCompletion(Finding &&otherwise);

  Finding find(CollaborationProperty property);
  Finding decide(CollaborationProperty property);
  /// \name EngineChecker.cpp
  /// @{
  Finding askEngine(CollaborationProperty property);
  Finding askFor(Engine &engine, CollaborationProperty property, bool isCut);
  Finding askForElements(Engine &engine, bool isCut);
  /// @}
  void exploreSome(bool fuse);
  void exploreAll();
  std::string growthText(const Growth &growth) const;
  bool isReduced() const { return graph == some.get(); }
  const char *searchMethod() const;
  void walkAbout();
  bool startsProcess(GroupIndex group) const;
  /// \name In a complete state
  /// @{
  bool isLost(const uint32_t *state, uint32_t message) const;
  bool leavesMessage(const uint32_t *state) const; ///< one that is lost
  /// @}
  Finding decideByStructure(CollaborationProperty property);
  /// All states, or states that stand for all and may do more (ManyTokens.cpp);
  /// null: neither is known.
  const StateGraph *statesOrMore();
  Finding decideByCounts(CollaborationProperty property);
  /// \name ProcessParts.cpp
  /// @{
  struct Part {
    std::unique_ptr<CollaborationSystem> system; ///< one process alone
    std::unique_ptr<PropertyChecker> checker;
  };
  ArrayRef<Part> makeParts(); ///< by process, or none
  std::vector<bool> incompleteAlone();
  bool areBoundedAlone();
  std::vector<uint32_t> deadAlone();
  Finding decideWithoutThose(CollaborationProperty property);
  Finding decideByParts(CollaborationProperty property);
  /// @}
  Finding holds(StringRef method = "") const;
  /// Nothing is known beyond what was explored.
  Finding notDecided(StringRef what) const;
  Finding violated(std::vector<RunStep> run, size_t loopStart,
                   const Twine &message) const;
  /// A run to a state from which nothing else can be reached but a stuck state
  /// or a cycle for ever, and on to that.
  Finding doomed(StateIndex s, const std::vector<bool> &hopeful,
                 const Twine &message) const;
  Finding twiceReached(uint32_t end) const;
  /// In this complete state, the message is lost.
  Finding undelivered(StateIndex s, uint32_t message) const;
  std::string unfinished(StateIndex s) const;
  Finding stuck(StateIndex s, const Twine &message) const;
  Finding deadElements(ArrayRef<uint32_t> dead, StringRef method) const;
  Finding neverRun(ArrayRef<uint32_t> dead) const;
  std::string deadText(ArrayRef<uint32_t> dead) const;
  std::vector<bool> markedFlows(std::vector<StateIndex> &first) const;
  /// What coverability tells; null: nothing.
  const Covering *covering();
  /// Which of the elements that are not \p started can start nowhere.
  std::vector<uint32_t> uncovered(std::vector<bool> started);
  /// What is known under bag, where this is another network.
  std::optional<Finding> underBag(CollaborationProperty property,
                                  Verdict verdict) const;
  void noteNeverStarted(Finding &finding) const;

  const Module &module;
  const CollaborationSystem &system;
  const CollaborationOptions options;
  std::function<CollaborationAnalysis *()> wider;
  DiagnosticEngine &diags;
  Explainer explain;
  std::vector<SmallVector<uint32_t, 1>> receivers; ///< processes, by message
  std::unique_ptr<ReducedSystem> reduced;
  /// With fewer steps, all states of which are known and none of which has a
  /// step that is put off for ever; null: there is none.
  std::unique_ptr<StateGraph> some;
  bool someHaveCycles = false;
  std::unique_ptr<StateGraph> all; ///< with all steps, made when needed
  StateGraph *graph = nullptr;     ///< the one that is looked at
  /// Where not all states are known: some runs, and what they came to.
  std::unique_ptr<WalkedSystem> walks;
  std::unique_ptr<StateGraph> walked;
  bool triedWalks = false;
  struct Parts {
    // Nobody hears of what is only tried.
    SourceManager sources;
    DiagnosticCollector unheard;
    DiagnosticEngine quiet{sources, unheard};
    std::vector<Part> all;
  };
  std::unique_ptr<Parts> parts; ///< null: not tried
  /// Without the processes that cannot complete.
  std::unique_ptr<System> resting;
  std::unique_ptr<StateGraph> rested;
  bool triedRest = false;
  std::unique_ptr<System> counted;
  std::unique_ptr<StateGraph> more; ///< of counted
  bool triedCounts = false;
  std::optional<TokenFate> fate;
  std::unique_ptr<Covering> covered;
};

} // namespace cif

#endif
