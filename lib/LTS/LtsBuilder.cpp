//===- LtsBuilder.cpp - An LTS from loose transitions -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/LTS/LtsBuilder.h"

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

void LtsBuilder::startRow(StateIndex source) {
  if (source > 16 * (target.size() + (1 << 16))) {
    leaveOrder();
    sources.push_back(source);
    return;
  }
  rows.resize(size_t(source) + 1, static_cast<uint32_t>(target.size()));
  lastSource = source;
}

void LtsBuilder::leaveOrder() {
  inOrder = false;
  sources.reserve(target.capacity());
  rows.push_back(static_cast<uint32_t>(target.size()));
  for (StateIndex s = 0; s + 1 < rows.size(); ++s)
    sources.insert(sources.end(), rows[s + 1] - rows[s], s);
  rows = {};
  lastSource = 0; // sources is not looked at again: it may still be empty
}

Lts LtsBuilder::finish(StateIndex initial, size_t states) && {
  Lts lts;
  lts.initial = initial;
  lts.labels = std::move(labels).take();
  if (inOrder) {
    rows.resize(states + 1, static_cast<uint32_t>(target.size()));
    lts.rowBegin = std::move(rows);
    lts.label = std::move(label);
    lts.target = std::move(target);
    return lts;
  }
  std::vector<uint32_t> begin(states + 2);
  for (StateIndex s : sources)
    ++begin[s + 2];
  for (size_t s = 2; s < begin.size(); ++s)
    begin[s] += begin[s - 1];
  // begin[s + 1] is where the next transition of s goes; after the loop it is
  // where the row of s + 1 begins.
  std::vector<LabelIndex> sortedLabel(label.size());
  std::vector<StateIndex> sortedTarget(target.size());
  for (size_t i = 0; i < sources.size(); ++i) {
    uint32_t at = begin[sources[i] + 1]++;
    sortedLabel[at] = label[i];
    sortedTarget[at] = target[i];
  }
  begin.pop_back();
  lts.rowBegin = std::move(begin);
  lts.label = std::move(sortedLabel);
  lts.target = std::move(sortedTarget);
  return lts;
}
