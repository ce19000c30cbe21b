//===- Bisimilarity.cpp - Comparison modulo bisimulations ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Both LTSs are reduced, put side by side and reduced together: they are
/// bisimilar when their initial states become one. Where they are not, a
/// distinguishing formula is made on the small joint LTS. A difference modulo
/// weak bisimulation is one modulo branching bisimulation too, and its formulas
/// are easier to read, so it is tried first.
///
//===----------------------------------------------------------------------===//

#include "CertificateText.h"
#include "Distinguish.h"
#include "Joint.h"

using namespace cif;

void cif::compareBisimilar(const Lts &left, const Lts &right, Budget &budget,
                           bool certificate, Comparison &result) {
  Relation relation = result.relation;
  result.method = "partition refinement";
  std::optional<Joint> joined =
      joinReduced(left, right, relation, budget, result.limit);
  if (!joined)
    return;
  Joint &joint = *joined;
  result.explored = joint.lts.numStates();
  if (joint.left == joint.right) {
    result.verdict = Verdict::Holds;
    if (certificate)
      result.certificate = CertificateText(relation)
                               .classes(joint.leftClass, joint.rightClass)
                               .finish();
    return;
  }
  if (relation == Relation::Branching || relation == Relation::DpBranching) {
    std::optional<Reduction> weak =
        reduceWithin(joint.lts, Relation::Weak, budget, result.limit);
    if (!weak)
      return;
    uint32_t ofLeft = weak->partition.classOf[joint.left],
             ofRight = weak->partition.classOf[joint.right];
    if (ofLeft != ofRight) {
      joint.lts = std::move(weak->quotient);
      joint.left = ofLeft;
      joint.right = ofRight;
      relation = Relation::Weak;
    }
  }
  Difference difference;
  difference.kind = Difference::Formula;
  difference.graph = distinguish(joint.lts, joint.left, joint.right, relation,
                                 budget, result.limit);
  if (!difference.graph)
    return; // they differ, but a violation without a witness is none
  // "Not F" for the left is F for the right.
  Formula &formula = *difference.graph;
  if (formula.nodes[formula.root].op == Formula::Not) {
    formula.root = formula.nodes[formula.root].operands[0];
    formula.nodes.resize(formula.root + 1);
    difference.side = Side::Right;
  }
  result.verdict = Verdict::Violated;
  result.difference = std::move(difference);
}
