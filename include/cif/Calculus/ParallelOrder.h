//===- ParallelOrder.h - Parallel branches that keep an order -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether the peers of a sender-connected term (SenderConnected.h) do whole
/// exchanges in some order, although messages are in transit: what parallel
/// branches need for a proof of implementability. docs/algorithms.md has the
/// argument.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CALCULUS_PARALLELORDER_H
#define CIF_CALCULUS_PARALLELORDER_H

#include "cif/IR/Term.h"
#include "cif/Support/Limits.h"

namespace cif {

/// Whether the exchanges of every run of the peers of \p term have an order in
/// which each participant does its part. Requires: the term is sender-connected
/// and has no kinds other than connectednessKinds(), and calls in last place;
/// of two messages to one participant of which the second depends on the first,
/// the second is not received first. \p inOrderOfSending: each participant
/// receives messages in the order in which they were sent. False: not known, or
/// a limit was met.
bool hasOrderOfExchanges(const Term &term, bool inOrderOfSending,
                         Budget &budget);

} // namespace cif

#endif
