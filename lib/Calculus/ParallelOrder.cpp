//===- ParallelOrder.cpp - Parallel branches that keep an order -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: the condition on parallel branches of docs/algorithms.md,
/// "Implementable, with parallel branches". Time: for each branch quadratic in
/// the participants that it has in common with others, otherwise linear for
/// each level of nesting; within a budget.
///
//===----------------------------------------------------------------------===//

#include "cif/Calculus/ParallelOrder.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

namespace {

/// The branches of one parallel composition, by who takes part in several.
class Branches {
public:
  Branches(const Term &of, Budget &within) : term(of), budget(within) {}

  /// Adds the branches of \p parallel, and of those beside each other in it.
  bool add(TermId parallel);
  /// Whether everyone in several branches only sends in them, or only receives.
  bool areOneWay() const;
  /// Whether no way leads in a circle from branch to branch.
  bool haveNoCircle();

private:
  /// A participant in a branch: between which items of its sequence, and how.
  struct Stay {
    uint32_t role, branch, first, last;
    bool sends, receives;
    uint32_t ways = 0; ///< to stays of the branch from which ways lead on
    bool leadsOn = true;
  };
  bool addBranch(TermId root);
  void keepShared();
  bool countWays();
  /// The branch may be entered by one and left by the other.
  static bool isWay(const Stay &from, const Stay &to) {
    return from.role != to.role && from.first <= to.last;
  }
  MutableArrayRef<Stay> stay(uint32_t branch) {
    return MutableArrayRef(stays).slice(begin[branch],
                                        begin[branch + 1] - begin[branch]);
  }

  const Term &term;
  Budget &budget;
  std::vector<Stay> stays;     ///< branch by branch
  std::vector<uint32_t> begin; ///< of each branch in `stays`
  llvm::DenseMap<uint32_t, SmallVector<uint32_t, 4>> ofRole;
  llvm::DenseMap<uint32_t, uint32_t> leaving; ///< stays with ways, by role
};

} // namespace

bool Branches::add(TermId parallel) {
  SmallVector<TermId, 8> work{parallel};
  while (!work.empty()) {
    TermId id = work.pop_back_val();
    if (term[id].kind == TermKind::Parallel)
      llvm::append_range(work, term.children(id));
    else if (!addBranch(id))
      return false;
  }
  keepShared();
  return true;
}

bool Branches::addBranch(TermId root) {
  llvm::DenseMap<uint32_t, uint32_t> at;
  const auto branch = static_cast<uint32_t>(begin.size());
  begin.push_back(static_cast<uint32_t>(stays.size()));
  SmallVector<TermId, 8> items{root};
  if (term[root].kind == TermKind::Sequence)
    items = term.children(root);
  for (uint32_t item = 0; item < items.size(); ++item) {
    SmallVector<TermId, 8> work{items[item]};
    while (!work.empty()) {
      TermId id = work.pop_back_val();
      if (budget.spend())
        return false;
      llvm::append_range(work, term.children(id));
      if (term[id].kind != TermKind::Action)
        continue;
      const TermAction &x = term.action(id);
      for (uint32_t role : {x.sender, x.receiver}) {
        auto [known, isNew] = at.try_emplace(role, stays.size());
        if (isNew)
          stays.push_back({role, branch, item, item, false, false});
        Stay &here = stays[known->second];
        here.last = item;
        here.sends |= role == x.sender;
        here.receives |= role == x.receiver;
      }
    }
  }
  return true;
}

void Branches::keepShared() {
  llvm::DenseMap<uint32_t, uint32_t> branches;
  for (const Stay &s : stays)
    ++branches[s.role];
  std::vector<Stay> kept;
  std::vector<uint32_t> keptBegin;
  begin.push_back(static_cast<uint32_t>(stays.size()));
  for (uint32_t b = 0; b + 1 < begin.size(); ++b) {
    keptBegin.push_back(static_cast<uint32_t>(kept.size()));
    for (const Stay &s : stay(b))
      if (branches[s.role] > 1) {
        ofRole[s.role].push_back(static_cast<uint32_t>(kept.size()));
        kept.push_back(s);
      }
  }
  keptBegin.push_back(static_cast<uint32_t>(kept.size()));
  stays = std::move(kept);
  begin = std::move(keptBegin);
}

bool Branches::areOneWay() const {
  return llvm::all_of(ofRole, [&](const auto &role) {
    auto nobody = [&](bool Stay::*does) {
      return llvm::none_of(role.second,
                           [&](uint32_t s) { return stays[s].*does; });
    };
    return nobody(&Stay::sends) || nobody(&Stay::receives);
  });
}

bool Branches::countWays() {
  for (Stay &from : stays) {
    MutableArrayRef<Stay> beside = stay(from.branch);
    if (budget.spend(beside.size()))
      return false;
    from.ways = static_cast<uint32_t>(llvm::count_if(
        beside, [&](const Stay &to) { return isWay(from, to); }));
    leaving[from.role] += from.ways > 0;
  }
  return true;
}

/// Where a branch was left by a participant, a way leads on if that participant
/// can enter another branch and leave it by someone else from whom a way leads
/// on. Ways that end are removed until none is left, or only circles and what
/// leads to them.
bool Branches::haveNoCircle() {
  if (!countWays())
    return false;
  std::vector<uint32_t> work;
  auto look = [&](uint32_t s) {
    const Stay &left = stays[s];
    if (left.leadsOn && leaving[left.role] == (left.ways > 0 ? 1u : 0u))
      work.push_back(s);
  };
  for (uint32_t s = 0; s < stays.size(); ++s)
    look(s);
  size_t ended = 0;
  while (!work.empty()) {
    Stay &to = stays[work.back()];
    work.pop_back();
    if (!std::exchange(to.leadsOn, false))
      continue;
    ++ended;
    MutableArrayRef<Stay> beside = stay(to.branch);
    if (budget.spend(beside.size()))
      return false;
    for (Stay &from : beside)
      if (isWay(from, to) && --from.ways == 0 && --leaving[from.role] <= 1)
        llvm::for_each(ofRole[from.role], look);
  }
  return ended == stays.size();
}

bool cif::hasOrderOfExchanges(const Term &term, bool inOrderOfSending,
                              Budget &budget) {
  std::vector<bool> isBranch(term.size());
  bool oneWay = inOrderOfSending, noCircle = true;
  for (size_t i = term.size(); i-- > 0;) {
    if (term.nodes[i].kind != TermKind::Parallel)
      continue;
    for (TermId c : term.children(TermId(i)))
      isBranch[c.index()] = true;
    if (isBranch[i])
      continue; // looked at with those beside it
    Branches branches(term, budget);
    if (!branches.add(TermId(i)))
      return false;
    oneWay = oneWay && branches.areOneWay();
    noCircle = noCircle && branches.haveNoCircle();
    if (!oneWay && !noCircle)
      return false;
  }
  return true;
}
