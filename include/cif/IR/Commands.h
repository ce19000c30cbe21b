//===- Commands.h - Systems as guarded commands ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A system of states and steps as plain data: counters and queues, and
/// commands with a guard and an effect. Local states of peers, tokens in places
/// and messages without an order are counters. This is what the languages of
/// other tools are written from, and what Petri nets are read into; System
/// (Semantics/System.h) is what is explored.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_COMMANDS_H
#define CIF_IR_COMMANDS_H

#include "cif/IR/Lts.h"
#include "llvm/ADT/SmallVector.h"

namespace cif {

struct CommandModel {
  static constexpr uint32_t none = UINT32_MAX;

  struct Counter {
    std::string name; ///< for people; neither unique nor a word
    uint32_t initial = 0;
    /// The commands keep it at or below this; none: that is not known.
    uint32_t maximum = none;
    /// A local state: it is only compared with and set to values, and set by
    /// commands that ask for its value.
    bool isState = false;
  };
  struct Queue {
    std::string name;
    uint32_t capacity = none; ///< none: it has no bound
  };
  struct Test {
    enum Op : uint8_t { Is, AtLeast, AtMost } op;
    uint32_t counter, value;
  };
  struct Update {
    enum Op : uint8_t {
      Set,     ///< becomes amount
      Add,     ///< changes by amount; the guard sees to it that it fits
      TakeAdd, ///< loses one if it has one, then gains amount
      Count,   ///< gains amount while it is below limit
    } op;
    uint32_t counter;
    int64_t amount;
    uint32_t limit = 0; ///< of Count
  };
  struct Command {
    LabelIndex label = tauLabel;
    /// The steps of the system that it stems from; in a handshake the partner's
    /// too. None: it was read from elsewhere.
    uint32_t group = none, partner = none;
    /// \name The guard
    /// @{
    SmallVector<Test, 2> all;               ///< all hold,
    std::vector<SmallVector<Test, 4>> some; ///< and of each list at least one
    /// @}
    SmallVector<Update, 2> updates; ///< all at once; each counter once
    /// The message at the head of a queue that it takes; none: it takes none.
    uint32_t receives = none;
    uint32_t sends = none; ///< the message that it puts behind a queue
  };
  struct Message {
    std::string name; ///< `p->q:m`
    uint32_t queue;
  };

  std::vector<Label> labels{Label::tau()};
  std::vector<Counter> counters;
  std::vector<Queue> queues;     ///< all empty at first
  std::vector<Message> messages; ///< those that travel in queues
  std::vector<Command> commands;
  /// \name Successful termination: these hold, and the queues are empty
  /// @{
  /// Why it cannot be said; empty: it can.
  std::string finalReason = "nothing is said about termination";
  std::vector<Test> finalAll;
  std::vector<SmallVector<Test, 4>> finalSome; ///< of each at least one
  /// @}
};

} // namespace cif

#endif
