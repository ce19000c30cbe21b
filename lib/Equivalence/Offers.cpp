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

namespace {
/// Both sides, determinised in step.
class OfferSearch {
public:
  OfferSearch(const Joint &joint, bool ready)
      : lts(joint.lts), subsets(joint.lts, TauIs::Silent), ready(ready) {
    push({subsets.of(joint.left), subsets.of(joint.right), none, tauLabel});
  }

  /// A difference after a shortest trace; nothing: there is none, or \p limit
  /// was met.
  std::optional<Difference> run(Budget &budget, std::string &limit);
  size_t explored() const { return nodes.size(); }

private:
  static constexpr uint32_t none = ~0u;

  void push(PairNode node) {
    if (node.left != node.right &&
        seen.insert(uint64_t(node.left) << 32 | node.right).second)
      nodes.push_back(node);
  }
  std::vector<Label> labelsAt(ArrayRef<LabelIndex> indexes) const {
    std::vector<Label> labels;
    for (LabelIndex l : indexes)
      labels.push_back(lts.labels[l]);
    return labels;
  }
  std::vector<Label> traceTo(uint32_t end) const {
    std::vector<Label> trace;
    for (uint32_t i = end; nodes[i].parent != none; i = nodes[i].parent)
      trace.push_back(lts.labels[nodes[i].label]);
    std::reverse(trace.begin(), trace.end());
    return trace;
  }
  std::optional<Difference> offerAt(uint32_t at) const;
  std::optional<Difference> labelAt(uint32_t at, ArrayRef<LabelIndex> ofLeft,
                                    ArrayRef<LabelIndex> ofRight) const;

  const Lts &lts;
  Subsets subsets;
  bool ready;
  std::vector<PairNode> nodes;
  llvm::DenseSet<uint64_t> seen;
};
} // namespace

/// An offer that one side of node \p at has and the other does not match.
std::optional<Difference> OfferSearch::offerAt(uint32_t at) const {
  std::vector<Offer> offers[2] = {offersOf(lts, subsets[nodes[at].left]),
                                  offersOf(lts, subsets[nodes[at].right])};
  for (Side side : {Side::Left, Side::Right}) {
    const std::vector<Offer> &theirs = offers[side == Side::Left];
    const Offer *offer = unmatched(offers[side == Side::Right], theirs, ready);
    if (!offer)
      continue;
    Difference difference{
        .kind = Difference::Offer, .side = side, .offered = labelsAt(*offer)};
    difference.trace = traceTo(at);
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
    return difference;
  }
  return std::nullopt;
}

/// A label that only one side of node \p at can do.
std::optional<Difference>
OfferSearch::labelAt(uint32_t at, ArrayRef<LabelIndex> ofLeft,
                     ArrayRef<LabelIndex> ofRight) const {
  if (ofLeft == ofRight)
    return std::nullopt;
  Difference difference;
  SmallVector<LabelIndex, 16> only;
  std::set_difference(ofLeft.begin(), ofLeft.end(), ofRight.begin(),
                      ofRight.end(), std::back_inserter(only));
  difference.side = only.empty() ? Side::Right : Side::Left;
  if (only.empty())
    std::set_difference(ofRight.begin(), ofRight.end(), ofLeft.begin(),
                        ofLeft.end(), std::back_inserter(only));
  difference.kind = Difference::Trace;
  difference.trace = traceTo(at);
  difference.trace.push_back(lts.labels[only.front()]);
  difference.instead =
      labelsAt(difference.side == Side::Left ? ofRight : ofLeft);
  return difference;
}

std::optional<Difference> OfferSearch::run(Budget &budget, std::string &limit) {
  for (uint32_t at = 0; at < nodes.size(); ++at) {
    if (std::optional<Difference> found = offerAt(at))
      return found;
    PairNode node = nodes[at];
    auto ofLeft = subsets.enabled(node.left),
         ofRight = subsets.enabled(node.right);
    if (std::optional<Difference> found = labelAt(at, ofLeft, ofRight))
      return found;
    for (LabelIndex l : ofLeft)
      push({subsets.post(node.left, l), subsets.post(node.right, l), at, l});
    limit = budget.exceeded(nodes.size(), subsets.bytes() + nodes.size() * 32);
    if (!limit.empty())
      break;
  }
  return std::nullopt;
}

void cif::compareOffers(const Lts &left, const Lts &right, Budget &budget,
                        bool certificate, Comparison &result) {
  result.method = "both sides determinised in step";
  std::optional<Joint> joint =
      joinReduced(left, right, Relation::Branching, budget, result.limit);
  if (!joint)
    return;
  OfferSearch search(*joint, result.relation == Relation::Ready);
  std::optional<Difference> difference = search.run(budget, result.limit);
  result.explored = search.explored();
  if (difference) {
    result.verdict = Verdict::Violated;
    result.difference = std::move(*difference);
    return;
  }
  if (!result.limit.empty())
    return;
  if (certificate) {
    // What covers the traces covers the offers: each set in it is one that the
    // other side may be in after some trace.
    Comparison covered{.relation = result.relation};
    compareTraces(left, right, budget, certificate, covered);
    assert(covered.verdict != Verdict::Violated && "equal offers, not traces");
    result.certificate = std::move(covered.certificate);
    result.limit = std::move(covered.limit);
    if (!result.limit.empty())
      return;
  }
  result.verdict = Verdict::Holds;
}
