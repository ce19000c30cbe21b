//===- Limits.cpp - How far work may go, and how far it is ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/Limits.h"
#include "llvm/Support/Format.h"

using namespace cif;

std::atomic<bool> cif::interrupted{false};

ProgressSink::~ProgressSink() = default;

std::string Budget::look(uint64_t states, uint64_t bytes) const {
  if (limits.maxStates && states > limits.maxStates)
    return "--max-states=" + std::to_string(limits.maxStates);
  if (limits.maxMemory && bytes > limits.maxMemory)
    return "--max-memory=" + std::to_string(limits.maxMemory);
  if (interrupted.load(std::memory_order_relaxed))
    return "interrupted";
  if (limits.timeoutSeconds > 0) {
    std::chrono::duration<double> spent =
        std::chrono::steady_clock::now() - start;
    if (spent.count() > limits.timeoutSeconds) {
      std::string text;
      llvm::raw_string_ostream os(text);
      os << "--timeout=" << llvm::format("%g", limits.timeoutSeconds);
      return text;
    }
  }
  return {};
}
