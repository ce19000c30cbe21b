//===- Replay.h - Runs of witnesses ---------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether a witness is a run of its model. The witness is taken as users see
/// it, and the system without any reduction; nothing is shared with the search
/// that found it. PassContext::report replays the witness before it reports a
/// violated verdict.
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
/// cycle of a lasso is run once. False at a limit as well: the caller withdraws
/// its verdict then. Errors in making the system are reported to \p diags.
bool replays(const Module &module, const SemanticsOptions &options,
             const Witness &witness, RunEnd end, const Limits &limits,
             DiagnosticEngine &diags);

/// The same for runs of peers with queues of any length, in which both sends
/// and receptions are labels.
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
