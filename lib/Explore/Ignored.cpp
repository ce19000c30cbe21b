//===- Ignored.cpp - Steps that a reduction puts off for ever -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Explore/Ignored.h"
#include "cif/LTS/Graph.h"
#include "cif/LTS/Operations.h"
#include "llvm/ADT/BitVector.h"

using namespace cif;

bool ExpandedStates::expand(const System &system, const Exploration &explored) {
  const Lts &lts = explored.lts;
  Components parts = components(lts);
  std::vector<bool> isBottom(parts.count);
  for (uint32_t part : bottomComponents(lts, parts))
    isBottom[part] = true;
  std::vector<std::vector<StateIndex>> members(parts.count);
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    if (isBottom[parts.of[s]])
      members[parts.of[s]].push_back(s);
  std::vector<uint32_t> vector(system.width()), scratch(system.width());
  llvm::BitVector taken(system.groups().size());
  bool any = false;
  for (const std::vector<StateIndex> &part : members) {
    if (part.empty())
      continue;
    taken.reset();
    for (StateIndex s : part)
      for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t)
        taken.set(explored.steps[t].group);
    // What is put off stays enabled, so any state shows it.
    explored.store->unpack(part.front(), vector.data());
    bool ignores = false;
    system.changes(vector.data(), scratch.data(),
                   [&](const Step &step, ArrayRef<SlotChange>) {
                     ignores |= !taken.test(step.group);
                     return !ignores;
                   });
    if (ignores)
      any |= states.insert(vector).second;
  }
  return any;
}

bool ExpandedStates::expandCycles(const System &system,
                                  const Exploration &explored) {
  const Lts &lts = explored.lts;
  Components parts = components(lts);
  std::vector<uint32_t> vector(system.width()), scratch(system.width());
  auto takesAll = [&](StateIndex s) {
    explored.store->unpack(s, vector.data());
    if (contains(vector.data(), vector.size()))
      return true;
    size_t count = 0;
    system.changes(vector.data(), scratch.data(),
                   [&](const Step &, ArrayRef<SlotChange>) {
                     return ++count <= lts.targetsOf(s).size();
                   });
    return count <= lts.targetsOf(s).size();
  };
  // Depth first among states that leave steps out: every cycle of them has a
  // transition back to a state that is still on the way.
  enum : uint8_t { New, OnTheWay, Left };
  std::vector<uint8_t> mark(lts.numStates(), New);
  std::vector<std::pair<StateIndex, uint32_t>> way; // with the next transition
  auto enter = [&](StateIndex s) {
    mark[s] = OnTheWay;
    way.push_back({s, lts.rowBegin[s]});
  };
  bool any = false;
  for (StateIndex start = 0; start < lts.numStates(); ++start) {
    if (mark[start] != New)
      continue;
    if (takesAll(start)) {
      mark[start] = Left;
      continue;
    }
    enter(start);
    while (!way.empty()) {
      auto &[s, next] = way.back();
      if (next == lts.rowBegin[s + 1]) {
        mark[s] = Left;
        way.pop_back();
        continue;
      }
      StateIndex to = lts.target[next++];
      if (parts.of[to] != parts.of[s] || mark[to] == Left)
        continue;
      if (mark[to] == OnTheWay) {
        explored.store->unpack(to, vector.data());
        any |= states.insert(vector).second;
      } else if (takesAll(to)) {
        mark[to] = Left;
      } else {
        enter(to);
      }
    }
  }
  return any;
}
