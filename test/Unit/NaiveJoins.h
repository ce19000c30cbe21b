//===- NaiveJoins.h - When inclusive joins wait -----------------------------
//===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An inclusive join waits for a token elsewhere because of which one of its
/// incoming flows that has none can get one, unless the token itself can come
/// to one that has: docs/semantics.md.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVEJOINS_H
#define CIF_TEST_UNIT_NAIVEJOINS_H

#include "NaiveDiagram.h"

namespace cif::naive {

/// Where a token can be: on a flow ('f'), at a node that runs or starts ('n'),
/// at the decision after one ('d'), or at the start of a process ('p').
struct Position {
  char where;
  int index;
  auto operator<=>(const Position &) const = default;
};

/// Whether a token at \p from can come to \p flow; \p onward gives the
/// positions to which it can come next. Unless it \p moves there itself, a
/// token counts that a boundary event makes while it stays.
template <class Onward>
bool leadsTo(const Position &from, int flow, bool moves, const Onward &onward) {
  std::set<Position> seen;
  std::vector<Position> work{from};
  while (!work.empty()) {
    Position p = work.back();
    work.pop_back();
    for (const Position &to : onward(p, moves)) {
      if (to == Position{'f', flow})
        return true;
      if (seen.insert(to).second)
        work.push_back(to);
    }
  }
  return false;
}

/// Whether a join with the incoming flows \p marked and \p unmarked waits while
/// tokens are at \p all.
template <class Onward>
bool joinWaits(const std::vector<int> &marked, const std::vector<int> &unmarked,
               const std::set<Position> &all, const Onward &onward) {
  for (int z : unmarked)
    for (const Position &x : all) {
      bool excused = false;
      for (int f : marked)
        excused =
            excused || (x != Position{'f', f} && leadsTo(x, f, true, onward));
      if (!excused && leadsTo(x, z, false, onward))
        return true;
    }
  return false;
}

} // namespace cif::naive

#endif
