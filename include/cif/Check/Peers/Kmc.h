//===- Kmc.h - k-multiparty compatibility ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// k-multiparty compatibility of peers [lange19].
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_PEERS_KMC_H
#define CIF_CHECK_PEERS_KMC_H

#include "cif/IR/Fact.h"
#include "cif/IR/Module.h"
#include "cif/Support/Limits.h"
#include <optional>

namespace cif {

/// A condition of [lange19], and what breaks it.
struct KmcCondition {
  bool holds = true;
  std::string text; ///< when it does not hold: what is wrong
  /// The shortest run to a configuration that breaks it; none for conditions on
  /// the peers alone.
  std::optional<Witness> witness;
};

struct Kmc {
  uint32_t k = 1;
  std::string limit; ///< why there is no verdict; then only csa and directed
                     ///< are set
  /// Communicating session automata: deterministic, no state both sends and
  /// receives, no internal steps.
  KmcCondition csa;
  KmcCondition directed; ///< each state talks to one peer, in one direction
  KmcCondition obi, sibi, cibi; ///< independence of the bound
  KmcCondition exhaustive, safe;
  /// A configuration that breaks safety whatever the bound: from it no send is
  /// ever kept back.
  KmcCondition safeAnyBound;
  uint64_t states = 0, transitions = 0;
  /// Fewer orders of independent steps were explored.
  bool reduced = false;

  bool compatible() const { return exhaustive.holds && safe.holds; }
  /// Whether the bound does not matter for what the peers do.
  bool independent() const { return csa.holds && obi.holds && cibi.holds; }
};

/// Whether the peers of \p module are k-multiparty compatible with a queue of
/// capacity \p k (at least 1) for each ordered pair. At a limit, or for peers
/// that [lange19] does not cover, Kmc::limit says why and only `csa` and
/// `directed` are set. Where there are more than \p reduceFrom states, fewer
/// orders of independent steps are explored; that is enough if all conditions
/// hold. Nothing: errors were reported.
std::optional<Kmc> checkKmc(const Module &module, uint32_t k,
                            const Limits &limits, DiagnosticEngine &diags,
                            uint64_t reduceFrom = 5'000);

} // namespace cif

#endif
