//===- Synchronizability.h - Peers with and without queues ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether peers send the same sequences through queues as by handshakes
/// [verchor, Def. 5].
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_PEERS_SYNCHRONIZABILITY_H
#define CIF_CHECK_PEERS_SYNCHRONIZABILITY_H

#include "cif/IR/Fact.h"
#include "cif/Semantics/PeerView.h"
#include "cif/Support/Limits.h"
#include <optional>
#include <set>

namespace cif {

struct SynchronizabilityOptions {
  NetworkKind network = NetworkKind::Inbox;
  bool networkIsGiven = false; ///< else what fits the subject
  /// The bound of each queue, noBound for none. Empty: 1 as in VerChor, and
  /// then whatever can make the answer exact.
  std::optional<uint32_t> bound;
  /// Messages that go by handshake and silently, beside those that controllers
  /// receive; see SemanticsOptions.
  std::vector<std::string> handshakes;
  /// Health: how many states to explore before fewer orders of independent
  /// steps are, and then before receptions get priority. Else: how many states
  /// peers may have before they are minimised. Whether any of this happens.
  uint64_t fewStates = 5'000, wholeStates = 1'000'000;
  bool reduces = true;
  /// Health: only growth is in question, as a proof says (ConnectedProof.h).
  bool healthy = false;
  Limits limits;
};

/// A send of a run, and what is in the queues after it.
struct SendStep {
  Label label;
  Origin origin; ///< the sender's transition
  std::string queues;
};

struct Synchronizability {
  Verdict verdict = Verdict::Inconclusive;
  bool exact = false;
  std::string method;
  std::string limit; ///< inconclusive: why
  uint64_t states = 0, transitions = 0;
  /// Violated: the shortest sequence of sends that handshakes do not have.
  std::vector<SendStep> trace;
  std::vector<Label> instead; ///< what handshakes allow in place of the last
  std::string explanation;    ///< who sends without having been told what
};

/// Communication topologies for which a bound of 1 decides.
enum class Topology : uint8_t { Other, OrientedRing, Tree };
/// The topology of peers: who sends to whom.
Topology topologyOf(const PeerView &view);
/// The same of \p numPeers peers with queues, by sender and receiver.
Topology topologyOf(const std::set<std::pair<uint32_t, uint32_t>> &channels,
                    size_t numPeers);
/// For the method of a verdict.
StringRef topologyText(Topology topology);

/// Whether the peers of \p module send the same sequences through queues as by
/// handshakes. Violated is exact at any bound, with a shortest witness; holds
/// is exact where Synchronizability.cpp says so. At a limit: inconclusive.
/// Nothing: errors were reported.
std::optional<Synchronizability>
checkSynchronizability(const Module &module,
                       const SynchronizabilityOptions &options,
                       DiagnosticEngine &diags);

/// The synchronous composition of the peers over exchanges; nothing: errors
/// were reported, or \p limit was met.
std::optional<Lts> synchronousComposition(const Module &module,
                                          ArrayRef<std::string> handshakes,
                                          const Limits &limits,
                                          DiagnosticEngine &diags,
                                          std::string &limit);

/// `p -> q : m, r -> s : n` for people.
std::string labelsForPeople(ArrayRef<Label> labels);

} // namespace cif

#endif
