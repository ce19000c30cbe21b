//===- OutputFile.h - Output that is whole or not there -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TOOLS_OUTPUTFILE_H
#define CIF_TOOLS_OUTPUTFILE_H

#include "cif/Tools/RunFiles.h"
#include "llvm/Support/FileSystem.h"
#include <optional>

namespace cif {

class Writing;

/// Completes what was written to standard output. The error: output is lost. A
/// reader that closed the pipe early got what it wanted.
std::error_code flushStandardOutput();

/// A file that appears under its name only when all of it is written: bytes go
/// to a temporary file beside it, which keep() syncs and renames. An
/// interrupted run leaves the old file and no other. A symbolic link stays one:
/// what it points to is written, whether it is there yet or not. Devices, pipes
/// and standard output are written in place.
class OutputFile {
public:
  /// \p owner is what asks for the file ("-o", "--verdicts"); see
  /// RunFiles::claim. Null: it cannot be opened, and that was reported.
  static std::unique_ptr<OutputFile> open(StringRef path, StringRef owner,
                                          RunFiles &files,
                                          DiagnosticEngine &diags);
  /// The same for a path that has been claimed.
  static std::unique_ptr<OutputFile>
  openClaimed(StringRef path, RunFiles &files, DiagnosticEngine &diags);
  ~OutputFile();

  raw_ostream &os() { return *stream; }
  /// Completes the file. False: it could not be written, and that was reported.
  bool keep();
  bool isTerminal() const { return toStdout && stream->is_displayed(); }

private:
  OutputFile(StringRef path, RunFiles &files, DiagnosticEngine &diags);
  bool openTemporary(std::optional<unsigned> oldMode);

  std::string path, target; ///< as given, and where its links lead
  RunFiles &files;
  DiagnosticEngine &diags;
  std::unique_ptr<Writing> writing;
  std::unique_ptr<llvm::raw_fd_ostream> stream;
  int temporary = -1; ///< its descriptor
  bool toStdout = false;
};

/// The files that passes write. They appear when all passes have run: a run
/// that fails leaves what was there before, even a file that a later pass turns
/// out to read. Streams and devices are written at once.
class PassFiles {
public:
  PassFiles(RunFiles &files, DiagnosticEngine &diags)
      : files(files), diags(diags) {}

  /// As PassHost::write.
  bool write(StringRef path, function_ref<void(raw_ostream &)> print);
  /// Writes what was held back. False: errors were reported.
  bool keep();

private:
  RunFiles &files;
  DiagnosticEngine &diags;
  std::vector<std::pair<std::string, std::string>> texts; ///< by their paths
};

} // namespace cif

#endif
