//===- Explain.h - The pages behind --explain -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TOOLS_EXPLAIN_H
#define CIF_TOOLS_EXPLAIN_H

#include "cif/Support/LLVM.h"

namespace cif {

/// A page of docs/diagnostics or docs/passes, built into the tools.
struct Explanation {
  const char *name; ///< "E0101", "check-structure"
  const char *text;
};
/// All that are built in; plugins have their own.
ArrayRef<Explanation> explanations();

} // namespace cif

#endif
