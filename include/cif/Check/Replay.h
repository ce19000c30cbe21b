//===- Replay.h - Runs of witnesses ---------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether a witness is a run of its model. This looks at the witness as it is
/// told to people, and at the system without any reduction; it knows nothing
/// of the search that found the witness. PassContext::report asks it before a
/// violated verdict is told.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_REPLAY_H
#define CIF_CHECK_REPLAY_H

#include "cif/IR/Fact.h"
#include "cif/Semantics/Semantics.h"
#include "cif/Support/Limits.h"

namespace cif {

/// What must be true of the state at the end of a run.
enum class RunEnd : uint8_t {
  Anything,
  Stuck, ///< nothing can happen, and it is not done
};

/// Whether the system that \p options make of \p module has a run with the
/// labels of \p witness in their order, and internal steps between them. The
/// cycle of a lasso is run once. A limit that is met is a no.
bool replays(const Module &module, const SemanticsOptions &options,
             const Witness &witness, RunEnd end, const Limits &limits,
             DiagnosticEngine &diags);

/// The same for runs of peers with queues of any length, where sends and
/// receptions are seen.
bool replaysOnPeers(const Module &module, NetworkKind network,
                    ArrayRef<std::string> handshakes, const Witness &witness,
                    RunEnd end, const Limits &limits, DiagnosticEngine &diags);

/// Whether peers with queues can send in the order of \p witness, and cannot
/// by handshakes.
bool replaysExtraSends(const Module &module, NetworkKind network,
                       ArrayRef<std::string> handshakes, const Witness &witness,
                       const Limits &limits, DiagnosticEngine &diags);

/// Whether \p lts has a run with the labels of \p steps in their order, and
/// silent steps between them.
bool replaysOnLts(const Lts &lts, ArrayRef<WitnessStep> steps);

} // namespace cif

#endif
