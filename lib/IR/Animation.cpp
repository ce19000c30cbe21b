//===- Animation.cpp - A run, state by state ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Animation.h"

using namespace cif;

void AnimationFrame::addTokens(std::string element, uint32_t count,
                               AnimationToken::Kind kind) {
  if (element.empty() || !count)
    return;
  for (AnimationToken &token : tokens)
    if (token.element == element && token.kind == kind) {
      token.count += count;
      return;
    }
  tokens.push_back({std::move(element), count, kind});
}
