//===- ExitCodes.h - What a tool's exit status says -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_EXITCODES_H
#define CIF_SUPPORT_EXITCODES_H

namespace cif {

/// Scripts rely on these. Where several apply: Error, then Violated, then
/// Inconclusive.
enum ExitCode : int {
  ExitHolds = 0,        ///< done, and every checked property holds
  ExitViolated = 1,     ///< a checked property is violated
  ExitError = 2,        ///< bad usage or bad input; nothing was written
  ExitInconclusive = 3, ///< a limit or a gap in the theory was reached
};

} // namespace cif

#endif
