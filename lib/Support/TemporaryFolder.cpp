//===- TemporaryFolder.cpp - A folder that goes with the run --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/TemporaryFolder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace cif;

// A signal handler can reach nothing but globals. A run has one, seldom two.
static std::atomic<const char *> folders[8];

/// The first entry that is \p from becomes \p to.
static void replace(const char *from, const char *to) {
  for (std::atomic<const char *> &slot : folders) {
    const char *expected = from;
    if (slot.compare_exchange_strong(expected, to))
      return;
  }
}

std::error_code TemporaryFolder::create(StringRef prefix) {
  llvm::SmallString<128> model(prefix);
  model += "-XXXXXX";
  llvm::SmallString<128> whole;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, whole);
  llvm::sys::path::append(whole, model);
  (void)llvm::sys::fs::make_absolute(whole);
  name = whole.str().str();
  // From the folder's first moment on, a signal knows of it.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  std::error_code code;
  if (mkdtemp(name.data())) {
    replace(nullptr, name.c_str());
  } else {
    code = std::error_code(errno, std::generic_category());
    name.clear();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return code;
}

TemporaryFolder::~TemporaryFolder() {
  if (name.empty())
    return;
  (void)llvm::sys::fs::remove_directories(name);
  replace(name.c_str(), nullptr);
}

/// Without opendir, which allocates. Folders in it are few and flat.
static void removeFolder(int parent, const char *path) {
  const int fd =
      openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return;
  alignas(dirent64) char entries[2048];
  // What is removed while it is read may hide what comes after it.
  for (bool any = true; any && lseek(fd, 0, SEEK_SET) == 0;) {
    any = false;
    long length;
    while ((length = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0)
      for (long at = 0; at < length;) {
        const auto *entry = reinterpret_cast<const dirent64 *>(entries + at);
        at += entry->d_reclen;
        const char *inside = entry->d_name;
        if (!std::strcmp(inside, ".") || !std::strcmp(inside, ".."))
          continue;
        if (entry->d_type == DT_DIR)
          removeFolder(fd, inside);
        any |= unlinkat(fd, inside,
                        entry->d_type == DT_DIR ? AT_REMOVEDIR : 0) == 0;
      }
  }
  close(fd);
}

void cif::removeTemporaryFolders() {
  for (std::atomic<const char *> &slot : folders)
    if (const char *path = slot.load()) {
      removeFolder(AT_FDCWD, path);
      rmdir(path);
    }
}
