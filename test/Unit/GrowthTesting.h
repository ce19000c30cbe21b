//===- GrowthTesting.h - Cycles that are claimed to grow ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_GROWTHTESTING_H
#define CIF_TEST_UNIT_GROWTHTESTING_H

#include "cif/Explore/Explorer.h"
#include <gtest/gtest.h>
#include <set>

namespace cif::test {

/// Takes the cycle that is claimed to pump again and again from where it ended:
/// the same steps are possible, and each time there is more than before.
inline void expectRepeats(const Exploration &e, int rounds) {
  ASSERT_FALSE(e.growth->cycle.empty());
  const System &system = *e.system;
  std::set<std::vector<uint32_t>> now{e.vectorOf(e.growth->to)};
  uint64_t weight = system.weight(now.begin()->data());
  std::vector<uint32_t> scratch(system.width());
  for (int round = 0; round < rounds; ++round) {
    for (const RunStep &run : e.growth->cycle) {
      std::set<std::vector<uint32_t>> next;
      for (const auto &state : now)
        system.successors(state.data(), scratch.data(),
                          [&](const Step &step, const uint32_t *to) {
                            if (step == run.step)
                              next.insert({to, to + system.width()});
                            return true;
                          });
      now = std::move(next);
      ASSERT_FALSE(now.empty()) << e.incompleteText();
    }
    uint64_t most = 0;
    for (const auto &state : now)
      most = std::max(most, system.weight(state.data()));
    ASSERT_GT(most, weight) << e.incompleteText();
    weight = most;
  }
}

} // namespace cif::test

#endif
