//===- Health.h - What goes wrong between peers ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_PEERS_HEALTH_H
#define CIF_CHECK_PEERS_HEALTH_H

#include "cif/Check/Peers/Synchronizability.h"

namespace cif {

enum class HealthProblem : uint8_t {
  Deadlock,             ///< nothing can happen, and a peer is not done
  UnspecifiedReception, ///< a peer only waits, and for nothing that has come
                        ///< first
  Orphan,               ///< all peers are done, and nobody will receive what is
                        ///< in transit
  Unbounded,            ///< a queue grows without end
};
constexpr unsigned numHealthProblems = 4;
/// "deadlock", "unspecified reception", "orphan message", "unbounded queue".
StringRef healthProblemText(HealthProblem problem);

struct HealthFinding {
  Verdict verdict = Verdict::Inconclusive;
  bool exact = false;
  std::string text; ///< what is wrong, or the limit that was met
  std::optional<Witness> witness;
  std::vector<Origin> waits; ///< transitions that peers wait for in vain
};

struct Health {
  HealthFinding findings[numHealthProblems]; ///< by problem
  std::string method;
  uint64_t states = 0, transitions = 0;
};

/// Looks for each problem in the composition of the peers of \p module, under
/// any network; bound as in SynchronizabilityOptions, but unbounded by default.
/// Nothing: errors were reported.
std::optional<Health> checkHealth(const Module &module,
                                  const SynchronizabilityOptions &options,
                                  DiagnosticEngine &diags);

} // namespace cif

#endif
