//===- SmallestSet.cpp - The smallest set that is enough ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [ignatiev15], section 3: smallest sets by minimal hitting
/// sets. A set that is not sufficient is grown until one more element would
/// make it sufficient; every sufficient set has an element outside of it.
/// The smallest set that hits all of these complements is tried next, until
/// it is sufficient.
///
/// Sound/complete for: monotone oracles (a superset of a sufficient set is
/// sufficient), for which the result has the fewest elements. The search
/// for hitting sets is abandoned after a number of steps; then elements are
/// dropped one by one, the result is minimal in that no proper subset is
/// sufficient, and `fewest` is false.
///
//===----------------------------------------------------------------------===//

#include "cif/Repair/SmallestSet.h"

using namespace cif;

namespace {
using Set = std::vector<uint32_t>;

Set without(const Set &set, uint32_t element) {
  Set rest;
  for (uint32_t e : set)
    if (e != element)
      rest.push_back(e);
  return rest;
}

/// A hitting set of \p size elements at most; false: there is none, or \p fuel
/// was spent.
bool hit(ArrayRef<Set> sets, size_t size, Set &chosen, uint64_t &fuel) {
  const Set *open = nullptr;
  for (const Set &set : sets)
    if (llvm::none_of(
            set, [&](uint32_t e) { return llvm::is_contained(chosen, e); }) &&
        (!open || set.size() < open->size()))
      open = &set;
  if (!open)
    return true;
  if (chosen.size() == size || !fuel)
    return false;
  for (uint32_t e : *open) { // the depth is the size of the answer
    if (fuel)
      --fuel;
    chosen.push_back(e);
    if (hit(sets, size, chosen, fuel))
      return true;
    chosen.pop_back();
  }
  return false;
}

class Search {
public:
  Search(uint32_t candidates, SetOracle oracle) : oracle(oracle) {
    for (uint32_t c = 0; c < candidates; ++c)
      all.push_back(c);
  }
  SmallestSet run();

private:
  SetAnswer::Kind ask(const Set &set) {
    ++result.questions;
    answer = oracle(set);
    return answer.kind;
  }
  /// Ends the search without a set, after the last answer.
  SmallestSet failed(SetAnswer::Kind kind) {
    result.kind = kind;
    result.last = answer;
    return std::move(result);
  }
  bool findNeeded();
  bool findSmallest();
  bool dropOneByOne();
  bool addToHit();
  bool nameEach();

  SetOracle oracle;
  Set all, chosen;
  std::vector<Set> toHit; ///< every sufficient set has an element of each
  SetAnswer answer;       ///< the last one
  SmallestSet result;
};
} // namespace

// Each part of the search is false where an answer that matters is unknown.

/// What nothing else can stand in for.
bool Search::findNeeded() {
  for (uint32_t c : all) {
    if (ask(without(all, c)) == SetAnswer::Unknown)
      return false;
    if (answer.kind == SetAnswer::Lacking)
      toHit.push_back({c});
  }
  return true;
}

/// Chooses the smallest set that hits all, until it is sufficient.
bool Search::findSmallest() {
  constexpr uint64_t fuelOfSearch = 200'000;
  for (size_t size = toHit.size();;) {
    uint64_t fuel = fuelOfSearch;
    for (chosen.clear(); !hit(toHit, size, chosen, fuel); ++size)
      if (!fuel)
        return dropOneByOne();
    llvm::sort(chosen);
    if (ask(chosen) == SetAnswer::Unknown)
      return false;
    if (answer.kind == SetAnswer::Enough) {
      result.fewest = true;
      return true;
    }
    if (!addToHit())
      return false;
  }
}

/// Where the search takes too long: what is not needed beside the rest goes.
bool Search::dropOneByOne() {
  chosen = all;
  for (uint32_t c : all) {
    if (ask(without(chosen, c)) == SetAnswer::Unknown)
      return false;
    if (answer.kind == SetAnswer::Enough)
      chosen = without(chosen, c);
  }
  return true;
}

/// Grows `chosen`, which is not sufficient, as long as it is not. One of the
/// elements outside of the result is in every sufficient set.
bool Search::addToHit() {
  Set grown = chosen, outside;
  for (uint32_t c : all) {
    if (llvm::is_contained(chosen, c))
      continue;
    Set more = grown;
    more.insert(llvm::upper_bound(more, c), c);
    if (ask(more) == SetAnswer::Unknown)
      return false;
    if (answer.kind == SetAnswer::Lacking)
      grown = std::move(more);
    else
      outside.push_back(c);
  }
  toHit.push_back(std::move(outside));
  return true;
}

/// Each element once more, for what goes wrong without it.
bool Search::nameEach() {
  for (uint32_t c : chosen) {
    if (ask(without(chosen, c)) != SetAnswer::Lacking)
      return false;
    result.without.push_back(std::move(answer.trace));
  }
  return true;
}

SmallestSet Search::run() {
  if (ask(all) != SetAnswer::Enough)
    return failed(answer.kind);
  if (!findNeeded() || !findSmallest() || !nameEach())
    return failed(SetAnswer::Unknown);
  result.kind = SetAnswer::Enough;
  result.chosen = std::move(chosen);
  return std::move(result);
}

SmallestSet cif::smallestSet(uint32_t candidates, SetOracle oracle) {
  return Search(candidates, oracle).run();
}
