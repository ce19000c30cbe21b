//===- Signals.cpp - Being told to stop -----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Signals.h"
#include "cif/Support/ChildProcess.h"
#include "cif/Support/TemporaryFolder.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <unistd.h>

using namespace cif;

// A signal handler can reach nothing but globals. A run writes one file at a
// time, seldom two.
static std::atomic<const char *> temporaries[8];
static std::atomic<unsigned> writing;

void cif::removeTemporaries() {
  for (std::atomic<const char *> &slot : temporaries)
    if (const char *path = slot.load())
      unlink(path);
  removeTemporaryFolders();
}

static void endBy(int signal) {
  killChildren();
  removeTemporaries();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

static void onRequest(int signal) {
  if (interrupted.exchange(true) || writing.load())
    endBy(signal);
}

static bool isIgnored(int signal) {
  struct sigaction action;
  return sigaction(signal, nullptr, &action) == 0 &&
         action.sa_handler == SIG_IGN;
}

/// Calls \p onRequest. What waits for input stops waiting, which it would not
/// with std::signal: that starts a call of `read` again.
static void installRequest(int signal) {
  struct sigaction action = {};
  action.sa_handler = onRequest;
  sigaction(signal, &action, nullptr);
}

void cif::installSignals() {
  installRequest(SIGINT);
  for (int signal : {SIGTERM, SIGHUP})
    if (!isIgnored(signal)) // nohup
      installRequest(signal);
  for (int signal : {SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM})
    if (!isIgnored(signal))
      std::signal(signal, endBy);
  // A closed pipe and a file that grows too large are seen when writing.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

Writing::Writing() { ++writing; }

Writing::~Writing() {
  if (temporary)
    unlink(temporary);
  forget();
  --writing;
}

void Writing::forget() {
  for (std::atomic<const char *> &slot : temporaries) {
    const char *own = temporary;
    if (own && slot.compare_exchange_strong(own, nullptr))
      break;
  }
  std::free(temporary);
  temporary = nullptr;
}

int Writing::create(StringRef path) {
  std::string name = path.str() + ".tmp-XXXXXX";
  char *own = strdup(name.c_str());
  // From the file's first moment on, a signal knows of it.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int fd = mkostemp(own, O_CLOEXEC);
  int error = errno;
  if (fd < 0) {
    std::free(own);
  } else {
    temporary = own;
    for (std::atomic<const char *> &slot : temporaries) {
      const char *none = nullptr;
      if (slot.compare_exchange_strong(none, own))
        break;
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return fd;
}

bool Writing::rename(StringRef path) {
  if (std::rename(temporary, path.str().c_str()) != 0)
    return false;
  forget();
  return true;
}
