//===- SemanticsArguments.h - What to explore, from the command line ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_TOOLS_SEMANTICSARGUMENTS_H
#define CIF_LIB_TOOLS_SEMANTICSARGUMENTS_H

#include "cif/Semantics/Semantics.h"
#include "cif/Tools/CommandLine.h"

namespace cif {

/// The names of the options that readSemantics reads.
ArrayRef<StringRef> semanticsOptionNames();
/// Reads --semantics, --network, --bound, --observe and --only where they are
/// given. False: errors were reported.
bool readSemantics(const Arguments &arguments, SemanticsOptions &options,
                   DiagnosticEngine &diags);
/// Whether each of these options says something about what is explored; it is
/// an error if not.
bool semanticsApply(const Arguments &arguments, const Module &module,
                    const SemanticsOptions &options, DiagnosticEngine &diags);

} // namespace cif

#endif
