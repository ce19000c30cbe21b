//===- Compare.cpp - Comparing two LTSs ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Equivalence/Compare.h"
#include "CertificateText.h"
#include "Joint.h"

using namespace cif;

StringRef cif::sideName(Side side) {
  return side == Side::Left ? "left" : "right";
}

/// \p lts with being final as a step labelled `tick` to a new state.
static Lts withTicks(const Lts &lts) {
  Lts result;
  result.initial = lts.initial;
  result.labels = lts.labels;
  auto end = static_cast<StateIndex>(lts.numStates());
  Label tick{LabelKind::Tick, "", "", ""};
  auto at = llvm::find(result.labels, tick);
  auto tickLabel = static_cast<LabelIndex>(at - result.labels.begin());
  if (at == result.labels.end())
    result.labels.push_back(tick);
  std::vector<uint32_t> rows{0};
  std::vector<LabelIndex> label;
  std::vector<StateIndex> target;
  for (StateIndex s = 0; s < end; ++s) {
    llvm::append_range(label, lts.labelsOf(s));
    llvm::append_range(target, lts.targetsOf(s));
    if (lts.isFinal(s)) {
      label.push_back(tickLabel);
      target.push_back(end);
    }
    rows.push_back(static_cast<uint32_t>(target.size()));
  }
  rows.push_back(rows.back());
  result.rowBegin = std::move(rows);
  result.label = std::move(label);
  result.target = std::move(target);
  return result;
}

static Lts withoutFinals(const Lts &lts) {
  Lts result = lts; // the arrays are shared
  result.finals = {};
  return result;
}

Comparison cif::compare(const Lts &left, const Lts &right, Relation relation,
                        const CompareOptions &options) {
  Comparison result;
  result.relation = relation;
  result.states = left.numStates() + right.numStates();
  result.transitions = left.numTransitions() + right.numTransitions();
  bool ticks = options.observeFinals && left.saysFinal() && right.saysFinal();
  Lts ofLeft = ticks ? withTicks(left) : withoutFinals(left);
  Lts ofRight = ticks ? withTicks(right) : withoutFinals(right);
  Budget budget(options.limits);
  switch (relation) {
  case Relation::Strong:
  case Relation::Branching:
  case Relation::DpBranching:
  case Relation::Weak:
    compareBisimilar(ofLeft, ofRight, budget, options.wantCertificate, result);
    break;
  case Relation::WeakTrace:
  case Relation::Trace:
  case Relation::WeakTraceInclusion:
  case Relation::TraceInclusion:
    compareTraces(ofLeft, ofRight, budget, options.wantCertificate, result);
    break;
  case Relation::Ready:
  case Relation::Failures:
    compareOffers(ofLeft, ofRight, budget, options.wantCertificate, result);
    break;
  case Relation::WeakSimulationEquivalence:
  case Relation::WeakSimulation:
    compareSimilar(ofLeft, ofRight, budget, options.wantCertificate, result);
    break;
  }
  if (result.verdict == Verdict::Violated) {
    assert(result.difference && "a violation needs a witness");
    if (!replays(*result.difference, ofLeft, ofRight, relation)) {
      // Never a guess: a witness that does not replay proves nothing.
      assert(false && "a witness does not replay");
      result.verdict = Verdict::Inconclusive;
      result.limit = "the witness did not replay";
      result.difference.reset();
    } else {
      explain(*result.difference, ofLeft, ofRight);
      if (options.wantCertificate)
        result.certificate = witnessText(*result.difference, relation);
    }
  }
  return result;
}
