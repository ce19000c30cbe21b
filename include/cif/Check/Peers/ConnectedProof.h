//===- ConnectedProof.h - Realizability without search --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether a choreography is sender-connected, which proves that its projection
/// sends what it says under every network and bound. See docs/algorithms.md.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_PEERS_CONNECTEDPROOF_H
#define CIF_CHECK_PEERS_CONNECTEDPROOF_H

#include "cif/Calculus/SenderConnected.h"
#include "cif/Check/Peers/SearchedParts.h"
#include "cif/Semantics/Semantics.h"
#include "cif/Transforms/Project.h"

namespace cif {

/// A graph with the traces of a choreography; roles are identified by their
/// names, as peers are. Nothing if no such graph is known: with conditions over
/// data, interruption, links, inclusive gateways, several starts, and more.
/// Requires a normalized module.
std::optional<IocGraph> traceGraph(const Module &module, ChoreographyRef which);

struct ConnectedProof {
  /// The choreography is realizable and synchronizable. False: not known.
  bool proved = false;
  /// If it is not proved: what remains to be searched.
  SearchedParts left;
};

/// Tries to prove choreography \p which of \p module, by structure alone. At a
/// limit nothing is proved. \p largeFrom and \p keepsStarts:
/// findSearchedParts() says what they mean.
ConnectedProof proveConnected(const Module &module, ChoreographyRef which,
                              const Limits &limits, size_t largeFrom = SIZE_MAX,
                              bool keepsStarts = false);

/// Properties of the peers of a sender-connected choreography. False: not
/// known.
struct HealthProof {
  /// No deadlock, no unspecified reception and no orphan, whatever the bound.
  bool healthy = false;
  bool bounded = false;       ///< and no queue grows without bound
  bool implementable = false; ///< and they implement the choreography
};

/// Tries to prove that the peers of \p which are healthy under \p network, for
/// every bound. At a limit nothing is proved.
HealthProof proveHealthy(const Module &module, ChoreographyRef which,
                         NetworkKind network, const Limits &limits);

/// A proof for cif-check that \p which of \p module is sender-connected, in the
/// format of docs/certificates.md. Nothing if it is not sender-connected as a
/// whole or, as \p isNormal says, is not normalized or has sub-choreographies
/// or calls.
std::optional<std::string> connectedCertificate(const Module &module,
                                                ChoreographyRef which,
                                                const Limits &limits,
                                                bool &isNormal);

/// The name of the method in facts.
constexpr const char *connectedMethod = "sender-connected";

} // namespace cif

#endif
