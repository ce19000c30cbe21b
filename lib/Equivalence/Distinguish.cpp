//===- Distinguish.cpp - Formulas that tell states apart ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Distinguishing formulas of least depth. Implements: [cleaveland1990], from
/// the rounds of refinement; for branching bisimulation [korver1991].
///
/// Level k is the partition after k rounds in which all states are refined at
/// once: states that differ first at level k are distinguished by a formula
/// with k nested modalities and by none with fewer. The formula for a pair of
/// states at level k also distinguishes every other pair of the same two
/// classes of that level, so formulas are kept by level and classes, and
/// shared.
///
/// Input class: LTSs without silent cycles other than loops (joint quotients).
/// Sound and complete, within the limits. For branching bisimulations the depth
/// is least among formulas of the form made here.
///
//===----------------------------------------------------------------------===//

#include "Distinguish.h"
#include "Joint.h"
#include "cif/LTS/Graph.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

using namespace cif;

namespace {
/// Stands among the labels of a signature for silent steps for ever.
constexpr LabelIndex divergence = ~0u;

class Distinguisher {
public:
  Distinguisher(const Lts &lts, Relation relation, Budget &budget)
      : lts(lts), relation(relation), budget(budget),
        subsets(lts, TauIs::Silent) {}

  std::optional<Formula> run(StateIndex left, StateIndex right,
                             std::string &limit);

private:
  /// (label, class) of what \p s can do in one move, at the last level.
  using Moves = SmallVector<std::pair<LabelIndex, uint32_t>, 16>;

  bool branching() const {
    return relation == Relation::Branching || relation == Relation::DpBranching;
  }
  void nextLevel();
  void weakSignatures(std::vector<std::vector<uint32_t>> &signatures);
  /// The first level at which the two differ.
  uint32_t levelOf(StateIndex s, StateIndex t) const {
    uint32_t low = 0, high = static_cast<uint32_t>(levels.size() - 1);
    while (low < high) { // levels refine one another
      uint32_t middle = (low + high) / 2;
      if (levels[middle][s] != levels[middle][t])
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }
  /// The states that \p s reaches silently inside its class of \p level, and
  /// \p exits: the states outside that one more silent step leads to.
  std::vector<StateIndex> inertly(StateIndex s, uint32_t level,
                                  std::vector<StateIndex> *exits) const;
  /// The possible results of \p s doing \p label in one move at \p level.
  std::vector<StateIndex> results(StateIndex s, LabelIndex label,
                                  uint32_t level);

  struct Goal {
    StateIndex s, t;
  };
  struct Plan; // what a formula for a goal is made of
  std::optional<Plan> plan(Goal goal);
  /// The node with these parts, made once: no conjunct is said twice.
  uint32_t add(Formula::Op op, Label label,
               std::vector<Formula::NodeId> operands);
  uint32_t conjunction(std::vector<Formula::NodeId> operands);
  std::tuple<uint32_t, uint32_t, uint32_t> keyOf(Goal goal) const {
    uint32_t level = levelOf(goal.s, goal.t);
    return {level, levels[level][goal.s], levels[level][goal.t]};
  }

  const Lts &lts;
  Relation relation;
  Budget &budget;
  Subsets subsets;
  std::vector<uint32_t> order; // states by rank, least first
  std::vector<std::vector<uint32_t>> levels;
  Formula formula;
  std::map<std::tuple<Formula::Op, std::string, std::vector<Formula::NodeId>>,
           uint32_t>
      made;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Formula::NodeId> known;
};

/// <label> over the conjunction of `goals`, perhaps negated; for branching with
/// the conjunction of `along` on the way.
struct Distinguisher::Plan {
  LabelIndex label = tauLabel;
  bool negated = false;
  std::vector<Goal> goals, along;
};
} // namespace

uint32_t Distinguisher::add(Formula::Op op, Label label,
                            std::vector<Formula::NodeId> operands) {
  auto [entry, isNew] =
      made.try_emplace({op, labelText(label), operands},
                       static_cast<uint32_t>(formula.nodes.size()));
  if (isNew)
    formula.nodes.push_back({op, std::move(label), std::move(operands)});
  return entry->second;
}

uint32_t Distinguisher::conjunction(std::vector<Formula::NodeId> operands) {
  llvm::sort(operands);
  operands.erase(llvm::unique(operands), operands.end());
  if (operands.empty())
    return 0; // true
  if (operands.size() == 1)
    return operands[0];
  return add(Formula::And, {}, std::move(operands));
}

/// Weak signatures of all states, in one sweep in the order of ranks.
void Distinguisher::weakSignatures(
    std::vector<std::vector<uint32_t>> &signatures) {
  const std::vector<uint32_t> &block = levels.back();
  ArrayPool<uint32_t> sets;
  std::vector<uint32_t> silent(lts.numStates());
  std::vector<std::vector<std::pair<LabelIndex, uint32_t>>> visible(
      lts.numStates());
  auto unite = [&](uint32_t a, uint32_t b) {
    if (a == b)
      return a;
    std::vector<uint32_t> both;
    ArrayRef<uint32_t> x = sets[a], y = sets[b];
    std::set_union(x.begin(), x.end(), y.begin(), y.end(),
                   std::back_inserter(both));
    return sets.intern(both);
  };
  for (StateIndex s : order) {
    silent[s] = sets.intern({block[s]});
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
      if (lts.label[e] == tauLabel && lts.target[e] != s)
        silent[s] = unite(silent[s], silent[lts.target[e]]);
  }
  for (StateIndex s : order) {
    std::vector<std::pair<LabelIndex, uint32_t>> entries;
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e) {
      StateIndex t = lts.target[e];
      if (lts.label[e] != tauLabel)
        entries.push_back({lts.label[e], silent[t]});
      else if (t != s)
        llvm::append_range(entries, visible[t]);
    }
    llvm::sort(entries);
    auto &list = visible[s];
    for (auto &entry : entries)
      if (list.empty() || list.back().first != entry.first)
        list.push_back(entry);
      else
        list.back().second = unite(list.back().second, entry.second);
    signatures[s] = {silent[s]};
    for (auto [l, set] : list) {
      signatures[s].push_back(l);
      signatures[s].push_back(set);
    }
  }
}

