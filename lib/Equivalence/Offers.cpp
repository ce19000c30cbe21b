//===- Offers.cpp - Ready and failures equivalence ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Weak ready and failures equivalence. Implements: [vanglabbeek1993], with
/// silent cycles taken as fair.
///
/// A state is at rest when every silent step from it can be undone silently;
/// after collapsing silent cycles, when it has no silent step. A ready pair is
/// a weak trace with the labels that some state at rest after it offers; a
/// failure is a weak trace with a set of labels that such a state refuses.
/// Failures equivalence asks for the same traces and failures, ready
/// equivalence for the same traces and ready pairs. A silent cycle that can be
/// left is no refusal (as in weak bisimulation, which both relations contain).
/// Failures agree when each offer of one side contains an offer of the other.
///
/// Both sides are determinised in step, breadth first; equal subsets of the
/// jointly reduced LTS need no look. Input class: any two finite LTSs. Sound
/// and complete; exponential at worst.
///
//===----------------------------------------------------------------------===//

#include "Joint.h"
#include "llvm/ADT/DenseSet.h"

using namespace cif;

namespace {
using SetId = Subsets::SetId;
using Offer = std::vector<LabelIndex>;

struct PairNode {
  SetId left, right;
  uint32_t parent;
  LabelIndex label;
};
} // namespace

/// The offers of the states at rest in \p set, sorted, each once.
static std::vector<Offer> offersOf(const Lts &lts, ArrayRef<StateIndex> set) {
  std::vector<Offer> offers;
  for (StateIndex s : set) {
    ArrayRef<LabelIndex> labels = lts.labelsOf(s);
    if (llvm::is_contained(labels, tauLabel))
      continue;
    Offer offer(labels.begin(), labels.end());
    llvm::sort(offer);
    offer.erase(llvm::unique(offer), offer.end());
    offers.push_back(std::move(offer));
  }
  llvm::sort(offers);
  offers.erase(llvm::unique(offers), offers.end());
  return offers;
}

/// An offer of \p one that \p other cannot match, or null. The smallest.
static const Offer *unmatched(ArrayRef<Offer> one, ArrayRef<Offer> other,
                              bool ready) {
  const Offer *found = nullptr;
  for (const Offer &offer : one) {
    bool matched = llvm::any_of(other, [&](const Offer &candidate) {
      return ready ? candidate == offer
                   : std::includes(offer.begin(), offer.end(),
                                   candidate.begin(), candidate.end());
    });
    if (!matched && (!found || offer.size() < found->size()))
      found = &offer;
  }
  return found;
}

void cif::compareOffers(const Lts &left, const Lts &right, Budget &budget,
                        bool certificate, Comparison &result) {
  bool ready = result.relation == Relation::Ready;
  result.method = "both sides determinised in step";
  std::optional<Joint> joined =
      joinReduced(left, right, Relation::Branching, budget, result.limit);
  if (!joined)
    return;
  const Joint &joint = *joined;
  const Lts &lts = joint.lts;
  Subsets subsets(lts, TauIs::Silent);
  constexpr uint32_t none = ~0u;
  std::vector<PairNode> nodes;
  llvm::DenseSet<uint64_t> seen;
  auto push = [&](PairNode node) {
    if (node.left != node.right &&
        seen.insert(uint64_t(node.left) << 32 | node.right).second)
      nodes.push_back(node);
  };
  push({subsets.of(joint.left), subsets.of(joint.right), none, tauLabel});
  for (uint32_t at = 0; at < nodes.size(); ++at) {
    PairNode node = nodes[at];
    Difference difference;
    auto traceTo = [&](uint32_t end) {
      for (uint32_t i = end; nodes[i].parent != none; i = nodes[i].parent)
        difference.trace.push_back(lts.labels[nodes[i].label]);
      std::reverse(difference.trace.begin(), difference.trace.end());
    };
    auto labelsAt = [&](ArrayRef<LabelIndex> indexes) {
      std::vector<Label> labels;
      for (LabelIndex l : indexes)
        labels.push_back(lts.labels[l]);
      return labels;
    };
    auto violated = [&] {
      result.verdict = Verdict::Violated;
      result.explored = nodes.size();
      result.difference = std::move(difference);
    };
    std::vector<Offer> offers[2] = {offersOf(lts, subsets[node.left]),
                                    offersOf(lts, subsets[node.right])};
    for (Side side : {Side::Left, Side::Right}) {
      const auto &mine = offers[side == Side::Right];
      const auto &theirs = offers[side == Side::Left];
      const Offer *offer = unmatched(mine, theirs, ready);
      if (!offer)
        continue;
      difference.kind = Difference::Offer;
      difference.side = side;
      difference.offered = labelsAt(*offer);
      traceTo(at);
      // Enough refusals to tell it from each offer of the other side.
      std::vector<LabelIndex> refused;
      for (const Offer &candidate : theirs)
        if (llvm::none_of(candidate, [&](LabelIndex l) {
              return llvm::is_contained(refused, l);
            }))
          for (LabelIndex l : candidate)
            if (!llvm::is_contained(*offer, l)) {
              refused.push_back(l);
              break;
            }
      llvm::sort(refused);
      difference.refused = labelsAt(refused);
      return violated();
    }
    auto ofLeft = subsets.enabled(node.left),
         ofRight = subsets.enabled(node.right);
    if (ofLeft != ofRight) {
      SmallVector<LabelIndex, 16> only;
      std::set_difference(ofLeft.begin(), ofLeft.end(), ofRight.begin(),
                          ofRight.end(), std::back_inserter(only));
      difference.side = only.empty() ? Side::Right : Side::Left;
      if (only.empty())
        std::set_difference(ofRight.begin(), ofRight.end(), ofLeft.begin(),
                            ofLeft.end(), std::back_inserter(only));
      difference.kind = Difference::Trace;
      traceTo(at);
      difference.trace.push_back(lts.labels[only.front()]);
      difference.instead =
          labelsAt(difference.side == Side::Left ? ofRight : ofLeft);
      return violated();
    }
    for (LabelIndex l : ofLeft)
      push({subsets.post(node.left, l), subsets.post(node.right, l), at, l});
    result.limit =
        budget.exceeded(nodes.size(), subsets.bytes() + nodes.size() * 32);
    if (!result.limit.empty()) {
      result.explored = nodes.size();
      return;
    }
  }
  result.explored = nodes.size();
  if (certificate) {
    // What covers the traces covers the offers: each set in it is one that the
    // other side may be in after some trace.
    Comparison covered;
    covered.relation = result.relation;
    compareTraces(left, right, budget, certificate, covered);
    assert(covered.verdict != Verdict::Violated && "equal offers, not traces");
    result.certificate = std::move(covered.certificate);
    result.limit = std::move(covered.limit);
    if (!result.limit.empty())
      return;
  }
  result.verdict = Verdict::Holds;
}
