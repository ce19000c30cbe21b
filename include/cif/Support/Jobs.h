//===- Jobs.h - Runs of the compiler --------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs the compiler on texts, as a process in a folder of its own that goes
/// away with it. A job has a slot, such as "the check of this editor": a newer
/// one ends the one before. At most two run at a time.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_JOBS_H
#define CIF_SUPPORT_JOBS_H

#include "cif/Support/TemporaryFolder.h"
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <vector>

namespace cif {

struct Job {
  std::string slot;
  /// Of the text when it was asked for; a lower one never ends a higher one.
  int64_t revision = 0;
  std::vector<std::string> arguments;
  /// Paths from the job's folder, and what is in them.
  std::map<std::string, std::string> files;
  /// Files that the run may write.
  std::vector<std::string> outputs;
};

struct JobResult {
  enum Kind {
    Ended,     ///< by itself, with `status`
    Crashed,   ///< by a signal; `errors` may say more
    TimedOut,  ///< it did not keep its own limit
    Cancelled, ///< a newer one came, or all are stopped
    Busy,      ///< too many wait already
    Failed     ///< it could not be started: `errors`
  } kind = Failed;
  int status = -1;
  std::map<std::string, std::string> outputs; ///< those that were written
  std::string errors;                         ///< what it printed
};

class Jobs {
public:
  /// \p seconds: when a run that does not end by itself is ended. \p owner is
  /// the beginning of the name of the folder for temporary files.
  bool start(StringRef compiler, unsigned seconds, StringRef owner,
             std::string &error);
  /// Waits for the end of \p job; any number of threads may.
  JobResult run(const Job &job);
  /// Ends the job of \p slot, if there is one.
  void cancel(const std::string &slot);
  /// Ends all; none begins from here on.
  void stop();

private:
  struct Active {
    int64_t revision;
    bool isCancelled = false;
    pid_t child = 0; ///< not waited for yet
  };
  static void end(Active &job);
  JobResult runIn(const std::string &folder, const Job &job, Active &active);
  JobResult::Kind waitFor(Active &active, int &status);

  std::string compiler;
  TemporaryFolder folder;
  unsigned seconds = 0;
  std::mutex mutex; ///< of all below
  std::condition_variable changed;
  std::map<std::string, Active *> slots; ///< the newest of each
  std::vector<Active *> all;
  unsigned running = 0;
  uint64_t count = 0;
  bool isStopping = false;
};

} // namespace cif

#endif
