//===- Gaps.h - Consecutive interactions that nobody connects -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_REPAIR_GAPS_H
#define CIF_REPAIR_GAPS_H

#include "cif/Repair/Synchronisations.h"
#include <optional>

namespace cif {

/// A smallest choice of \p candidates, as indices in ascending order, that has
/// one in every gap of \p choreography: whatever makes it realizable has at
/// least as many. Whether these do is to be checked. Nothing: gaps share
/// candidates or have none, or it is not known whether what comes after a gap
/// is ever reached. \p choreography is normalized.
std::optional<std::vector<uint32_t>>
fillGaps(const Module &module, const Behaviour &choreography,
         ArrayRef<Synchronisation> candidates);

} // namespace cif

#endif
