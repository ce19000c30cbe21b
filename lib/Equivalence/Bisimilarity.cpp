//===- Bisimilarity.cpp - Comparison modulo bisimulations ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Joint.h"

using namespace cif;

void cif::compareBisimilar(const Lts &left, const Lts &right, Budget &,
                           Comparison &result) {
  Joint joint = joinReduced(left, right, result.relation);
  result.method = "partition refinement";
  result.explored = joint.lts.numStates();
  result.verdict =
      joint.left == joint.right ? Verdict::Holds : Verdict::Violated;
}
