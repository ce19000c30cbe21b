//===- Memory.cpp - How much memory there is, and when there is none ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Memory as a limit. Searches count what they store, which is the same on
/// every machine; in addition, the memory of the whole process is checked from
/// time to time, because not everything is counted. If an allocation fails
/// nevertheless, a reserve is released: the allocation is tried again, and
/// searches stop at their next check. If that is not sufficient, the tool ends
/// with an error message.
///
//===----------------------------------------------------------------------===//

#include "cif/Support/Limits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <new>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace cif;

std::atomic<bool> cif::outOfMemory{false};
std::atomic<bool> cif::underLimits{false};

//===----------------------------------------------------------------------===//
// What is in use
//===----------------------------------------------------------------------===//

namespace {
struct InUse {
  uint64_t space = 0, resident = 0; ///< bytes
};
} // namespace

/// From /proc/self/statm, without an allocation; nothing where there is none.
static InUse readInUse() {
  int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return {};
  char buffer[128];
  ssize_t size = read(fd, buffer, sizeof(buffer));
  close(fd);
  if (size <= 0)
    return {};
  auto [space, rest] = StringRef(buffer, static_cast<size_t>(size)).split(' ');
  uint64_t spacePages = 0, residentPages = 0;
  if (space.getAsInteger(10, spacePages) ||
      rest.split(' ').first.getAsInteger(10, residentPages))
    return {};
  static const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return {spacePages * page, residentPages * page};
}

static uint64_t addressSpaceLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return UINT64_MAX;
  return limit.rlim_cur;
}

uint64_t cif::memoryInUse() {
  using Clock = Limits::Clock;
  static const InUse atStart = readInUse();
  static const bool spaceCounts = addressSpaceLimit() != UINT64_MAX;
  static std::atomic<uint64_t> last{0};
  static std::atomic<int64_t> readAt{0};
  constexpr int64_t pause = 5'000'000; // nanoseconds
  int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                    Clock::now().time_since_epoch())
                    .count();
  if (now - readAt.load(std::memory_order_relaxed) < pause)
    return last.load(std::memory_order_relaxed);
  readAt.store(now, std::memory_order_relaxed);
  InUse inUse = readInUse();
  auto grown = [](uint64_t from, uint64_t to) {
    return to > from ? to - from : 0;
  };
  uint64_t bytes = grown(atStart.resident, inUse.resident);
  if (spaceCounts)
    bytes = std::max(bytes, grown(atStart.space, inUse.space));
  last.store(bytes, std::memory_order_relaxed);
  return bytes;
}

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

static std::string readSystemFile(StringRef root, const Twine &path) {
  llvm::SmallString<128> whole(root);
  llvm::sys::path::append(whole, path);
  auto buffer = llvm::MemoryBuffer::getFileAsStream(whole);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// The smallest number in the files \p name of \p group and the groups around
/// it. In a container the group's path may be one of the host: then the folders
/// that are there count.
static uint64_t groupLimit(StringRef root, StringRef mount, StringRef group,
                           StringRef name) {
  uint64_t least = UINT64_MAX;
  llvm::SmallString<128> path(group);
  while (true) {
    std::string text = readSystemFile(root, mount + path + "/" + name);
    uint64_t bytes = 0;
    if (!StringRef(text).trim().getAsInteger(10, bytes))
      least = std::min(least, bytes);
    if (path.empty() || path == "/")
      return least;
    path.resize(llvm::sys::path::parent_path(path).size());
    if (path == "/")
      path.clear();
  }
}

uint64_t cif::defaultMaxMemory(StringRef root) {
  uint64_t least = UINT64_MAX;
  std::string meminfo = readSystemFile(root, "proc/meminfo");
  SmallVector<StringRef, 64> lines;
  StringRef(meminfo).split(lines, '\n');
  for (StringRef line : lines) {
    uint64_t kilobytes = 0;
    if (line.consume_front("MemTotal:") && line.consume_back("kB") &&
        !line.trim().getAsInteger(10, kilobytes))
      least = kilobytes << 10;
  }
  std::string groups = readSystemFile(root, "proc/self/cgroup");
  lines.clear();
  StringRef(groups).split(lines, '\n');
  for (StringRef line : lines) {
    auto [controllers, path] = line.split(':').second.split(':');
    if (controllers.empty())
      least = std::min(least,
                       groupLimit(root, "sys/fs/cgroup", path, "memory.max"));
    SmallVector<StringRef, 8> names;
    controllers.split(names, ',');
    if (llvm::is_contained(names, "memory"))
      least = std::min(least, groupLimit(root, "sys/fs/cgroup/memory", path,
                                         "memory.limit_in_bytes"));
  }
  least = std::min(least, addressSpaceLimit());
  return least == UINT64_MAX ? 0 : least / 4 * 3;
}

//===----------------------------------------------------------------------===//
// When there is none
//===----------------------------------------------------------------------===//

static constexpr size_t reserveSize = 32 << 20;
static std::atomic<void *> reserve{nullptr};
static void (*onFailure)(bool) = nullptr;

static void giveUp() {
  if (onFailure)
    onFailure(underLimits.load());
  _exit(2);
}

/// Called by operator new, which tries again when this returns.
static void onNewFailed() {
  void *kept = reserve.exchange(nullptr);
  if (!kept)
    giveUp();
  outOfMemory.store(true);
  munmap(kept, reserveSize);
}

/// Small runs would give back what they free and get it again, page by page: a
/// third of their page faults. Large arrays stay mappings of their own, which
/// grow without being copied (LargePages.h).
static void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 8 << 20);
#endif
}

void cif::reserveMemory(void (*fail)(bool searching)) {
  onFailure = fail;
  keepFreedMemory();
  (void)memoryInUse(); // what there is at the start
  if (!reserve.load()) {
    // Address space only: pages that are never touched cost nothing.
    void *made = mmap(nullptr, reserveSize, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made != MAP_FAILED)
      reserve.store(made);
  }
  std::set_new_handler(onNewFailed);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { giveUp(); });
}
