//===- ChildProcess.cpp - Programs that are run ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/ChildProcess.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cif;

extern char **environ;

int cif::spawn(const ChildProcess &process, pid_t &child) {
  std::vector<char *> argv;
  for (const std::string &word : process.words)
    argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  std::vector<char *> environment; // the first of two counts
  for (const std::string &entry : process.environment)
    environment.push_back(const_cast<char *>(entry.c_str()));
  for (char **entry = environ; *entry; ++entry)
    environment.push_back(*entry);
  environment.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (process.input >= 0)
    posix_spawn_file_actions_adddup2(&files, process.input, 0);
  else
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  if (process.errors >= 0)
    posix_spawn_file_actions_adddup2(&files, process.errors, 2);
  else
    posix_spawn_file_actions_addopen(&files, 2, process.log.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC | O_APPEND,
                                     0600);
  if (process.output >= 0)
    posix_spawn_file_actions_adddup2(&files, process.output, 1);
  else if (process.logsOutput)
    posix_spawn_file_actions_adddup2(&files, 2, 1);
  else
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  // What is open here, such as connections of a server, is not for the child.
  posix_spawn_file_actions_addclosefrom_np(&files, 3);
  if (!process.folder.empty())
    posix_spawn_file_actions_addchdir_np(&files, process.folder.c_str());
  posix_spawnattr_t own;
  posix_spawnattr_init(&own);
  sigset_t none, standard;
  sigemptyset(&none);
  sigemptyset(&standard);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ})
    sigaddset(&standard, signal);
  posix_spawnattr_setsigmask(&own, &none);
  posix_spawnattr_setsigdefault(&own, &standard);
  posix_spawnattr_setflags(&own, POSIX_SPAWN_SETPGROUP |
                                     POSIX_SPAWN_SETSIGMASK |
                                     POSIX_SPAWN_SETSIGDEF);
  int why = posix_spawn(&child, process.program.c_str(), &files, &own,
                        argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&own);
  return why;
}

/// Waits for the end of \p child; false: it still runs after \p milliseconds.
static bool waitFor(pid_t child, int fd, int milliseconds) {
  if (fd >= 0) {
    pollfd waiting{fd, POLLIN, 0};
    return poll(&waiting, 1, milliseconds) > 0;
  }
  siginfo_t info{};
  usleep(static_cast<useconds_t>(milliseconds) * 1000);
  return waitid(P_PID, child, &info, WEXITED | WNOWAIT | WNOHANG) == 0 &&
         info.si_pid == child;
}

// A signal handler can reach nothing but globals.
static std::atomic<pid_t> running;

void cif::killChildren() {
  if (pid_t child = running.load())
    kill(-child, SIGKILL);
}

ChildEnd cif::run(const ChildProcess &process, const Limits &limits) {
  ChildEnd end;
  pid_t child = 0;
  // From its first moment on, a signal knows of it.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const int why = spawn(process, child);
  if (!why)
    running = child;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (why) {
    end.text = std::strerror(why);
    return end;
  }
  const int fd = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  Budget budget(limits);
  while (!waitFor(child, fd, 50)) {
    end.text = budget.look(0, 0);
    if (end.text.empty())
      continue;
    // A launcher of further processes ends them when it is asked to.
    kill(-child, SIGTERM);
    for (int i = 0; i < 40 && !waitFor(child, fd, 50); ++i)
      ;
    break;
  }
  if (fd >= 0)
    close(fd);
  kill(-child, SIGKILL); // the rest of the group, while its number is taken
  running = 0;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (!end.text.empty()) {
    end.kind = ChildEnd::Stopped;
  } else if (WIFEXITED(status)) {
    end.kind = ChildEnd::Exited;
    end.status = WEXITSTATUS(status);
  } else {
    end.kind = ChildEnd::Crashed;
    end.status = WTERMSIG(status);
  }
  return end;
}
