//===- LtsBuilder.cpp - An LTS from loose transitions -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/LTS/LtsBuilder.h"
#include "cif/Support/LargePages.h"
#include "llvm/Support/MemAlloc.h"

using namespace cif;

LabelIndex LabelTable::intern(const Label &label) {
  if (label.kind == LabelKind::Tau)
    return tauLabel;
  auto [entry, isNew] = indexes.try_emplace(
      labelText(label), static_cast<LabelIndex>(all.size()));
  if (isNew)
    all.push_back(label);
  return entry->second;
}

void LtsBuilder::setCapacity(size_t transitions) {
  const size_t bytes = transitions * sizeof(uint32_t);
  for (auto *array : {&label, &target}) {
    array->reset(
        static_cast<uint32_t *>(llvm::safe_realloc(array->release(), bytes)));
    preferLargePages(array->get(), bytes);
  }
  capacity = transitions;
}

LtsBuilder::Room LtsBuilder::room() {
  if (size == capacity)
    setCapacity(std::max<size_t>(64, 2 * capacity));
  return {label.get() + size, target.get() + size, capacity - size};
}

void LtsBuilder::startRow(StateIndex source, size_t ahead) {
  const size_t at = size + ahead;
  if (inOrder) {
    if (source >= lastSource && source - firstSource <= 16 * (at + (1 << 16))) {
      for (; lastSource < source; ++lastSource)
        rows.push_back(static_cast<uint32_t>(at));
      return;
    }
    if (at == 0) {
      firstSource = lastSource = source;
      rows.assign(1, 0);
      return;
    }
    leaveOrder(at);
  }
  sources.resize(at, lastSource);
  lastSource = source;
}

void LtsBuilder::leaveOrder(size_t at) {
  inOrder = false;
  sources.reserve(capacity);
  rows.push_back(static_cast<uint32_t>(at));
  for (StateIndex s = 0; s + 1 < rows.size(); ++s)
    sources.insert(sources.end(), rows[s + 1] - rows[s], firstSource + s);
  rows.clear();
}

void LtsBuilder::append(const LtsBuilder &piece,
                        ArrayRef<LabelIndex> numberOf) {
  if (piece.size == 0)
    return;
  if (capacity - size < piece.size)
    setCapacity(std::max(2 * capacity, size + piece.size));
  for (size_t r = 0; r < piece.rows.size(); ++r)
    startRow(piece.firstSource + static_cast<StateIndex>(r), piece.rows[r]);
  for (size_t i = 0; i < piece.sources.size(); ++i)
    if (i == 0 || piece.sources[i] != piece.sources[i - 1])
      startRow(piece.sources[i], i);
  if (!piece.inOrder)
    startRow(piece.lastSource, piece.sources.size());
  const LabelIndex *by = piece.label.get();
  std::transform(by, by + piece.size, label.get() + size,
                 [&](LabelIndex l) { return numberOf[l]; });
  std::copy_n(piece.target.get(), piece.size, target.get() + size);
  size += piece.size;
}

void LtsBuilder::clear() {
  inOrder = true;
  firstSource = lastSource = ~StateIndex(0); // whatever comes is below it
  rows.clear();
  sources.clear();
  size = 0;
}

Lts LtsBuilder::finish(StateIndex initial, size_t states) && {
  Lts lts;
  lts.initial = initial;
  lts.labels = std::move(labels).take();
  if (inOrder) {
    rows.insert(rows.begin(), firstSource, 0);
    rows.resize(states + 1, static_cast<uint32_t>(size));
    lts.rowBegin = std::move(rows);
    auto shared = [&](std::unique_ptr<uint32_t, Free> array) {
      ArrayRef<uint32_t> view(array.get(), size);
      return SharedArray<uint32_t>(view, std::shared_ptr(std::move(array)));
    };
    lts.label = shared(std::move(label));
    lts.target = shared(std::move(target));
    return lts;
  }
  sources.resize(size, lastSource);
  std::vector<uint32_t> begin(states + 2);
  for (StateIndex s : sources)
    ++begin[s + 2];
  for (size_t s = 2; s < begin.size(); ++s)
    begin[s] += begin[s - 1];
  // begin[s + 1] is where the next transition of s goes; after the loop it is
  // where the row of s + 1 begins.
  std::vector<LabelIndex> sortedLabel(size);
  std::vector<StateIndex> sortedTarget(size);
  for (size_t i = 0; i < size; ++i) {
    uint32_t at = begin[sources[i] + 1]++;
    sortedLabel[at] = label.get()[i];
    sortedTarget[at] = target.get()[i];
  }
  begin.pop_back();
  lts.rowBegin = std::move(begin);
  lts.label = std::move(sortedLabel);
  lts.target = std::move(sortedTarget);
  return lts;
}
