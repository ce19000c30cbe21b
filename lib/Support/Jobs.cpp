//===- Jobs.cpp - Runs of the compiler ------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/Jobs.h"
#include "cif/Support/ChildProcess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cif;

constexpr unsigned maxRunning = 2;
constexpr size_t maxWaiting = 12;
/// A report or a file that is larger is not for a page.
constexpr uint64_t maxOutput = 64 << 20;

bool Jobs::start(StringRef path, unsigned limit, StringRef owner,
                 std::string &error) {
  compiler = path.str();
  seconds = limit;
  if (std::error_code code = folder.create(owner)) {
    error = "no folder for temporary files: " + code.message();
    return false;
  }
  return true;
}

/// With the mutex held. A child that nobody has waited for keeps its number.
void Jobs::end(Active &job) {
  job.isCancelled = true;
  if (job.child > 0)
    kill(-job.child, SIGKILL);
}

void Jobs::cancel(const std::string &slot) {
  std::lock_guard<std::mutex> lock(mutex);
  if (auto at = slots.find(slot); at != slots.end())
    end(*at->second);
  changed.notify_all();
}

void Jobs::stop() {
  std::lock_guard<std::mutex> lock(mutex);
  isStopping = true;
  for (Active *job : all)
    end(*job);
  changed.notify_all();
}

JobResult Jobs::run(const Job &job) {
  Active active{job.revision};
  JobResult result;
  std::string own;
  {
    std::unique_lock<std::mutex> lock(mutex);
    auto [at, isNew] = slots.try_emplace(job.slot, &active);
    if (!isNew && at->second->revision > job.revision) {
      result.kind = JobResult::Cancelled; // it came late
      return result;
    }
    if (!isNew)
      end(*at->second);
    at->second = &active;
    all.push_back(&active);
    changed.notify_all();
    if (all.size() > maxRunning + maxWaiting)
      result.kind = JobResult::Busy;
    else
      changed.wait(lock, [&] {
        return isStopping || active.isCancelled || running < maxRunning;
      });
    if (isStopping || active.isCancelled)
      result.kind = JobResult::Cancelled;
    else if (result.kind != JobResult::Busy)
      own = folder.path() + "/" + std::to_string(++count);
    running += !own.empty();
  }
  if (!own.empty()) {
    result = runIn(own, job, active);
    (void)llvm::sys::fs::remove_directories(own);
  }
  std::lock_guard<std::mutex> lock(mutex);
  running -= !own.empty();
  llvm::erase(all, &active);
  if (auto at = slots.find(job.slot);
      at != slots.end() && at->second == &active)
    slots.erase(at);
  if (active.isCancelled)
    result.kind = JobResult::Cancelled;
  changed.notify_all();
  return result;
}

static bool writeFile(const std::string &path, StringRef text) {
  // Where it fails, opening the file says why.
  (void)llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return false;
  os << text;
  os.close();
  bool isGood = !os.has_error();
  os.clear_error();
  return isGood;
}

static std::string readFile(const std::string &path) {
  uint64_t size;
  if (llvm::sys::fs::file_size(path, size) || size > maxOutput)
    return "";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// Starts the compiler in \p folder. Returns 0 or why it could not be started.
static int startIn(const std::string &folder, const std::string &compiler,
                   ArrayRef<std::string> words, pid_t &child) {
  ChildProcess process{compiler, {"cifc"}, folder + "/in", folder + "/log"};
  llvm::append_range(process.words, words); // one program, many names
  if (int why = spawn(process, child))
    return why;
  rlimit core{0, 0}, size{maxOutput, maxOutput};
  prlimit(child, RLIMIT_CORE, &core, nullptr);
  prlimit(child, RLIMIT_FSIZE, &size, nullptr);
  return 0;
}

/// Waits for the child and ends it where it takes too long.
JobResult::Kind Jobs::waitFor(Active &active, int &status) {
  JobResult::Kind kind = JobResult::Ended;
  int fd = static_cast<int>(syscall(SYS_pidfd_open, active.child, 0));
  if (fd >= 0) {
    pollfd waiting{fd, POLLIN, 0};
    int ready;
    do
      ready = poll(&waiting, 1, static_cast<int>(seconds) * 1000);
    while (ready < 0 && errno == EINTR);
    if (ready == 0) {
      kind = JobResult::TimedOut;
      kill(-active.child, SIGKILL);
    }
    close(fd);
  }
  // It stays a child until nobody can end it any more.
  siginfo_t info;
  while (waitid(P_PID, active.child, &info, WEXITED | WNOWAIT) < 0 &&
         errno == EINTR)
    ;
  std::lock_guard<std::mutex> lock(mutex);
  kill(-active.child, SIGKILL); // what it may have started
  while (waitpid(active.child, &status, 0) < 0 && errno == EINTR)
    ;
  active.child = 0;
  return kind;
}

JobResult Jobs::runIn(const std::string &own, const Job &job, Active &active) {
  JobResult result;
  bool isWritten = !llvm::sys::fs::create_directories(own + "/out") &&
                   !llvm::sys::fs::create_directories(own + "/in");
  for (const auto &[path, text] : job.files)
    isWritten = isWritten && writeFile(own + "/in/" + path, text);
  if (!isWritten) {
    result.errors = "no room for temporary files in '" + folder.path() + "'";
    return result;
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (active.isCancelled)
      return result;
    if (int why = startIn(own, compiler, job.arguments, active.child)) {
      active.child = 0;
      result.errors = "'" + compiler + "': " + std::strerror(why);
      return result;
    }
  }
  int status = 0;
  result.kind = waitFor(active, status);
  result.errors = readFile(own + "/log");
  if (result.kind == JobResult::Ended && !WIFEXITED(status))
    result.kind = JobResult::Crashed;
  if (result.kind != JobResult::Ended)
    return result;
  result.status = WEXITSTATUS(status);
  for (const std::string &path : job.outputs)
    if (llvm::sys::fs::exists(own + "/out/" + path))
      result.outputs[path] = readFile(own + "/out/" + path);
  return result;
}
