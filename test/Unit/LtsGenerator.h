//===- LtsGenerator.h - Small random LTSs for tests ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_LTSGENERATOR_H
#define CIF_TEST_UNIT_LTSGENERATOR_H

#include "cif/LTS/LtsBuilder.h"
#include <random>

/// An LTS of 1 to \p maxStates states over tau, a and b.
inline cif::Lts randomLts(std::mt19937 &random, unsigned maxStates,
                          unsigned tauPercent = 45) {
  unsigned n = 1 + random() % maxStates;
  unsigned m = random() % (2 * n + 1);
  cif::LtsBuilder builder;
  cif::LabelIndex labels[] = {builder.labels.intern(cif::Label::plain("a")),
                              builder.labels.intern(cif::Label::plain("b"))};
  for (unsigned i = 0; i < m; ++i) {
    cif::LabelIndex l =
        random() % 100 < tauPercent ? cif::tauLabel : labels[random() % 2];
    builder.add(random() % n, l, random() % n);
  }
  return std::move(builder).finish(random() % n, n);
}

/// \p lts with its states in another order.
inline cif::Lts shuffled(const cif::Lts &lts, std::mt19937 &random) {
  std::vector<cif::StateIndex> to(lts.numStates());
  for (size_t i = 0; i < to.size(); ++i)
    to[i] = i;
  std::shuffle(to.begin(), to.end(), random);
  std::vector<std::array<uint32_t, 3>> all;
  for (cif::StateIndex s = 0; s < lts.numStates(); ++s)
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
      all.push_back({to[s], lts.label[e], to[lts.target[e]]});
  std::shuffle(all.begin(), all.end(), random);
  cif::LtsBuilder builder;
  for (const cif::Label &l : lts.labels)
    builder.labels.intern(l);
  for (auto [s, l, t] : all)
    builder.add(s, l, t);
  return std::move(builder).finish(to[lts.initial], lts.numStates());
}

/// A copy of \p lts that often differs in a single transition, so that pairs
/// that are nearly equal are common.
inline cif::Lts mutated(const cif::Lts &lts, std::mt19937 &random) {
  cif::Lts copy = shuffled(lts, random);
  if (copy.numTransitions() == 0 || random() % 4 == 0)
    return copy;
  std::vector<cif::LabelIndex> label = copy.label.ref().vec();
  std::vector<cif::StateIndex> target = copy.target.ref().vec();
  size_t at = random() % label.size();
  if (random() % 2)
    label[at] = random() % copy.labels.size();
  else
    target[at] = random() % copy.numStates();
  copy.label = std::move(label);
  copy.target = std::move(target);
  return copy;
}

#endif
