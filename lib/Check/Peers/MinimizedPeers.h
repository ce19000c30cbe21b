//===- MinimizedPeers.h - Peers that are minimised before they meet -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Peers modulo branching bisimulation that preserves divergence. Their
/// compositions are related to those of the given peers in the same way, on all
/// networks and with all bounds (Conformance/Parts.cpp has the proof), so that
/// what they send, and every weak relation, stays the same.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_PEERS_MINIMIZEDPEERS_H
#define CIF_LIB_CHECK_PEERS_MINIMIZEDPEERS_H

#include "cif/Check/Peers/Synchronizability.h"
#include "cif/IR/Module.h"

namespace cif {

/// The peers and controllers of \p module, each minimised. Nothing: they may
/// not have many states together, or would not have half as many.
std::optional<Module> minimizedPeers(const Module &module,
                                     const SynchronizabilityOptions &options);

/// Whether what was found of minimised peers is the answer: else the given ones
/// are asked, for the run that violates it or for a better answer.
template <class Result>
bool isAnswer(const Result &result, const SynchronizabilityOptions &options) {
  return result.verdict == Verdict::Holds && (result.exact || options.bound);
}

} // namespace cif

#endif
