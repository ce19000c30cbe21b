//===- SenderConnected.cpp - Who sends has seen what comes before ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The graph is read as a net with a place before each node (for a join, one
/// for each incoming flow). The owners of a token are the senders of the steps
/// that it can reach next. docs/algorithms.md proves that under these
/// conditions the projection sends what the choreography says, under every
/// network:
///
/// - every owner of a token that a step makes takes part in the step;
/// - the token before a choice has at most one owner;
/// - steps with the same message make the same tokens for their receiver, or
///   the number of earlier uses determines which.
///
/// Differs from [iocpoc], Def. 5.1 and 5.2 for `sender`: a role that occurs in
/// only one branch of a choice need not learn of the others, rounds of a loop
/// need no common end, messages are identified by their roles too, and parallel
/// branches need not be nested. Less is guaranteed: traces, not bisimilarity.
///
/// Time: linear, because a node has at most four sets of owners; for messages
/// that are used in several ways, one walk for each use.
///
//===----------------------------------------------------------------------===//

#include "cif/Calculus/SenderConnected.h"
#include "GraphConnectedness.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace cif;

namespace {

constexpr uint32_t nobody = TermAction::none;

/// None, one, two or many roles, each with a step that it may send.
struct Owners {
  uint32_t role[2] = {nobody, nobody};
  uint32_t step[2] = {nobody, nobody};
  bool many = false;

  bool empty() const { return role[0] == nobody; }
  bool single() const { return role[1] == nobody; }
  bool contains(uint32_t who) const {
    return many || role[0] == who || role[1] == who;
  }
  /// Whether that changed anything.
  bool add(uint32_t who, uint32_t by) {
    if (who == nobody || contains(who))
      return false;
    unsigned at = empty() ? 0 : 1;
    if (role[at] != nobody)
      return many = true;
    role[at] = who;
    step[at] = by;
    return true;
  }
  bool add(const Owners &other) {
    bool changed = false;
    for (unsigned i : {0u, 1u})
      changed |= add(other.role[i], other.step[i]);
    changed |= other.many && !many;
    many |= other.many;
    return changed;
  }
};

class Connection {
public:
  Connection(const IocGraph &graph, Budget &steps, SenderEvidence *shown,
             size_t mostFlaws = 1)
      : g(graph), budget(steps), evidence(shown), most(mostFlaws),
        owners(graph.size()) {}

  /// The flaws, at most as many as asked for.
  std::vector<SenderConnection> run() {
    if (!g.calls.empty() || !g.beside.empty() || !g.races.empty() || g.open)
      return {{SenderConnection::Foreign}};
    findOwners();
    for (uint32_t n = 0; n < g.size() && !hasEnough() && !budget.spend(); ++n)
      if (isStep(n))
        checkStep(n);
      else if (isChoice(n) && !owners[n].single())
        found.push_back(
            {SenderConnection::Deciders, owners[n].step[0], owners[n].step[1]});
    if (!hasEnough() && !budget.stopped())
      checkReuse();
    if (found.empty() && evidence)
      showOwners();
    if (budget.stopped())
      return {{SenderConnection::GaveUp}};
    return std::move(found);
  }

private:
  bool hasEnough() const { return found.size() >= most; }
  bool isStep(uint32_t n) const {
    return g.kind(n) == GraphNodeKind::Step && !g.actions[n].isTau();
  }
  bool isChoice(uint32_t n) const {
    return g.kind(n) == GraphNodeKind::Choice && g.successors(n).size() > 1;
  }

  void findOwners();
  void checkStep(uint32_t n);
  void checkReuse();
  bool tokensFor(uint32_t step, SmallVectorImpl<uint64_t> &tokens);
  bool areCounted(ArrayRef<uint32_t> steps, ArrayRef<uint32_t> kinds);
  bool areNested();
  bool findLines(const llvm::BitVector &isUse);
  bool onlyNext(uint32_t from, const llvm::BitVector &isUse,
                ArrayRef<uint32_t> kindOf, uint32_t &next);
  void showOwners();
  void showCount(uint32_t use, ArrayRef<uint32_t> kindOf);

  const IocGraph &g;
  Budget &budget;
  SenderEvidence *evidence;
  size_t most;                ///< flaws to look for
  std::vector<Owners> owners; ///< of the tokens before each node
  std::vector<SenderConnection> found;
  std::optional<GraphStructure> structure;
  /// Steps that walks may take: with many uses of many messages a search may
  /// be faster.
  uint64_t walk = 5'000'000;
  /// Of each fork: the branch with uses of the message that is looked at; where
  /// there is none, where all branches come together.
  llvm::DenseMap<uint32_t, uint32_t> lineOf;
};
} // namespace

/// The least solution, from the steps backwards.
void Connection::findOwners() {
  std::vector<uint32_t> work;
  for (uint32_t n = 0; n < g.size(); ++n)
    if (isStep(n)) {
      owners[n].add(g.actions[n].sender, n);
      work.push_back(n);
    }
  while (!work.empty()) {
    uint32_t n = work.back();
    work.pop_back();
    for (uint32_t before : g.predecessors(n)) {
      if (budget.spend())
        return;
      if (!isStep(before) && owners[before].add(owners[n]))
        work.push_back(before);
    }
  }
}

