//===- ChildProcess.h - Programs that are run -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a program as the first of a group of processes, so that whatever it
/// starts can be ended with it.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_CHILDPROCESS_H
#define CIF_SUPPORT_CHILDPROCESS_H

#include "cif/Support/Limits.h"
#include <sys/types.h>
#include <vector>

namespace cif {

struct ChildProcess {
  std::string program;            ///< its path
  std::vector<std::string> words; ///< its name and arguments
  std::string folder;             ///< where it runs
  std::string log;                ///< the file that gets what it prints
  bool logsOutput = false;        ///< standard output too, not only errors
  /// Open files for its standard streams, in the place of nothing and `log`.
  int input = -1, output = -1, errors = -1;
  std::vector<std::string> environment; ///< NAME=VALUE beside what is set here
};

/// Starts \p process; it inherits no other open file. Returns 0, or
/// the system's number for why it could not be started.
int spawn(const ChildProcess &process, pid_t &child);

struct ChildEnd {
  enum Kind : uint8_t {
    Exited,  ///< by itself, with `status`
    Crashed, ///< by the signal `status`
    Stopped, ///< at a limit: `text` names it
    Failed,  ///< it could not be started: `text` says why
  } kind = Failed;
  int status = -1;
  std::string text;
};

/// Runs \p process to its end, or until a limit is met. Whatever it started is
/// gone then: it is asked to end, and killed where it does not within two
/// seconds.
ChildEnd run(const ChildProcess &process, const Limits &limits);

/// Kills what `run` waits for. It may be called from a signal handler.
void killChildren();

} // namespace cif

#endif
