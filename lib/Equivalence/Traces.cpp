//===- Traces.cpp - Trace inclusion and equivalence ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Trace inclusion on the fly. Implements: [dewulf2006], antichains, breadth
/// first.
///
/// A node is a state s of the left and the set T of states that the right may
/// be in after the same trace. It is dropped when a node (s, T') with T' within
/// T came before it, or when s itself is in T: the two LTSs are reduced
/// together first, so that bisimilar states are one. Silent steps of the left
/// cost nothing, so that the first trace found is one with the fewest visible
/// labels; the dropped nodes come no earlier than what stands for them, so it
/// is shortest over all.
///
/// Input class: any two finite LTSs. Sound and complete; exponential in the
/// right one at worst.
///
//===----------------------------------------------------------------------===//

#include "CertificateText.h"
#include "Joint.h"

using namespace cif;

namespace {
struct Node {
  StateIndex state;
  Subsets::SetId set;
  uint32_t parent;
  LabelIndex label; // that led here
};
} // namespace

TraceSearch cif::searchTrace(const Lts &lts, StateIndex from, StateIndex in,
                             TauIs tau, Budget &budget, bool wantCover) {
  TraceSearch result;
  if (from == in && !wantCover)
    return result;
  Subsets subsets(lts, tau);
  std::vector<Node> nodes;
  std::vector<SmallVector<Subsets::SetId, 1>> visited(lts.numStates());
  constexpr uint32_t none = ~0u;
  auto push = [&](Node node, std::vector<uint32_t> &to) {
    // Bisimilar states are one, unless the cover has to say it all.
    if (!wantCover && subsets.contains(node.set, node.state))
      return;
    auto &sets = visited[node.state];
    for (Subsets::SetId earlier : sets)
      if (subsets.includes(node.set, earlier))
        return;
    llvm::erase_if(sets, [&](Subsets::SetId earlier) {
      return subsets.includes(earlier, node.set);
    });
    sets.push_back(node.set);
    to.push_back(static_cast<uint32_t>(nodes.size()));
    nodes.push_back(node);
  };
  // One layer per visible label; silent steps stay in the layer.
  std::vector<uint32_t> layer, nextLayer;
  push({from, subsets.of(in), none, tauLabel}, layer);
  while (!layer.empty()) {
    for (size_t i = 0; i < layer.size(); ++i) {
      Node node = nodes[layer[i]];
      for (uint32_t e = lts.rowBegin[node.state];
           e < lts.rowBegin[node.state + 1]; ++e) {
        LabelIndex label = lts.label[e];
        bool silent = label == tauLabel && tau == TauIs::Silent;
        Subsets::SetId set = subsets.post(node.set, label);
        if (subsets.empty(set)) {
          result.outcome = TraceSearch::NotIncluded;
          result.explored = nodes.size();
          result.trace.push_back(label);
          for (uint32_t at = layer[i]; at != none; at = nodes[at].parent)
            if (nodes[at].parent != none &&
                (nodes[at].label != tauLabel || tau == TauIs::Visible))
              result.trace.push_back(nodes[at].label);
          std::reverse(result.trace.begin(), result.trace.end());
          auto instead = subsets.enabled(node.set);
          result.instead.assign(instead.begin(), instead.end());
          return result;
        }
        push({lts.target[e], set, layer[i], label}, silent ? layer : nextLayer);
      }
      result.limit =
          budget.exceeded(nodes.size(), subsets.bytes() + nodes.size() * 20);
      if (!result.limit.empty()) {
        result.outcome = TraceSearch::Exceeded;
        result.explored = nodes.size();
        return result;
      }
    }
    layer.swap(nextLayer);
    nextLayer.clear();
  }
  result.explored = nodes.size();
  if (wantCover)
    for (StateIndex s = 0; s < lts.numStates(); ++s)
      for (Subsets::SetId set : visited[s])
        result.cover.push_back({s, subsets[set].vec()});
  return result;
}

static std::vector<Label> labelsAt(const Lts &lts,
                                   ArrayRef<LabelIndex> indexes) {
  std::vector<Label> labels;
  for (LabelIndex l : indexes)
    labels.push_back(lts.labels[l]);
  return labels;
}

void cif::compareTraces(const Lts &left, const Lts &right, Budget &budget,
                        bool certificate, Comparison &result) {
  bool weak = isWeak(result.relation);
  TauIs tau = weak ? TauIs::Silent : TauIs::Visible;
  result.method = "antichains on the fly";
  Joint joint;
  if (certificate) {
    joint.lts = disjointUnion(left, right);
    joint.left = left.initial;
    joint.right = static_cast<StateIndex>(left.numStates()) + right.initial;
  } else {
    std::optional<Joint> joined =
        joinReduced(left, right, weak ? Relation::Branching : Relation::Strong,
                    budget, result.limit);
    if (!joined)
      return;
    joint = std::move(*joined);
  }
  TraceSearch searches[2];
  searches[0] =
      searchTrace(joint.lts, joint.left, joint.right, tau, budget, certificate);
  if (!isPreorder(result.relation))
    searches[1] = searchTrace(joint.lts, joint.right, joint.left, tau, budget,
                              certificate);
  const TraceSearch *best = nullptr;
  Side side = Side::Left;
  for (unsigned i = 0; i < 2; ++i) {
    const TraceSearch &search = searches[i];
    result.explored += search.explored;
    if (search.outcome == TraceSearch::Exceeded)
      result.limit = search.limit;
    if (search.outcome == TraceSearch::NotIncluded &&
        (!best || search.trace.size() < best->trace.size())) {
      best = &search;
      side = i == 0 ? Side::Left : Side::Right;
    }
  }
  if (best) {
    // A proof of a difference stands whatever limit the other search met.
    result.verdict = Verdict::Violated;
    result.limit.clear();
    Difference difference;
    difference.kind = Difference::Trace;
    difference.side = side;
    difference.trace = labelsAt(joint.lts, best->trace);
    difference.instead = labelsAt(joint.lts, best->instead);
    result.difference = std::move(difference);
  } else if (result.limit.empty()) {
    result.verdict = Verdict::Holds;
    if (certificate) {
      CertificateText text(result.relation);
      text.cover("cover", searches[0].cover, 0, left.numStates());
      if (!isPreorder(result.relation))
        text.cover("back", searches[1].cover, left.numStates(), 0);
      result.certificate = text.finish();
    }
  }
}
