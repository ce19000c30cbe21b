//===- Amendment.h - Interactions that make a choreography realizable ----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Amendments of graphs: the fewest interactions that make a choreography
/// realizable.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_REPAIR_AMENDMENT_H
#define CIF_REPAIR_AMENDMENT_H

#include "cif/Check/Peers/Realizability.h"
#include "cif/Repair/Synchronisations.h"

namespace cif {

struct Amendment {
  enum Outcome : uint8_t {
    Found,   ///< with `added` the choreography is realizable
    Missing, ///< no set of the candidates was found that makes it so
    Unknown, ///< stopped at a limit
  } outcome = Unknown;
  std::vector<Synchronisation> added;
  std::vector<MessageId> messages; ///< of `added`, in `module`
  /// Of `added`: what is possible when it alone is left out; empty where that
  /// is not what makes it necessary.
  std::vector<std::vector<Label>> without;
  Module module;          ///< the source with the amended choreography
  bool fewest = false;    ///< no smaller set of the candidates suffices
  bool connected = false; ///< it is proved to be realizable
  uint32_t candidates = 0;
  uint64_t questions = 0;
  std::string limit;
};

/// The fewest interactions between \p graph's own that make it realizable.
/// \p index is its place among the behaviours of \p module. At a limit the
/// outcome is Unknown. Nothing: errors were reported.
std::optional<Amendment> amendForRealizability(
    const Module &module, uint32_t index, const Behaviour &graph,
    const SynchronizabilityOptions &options, DiagnosticEngine &diags);

/// The same where the structure alone tells which are the fewest, and that
/// they are sufficient. Nothing: it does not.
std::optional<Amendment>
amendWithoutSearch(const Module &module, uint32_t index, const Behaviour &graph,
                   SynchronizabilityOptions options, DiagnosticEngine &diags);

/// Prints interactions that were put on flows of \p graph as a diff on its
/// source: text that `patch` applies for .ioc and .cp, else the elements that
/// they go between. \p module has the amended choreography; a patch is printed
/// only if the patched text was read and says the same, within \p limits.
/// False: the source is .ioc or .cp, and there is no such patch.
bool printAmendment(raw_ostream &os, SourceManager &sources,
                    const Module &module, const Behaviour &graph,
                    ArrayRef<Synchronisation> added,
                    ArrayRef<std::string> exchanges, const Limits &limits);

} // namespace cif

#endif
