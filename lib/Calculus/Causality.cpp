//===- Causality.cpp - Uses of one operation that do not mix up -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Causality-safety. Implements: [iocpoc], Defs. 4.4, 4.5 and 5.2 if
/// `published`; otherwise the same for each resolution of the choices, as
/// Theorem 5.1 requires (docs/connectedness.md has the counterexample).
///
/// A message may be received by any reception of its operation. So of two
/// interactions i, j on one operation, the first one must be over before the
/// message of the second one is sent and before its reception is open: r_i <=
/// s_j and s_i <= r_j. Both causality relations are orders along `;`, so if i
/// is safe for j and j is safe for k, then i is safe for k. Hence it is
/// sufficient to compare each use of an operation with the last uses before it,
/// in one walk over the term, with the knowledge of each role as a row of bits:
///
/// - a fact `i is over` is known to the receiver of i (and to the sender if
///   communication is synchronous). An interaction passes on what its sender
///   knows to its receiver (synchronous: to both);
/// - after `I || J` a role knows what it knew at the end of I or of J;
/// - after a choice it knows what it knows after each branch; facts of an
///   operation that is used within a branch do not matter there;
/// - published: after a choice as after `||`, including what holds only in
///   branches that were not taken;
/// - an interaction i in a branch that was not taken may leave its reception
///   open at b until b takes a step in another branch or after the choice: b
///   knows the fact `b left` at that step, and the sender of the next use
///   must know it.
///
/// If branches inform different roles, and what follows makes up for that, the
/// knowledge common to all branches is less than the knowledge in each run: the
/// check is conservative. GraphCausality.cpp checks terms with loops.
///
/// Differs from naive closure of the relation only in cost: one bit for each
/// fact and role instead of one for each pair of events.
///
//===----------------------------------------------------------------------===//

#include "cif/Calculus/Connectedness.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace cif;

namespace {

/// A set of facts; as long as its last word that was ever set.
class Row {
public:
  bool test(uint32_t bit) const {
    return bit / 64 < words.size() && (words[bit / 64] >> (bit % 64) & 1);
  }
  void set(uint32_t bit) {
    grow(bit / 64 + 1);
    words[bit / 64] |= uint64_t(1) << (bit % 64);
  }
  void reset(uint32_t bit) {
    if (bit / 64 < words.size())
      words[bit / 64] &= ~(uint64_t(1) << (bit % 64));
  }
  void unite(const Row &other) {
    grow(other.words.size());
    for (size_t i = 0; i < other.words.size(); ++i)
      words[i] |= other.words[i];
  }
  /// Intersects the bits below \p split with \p other and \p always, unites
  /// those from \p split on.
  void meet(const Row &other, const Row &always, uint32_t split) {
    grow(other.words.size());
    for (size_t i = 0; i < words.size(); ++i) {
      uint64_t low = i < split / 64    ? ~uint64_t(0)
                     : i == split / 64 ? (uint64_t(1) << (split % 64)) - 1
                                       : 0;
      uint64_t from = other.word(i);
      words[i] = (words[i] & (from | always.word(i)) & low) |
                 ((words[i] | from) & ~low);
    }
  }
  bool empty() const { return words.empty(); }
  size_t bytes() const { return words.size() * sizeof(uint64_t); }

private:
  uint64_t word(size_t i) const { return i < words.size() ? words[i] : 0; }
  void grow(size_t size) {
    if (size > words.size())
      words.resize(size);
  }
  std::vector<uint64_t> words;
};

/// A reception that a role may have open when it stands before a term.
struct Awaited {
  uint32_t operation, role;
  TermId id;
};

/// For each choice, what its branches await.
class AwaitedReceptions {
public:
  AwaitedReceptions(const Term &term, ArrayRef<uint32_t> uses);
  bool fits(uint64_t bytes) const { return stored < bytes / sizeof(Awaited); }
  ArrayRef<Awaited> of(TermId choice) const {
    auto it = ofChoice.find(choice.index());
    return it == ofChoice.end() ? ArrayRef<Awaited>() : ArrayRef(it->second);
  }

private:
  llvm::DenseMap<uint32_t, std::vector<Awaited>> ofChoice;
  uint64_t stored = 0;
};

AwaitedReceptions::AwaitedReceptions(const Term &term,
                                     ArrayRef<uint32_t> uses) {
  constexpr uint64_t most = uint64_t(1) << 27; // then fits() says no
  std::vector<std::vector<Awaited>> awaited(term.size());
  std::vector<llvm::SmallDenseSet<uint32_t, 4>> roles(term.size());
  for (size_t i = 0; i < term.size() && stored < most; ++i) {
    const TermNode &node = term.nodes[i];
    if (node.kind == TermKind::Action || node.kind == TermKind::Tau) {
      const TermAction &x = node.action;
      roles[i].insert(x.sender);
      roles[i].insert(x.receiver);
      if (!x.isTau() && uses[x.operation] > 1)
        awaited[i].push_back({x.operation, x.receiver, TermId(i)});
      continue;
    }
    for (TermId c = node.firstChild; c; c = term[c].nextSibling) {
      auto &mine = awaited[i], &its = awaited[c.index()];
      if (node.kind == TermKind::Sequence && !roles[i].empty())
        llvm::erase_if(
            its, [&](const Awaited &a) { return roles[i].contains(a.role); });
      if (its.size() > mine.size())
        std::swap(mine, its);
      mine.insert(mine.end(), its.begin(), its.end());
      its = {};
      if (roles[c.index()].size() > roles[i].size())
        std::swap(roles[i], roles[c.index()]);
      roles[i].insert(roles[c.index()].begin(), roles[c.index()].end());
      roles[c.index()] = {};
    }
    // One reception for each role and operation is enough.
    if (node.kind == TermKind::Choice && !awaited[i].empty()) {
      llvm::sort(awaited[i], [](const Awaited &x, const Awaited &y) {
        return std::tie(x.operation, x.role, x.id) <
               std::tie(y.operation, y.role, y.id);
      });
      awaited[i].erase(llvm::unique(awaited[i],
                                    [](const Awaited &x, const Awaited &y) {
                                      return x.operation == y.operation &&
                                             x.role == y.role;
                                    }),
                       awaited[i].end());
      ofChoice[static_cast<uint32_t>(i)] = awaited[i];
      stored += awaited[i].size();
    }
  }
}

class CausalityWalk {
public:
  CausalityWalk(const Term &term, const ConnectednessOptions &options,
                Connectedness &result)
      : term(term), options(options), result(result),
        synchronous(options.semantics == IocSemantics::Synchronous),
        rows(term.numRoles), leaving(term.numRoles), live(term.numOperations),
        uses(term.numOperations) {}