void Distinguisher::nextLevel() {
  const std::vector<uint32_t> &block = levels.back();
  std::vector<std::vector<uint32_t>> signatures(lts.numStates());
  if (relation == Relation::Weak) {
    weakSignatures(signatures);
  } else {
    std::vector<Moves> moves(lts.numStates());
    for (StateIndex s : order) {
      for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e) {
        StateIndex t = lts.target[e];
        bool inert =
            branching() && lts.label[e] == tauLabel && block[t] == block[s];
        if (!inert)
          moves[s].push_back({lts.label[e], block[t]});
        else if (t != s)
          llvm::append_range(moves[s], moves[t]);
        else if (relation == Relation::DpBranching)
          moves[s].push_back({divergence, 0});
      }
      llvm::sort(moves[s]);
      moves[s].erase(llvm::unique(moves[s]), moves[s].end());
      if (branching())
        signatures[s].push_back(block[s]);
      for (auto [l, b] : moves[s]) {
        signatures[s].push_back(l);
        signatures[s].push_back(b);
      }
    }
  }
  ArrayPool<uint32_t> pool;
  std::vector<uint32_t> next(lts.numStates());
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    next[s] = pool.intern(signatures[s]);
  levels.push_back(std::move(next));
}

std::vector<StateIndex>
Distinguisher::inertly(StateIndex s, uint32_t level,
                       std::vector<StateIndex> *exits) const {
  const std::vector<uint32_t> &block = levels[level];
  std::vector<StateIndex> inside{s};
  llvm::DenseSet<StateIndex> seen{s};
  for (size_t i = 0; i < inside.size(); ++i) {
    StateIndex u = inside[i];
    for (uint32_t e = lts.rowBegin[u]; e < lts.rowBegin[u + 1]; ++e) {
      StateIndex t = lts.target[e];
      if (lts.label[e] != tauLabel || !seen.insert(t).second)
        continue;
      if (block[t] == block[s])
        inside.push_back(t);
      else if (exits)
        exits->push_back(t);
    }
  }
  return inside;
}

std::vector<StateIndex> Distinguisher::results(StateIndex s, LabelIndex label,
                                               uint32_t level) {
  std::vector<StateIndex> found;
  if (relation == Relation::Weak) {
    ArrayRef<StateIndex> set = subsets[subsets.post(subsets.of(s), label)];
    return set.vec();
  }
  std::vector<StateIndex> from{s};
  if (branching())
    from = inertly(s, level, nullptr);
  for (StateIndex u : from)
    for (uint32_t e = lts.rowBegin[u]; e < lts.rowBegin[u + 1]; ++e)
      if (lts.label[e] == label)
        found.push_back(lts.target[e]);
  // A silent move may be no move at all.
  if (branching() && label == tauLabel)
    found.push_back(s);
  llvm::sort(found);
  found.erase(llvm::unique(found), found.end());
  return found;
}

