//===- Limits.h - How far work may go, and how far it is ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Limits on exploration. A limit that is met leads to `inconclusive`, never to
/// a guess. Interruption (Ctrl-C) is a limit like the others.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_LIMITS_H
#define CIF_SUPPORT_LIMITS_H

#include "cif/Support/LLVM.h"
#include <atomic>
#include <chrono>
#include <string>

namespace cif {

/// Set by the tools' signal handler; long loops look at it.
extern std::atomic<bool> interrupted;

/// Told how far long work is; the tools show it on a terminal.
class ProgressSink {
public:
  virtual ~ProgressSink();
  virtual void update(StringRef what, uint64_t states, uint64_t transitions,
                      uint64_t frontier) = 0;
};

struct Limits {
  uint64_t maxStates = 10'000'000;
  uint64_t maxMemory = 0;    ///< bytes; 0: none
  double timeoutSeconds = 0; ///< 0: none
  unsigned threads = 1;
  ProgressSink *progress = nullptr; ///< may be null
};

/// Watches one run against its limits.
class Budget {
public:
  explicit Budget(const Limits &limits)
      : limits(limits), start(std::chrono::steady_clock::now()) {}

  /// The limit that was met ("--max-states=1000"), or empty. Cheap: time is
  /// looked at only now and then.
  std::string exceeded(uint64_t states, uint64_t bytes) {
    return due(states, bytes) ? look(states, bytes) : std::string();
  }
  /// Whether it is time to look.
  bool due(uint64_t states, uint64_t bytes) {
    return (limits.maxStates && states > limits.maxStates) ||
           (limits.maxMemory && bytes > limits.maxMemory) || ++calls % 256 == 0;
  }
  /// The limit that was met, or empty: all of them, at once.
  std::string look(uint64_t states, uint64_t bytes) const;
  const Limits limits;

private:
  std::chrono::steady_clock::time_point start;
  uint32_t calls = 0;
};

} // namespace cif

#endif
