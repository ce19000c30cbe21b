//===- SignatureTable.cpp - Signatures of one class -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SignatureTable.h"
#include "llvm/Support/MathExtras.h"

using namespace cif;

void SignatureTable::clear(size_t expected) {
  const size_t wanted = std::max<size_t>(16, llvm::PowerOf2Ceil(expected * 2));
  slots.resize(std::max(slots.size(), wanted));
  mask = wanted - 1;
  if (++round == 0) {
    std::fill(slots.begin(), slots.end(), 0);
    round = 1;
  }
  used = 0;
  entries.clear();
}

uint32_t SignatureTable::intern(const uint64_t *end, uint64_t hash) {
  if (entries.size() * 2 > mask)
    grow();
  const uint64_t *pairs = data.data() + used;
  auto size = static_cast<size_t>(end - pairs);
  size_t at = hash >> 32 & mask;
  for (; slots[at] >> 32 == round; at = (at + 1) & mask) {
    auto number = static_cast<uint32_t>(slots[at]);
    const Entry &entry = entries[number];
    if (entry.hash != hash || entry.size != size)
      continue;
    const uint64_t *known = data.data() + entry.begin;
    size_t i = 0;
    while (i < size && known[i] == pairs[i])
      ++i;
    if (i == size)
      return number;
  }
  auto number = static_cast<uint32_t>(entries.size());
  slots[at] = uint64_t(round) << 32 | number;
  entries.push_back({hash, used, size});
  used += size;
  return number;
}

uint32_t SignatureTable::intern(ArrayRef<uint64_t> pairs) {
  uint64_t hash = 0;
  for (uint64_t pair : pairs)
    hash = hashWith(hash, pair);
  return intern(llvm::copy(pairs, room(pairs.size())), hash);
}

void SignatureTable::grow() {
  mask = 2 * mask + 1;
  slots.resize(std::max(slots.size(), mask + 1));
  std::fill(slots.begin(), slots.begin() + mask + 1, 0);
  for (size_t n = 0; n < entries.size(); ++n) {
    size_t at = entries[n].hash >> 32 & mask;
    while (slots[at] >> 32 == round)
      at = (at + 1) & mask;
    slots[at] = uint64_t(round) << 32 | n;
  }
}
