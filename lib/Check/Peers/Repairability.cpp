//===- Repairability.cpp - Choices that no controller can settle ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [verchor], Def. 8, and the finer notion that its text wishes
/// for. Input class: minimal deterministic protocols; the pass makes them so,
/// because all that controllers enforce is traces. Exact. Differs from the
/// paper: with `diamond` a choice between senders that only begins an
/// interleaving is none.
///
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/Repairability.h"
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
  constexpr uint32_t none = UINT32_MAX;
  struct Item {
    StateIndex state;
    uint32_t parent;
    LabelIndex by;
  };
  std::vector<Item> items{{protocol.initial, none, tauLabel}};
  std::vector<bool> seen(protocol.numStates());
  seen[protocol.initial] = true;
  for (size_t i = 0; i < items.size(); ++i) {
    StateIndex s = items[i].state;
    ArrayRef<LabelIndex> labels = protocol.labelsOf(s);
    for (size_t x = 0; x < labels.size(); ++x)
      for (size_t y = x + 1; y < labels.size(); ++y) {
        const Label &a = protocol.labels[labels[x]];
        const Label &b = protocol.labels[labels[y]];
        if (a.sender == b.sender ||
            (diamond && closes(protocol, s, labels[x], labels[y])))
          continue;
        DivergentChoice choice;
        choice.first = a;
        choice.second = b;
        for (uint32_t at = i; items[at].parent != none; at = items[at].parent)
          choice.trace.push_back(protocol.labels[items[at].by]);
        std::reverse(choice.trace.begin(), choice.trace.end());
        return choice;
      }
    for (size_t x = 0; x < labels.size(); ++x) {
      StateIndex t = protocol.targetsOf(s)[x];
      if (!seen[t]) {
        seen[t] = true;
        items.push_back({t, static_cast<uint32_t>(i), labels[x]});
      }
    }
  }
  return std::nullopt;
}
