//===- Evaluator.h - Signatures of states ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EQUIVALENCE_EVALUATOR_H
#define CIF_LIB_EQUIVALENCE_EVALUATOR_H

#include "Refinement.h"
#include "SignatureTable.h"
#include <atomic>

namespace cif {

/// How many states are loaded before their turn.
constexpr size_t statesAhead = 8;

/// Backward transitions in CSR form; where asked for, the silent ones into a
/// state stand before the others.
class Backward {
public:
  Backward() = default;
  Backward(const SortedRows &rows, bool silentFirst);
  ArrayRef<StateIndex> of(StateIndex s) const {
    return {source.get() + begin[s], source.get() + begin[s + 1]};
  }
  /// Loads what of() and silentOf() will read.
  void prefetchOf(StateIndex s) const {
    __builtin_prefetch(source.get() + begin[s]);
  }
  void prefetchSilentOf(StateIndex s) const {
    __builtin_prefetch(begin.data() + s);
    __builtin_prefetch(silentEnd.data() + s);
  }
  ArrayRef<StateIndex> silentOf(StateIndex s) const {
    return {source.get() + begin[s], source.get() + silentEnd[s]};
  }

private:
  std::vector<uint32_t> begin, silentEnd;
  std::unique_ptr<StateIndex[]> source;
};

/// Who else may change what a function changes.
enum class Access : uint8_t { Alone, Shared };

/// A bit per state: it is dirty, or alone in its block.
class SettledBits {
public:
  void assign(size_t states) { words.assign(states / 64 + 1, ~uint64_t(0)); }
  bool operator[](StateIndex s) const {
    return std::atomic_ref(words[s / 64]).load(std::memory_order_relaxed) &
           bitOf(s);
  }
  /// Returns whether it was not set before.
  template <Access access = Access::Alone>
  bool set(StateIndex s) {
    uint64_t &word = words[s / 64], before = word;
    if constexpr (access == Access::Alone)
      word |= bitOf(s);
    else
      before =
          std::atomic_ref(word).fetch_or(bitOf(s), std::memory_order_relaxed);
    return !(before & bitOf(s));
  }
  template <Access access = Access::Alone>
  void clear(StateIndex s) {
    uint64_t &word = words[s / 64];
    if constexpr (access == Access::Alone)
      word &= ~bitOf(s);
    else
      std::atomic_ref(word).fetch_and(~bitOf(s), std::memory_order_relaxed);
  }

private:
  static uint64_t bitOf(StateIndex s) { return uint64_t(1) << (s % 64); }

  mutable std::vector<uint64_t> words;
};

/// A partition in the making. The states of a block stand side by side.
struct Classes {
  struct Block {
    uint32_t begin, dirty, end; ///< clean states are [begin, dirty)
    uint32_t size() const { return end - begin; }
  };

  std::vector<StateIndex> elements;
  std::vector<uint32_t> position, blockOf; ///< of each state
  SettledBits settled;
  std::vector<Block> blocks;

  /// Puts \p s among the dirty states of \p block, which is its own.
  void putDirty(StateIndex s, Block &block) {
    uint32_t at = position[s], last = --block.dirty;
    StateIndex other = elements[last];
    elements[at] = other;
    position[other] = at;
    elements[last] = s;
    position[s] = last;
  }
};

/// Groups the states of one block by their signatures. Several may work on
/// different blocks at a time: they change the order of the states of their own
/// blocks, and bits of them.
class Evaluator {
public:
  Evaluator(const RefinementInput &in, Classes &classes,
            const Backward &predecessors)
      : in(in), rowBegin(in.rows.begin.data()), edges(in.rows.edges.get()),
        classes(classes), predecessors(predecessors),
        inertMatters(!in.rank.empty()) {}

  /// The first round: all states are in one block, so that a signature is a set
  /// of labels (and marks), here the bits of a word. False: they are too many.
  bool groupByLabels();
  /// Groups the dirty states of \p b; clean ones, if there are any, are in the
  /// first group.
  template <Access access>
  void evaluate(uint32_t b);

  std::vector<uint32_t> group;     ///< of each dirty element, in their order
  std::vector<uint32_t> groupSize; ///< of each group

private:
  static constexpr uint32_t markBits = 8, none = ~0u;

  uint32_t blockOfTarget(uint32_t e) const {
    return classes.blockOf[static_cast<StateIndex>(edges[e])];
  }
  void prefetchFirst(const StateIndex *states, size_t count) const;
  template <Access access>
  void closeDirty(uint32_t b);
  StateIndex cleanBottom(uint32_t b) const;
  void groupDirty(uint32_t b);
  inline StateIndex inherit(StateIndex s, uint32_t b, uint32_t &e);
  inline uint32_t signatureOf(StateIndex s, uint32_t e);
  inline uint32_t unitedWith(uint32_t inherited, ArrayRef<uint64_t> own);
  void putInto(uint32_t at, uint32_t g) {
    group[at] = g;
    if (g == groupSize.size())
      groupSize.push_back(0);
    ++groupSize[g];
  }

  const RefinementInput &in;
  const uint32_t *rowBegin;
  const uint64_t *edges;
  Classes &classes;
  const Backward &predecessors;
  bool inertMatters;

  SignatureTable signatures; // of the block at hand
  // Of the state at hand: what it inherits by inert steps.
  SmallVector<uint32_t, 8> inherited;
  std::vector<StateIndex> waiting; // until what is in their way has a number
  std::vector<uint64_t> others, merged;
};

/// Rows are far apart in memory: loads those of states that come soon.
inline void prefetchNext(const SortedRows &rows, const StateIndex *states,
                         size_t at, size_t count) {
  if (at + statesAhead >= count)
    return;
  const uint32_t *rowBegin = rows.begin.data();
  __builtin_prefetch(rows.edges.get() + rowBegin[states[at + statesAhead]]);
  if (at + 2 * statesAhead < count)
    __builtin_prefetch(rowBegin + states[at + 2 * statesAhead]);
}

} // namespace cif

#endif
