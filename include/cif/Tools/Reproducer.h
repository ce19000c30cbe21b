//===- Reproducer.h - What is left after a crash --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// When a tool crashes it leaves a folder in $TMPDIR with a copy of what it
/// read and a script that runs it again, and says where. `--run-reproducer`
/// does the same from any place and with any build of the tool.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TOOLS_REPRODUCER_H
#define CIF_TOOLS_REPRODUCER_H

#include "cif/Support/Diagnostics.h"

namespace cif {

/// Prepares for a crash of this run of \p tool.
void installReproducer(StringRef tool, ArrayRef<const char *> arguments);
/// Tells it of an input; \p bytes must stay where they are.
void reproducerInput(StringRef path, StringRef bytes);

/// The FOLDER of a command line that begins with --run-reproducer; else empty.
StringRef reproducerFolder(ArrayRef<const char *> words);
/// Makes \p folder the current one, connects standard input as it was, and
/// reads the \p words of the run that crashed. False: reported.
bool enterReproducer(StringRef folder, StringRef tool, DiagnosticEngine &diags,
                     std::vector<std::string> &words);

/// A word of a command line as a shell reads it back.
std::string shellQuoted(StringRef word);

} // namespace cif

#endif
