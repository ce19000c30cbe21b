//===- NaiveUndoing.h - Generated compensation handlers -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Gives some activities of a diagram compensation handlers, and events that
/// throw compensation activities to undo.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVEUNDOING_H
#define CIF_TEST_UNIT_NAIVEUNDOING_H

#include "NaiveDiagram.h"
#include <random>

namespace cif::naive {

inline Diagram withUndoing(Diagram d, unsigned seed) {
  std::mt19937 random(seed);
  auto chance = [&](unsigned percent) { return random() % 100 < percent; };
  auto isPlain = [&](int n) {
    for (int p = d.nodes[n].parent; p >= 0; p = d.nodes[p].parent)
      if (d.nodes[p].kind != Kind::SubProcess || d.nodes[p].isAdHoc)
        return false;
    return true;
  };
  const size_t size = d.nodes.size();
  unsigned handlers = 0;
  for (size_t n = 0; n < size; ++n) {
    Kind k = d.nodes[n].kind;
    if (!isActivity(k) || k == Kind::Handler || !isPlain(n) || !chance(60) ||
        handlers++ > 4)
      continue;
    Node handler{Kind::Undoing, d.nodes[n].process, d.nodes[n].parent};
    handler.undoes = n;
    d.nodes.push_back(handler);
  }
  for (size_t n = 0; n < size; ++n) {
    Node &node = d.nodes[n];
    // There are to be such events.
    if (node.kind == Kind::Timer && chance(50)) {
      bool isAwaited = false;
      for (const Flow &f : d.flows)
        isAwaited |=
            f.target == int(n) && d.nodes[f.source].kind == Kind::EventBased;
      if (!isAwaited)
        node.kind = Kind::Announce;
    } else if (node.kind == Kind::NoneEnd && chance(40)) {
      node.kind = Kind::AnnounceEnd;
    } else if (node.kind != Kind::Announce && node.kind != Kind::AnnounceEnd) {
      continue;
    }
    if (node.kind != Kind::Announce && node.kind != Kind::AnnounceEnd)
      continue;
    node.trigger = "compensate";
    node.waits = chance(75);
    std::vector<int> seen;
    for (size_t other = 0; other < size; ++other)
      if (isActivity(d.nodes[other].kind) &&
          d.nodes[other].kind != Kind::Handler &&
          d.nodes[other].process == node.process &&
          d.nodes[other].parent == node.parent)
        seen.push_back(other);
    if (!seen.empty() && chance(40))
      node.ref = seen[random() % seen.size()];
  }
  return d;
}

} // namespace cif::naive

#endif
