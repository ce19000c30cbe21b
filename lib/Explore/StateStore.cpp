//===- StateStore.cpp - The states that were found -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Explore/StateStore.h"
#include <algorithm>

using namespace cif;

/// Makes \p bits as many as \p value needs; false: they are.
static bool widenTo(uint8_t &bits, uint32_t value) {
  const uint8_t before = bits;
  while (bits < 32 && value >> bits)
    bits *= 2;
  return bits != before;
}

StateStore::StateStore(const System &system) : width(system.width()) {
  slotBits.resize(width, 1);
  for (unsigned i = 0; i < width; ++i) {
    uint32_t maximum = system.slotMaximum(i);
    // Unknown: interned contents; they rarely outgrow two bytes.
    widenTo(slotBits[i], maximum == UINT32_MAX ? 0xffff : maximum);
  }
  layOut();
  parts.resize(numParts);
  for (Part &part : parts)
    part.table.assign(16, 0);
}

void StateStore::layOut() {
  fields.resize(width);
  // Wide slots first, so that none crosses the border of a word.
  size_t bit = 0;
  for (unsigned bits : {32, 16, 8, 4, 2, 1})
    for (unsigned i = 0; i < width; ++i) {
      if (slotBits[i] != bits)
        continue;
      // A fixed number without a pattern (splitmix64).
      uint64_t z = (i + 1) * 0x9e3779b97f4a7c15ull;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
      fields[i].factor = (z ^ (z >> 31)) | 1;
      fields[i].maximum = (uint64_t(1) << bits) - 1;
      fields[i].word = bit / 32;
      fields[i].shift = bit % 32;
      bit += bits;
    }
  words = std::max<size_t>(1, (bit + 31) / 32);
}

uint32_t StateStore::hash(const uint32_t *packed) const {
  uint64_t sum = 0;
  for (const Field &field : fields)
    sum += field.factor * field.of(packed);
  return stir(sum);
}

bool StateStore::pack(const uint32_t *state, uint32_t *packed) const {
  std::fill_n(packed, words, 0);
  bool fits = true;
  for (unsigned i = 0; i < width; ++i) {
    const Field &field = fields[i];
    fits &= state[i] <= field.maximum;
    packed[field.word] |= (state[i] & field.maximum) << field.shift;
  }
  return fits;
}

void StateStore::grow(Part &part, size_t capacity) {
  std::vector<uint64_t> old = std::move(part.table);
  part.table.assign(capacity, 0);
  for (uint64_t entry : old) {
    if (!entry)
      continue;
    size_t at = home(entry >> 32, capacity);
    while (part.table[at])
      if (++at == capacity)
        at = 0;
    part.table[at] = entry;
  }
}

void StateStore::reserve(unsigned index, size_t more) {
  Part &part = parts[index];
  size_t capacity = part.table.size();
  while ((part.used + more) * 3 > capacity * 2)
    capacity += capacity / 2;
  if (capacity != part.table.size())
    grow(part, capacity);
}

void StateStore::extend(size_t number) {
  count = number;
  while (blocks.size() << blockBits < count)
    addBlock();
}

uint64_t StateStore::overheadBytes() const {
  uint64_t entries = 0;
  for (const Part &part : parts)
    entries += part.table.capacity();
  return entries * sizeof(uint64_t) + count * sizeof(StateIndex);
}

StateIndex StateStore::add(const uint32_t *packed, uint32_t hash,
                           StateIndex parent) {
  StateIndex index = count++;
  reserve(partOf(hash), 1);
  if ((index & blockMask) == 0)
    addBlock();
  put(index, packed, parent);
  Part &part = parts[partOf(hash)];
  size_t at = home(hash, part.table.size());
  while (part.table[at])
    if (++at == part.table.size())
      at = 0;
  part.table[at] = entryOf(hash, index);
  ++part.used;
  return index;
}

void StateStore::widen(const uint32_t *state) {
  StateStore wider = std::move(*this);
  slotBits = wider.slotBits;
  narrow = wider.narrow;
  width = wider.width;
  constexpr uint8_t byte = 8;
  uint8_t widest = 1; // of those that were narrow
  for (unsigned i = 0; i < width; ++i)
    if (const uint8_t before = slotBits[i];
        widenTo(slotBits[i], state[i]) && before < byte)
      widest = std::max(widest, std::min(slotBits[i], byte));
  // All states are packed again each time: that must not happen slot by slot.
  constexpr unsigned maxNarrow = 3;
  narrow += widest > 1;
  if (narrow > maxNarrow)
    for (uint8_t &bits : slotBits)
      bits = std::max(bits, widest);
  layOut();
  blocks.clear();
  count = 0;
  parts.resize(numParts);
  for (unsigned i = 0; i < numParts; ++i) {
    parts[i].used = 0;
    parts[i].table.assign(wider.parts[i].table.size(), 0);
  }
  std::vector<uint32_t> vector(width), packed(words);
  for (StateIndex s = 0; s < wider.size(); ++s) {
    wider.unpack(s, vector.data());
    pack(vector.data(), packed.data());
    add(packed.data(), hash(packed.data()), wider.parent(s));
    if ((s & blockMask) == blockMask)
      wider.blocks[s >> blockBits].reset();
  }
}
