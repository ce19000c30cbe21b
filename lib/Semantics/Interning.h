//===- Interning.h - Contents of queues as numbers ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tables that give equal things equal numbers while several threads explore.
/// Looking up what is known takes no lock; something new is added under one.
/// The numbers depend on which thread came first: they may be used in states,
/// which are only compared for equality, but must not determine any order.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_SEMANTICS_INTERNING_H
#define CIF_LIB_SEMANTICS_INTERNING_H

#include "cif/Support/ArrayPool.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace cif {

/// \p words as one number up to \p maximum, if they are.
inline std::optional<uint32_t> onlyWord(ArrayRef<uint32_t> words,
                                        uint32_t maximum) {
  if (words.size() != 1 || words[0] > maximum)
    return std::nullopt;
  return words[0];
}

/// An array that grows at its end under a lock while others read what they know
/// to be there. Elements never move.
template <class T>
class StableArray {
public:
  StableArray() = default;
  ~StableArray() {
    for (auto &block : blocks)
      delete[] block.load(std::memory_order_relaxed);
  }
  StableArray(const StableArray &) = delete;
  StableArray &operator=(const StableArray &) = delete;

  T &operator[](uint32_t index) const {
    unsigned block;
    size_t offset = locate(index, block);
    return blocks[block].load(std::memory_order_acquire)[offset];
  }
  uint32_t size() const { return count; }
  /// Makes room for one more; only under the caller's lock.
  T &append() {
    unsigned block;
    size_t offset = locate(count, block);
    if (offset == 0)
      blocks[block].store(new T[firstSize << block](),
                          std::memory_order_release);
    ++count;
    return blocks[block].load(std::memory_order_relaxed)[offset];
  }

private:
  static constexpr size_t firstSize = 256;
  /// Block k holds firstSize * 2^k elements.
  static size_t locate(uint32_t index, unsigned &block) {
    uint64_t shifted = index + firstSize;
    unsigned top = 63 - __builtin_clzll(shifted);
    block = top - 8;
    return shifted - (uint64_t(1) << top);
  }
  std::atomic<T *> blocks[26] = {};
  uint32_t count = 0;
};

/// From hashes to numbers. Old tables stay until the end, for readers that
/// still look at them.
class InternIndex {
public:
  InternIndex() { grow(64); }

  /// The number of what \p equal recognises, or what \p make returns for it.
  template <class Equal, class Make>
  uint32_t get(uint64_t hash, Equal equal, Make make) {
    uint32_t found;
    if (find(*current.load(std::memory_order_acquire), hash, equal, found))
      return found;
    std::lock_guard<std::mutex> guard(lock);
    Table *table = current.load(std::memory_order_relaxed);
    if (find(*table, hash, equal, found))
      return found;
    if ((used + 1) * 4 > (table->mask + 1) * 3) {
      grow((table->mask + 1) * 2);
      table = current.load(std::memory_order_relaxed);
    }
    uint32_t made = make();
    insert(*table, entryOf(hash, made));
    ++used;
    return made;
  }

private:
  struct Table {
    size_t mask;
    std::unique_ptr<std::atomic<uint64_t>[]> entries;
  };
  static uint64_t entryOf(uint64_t hash, uint32_t number) {
    return (hash & 0xffffffff00000000ull) | (uint64_t(number) + 1);
  }
  template <class Equal>
  static bool find(const Table &table, uint64_t hash, Equal equal,
                   uint32_t &found) {
    for (size_t slot = (hash >> 32) & table.mask;;
         slot = (slot + 1) & table.mask) {
      uint64_t entry = table.entries[slot].load(std::memory_order_acquire);
      if (!entry)
        return false;
      if ((entry ^ hash) >> 32 == 0 &&
          equal(static_cast<uint32_t>(entry) - 1)) {
        found = static_cast<uint32_t>(entry) - 1;
        return true;
      }
    }
  }
  static void insert(Table &table, uint64_t entry) {
    size_t slot = (entry >> 32) & table.mask;
    while (table.entries[slot].load(std::memory_order_relaxed))
      slot = (slot + 1) & table.mask;
    table.entries[slot].store(entry, std::memory_order_release);
  }
  void grow(size_t capacity) {
    auto table = std::make_unique<Table>();
    table->mask = capacity - 1;
    table->entries = std::make_unique<std::atomic<uint64_t>[]>(capacity);
    if (!tables.empty())
      for (size_t i = 0; i <= tables.back()->mask; ++i)
        if (uint64_t entry =
                tables.back()->entries[i].load(std::memory_order_relaxed))
          insert(*table, entry);
    current.store(table.get(), std::memory_order_release);
    tables.push_back(std::move(table));
  }

