//===- SignatureTable.h - Signatures of one class -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EQUIVALENCE_SIGNATURETABLE_H
#define CIF_LIB_EQUIVALENCE_SIGNATURETABLE_H

#include "cif/Support/LLVM.h"
#include <vector>

namespace cif {

/// The signatures of one block, each once. They are made in place: the pairs
/// of the next one go to room(), and intern() keeps them if they are new.
class SignatureTable {
public:
  /// Forgets all; about \p expected will come.
  void clear(size_t expected);
  /// Room for \p most pairs, until the next call.
  uint64_t *room(size_t most) {
    if (data.size() - used < most)
      data.resize(2 * data.size() + most);
    return data.data() + used;
  }
  static uint64_t hashWith(uint64_t hash, uint64_t pair) {
    hash = (hash ^ pair) * 0x9fb21c651e98df25;
    return hash ^ hash >> 29;
  }
  /// The number of the signature that stands at room(), and ends before
  /// \p end; those of a block are numbered from 0. \p hash: hashWith all.
  uint32_t intern(const uint64_t *end, uint64_t hash);
  /// The same for pairs that stand elsewhere.
  uint32_t intern(ArrayRef<uint64_t> pairs);
  /// Until the next call of room.
  ArrayRef<uint64_t> operator[](uint32_t number) const {
    const Entry &entry = entries[number];
    return {data.data() + entry.begin, entry.size};
  }

private:
  struct Entry {
    uint64_t hash;
    size_t begin, size;
  };
  void grow();

  std::vector<uint64_t> data;
  size_t used = 0;
  std::vector<Entry> entries;
  // Open addressing in the first mask + 1 of them: the round above, the number
  // below. What another round left is free.
  std::vector<uint64_t> slots;
  size_t mask = 0;
  uint32_t round = 0;
};

} // namespace cif

#endif
