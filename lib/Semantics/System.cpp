//===- System.cpp - States and steps, whatever they come from -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Semantics/System.h"
#include "Interning.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <cstring>

using namespace cif;

System::~System() = default;

uint32_t System::slotMaximum(unsigned) const { return UINT32_MAX; }

void System::changes(const uint32_t *state, uint32_t *scratch,
                     ChangeSink sink) const {
  SmallVector<SlotChange, 16> list;
  successors(state, scratch, [&](const Step &step, const uint32_t *next) {
    list.clear();
    unsigned i = 0;
    for (; i + 2 <= numSlots; i += 2) {
      // Most are equal: two at a time.
      uint64_t before, after;
      std::memcpy(&before, state + i, 8);
      std::memcpy(&after, next + i, 8);
      if (before == after)
        continue;
      for (unsigned slot : {i, i + 1})
        if (state[slot] != next[slot])
          list.push_back({slot, next[slot]});
    }
    if (i < numSlots && state[i] != next[i])
      list.push_back({i, next[i]});
    return sink(step, list);
  });
}

void System::successorsOf(GroupIndex group, const uint32_t *state,
                          uint32_t *scratch, StepSink sink) const {
  successors(state, scratch, [&](const Step &step, const uint32_t *next) {
    return step.group != group || sink(step, next);
  });
}

void System::exportWords(unsigned, uint32_t value,
                         SmallVectorImpl<uint32_t> &words) const {
  words.push_back(value);
}

std::optional<uint32_t> System::importWords(unsigned,
                                            ArrayRef<uint32_t> words) const {
  return onlyWord(words, UINT32_MAX);
}

void System::exportSlot(unsigned slot, uint32_t value,
                        std::string &bytes) const {
  SmallVector<uint32_t, 32> words;
  exportWords(slot, value, words);
  for (uint32_t word : words)
    for (unsigned shift = 0; shift < 32; shift += 8)
      bytes.push_back(static_cast<char>(word >> shift));
}

std::optional<uint32_t> System::importSlot(unsigned slot,
                                           StringRef bytes) const {
  if (bytes.size() % 4)
    return std::nullopt;
  SmallVector<uint32_t, 32> words;
  for (size_t at = 0; at < bytes.size(); at += 4)
    words.push_back(llvm::support::endian::read32le(bytes.data() + at));
  return importWords(slot, words);
}

std::string System::pumps(const uint32_t *, const uint32_t *,
                          ArrayRef<Step>) const {
  return {};
}

LabelIndex System::addLabel(const Label &label) {
  auto hashOf = [](const Label &l) {
    return llvm::xxh3_64bits(l.message) * 31 + llvm::xxh3_64bits(l.sender) * 7 +
           llvm::xxh3_64bits(l.receiver) + static_cast<unsigned>(l.kind);
  };
  if (labelSlots.size() < labelTable.size() * 2 + 8) {
    labelSlots.assign(llvm::PowerOf2Ceil(labelTable.size() * 4 + 16), 0);
    for (size_t i = 0; i < labelTable.size(); ++i) {
      size_t slot = hashOf(labelTable[i]) & (labelSlots.size() - 1);
      while (labelSlots[slot])
        slot = (slot + 1) & (labelSlots.size() - 1);
      labelSlots[slot] = i + 1;
    }
  }
  size_t slot = hashOf(label) & (labelSlots.size() - 1);
  for (; labelSlots[slot]; slot = (slot + 1) & (labelSlots.size() - 1))
    if (labelTable[labelSlots[slot] - 1] == label)
      return labelSlots[slot] - 1;
  labelTable.push_back(label);
  labelSlots[slot] = labelTable.size();
  return labelTable.size() - 1;
}

StepGroups::Range StepGroups::append(std::vector<uint32_t> &list,
                                     ArrayRef<uint32_t> slots) {
  size_t begin = list.size();
  list.insert(list.end(), slots.begin(), slots.end());
  auto first = list.begin() + static_cast<ptrdiff_t>(begin);
  std::sort(first, list.end());
  list.erase(std::unique(first, list.end()), list.end());
  return {begin, list.size()};
}

std::vector<uint32_t> StepGroups::row(ArrayRef<uint32_t> own,
                                      std::vector<uint32_t> Shared::*more,
                                      GroupIndex g) const {
  if (g >= sharedBy.size() || !sharedBy[g])
    return {own.begin(), own.end()};
  std::vector<uint32_t> all;
  const std::vector<uint32_t> &others = shared[sharedBy[g] - 1].*more;
  std::set_union(own.begin(), own.end(), others.begin(), others.end(),
                 std::back_inserter(all));
  return all;
}

void StepGroups::share(ArrayRef<GroupIndex> groups,
                       ArrayRef<uint32_t> readSlots,
                       ArrayRef<uint32_t> writtenSlots) {
  Shared &slots = shared.emplace_back();
  append(slots.reads, readSlots);
  append(slots.writes, writtenSlots);
  sharedBy.resize(origins.size());
  for (GroupIndex g : groups)
    sharedBy[g] = shared.size();
}

GroupIndex StepGroups::add(Origin from, ArrayRef<uint32_t> readSlots,
                           ArrayRef<uint32_t> writtenSlots) {
  origins.push_back(from);
  readRanges.push_back(append(readList, readSlots));
  writeRanges.push_back(append(writeList, writtenSlots));
  return origins.size() - 1;
}

GroupIndex StepGroups::addLike(Origin from, GroupIndex other) {
  origins.push_back(from);
  readRanges.push_back(readRanges[other]);
  writeRanges.push_back(writeRanges[other]);
  return origins.size() - 1;
}

std::unique_ptr<CommandModel> System::commands(std::string &reason,
                                               Origin &) const {
  reason = "its steps are not known as guarded commands";
  return nullptr;
}
