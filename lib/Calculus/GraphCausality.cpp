//===- GraphCausality.cpp - Uses of one operation in a graph --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Causality-safety on graphs. Implements: [iocpoc], Defs. 4.4, 4.5 and 5.2 for
/// each resolution of the choices, as Causality.cpp does on terms; facts are
/// explained there.
///
/// A data-flow analysis: the state before a node is the set of facts that the
/// next use of their operation must know, each with the roles that certainly
/// know it. Where paths meet, a fact is present if it is on one of them, and is
/// known to the roles that know it on all paths that have it. After a join a
/// role knows what it knows at the end of any branch; an operation that was
/// used in only one branch has the facts of that branch. Taking one branch of a
/// split adds the receptions that the others may leave open. Facts are only
/// added and knowledge is only removed, so the iteration terminates.
///
/// Rounds need more than choices, because a role that has finished a round is
/// before the same split again. A role that has not noticed a round could take
/// part in the next one, or in what follows the last one, too early. So taking
/// a round adds what a role may do instead in other rounds and after the last
/// one, and its partner in that must know that the role noticed the round. This
/// is not required if the role has no part in rounds: then it may wait
/// indefinitely, and only other uses of the operation matter. With handshakes,
/// outputs count as well.
///
//===----------------------------------------------------------------------===//

#include "GraphConnectedness.h"
#include "cif/Graph/Reach.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace cif;

namespace {

class GraphCausality {
public:
  GraphCausality(const IocGraph &g, GraphStructure &structure,
                 const ConnectednessOptions &options, Connectedness &result,
                 Steps &budget)
      : g(g), structure(structure), options(options), result(result),
        budget(budget),
        synchronous(options.semantics == IocSemantics::Synchronous) {}

  void run();

private:
  struct Fact {
    uint32_t operation;
    uint32_t step; ///< the use that is over, or that `role` may wait for
    uint32_t role = noNode;
    bool mayWait = false; ///< `role` has no part in rounds
  };
  struct Known {
    uint32_t fact;
    llvm::BitVector roles;
    bool operator==(const Known &) const = default;
  };
  using State = std::vector<Known>; ///< sorted by fact

  bool repeated(uint32_t step) const {
    return !g.actions[step].isTau() && isRepeated[g.actions[step].operation];
  }
  void findRepeated();
  void findSplits();
  void findUnordered(uint32_t split, ArrayRef<GraphStructure::Region> regions);
  void findAwaited(uint32_t split, uint32_t branch, bool outputs,
                   const llvm::BitVector *inRounds);
  void findJoins();
  void before(uint32_t n, State &state);
  void take(uint32_t step, State &state, bool report);
  void add(State &to, uint32_t fact, const llvm::BitVector &roles, bool meet);
  void solve();

  const IocGraph &g;
  GraphStructure &structure;
  const ConnectednessOptions &options;
  Connectedness &result;
  Steps &budget;
  const bool synchronous;

