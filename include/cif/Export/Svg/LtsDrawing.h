//===- LtsDrawing.h - A small LTS as a picture ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPORT_SVG_LTSDRAWING_H
#define CIF_EXPORT_SVG_LTSDRAWING_H

#include "cif/IR/Lts.h"

namespace cif {

/// As many states and transitions as people still look at.
constexpr size_t maxDrawnStates = 300, maxDrawnTransitions = 1000;

/// Whether drawLts would make a picture that can be read.
bool isDrawable(const Lts &lts);

/// What a pointer on a state or an arrow shows, in full; either may be empty.
struct LtsTexts {
  ArrayRef<std::string> states, labels;
};

/// Writes \p lts as SVG: states as circles (final ones double), transitions
/// between the same states as one arrow. State n is the element
/// `state:NAME:n`, an arrow from it to m `step:NAME:n:m`.
void drawLts(raw_ostream &os, const Lts &lts, StringRef name,
             const LtsTexts &texts = {});

} // namespace cif

#endif
