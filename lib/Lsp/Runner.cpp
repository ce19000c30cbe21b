//===- Runner.cpp - Jobs that the server need not wait for ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include <cerrno>
#include <cstring>
#include <sys/eventfd.h>
#include <unistd.h>

using namespace cif;

bool Runner::start(StringRef compiler, unsigned seconds, std::string &error) {
  wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) {
    error = std::strerror(errno);
    return false;
  }
  return jobs.start(compiler, seconds, "cif-lsp", error);
}

void Runner::run(Job job, Done done) {
  job.revision = ++revision;
  uint64_t number = ++count;
  auto end = [this, number](JobResult result) {
    std::lock_guard<std::mutex> lock(mutex);
    ended.emplace_back(number, std::move(result));
    uint64_t one = 1;
    // It can only fail when there is something to read already.
    static_cast<void>(!write(wake, &one, sizeof one));
  };
  std::optional<Thread> thread(std::in_place);
  if (!thread->start(
          [this, end, job = std::move(job)] { end(jobs.run(job)); })) {
    thread.reset();
    JobResult none;
    none.errors = "there is no memory for one more thread";
    end(std::move(none));
  }
  waiting.emplace(number, std::pair(thread, std::move(done)));
}

void Runner::deliver() {
  uint64_t any;
  static_cast<void>(!read(wake, &any, sizeof any));
  std::vector<std::pair<uint64_t, JobResult>> results;
  {
    std::lock_guard<std::mutex> lock(mutex);
    results.swap(ended);
  }
  for (auto &[number, result] : results) {
    auto entry = waiting.extract(number);
    if (entry.mapped().first)
      entry.mapped().first->join();
    entry.mapped().second(std::move(result));
  }
}

void Runner::stop() {
  jobs.stop();
  for (auto &[number, entry] : waiting)
    if (entry.first)
      entry.first->join();
  waiting.clear();
  if (wake >= 0)
    close(wake);
  wake = -1;
}
