//===- Animation.h - A run, state by state --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a drawing needs to show the run of a witness: after each step, where
/// the tokens are and what is in transit. Like facts it is self-contained, so
/// that reports need no model.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_ANIMATION_H
#define CIF_IR_ANIMATION_H

#include "cif/IR/Fact.h"
#include "cif/IR/Lts.h"

namespace cif {

/// Tokens on an element of the source. It is named by its own id; else, where
/// the drawing shows that very flow, by `flow:BEHAVIOUR:FLOW`; else by
/// `@LINE:COLUMN`. A local state of an automaton is `state:NAME:STATE`.
struct AnimationToken {
  enum Kind : uint8_t {
    Moving,  ///< on a flow, or in an activity that runs
    Waiting, ///< at the start of what has not begun
    Ended,   ///< at an end event that was reached
  };
  std::string element;
  uint32_t count = 1;
  Kind kind = Moving;
  bool operator==(const AnimationToken &) const = default;
};

struct AnimationQueue {
  std::string name; ///< empty: messages that travel outside queues
  std::vector<Label> messages;
  bool operator==(const AnimationQueue &) const = default;
};

/// A step and the state after it.
struct AnimationFrame {
  /// Which step of the witness; nothing: the initial state, or a step that the
  /// witness leaves out.
  std::optional<uint32_t> step;
  std::string text; ///< what happens, of a step that the witness leaves out
  std::string who;  ///< the participant that takes it, if it is one
  Label action;     ///< a send, a reception, an exchange, or tau
  Place at;
  std::optional<StateIndex> state;    ///< which one of the animation's graph
  std::vector<AnimationToken> tokens; ///< each element and kind once
  std::vector<AnimationQueue> queues;

  /// Adds to the tokens; nothing where there is no element to show them on.
  void addTokens(std::string element, uint32_t count,
                 AnimationToken::Kind kind);
};

/// All states of the system that a fact is about, where they are few enough to
/// be looked at.
struct AnimationGraph {
  std::string title;                   ///< what it is the graph of
  Lts lts;                             ///< its labels are short texts
  std::vector<std::string> labelTexts; ///< the same in full
  std::vector<std::string> stateTexts; ///< what holds in each state
};

struct Animation {
  std::vector<AnimationFrame> frames; ///< the initial state first
  /// Whether the frames know their states. Otherwise the witness was not
  /// replayed, and only its steps are there.
  bool hasStates = false;
  std::optional<AnimationGraph> graph;
};

} // namespace cif

#endif