  void run();

private:
  struct Fact {
    uint32_t operation;
    TermId of; ///< the interaction that is over, or whose reception is closed
    bool left; ///< `b left`, else `i is over`
  };
  struct RoleChange {
    Row entry, merged;
    SmallVector<uint32_t, 2> branches; ///< in which it learnt something
  };
  struct Use {
    SmallVector<uint32_t, 2> entry, merged; ///< live facts
    SmallVector<TermId, 2> users;           ///< the first one of each branch
    uint32_t lastBranch = 0;
  };
  /// An open `||` or choice.
  struct Fork {
    TermId id;
    bool resolves; ///< a choice, not as published
    uint32_t branch = 0;
    uint32_t firstInner = 0; ///< the first fact that was made within
    llvm::DenseMap<uint32_t, RoleChange> roles;
    llvm::DenseMap<uint32_t, Use> operations;
    std::vector<uint32_t> touchedRoles, touchedOperations; ///< by this branch
    std::vector<std::pair<uint32_t, Row>> irrelevant;      ///< branch, facts
    SmallVector<uint32_t, 2> left; ///< facts of this choice
    size_t leavingBegin = 0;
    std::vector<std::pair<uint32_t, uint32_t>> leavingInner;
  };

  void act(TermId id);
  void enter(TermId id);
  void endBranch();
  void leave();
  void touchRole(uint32_t role);
  void touchOperation(uint32_t operation, TermId user);
  void report(ConnectednessRule rule, TermId at, TermId first, TermId second) {
    result.violations.push_back({rule, at, first, second});
  }
  uint32_t makeFact(Fact fact) {
    facts.push_back(fact);
    return static_cast<uint32_t>(facts.size() - 1);
  }

  const Term &term;
  const ConnectednessOptions &options;
  Connectedness &result;
  const bool synchronous;

