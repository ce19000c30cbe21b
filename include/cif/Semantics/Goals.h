//===- Goals.h - What other engines look for ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the checks that reduce to reachability ask of the states and steps of a
/// system, in parts that depend on few slots, so that engines on decision
/// diagrams need not examine states one by one. docs/ltsmin.md defines each
/// goal for users.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SEMANTICS_GOALS_H
#define CIF_SEMANTICS_GOALS_H

#include "cif/Semantics/Semantics.h"
#include <functional>

namespace cif {

class CollaborationSystem;
class PeerComposition;

enum class Goal : uint8_t {
  None,
  Unsafe,      ///< collaborations: a sequence flow holds two tokens
  Start,       ///< collaborations: an element starts
  Cut,         ///< a bound or constraint, and nothing else, forbids a step
  Unspecified, ///< peers: one waits, and what it waits for is held up
  Left,        ///< peers: all are done, and a message is in transit that
               ///< no continuation is known to receive
  LeftWithin,  ///< the same, if what a bound keeps back is never sent
};
/// "none", "unsafe", "start", "cut", "unspecified-reception", "left-message",
/// "left-within-bound".
ArrayRef<StringRef> goalWords();

/// Whether peer \p p can only receive, and everything that it could receive has
/// to wait for a message to it: an unspecified reception [brand83].
bool isHeldUp(const PeerComposition &peers, size_t p, const uint32_t *state);

/// How a goal is seen in one system, which outlives this.
class GoalWatch {
public:
  /// \p options are those that \p system was made with. Fails where the goal
  /// has no meaning in the system; then goals are not seen.
  GoalWatch(const System &system, SemanticsKind semantics,
            const SemanticsOptions &options, Goal goal);
  bool hasMeaning() const { return meaningful; }

  /// A state in which to stop is no deadlock: all that started is complete, or
  /// done, or a bound or constraint alone forbids to go on.
  bool isEnd(const uint32_t *state) const;

  /// A goal of states: it is reached where one of these holds.
  struct Part {
    std::vector<uint32_t> slots; ///< that it looks at
    std::function<bool(const uint32_t *state)> holds;
  };
  ArrayRef<Part> parts() const { return stateParts; }
  /// Whether one of the parts holds; for Goal::Cut whether \p state is cut.
  bool holds(const uint32_t *state) const;

  /// A goal of steps: what the step from \p from to \p to reaches. Numbers
  /// below numReached(); of Goal::Start those of elements.
  void reached(const uint32_t *from, const Step &step, const uint32_t *to,
               SmallVectorImpl<uint32_t> &numbers) const;
  uint32_t numReached() const { return count; }

private:
  void watchCuts();
  void watchPeers();
  bool isCut(const uint32_t *state) const;
  bool isLeft(const uint32_t *state) const;
  bool canBeReceived(const uint32_t *state, uint32_t message,
                     uint32_t count) const;
  bool isKeptBack(const uint32_t *state, GroupIndex group) const;

  const System &system;
  const CollaborationSystem *processes = nullptr;
  const PeerComposition *peers = nullptr;
  const Goal goal;
  const bool isBounded; ///< queues are
  bool meaningful = true;
  uint32_t count = 0;
  std::vector<Part> stateParts;
  std::vector<bool> isFlow;      ///< by slot: Goal::Unsafe
  std::vector<GroupIndex> sends; ///< that only a bound can keep back
};

} // namespace cif

#endif
