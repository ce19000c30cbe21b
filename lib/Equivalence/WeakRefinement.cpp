//===- WeakRefinement.cpp - Weak bisimulation ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Weak bisimulation without saturating the LTS. Implements: [milner1989], weak
/// bisimulation, by signature refinement.
///
/// The weak signature of a state is the set T of classes that it reaches
/// silently together with, for each visible label a, the set W(a) of classes
/// that it reaches by silent steps, a, and silent steps. On a graph without
/// silent cycles both follow in one sweep in the order of ranks:
///
///   T(s)    = {class of s} u union of T(t) over s -tau-> t
///   W(s)(a) = union of W(t)(a) over s -tau-> t u union of T(t) over s -a-> t
///
/// Sets are hash-consed and unions remembered, so that a set is an integer and
/// only what depends on a changed set is computed again. States of a class with
/// different signatures are split, and the largest part keeps the class's
/// number.
///
/// Input class: LTSs whose silent steps go down in rank, loops excepted (the
/// quotient by branching bisimulation). Sound and complete. The n^2 saturated
/// transitions exist only as shared sets.
///
//===----------------------------------------------------------------------===//

#include "Refinement.h"
#include "cif/Support/ArrayPool.h"
#include "llvm/ADT/DenseMap.h"
#include <queue>

using namespace cif;

namespace {
using SetId = uint32_t;
constexpr uint32_t none = ~0u;
/// Stands for "is final" among the labels of a signature.
constexpr LabelIndex finalLabel = ~0u;

class WeakRefiner {
public:
  WeakRefiner(const Lts &lts, ArrayRef<uint32_t> rank, Watch &watch)
      : lts(lts), rank(rank), watch(watch), predecessors(lts) {}
  std::optional<Reduction> run();

private:
  SetId unite(SetId a, SetId b);
  SetId singleton(uint32_t block) { return sets.intern({block}); }
  /// False: a limit is reached.
  bool sweepSilent();
  bool sweepVisible();
  bool goesOn() {
    return !watch.met(sets.bytes() + lists.bytes() + unions.getMemorySize(),
                      /*sure=*/false);
  }
  bool splitBlocks();
  void collectGarbage();
  /// Whether some entry (label, set with \p block in it) is in list \p list.
  bool contains(SetId list, LabelIndex label, uint32_t block) const;
  Reduction quotient();

  struct ByRank {
    ArrayRef<uint32_t> rank;
    bool operator()(StateIndex a, StateIndex b) const {
      return rank[a] > rank[b];
    }
  };
  /// States to compute again, those of least rank first, each once.
  struct Queue {
    std::priority_queue<StateIndex, std::vector<StateIndex>, ByRank> heap;
    std::vector<bool> waiting;
    Queue(ArrayRef<uint32_t> rank) : heap(ByRank{rank}), waiting(rank.size()) {}
    void push(StateIndex s) {
      if (!waiting[s]) {
        waiting[s] = true;
        heap.push(s);
      }
    }
    StateIndex pop() {
      StateIndex s = heap.top();
      heap.pop();
      waiting[s] = false;
      return s;
    }
  };

  const Lts &lts;
  ArrayRef<uint32_t> rank;
  Watch &watch;
  LabelledPredecessors predecessors;

  ArrayPool<uint32_t> sets;  // of blocks
  ArrayPool<uint32_t> lists; // label, set, label, set, ... by ascending labels
  llvm::DenseMap<uint64_t, SetId> unions;
  size_t liveBytes = 0;

  std::vector<uint32_t> blockOf;
  std::vector<std::vector<StateIndex>> members;
  std::vector<SetId> silentSet, visibleList;
  Queue silentQueue{rank}, visibleQueue{rank};
  std::vector<StateIndex> changed;
  std::vector<bool> hasChanged;
};
} // namespace

SetId WeakRefiner::unite(SetId a, SetId b) {
  if (a == b)
    return a;
  if (a > b)
    std::swap(a, b);
  auto [entry, isNew] = unions.try_emplace(uint64_t(a) << 32 | b, none);
  if (!isNew)
    return entry->second;
  SmallVector<uint32_t, 64> both;
  ArrayRef<uint32_t> x = sets[a], y = sets[b];
  std::set_union(x.begin(), x.end(), y.begin(), y.end(),
                 std::back_inserter(both));
  return entry->second = sets.intern(both);
}

bool WeakRefiner::sweepSilent() {
  while (!silentQueue.heap.empty()) {
    if (!goesOn())
      return false;
    StateIndex s = silentQueue.pop();
    SetId set = singleton(blockOf[s]);
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
      if (lts.label[e] == tauLabel && lts.target[e] != s)
        set = unite(set, silentSet[lts.target[e]]);
    if (set == silentSet[s])
      continue;
    silentSet[s] = set;
    if (!hasChanged[s]) {
      hasChanged[s] = true;
      changed.push_back(s);
    }
    for (auto [l, p] :
         llvm::zip_equal(predecessors.labelsOf(s), predecessors.of(s)))
      if (l != tauLabel)
        visibleQueue.push(p);
      else if (p != s)
        silentQueue.push(p);
  }
  return true;
}

