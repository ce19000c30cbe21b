//===- Project.h - From a choreography to its participants ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Projection in two forms: as a graph, which keeps parallelism, choices and
/// locations, and as a peer LTS, which is what the checks compare.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TRANSFORMS_PROJECT_H
#define CIF_TRANSFORMS_PROJECT_H

#include "cif/IR/Module.h"
#include "cif/Semantics/System.h"
#include "cif/Support/Limits.h"
#include "cif/Support/Outcome.h"
#include <optional>

namespace cif {

/// A choreography of a module: a behaviour, or a system with that role.
struct ChoreographyRef {
  bool isSystem = false;
  uint32_t index = 0;
};

/// All choreographies of a module: behaviours first, then systems.
std::vector<ChoreographyRef> findChoreographies(const Module &module);
/// Its name, and where it is declared.
StringRef choreographyName(const Module &module, ChoreographyRef which);
Place choreographyPlace(const Module &module, ChoreographyRef which);

/// A choreography as an LTS over exchanges; all else is silent.
struct GlobalLts {
  Lts lts;
  std::vector<Origin> origins; ///< of each transition, in the module
};

/// Explores a choreography. Loop markers must have been expanded (normalize).
/// Stopped at a limit, or where the states are infinitely many; Failed: errors
/// were reported.
Outcome<GlobalLts> globalLts(const Module &module, ChoreographyRef which,
                             const Limits &limits, DiagnosticEngine &diags);

/// Who takes part in \p global: sorted, each once.
std::vector<std::string> participantsOf(const Lts &global);
/// Whom checks look at: the participants, or one who does nothing where nothing
/// is exchanged, so that there is a peer that can be done or stuck.
std::vector<std::string> peerNamesOf(const Lts &global);

/// The peer LTS of \p peer: what does not involve it is hidden, the rest is
/// determinised and minimised modulo weak traces. Stopped at a limit; never
/// Failed. A \p peer that takes no part gets an LTS without steps.
Outcome<Lts> projectLts(const Lts &global, StringRef peer, Budget &budget);

/// A choice whose outcome a participant has to know but is not told.
struct UntoldChoice {
  NodeId choice;      ///< in the choreography
  MessageId sends;    ///< what the participant sends on one branch
  MessageId receives; ///< what it receives on another one; empty: nothing
};

/// The structural projection: the graph of \p choreography with the steps of
/// \p peer alone. Interactions become sends and receptions, what others do
/// vanishes, and so do gateways with nothing between them. A choice that
/// \p peer does not make is decided by what it receives. The behaviour refers
/// to the messages and participants of \p module.
Behaviour projectGraph(const Module &module, const Behaviour &choreography,
                       ParticipantId peer, std::vector<UntoldChoice> &untold);

} // namespace cif

#endif
