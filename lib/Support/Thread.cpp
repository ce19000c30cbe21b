//===- Thread.cpp - A thread that may not start ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/Thread.h"
#include <memory>

using namespace cif;

bool Thread::start(std::function<void()> job) {
  using Job = std::function<void()>;
  auto own = std::make_unique<Job>(std::move(job));
  auto run = [](void *given) -> void * {
    std::unique_ptr<Job> theirs(static_cast<Job *>(given));
    (*theirs)();
    return nullptr;
  };
  if (pthread_create(&handle, nullptr, run, own.get()) != 0)
    return false;
  // The thread has it now.
  static_cast<void>(own.release());
  return true;
}
