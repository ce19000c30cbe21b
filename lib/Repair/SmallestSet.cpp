//===- SmallestSet.cpp - The smallest set that is enough ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [ignatiev15], section 3: smallest sets by minimal hitting sets.
/// A set that lacks something is grown until one more element would be enough;
/// every set that is enough has an element outside of it. The smallest set that
/// hits all of these outsides is asked for next, until it is enough.
///
/// Sound/complete for: monotone oracles (more elements never hurt), where the
/// result has as few elements as any. The search for hitting sets is given up
/// after so many steps; then elements are dropped one by one, the result is
/// minimal in that no proper subset is enough, and `fewest` is false.
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
} // namespace

SmallestSet cif::smallestSet(uint32_t candidates, SetOracle oracle) {
  constexpr uint64_t fuelOfSearch = 200'000;
  SmallestSet result;
  SetAnswer answer;
  auto ask = [&](const Set &set) {
    ++result.questions;
    answer = oracle(set);
    return answer.kind;
  };
  auto unknown = [&] {
    result.kind = SetAnswer::Unknown;
    result.last = answer;
    return result;
  };

  Set all;
  for (uint32_t c = 0; c < candidates; ++c)
    all.push_back(c);
  if (ask(all) != SetAnswer::Enough) {
    result.kind = answer.kind;
    result.last = answer;
    return result;
  }
  // What nothing else can stand in for.
  std::vector<Set> toHit;
  for (uint32_t c : all) {
    if (ask(without(all, c)) == SetAnswer::Unknown)
      return unknown();
    if (answer.kind == SetAnswer::Lacking)
      toHit.push_back({c});
  }
  Set chosen;
  size_t size = toHit.size();
  result.fewest = true;
  while (true) {
    uint64_t fuel = fuelOfSearch;
    for (;; ++size) {
      chosen.clear();
      if (hit(toHit, size, chosen, fuel))
        break;
      if (!fuel)
        break;
    }
    if (!fuel) {
      // One by one: what is not needed beside the rest goes.
      result.fewest = false;
      chosen = all;
      for (uint32_t c : all) {
        if (ask(without(chosen, c)) == SetAnswer::Unknown)
          return unknown();
        if (answer.kind == SetAnswer::Enough)
          chosen = without(chosen, c);
      }
      break;
    }
    llvm::sort(chosen);
    if (ask(chosen) == SetAnswer::Unknown)
      return unknown();
    if (answer.kind == SetAnswer::Enough)
      break;
    Set grown = chosen, outside;
    for (uint32_t c : all) {
      if (llvm::is_contained(chosen, c))
        continue;
      Set more = grown;
      more.insert(llvm::upper_bound(more, c), c);
      if (ask(more) == SetAnswer::Unknown)
        return unknown();
      if (answer.kind == SetAnswer::Lacking)
        grown = std::move(more);
      else
        outside.push_back(c);
    }
    toHit.push_back(std::move(outside));
  }
  // Each element once more, for what goes wrong without it.
  for (uint32_t c : chosen) {
    if (ask(without(chosen, c)) != SetAnswer::Lacking)
      return unknown();
    result.without.push_back(std::move(answer.trace));
  }
  result.kind = SetAnswer::Enough;
  result.chosen = std::move(chosen);
  return result;
}

SmallestSet cif::refinedSet(SetOracle oracle, SetRefiner refine) {
  SmallestSet result;
  Set chosen;
  for (;;) {
    ++result.questions;
    SetAnswer answer = oracle(chosen);
    result.kind = answer.kind;
    result.last = answer;
    if (answer.kind == SetAnswer::Enough)
      break;
    if (answer.kind == SetAnswer::Unknown)
      return result;
    std::optional<uint32_t> more = refine(chosen, answer.trace);
    if (!more)
      return result;
    chosen.insert(llvm::upper_bound(chosen, *more), *more);
  }
  Set needed = chosen;
  for (uint32_t c : chosen) {
    ++result.questions;
    SetAnswer answer = oracle(without(needed, c));
    if (answer.kind == SetAnswer::Unknown) {
      result.kind = answer.kind;
      result.last = answer;
      return result;
    }
    if (answer.kind == SetAnswer::Enough) {
      needed = without(needed, c);
      continue;
    }
    // What it is needed for stays possible with even less.
    result.chosen.push_back(c);
    result.without.push_back(std::move(answer.trace));
  }
  // Nothing was not enough, and so one is the fewest.
  result.fewest = needed.size() <= 1;
  return result;
}
