//===- StringTable.cpp - Interned strings ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/StringTable.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <cstring>

using namespace cif;

static uint32_t hashOf(StringRef text) {
  return static_cast<uint32_t>(llvm::xxh3_64bits(text));
}

StringTable::StringTable() {
  grow(64);
  insert("", /*copy=*/false);
}

void StringTable::grow(size_t capacity) {
  slots.assign(capacity, 0);
  size_t mask = capacity - 1;
  for (size_t i = 0; i < texts.size(); ++i) {
    size_t slot = hashes[i] & mask;
    while (slots[slot])
      slot = (slot + 1) & mask;
    slots[slot] = static_cast<uint32_t>(i + 1);
  }
}

void StringTable::reserve(size_t count) {
  texts.reserve(count);
  hashes.reserve(count);
  size_t wanted = llvm::PowerOf2Ceil(count * 3 / 2 + 1);
  if (wanted > slots.size())
    grow(wanted);
}

Name StringTable::insert(StringRef text, bool copy) {
  uint32_t hash = hashOf(text);
  size_t mask = slots.size() - 1;
  size_t slot = hash & mask;
  for (; slots[slot]; slot = (slot + 1) & mask) {
    uint32_t index = slots[slot] - 1;
    if (hashes[index] == hash && texts[index] == text)
      return Name(index);
  }
  if (copy && !text.empty()) {
    char *bytes = static_cast<char *>(arena.Allocate(text.size(), 1));
    std::memcpy(bytes, text.data(), text.size());
    text = StringRef(bytes, text.size());
  }
  uint32_t index = static_cast<uint32_t>(texts.size());
  texts.push_back(text);
  hashes.push_back(hash);
  slots[slot] = index + 1;
  if (texts.size() * 3 > slots.size() * 2)
    grow(slots.size() * 2);
  return Name(index);
}

Name StringTable::lookup(StringRef text) const {
  uint32_t hash = hashOf(text);
  size_t mask = slots.size() - 1;
  for (size_t slot = hash & mask; slots[slot]; slot = (slot + 1) & mask) {
    uint32_t index = slots[slot] - 1;
    if (hashes[index] == hash && texts[index] == text)
      return Name(index);
  }
  return Name();
}
