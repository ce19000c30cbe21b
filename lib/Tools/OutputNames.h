//===- OutputNames.h - What the name of an output asks for ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The extension of -o is heeded or refused, never ignored:
///
/// - of a format that is written here: that format is written;
/// - of a format of other tools, such as .bcg, or an unknown one: an error;
/// - none, or one that stands for no format (x.tmp, x.1, tmp.kX3qPd): the
///   tool's own format.
///
/// With --emit=FORMAT the extension does not matter.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_TOOLS_OUTPUTNAMES_H
#define CIF_LIB_TOOLS_OUTPUTNAMES_H

#include "cif/Tools/CommandLine.h"

namespace cif {

/// The name of the emitter for \p path, where \p emit is --emit's value or
/// empty. Empty: the format is not known or not written here, which was
/// reported.
StringRef outputFormat(StringRef path, StringRef emit, const ToolInfo &tool,
                       const Registry &registry, DiagnosticEngine &diags);

enum class LtsFormat : uint8_t { Aut, AutGz, Dot, Binary, Text };

/// The same for what cif-lts writes.
std::optional<LtsFormat> ltsFormat(StringRef path, const Registry &registry,
                                   DiagnosticEngine &diags);

} // namespace cif

#endif
