//===- Controllers.h - Distributed controllers ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Controllers stand between a peer and the network: they take what the peer
/// sends, wait for synchronisations from other controllers where the order
/// asks for it, and pass the message on to the receiver's queue [verchor,
/// Def. 9, Fig. 13].
///
//===----------------------------------------------------------------------===//

#ifndef CIF_REPAIR_CONTROLLERS_H
#define CIF_REPAIR_CONTROLLERS_H

#include "cif/Check/Peers/Realizability.h"
#include "cif/Repair/SmallestSet.h"
#include "cif/Repair/Synchronisations.h"

namespace cif {

/// A choreography with its controllers in it: every message of a participant
/// that has a controller goes to the controller, then from there to its
/// receiver; synchronisations go from controller to controller. What projection
/// makes of it are the peers and controllers.
struct Architecture {
  Module module; ///< its one behaviour is that choreography
  std::vector<MessageId> synchronisations; ///< by element of what was chosen
  /// Messages (`p->q:m`) that go by handshake: from a peer to its controller
  /// and between controllers.
  std::vector<std::string> handshakes;
  struct Controlled {
    std::string peer, controller;
  };
  std::vector<Controlled> controllers;
  /// Of what passes a controller: the message as the choreography has it, from
  /// the peer to the controller, from the controller to the receiver.
  struct Passed {
    Label message, local, remote;
  };
  std::vector<Passed> passed;
  /// A synchronisation: between the peers, and between their controllers.
  std::vector<std::pair<Label, Label>> labels;

  /// The controller of a peer, or null: it has none.
  const Controlled *find(StringRef peer) const;
};

/// Participants without synchronisations get no controller.
Architecture makeArchitecture(const Module &module,
                              const Behaviour &choreography,
                              ArrayRef<Synchronisation> chosen);

/// The peers of an architecture, each with its controller as one LTS over the
/// messages of the choreography and synchronisations between peers.
struct ControlledPeers {
  Module module;
  std::vector<std::string> handshakes; ///< the synchronisations
};
/// \p global is the choreography that the architecture was made of.
Outcome<ControlledPeers> controlledPeers(const Architecture &architecture,
                                         const Lts &global,
                                         const Limits &limits,
                                         DiagnosticEngine &diags);

struct Controllers {
  std::vector<Synchronisation> chosen;
  SmallestSet search;
  uint32_t candidates = 0;
  std::string limit; ///< no controllers: why
};

/// Controllers for the choreography \p graph of \p module, whose LTS is
/// \p global: a smallest set of synchronisations with which the controlled
/// peers send what it says and nothing else. At a limit, or where no set is
/// sufficient, `search.kind` says so. Nothing: errors were reported.
std::optional<Controllers> synthesizeControllers(
    const Module &module, const Behaviour &graph, const Lts &global,
    const SynchronizabilityOptions &options, DiagnosticEngine &diags);

} // namespace cif

#endif
