//===- PatchCheck.h - What a patched source says --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_REPAIR_PATCHCHECK_H
#define CIF_LIB_REPAIR_PATCHCHECK_H

#include "cif/IR/Module.h"
#include "cif/Support/Limits.h"
#include "cif/Support/SourceDiff.h"

namespace cif {

/// Whether \p source, an IOC text or conversation protocols, says after
/// \p edits what \p verified has as the choreography \p name: the graphs are
/// the same, or, if \p limits are given and neither has data or internal steps,
/// they have the same runs. False: not, or that could not be found out.
bool patchGives(const SourceBuffer &source, StringRef language,
                ArrayRef<SourceEdit> edits, const Module &verified,
                StringRef name, const Limits *limits);

/// What people are told where there is no such patch.
constexpr char noPatchText[] =
    "what is shown is not a patch: no small change of the source is known to "
    "give this choreography; -o FILE writes it, --emit=ioc as a term";

} // namespace cif

#endif
