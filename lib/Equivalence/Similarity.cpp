//===- Similarity.cpp - Weak simulation ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Weak simulation as a game, solved from the initial pair. Implements:
/// [milner1989], weak simulation.
///
/// A pair (s, t) asks whether t simulates s: for each step of s, t must answer
/// with the same label and silent steps around it. The pairs that can come up
/// are explored; then those that fail are found backwards, in rounds, so that
/// each has the least number of rounds in which the simulation can be refuted.
/// The two LTSs are reduced together modulo weak bisimulation first, which the
/// relation contains; a pair of equal states always holds.
///
/// Input class: any two finite LTSs. Sound and complete. Time and memory are
/// linear in the number of pairs that come up, n1 * n2 at worst.
///
//===----------------------------------------------------------------------===//

#include "CertificateText.h"
#include "Joint.h"

using namespace cif;

namespace {
/// "Some state of `set` simulates `state`": what a step of s asks for.
struct Demand {
  StateIndex state;
  Subsets::SetId set;
  uint32_t open;       ///< options that have not failed yet
  bool always = false; ///< holds by a reflexive option
  /// Pairs that need it, and the label of the step that does.
  std::vector<std::pair<uint32_t, LabelIndex>> users;
};
struct Pair {
  StateIndex left, right;
  bool failed = false;
  uint32_t reason = 0;         ///< failed: the demand that was not met
  LabelIndex label = tauLabel; ///< failed: the step that asked for it
  std::vector<uint32_t> users; ///< demands that have it as an option
};

class SimulationGame {
public:
  SimulationGame(const Lts &lts, Budget &budget)
      : lts(lts), budget(budget), subsets(lts, TauIs::Silent) {}

  /// Whether \p right simulates \p left; nothing when the budget is exceeded.
  std::optional<bool> solve(StateIndex left, StateIndex right);
  /// After a solve() that came out false: a formula without negation that
  /// \p left satisfies and \p right does not.
  Formula formula() const;
  /// After a solve() that came out true: the pairs that hold.
  std::vector<std::pair<uint32_t, uint32_t>> holding() const {
    std::vector<std::pair<uint32_t, uint32_t>> result;
    for (const Pair &pair : pairs)
      if (!pair.failed && pair.left != pair.right)
        result.push_back({pair.left, pair.right});
    llvm::sort(result);
    return result;
  }
  size_t explored() const { return pairs.size(); }
  std::string limit;

private:
  void fail(uint32_t pair, uint32_t demand, LabelIndex label) {
    if (pairs[pair].failed)
      return;
    pairs[pair].failed = true;
    pairs[pair].reason = demand;
    pairs[pair].label = label;
    failing.push_back(pair);
  }
  uint32_t pairOf(StateIndex left, StateIndex right);
  uint32_t demandOf(StateIndex state, Subsets::SetId set);

  const Lts &lts;
  Budget &budget;
  Subsets subsets;
  std::vector<Pair> pairs;
  std::vector<Demand> demands;
  llvm::DenseMap<uint64_t, uint32_t> pairIndex, demandIndex;
  std::vector<uint32_t> failing;
};
} // namespace

uint32_t SimulationGame::pairOf(StateIndex left, StateIndex right) {
  auto [entry, isNew] = pairIndex.try_emplace(
      uint64_t(left) << 32 | right, static_cast<uint32_t>(pairs.size()));
  if (isNew)
    pairs.push_back({left, right, false, 0, tauLabel, {}});
  return entry->second;
}

uint32_t SimulationGame::demandOf(StateIndex state, Subsets::SetId set) {
  auto [entry, isNew] = demandIndex.try_emplace(
      uint64_t(state) << 32 | set, static_cast<uint32_t>(demands.size()));
  if (!isNew)
    return entry->second;
  uint32_t index = entry->second;
  demands.push_back({state, set, 0, subsets.contains(set, state), {}});
  if (!demands[index].always) {
    demands[index].open = static_cast<uint32_t>(subsets[set].size());
    for (size_t i = 0; i < subsets[set].size(); ++i)
      pairs[pairOf(state, subsets[set][i])].users.push_back(index);
  }
  return index;
}

