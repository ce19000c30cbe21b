//===- RunFiles.h - The files of a run ------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One registry of all files that a run reads or writes: no file that is read
/// is overwritten, and no two outputs go to the same file. Files are identified
/// by device and inode, so that links and other spellings of a path do not
/// matter; a file that is not there yet is known by its folder and name.
/// Devices, pipes and terminals are not files in this sense, but standard
/// output has one use at a time.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TOOLS_RUNFILES_H
#define CIF_TOOLS_RUNFILES_H

#include "cif/Support/Diagnostics.h"

namespace cif {

/// Where \p path leads through symbolic links, also where nothing is there yet.
/// Empty: the links go round in circles.
std::string throughLinks(StringRef path);

class RunFiles {
public:
  /// Notes an input of the tool ("-": standard input).
  void addInput(StringRef path);
  /// Notes a file that a pass or the tool reads besides. False: an output of
  /// this run has this place, which was reported.
  bool addRead(StringRef path, DiagnosticEngine &diags);
  /// Notes that \p owner ("-o") will write \p path. With \p inPlace it may be
  /// an input. False: it is read, or another owner writes it, which was
  /// reported. An owner may claim what it has claimed before; an empty one
  /// never.
  bool claim(StringRef path, StringRef owner, bool inPlace,
             DiagnosticEngine &diags);
  /// Notes that what was claimed as \p path is there now.
  void written(StringRef path);
  /// Whether standard output has its use already.
  bool standardOutputTaken() const;
  /// The files that were read, and those that were claimed, by their names and
  /// each once; no streams.
  std::vector<std::string> readNames() const { return names(false); }
  std::vector<std::string> writtenNames() const { return names(true); }

private:
  enum class Use { Input, Read, Written };
  struct Identity {
    uint64_t device = 0, inode = 0;
    std::string name; ///< in the folder \c inode; empty: of the file itself
    bool operator==(const Identity &) const = default;
  };
  struct File {
    std::vector<Identity> identities;
    std::string owner;
    Use use;
    std::string name; ///< as it was given
  };
  static std::vector<Identity> identify(StringRef path, Use use);
  std::vector<std::string> names(bool written) const;
  static Identity standardOutput();
  static bool share(ArrayRef<Identity> a, ArrayRef<Identity> b);

  std::vector<File> files;
};

} // namespace cif

#endif
