//===- Walks.h - Runs that are picked, not all of them ----------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// If there are too many states, a few long runs still reach ends that a
/// breadth-first search does not. What a run shows is proved; what no run shows
/// is not refuted.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_WALKS_H
#define CIF_EXPLORE_WALKS_H

#include "cif/Explore/WrappedSystem.h"
#include "cif/Support/Limits.h"
#include <map>

namespace cif {

/// A run from the initial state: states[i] leads to states[i + 1] by steps[i].
struct Walk {
  std::vector<Step> steps;
  std::vector<std::vector<uint32_t>> states;
  bool isStuck = false; ///< no step leads from its last state
};

struct WalkOptions {
  uint64_t maxSteps = 40'000; ///< of all walks together
  uint64_t maxLength = 2'000; ///< of one
  /// Groups whose steps a quarter of the walks takes only where there are no
  /// others: those that begin something new. Empty: none.
  std::vector<bool> putsOff;
};

/// Walks again and again, the same walks each time, and hands each one to
/// \p visit until that returns false.
void walk(const System &system, const WalkOptions &options,
          const Limits &limits, function_ref<bool(const Walk &)> visit);

/// The states and steps of some walks as a system, a part of another.
class WalkedSystem final : public WrappedSystem<System> {
public:
  explicit WalkedSystem(const System &of) : WrappedSystem(of) {}
  /// Adds the states and steps of a walk of the other system.
  void add(const Walk &walk);

  void successors(const uint32_t *state, uint32_t *scratch,
                  StepSink sink) const override;
  bool isBounded() const override { return true; }
  std::string trouble() const override { return {}; }

private:
  std::map<std::vector<uint32_t>,
           std::vector<std::pair<Step, std::vector<uint32_t>>>>
      next;
};

} // namespace cif

#endif
