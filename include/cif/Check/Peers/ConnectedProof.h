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
#include "cif/IR/Fact.h"
#include "cif/Semantics/Semantics.h"
#include "cif/Transforms/Project.h"

namespace cif {

/// The graph of a choreography that has its traces: roles are told by their
/// names, as peers are. Nothing where none is known to: conditions over data,
/// interruption, links, inclusive gateways, several starts, and more.
/// \p module is normalized.
std::optional<IocGraph> traceGraph(const Module &module, ChoreographyRef which);

/// A part of a choreography that is to be searched.
struct SearchedPart {
  Module module; ///< has one choreography
  /// What comes before it is proved: a run of it is one of the whole only after
  /// \p before.
  bool isBehind = false;
  /// A run of it that has none of these exchanges (as labelForPeople writes
  /// them) is a run of the whole.
  std::vector<std::string> later;
  /// A run of \p rest, or where that is empty of the part, is one of the whole
  /// after these exchanges by handshakes. Nothing: no such exchanges are known.
  std::optional<std::vector<WitnessStep>> before;
  std::optional<Module> rest;
};

struct ConnectedProof {
  /// It is realizable and synchronizable. False says nothing.
  bool proved = false;
  /// Else, where that is less than the whole: what is left to be searched. The
  /// whole is realizable under a network when all of them are.
  std::vector<SearchedPart> parts;
};

/// Looks for a proof for choreography \p which of \p module.
ConnectedProof proveConnected(const Module &module, ChoreographyRef which,
                              const Limits &limits);

/// What follows for the peers of a sender-connected choreography. False says
/// nothing.
struct HealthProof {
  /// No deadlock, no unspecified reception and no orphan, whatever the bound.
  bool healthy = false;
  bool bounded = false;    ///< and no queue grows without bound
  bool sequential = false; ///< there are no parallel branches
};

/// The same about \p network.
HealthProof proveHealthy(const Module &module, ChoreographyRef which,
                         NetworkKind network, const Limits &limits);

/// A proof for cif-check that \p which of \p module is sender-connected;
/// docs/certificates.md has its format. Nothing: it is not, or it has what
/// `normalize` takes away, sub-choreographies or calls.
std::optional<std::string> connectedCertificate(const Module &module,
                                                ChoreographyRef which,
                                                const Limits &limits);

/// The name of the method in facts.
constexpr const char *connectedMethod = "sender-connected";

} // namespace cif

#endif
