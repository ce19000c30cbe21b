//===- CollaborationRepair.h - Collaborations made sound ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The smallest change after which all properties of a collaboration hold that
/// docs/soundness.md defines. Whatever is offered was checked as the given
/// collaboration was.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_REPAIR_COLLABORATIONREPAIR_H
#define CIF_REPAIR_COLLABORATIONREPAIR_H

#include "cif/Check/Collaboration/Analyses.h"
#include "cif/Repair/CollaborationChanges.h"

namespace cif {

struct RepairOptions {
  CollaborationRequest request; ///< semantics and networks
  unsigned pick = 1;            ///< which of the repairs, in their order
  unsigned maxChanges = 2;      ///< made together
  unsigned maxChecks = 600;
  uint64_t maxStates = 5'000'000; ///< of all checks together
  uint64_t maxStatesEach = 200'000;
};

struct CollaborationRepair {
  enum Outcome : uint8_t {
    NotNeeded, ///< no property is violated
    Found,
    NotFound, ///< `tried` says what was tried
    Limit,    ///< the same; there may be one all the same
  };
  Outcome outcome = NotFound;
  std::vector<CollaborationChange> changes;
  std::vector<std::string> diff;
  Module module; ///< with the changes, where found
  std::string tried;
  unsigned checks = 0;
};

/// Finds the fewest changes after which every property holds that was violated,
/// and every property that held. \p given: what is known of \p module. Nothing:
/// errors were reported.
std::optional<CollaborationRepair>
repairCollaboration(const Module &module, const CollaborationAnalyses &given,
                    const RepairOptions &options, DiagnosticEngine &diags);

} // namespace cif

#endif
