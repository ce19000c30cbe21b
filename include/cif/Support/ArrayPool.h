//===- ArrayPool.h - Arrays of integers, each stored once -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Arrays of integers (sets in order, states, signatures), each stored once:
/// equal arrays have equal numbers, so that they compare, hash and travel as
/// integers. Numbers are given from 0 in the order of first appearance. For one
/// thread; lib/Semantics/Interning.h has what several threads share.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_ARRAYPOOL_H
#define CIF_SUPPORT_ARRAYPOOL_H

#include "cif/Support/LLVM.h"
#include <vector>

namespace cif {

/// The upper half is the better one.
template <class Word>
uint64_t hashOfArray(ArrayRef<Word> array) {
  uint64_t hash = array.size();
  for (Word word : array)
    hash = (hash ^ word) * 0x9fb21c651e98df25, hash ^= hash >> 29;
  return hash * 0xbf58476d1ce4e5b9;
}

template <class Word>
class ArrayPool {
public:
  /// The number of \p array; that of the first size() when it is new.
  uint32_t intern(ArrayRef<Word> array) {
    if ((size() + 1) * 2 > slots.size())
      grow();
    auto hash = static_cast<uint32_t>(hashOfArray(array) >> 32);
    for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
      if (slots[slot] == 0) {
        hashes.push_back(hash);
        slots[slot] = static_cast<uint32_t>(hashes.size());
        data.insert(data.end(), array.begin(), array.end());
        begins.push_back(data.size());
        return slots[slot] - 1;
      }
      uint32_t number = slots[slot] - 1;
      if (hashes[number] == hash && (*this)[number] == array)
        return number;
    }
  }
  /// Until the next array comes in.
  ArrayRef<Word> operator[](uint32_t number) const {
    return ArrayRef(data.data() + begins[number],
                    begins[number + 1] - begins[number]);
  }
  size_t size() const { return hashes.size(); }
  size_t bytes() const {
    return data.capacity() * sizeof(Word) + hashes.capacity() * 12 +
           slots.size() * 4;
  }
  /// Forgets all arrays; about \p expected will come. Costs what is in it, or
  /// what will be, not what ever was.
  void clear(size_t expected = 0) {
    size_t wanted = 64;
    while (wanted < expected * 2)
      wanted *= 2;
    if (wanted > slots.size() || slots.size() > 16 * wanted + 4096)
      resize(wanted);
    else if (size() * 8 > slots.size())
      std::fill(slots.begin(), slots.end(), 0);
    else
      // The last one first: then the way to each is as when it came.
      for (size_t n = size(); n-- > 0;) {
        size_t slot = hashes[n] & mask;
        while (slots[slot] != n + 1)
          slot = (slot + 1) & mask;
        slots[slot] = 0;
      }
    data.clear();
    begins.assign(1, 0);
    hashes.clear();
  }

private:
  void resize(size_t capacity) {
    slots = std::vector<uint32_t>(capacity);
    mask = capacity - 1;
  }
  void grow() {
    resize(std::max<size_t>(64, slots.size() * 2));
    for (size_t n = 0; n < size(); ++n) {
      size_t slot = hashes[n] & mask;
      while (slots[slot])
        slot = (slot + 1) & mask;
      slots[slot] = static_cast<uint32_t>(n + 1);
    }
  }

  std::vector<Word> data;
  std::vector<size_t> begins{0};
  std::vector<uint32_t> hashes;
  std::vector<uint32_t> slots; // open addressing; 0 = free, else number + 1
  size_t mask = 0;
};

} // namespace cif

#endif
