//===- Limits.h - How far work may go, and how far it is ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Limits on exploration. A limit leads to `inconclusive`, never to
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
  /// May be called often; \p frontier states are found and not yet looked at.
  virtual void update(StringRef what, uint64_t states, uint64_t transitions,
                      uint64_t frontier) = 0;
};

/// Set when memory ran out and the reserve was given up: what searches stops at
/// its next look, and has room to say so.
extern std::atomic<bool> outOfMemory;
/// Set while work goes on that limits may end: then running out of memory is a
/// limit, else it is an error.
extern std::atomic<bool> underLimits;

/// Sets underLimits for as long as it lives.
class UnderLimits {
public:
  UnderLimits() : before(underLimits.exchange(true)) {}
  ~UnderLimits() { underLimits.store(before); }
  UnderLimits(const UnderLimits &) = delete;
  UnderLimits &operator=(const UnderLimits &) = delete;

private:
  const bool before;
};

/// How much of the machine one run may use. Copies share the run's deadline, so
/// that whatever watches them ends at the same moment.
struct Limits {
  using Clock = std::chrono::steady_clock;

  uint64_t maxStates = 10'000'000;
  uint64_t maxMemory = 0;        ///< bytes; 0: none
  double timeoutSeconds = 0;     ///< of the whole run; 0: none
  double timeoutEachSeconds = 0; ///< of each pass; 0: none
  unsigned threads = 1;
  ProgressSink *progress = nullptr; ///< may be null

  /// From now on, for all copies that are made of this.
  void setTimeout(double seconds);
  /// The same limits for one pass that begins now (--timeout-each).
  Limits forOnePass() const;

  Clock::time_point deadline = Clock::time_point::max();
  bool deadlineOfPass = false; ///< it is that of --timeout-each
};

/// Watches work against its limits. Each kind of work has its own; as the
/// deadline and interruption are the run's, all end together.
class Budget {
public:
  explicit Budget(const Limits &limits) : limits(limits) {}

  /// The limit that was reached ("--max-states=1000"), or empty. Cheap: the
  /// clock is read the first time and then only now and then.
  std::string exceeded(uint64_t states, uint64_t bytes) {
    return due(states, bytes) ? look(states, bytes) : std::string();
  }
  /// Whether it is time to look.
  bool due(uint64_t states, uint64_t bytes) {
    return (limits.maxStates && states > limits.maxStates) ||
           (limits.maxMemory && bytes > limits.maxMemory) || calls++ % 256 == 0;
  }
  /// The limit that was reached, or empty. Looks at all of them.
  std::string look(uint64_t states, uint64_t bytes) const;

  /// For work that has no states of its own: \p amount steps are done, each
  /// about as long as a look into a table. Once it is true, it stays so.
  bool spend(uint64_t amount = 1) {
    left -= static_cast<int64_t>(amount);
    return left < 0 && lookAgain();
  }
  /// What spend() stopped at; empty: nothing yet.
  const std::string &limit() const { return met; }
  bool stopped() const { return !met.empty(); }

  const Limits limits;

private:
  bool lookAgain();

  uint32_t calls = 0;
  int64_t left = 0; ///< steps to the next look
  std::string met;
};

/// Why work ended early, for people: "stopped at --max-states=1000" for a limit
/// that Budget names, else \p reason itself ("interrupted", "unbounded: ...").
std::string stoppedText(StringRef reason);
/// The message of a fact without a verdict: "no verdict: stopped at ...".
std::string noVerdictText(StringRef reason);

/// Reads how much memory the process has, not more often than every few
/// milliseconds: in use, beyond what it had when it started.
uint64_t memoryInUse();
/// Three quarters of what the machine, its control group (versions 1 and 2) and
/// the process's own limit leave; 0: not known. \p root is where the system's
/// files are.
uint64_t defaultMaxMemory(StringRef root = "/");
/// Keeps a reserve for when memory runs out. Where that is not enough \p fail
/// is called, with whether there is work that limits may end; it must not
/// return, and has no memory.
void reserveMemory(void (*fail)(bool searching));

} // namespace cif

#endif