  std::atomic<Table *> current{nullptr};
  std::vector<std::unique_ptr<Table>> tables;
  size_t used = 0;
  std::mutex lock;
};

/// Numbers that are worked out when first asked for, and kept; 0: not known.
/// Rows of them come into being when one is asked for.
class LazyCells {
public:
  using Cell = std::atomic<uint32_t>;
  static constexpr size_t capacity = size_t(4096) * 1024;

  LazyCells() = default;
  LazyCells(const LazyCells &) = delete;
  LazyCells &operator=(const LazyCells &) = delete;
  ~LazyCells() {
    for (auto &block : blocks)
      delete[] block.load(std::memory_order_relaxed);
  }
  /// \p at is below the capacity.
  Cell &operator[](size_t at) {
    std::atomic<Cell *> &block = blocks[at / blockSize];
    Cell *cells = block.load(std::memory_order_acquire);
    if (LLVM_UNLIKELY(!cells))
      cells = makeBlock(block);
    return cells[at % blockSize];
  }

private:
  static constexpr size_t blockSize = 4096, numBlocks = capacity / blockSize;
  LLVM_ATTRIBUTE_NOINLINE static Cell *makeBlock(std::atomic<Cell *> &block) {
    Cell *made = new Cell[blockSize](), *there = nullptr;
    if (block.compare_exchange_strong(there, made, std::memory_order_acq_rel))
      return made;
    delete[] made; // another thread was faster
    return there;
  }
  std::atomic<Cell *> blocks[numBlocks] = {};
};

/// What a network becomes by each of its operations, kept by its number.
class StepMemo {
public:
  static constexpr uint32_t noStep = ~uint32_t(0) - 1;

  /// Takes operation \p op of \p numOps in \p net as \p work says, which may be
  /// asked once only; false: it says noStep.
  template <class Work>
  bool step(uint32_t *net, size_t op, size_t numOps, Work work) {
    const size_t at = *net * numOps + op;
    uint32_t next;
    if (at >= LazyCells::capacity) {
      next = work(*net);
    } else if (uint32_t known = cells[at].load(std::memory_order_acquire)) {
      next = known - 1;
    } else {
      next = work(*net);
      cells[at].store(next + 1, std::memory_order_release);
    }
    if (next == noStep)
      return false;
    *net = next;
    return true;
  }

private:
  LazyCells cells;
};

/// Interned sequences of messages; 0 is the empty one. A sequence is its prefix
/// and its last message, so that appending is one look-up; what is left without
/// the first message is worked out when first asked for, and kept. So is what
/// comes of appending, by the message's number among those of its queue.
class QueueStore {
public:
  QueueStore() { nodes.append().first = nobody; }

