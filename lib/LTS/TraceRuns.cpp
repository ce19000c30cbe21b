//===- TraceRuns.cpp - Runs of an LTS over a trace ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/LTS/TraceRuns.h"
#include "cif/Graph/Search.h"

using namespace cif;

TraceRuns::TraceRuns(const Lts &of, StateIndex from)
    : lts(of), items{{from, noParent, 0}}, seen(of.numStates()) {
  seen[from] = 1;
  closeSilently();
}

/// The target of \p transition is in this level, unless it was already.
void TraceRuns::reach(uint32_t transition, size_t from) {
  StateIndex to = lts.target[transition];
  if (seen[to] == level + 1)
    return;
  seen[to] = level + 1;
  items.push_back({to, static_cast<uint32_t>(from), transition});
}

void TraceRuns::closeSilently() {
  for (size_t i = levelBegin; i < items.size(); ++i) {
    StateIndex s = items[i].state;
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t)
      if (lts.label[t] == tauLabel)
        reach(t, i);
  }
}

bool TraceRuns::follow(LabelIndex label) {
  const size_t end = items.size();
  ++level;
  for (size_t i = levelBegin; i < end; ++i) {
    StateIndex s = items[i].state;
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t)
      if (lts.label[t] == label)
        reach(t, i);
  }
  if (items.size() == end)
    return false;
  levelBegin = end;
  closeSilently();
  return true;
}

bool TraceRuns::follow(const Label &label) {
  auto found = llvm::find(lts.labels, label);
  return found != lts.labels.end() &&
         follow(static_cast<LabelIndex>(found - lts.labels.begin()));
}

std::vector<uint32_t> TraceRuns::runTo(size_t number) const {
  std::vector<uint32_t> run;
  for (uint32_t at : wayTo(static_cast<uint32_t>(number),
                           [&](uint32_t i) { return items[i].parent; }))
    run.push_back(items[at].transition);
  return run;
}
