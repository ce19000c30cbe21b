//===- Coverability.cpp - Minimal coverability sets -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [valmari2014], the algorithm without future pruning, depth
/// first.
///
/// The set starts with the initial marking. Whatever a transition makes of one
/// of its markings is dropped when the set has a marking that is as large. Else
/// every ancestor that is smaller turns the counts that have grown since into
/// omega, until no ancestor changes anything; the result takes the place of all
/// smaller markings of the set, on which no more work is done (their
/// descendants stay).
///
/// Sound: the transitions from an ancestor can be repeated, as in [karpmiller].
/// Complete: what is dropped stays covered by the set, as a marking only leaves
/// it for a larger one; so in the end the set covers the initial marking and
/// whatever its own markings lead to. It ends: a new marking is below none of
/// its ancestors, so on a path without end some ancestor would be smaller
/// [dickson], and each time a count turns into omega for good.
///
/// Input class: any place/transition net. Exact. The worst case is not
/// primitive recursive: the limits on states and time hold.
///
//===----------------------------------------------------------------------===//

#include "cif/Explore/Coverability.h"

using namespace cif;

namespace {
using Marking = std::vector<uint32_t>;

class Construction {
public:
  Construction(const PureNet &of, const Limits &limits)
      : net(of), budget(limits) {}
  CoverabilitySet run();

private:
  struct Found {
    Marking marking;
    uint32_t parent;
    bool maximal = true;
  };
  static constexpr uint32_t none = ~0u;

  static bool isBelow(const Marking &low, const Marking &high) {
    for (size_t p = 0; p < low.size(); ++p)
      if (low[p] > high[p])
        return false;
    return true;
  }
  bool fire(const Marking &from, const PureNet::Transition &transition,
            Marking &to) const;
  void accelerate(uint32_t parent, Marking &marking) const;
  bool isCovered(const Marking &marking) const {
    return llvm::any_of(maximal, [&](uint32_t f) {
      return isBelow(marking, found[f].marking);
    });
  }
  void add(Marking marking, uint32_t parent);

  const PureNet &net;
  Budget budget;
  std::vector<Found> found;
  std::vector<uint32_t> maximal; ///< those of found that make up the set
  struct Work {
    uint32_t found, next; ///< the next transition to try
  };
  std::vector<Work> work;
};
} // namespace

bool Construction::fire(const Marking &from,
                        const PureNet::Transition &transition,
                        Marking &to) const {
  for (const PureNet::Arc &arc : transition.take)
    if (from[arc.place] < arc.count)
      return false;
  to = from;
  for (const PureNet::Arc &arc : transition.take)
    if (to[arc.place] != omega)
      to[arc.place] -= arc.count;
  for (const PureNet::Arc &arc : transition.give)
    if (to[arc.place] != omega)
      // A count that large was made one by one: an ancestor has shown it to
      // grow long before.
      to[arc.place] = static_cast<uint32_t>(
          std::min<uint64_t>(uint64_t(to[arc.place]) + arc.count, omega - 1));
  return true;
}

void Construction::accelerate(uint32_t parent, Marking &marking) const {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t f = parent; f != none; f = found[f].parent) {
      const Marking &low = found[f].marking;
      if (!isBelow(low, marking))
        continue;
      for (size_t p = 0; p < low.size(); ++p)
        if (low[p] < marking[p] && marking[p] != omega) {
          marking[p] = omega;
          changed = true;
        }
    }
  }
}

void Construction::add(Marking marking, uint32_t parent) {
  llvm::erase_if(maximal, [&](uint32_t f) {
    if (!isBelow(found[f].marking, marking))
      return false;
    found[f].maximal = false;
    return true;
  });
  maximal.push_back(static_cast<uint32_t>(found.size()));
  work.push_back({static_cast<uint32_t>(found.size()), 0});
  found.push_back({std::move(marking), parent});
}

CoverabilitySet Construction::run() {
  CoverabilitySet result;
  add(net.initial, none);
  Marking next;
  while (!work.empty()) {
    auto [from, t] = work.back();
    result.limit = budget.exceeded(
        found.size(), found.size() * (net.numPlaces() * 4 + sizeof(Found)));
    if (!result.limit.empty())
      break;
    if (!found[from].maximal || t == net.transitions.size()) {
      work.pop_back();
      continue;
    }
    ++work.back().next;
    if (!fire(found[from].marking, net.transitions[t], next) || isCovered(next))
      continue;
    accelerate(from, next);
    add(std::move(next), from);
  }
  result.complete = result.limit.empty();
  result.explored = found.size();
  for (uint32_t f : maximal)
    result.markings.push_back(std::move(found[f].marking));
  return result;
}

bool CoverabilitySet::covers(ArrayRef<PureNet::Arc> wanted) const {
  return llvm::any_of(markings, [&](const Marking &marking) {
    return llvm::all_of(wanted, [&](const PureNet::Arc &arc) {
      return marking[arc.place] >= arc.count;
    });
  });
}

bool CoverabilitySet::isUnbounded(uint32_t place) const {
  return llvm::any_of(markings,
                      [&](const Marking &m) { return m[place] == omega; });
}

bool CoverabilitySet::isBounded() const {
  return llvm::none_of(
      markings, [](const Marking &m) { return llvm::is_contained(m, omega); });
}

CoverabilitySet cif::coverabilitySet(const PureNet &net, const Limits &limits) {
  return Construction(net, limits).run();
}
