//===- Team.h - Threads that work in turns ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EQUIVALENCE_TEAM_H
#define CIF_LIB_EQUIVALENCE_TEAM_H

#include "cif/Support/LLVM.h"
#include "cif/Support/Thread.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>
#include <barrier>
#include <vector>

namespace cif {

/// Threads that do one piece of work after the other together; the one that
/// asks for it is the first of them. They are fewer if no more can be started.
class Team {
public:
  explicit Team(unsigned size) : gate(size) {
    startThreads(others, size - 1, [this](unsigned member) {
      while (true) {
        gate.arrive_and_wait();
        if (!work)
          return;
        work(member);
        gate.arrive_and_wait();
      }
    });
    for (unsigned missing = this->size(); missing < size; ++missing)
      gate.arrive_and_drop();
  }
  ~Team() {
    work = nullptr;
    gate.arrive_and_wait();
    for (Thread &other : others)
      other.join();
  }
  Team(const Team &) = delete;
  Team &operator=(const Team &) = delete;

  unsigned size() const { return others.size() + 1; }

  /// Calls \p what for each member's number. All that one of them wrote is
  /// known to all afterwards.
  void run(llvm::function_ref<void(unsigned)> what) {
    if (others.empty())
      return what(0);
    work = what;
    gate.arrive_and_wait();
    what(0);
    gate.arrive_and_wait();
  }

  /// Calls \p what for the numbers below \p count, each once, with the member
  /// that does it; \p grain in a row.
  void share(size_t count, size_t grain,
             llvm::function_ref<void(unsigned, size_t)> what) {
    std::atomic<size_t> next{0};
    run([&](unsigned member) {
      for (size_t at; (at = next.fetch_add(grain)) < count;)
        for (size_t i = at, end = std::min(count, at + grain); i < end; ++i)
          what(member, i);
    });
  }

private:
  std::barrier<> gate;
  std::vector<Thread> others;
  llvm::function_ref<void(unsigned)> work = nullptr;
};

} // namespace cif

#endif