bool WeakRefiner::sweepVisible() {
  SmallVector<std::pair<LabelIndex, SetId>, 64> entries;
  SmallVector<uint32_t, 128> list;
  while (!visibleQueue.heap.empty()) {
    if (!goesOn())
      return false;
    StateIndex s = visibleQueue.pop();
    entries.clear();
    if (lts.isFinal(s))
      entries.push_back({finalLabel, sets.intern({})});
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e) {
      StateIndex t = lts.target[e];
      if (lts.label[e] != tauLabel) {
        entries.push_back({lts.label[e], silentSet[t]});
      } else if (t != s) {
        ArrayRef<uint32_t> inherited = lists[visibleList[t]];
        for (size_t i = 0; i < inherited.size(); i += 2)
          entries.push_back({inherited[i], inherited[i + 1]});
      }
    }
    llvm::sort(entries);
    list.clear();
    for (auto [label, set] : entries) {
      if (list.empty() || list[list.size() - 2] != label) {
        list.push_back(label);
        list.push_back(set);
      } else {
        list.back() = unite(list.back(), set);
      }
    }
    SetId now = lists.intern(list);
    if (now == visibleList[s])
      continue;
    visibleList[s] = now;
    if (!hasChanged[s]) {
      hasChanged[s] = true;
      changed.push_back(s);
    }
    for (auto [l, p] :
         llvm::zip_equal(predecessors.labelsOf(s), predecessors.of(s)))
      if (l == tauLabel && p != s)
        visibleQueue.push(p);
  }
  return true;
}

/// Splits the blocks of changed states; false when none was split.
bool WeakRefiner::splitBlocks() {
  llvm::sort(changed, [&](StateIndex a, StateIndex b) {
    return std::tuple(blockOf[a], silentSet[a], visibleList[a], a) <
           std::tuple(blockOf[b], silentSet[b], visibleList[b], b);
  });
  bool any = false;
  for (size_t i = 0; i < changed.size();) {
    uint32_t b = blockOf[changed[i]];
    size_t end = i;
    SmallVector<std::pair<size_t, size_t>, 8> groups;
    while (end < changed.size() && blockOf[changed[end]] == b) {
      size_t first = end;
      StateIndex s = changed[first];
      while (end < changed.size() && blockOf[changed[end]] == b &&
             silentSet[changed[end]] == silentSet[s] &&
             visibleList[changed[end]] == visibleList[s])
        ++end;
      groups.push_back({first, end});
    }
    size_t unchanged = members[b].size() - (end - i);
    // The largest part keeps the number, the unchanged one among equals.
    size_t keep = groups.size();
    size_t most = unchanged;
    for (auto [index, range] : llvm::enumerate(groups))
      if (range.second - range.first > most) {
        most = range.second - range.first;
        keep = index;
      }
    if (groups.size() + (unchanged != 0) > 1) {
      any = true;
      if (unchanged)
        llvm::erase_if(members[b], [&](StateIndex s) { return hasChanged[s]; });
      else
        members[b].clear();
      std::vector<StateIndex> rest;
      if (keep != groups.size()) {
        rest = std::move(members[b]);
        members[b].assign(changed.begin() + groups[keep].first,
                          changed.begin() + groups[keep].second);
      }
      auto found = [&](std::vector<StateIndex> block) {
        if (block.empty())
          return;
        for (StateIndex s : block) {
          blockOf[s] = static_cast<uint32_t>(members.size());
          silentQueue.push(s);
        }
        members.push_back(std::move(block));
      };
      found(std::move(rest));
      for (auto [index, range] : llvm::enumerate(groups))
        if (index != keep)
          found(
              {changed.begin() + range.first, changed.begin() + range.second});
    }
    i = end;
  }
  for (StateIndex s : changed)
    hasChanged[s] = false;
  changed.clear();
  return any;
}

/// Forgets the sets that no state has any more.
void WeakRefiner::collectGarbage() {
  size_t bytes = sets.bytes() + lists.bytes() + unions.getMemorySize();
  if (bytes < (64u << 20) || bytes < 2 * liveBytes)
    return;
  ArrayPool<uint32_t> oldSets, oldLists;
  std::swap(sets, oldSets);
  std::swap(lists, oldLists);
  unions.clear();
  std::vector<SetId> newSet(oldSets.size(), none),
      newList(oldLists.size(), none);
  auto keep = [&](SetId set) {
    if (newSet[set] == none)
      newSet[set] = sets.intern(oldSets[set]);
    return newSet[set];
  };
  std::vector<uint32_t> list;
  for (StateIndex s = 0; s < lts.numStates(); ++s) {
    silentSet[s] = keep(silentSet[s]);
    SetId &visible = newList[visibleList[s]];
    if (visible == none) {
      list = oldLists[visibleList[s]].vec();
      for (size_t i = 1; i < list.size(); i += 2)
        list[i] = keep(list[i]);
      visible = lists.intern(list);
    }
    visibleList[s] = visible;
  }
  liveBytes = sets.bytes() + lists.bytes();
}