void Connection::checkStep(uint32_t n) {
  const TermAction &x = g.actions[n];
  for (uint32_t next : g.successors(n))
    for (unsigned i : {0u, 1u})
      if (uint32_t who = owners[next].role[i];
          owners[next].many || (who != nobody && !x.involves(who))) {
        bool mine = x.involves(owners[next].role[i]);
        found.push_back(
            {SenderConnection::Untold, n, owners[next].step[mine ? 1 : i]});
        return;
      }
}

/// The tokens that \p step makes for its receiver, sorted: where they are, and
/// by which way they came to a join. What is passed without a choice is passed.
bool Connection::tokensFor(uint32_t step, SmallVectorImpl<uint64_t> &tokens) {
  uint32_t who = g.actions[step].receiver;
  SmallVector<std::pair<uint32_t, uint32_t>, 8> work; // node, and from where
  auto put = [&](uint32_t from) {
    for (uint32_t to : g.successors(from))
      if (owners[to].contains(who))
        work.push_back({to, from});
  };
  put(step);
  size_t passed = 0;
  while (!work.empty()) {
    auto [n, from] = work.pop_back_val();
    bool join =
        g.kind(n) == GraphNodeKind::Join && g.predecessors(n).size() > 1;
    if (join || isStep(n) || isChoice(n)) {
      tokens.push_back(uint64_t(n) << 32 | (join ? from : 0));
      continue;
    }
    // A fork that leads back to itself makes tokens without end.
    if (++passed > 4 * g.size() || budget.spend())
      return false;
    put(n);
  }
  llvm::sort(tokens);
  return true;
}

/// Whether every fork has its join, and every join its fork. Then what happens
/// in the branches of two forks, or before or after them, is ordered.
bool Connection::areNested() {
  if (!structure)
    structure.emplace(g, budget);
  if (budget.stopped() || !structure->nested())
    return false;
  for (uint32_t n = 0; n < g.size() && !budget.spend(); ++n)
    if (g.kind(n) == GraphNodeKind::Fork) {
      uint32_t join = structure->postdominator[n];
      if (join >= g.size() || g.kind(join) != GraphNodeKind::Join ||
          structure->dominator[join] != n ||
          g.predecessors(join).size() != g.successors(n).size())
        return false;
    }
  return true;
}

/// Finds the one branch of each fork with uses of a message; false: there are
/// two, which are not ordered.
bool Connection::findLines(const llvm::BitVector &isUse) {
  lineOf.clear();
  llvm::DenseSet<uint32_t> seen;
  std::vector<uint32_t> work;
  for (uint32_t fork = 0; fork < g.size(); ++fork) {
    if (g.kind(fork) != GraphNodeKind::Fork)
      continue;
    uint32_t join = structure->postdominator[fork], line = join;
    for (uint32_t branch : g.successors(fork)) {
      seen.clear();
      work.assign(1, branch);
      bool used = false;
      while (!work.empty() && !used) {
        uint32_t n = work.back();
        work.pop_back();
        if (budget.spend() || --walk == 0)
          return false;
        if (n == join || !seen.insert(n).second)
          continue;
        used = isUse.test(n);
        llvm::append_range(work, g.successors(n));
      }
      if (used && line != join)
        return false;
      if (used)
        line = branch;
    }
    lineOf[fork] = line;
  }
  return true;
}

/// Whether all uses that may come next behind \p from are of one kind, \p next
/// where that is known already.
bool Connection::onlyNext(uint32_t from, const llvm::BitVector &isUse,
                          ArrayRef<uint32_t> kindOf, uint32_t &next) {
  llvm::DenseSet<uint32_t> seen;
  std::vector<uint32_t> work;
  auto leave = [&](uint32_t n) {
    if (g.kind(n) == GraphNodeKind::Fork)
      work.push_back(lineOf[n]);
    else
      llvm::append_range(work, g.successors(n));
  };
  leave(from);
  while (!work.empty()) {
    uint32_t n = work.back();
    work.pop_back();
    if (budget.spend() || --walk == 0)
      return false;
    if (!seen.insert(n).second)
      continue;
    if (!isUse.test(n)) {
      leave(n);
      continue;
    }
    if (next != nobody && next != kindOf[n])
      return false;
    next = kindOf[n];
  }
  return true;
}

