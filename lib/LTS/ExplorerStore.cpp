//===- ExplorerStore.cpp - The states that were found
//----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/LTS/StateStore.h"

using namespace cif;

StateStore::StateStore(const System &system) : width(system.width()) {
  slotBytes.resize(width);
  for (unsigned i = 0; i < width; ++i) {
    uint32_t maximum = system.slotMaximum(i);
    // Unknown: interned contents; they rarely outgrow two bytes.
    slotBytes[i] = maximum <= 0xff                              ? 1
                   : maximum <= 0xffff || maximum == UINT32_MAX ? 2
                                                                : 4;
  }
  layOut();
  growTable(1024);
}

void StateStore::layOut() {
  wide.clear();
  middle.clear();
  narrow.clear();
  for (unsigned i = 0; i < width; ++i)
    (slotBytes[i] == 4   ? wide
     : slotBytes[i] == 2 ? middle
                         : narrow)
        .push_back(i);
  size_t bytes = wide.size() * 4 + middle.size() * 2 + narrow.size();
  words = std::max<size_t>(1, (bytes + 3) / 4);
}

bool StateStore::pack(const uint32_t *state, uint32_t *packed) const {
  packed[words - 1] = 0; // what the last word does not use
  uint32_t *words4 = packed;
  for (uint32_t slot : wide)
    *words4++ = state[slot];
  uint32_t seen = 0;
  auto *bytes = reinterpret_cast<uint8_t *>(words4);
  for (uint32_t slot : middle) {
    uint32_t value = state[slot];
    seen |= value >> 8;
    bytes[0] = static_cast<uint8_t>(value);
    bytes[1] = static_cast<uint8_t>(value >> 8);
    bytes += 2;
  }
  for (uint32_t slot : narrow) {
    uint32_t value = state[slot];
    seen |= value;
    *bytes++ = static_cast<uint8_t>(value);
  }
  return seen <= 0xff;
}

void StateStore::unpack(StateIndex s, uint32_t *state) const {
  const uint32_t *packed = packedOf(s);
  for (uint32_t slot : wide)
    state[slot] = *packed++;
  auto *bytes = reinterpret_cast<const uint8_t *>(packed);
  for (uint32_t slot : middle) {
    state[slot] = bytes[0] | uint32_t(bytes[1]) << 8;
    bytes += 2;
  }
  for (uint32_t slot : narrow)
    state[slot] = *bytes++;
}

uint32_t StateStore::hash(const uint32_t *packed) const {
  uint64_t h = 0x9e3779b97f4a7c15ull;
  for (unsigned i = 0; i < words; ++i) {
    h = (h ^ packed[i]) * 0xbf58476d1ce4e5b9ull;
    h ^= h >> 31;
  }
  h *= 0x94d049bb133111ebull;
  return static_cast<uint32_t>(h >> 32);
}

/// Where a hash belongs in a table of \p capacity entries. Entries keep the
/// order of hashes, so that growing the table is one pass in order.
static size_t home(uint32_t hash, size_t capacity) {
  return static_cast<size_t>((uint64_t(hash) * capacity) >> 32);
}

StateIndex StateStore::find(const uint32_t *packed, uint32_t hash) const {
  for (size_t at = home(hash, table.size());;) {
    uint64_t entry = table[at];
    if (!entry)
      return none;
    if (entry >> 32 == hash) {
      StateIndex index = static_cast<uint32_t>(entry) - 1;
      if (std::equal(packed, packed + words, packedOf(index)))
        return index;
    }
    if (++at == table.size())
      at = 0;
  }
}

void StateStore::insert(uint64_t entry) {
  size_t at = home(entry >> 32, table.size());
  while (table[at])
    if (++at == table.size())
      at = 0;
  table[at] = entry;
}

void StateStore::growTable(size_t capacity) {
  std::vector<uint64_t> old = std::move(table);
  table.assign(capacity, 0);
  for (uint64_t entry : old)
    if (entry)
      insert(entry);
}

StateIndex StateStore::add(const uint32_t *packed, uint32_t hash,
                           StateIndex parent) {
  StateIndex index = parents.size();
  if ((size_t(index) + 1) * 5 > table.size() * 4)
    growTable(table.size() + table.size() / 2);
  if ((index & blockMask) == 0)
    blocks.push_back(
        std::make_unique_for_overwrite<uint32_t[]>(size_t(words) << blockBits));
  std::copy_n(packed, words, const_cast<uint32_t *>(packedOf(index)));
  parents.push_back(parent);
  insert(uint64_t(hash) << 32 | (uint64_t(index) + 1));
  return index;
}

void StateStore::widen(const uint32_t *state) {
  StateStore wider = std::move(*this);
  slotBytes = wider.slotBytes;
  width = wider.width;
  for (unsigned i = 0; i < width; ++i) {
    if (slotBytes[i] == 1 && state[i] > 0xff)
      slotBytes[i] = 2;
    if (slotBytes[i] == 2 && state[i] > 0xffff)
      slotBytes[i] = 4;
  }
  layOut();
  blocks.clear();
  parents.clear();
  table.assign(wider.table.size(), 0);
  std::vector<uint32_t> vector(width), packed(words);
  for (StateIndex s = 0; s < wider.size(); ++s) {
    wider.unpack(s, vector.data());
    pack(vector.data(), packed.data());
    add(packed.data(), hash(packed.data()), wider.parents[s]);
    if ((s & blockMask) == blockMask)
      wider.blocks[s >> blockBits].reset();
  }
}
