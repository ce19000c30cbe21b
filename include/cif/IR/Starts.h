//===- Starts.h - Where behaviours and containers start -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one place that says which nodes get a token when their scope starts. A
/// scope is a behaviour or a container:
///  - its initial nodes start, and at the top level the receptions and event
///    choices that instantiate the process and have no incoming flow;
///  - a scope without any of these starts at its nodes without incoming flow
///    [bpmn20, 10.4.2], boundary events and catching links aside;
///  - event sub-processes start by themselves.
/// Everything else is reached by flows, or never.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_STARTS_H
#define CIF_IR_STARTS_H

#include "cif/IR/Module.h"

namespace cif {

/// Whether a node may be the first of its process, by what it waits for: a
/// message start event, or a reception or event choice that instantiates.
bool startsByMessage(const Node &node);

/// By node: whether it starts with its scope.
std::vector<bool> startingNodes(const Behaviour &behaviour,
                                const FlowIndex &flows);

/// Whether there are only participants without a process: nothing starts here,
/// and all messages are the environment's.
bool hasBlackBoxesOnly(const Module &module);

} // namespace cif

#endif
