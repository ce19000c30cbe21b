//===- ProjectData.h - Projections that know data -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A participant decides by what it knows. Of the LTS of a choreography whose
/// labels show what messages carry, its part depends on the values that it has
/// seen; of the graph, it keeps the guards whose variables it knows.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TRANSFORMS_PROJECTDATA_H
#define CIF_TRANSFORMS_PROJECTDATA_H

#include "cif/Transforms/Project.h"

namespace cif {

/// globalLts, with labels that show values where guards decide by them; see
/// makeValuedChoreography.
Outcome<GlobalLts> valuedLts(const Module &module, ChoreographyRef which,
                             const Limits &limits, DiagnosticEngine &diags);

/// A participant that must decide by a variable, or send it, and does not know
/// it there.
struct UntoldData {
  NodeId node; ///< the choice, or the interaction, in the choreography
  FlowId flow; ///< of a choice: the branch
  ExprId asks; ///< the guard, or what is sent
  Name variable;
};
/// projectGraph, and what the participant does not know.
Behaviour projectGraph(const Module &module, const Behaviour &choreography,
                       ParticipantId peer, std::vector<UntoldChoice> &untold,
                       std::vector<UntoldData> &unknown);

/// What each participant does not know; nothing where no guard and no message
/// has variables.
std::vector<std::pair<ParticipantId, UntoldData>>
untoldData(const Module &module, const Behaviour &choreography);

/// `the choice of 't' here depends on 'x', which it does not know; known by:
/// 'c', 's'`.
std::string untoldText(const Module &module, const Behaviour &choreography,
                       StringRef peer, const UntoldData &lacks);
/// Where that is.
Place untoldPlace(const Module &module, const Behaviour &choreography,
                  const UntoldData &lacks);

} // namespace cif

#endif
