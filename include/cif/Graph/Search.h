//===- Search.h - Searches over states that are found on the way ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What searches have in common: states are stored once and numbered in the
/// order in which they are expanded, each remembers what it was found from and
/// by which step, the budget is asked before each expansion, and a run is read
/// off backwards. Steps may have costs; then the runs are those of least cost.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_GRAPH_SEARCH_H
#define CIF_GRAPH_SEARCH_H

#include "cif/Support/ArrayPool.h"
#include "cif/Support/Limits.h"
#include <algorithm>
#include <cstring>

namespace cif {

/// The parent of a state that a search starts with.
inline constexpr uint32_t noParent = UINT32_MAX;

/// The states on the way to \p s, without \p root, in order. \p parentOf leads
/// from each state to the one that it was found from; without a root the way
/// begins after the state that has no parent.
template <class ParentOf>
std::vector<uint32_t> wayTo(uint32_t s, ParentOf parentOf,
                            uint32_t root = noParent) {
  std::vector<uint32_t> way;
  for (uint32_t from; s != root && (from = parentOf(s)) != noParent; s = from)
    way.push_back(s);
  std::reverse(way.begin(), way.end());
  return way;
}

/// The step of searches that nobody asks for a run.
struct NoStep {};

/// States that are arrays of words, each once, with the step that found it.
template <class By>
class FoundStates {
public:
  /// The number of \p state. If it is new, it was found from \p from, or is
  /// one to start with (noParent).
  uint32_t add(ArrayRef<uint32_t> state, uint32_t from, const By &by) {
    uint32_t number = pool.intern(state);
    if (number == links.size())
      links.push_back({from, by});
    return number;
  }
  size_t size() const { return links.size(); }
  size_t bytes() const {
    return pool.bytes() + links.capacity() * sizeof(Link);
  }
  void read(uint32_t s, std::vector<uint32_t> &state) const {
    state.assign(pool[s].begin(), pool[s].end());
  }
  const By &by(uint32_t s) const { return links[s].by; }
  /// The states after the first on the way to \p s, in order.
  std::vector<uint32_t> wayTo(uint32_t s) const {
    return cif::wayTo(s, [&](uint32_t i) { return links[i].from; });
  }
  /// The steps that lead to \p s, in order.
  std::vector<By> runTo(uint32_t s) const {
    std::vector<By> run;
    for (uint32_t at : wayTo(s))
      run.push_back(links[at].by);
    return run;
  }

private:
  struct Link {
    uint32_t from;
    [[no_unique_address]] By by;
  };
  ArrayPool<uint32_t> pool;
  std::vector<Link> links;
};

/// A search in the order of costs, and among equal costs in the order in which
/// the states were reached:
///
///     StateSearch<Move> search;
///     search.start(first);
///     for (std::vector<uint32_t> state; search.next(state, budget);)
///       ... search.reach(next, move) for each step ...
///
/// \p States stores what is reached, or refuses it (FoundStates does not). It
/// numbers states from 0 as they come, so the numbers are the order of
/// expansion: what costs something is stored only when its turn comes.
template <class By, class States = FoundStates<By>>
class StateSearch {
public:
  template <class... Args>
  explicit StateSearch(Args &&...args) : states(std::forward<Args>(args)...) {}

  States states;
  std::string limit; ///< that next() met

  /// A state to start with, or to start again with.
  void start(ArrayRef<uint32_t> state, const By &by = {}) {
    states.add(state, noParent, by);
  }
  /// \p state is reached from the one that next() took out, by a step that
  /// costs nothing. If no step costs anything, the search is breadth-first.
  /// Returns its number.
  uint32_t reach(ArrayRef<uint32_t> state, const By &by) {
    ++numReached;
    return states.add(state, at, by);
  }
  /// The same by a step that costs \p cost, at least 1.
  void reachLater(unsigned cost, ArrayRef<uint32_t> state, const By &by) {
    ++numReached;
    ++waiting;
    if (later.size() < cost)
      later.resize(cost);
    const Reached reached{at, static_cast<uint32_t>(state.size()), by};
    SmallVectorImpl<uint32_t> &level = later[cost - 1];
    size_t end = level.size();
    level.resize_for_overwrite(end + reachedWords + state.size());
    std::memcpy(&level[end], &reached, sizeof(Reached));
    std::copy(state.begin(), state.end(), &level[end] + reachedWords);
  }

  /// Takes the next state out, in \p state; false: there is none.
  bool next(std::vector<uint32_t> &state) {
    while (expanded == states.size()) {
      if (!waiting)
        return false;
      openLevel();
    }
    at = static_cast<uint32_t>(expanded++);
    states.read(at, state);
    return true;
  }
  /// The same; false also at a limit. The search has \p moreBytes beside it.
  bool next(std::vector<uint32_t> &state, Budget &budget,
            uint64_t moreBytes = 0) {
    if (!next(state))
      return false;
    const uint64_t all = bytes() + moreBytes;
    if (budget.due(states.size(), all))
      limit = budget.look(states.size(), all);
    return limit.empty();
  }

  /// The state that was taken out last, and how many were.
  uint32_t current() const { return at; }
  size_t numExpanded() const { return expanded; }
  /// How many steps were taken from them.
  uint64_t numSteps() const { return numReached; }
  /// The steps that lead to it.
  std::vector<By> run() const { return states.runTo(at); }
  size_t bytes() const { return states.bytes() + bytesLater(); }
  /// What the states take that wait to be stored.
  size_t bytesLater() const {
    size_t sum = 0;
    for (const auto &level : later)
      sum += level.capacity_in_bytes();
    return sum;
  }

private:
  /// Goes before a state that is not stored yet.
  struct Reached {
    uint32_t from, size;
    By by;
  };
  static constexpr size_t reachedWords = (sizeof(Reached) + 3) / 4;
  static_assert(std::is_trivially_copyable_v<By>);

  /// Stores the states of the next level, in the order in which they came.
  void openLevel() {
    SmallVector<uint32_t, 0> level = std::move(later.front());
    for (const uint32_t *word = level.begin(); word != level.end();) {
      Reached reached;
      std::memcpy(static_cast<void *>(&reached), word, sizeof(Reached));
      word += reachedWords;
      states.add(ArrayRef(word, reached.size), reached.from, reached.by);
      word += reached.size;
      --waiting;
    }
    // Its memory serves the levels to come.
    level.clear();
    std::rotate(later.begin(), later.begin() + 1, later.end());
    later.back() = std::move(level);
  }

  std::vector<SmallVector<uint32_t, 0>> later; ///< by cost, from 1 on
  size_t waiting = 0;                          ///< states in `later`
  size_t expanded = 0;
  uint64_t numReached = 0;
  uint32_t at = noParent;
};

} // namespace cif

#endif
