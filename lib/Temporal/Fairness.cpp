//===- Fairness.cpp - Fair cycles -----------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Temporal/FairSearch.h"

using namespace cif;

FairnessSet cif::fairLabel(const Lts &lts, LabelIndex label, bool strong) {
  return {strong,
          [&lts, label](StateIndex s) {
            return llvm::is_contained(lts.labelsOf(s), label);
          },
          [&lts, label](uint32_t e) { return lts.label[e] == label; }};
}

namespace {
/// Sets that are asked one by one.
struct AskedSets {
  ArrayRef<FairnessSet> sets;

  size_t size() const { return sets.size(); }
  bool isStrong(uint32_t c) const { return sets[c].strong; }
  template <class Visit>
  void forTaken(StateIndex, uint32_t e, const std::vector<bool> &known,
                Visit visit) const {
    for (uint32_t c = 0; c < sets.size(); ++c)
      if (!known[c] && sets[c].taken(e))
        visit(c);
  }
  template <class Visit>
  void forEnabled(StateIndex s, const std::vector<bool> &known,
                  Visit visit) const {
    for (uint32_t c = 0; c < sets.size(); ++c)
      if (!known[c] && sets[c].enabled(s))
        visit(c);
  }
  bool takes(StateIndex, uint32_t e, uint32_t c) const {
    return sets[c].taken(e);
  }
  bool enables(StateIndex s, uint32_t c) const { return sets[c].enabled(s); }
};
} // namespace

std::optional<Lasso> cif::findFairCycle(const Lts &lts,
                                        ArrayRef<FairnessSet> fairness,
                                        function_ref<bool(StateIndex)> bad,
                                        Budget &budget) {
  std::vector<bool> seen = reachable(lts);
  std::vector<StateIndex> all;
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    if (seen[s])
      all.push_back(s);
  AskedSets sets{fairness};
  return FairSearch(lts, sets, bad, /*nearest=*/false, budget)
      .run(std::move(all));
}
