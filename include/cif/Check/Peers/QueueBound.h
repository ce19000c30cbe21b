//===- QueueBound.h - Messages that cannot pile up ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Bounded queues from what each peer does in a cycle, without a search of the
/// composition.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_PEERS_QUEUEBOUND_H
#define CIF_CHECK_PEERS_QUEUEBOUND_H

#include "cif/Semantics/PeerView.h"
#include "cif/Support/Limits.h"

namespace cif {

/// Whether there are weights of messages with which no cycle of a peer sends
/// more than it receives. Then finitely many messages can be in transit, under
/// any network. False says nothing.
bool areQueuesBounded(const PeerView &view, Budget &budget);

} // namespace cif

#endif
