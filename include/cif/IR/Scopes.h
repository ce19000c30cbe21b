//===- Scopes.h - Sub-processes and the events on their borders -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the token semantics and symbolic transition graphs have to agree on:
/// what containers stand for, until when they can be interrupted, and who
/// catches what is thrown in them.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_SCOPES_H
#define CIF_IR_SCOPES_H

#include "cif/IR/Module.h"
#include "llvm/ADT/BitVector.h"

namespace cif {

/// Whether \p n is in \p container, or in a container within it.
bool isInside(const Behaviour &b, NodeId n, NodeId container);

/// Whether a container is not drawn: it holds what is in the process or
/// sub-process around it but for event sub-processes.
bool holdsScope(const Behaviour &b, NodeId container);

/// The innermost of such containers, in which the sequence flows are.
NodeId mainPart(const Behaviour &b, NodeId container);

/// Whether a container stands for a task: one that sends and receives, or is
/// repeated.
bool isOneTask(const Behaviour &b, NodeId container);

/// The nodes in a container that are activities or lead to one: a token that is
/// at no such node only has to leave.
llvm::BitVector leadsToWork(const Behaviour &b, const FlowIndex &flows,
                            NodeId container);

/// The container that a termination ends; empty: the behaviour. What holds all
/// but the event sub-processes, and has events that start these, is not drawn:
/// they end too.
NodeId terminatedScope(const Behaviour &b, NodeId termination);

/// The events that start \p container, if it is an event sub-process.
SmallVector<NodeId, 4>
startsOfHandler(const Behaviour &b, const FlowIndex &flows, NodeId container);

/// Errors, escalations and cancellations go to the events that catch them on
/// the nearest activity around that has such [bpmn20, 10.5.6, table 10.93]. One
/// without a name is caught by any. What is caught here happens by what is
/// thrown only; an error without a name may have other causes.
struct Catchers {
  /// By node that throws: the boundary events that catch it.
  std::vector<SmallVector<NodeId, 1>> caughtBy;
  llvm::BitVector isThrown; ///< by boundary event: happens in no other way
};

/// Nothing is caught in a choreography, nor where more than 100,000 pairs would
/// be: then events happen at any time.
Catchers findCatchers(const Module &module, const Behaviour &b,
                      const FlowIndex &flows);

/// The catching links at which a token goes on that comes to the link \p n.
SmallVector<NodeId, 1> linkTargets(const Behaviour &b, NodeId n);

/// Whether some branch of \p choice begins with anything but a step or an event
/// to wait for.
bool hasSilentBranch(const Behaviour &b, const FlowIndex &flows, NodeId choice);

} // namespace cif

#endif
