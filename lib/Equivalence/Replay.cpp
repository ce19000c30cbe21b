//===- Replay.cpp - Checking and telling differences --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Replays witnesses on the original LTSs. Nothing here relies on reductions:
/// sets of states are followed step by step, and formulas are evaluated.
///
//===----------------------------------------------------------------------===//

#include "Joint.h"
#include "cif/LTS/Graph.h"

using namespace cif;

namespace {
/// Follows a trace on one LTS.
class Replay {
public:
  Replay(const Lts &lts, bool weak)
      : lts(lts), subsets(lts, weak ? TauIs::Silent : TauIs::Visible),
        at(subsets.of(lts.initial)) {}

  /// False when no state has the label.
  bool step(const Label &label) {
    auto index = llvm::find(lts.labels, label) - lts.labels.begin();
    at = subsets.post(at, static_cast<LabelIndex>(index));
    return !subsets.empty(at);
  }
  bool run(ArrayRef<Label> trace) {
    return llvm::all_of(trace, [&](const Label &l) { return step(l); });
  }
  std::vector<Label> enabled() const {
    std::vector<Label> labels;
    for (LabelIndex l : subsets.enabled(at))
      labels.push_back(lts.labels[l]);
    return labels;
  }
  /// What each group of states at rest offers: states that reach one another
  /// silently and nothing else.
  std::vector<std::vector<Label>> offers() const {
    Components silent = tauComponents(lts);
    std::vector<bool> leaves(silent.count);
    std::vector<std::vector<Label>> ofComponent(silent.count), result;
    for (StateIndex s : subsets[at])
      for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e) {
        uint32_t c = silent.of[s];
        if (lts.label[e] != tauLabel)
          ofComponent[c].push_back(lts.labels[lts.label[e]]);
        else if (silent.of[lts.target[e]] != c)
          leaves[c] = true;
      }
    std::vector<bool> seen(silent.count);
    for (StateIndex s : subsets[at]) {
      uint32_t c = silent.of[s];
      if (leaves[c] || seen[c])
        continue;
      seen[c] = true;
      std::vector<Label> &offer = ofComponent[c];
      llvm::sort(offer);
      offer.erase(llvm::unique(offer), offer.end());
      result.push_back(offer);
    }
    return result;
  }

private:
  const Lts &lts;
  Subsets subsets;
  Subsets::SetId at;
};
} // namespace

static std::vector<Label> sorted(std::vector<Label> labels) {
  llvm::sort(labels);
  return labels;
}

bool cif::replays(const Difference &difference, const Lts &left,
                  const Lts &right, Relation relation) {
  const Lts &mine = difference.side == Side::Left ? left : right;
  const Lts &theirs = difference.side == Side::Left ? right : left;
  bool weak = isWeak(relation);
  switch (difference.kind) {
  case Difference::Trace: {
    if (difference.trace.empty())
      return false;
    Replay other(theirs, weak);
    return Replay(mine, weak).run(difference.trace) &&
           other.run(ArrayRef(difference.trace).drop_back()) &&
           sorted(other.enabled()) == sorted(difference.instead) &&
           !other.step(difference.trace.back());
  }
  case Difference::Offer: {
    Replay one(mine, weak), other(theirs, weak);
    if (!one.run(difference.trace) || !other.run(difference.trace))
      return false;
    std::vector<Label> offered = sorted(difference.offered);
    if (!llvm::is_contained(one.offers(), offered))
      return false;
    return llvm::none_of(other.offers(), [&](ArrayRef<Label> offer) {
      if (relation == Relation::Ready)
        return offer == ArrayRef(offered);
      return std::includes(offered.begin(), offered.end(), offer.begin(),
                           offer.end());
    });
  }
  case Difference::Formula:
    return difference.graph &&
           satisfying(*difference.graph, mine)[mine.initial] &&
           !satisfying(*difference.graph, theirs)[theirs.initial];
  }
  return false;
}

static std::string listed(ArrayRef<Label> labels, StringRef nothing) {
  if (labels.empty())
    return nothing.str();
  std::string text;
  for (auto [i, label] : llvm::enumerate(labels)) {
    if (i == 12) {
      text += " and " + std::to_string(labels.size() - i) + " more";
      break;
    }
    text += (i ? ", " : "") + labelText(label);
  }
  return text;
}

/// "after a, b " or nothing.
static std::string after(ArrayRef<Label> trace) {
  std::string text;
  for (const Label &label : trace)
    text += (text.empty() ? "after " : ", ") + labelText(label);
  return text.empty() ? text : text + " ";
}

void cif::explain(Difference &difference, const Lts &left, const Lts &right) {
  std::string mine = sideName(difference.side).str();
  std::string theirs = sideName(otherSide(difference.side)).str();
  std::vector<std::string> &out = difference.sentences;
  switch (difference.kind) {
  case Difference::Trace: {
    ArrayRef<Label> prefix = ArrayRef(difference.trace).drop_back();
    out.push_back(after(prefix) + "the " + mine + " can do " +
                  labelText(difference.trace.back()));
    out.push_back(after(prefix) + "the " + theirs + " can do " +
                  (difference.instead.empty() ? "" : "only ") +
                  listed(difference.instead, "nothing"));
    break;
  }
  case Difference::Offer:
    out.push_back(
        after(difference.trace) + "the " + mine +
        " can silently come to rest where " +
        (difference.offered.empty()
             ? "nothing is possible: a deadlock"
             : "only " + listed(difference.offered, "") + " is possible"));
    if (!difference.refused.empty())
      out.push_back(after(difference.trace) + "the " + theirs +
                    " can always still do one of " +
                    listed(difference.refused, ""));
    else
      out.push_back(after(difference.trace) + "the " + theirs +
                    " can never come to rest with just that");
    break;
  case Difference::Formula:
    difference.formula = formulaText(*difference.graph);
    out = formulaSentences(*difference.graph, mine, theirs);
    break;
  }
  // A deadlock on one side only is worth saying whatever the relation.
  if (difference.kind == Difference::Trace)
    return;
  std::vector<StateIndex> stuck[2] = {deadlocks(left, reachable(left)),
                                      deadlocks(right, reachable(right))};
  if (stuck[0].empty() == stuck[1].empty())
    return;
  Side side = stuck[0].empty() ? Side::Right : Side::Left;
  const Lts &lts = side == Side::Left ? left : right;
  auto path = shortestPath(lts, [&](StateIndex s) {
    return lts.rowBegin[s] == lts.rowBegin[s + 1];
  });
  std::vector<Label> trace;
  for (uint32_t e : path->transitions)
    if (lts.label[e] != tauLabel)
      trace.push_back(lts.labels[lts.label[e]]);
  out.push_back(after(trace) + "the " + sideName(side).str() +
                " can deadlock; the " + sideName(otherSide(side)).str() +
                " never can");
}
