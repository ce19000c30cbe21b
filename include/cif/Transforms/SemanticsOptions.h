//===- SemanticsOptions.h - What to explore, from a pass's options --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The options that passes with a semantics share.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TRANSFORMS_SEMANTICSOPTIONS_H
#define CIF_TRANSFORMS_SEMANTICSOPTIONS_H

#include "cif/Pass/Pass.h"
#include "cif/Semantics/Semantics.h"

namespace cif {

/// The options semantics, network, bound, observe and only of a pass, which
/// must declare them. Nothing: errors were reported.
std::optional<SemanticsOptions>
readSemanticsOptions(const PassContext &context);

/// Whether each of network, bound and observe that \p isGiven has an effect on
/// what \p options select in \p module; those that have none are errors.
bool semanticsApply(const Module &module, const SemanticsOptions &options,
                    function_ref<bool(StringRef)> isGiven,
                    DiagnosticEngine &diags);
/// The same for the options of a pass.
bool semanticsApply(const Module &module, const SemanticsOptions &options,
                    const PassContext &context);

} // namespace cif

#endif
