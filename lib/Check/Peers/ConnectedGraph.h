//===- ConnectedGraph.h - The graph that a proof is about -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_PEERS_CONNECTEDGRAPH_H
#define CIF_LIB_CHECK_PEERS_CONNECTEDGRAPH_H

#include "cif/Calculus/IocGraph.h"
#include "cif/Transforms/Project.h"

namespace cif {

/// The choreography \p which of \p module alone, normalized; nothing: there is
/// something to say about it.
std::optional<Module> normalizedAlone(const Module &module,
                                      ChoreographyRef which);

/// The graph of the only choreography of \p normal, after two changes to it
/// that keep its traces: a step that shows nothing is anybody's, and while
/// there is one token, terminating is to end.
std::optional<IocGraph> graphWithoutNoise(Module &normal);

/// Whether nothing is ever sent in the only choreography of \p normal, however
/// choices are made: then the peers send nothing either, and that is all that
/// the choreography allows.
bool exchangesNothing(const Module &normal);

} // namespace cif

#endif