  /// Makes room for keeping what comes of appending: there are \p messages in
  /// all and at most \p perQueue that go to one queue. Before the first push.
  void remember(size_t messages, size_t perQueue) {
    singles = std::vector<LazyCells::Cell>(messages);
    stride = perQueue;
    kept = perQueue ? LazyCells::capacity / perQueue : 0;
  }
  /// \p queue with \p message behind it, the \p ordinal-th of its queue;
  /// full: it has \p bound messages already. The bound is always the same.
  uint32_t push(uint32_t queue, uint32_t message, uint32_t ordinal,
                uint32_t bound) {
    if (queue >= kept)
      return pushWithin(queue, message, bound);
    std::atomic<uint32_t> &longer =
        queue ? children[queue * stride + ordinal] : singles[message];
    uint32_t known = longer.load(std::memory_order_acquire);
    if (!known) {
      known = pushWithin(queue, message, bound);
      longer.store(known, std::memory_order_release);
    }
    return known;
  }
  static constexpr uint32_t full = ~uint32_t(0);
  uint32_t length(uint32_t queue) const { return nodes[queue].length; }
  /// The first message; UINT32_MAX of the empty queue.
  uint32_t front(uint32_t queue) const { return nodes[queue].first; }
  /// The queue without its first message.
  uint32_t rest(uint32_t queue) {
    uint32_t known = nodes[queue].rest.load(std::memory_order_acquire);
    return known != unknown ? known : findRest(queue);
  }
  void contents(uint32_t queue, SmallVectorImpl<uint32_t> &out) const {
    out.clear();
    for (; queue; queue = nodes[queue].prefix)
      out.push_back(nodes[queue].last);
    std::reverse(out.begin(), out.end());
  }

private:
  uint32_t pushWithin(uint32_t queue, uint32_t message, uint32_t bound) {
    return length(queue) < bound ? push(queue, message) : full;
  }
  uint32_t push(uint32_t queue, uint32_t message) {
    uint64_t hash = (queue * 0x9e3779b97f4a7c15ull) ^
                    ((message + 1) * 0xd6e8feb86659fd93ull);
    hash ^= hash >> 29;
    hash *= 0xbf58476d1ce4e5b9ull;
    return index.get(
        hash,
        [&](uint32_t n) {
          return nodes[n].prefix == queue && nodes[n].last == message;
        },
        [&] {
          uint32_t number = nodes.size();
          Node &node = nodes.append();
          node.prefix = queue;
          node.last = message;
          node.first = queue ? nodes[queue].first : message;
          node.length = length(queue) + 1;
          node.rest.store(queue ? unknown : 0, std::memory_order_relaxed);
          return number;
        });
  }
  uint32_t findRest(uint32_t queue) {
    SmallVector<uint32_t, 32> chain;
    uint32_t at = queue;
    while (nodes[at].rest.load(std::memory_order_acquire) == unknown) {
      chain.push_back(at);
      at = nodes[at].prefix;
    }
    uint32_t result = nodes[at].rest.load(std::memory_order_acquire);
    while (!chain.empty()) {
      Node &node = nodes[chain.pop_back_val()];
      result = push(result, node.last);
      node.rest.store(result, std::memory_order_release);
    }
    return result;
  }

  static constexpr uint32_t unknown = ~uint32_t(0), nobody = ~uint32_t(0);
  struct Node {
    uint32_t prefix = 0, last = 0, first = 0, length = 0;
    std::atomic<uint32_t> rest{0};
  };
  StableArray<Node> nodes;
  InternIndex index;
  /// \name What comes of appending; 0: not known
  /// @{
  size_t stride = 0;  ///< how many there are for a queue
  uint32_t kept = 0;  ///< they are kept for the queues below this one
  LazyCells children; ///< by queue and ordinal
  std::vector<LazyCells::Cell> singles; ///< to the empty queue, by message
  /// @}
};

/// Interned arrays of words; 0 is the empty one.
class WordsStore {
public:
  WordsStore() { entries.append(); }

  uint32_t get(ArrayRef<uint32_t> words) {
    if (words.empty())
      return 0;
    return index.get(
        hashOfArray(words), [&](uint32_t n) { return (*this)[n] == words; },
        [&] {
          uint32_t number = entries.size();
          Entry &entry = entries.append();
          entry.words = std::make_unique<uint32_t[]>(words.size());
          std::copy(words.begin(), words.end(), entry.words.get());
          entry.size = words.size();
          return number;
        });
  }
  ArrayRef<uint32_t> operator[](uint32_t number) const {
    const Entry &entry = entries[number];
    return {entry.words.get(), entry.size};
  }

private:
  struct Entry {
    std::unique_ptr<uint32_t[]> words;
    size_t size = 0;
  };
  StableArray<Entry> entries;
  InternIndex index;
};

} // namespace cif

#endif
