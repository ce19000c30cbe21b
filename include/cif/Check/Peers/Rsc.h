//===- Rsc.h - Executions that are made of whole exchanges ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_PEERS_RSC_H
#define CIF_CHECK_PEERS_RSC_H

#include "cif/Check/Peers/Health.h"

namespace cif {

/// Whether peers are realizable with synchronous communication (RSC): each of
/// their executions can be reordered, without touching causes, so that every
/// reception follows its send at once.
struct Rsc {
  Verdict verdict = Verdict::Inconclusive;
  std::string limit; ///< inconclusive: why
  uint64_t states = 0, transitions = 0;
  /// Violated: a shortest execution that cannot be reordered, and why: each
  /// message has to come before the next one, the last before the first.
  std::optional<Witness> witness;
  std::vector<std::string> cycle;
  /// Holds: deadlocks, unspecified receptions and orphan messages with
  /// unbounded queues, by HealthProblem.
  HealthFinding findings[3];
  /// Holds: what no execution gets to, a text for each peer.
  std::vector<std::string> unreached;
};

/// Nothing: errors were reported. \p network is Inbox or FifoPair.
std::optional<Rsc> checkRsc(const Module &module, NetworkKind network,
                            const Limits &limits, DiagnosticEngine &diags);

} // namespace cif

#endif
