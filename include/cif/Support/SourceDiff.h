//===- SourceDiff.h - Changes to a source, shown as a diff ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_SOURCEDIFF_H
#define CIF_SUPPORT_SOURCEDIFF_H

#include "cif/Support/Source.h"
#include <optional>

namespace cif {

/// A text that is put into a source before a byte of it. Edits at one byte go
/// in in their order.
struct SourceEdit {
  size_t offset = 0;
  std::string text;
};

/// Prints \p edits of \p source as a unified diff with three lines of context,
/// which `patch` applies.
void printSourceDiff(raw_ostream &os, const SourceBuffer &source,
                     std::vector<SourceEdit> edits);

/// \p source with \p edits: what `patch` makes of that diff.
std::string patchedText(const SourceBuffer &source,
                        std::vector<SourceEdit> edits);

/// The byte at a line and column (from 1) of \p source, if it is there.
std::optional<size_t> offsetOf(const SourceBuffer &source, uint32_t line,
                               uint32_t column);

} // namespace cif

#endif
