//===- Repairability.cpp - Choices that no controller can settle ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [verchor], Def. 8, and the finer notion that its text
/// suggests. Input class: minimal deterministic protocols; the pass makes
/// them so, because controllers enforce only traces. Exact. Differs from
/// the paper: with `diamond`, a choice between senders that only begins an
/// interleaving does not count.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/Repairability.h"
#include "cif/LTS/Graph.h"
#include "cif/Support/LLVM.h"

using namespace cif;

/// The state after \p label, or none.
static std::optional<StateIndex> after(const Lts &lts, StateIndex s,
                                       LabelIndex label) {
  ArrayRef<LabelIndex> labels = lts.labelsOf(s);
  auto *found = llvm::find(labels, label);
  if (found == labels.end())
    return std::nullopt;
  return lts.targetsOf(s)[found - labels.begin()];
}

static bool closes(const Lts &lts, StateIndex s, LabelIndex a, LabelIndex b) {
  auto ab = after(lts, *after(lts, s, a), b);
  auto ba = after(lts, *after(lts, s, b), a);
  return ab && ba && *ab == *ba;
}

std::optional<DivergentChoice> cif::findDivergentChoice(const Lts &protocol,
                                                        bool diamond) {
  LabelIndex first = 0, second = 0;
  auto diverges = [&](StateIndex s) {
    ArrayRef<LabelIndex> labels = protocol.labelsOf(s);
    for (size_t x = 0; x < labels.size(); ++x)
      for (size_t y = x + 1; y < labels.size(); ++y)
        if (protocol.labels[labels[x]].sender !=
                protocol.labels[labels[y]].sender &&
            !(diamond && closes(protocol, s, labels[x], labels[y]))) {
          first = labels[x];
          second = labels[y];
          return true;
        }
    return false;
  };
  std::optional<Path> path = shortestPath(protocol, diverges);
  if (!path)
    return std::nullopt;
  DivergentChoice choice;
  choice.first = protocol.labels[first];
  choice.second = protocol.labels[second];
  for (uint32_t t : path->transitions)
    choice.trace.push_back(protocol.labels[protocol.label[t]]);
  return choice;
}