std::optional<bool> SimulationGame::solve(StateIndex left, StateIndex right) {
  if (left == right)
    return true;
  uint32_t root = pairOf(left, right);
  for (uint32_t at = 0; at < pairs.size(); ++at) {
    StateIndex s = pairs[at].left, t = pairs[at].right;
    Subsets::SetId reach = subsets.of(t);
    for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e) {
      uint32_t demand =
          demandOf(lts.target[e], subsets.post(reach, lts.label[e]));
      if (demands[demand].always)
        continue;
      demands[demand].users.push_back({at, lts.label[e]});
      if (demands[demand].open == 0)
        fail(at, demand, lts.label[e]);
    }
    limit = budget.exceeded(pairs.size(), subsets.bytes() + pairs.size() * 96 +
                                              demands.size() * 96);
    if (!limit.empty())
      return std::nullopt;
  }
  for (size_t i = 0; i < failing.size(); ++i)
    for (uint32_t demand : pairs[failing[i]].users) {
      if (--demands[demand].open != 0)
        continue;
      for (auto [user, label] : demands[demand].users)
        fail(user, demand, label);
    }
  return !pairs[root].failed;
}

/// Pairs failed in the order of `failing`, so that what a formula needs was
/// made before it; pair 0 is the initial one.
Formula SimulationGame::formula() const {
  std::vector<bool> needed(pairs.size());
  needed[0] = true;
  for (size_t i = failing.size(); i-- > 0;) {
    const Pair &pair = pairs[failing[i]];
    if (!needed[failing[i]])
      continue;
    const Demand &demand = demands[pair.reason];
    for (StateIndex t : subsets[demand.set])
      needed[pairIndex.lookup(uint64_t(demand.state) << 32 | t)] = true;
  }
  Formula result;
  result.nodes.push_back({}); // true
  std::vector<Formula::NodeId> made(pairs.size());
  for (uint32_t index : failing) {
    if (!needed[index])
      continue;
    const Pair &pair = pairs[index];
    const Demand &demand = demands[pair.reason];
    std::vector<Formula::NodeId> parts;
    for (StateIndex t : subsets[demand.set])
      parts.push_back(made[pairIndex.lookup(uint64_t(demand.state) << 32 | t)]);
    llvm::sort(parts);
    parts.erase(llvm::unique(parts), parts.end());
    Formula::NodeId inner = 0;
    if (parts.size() == 1) {
      inner = parts[0];
    } else if (parts.size() > 1) {
      inner = static_cast<Formula::NodeId>(result.nodes.size());
      result.nodes.push_back({Formula::And, {}, std::move(parts)});
    }
    made[index] = static_cast<Formula::NodeId>(result.nodes.size());
    result.nodes.push_back({Formula::WeakMay, lts.labels[pair.label], {inner}});
    if (index == 0)
      break;
  }
  result.root = made[0];
  return result;
}

void cif::compareSimilar(const Lts &left, const Lts &right, Budget &budget,
                         bool certificate, Comparison &result) {
  result.method = "simulation game from the initial pair";
  std::optional<Joint> joined =
      joinReduced(left, right, Relation::Weak, budget, result.limit);
  if (!joined)
    return;
  const Joint &joint = *joined;
  bool both = result.relation == Relation::WeakSimulationEquivalence;
  result.verdict = Verdict::Holds;
  CertificateText text(result.relation);
  if (certificate)
    text.classes(joint.leftClass, joint.rightClass);
  for (Side side : {Side::Left, Side::Right}) {
    if (side == Side::Right && !both)
      break;
    SimulationGame game(joint.lts, budget);
    std::optional<bool> holds =
        game.solve(joint.initial(side), joint.initial(otherSide(side)));
    result.explored += game.explored();
    if (!holds) {
      result.verdict = Verdict::Inconclusive;
      result.limit = game.limit;
    } else if (!*holds) {
      result.verdict = Verdict::Violated;
      result.limit.clear();
      Difference difference{
          .kind = Difference::Formula, .side = side, .graph = game.formula()};
      result.difference = std::move(difference);
      return;
    } else if (certificate) {
      text.pairs(side == Side::Left ? "pairs" : "back", game.holding());
    }
  }
  if (certificate && result.verdict == Verdict::Holds)
    result.certificate = text.finish();
}
