//===- Projected.h - The processes of a choreography, for tests ---------- ===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_PROJECTED_H
#define CIF_TEST_UNIT_PROJECTED_H

#include "cif/Transforms/Project.h"

namespace cif::test {

/// The module's only choreography as a process of each participant.
inline Module projected(const Module &choreography) {
  Module result = choreography.clone();
  result.behaviours.clear();
  for (size_t p = 0; p < choreography.participants.size(); ++p) {
    std::vector<UntoldChoice> untold;
    result.behaviours.push_back(projectGraph(
        choreography, choreography.behaviours[0], ParticipantId(p), untold));
  }
  return result;
}

} // namespace cif::test

#endif
