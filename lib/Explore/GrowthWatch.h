//===- GrowthWatch.h - Looks for growth without bound ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Examines the ancestors of new states of a search for a cycle that can be
/// repeated for ever and adds something each time (System::pumps decides, and
/// claims only what is proved). Every such cycle, started at the right place,
/// ends with a step that adds something. Examining the ancestors of a state
/// takes time proportional to the length of its run. Each new state pays for a
/// few of these steps, so that the search stays linear; a cycle that can be
/// repeated occurs often enough to be found.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPLORE_GROWTHWATCH_H
#define CIF_LIB_EXPLORE_GROWTHWATCH_H

#include "cif/Explore/StateStore.h"

namespace cif {

class GrowthWatch {
public:
  /// The slots of \p system come first in the vectors of \p store.
  GrowthWatch(const System &of, const StateStore &in)
      : system(of), store(in), low(in.numSlots()), high(in.numSlots()) {}

  /// Whether the step from \p parent to a new state of this weight may be the
  /// last of a cycle that pumps. To be asked of every new state.
  bool gains(StateIndex parent, uint64_t weight) {
    credit += 2;
    if (credit <= 0)
      return false;
    if (parent != weighed) {
      store.unpack(parent, low.data());
      weighed = parent;
      parentWeight = system.weight(low.data());
    }
    return weight > parentWeight;
  }

  struct Found {
    std::string what; ///< grows
    StateIndex from;  ///< where the cycle begins; it ends in the new state
  };
  /// Looks for a cycle that ends in \p s. \p steps says which steps lead from
  /// an ancestor to s.
  std::optional<Found>
  lookBack(StateIndex s,
           function_ref<std::vector<Step>(StateIndex ancestor)> steps) {
    store.unpack(s, high.data());
    int64_t length = 0;
    for (StateIndex at = store.parent(s); at != StateStore::none;
         at = store.parent(at)) {
      --credit;
      ++length;
      store.unpack(at, low.data());
      if (!system.covers(low.data(), high.data()))
        continue;
      credit -= 4 * length;
      std::string what = system.pumps(low.data(), high.data(), steps(at));
      if (!what.empty())
        return Found{std::move(what), at};
    }
    return std::nullopt;
  }

private:
  const System &system;
  const StateStore &store;
  int64_t credit = 200'000; ///< looks back that are paid for
  StateIndex weighed = StateStore::none;
  uint64_t parentWeight = 0; ///< of `weighed`
  std::vector<uint32_t> low, high;
};

} // namespace cif

#endif
