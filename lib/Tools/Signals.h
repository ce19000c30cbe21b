//===- Signals.h - Being told to stop -------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// SIGINT (Ctrl-C), SIGTERM and SIGHUP make a search stop and report what it
/// has found so far; the second one, or the first one while a file is being
/// written, ends the run. No signal that can be caught leaves a temporary file.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_TOOLS_SIGNALS_H
#define CIF_LIB_TOOLS_SIGNALS_H

#include "cif/Support/LLVM.h"

namespace cif {

void installSignals();

/// While one of these lives, output is being written. With a path, that file
/// is removed when a signal ends the run.
class Writing {
public:
  Writing();
  ~Writing();
  Writing(const Writing &) = delete;
  Writing &operator=(const Writing &) = delete;

  /// Makes a file beside \p path that nobody else has, and removes it with this
  /// object unless it was kept. Negative: errno says why.
  int create(StringRef path);
  /// Renames the file to \p path. False: errno says why.
  bool rename(StringRef path);

private:
  void forget();

  char *temporary = nullptr;
};

/// Removes temporary files and folders. It may be called from a signal handler.
void removeTemporaries();

} // namespace cif

#endif