/// The cheapest way to tell goal.s from goal.t one level deeper.
std::optional<Distinguisher::Plan> Distinguisher::plan(Goal goal) {
  uint32_t level = levelOf(goal.s, goal.t);
  assert(level > 0 && levels[level][goal.s] != levels[level][goal.t] &&
         "the two are equivalent");
  const std::vector<uint32_t> &block = levels[level - 1];
  std::optional<Plan> best;
  size_t bestCost = 0;
  for (bool negated : {false, true}) {
    StateIndex s = negated ? goal.t : goal.s, t = negated ? goal.s : goal.t;
    std::vector<StateIndex> exits;
    if (branching()) {
      auto inside = inertly(t, level - 1, &exits);
      if (relation == Relation::DpBranching) {
        auto diverges = [&](ArrayRef<StateIndex> states) {
          return llvm::any_of(states, [&](StateIndex u) {
            for (uint32_t e = lts.rowBegin[u]; e < lts.rowBegin[u + 1]; ++e)
              if (lts.label[e] == tauLabel && lts.target[e] == u)
                return true;
            return false;
          });
        };
        if (diverges(inertly(s, level - 1, nullptr)) && !diverges(inside)) {
          Plan option{divergence, negated, {}, {}};
          for (StateIndex v : exits)
            option.along.push_back({s, v});
          size_t cost = 1 + option.along.size();
          if (!best || cost < bestCost) {
            best = std::move(option);
            bestCost = cost;
          }
        }
      }
    }
    SmallVector<LabelIndex, 16> labels;
    if (relation == Relation::Weak) {
      labels = subsets.enabled(subsets.of(s));
      labels.insert(labels.begin(), tauLabel);
    } else {
      std::vector<StateIndex> from{s};
      if (branching())
        from = inertly(s, level - 1, nullptr);
      for (StateIndex u : from)
        llvm::append_range(labels, lts.labelsOf(u));
      llvm::sort(labels);
      labels.erase(llvm::unique(labels), labels.end());
    }
    for (LabelIndex label : labels) {
      std::vector<StateIndex> answers = results(t, label, level - 1);
      std::vector<uint32_t> answered;
      answered.reserve(answers.size());
      for (StateIndex v : answers)
        answered.push_back(block[v]);
      llvm::sort(answered);
      llvm::DenseSet<uint32_t> tried;
      for (StateIndex to : results(s, label, level - 1)) {
        // States of a class do equally well; after many tries take what is.
        if (std::binary_search(answered.begin(), answered.end(), block[to]) ||
            !tried.insert(block[to]).second || tried.size() > 16)
          continue;
        Plan option{label, negated, {}, {}};
        std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Goal> wanted;
        size_t cost = 1;
        for (StateIndex v : answers)
          wanted.emplace(keyOf({to, v}), Goal{to, v});
        for (auto &[key, subgoal] : wanted) {
          option.goals.push_back(subgoal);
          cost += 2 + std::get<0>(key);
        }
        for (StateIndex v : exits)
          option.along.push_back({s, v});
        cost += 2 * option.along.size();
        if (!best || cost < bestCost) {
          best = std::move(option);
          bestCost = cost;
        }
      }
    }
  }
  return best;
}

std::optional<Formula> Distinguisher::run(StateIndex left, StateIndex right,
                                          std::string &limit) {
  Components silent = tauComponents(lts);
  order.resize(lts.numStates());
  if (silent.count == lts.numStates())
    for (StateIndex s = 0; s < lts.numStates(); ++s)
      order[silent.of[s]] = s;
  else // strong: silent steps are steps like others
    for (StateIndex s = 0; s < lts.numStates(); ++s)
      order[s] = s;
  levels.push_back(std::vector<uint32_t>(lts.numStates(), 0));
  while (levels.back()[left] == levels.back()[right]) {
    nextLevel();
    limit = budget.look(0, levels.size() * lts.numStates() * 4);
    if (!limit.empty())
      return std::nullopt;
  }
  formula.nodes.push_back({}); // 0 is true
  // Goals whose formulas are being made, each above those that it needs.
  struct Frame {
    Goal goal;
    std::optional<Plan> plan;
  };
  std::vector<Frame> stack{{{left, right}, std::nullopt}};
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (known.count(keyOf(frame.goal))) {
      stack.pop_back();
      continue;
    }
    if (!frame.plan)
      frame.plan = plan(frame.goal);
    Plan now = *frame.plan;
    bool ready = true;
    for (const auto *goals : {&now.goals, &now.along})
      for (const Goal &goal : *goals)
        if (!known.count(keyOf(goal))) {
          stack.push_back({goal, std::nullopt});
          ready = false;
        }
    limit = budget.exceeded(0, formula.nodes.size() * 96);
    if (!limit.empty())
      return std::nullopt;
    if (!ready)
      continue;
    auto all = [&](ArrayRef<Goal> goals) {
      std::vector<Formula::NodeId> parts;
      for (const Goal &goal : goals)
        parts.push_back(known.at(keyOf(goal)));
      return conjunction(std::move(parts));
    };
    Formula::NodeId made;
    Formula::NodeId inner = all(now.goals), along = all(now.along);
    if (now.label == divergence)
      made = add(Formula::Diverge, {}, {along});
    else if (branching())
      made = add(Formula::Until, lts.labels[now.label], {along, inner});
    else
      made = add(relation == Relation::Weak ? Formula::WeakMay : Formula::May,
                 lts.labels[now.label], {inner});
    if (now.negated)
      made = add(Formula::Not, {}, {made});
    known[keyOf(stack.back().goal)] = made;
    stack.pop_back();
  }
  formula.root = known.at(keyOf({left, right}));
  formula.nodes.resize(formula.root + 1);
  return std::move(formula);
}

std::optional<Formula> cif::distinguish(const Lts &lts, StateIndex left,
                                        StateIndex right, Relation relation,
                                        Budget &budget, std::string &limit) {
  return Distinguisher(lts, relation, budget).run(left, right, limit);
}
