//===- Input.h - Reading modules in any format ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TOOLS_INPUT_H
#define CIF_TOOLS_INPUT_H

#include "cif/Tools/Registry.h"

namespace cif {

/// What is read of one file by default, in bytes.
constexpr uint64_t defaultMaxInput = 1u << 30;

struct InputOptions {
  std::string format; ///< empty: told by the content
  uint64_t maxInput = defaultMaxInput;
  FrontEndOptions frontEnd;
};

/// Reads a file or standard input (`-`), unpacks it where it is compressed, and
/// keeps it as a source. Null: reported; so is what has more than \p maxInput
/// bytes, or no end.
const SourceBuffer *readSource(StringRef path, uint64_t maxInput,
                               DiagnosticEngine &diags);

/// Reads one source in whatever format it is. Null: errors were reported.
std::unique_ptr<Module> readModule(StringRef path, const Registry &registry,
                                   const InputOptions &options,
                                   DiagnosticEngine &diags);

/// The same of a source that is there.
std::unique_ptr<Module> readModule(const SourceBuffer &source,
                                   const Registry &registry,
                                   const InputOptions &options,
                                   DiagnosticEngine &diags);

/// The diagrams of a file that are modules of their own; none: it is one.
std::vector<SourcePart> partsOfInput(StringRef path, const Registry &registry,
                                     const InputOptions &options,
                                     SourceManager &sources);

/// Reads several and links them into one module.
std::unique_ptr<Module> readModules(ArrayRef<std::string> paths,
                                    const Registry &registry,
                                    const InputOptions &options,
                                    DiagnosticEngine &diags);

} // namespace cif

#endif