/// Whether the k-th use of a message is of one kind in every run, for each k:
/// the uses are ordered, and each kind is followed by one kind.
bool Connection::areCounted(ArrayRef<uint32_t> steps,
                            ArrayRef<uint32_t> kinds) {
  if (!areNested())
    return false;
  llvm::BitVector isUse(g.size());
  std::vector<uint32_t> kindOf(g.size(), nobody);
  for (size_t i = 0; i < steps.size(); ++i) {
    isUse.set(steps[i]);
    kindOf[steps[i]] = kinds[i];
  }
  if (!findLines(isUse))
    return false;
  std::vector<uint32_t> nextOf(steps.size(), nobody); // by kind
  for (uint32_t step : steps)
    if (!onlyNext(step, isUse, kindOf, nextOf[kindOf[step]]))
      return false;
  uint32_t first = isUse.test(0) ? kindOf[0] : nobody;
  if (first == nobody && !onlyNext(0, isUse, kindOf, first))
    return false;
  if (evidence)
    showCount(steps[0], kindOf);
  return true;
}

/// The next use along the one branch of each fork that leads to it; of branches
/// without uses the first one is taken.
void Connection::showCount(uint32_t use, ArrayRef<uint32_t> kindOf) {
  llvm::BitVector seen(g.size());
  std::vector<uint32_t> order{0};
  seen.set(0);
  auto branchOf = [&](uint32_t n) {
    ArrayRef<uint32_t> all = g.successors(n);
    if (g.kind(n) != GraphNodeKind::Fork)
      return all;
    const uint32_t *line = llvm::find(all, lineOf[n]);
    return ArrayRef<uint32_t>(line == all.end() ? all.begin() : line, 1);
  };
  for (size_t i = 0; i < order.size() && !budget.spend(); ++i)
    for (uint32_t to : branchOf(order[i]))
      if (!seen.test(to)) {
        seen.set(to);
        order.push_back(to);
      }
  SenderEvidence::Count count{use, std::vector<uint32_t>(g.size(), nobody)};
  std::vector<uint32_t> work;
  for (uint32_t n : order)
    if (kindOf[n] != nobody) {
      count.kind[n] = kindOf[n];
      work.push_back(n);
    }
  while (!work.empty() && !budget.spend()) {
    uint32_t n = work.back();
    work.pop_back();
    for (uint32_t before : g.predecessors(n))
      if (seen.test(before) && count.kind[before] == nobody &&
          llvm::is_contained(branchOf(before), n)) {
        count.kind[before] = count.kind[n];
        work.push_back(before);
      }
  }
  evidence->counts.push_back(std::move(count));
}

void Connection::showOwners() {
  evidence->next.resize(g.size());
  for (uint32_t n = 0; n < g.size(); ++n) {
    SmallVector<uint32_t, 2> &steps = evidence->next[n];
    for (uint32_t step : owners[n].step)
      if (step != nobody && !owners[n].many)
        steps.push_back(step);
    if (!owners[n].many)
      continue;
    // Only before the first step: all who can be the first to send.
    llvm::DenseSet<uint32_t> seen, senders;
    std::vector<uint32_t> work{n};
    while (!work.empty() && !budget.spend()) {
      uint32_t at = work.back();
      work.pop_back();
      if (!seen.insert(at).second)
        continue;
      if (!isStep(at))
        llvm::append_range(work, g.successors(at));
      else if (senders.insert(g.actions[at].sender).second)
        steps.push_back(at);
    }
  }
}

void Connection::checkReuse() {
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, uint32_t> numbers;
  std::vector<SmallVector<uint32_t, 2>> uses; // of each message
  for (uint32_t n = 0; n < g.size() && !budget.spend(); ++n) {
    if (!isStep(n))
      continue;
    const TermAction &x = g.actions[n];
    auto [at, isNew] = numbers.try_emplace(
        {uint64_t(x.sender) << 32 | x.receiver, x.operation},
        static_cast<uint32_t>(uses.size()));
    if (isNew)
      uses.emplace_back();
    uses[at->second].push_back(n);
  }
  for (ArrayRef<uint32_t> steps : uses) {
    if (steps.size() < 2 || budget.stopped() || hasEnough())
      continue;
    std::vector<SmallVector<uint64_t, 2>> made;
    std::vector<uint32_t> kinds;
    uint32_t other = nobody; // the first one of another kind
    for (uint32_t n : steps) {
      SmallVector<uint64_t, 2> mine;
      if (!tokensFor(n, mine)) {
        found.push_back({SenderConnection::Reused, steps[0], n});
        return;
      }
      auto same = llvm::find(made, mine);
      kinds.push_back(static_cast<uint32_t>(same - made.begin()));
      if (kinds.back() && other == nobody)
        other = n;
      if (same == made.end())
        made.push_back(std::move(mine));
    }
    if (made.size() > 1 && !areCounted(steps, kinds))
      found.push_back({SenderConnection::Reused, steps[0], other});
  }
}

SenderConnection cif::findSenderConnection(const IocGraph &graph,
                                           Budget &budget,
                                           SenderEvidence *evidence) {
  std::vector<SenderConnection> flaws =
      Connection(graph, budget, evidence).run();
  return flaws.empty() ? SenderConnection() : flaws.front();
}

std::vector<SenderConnection>
cif::findSenderFlaws(const IocGraph &graph, Budget &budget, size_t most) {
  return Connection(graph, budget, nullptr, most).run();
}