  std::vector<Fact> facts;
  std::vector<Row> rows;    ///< what each role knows
  std::vector<Row> leaving; ///< what it makes true by its next step
  std::vector<std::pair<uint32_t, uint32_t>> leavingOrder; ///< role, fact
  std::vector<SmallVector<uint32_t, 2>> live; ///< what the next use must know
  std::vector<uint32_t> uses;
  std::vector<Fork> forks;
  std::optional<AwaitedReceptions> awaited;
};

void CausalityWalk::run() {
  bool anyShared = false, anyChoice = false;
  for (size_t i = 0; i < term.size(); ++i) {
    anyChoice |= term.nodes[i].kind == TermKind::Choice;
    if (term.nodes[i].kind == TermKind::Action)
      anyShared |= ++uses[term.nodes[i].action.operation] > 1;
  }
  if (!anyShared)
    return;
  if (anyChoice && !options.published) {
    awaited.emplace(term, uses);
    if (!awaited->fits(options.maxBytes)) {
      result.gaveUp = true;
      return;
    }
  }

  struct Visit {
    TermId id, next;
  };
  std::vector<Visit> path{{term.root(), term[term.root()].firstChild}};
  auto isFork = [&](TermId id) {
    return term[id].kind == TermKind::Parallel ||
           term[id].kind == TermKind::Choice;
  };
  auto begin = [&](TermId id) {
    if (isFork(id))
      enter(id);
    else if (term[id].kind == TermKind::Action ||
             term[id].kind == TermKind::Tau)
      act(id);
  };
  begin(path.back().id);
  Budget budget(options.limits);
  while (!path.empty() && !result.gaveUp) {
    if (budget.spend(1 + term.numRoles / 16 + uses.size() / 64)) {
      result.gaveUp = true;
      result.limit = budget.limit();
      return;
    }
    Visit &visit = path.back();
    if (isFork(visit.id) && visit.next != term[visit.id].firstChild)
      endBranch();
    if (!visit.next) {
      if (isFork(visit.id))
        leave();
      path.pop_back();
      continue;
    }
    TermId child = visit.next;
    visit.next = term[child].nextSibling;
    path.push_back({child, term[child].firstChild});
    begin(child);
  }
}

/// Keeps what \p role knew before this branch; call it before the row changes.
void CausalityWalk::touchRole(uint32_t role) {
  if (forks.empty())
    return;
  Fork &fork = forks.back();
  auto [it, isNew] = fork.roles.try_emplace(role);
  if (isNew)
    it->second.entry = rows[role];
  auto &branches = it->second.branches;
  if (branches.empty() || branches.back() != fork.branch) {
    branches.push_back(fork.branch);
    fork.touchedRoles.push_back(role);
  }
}

void CausalityWalk::touchOperation(uint32_t operation, TermId user) {
  if (forks.empty())
    return;
  Fork &fork = forks.back();
  auto [it, isNew] = fork.operations.try_emplace(operation);
  Use &use = it->second;
  if (isNew)
    use.entry = live[operation];
  if (isNew || use.lastBranch != fork.branch) {
    use.lastBranch = fork.branch;
    use.users.push_back(user);
    fork.touchedOperations.push_back(operation);
  }
}

void CausalityWalk::act(TermId id) {
  const TermAction &x = term.action(id);
  bool shared = !x.isTau() && uses[x.operation] > 1;
  touchRole(x.sender);
  touchRole(x.receiver);
  Row &sender = rows[x.sender], &receiver = rows[x.receiver];
  sender.unite(leaving[x.sender]);
  if (shared) {
    for (uint32_t f : live[x.operation]) {
      const Fact &fact = facts[f];
      if (sender.test(f) && (fact.left || receiver.test(f)))
        continue;
      report(fact.left ? ConnectednessRule::LeftBehind
                       : ConnectednessRule::Causality,
             TermId(), fact.of, id);
      break;
    }
  }
  receiver.unite(leaving[x.receiver]);
  receiver.unite(sender);
  if (synchronous && x.sender != x.receiver)
    sender.unite(receiver);
  if (!shared)
    return;
  touchOperation(x.operation, id);
  uint32_t over = makeFact({x.operation, id, false});
  receiver.set(over);
  if (synchronous)
    sender.set(over);
  live[x.operation] = {over};
  // All rows have about as many words as there are facts.
  if (uint64_t(facts.size()) / 8 * term.numRoles > options.maxBytes)
    result.gaveUp = true;
}

void CausalityWalk::enter(TermId id) {
  Fork fork;
  fork.id = id;
  fork.resolves = term[id].kind == TermKind::Choice && !options.published;
  if (fork.resolves && awaited)
    for (const Awaited &a : awaited->of(id)) {
      uint32_t fact = makeFact({a.operation, a.id, true});
      fork.left.push_back(fact);
      leaving[a.role].set(fact);
      leavingOrder.push_back({a.role, fact});
    }
  fork.firstInner = static_cast<uint32_t>(facts.size());
  fork.leavingBegin = leavingOrder.size();
  forks.push_back(std::move(fork));
}

/// Puts everything back as it was before the branch, and its outcome aside.
void CausalityWalk::endBranch() {
  Fork &fork = forks.back();
  Row irrelevant;
  if (fork.resolves) {
    for (uint32_t operation : fork.touchedOperations)
      for (uint32_t f : fork.operations[operation].entry)
        irrelevant.set(f);
    for (uint32_t f : fork.left)
      if (auto it = fork.operations.find(facts[f].operation);
          it != fork.operations.end() && it->second.lastBranch == fork.branch)
        irrelevant.set(f);
  }
  for (uint32_t role : fork.touchedRoles) {
    RoleChange &change = fork.roles[role];
    if (!fork.resolves) {
      change.merged.unite(rows[role]);
    } else if (change.branches.size() == 1) {
      change.merged = rows[role];
      change.merged.unite(irrelevant);
    } else {
      change.merged.meet(rows[role], irrelevant, fork.firstInner);
    }
    rows[role] = change.entry;
  }
  fork.touchedRoles.clear();
  for (uint32_t operation : fork.touchedOperations) {
    Use &use = fork.operations[operation];
    use.merged.append(live[operation].begin(), live[operation].end());
    live[operation] = use.entry;
  }
  fork.touchedOperations.clear();
  if (!irrelevant.empty())
    fork.irrelevant.emplace_back(fork.branch, std::move(irrelevant));
  // Choices within this branch are no business of its siblings.
  while (leavingOrder.size() > fork.leavingBegin) {
    auto [role, fact] = leavingOrder.back();
    leaving[role].reset(fact);
    fork.leavingInner.push_back(leavingOrder.back());
    leavingOrder.pop_back();
  }
  ++fork.branch;
}

void CausalityWalk::leave() {
  Fork fork = std::move(forks.back());
  forks.pop_back();
  for (auto &[role, change] : fork.roles) {
    if (fork.resolves) {
      // Both lists are in the order of the branches.
      size_t changedPlain = change.branches.size();
      for (auto &[branch, facts] : fork.irrelevant) {
        if (std::binary_search(change.branches.begin(), change.branches.end(),
                               branch))
          --changedPlain;
        else
          change.merged.meet(change.entry, facts, fork.firstInner);
      }
      if (changedPlain < fork.branch - fork.irrelevant.size())
        change.merged.meet(change.entry, Row(), fork.firstInner);
    }
    touchRole(role);
    rows[role] = std::move(change.merged);
  }
  bool isChoice = term[fork.id].kind == TermKind::Choice;
  // In the order of the first users, for the sake of the report.
  std::vector<std::pair<TermId, uint32_t>> used;
  for (auto &[operation, use] : fork.operations)
    used.emplace_back(use.users.front(), operation);
  llvm::sort(used);
  for (auto &[user, operation] : used) {
    Use &use = fork.operations[operation];
    if (use.users.size() > 1)
      report(isChoice ? ConnectednessRule::Exclusive
                      : ConnectednessRule::Parallel,
             fork.id, use.users[0], use.users[1]);
    touchOperation(operation, user);
    live[operation] = std::move(use.merged);
    if (fork.resolves && use.users.size() < fork.branch)
      live[operation].append(use.entry.begin(), use.entry.end());
    if (fork.resolves && use.users.size() == 1)
      for (uint32_t f : fork.left)
        if (facts[f].operation == operation)
          live[operation].push_back(f);
  }
  for (auto [role, fact] : fork.leavingInner) {
    leaving[role].set(fact);
    leavingOrder.push_back({role, fact});
  }
}

} // namespace

void cif::checkCausality(const Term &term, const ConnectednessOptions &options,
                         Connectedness &result) {
  CausalityWalk(term, options, result).run();
}
