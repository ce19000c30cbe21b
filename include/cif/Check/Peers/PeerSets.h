//===- PeerSets.h - The peers that a check is about -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the checks of peers start from: the peers that a module has, those of
/// its processes, or those that its choreographies are projected to.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_PEERS_PEERSETS_H
#define CIF_CHECK_PEERS_PEERSETS_H

#include "cif/Semantics/Semantics.h"
#include "cif/Transforms/Project.h"

namespace cif {

/// Peers that run together.
struct PeerSet {
  std::string subject; ///< "the peers", "choreography 'Shop'"
  Place at;
  /// How their messages travel unless somebody says so: bag for processes,
  /// inbox for peers.
  NetworkKind network = defaultNetwork(SemanticsKind::Peers);
  /// Holds the peers as systems; origins of runs are in it.
  Module module;
  /// The choreography that they were projected from, and the module that its
  /// origins are in. Empty: the peers were given.
  std::optional<GlobalLts> global;
  Module source;
  /// The choreography is sender-connected; then there are no peers, because
  /// nothing about the order of sends is left to search.
  bool connected = false;
  /// The choreography stands for one that goes on (SearchedPart::start): only
  /// if it is realizable, that one is synchronizable.
  bool goesOn = false;
  /// The limit that stopped their construction; then there are no peers.
  std::string limit;
};

enum class PeersFrom : uint8_t {
  Given,        ///< the module's peers, else its processes
  Choreography, ///< each choreography's projection
  Any,          ///< given ones, where there are any
};

/// \p peers of \p source, of which each receiver takes a message with any
/// value, if it takes it with some: which one it is, its sender decides alone
/// (late semantics). With a value that the receiver rules out, it gets stuck.
/// Queues have the same effect: what was sent was sent.
Module takingAnyValue(const Module &peers, const Module &source);

/// How guards over data were decided, ready to stand behind a method.
std::string dataMethodOf(const PeerSet &set);

/// Whether \p module has peers or processes of its own.
bool hasPeers(const Module &module);

/// What a check of \p which says that it is about; the peers are not there yet.
PeerSet choreographySubject(const Module &module, ChoreographyRef which);
/// The peers that \p which is projected to. Nothing: an error was reported.
std::optional<PeerSet> projectedPeers(const Module &module,
                                      ChoreographyRef which,
                                      const Limits &limits,
                                      DiagnosticEngine &diags);

/// The sets of peers to check. Empty: an error was reported.
std::vector<PeerSet> peerSets(const Module &module, PeersFrom from,
                              const Limits &limits, DiagnosticEngine &diags);

/// A run of \p global over \p trace, as the places of its exchanges. It ends
/// where the choreography cannot follow; what comes then has the place of some
/// exchange with its label, if there is one.
std::vector<Place> placesOf(const Module &source, const GlobalLts &global,
                            ArrayRef<Label> trace);

} // namespace cif

#endif
