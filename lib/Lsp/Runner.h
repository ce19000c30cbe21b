//===- Runner.h - Jobs that the server need not wait for ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_LSP_RUNNER_H
#define CIF_LIB_LSP_RUNNER_H

#include "cif/Support/Jobs.h"
#include "cif/Support/Thread.h"
#include <functional>

namespace cif {

/// Runs jobs, each with a thread that waits for it, and hands their results
/// over in the thread that asks for them.
class Runner {
public:
  using Done = std::function<void(JobResult result)>;

  ~Runner() { stop(); }
  bool start(StringRef compiler, unsigned seconds, std::string &error);
  /// \p done is called by deliver(), once.
  void run(Job job, Done done);
  void cancel(const std::string &slot) { jobs.cancel(slot); }
  /// Readable when there is something to deliver.
  int fd() const { return wake; }
  void deliver();
  /// Ends all jobs; what they would have called is not called.
  void stop();

private:
  Jobs jobs;
  int wake = -1;
  int64_t revision = 0;
  uint64_t count = 0;
  std::map<uint64_t, std::pair<std::optional<Thread>, Done>> waiting;
  std::mutex mutex; ///< of what follows
  std::vector<std::pair<uint64_t, JobResult>> ended;
};

} // namespace cif

#endif
