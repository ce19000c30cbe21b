//===- Partition.cpp - States in classes --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reduction modulo the bisimulations: silent cycles are collapsed, the classes
/// refined, and the quotient read off the state of least rank in each class,
/// which has all that the class can do in its own transitions.
///
//===----------------------------------------------------------------------===//

#include "cif/Equivalence/Partition.h"
#include "Refinement.h"
#include "cif/LTS/Graph.h"
#include "cif/Support/LargePages.h"

using namespace cif;

static bool hasTau(const Lts &lts) {
  return llvm::is_contained(lts.label.ref(), tauLabel);
}

/// Numbers classes by their first state.
static Partition numberByFirst(std::vector<uint32_t> classOf,
                               uint32_t numClasses) {
  std::vector<uint32_t> number(numClasses, ~0u);
  uint32_t next = 0;
  for (uint32_t &c : classOf) {
    if (number[c] == ~0u)
      number[c] = next++;
    c = number[c];
  }
  return {std::move(classOf), next};
}

/// What becomes of silent loops in a quotient.
enum class Loops : uint8_t { Keep, Drop };

/// Writes \p pairs to \p label and \p target from \p next on, in order and
/// each once. Returns where they end.
static uint32_t putSorted(SmallVectorImpl<uint64_t> &pairs, uint32_t next,
                          MutableArrayRef<LabelIndex> label,
                          MutableArrayRef<StateIndex> target) {
  sortPairs(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (uint64_t pair : pairs) {
    label[next] = static_cast<LabelIndex>(pair >> 32);
    target[next++] = static_cast<StateIndex>(pair);
  }
  return next;
}

/// One state per class of \p partition with the transitions of its
/// representative. Where \p loops drops silent loops, \p divergent says which
/// classes get one nevertheless.
static Lts quotientBy(const Lts &lts, const SortedRows &sorted,
                      const Partition &partition,
                      ArrayRef<StateIndex> representative, Loops loops,
                      function_ref<bool(uint32_t)> divergent) {
  Lts result;
  result.labels = lts.labels;
  result.initial = partition.classOf[lts.initial];
  size_t most = 0;
  for (StateIndex s : representative)
    most += sorted.begin[s + 1] - sorted.begin[s] + 1;
  std::vector<uint32_t> rows(partition.numClasses + 1);
  auto label = inLargePages<LabelIndex>(most);
  auto target = inLargePages<StateIndex>(most);
  std::vector<uint64_t> finals(
      lts.saysFinal() ? (partition.numClasses + 63) / 64 : 0);
  const uint32_t *classOf = partition.classOf.data();
  SmallVector<uint64_t, 32> pairs;
  for (uint32_t c = 0; c < partition.numClasses; ++c) {
    StateIndex s = representative[c];
    uint32_t next = rows[c];
    uint64_t least = 0; // the least pair that keeps the order
    bool ascends = true;
    auto push = [&](uint64_t pair) {
      ascends &= pair >= least;
      least = pair + 1;
      label[next] = static_cast<LabelIndex>(pair >> 32);
      target[next++] = static_cast<StateIndex>(pair);
    };
    if (divergent(c))
      push(pairOf(tauLabel, c));
    for (uint64_t edge : sorted.of(s)) {
      uint32_t to = classOf[static_cast<StateIndex>(edge)];
      if (to != c || loops == Loops::Keep || !isTau(edge))
        push((edge & labelBits) | to);
    }
    if (!ascends) {
      pairs.clear();
      for (uint32_t e = rows[c]; e < next; ++e)
        pairs.push_back(pairOf(label[e], target[e]));
      next = putSorted(pairs, rows[c], label, target);
    }
    rows[c + 1] = next;
    if (lts.isFinal(s))
      finals[c / 64] |= uint64_t(1) << (c % 64);
  }
  label.resize(rows.back());
  target.resize(rows.back());
  result.rowBegin = std::move(rows);
  result.label = std::move(label);
  result.target = std::move(target);
  result.finals = std::move(finals);
  return result;
}

static std::vector<uint8_t> finalMarks(const Lts &lts) {
  std::vector<uint8_t> marks;
  if (lts.saysFinal()) {
    marks.resize(lts.numStates());
    for (StateIndex s = 0; s < lts.numStates(); ++s)
      marks[s] = lts.isFinal(s);
  }
  return marks;
}

static std::optional<Reduction> reduceStrong(const Lts &lts, Watch &watch) {
  std::vector<uint8_t> marks = finalMarks(lts);
  SortedRows rows(lts, watch.threadsFor(lts.numTransitions()));
  uint32_t numClasses = 0;
  std::vector<uint32_t> classOf =
      refine({rows, lts.labels.size(), {}, marks}, numClasses, watch);
  if (classOf.size() != lts.numStates())
    return std::nullopt;
  Reduction result;
  result.partition = numberByFirst(std::move(classOf), numClasses);
  std::vector<StateIndex> representative(numClasses, ~0u);
  for (StateIndex s = static_cast<StateIndex>(lts.numStates()); s-- > 0;)
    representative[result.partition.classOf[s]] = s;
  result.quotient = quotientBy(lts, rows, result.partition, representative,
                               Loops::Keep, [](uint32_t) { return false; });
  return result;
}

/// Silent components become states, their inner silent steps go.
static Lts collapse(const Lts &lts, const Components &silent) {
  Lts result;
  result.labels = lts.labels;
  result.initial = silent.of[lts.initial];
  std::vector<uint32_t> begin(silent.count + 2);
  auto inner = [&](StateIndex s, uint32_t e) {
    return lts.label[e] == tauLabel && silent.of[lts.target[e]] == silent.of[s];
  };
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
      if (!inner(s, e))
        ++begin[silent.of[s] + 2];
  for (size_t c = 2; c < begin.size(); ++c)
    begin[c] += begin[c - 1];
  std::vector<LabelIndex> label(begin.back());
  std::vector<StateIndex> target(begin.back());
  std::vector<uint64_t> finals(lts.saysFinal() ? (silent.count + 63) / 64 : 0);
  for (StateIndex s = 0; s < lts.numStates(); ++s) {
    uint32_t c = silent.of[s];
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
      if (!inner(s, e)) {
        uint32_t at = begin[c + 1]++;
        label[at] = lts.label[e];
        target[at] = silent.of[lts.target[e]];
      }
    if (lts.isFinal(s))
      finals[c / 64] |= uint64_t(1) << (c % 64);
  }
  begin.pop_back();
  result.rowBegin = std::move(begin);
  result.label = std::move(label);
  result.target = std::move(target);
  result.finals = std::move(finals);
  return result;
}

/// A number for each state such that silent steps, loops excepted, lead to
/// lower ones; a state comes soon after what it leads to. Nothing: there are
/// cycles.
static std::optional<std::vector<uint32_t>>
silentOrder(const SortedRows &rows) {
  constexpr uint32_t unseen = ~0u, open = unseen - 1;
  const uint32_t *begin = rows.begin.data();
  const uint64_t *edges = rows.edges.get();
  auto n = static_cast<StateIndex>(rows.numStates());
  std::vector<uint32_t> order(n, unseen);
  struct Frame {
    StateIndex state;
    uint32_t edge;
  };
  std::vector<Frame> frames;
  uint32_t next = 0;
  for (StateIndex root = 0; root < n; ++root) {
    if (order[root] != unseen)
      continue;
    StateIndex s = root;
    uint32_t e = begin[s];
    order[s] = open;
    while (true) {
      if (e < begin[s + 1] && isTau(edges[e])) {
        auto to = static_cast<StateIndex>(edges[e++]);
        if (order[to] == open && to != s)
          return std::nullopt;
        if (order[to] != unseen)
          continue;
        frames.push_back({s, e});
        s = to;
        e = begin[s];
        order[s] = open;
        continue;
      }
      order[s] = next++;
      if (frames.empty())
        break;
      s = frames.back().state;
      e = frames.back().edge;
      frames.pop_back();
    }
  }
  return order;
}

/// The components of the silent steps; most often each is one state.
static Components silentComponents(const SortedRows &rows) {
  if (auto order = silentOrder(rows))
    return {std::move(*order), static_cast<uint32_t>(rows.numStates())};
  const uint32_t *begin = rows.begin.data();
  const uint64_t *edges = rows.edges.get();
  auto silentEnd = [=](StateIndex s) {
    uint32_t e = begin[s];
    while (e < begin[s + 1] && isTau(edges[e]))
      ++e;
    return e;
  };
  return componentsOf(
      rows.numStates(), [](StateIndex) { return true; },
      [=](StateIndex s) { return begin[s]; }, silentEnd,
      [=](StateIndex, uint32_t e) {
        return static_cast<StateIndex>(edges[e]);
      });
}

static std::optional<Reduction>
reduceBranching(const Lts &lts, bool preserveDivergence, Watch &watch) {
  std::optional<SortedRows> rows;
  rows.emplace(lts, watch.threadsFor(lts.numTransitions()));
  Components silent = silentComponents(*rows);
  std::vector<bool> divergent;
  if (preserveDivergence) {
    divergent.resize(silent.count);
    for (StateIndex s = 0; s < lts.numStates(); ++s)
      for (uint64_t edge : rows->of(s))
        if (isTau(edge) &&
            silent.of[s] == silent.of[static_cast<StateIndex>(edge)])
          divergent[silent.of[s]] = true;
  }
  bool collapses = silent.count < lts.numStates();
  Lts collapsed;
  std::vector<uint32_t> identity;
  ArrayRef<uint32_t> rank = silent.of;
  if (collapses) {
    collapsed = collapse(lts, silent);
    rows.emplace(collapsed, watch.threadsFor(collapsed.numTransitions()));
    identity.resize(silent.count);
    for (uint32_t c = 0; c < silent.count; ++c)
      identity[c] = c;
    rank = identity;
  }
  const Lts &graph = collapses ? collapsed : lts;

  std::vector<uint8_t> marks = finalMarks(graph);
  if (preserveDivergence) {
    marks.resize(graph.numStates());
    for (StateIndex s = 0; s < graph.numStates(); ++s)
      if (divergent[rank[s]])
        marks[s] |= 2;
  }
  uint32_t numClasses = 0;
  std::vector<uint32_t> classOf =
      refine({*rows, graph.labels.size(), rank, marks}, numClasses, watch);
  if (classOf.size() != graph.numStates())
    return std::nullopt;
  std::vector<uint32_t> ofState;
  if (collapses) {
    ofState.resize(lts.numStates());
    for (StateIndex s = 0; s < lts.numStates(); ++s)
      ofState[s] = classOf[silent.of[s]];
  }
  Reduction result;
  result.partition =
      numberByFirst(collapses ? ofState : std::move(classOf), numClasses);
  // The partition of the graph, in the same numbers.
  Partition ofGraph;
  if (collapses) {
    ofGraph.numClasses = numClasses;
    ofGraph.classOf.resize(graph.numStates());
    for (StateIndex s = 0; s < lts.numStates(); ++s)
      ofGraph.classOf[silent.of[s]] = result.partition.classOf[s];
  }
  const Partition &partition = collapses ? ofGraph : result.partition;
  constexpr StateIndex none = ~0u;
  std::vector<StateIndex> least(numClasses, none);
  for (StateIndex s = 0; s < graph.numStates(); ++s) {
    StateIndex &best = least[partition.classOf[s]];
    if (best == none || rank[s] < rank[best])
      best = s;
  }
  result.quotient =
      quotientBy(graph, *rows, partition, least, Loops::Drop, [&](uint32_t c) {
        return preserveDivergence && divergent[rank[least[c]]];
      });
  return result;
}

static std::optional<Reduction> reduceWatched(const Lts &lts, Relation relation,
                                              Watch &watch) {
  assert(relation <= Relation::Weak && "not a bisimulation");
  if (relation == Relation::Strong || !hasTau(lts))
    return reduceStrong(lts, watch);
  std::optional<Reduction> branching =
      reduceBranching(lts, relation == Relation::DpBranching, watch);
  if (!branching || relation != Relation::Weak || !hasTau(branching->quotient))
    return branching;
  // Weak bisimulation is coarser: go on from the classes.
  Components silent = tauComponents(branching->quotient);
  assert(silent.count == branching->quotient.numStates() &&
         "a branching quotient has no silent cycles");
  std::optional<Reduction> weak =
      reduceWeak(branching->quotient, silent.of, watch);
  if (!weak)
    return weak;
  for (uint32_t &c : branching->partition.classOf)
    c = weak->partition.classOf[c];
  weak->partition.classOf = std::move(branching->partition.classOf);
  return weak;
}

Reduction cif::reduce(const Lts &lts, Relation relation) {
  Watch nothing;
  return *reduceWatched(lts, relation, nothing);
}

std::optional<Reduction> cif::reduceWithin(const Lts &lts, Relation relation,
                                           Budget &budget, std::string &limit) {
  Watch watch(budget, limit);
  return reduceWatched(lts, relation, watch);
}
