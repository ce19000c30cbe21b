//===- TemporaryFolder.h - A folder that goes with the run ------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A folder for the files that other programs read and write. It is removed
/// with all that is in it, also where a signal ends the run.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_TEMPORARYFOLDER_H
#define CIF_SUPPORT_TEMPORARYFOLDER_H

#include "cif/Support/LLVM.h"
#include <string>
#include <system_error>

namespace cif {

class TemporaryFolder {
public:
  TemporaryFolder() = default;
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  /// Makes a folder that nobody else has, where the system keeps temporary
  /// files; its name begins with \p prefix. At most once.
  std::error_code create(StringRef prefix);

  /// Empty: it was not made.
  const std::string &path() const { return name; }

private:
  std::string name;
};

/// Removes the folders that are there. It may be called from a signal handler,
/// and the run ends then: the objects are left as they are.
void removeTemporaryFolders();

} // namespace cif

#endif
