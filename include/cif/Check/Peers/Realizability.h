//===- Realizability.h - Peers against a choreography ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Realizability and conformance of peers, and the facts about them.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_PEERS_REALIZABILITY_H
#define CIF_CHECK_PEERS_REALIZABILITY_H

#include "cif/Check/Peers/PeerSets.h"
#include "cif/Check/Peers/Synchronizability.h"
#include "cif/Equivalence/Compare.h"

namespace cif {

/// Peers that realize a choreography, or conform to it: they are synchronizable
/// and their synchronous composition is related to it.
struct Realizability {
  Verdict verdict = Verdict::Inconclusive;
  bool exact = false;
  std::string method;
  std::string limit;
  Synchronizability queues;
  Comparison handshakes; ///< left: the composition; right: the choreography
  uint64_t states = 0, transitions = 0;
};

/// Whether \p peers are synchronizable and their synchronous composition is
/// related to \p choreography by \p relation. Exact where synchronizability is.
/// At a limit: inconclusive, unless one of the two questions is answered no.
/// Nothing: errors were reported.
std::optional<Realizability>
checkRealizability(const Module &peers, const Lts &choreography,
                   Relation relation, const SynchronizabilityOptions &options,
                   DiagnosticEngine &diags);

/// Whether \p witness, or the difference of \p result, is one of \p peers: the
/// sends are run again with and without queues, or the difference is looked at
/// on a composition that is made anew.
bool replaysRealizability(const Realizability &result, const Witness &witness,
                          const Module &peers, const Lts &choreography,
                          const SynchronizabilityOptions &options,
                          DiagnosticEngine &diags);

/// Facts of these results; places and steps are those of the choreography
/// \p spec, whose origins are in \p source, where there is one.
Fact synchronizabilityFact(const PeerSet &set, const Synchronizability &result,
                           const SynchronizabilityOptions &options);
Fact realizabilityFact(StringRef property, const PeerSet &set,
                       const GlobalLts &spec, const Module &source,
                       const Realizability &result, Relation relation,
                       const SynchronizabilityOptions &options);
/// The fact that \p property holds of a sender-connected choreography.
Fact connectedFact(StringRef property, const PeerSet &set,
                   SynchronizabilityOptions options);

} // namespace cif

#endif
