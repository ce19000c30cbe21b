//===- Fixes.h - Changes of a source, for reports -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a repair changes in the file that it was made for, as replacements of
/// lines: SARIF calls them fixes, and editors apply them.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_TOOLS_FIXES_H
#define CIF_LIB_TOOLS_FIXES_H

#include "cif/Report/RunReport.h"

namespace cif {

/// Hands on what is printed, and keeps it.
class KeepingStream final : public llvm::raw_ostream {
public:
  explicit KeepingStream(raw_ostream &to) : out(to) { SetUnbuffered(); }
  std::string kept;

private:
  void write_impl(const char *text, size_t size) override {
    kept.append(text, size);
    out.write(text, size);
  }
  uint64_t current_pos() const override { return kept.size(); }
  raw_ostream &out;
};

/// The hunks of the unified diffs on \p file in \p log, among other lines.
std::vector<ReportReplacement> replacementsOf(StringRef log, StringRef file);
/// The lines from the first to the last that differ.
std::vector<ReportReplacement> replacementsBetween(StringRef before,
                                                   StringRef after);

} // namespace cif

#endif
