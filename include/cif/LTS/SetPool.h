//===- SetPool.h - Hash-consed sets of small integers -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sorted arrays of integers, each stored once: equal sets have equal numbers,
/// so that sets compare, hash and travel as integers. Set 0 is not special.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LTS_SETPOOL_H
#define CIF_LTS_SETPOOL_H

#include "cif/Support/LLVM.h"
#include <cstring>
#include <vector>

namespace cif {

class SetPool {
public:
  using SetId = uint32_t;

  /// The number of the set with these elements, sorted and without duplicates.
  SetId intern(ArrayRef<uint32_t> elements) {
    if ((size() + 1) * 2 > slots.size())
      grow();
    uint32_t hash = hashOf(elements);
    for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
      if (slots[slot] == 0) {
        slots[slot] = static_cast<uint32_t>(hashes.size() + 1);
        hashes.push_back(hash);
        data.insert(data.end(), elements.begin(), elements.end());
        begins.push_back(data.size());
        return static_cast<SetId>(hashes.size() - 1);
      }
      SetId id = slots[slot] - 1;
      if (hashes[id] == hash && (*this)[id] == elements)
        return id;
    }
  }
  ArrayRef<uint32_t> operator[](SetId id) const {
    return ArrayRef(data.data() + begins[id], begins[id + 1] - begins[id]);
  }
  size_t size() const { return hashes.size(); }
  size_t bytes() const {
    return data.capacity() * 4 + hashes.capacity() * 12 + slots.size() * 4;
  }
  void clear() {
    data.clear();
    begins.assign(1, 0);
    hashes.clear();
    std::fill(slots.begin(), slots.end(), 0);
  }

private:
  static uint32_t hashOf(ArrayRef<uint32_t> elements) {
    uint64_t hash = 0x9e3779b97f4a7c15 ^ elements.size();
    for (uint32_t e : elements)
      hash = (hash ^ e) * 0xff51afd7ed558ccd, hash ^= hash >> 32;
    return static_cast<uint32_t>(hash);
  }
  void grow() {
    slots.assign(std::max<size_t>(64, slots.size() * 2), 0);
    mask = slots.size() - 1;
    for (size_t id = 0; id < hashes.size(); ++id) {
      size_t slot = hashes[id] & mask;
      while (slots[slot])
        slot = (slot + 1) & mask;
      slots[slot] = static_cast<uint32_t>(id + 1);
    }
  }

  std::vector<uint32_t> data;
  std::vector<size_t> begins{0};
  std::vector<uint32_t> hashes;
  std::vector<uint32_t> slots; // open addressing; 0 = free, else number + 1
  size_t mask = 0;
};

} // namespace cif

#endif
