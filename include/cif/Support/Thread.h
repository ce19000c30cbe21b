//===- Thread.h - A thread that may not start -------------------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_THREAD_H
#define CIF_SUPPORT_THREAD_H

#include <functional>
#include <pthread.h>
#include <vector>

namespace cif {

/// A thread. Where there is no memory for one more, std::thread would end the
/// program; work that several threads share is done by fewer instead.
class Thread {
public:
  /// Begins \p job. False: there is no thread, and nothing to join.
  bool start(std::function<void()> job);
  void join() { pthread_join(handle, nullptr); }

private:
  pthread_t handle{};
};

/// Adds threads to \p threads until \p count have begun \p job, called with the
/// numbers from 1 on, or no more can be started.
template <typename JobT>
void startThreads(std::vector<Thread> &threads, size_t count, const JobT &job) {
  Thread thread;
  while (threads.size() < count &&
         thread.start([job, number = threads.size() + 1] { job(number); }))
    threads.push_back(thread);
}

} // namespace cif

#endif
