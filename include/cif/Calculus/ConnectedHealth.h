//===- ConnectedHealth.h - What else sender-connectedness promises --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Conditions on sender-connected graphs (SenderConnected.h) under which their
/// projections do not get stuck, lose nothing and keep their queues short.
/// docs/algorithms.md has the argument.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CALCULUS_CONNECTEDHEALTH_H
#define CIF_CALCULUS_CONNECTEDHEALTH_H

#include "cif/Calculus/IocGraph.h"
#include "cif/Support/Limits.h"

namespace cif {

/// Whether there are parallel branches.
bool hasFork(const IocGraph &graph);

/// Whether there is one token at any time: nothing splits or joins.
bool isSequential(const IocGraph &graph);

/// Whether from everywhere a step, an end or a join can be reached silently.
bool neverStops(const IocGraph &graph);

/// Whether a message can be received after one to the same participant that
/// depends on it: what its sender does next leads to another one, of another
/// sender where \p pairs have queues. False where a limit is met.
bool keepsOrder(const IocGraph &graph, bool pairs, Budget &budget);

/// Whether nobody can be sent messages without end while it need not answer.
/// Only for what has no parallel branches, or no ways back.
bool isAnswered(const IocGraph &graph, Budget &budget);

} // namespace cif

#endif
