//===- Repairability.h - Choices that no controller can settle ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_PEERS_REPAIRABILITY_H
#define CIF_CHECK_PEERS_REPAIRABILITY_H

#include "cif/Transforms/Project.h"
#include <optional>

namespace cif {

/// Two exchanges of one state with different senders.
struct DivergentChoice {
  std::vector<Label> trace; ///< a shortest way to the state
  Label first, second;
};

/// A divergent choice of \p protocol that is nearest to its initial state, or
/// none. With \p diamond, two exchanges that are possible in both orders and
/// lead to the same state are interleaved and no choice. The protocol must be
/// deterministic, minimal and without silent steps.
std::optional<DivergentChoice> findDivergentChoice(const Lts &protocol,
                                                   bool diamond);

/// Whether \p which of the normalised module \p normal is repairable, in the
/// strict sense or with diamonds closed. Nothing: errors were reported.
std::optional<Fact> repairabilityFact(const Module &normal,
                                      ChoreographyRef which, bool strict,
                                      const Limits &limits,
                                      DiagnosticEngine &diags);
/// Whether \p witness, a run whose last two steps are alternatives, is one of
/// the choreography, with either of them.
bool replaysChoice(const Module &normal, ChoreographyRef which,
                   const Witness &witness, const Limits &limits,
                   DiagnosticEngine &diags);

} // namespace cif

#endif
