//===- SymbolicReplay.h - Symbolic runs, value by value -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Takes the run of a violated symbolic verdict once more, in the semantics
/// that explore states, with the values of the run.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_CONFORMANCE_SYMBOLICREPLAY_H
#define CIF_CHECK_CONFORMANCE_SYMBOLICREPLAY_H

#include "cif/Semantics/Semantics.h"
#include "cif/Symbolic/Conformance.h"

namespace cif {

/// Whether the processes of \p module (or its choreography) and the
/// choreography of \p spec have this run, and part where it says so: one of
/// them can take the last step with these values, and the other cannot, after
/// whatever silent steps. Both modules are normalized. Null instead of
/// \p module: peers that infer what they can, from the runs of the choreography
/// with the values of this run and those of \p alike.
bool replaysExplicitly(const Module *module, const Module &spec,
                       NetworkKind network, uint32_t bound, Pes &pes,
                       const Parting &parting, ArrayRef<CarriedValue> alike,
                       const Limits &limits);

} // namespace cif

#endif