bool WeakRefiner::contains(SetId list, LabelIndex label, uint32_t block) const {
  ArrayRef<uint32_t> entries = lists[list];
  for (size_t i = 0; i < entries.size(); i += 2)
    if (entries[i] == label) {
      ArrayRef<uint32_t> set = sets[entries[i + 1]];
      return std::binary_search(set.begin(), set.end(), block);
    }
  return false;
}

/// Keeps of each class only what does not follow from the rest. Silent steps
/// order the classes, so what is left is unique: a step (a, C) of B goes when a
/// class that B reaches silently has it too, or when B has a step (a, D) and D
/// reaches C silently. The state of least rank has all that is left among its
/// own transitions, because any way around leaves the class at once.
Reduction WeakRefiner::quotient() {
  Reduction result;
  std::vector<uint32_t> number(members.size(), none);
  std::vector<uint32_t> blocks;
  std::vector<StateIndex> least;
  for (StateIndex s = 0; s < lts.numStates(); ++s) {
    uint32_t b = blockOf[s];
    if (number[b] == none) {
      number[b] = static_cast<uint32_t>(blocks.size());
      blocks.push_back(b);
      least.push_back(s);
    }
    StateIndex &best = least[number[b]];
    if (rank[s] < rank[best])
      best = s;
  }
  result.partition.numClasses = static_cast<uint32_t>(blocks.size());
  result.partition.classOf.resize(lts.numStates());
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    result.partition.classOf[s] = number[blockOf[s]];

  Lts &out = result.quotient;
  out.labels = lts.labels;
  out.initial = number[blockOf[lts.initial]];
  std::vector<uint32_t> rows{0};
  std::vector<LabelIndex> label;
  std::vector<StateIndex> target;
  std::vector<uint64_t> finals(lts.saysFinal() ? (blocks.size() + 63) / 64 : 0);
  auto reaches = [&](uint32_t from, uint32_t to) {
    ArrayRef<uint32_t> set = sets[silentSet[least[number[from]]]];
    return std::binary_search(set.begin(), set.end(), to);
  };
  SmallVector<std::pair<LabelIndex, uint32_t>, 32> steps, kept;
  for (uint32_t c = 0; c < blocks.size(); ++c) {
    StateIndex s = least[c];
    steps.clear();
    kept.clear();
    SmallVector<uint32_t, 8> silent;
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e) {
      uint32_t to = blockOf[lts.target[e]];
      if (lts.label[e] == tauLabel && to == blocks[c])
        continue;
      steps.push_back({lts.label[e], to});
      if (lts.label[e] == tauLabel)
        silent.push_back(to);
    }
    llvm::sort(steps);
    steps.erase(llvm::unique(steps), steps.end());
    for (auto [l, to] : steps) {
      bool follows = llvm::any_of(silent, [&, l = l, to = to](uint32_t d) {
        if (l == tauLabel)
          return d != to && reaches(d, to);
        return contains(visibleList[least[number[d]]], l, to);
      });
      if (l != tauLabel)
        follows |= llvm::any_of(steps, [&, l = l, to = to](auto &other) {
          return other.first == l && other.second != to &&
                 reaches(other.second, to);
        });
      if (!follows)
        kept.push_back({l, number[to]});
    }
    llvm::sort(kept);
    for (auto [l, to] : kept) {
      label.push_back(l);
      target.push_back(to);
    }
    rows.push_back(static_cast<uint32_t>(target.size()));
    if (lts.isFinal(s))
      finals[c / 64] |= uint64_t(1) << (c % 64);
  }
  out.rowBegin = std::move(rows);
  out.label = std::move(label);
  out.target = std::move(target);
  out.finals = std::move(finals);
  return result;
}

std::optional<Reduction> WeakRefiner::run() {
  size_t n = lts.numStates();
  blockOf.assign(n, 0);
  members.resize(1);
  silentSet.assign(n, none);
  visibleList.assign(n, none);
  hasChanged.assign(n, false);
  for (StateIndex s = 0; s < n; ++s) {
    members[0].push_back(s);
    silentQueue.push(s);
    visibleQueue.push(s);
  }
  do {
    if (!sweepSilent() || !sweepVisible())
      return std::nullopt;
    collectGarbage();
  } while (splitBlocks());
  return quotient();
}

std::optional<Reduction>
cif::reduceWeak(const Lts &lts, ArrayRef<uint32_t> rank, Watch &watch) {
  return WeakRefiner(lts, rank, watch).run();
}
