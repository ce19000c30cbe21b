//===- Health.h - What goes wrong between peers ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Deadlocks, unspecified receptions, orphan messages and unbounded queues of
/// peers. Health.cpp defines each.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_PEERS_HEALTH_H
#define CIF_CHECK_PEERS_HEALTH_H

#include "cif/Check/Peers/Synchronizability.h"
#include "cif/Explore/Engine.h"

namespace cif {

enum class HealthProblem : uint8_t {
  Deadlock,             ///< nothing can happen, and a peer is not done
  UnspecifiedReception, ///< a peer only waits, and for nothing that has come
                        ///< first
  Orphan,               ///< all peers are done, and nobody will receive what is
                        ///< in transit
  Unbounded,            ///< a queue grows without bound
};
constexpr unsigned numHealthProblems = 4;
/// "deadlock", "unspecified reception", "orphan message", "unbounded queue".
StringRef healthProblemText(HealthProblem problem);

struct HealthFinding {
  Verdict verdict = Verdict::Inconclusive;
  bool exact = false;
  bool proved = false; ///< without a search
  std::string text;    ///< what is wrong, or why there is no verdict
  std::optional<Witness> witness;
  std::vector<Origin> waits; ///< transitions that peers wait for in vain
};

struct Health {
  HealthFinding findings[numHealthProblems]; ///< by problem
  std::string method;
  uint64_t states = 0, transitions = 0; ///< of the last search
};

/// What a proof says without a search; what it does not say is inconclusive.
Health provedHealth(bool bounded);

/// Looks for each problem in the composition of the peers of \p module, under
/// any network; bound as in SynchronizabilityOptions, but unbounded by default.
/// Witnesses are shortest runs. At a limit, problems that were not found are
/// inconclusive; a finding with a witness is exact in any case. Nothing: errors
/// were reported.
std::optional<Health> checkHealth(const Module &module,
                                  const SynchronizabilityOptions &options,
                                  DiagnosticEngine &diags);

/// The same by an engine, with a bound that is given unless the network is
/// finite. Runs are not shortest ones. Whether queues grow is decided where the
/// bound keeps nothing from being sent.
std::optional<Health> checkHealthWith(const EngineOptions &engine,
                                      const Module &module,
                                      const SynchronizabilityOptions &options,
                                      DiagnosticEngine &diags);

} // namespace cif

#endif
