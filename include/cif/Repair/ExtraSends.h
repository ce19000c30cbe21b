//===- ExtraSends.h - Whether peers send what they should not -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_REPAIR_EXTRASENDS_H
#define CIF_REPAIR_EXTRASENDS_H

#include "cif/Check/Peers/Synchronizability.h"
#include "cif/Repair/SmallestSet.h"

namespace cif {

/// Whether \p peers can send in no order that \p allowed does not have, which
/// is deterministic and without silent steps: Enough, or Lacking with the trace
/// of a send too many. With the bound of \p options; where it has none, with a
/// bound of 1, as in Def. 5 of [guedemann12], and then without a bound as far
/// as 100,000 states show. Nothing: errors were reported.
std::optional<SetAnswer> sendsWithin(const Module &peers,
                                     ArrayRef<std::string> handshakes,
                                     const Lts &allowed,
                                     const SynchronizabilityOptions &options,
                                     DiagnosticEngine &diags);

} // namespace cif

#endif
