//===- Explain.h - Runs and states of collaborations for people -*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_COLLABORATION_EXPLAIN_H
#define CIF_LIB_CHECK_COLLABORATION_EXPLAIN_H

#include "StateGraph.h"
#include "llvm/ADT/DenseMap.h"

namespace cif {

/// Says what happens in a collaboration in the terms of its source.
class Explainer {
public:
  Explainer(const Module &of, const CollaborationSystem &by);

  std::string stepText(const Step &step) const;
  /// "end event 'Done'": what a step stems from, in the words of BPMN.
  std::string originName(const Origin &origin) const;
  /// "task 'Pay' of 'shop'".
  std::string elementText(uint32_t element) const;
  Place elementPlace(uint32_t element) const;
  std::string flowText(uint32_t flow) const;
  Place flowPlace(uint32_t flow) const;
  std::string messageText(uint32_t message) const;

  /// A run as a witness. The last step says what state it leads to.
  /// Receptions, which are shown as exchanges, say who receives.
  Witness witness(const Exploration &ex, ArrayRef<RunStep> run,
                  size_t loopStart) const;

  /// What each token of a state waits for.
  void explainWaiting(const uint32_t *state, std::vector<Note> &notes) const;
  /// The step of \p run since which a join waits in vain.
  void explainMissing(const uint32_t *state, ArrayRef<RunStep> run,
                      std::vector<Note> &notes) const;
  /// What is in transit, and which step of \p run sent it.
  void explainTransit(const uint32_t *state, ArrayRef<RunStep> run,
                      std::vector<Note> &notes) const;
  /// Choices of two processes on \p run of which neither knew the other.
  void explainChoices(ArrayRef<RunStep> run, std::vector<Note> &notes) const;
  /// Where two tokens parted: those on \p flow at the end of \p run or, if that
  /// is noneOf, those that came to the end event \p end first and last.
  void explainParting(const Exploration &ex, ArrayRef<RunStep> run,
                      uint32_t flow, uint32_t end,
                      std::vector<Note> &notes) const;
  /// Why \p element never runs: how far a token comes. \p marked: by flow,
  /// whether it ever holds a token. Returns the flow that is reached last.
  uint32_t explainDead(uint32_t element, const std::vector<bool> &marked,
                       std::vector<Note> &notes) const;

private:
  std::string nodeText(uint32_t behaviour, NodeId node) const;
  std::string takerText(const Step &step) const;
  bool explainTurn(ArrayRef<RunStep> run, uint32_t unit, uint32_t missing,
                   const std::vector<bool> &leads,
                   std::vector<Note> &notes) const;
  std::string uncompensatedText(uint32_t behaviour, NodeId n) const;
  void explainRecurring(ArrayRef<RunStep> run, ArrayRef<uint32_t> first,
                        ArrayRef<uint32_t> second,
                        std::vector<Note> &notes) const;
  std::string partingText(GroupIndex group) const;
  bool standsFor(uint32_t behaviour, NodeId node) const;
  /// The node of the element that \p node was added for (a merge before a task
  /// with several incoming flows, say); most often itself.
  NodeId mainNode(uint32_t behaviour, NodeId node) const;
  std::string outsideText(const Step &step) const;
  std::string silentText(const Step &step) const;
  /// What a node does that no diagram has; empty: it is drawn.
  std::string addedText(const Origin &origin, const CollaborationStep &meaning,
                        const std::string &text) const;
  /// The flow that a gateway takes: "flow 'yes'", "the flow to task 'Pay'".
  std::string wayText(uint32_t flow) const;
  /// Those that a step of the splitting gateway \p node takes.
  std::string waysText(GroupIndex group, const Origin &node) const;
  std::string processText(uint32_t process) const;
  /// What a node waits for, or nothing; \p state null: ever.
  std::string waitText(uint32_t process, NodeId node,
                       function_ref<bool(uint32_t)> isMarked) const;
  std::string receivedBy(uint32_t process, NodeId node) const;
  uint32_t flowIndex(uint32_t behaviour, FlowId flow) const;

  const Module &module;
  const CollaborationSystem &system;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> flowNumbers;
  /// By behaviour and element of the source: its first node.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> firstNodes;
};

} // namespace cif

#endif
