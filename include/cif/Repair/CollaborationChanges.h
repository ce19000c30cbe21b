//===- CollaborationChanges.h - Small changes of collaborations -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The changes that a repair of a collaboration is made of: each is one that a
/// person would make in the diagram by hand, and names the elements that it
/// touches.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_REPAIR_COLLABORATIONCHANGES_H
#define CIF_REPAIR_COLLABORATIONCHANGES_H

#include "cif/IR/Module.h"

namespace cif {

struct CollaborationChange {
  enum Kind : uint8_t {
    Gateway, ///< `node` becomes `to`, and its join `other` becomes `toOther`
    WaitForEither, ///< `other`, a branch, becomes an alternative to `node`
    Swap,          ///< `node` and `other`, its successor, change places
    Interrupt,     ///< the boundary event `node` interrupts, or does no longer
    End,           ///< the end event `node` terminates, or does no longer
    Receive,       ///< `message` is received on `flow`
    Send,          ///< `message` is sent on `flow`
    ReceiveEither, ///< `message` is received in place of `node`
    Acknowledge,   ///< whoever sends `message` waits for an answer
    Drop,          ///< `message` is sent no longer
  };
  Kind kind = Gateway;
  BehaviourId behaviour; ///< where the elements are
  NodeId node, other;    ///< Gateway: `other` may be empty
  FlowId flow;
  MessageId message;
  NodeKind to = NodeKind::Choice, toOther = NodeKind::Choice;
  /// ReceiveEither: the process ends then, else it goes on as after `node`.
  bool thenEnds = false;
  /// The less, the likelier: how much it changes, and how far it is from where
  /// the failure shows.
  unsigned cost = 0;
};

/// Where a failure shows: places on which it rests, and those of the run.
struct FailurePlaces {
  std::vector<Place> notes, steps;
};

/// All changes that could be made, the likeliest first, at most \p most.
std::vector<CollaborationChange>
collaborationChanges(const Module &module, const FailurePlaces &failure,
                     size_t most);

/// Makes \p changes one after the other. The result as the lines of a diff, in
/// terms of elements; nothing: they do not go together.
std::optional<std::vector<std::string>>
applyChanges(Module &module, ArrayRef<CollaborationChange> changes);

} // namespace cif

#endif
