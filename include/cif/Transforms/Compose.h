//===- Compose.h - One collaboration from processes -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Processes as one collaboration, matched by the names of their messages.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TRANSFORMS_COMPOSE_H
#define CIF_TRANSFORMS_COMPOSE_H

#include "cif/IR/Module.h"

namespace cif {

/// A node of a process that sends or receives, with one of its messages; a node
/// with several message flows has an end for each message.
struct MessageEnd {
  BehaviourId behaviour;
  NodeId node;
  MessageId message; ///< empty: none is given
  bool sends = false;
  Location flow; ///< of its message flow, where there is one
};

/// The ends of all processes, in the order of behaviours and nodes.
std::vector<MessageEnd> messageEnds(const Module &module);

/// The exchange that an end takes part in, its own side being the process it is
/// in. An empty name: whoever answers.
Label exchangeOf(const Module &module, const MessageEnd &end);
/// "send 'pay' (b_pay)", for people.
std::string endText(const Module &module, const MessageEnd &end);
/// The participant of a process: its owner, else its own name.
StringRef ownerName(const Module &module, const Behaviour &process);

/// Makes one collaboration of the processes of \p module, in place: a message
/// goes from the one node that sends its name to the one node that receives it,
/// whatever partners their files knew. \p names: as many names as there are
/// processes, in their order (empty: it keeps its own), or entries `old=new`.
/// False: errors were reported, and \p module must not be used.
bool compose(Module &module, ArrayRef<std::string> names,
             DiagnosticEngine &diags);

} // namespace cif

#endif