  std::vector<bool> isRepeated; ///< operations
  std::vector<Fact> facts;
  std::vector<uint32_t> factOf; ///< of each step
  /// Of the first node of a branch: the facts that taking another branch adds;
  /// of a way out of rounds, those that taking another round adds.
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> awaited, awaitedLater;
  llvm::DenseSet<uint32_t> rounds; ///< first nodes of branches that lead back
  /// Operations that are used on a way into a join since its fork.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, llvm::DenseSet<uint32_t>> used;
  std::vector<State> after;
};

/// Operations with two uses, or one that may come again or on several ways.
void GraphCausality::findRepeated() {
  isRepeated.assign(g.numOperations, false);
  std::vector<uint32_t> uses(g.numOperations);
  for (uint32_t n = 0; n < g.size(); ++n)
    if (g.kind(n) == GraphNodeKind::Step && !g.actions[n].isTau() &&
        ++uses[g.actions[n].operation] > 1)
      isRepeated[g.actions[n].operation] = true;
  // With a cycle everything counts.
  if (!isAcyclic(g.size(), [&](uint32_t n, auto visit) {
        llvm::for_each(g.successors(n), visit);
      })) {
    isRepeated.assign(g.numOperations, true);
    return;
  }
  // A step that two branches of a split lead to may come too early in one of
  // them, as its receiver may wait for it in the other one.
  GraphStructure::Region region;
  std::vector<uint32_t> split(g.size(), noNode);
  for (uint32_t n = 0; n < g.size() && budget; ++n)
    if (g.kind(n) == GraphNodeKind::Choice && g.successors(n).size() > 1)
      for (uint32_t branch : g.successors(n)) {
        structure.region(n, branch, region, budget);
        for (uint32_t x : region.steps) {
          --budget;
          if (split[x] == n && !g.actions[x].isTau())
            isRepeated[g.actions[x].operation] = true;
          split[x] = n;
        }
      }
}

void GraphCausality::findSplits() {
  std::vector<GraphStructure::Region> regions;
  for (uint32_t n = 0; n < g.size() && budget; ++n) {
    bool choice = g.kind(n) == GraphNodeKind::Choice;
    ArrayRef<uint32_t> branches = g.successors(n);
    if ((!choice && g.kind(n) != GraphNodeKind::Fork) || branches.size() < 2)
      continue;
    regions.resize(branches.size());
    for (size_t i = 0; i < branches.size(); ++i) {
      structure.region(n, branches[i], regions[i], budget);
    }
    findUnordered(n, regions);
    if (!choice)
      continue;
    bool anyRound = false;
    llvm::BitVector inRounds(g.numRoles);
    for (size_t i = 0; i < branches.size(); ++i) {
      if (!regions[i].again)
        continue;
      anyRound = true;
      rounds.insert(branches[i]);
      for (uint32_t x : regions[i].steps) {
        inRounds.set(g.actions[x].sender);
        inRounds.set(g.actions[x].receiver);
      }
    }
    for (size_t i = 0; i < branches.size(); ++i) {
      findAwaited(n, branches[i], anyRound && synchronous, nullptr);
      if (anyRound && !regions[i].again)
        findAwaited(n, branches[i], synchronous, &inRounds);
    }
  }
}

/// Two uses in two branches.
void GraphCausality::findUnordered(uint32_t split,
                                   ArrayRef<GraphStructure::Region> regions) {
  // The first use in each branch that is in no other one.
  llvm::DenseMap<uint32_t, uint32_t> branchesOf; // step to how many
  for (const GraphStructure::Region &region : regions) {
    budget -= region.steps.size();
    for (uint32_t x : region.steps)
      if (repeated(x))
        ++branchesOf[x];
  }
  llvm::DenseMap<uint32_t, std::pair<uint32_t, size_t>> firstUse;
  llvm::DenseSet<uint32_t> reported;
  for (size_t i = 0; i < regions.size(); ++i)
    for (uint32_t x : regions[i].steps) {
      if (!repeated(x) || branchesOf[x] != 1)
        continue;
      // Rounds and what comes after the last one are ordered.
      uint32_t operation = 2 * g.actions[x].operation + regions[i].again;
      auto [it, isNew] = firstUse.try_emplace(operation, std::pair(x, i));
      if (!isNew && it->second.second != i && reported.insert(operation).second)
        result.violations.push_back(
            {g.kind(split) == GraphNodeKind::Choice
                 ? ConnectednessRule::Exclusive
                 : ConnectednessRule::Parallel,
             IocPart::ofGraph(split),
             IocPart::ofGraph(std::min(it->second.first, x)),
             IocPart::ofGraph(std::max(it->second.first, x))});
    }
}

/// The receptions (and \p outputs) that are open at the beginning of a branch:
/// there is a way to them without a step of their role, before the branches
/// come together or (\p inRounds, the roles of rounds) anywhere before the
/// split comes again.
void GraphCausality::findAwaited(uint32_t split, uint32_t branch, bool outputs,
                                 const llvm::BitVector *inRounds) {
  uint32_t stop = inRounds ? noNode : structure.postdominator[split];
  if (branch == stop || branch == split)
    return;
  std::vector<uint32_t> &found = (inRounds ? awaitedLater : awaited)[branch];
  // All steps first, then what each role among them can come to.
  llvm::DenseSet<uint32_t> seen;
  std::vector<uint32_t> work;
  auto walk = [&](uint32_t role, auto visit) {
    seen.clear();
    seen.insert(branch);
    work.assign(1, branch);
    while (!work.empty() && budget) {
      uint32_t n = work.back();
      work.pop_back();
      --budget;
      if (g.kind(n) == GraphNodeKind::Step) {
        visit(n);
        if (role != noNode && g.actions[n].involves(role))
          continue;
      }
      for (uint32_t to : g.successors(n))
        if (to != stop && to != split && seen.insert(to).second)
          work.push_back(to);
    }
  };
  auto waits = [&](uint32_t n, uint32_t role) {
    return repeated(n) && (g.actions[n].receiver == role ||
                           (outputs && g.actions[n].sender == role));
  };
  std::vector<uint32_t> roles, open;
  walk(noNode, [&](uint32_t n) {
    for (uint32_t role : {g.actions[n].sender, g.actions[n].receiver})
      if (waits(n, role))
        roles.push_back(role);
  });
  llvm::sort(roles);
  roles.erase(std::unique(roles.begin(), roles.end()), roles.end());
  for (uint32_t role : roles) {
    if (!budget)
      return;
    open.clear();
    walk(role, [&](uint32_t n) {
      if (waits(n, role))
        open.push_back(n);
    });
    llvm::sort(open);
    for (uint32_t y : open) {
      found.push_back(static_cast<uint32_t>(facts.size()));
      facts.push_back(
          {g.actions[y].operation, y, role, inRounds && !inRounds->test(role)});
    }
  }
}

/// What is used on each way into a join, back to where its branches began.
void GraphCausality::findJoins() {
  for (uint32_t join = 0; join < g.size() && budget; ++join) {
    if (g.kind(join) != GraphNodeKind::Join)
      continue;
    for (uint32_t way : g.predecessors(join)) {
      llvm::DenseSet<uint32_t> seen{way};
      std::vector<uint32_t> work{way};
      auto &operations = used[{join, way}];
      while (!work.empty() && budget) {
        uint32_t n = work.back();
        work.pop_back();
        --budget;
        if (g.kind(n) == GraphNodeKind::Step && repeated(n))
          operations.insert(g.actions[n].operation);
        for (uint32_t from : g.predecessors(n))
          if (from != structure.dominator[join] && from != join &&
              seen.insert(from).second)
            work.push_back(from);
      }
    }
  }
}

/// A fact that comes in on one more way: known to those who know it on all
/// (\p meet), or on any.
void GraphCausality::add(State &to, uint32_t fact, const llvm::BitVector &roles,
                         bool meet) {
  auto it = llvm::lower_bound(
      to, fact, [](const Known &k, uint32_t f) { return k.fact < f; });
  --budget;
  if (it == to.end() || it->fact != fact) {
    budget -= static_cast<uint64_t>(to.end() - it) / 4; // what is behind moves
    to.insert(it, {fact, roles});
  } else if (meet)
    it->roles &= roles;
  else
    it->roles |= roles;
}

/// The facts before \p n.
void GraphCausality::before(uint32_t n, State &state) {
  state.clear();
  bool join = g.kind(n) == GraphNodeKind::Join && g.predecessors(n).size() > 1;
  llvm::BitVector nobody(g.numRoles);
  llvm::DenseSet<uint32_t> anywhere; // operations
  if (join)
    for (uint32_t way : g.predecessors(n))
      for (uint32_t operation : used[{n, way}])
        anywhere.insert(operation);
  for (uint32_t from : g.predecessors(n)) {
    if (!budget)
      return;
    for (const Known &known : after[from]) {
      uint32_t operation = facts[known.fact].operation;
      if (join && anywhere.contains(operation) &&
          !used[{n, from}].contains(operation))
        continue;
      add(state, known.fact, known.roles, !join);
    }
    --budget;
  }
  // What taking this branch leaves behind in the others. Splits are followed
  // by flows or steps of their own, so that there is one predecessor.
  if (g.predecessors(n).size() == 1 &&
      g.kind(g.predecessors(n)[0]) == GraphNodeKind::Choice) {
    for (uint32_t other : g.successors(g.predecessors(n)[0])) {
      if (other == n)
        continue;
      bool later = rounds.contains(n) && !rounds.contains(other);
      auto &map = later ? awaitedLater : awaited;
      if (auto it = map.find(other); it != map.end())
        for (uint32_t fact : it->second)
          add(state, fact, nobody, true);
    }
  }
}

void GraphCausality::take(uint32_t step, State &state, bool report) {
  const TermAction &x = g.actions[step];
  bool mine = repeated(step), reported = false;
  auto hand = [&](Known &known) {
    const Fact &fact = facts[known.fact];
    bool left = fact.role != noNode;
    // Whoever waited takes a step elsewhere: the reception is closed.
    if (left && fact.role == x.sender)
      known.roles.set(x.sender);
    if (mine && fact.operation == x.operation && report && !reported &&
        !(fact.mayWait && fact.step == step)) {
      bool output = left && fact.role == g.actions[fact.step].sender;
      bool safe =
          left ? known.roles.test(output ? x.receiver : x.sender)
               : known.roles.test(x.sender) && known.roles.test(x.receiver);
      if (!safe) {
        reported = true;
        result.violations.push_back({left ? ConnectednessRule::LeftBehind
                                          : ConnectednessRule::Causality,
                                     IocPart(), IocPart::ofGraph(fact.step),
                                     IocPart::ofGraph(step), fact.role});
      }
    }
    if (left && fact.role == x.receiver)
      known.roles.set(x.receiver);
    if (known.roles.test(x.sender))
      known.roles.set(x.receiver);
    else if (synchronous && known.roles.test(x.receiver))
      known.roles.set(x.sender);
  };
  for (Known &known : state)
    hand(known);
  if (!mine)
    return;
  llvm::erase_if(state, [&](const Known &known) {
    return facts[known.fact].operation == x.operation;
  });
  llvm::BitVector roles(g.numRoles);
  roles.set(x.receiver);
  if (synchronous)
    roles.set(x.sender);
  add(state, factOf[step], roles, true);
}

void GraphCausality::solve() {
  after.resize(g.size());
  std::vector<bool> reached;
  uint64_t bytes = 0, each = 32 + g.numRoles / 8;
  State state;
  flowForward(g, reached, [&](uint32_t n) -> std::optional<bool> {
    before(n, state);
    if (g.kind(n) == GraphNodeKind::Step)
      take(n, state, false);
    budget -= (state.size() + 1) * (1 + g.numRoles / 64);
    if (!budget)
      return std::nullopt;
    if (state == after[n])
      return false;
    bytes += state.size() * each;
    bytes -= after[n].size() * each;
    after[n] = state;
    if (bytes <= options.maxBytes)
      return true;
    result.gaveUp = true;
    return std::nullopt;
  });
}

void GraphCausality::run() {
  findRepeated();
  if (llvm::none_of(isRepeated, [](bool b) { return b; }))
    return;
  factOf.assign(g.size(), noNode);
  for (uint32_t n = 0; n < g.size(); ++n)
    if (g.kind(n) == GraphNodeKind::Step && repeated(n)) {
      factOf[n] = static_cast<uint32_t>(facts.size());
      facts.push_back({g.actions[n].operation, n});
    }
  findSplits();
  findJoins();
  solve();
  if (result.gaveUp || !budget)
    return;
  State state;
  for (uint32_t n = 0; n < g.size() && budget; ++n)
    if (g.kind(n) == GraphNodeKind::Step && repeated(n)) {
      before(n, state);
      take(n, state, true);
    }
}

} // namespace

void cif::checkGraphCausality(const IocGraph &graph, GraphStructure &structure,
                              const ConnectednessOptions &options,
                              Connectedness &result, Steps &budget) {
  GraphCausality(graph, structure, options, result, budget).run();
}
