//===- Operations.cpp - Making one LTS from another ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/LTS/Operations.h"
#include "cif/LTS/Graph.h"
#include "cif/LTS/LtsBuilder.h"
#include "cif/Support/ArrayPool.h"

using namespace cif;

bool cif::namesLabel(StringRef name, const Label &label) {
  Label named = parseLabel(name);
  if (label.kind == LabelKind::Plain) {
    StringRef head = StringRef(label.message).split('(').first.rtrim();
    if (label.message == name || head == name ||
        (named.kind == LabelKind::Plain && head == named.message))
      return true;
  }
  // `i` is tau in files, but whoever asks for `i` means a label of that name.
  return label.kind == LabelKind::Tau ? name == "tau" : named == label;
}

/// Maps labels through \p map (old index to new), keeping only used ones.
static Lts relabel(const Lts &lts, std::vector<LabelIndex> map,
                   std::vector<Label> labels) {
  Lts result;
  result.initial = lts.initial;
  result.rowBegin = lts.rowBegin;
  result.target = lts.target;
  result.finals = lts.finals;
  result.labels = std::move(labels);
  std::vector<LabelIndex> label(lts.label.size());
  for (size_t t = 0; t < label.size(); ++t)
    label[t] = map[lts.label[t]];
  result.label = std::move(label);
  return result;
}

Lts cif::hide(const Lts &lts, function_ref<bool(const Label &)> hidden) {
  std::vector<Label> labels{Label::tau()};
  std::vector<LabelIndex> map(lts.labels.size(), tauLabel);
  for (LabelIndex l = 1; l < lts.labels.size(); ++l)
    if (!hidden(lts.labels[l])) {
      map[l] = static_cast<LabelIndex>(labels.size());
      labels.push_back(lts.labels[l]);
    }
  return relabel(lts, std::move(map), std::move(labels));
}

Lts cif::reachablePart(const Lts &lts) {
  size_t n = lts.numStates();
  std::vector<bool> seen = reachable(lts);
  auto count = static_cast<size_t>(llvm::count(seen, true));
  if (count == n)
    return lts;
  Lts result;
  result.labels = lts.labels;
  std::vector<uint32_t> rows;
  std::vector<LabelIndex> label;
  std::vector<StateIndex> target;
  std::vector<uint64_t> finals(lts.saysFinal() ? (count + 63) / 64 : 0);
  rows.reserve(count + 1);
  std::vector<StateIndex> number(n);
  StateIndex next = 0;
  for (StateIndex s = 0; s < n; ++s)
    if (seen[s]) {
      if (lts.isFinal(s))
        finals[next / 64] |= uint64_t(1) << (next % 64);
      number[s] = next++;
    }
  for (StateIndex s = 0; s < n; ++s) {
    if (!seen[s])
      continue;
    rows.push_back(static_cast<uint32_t>(target.size()));
    llvm::append_range(label, lts.labelsOf(s));
    for (StateIndex t : lts.targetsOf(s))
      target.push_back(number[t]);
  }
  rows.push_back(static_cast<uint32_t>(target.size()));
  result.initial = number[lts.initial];
  result.rowBegin = std::move(rows);
  result.label = std::move(label);
  result.target = std::move(target);
  result.finals = std::move(finals);
  return result;
}

Lts cif::disjointUnion(const Lts &left, const Lts &right) {
  Lts result;
  LabelTable labels;
  std::vector<uint32_t> rows;
  std::vector<LabelIndex> label;
  std::vector<StateIndex> target;
  rows.reserve(left.numStates() + right.numStates() + 1);
  label.reserve(left.numTransitions() + right.numTransitions());
  target.reserve(left.numTransitions() + right.numTransitions());
  auto append = [&](const Lts &lts, StateIndex offset) {
    std::vector<LabelIndex> map;
    for (const Label &l : lts.labels)
      map.push_back(labels.intern(l));
    auto base = static_cast<uint32_t>(target.size());
    for (size_t s = 0; s < lts.numStates(); ++s)
      rows.push_back(base + lts.rowBegin[s]);
    for (LabelIndex l : lts.label)
      label.push_back(map[l]);
    for (StateIndex t : lts.target)
      target.push_back(offset + t);
  };
  append(left, 0);
  append(right, static_cast<StateIndex>(left.numStates()));
  rows.push_back(static_cast<uint32_t>(target.size()));
  if (left.saysFinal() && right.saysFinal()) {
    size_t n = left.numStates() + right.numStates();
    std::vector<uint64_t> finals((n + 63) / 64);
    for (size_t s = 0; s < n; ++s)
      if (s < left.numStates() ? left.isFinal(s)
                               : right.isFinal(s - left.numStates()))
        finals[s / 64] |= uint64_t(1) << (s % 64);
    result.finals = std::move(finals);
  }
  result.initial = left.initial;
  result.labels = std::move(labels).take();
  result.rowBegin = std::move(rows);
  result.label = std::move(label);
  result.target = std::move(target);
  return result;
}

