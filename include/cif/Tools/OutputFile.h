//===- OutputFile.h - Output that is whole or not there -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TOOLS_OUTPUTFILE_H
#define CIF_TOOLS_OUTPUTFILE_H

#include "cif/Support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include <optional>

namespace cif {

/// A file that appears under its name only when all of it is written: bytes go
/// to a temporary file beside it, which keep() renames. An interrupted run
/// leaves the old file. Devices, pipes and standard output are written in
/// place.
class OutputFile {
public:
  /// Null: it cannot be opened, and that was reported.
  static std::unique_ptr<OutputFile> open(StringRef path,
                                          DiagnosticEngine &diags);
  ~OutputFile();

  raw_ostream &os() { return *stream; }
  /// Completes the file. False: it could not be written, and that was reported.
  bool keep();
  bool isTerminal() const { return toStdout && stream->is_displayed(); }

private:
  OutputFile(StringRef path, DiagnosticEngine &diags)
      : path(path.str()), diags(diags) {}

  std::string path;
  DiagnosticEngine &diags;
  std::unique_ptr<llvm::raw_fd_ostream> stream;
  std::optional<llvm::sys::fs::TempFile> temporary;
  bool toStdout = false;
};

} // namespace cif

#endif
