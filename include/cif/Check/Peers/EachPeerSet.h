//===- EachPeerSet.h - The frame of checks on peers -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the passes on peers have in common: which peers are meant, and what is
/// said when a limit kept them from being made.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_PEERS_EACHPEERSET_H
#define CIF_CHECK_PEERS_EACHPEERSET_H

#include "cif/Check/Peers/PeerSets.h"
#include "cif/Check/Peers/Realizability.h"
#include "cif/Pass/Pass.h"

namespace cif {

/// A fact on \p set without a verdict yet.
Fact factOn(StringRef property, const PeerSet &set);

/// The fact without a verdict that PeerSet::limit stopped the construction of
/// the peers; the options of the pass are parameters of the question.
Fact limitFact(StringRef property, const PeerSet &set,
               const PassContext &context);

/// Decides a choreography before its peers are made; false: they are needed.
using ProveFirst = function_ref<bool(ChoreographyRef)>;

/// Calls \p check with each set of peers, given or projected. It answers false
/// when it failed, which was reported. The checks of one run share the peers.
/// Choreographies that \p prove decides are left out.
PassResult checkEachPeerSet(Module &module, PassContext &context,
                            StringRef property,
                            function_ref<bool(const PeerSet &)> check,
                            PeersFrom from = PeersFrom::Any,
                            ProveFirst prove = nullptr);

/// A fact, and what runs its witness again.
struct ReplayedFact {
  Fact fact;
  std::function<bool(const Fact &)> replays;
};

/// The same for questions about the order of sends, which \p decide answers;
/// nothing: it failed. Choreographies that are sender-connected need no peers
/// (PeerSet::connected), and others are searched in parts where that is enough
/// (ConnectedProof.h), unless the option `no-proof` is set.
PassResult checkSendOrder(
    Module &module, PassContext &context, StringRef property,
    function_ref<std::optional<ReplayedFact>(const PeerSet &)> decide,
    PeersFrom from = PeersFrom::Any);

/// Calls \p change with the module's only choreography and its projection;
/// \p flag is what the user asked for.
PassResult changeTheChoreography(
    Module &module, PassContext &context, StringRef flag, StringRef property,
    function_ref<PassResult(ChoreographyRef, PeerSet &)> change);

} // namespace cif

#endif // CIF_CHECK_PEERS_EACHPEERSET_H
