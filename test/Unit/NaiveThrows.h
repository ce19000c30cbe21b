//===- NaiveThrows.h - Errors and escalations in generated diagrams -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lets events of generated diagrams throw errors and escalations, and boundary
/// events of sub-processes catch them.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVETHROWS_H
#define CIF_TEST_UNIT_NAIVETHROWS_H

#include "NaiveDiagram.h"
#include <random>

namespace cif::naive {

inline Diagram withThrows(Diagram d, unsigned seed) {
  std::mt19937 random(seed);
  auto chance = [&](unsigned percent) { return random() % 100 < percent; };
  std::set<int> awaited;
  for (const Flow &f : d.flows)
    if (d.nodes[f.source].kind == Kind::EventBased)
      awaited.insert(f.target);
  for (size_t n = 0; n < d.nodes.size(); ++n) {
    Node &node = d.nodes[n];
    Kind before = node.kind;
    bool isError = chance(50);
    if (node.kind == Kind::NoneEnd && node.parent >= 0 && chance(70))
      node.kind = isError ? Kind::ErrorEnd : Kind::EscalationEnd;
    else if (node.kind == Kind::Timer && node.parent >= 0 &&
             !awaited.count(int(n)) && chance(70))
      node.kind = Kind::EscalationThrow;
    else if (node.kind == Kind::TimerBoundary &&
             d.nodes[node.host].kind == Kind::SubProcess && chance(80))
      node.kind = isError ? Kind::ErrorBoundary : Kind::EscalationBoundary;
    if (node.kind == before)
      continue;
    node.code = random() % 3;
    if (node.kind == Kind::ErrorBoundary)
      node.interrupts = true;
  }
  return d;
}

} // namespace cif::naive

#endif