Predecessors::Predecessors(const Lts &lts)
    : begin(lts.numStates() + 2), source(lts.numTransitions()) {
  for (StateIndex t : lts.target)
    ++begin[t + 2];
  for (size_t s = 2; s < begin.size(); ++s)
    begin[s] += begin[s - 1];
  const uint32_t *rows = lts.rowBegin.data();
  const StateIndex *targets = lts.target.data();
  uint32_t *next = begin.data() + 1;
  StateIndex *sources = source.data();
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    for (uint32_t e = rows[s], end = rows[s + 1]; e < end; ++e)
      sources[next[targets[e]]++] = s;
  begin.pop_back();
}

Predecessors::Predecessors(const Lts &lts, LabelIndex only)
    : begin(lts.numStates() + 2) {
  for (size_t e = 0; e < lts.numTransitions(); ++e)
    if (lts.label[e] == only)
      ++begin[lts.target[e] + 2];
  for (size_t s = 2; s < begin.size(); ++s)
    begin[s] += begin[s - 1];
  source.resize(begin.back());
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
      if (lts.label[e] == only)
        source[begin[lts.target[e] + 1]++] = s;
  begin.pop_back();
}

LabelledPredecessors::LabelledPredecessors(const Lts &lts)
    : Predecessors(lts), label(lts.numTransitions()) {
  // The same walk once more: it meets the transitions in the same order.
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    for (auto [l, t] : llvm::zip_equal(lts.labelsOf(s), lts.targetsOf(s)))
      label[next[t]++] = l;
}

namespace {
/// The subset construction. Subsets are hash-consed sorted arrays.
class Determinizer {
public:
  Determinizer(const Lts &lts, TauIs tau) : lts(lts), tau(tau) {
    seen.resize(lts.numStates());
  }

  Outcome<Lts> run(Budget *budget);

private:
  /// Closes \p members silently (unless tau is visible) and interns them.
  StateIndex intern(std::vector<StateIndex> &members);

  const Lts &lts;
  TauIs tau;
  ArrayPool<uint32_t> subsets;
  std::vector<uint32_t> seen; // stamp of the last closure that met the state
  uint32_t stamp = 0;
};
} // namespace

StateIndex Determinizer::intern(std::vector<StateIndex> &members) {
  if (++stamp == 0) {
    std::fill(seen.begin(), seen.end(), 0);
    stamp = 1;
  }
  size_t kept = 0;
  for (StateIndex s : members)
    if (seen[s] != stamp) {
      seen[s] = stamp;
      members[kept++] = s;
    }
  members.resize(kept);
  if (tau == TauIs::Silent)
    for (size_t i = 0; i < members.size(); ++i) {
      StateIndex s = members[i];
      for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
        if (lts.label[e] == tauLabel && seen[lts.target[e]] != stamp) {
          seen[lts.target[e]] = stamp;
          members.push_back(lts.target[e]);
        }
    }
  llvm::sort(members);
  return subsets.intern(members);
}

Outcome<Lts> Determinizer::run(Budget *budget) {
  Lts result;
  result.labels = lts.labels;
  std::vector<uint32_t> rows{0};
  std::vector<LabelIndex> label;
  std::vector<StateIndex> target;
  std::vector<StateIndex> members{lts.initial};
  intern(members);
  // Successors of the subset at hand, by label; those in use are in `used`.
  std::vector<std::vector<StateIndex>> posts(lts.labels.size());
  std::vector<LabelIndex> used;
  for (StateIndex at = 0; at < subsets.size(); ++at) {
    used.clear();
    for (StateIndex s : subsets[at])
      for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e) {
        LabelIndex l = lts.label[e];
        if (l == tauLabel && tau == TauIs::Silent)
          continue;
        if (posts[l].empty())
          used.push_back(l);
        posts[l].push_back(lts.target[e]);
      }
    llvm::sort(used);
    for (LabelIndex l : used) {
      StateIndex to = intern(posts[l]);
      posts[l].clear();
      label.push_back(l);
      target.push_back(to);
    }
    rows.push_back(static_cast<uint32_t>(target.size()));
    if (budget) {
      std::string limit =
          budget->exceeded(subsets.size(), subsets.bytes() + 8 * target.size());
      if (!limit.empty())
        return Stopped{std::move(limit)};
    }
  }
  if (lts.saysFinal()) {
    std::vector<uint64_t> finals((subsets.size() + 63) / 64);
    for (size_t i = 0; i < subsets.size(); ++i)
      if (llvm::any_of(subsets[i],
                       [&](StateIndex s) { return lts.isFinal(s); }))
        finals[i / 64] |= uint64_t(1) << (i % 64);
    result.finals = std::move(finals);
  }
  result.rowBegin = std::move(rows);
  result.label = std::move(label);
  result.target = std::move(target);
  return result;
}

Lts cif::determinize(const Lts &lts, TauIs tau) {
  return *Determinizer(lts, tau).run(nullptr);
}

Outcome<Lts> cif::determinizeWithin(const Lts &lts, TauIs tau, Budget &budget) {
  return Determinizer(lts, tau).run(&budget);
}
