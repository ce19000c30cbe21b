//===- FairRuns.cpp - Fair runs by classes of steps -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The search of FairSearch.h for very many conditions of one kind, so that
/// one visit of each step of a component settles all of them.
///
//===----------------------------------------------------------------------===//

#include "FairRuns.h"
#include "cif/Temporal/FairSearch.h"

using namespace cif;

namespace {
struct ClassesOfSteps {
  const Lts &lts;
  ArrayRef<Step> steps;
  const FairClasses &fairness;

  size_t size() const { return fairness.strong.size(); }
  bool isStrong(uint32_t c) const { return fairness.strong[c]; }
  /// A step that changes nothing takes nothing.
  template <class Visit>
  void forTaken(StateIndex s, uint32_t e, const std::vector<bool> &,
                Visit visit) const {
    if (lts.target[e] == s)
      return;
    llvm::for_each(fairness.ofGroup[steps[e].group], visit);
    if (steps[e].partner != noGroup)
      llvm::for_each(fairness.ofGroup[steps[e].partner], visit);
    if (fairness.ofTransition.empty())
      return;
    if (auto more = fairness.ofTransition.find(e);
        more != fairness.ofTransition.end())
      llvm::for_each(more->second, visit);
  }
  template <class Visit>
  void forEnabled(StateIndex s, const std::vector<bool> &known,
                  Visit visit) const {
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
      forTaken(s, e, known, visit);
    if (!fairness.forbidden.empty())
      llvm::for_each(fairness.forbidden[s], visit);
  }
  bool takes(StateIndex s, uint32_t e, uint32_t c) const {
    bool found = false;
    forTaken(s, e, {}, [&](uint32_t taken) { found |= taken == c; });
    return found;
  }
  bool enables(StateIndex s, uint32_t c) const {
    bool found = false;
    forEnabled(s, {}, [&](uint32_t enabled) { found |= enabled == c; });
    return found;
  }
};
} // namespace

std::optional<Lasso> cif::findFairRun(const Lts &lts, ArrayRef<Step> steps,
                                      function_ref<bool(StateIndex)> known,
                                      const FairClasses &fairness,
                                      function_ref<bool(StateIndex)> bad,
                                      Budget &budget) {
  std::vector<bool> reached = reachable(lts);
  std::vector<StateIndex> all;
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    if (reached[s] && known(s))
      all.push_back(s);
  ClassesOfSteps sets{lts, steps, fairness};
  return FairSearch(lts, sets, bad, /*nearest=*/true, budget)
      .run(std::move(all));
}
