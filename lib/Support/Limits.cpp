//===- Limits.cpp - How far work may go, and how far it is ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/Limits.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace cif;

std::atomic<bool> cif::interrupted{false};

ProgressSink::~ProgressSink() = default;

/// \p seconds from now; for ever where that is too far away to be said.
static Limits::Clock::time_point momentIn(double seconds) {
  using namespace std::chrono;
  constexpr double longest = 1e9;
  if (!(seconds < longest))
    return Limits::Clock::time_point::max();
  return Limits::Clock::now() +
         duration_cast<Limits::Clock::duration>(duration<double>(seconds));
}

void Limits::setTimeout(double seconds) {
  timeoutSeconds = seconds;
  deadline = momentIn(seconds);
  deadlineOfPass = false;
}

Limits Limits::forOnePass() const {
  Limits limits = *this;
  if (timeoutEachSeconds > 0) {
    Clock::time_point end = momentIn(timeoutEachSeconds);
    if (end < deadline) {
      limits.deadline = end;
      limits.deadlineOfPass = true;
    }
  }
  return limits;
}

/// What the allocator keeps and small tables need is nobody's search: a small
/// limit is one on what the search counts itself.
static constexpr uint64_t uncounted = 32 << 20;

std::string Budget::look(uint64_t states, uint64_t bytes) const {
  if (limits.maxStates && states > limits.maxStates)
    return "--max-states=" + std::to_string(limits.maxStates);
  if (limits.maxMemory && (bytes > limits.maxMemory ||
                           memoryInUse() > limits.maxMemory + uncounted))
    return "--max-memory=" + std::to_string(limits.maxMemory);
  if (outOfMemory.load(std::memory_order_relaxed))
    return "out of memory";
  if (interrupted.load(std::memory_order_relaxed))
    return "interrupted";
  if (limits.deadline != Limits::Clock::time_point::max() &&
      Limits::Clock::now() >= limits.deadline) {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (limits.deadlineOfPass)
      os << "--timeout-each=" << llvm::format("%g", limits.timeoutEachSeconds);
    else
      os << "--timeout=" << llvm::format("%g", limits.timeoutSeconds);
    return text;
  }
  return {};
}

std::string cif::stoppedText(StringRef reason) {
  bool isLimit = reason.starts_with("--") ||
                 (!reason.empty() && llvm::isDigit(reason.front()));
  return (isLimit ? "stopped at " : "") + reason.str();
}

std::string cif::noVerdictText(StringRef reason) {
  return "no verdict: " + stoppedText(reason);
}

bool Budget::lookAgain() {
  if (met.empty())
    met = look(0, 0);
  // Some ten microseconds of work; the first look is at once.
  left = met.empty() ? 4096 : 0;
  return !met.empty();
}
