//===- ParallelParts.cpp - Parallel branches, one at a time ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Calculus/ParallelParts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace cif;

namespace {

constexpr uint32_t none = UINT32_MAX;

/// \p term without the subterms in \p drop. A parallel composition that has one
/// branch left is that branch; where that is a sequence in a sequence, its
/// children stand in its place.
IocTerm without(const IocTerm &term, std::vector<bool> drop) {
  size_t size = term.term.size();
  IocTerm result;
  result.numRoles = term.numRoles;
  result.numOperations = term.numOperations;
  std::vector<uint32_t> branches(size);
  std::vector<bool> inSequence(size), isSpliced(size);
  for (size_t i = size; i-- > 0;) {
    const TermNode &node = term.term.nodes[i];
    for (TermId c = node.firstChild; c; c = term[c].nextSibling) {
      if (drop[i])
        drop[c.index()] = true;
      branches[i] += !drop[c.index()];
      inSequence[c.index()] = node.kind == TermKind::Sequence;
    }
    if (node.kind == TermKind::Parallel && branches[i] == 1 && inSequence[i])
      for (TermId c = node.firstChild; c; c = term[c].nextSibling)
        if (!drop[c.index()] && term[c].kind == TermKind::Sequence)
          isSpliced[c.index()] = isSpliced[i] = true;
  }
  std::vector<TermId> moved(size);
  std::vector<SmallVector<TermId, 4>> children(size);
  for (size_t i = 0; i < size; ++i) {
    if (drop[i])
      continue;
    const TermNode &node = term.term.nodes[i];
    SmallVector<TermId, 4> &kept = children[i];
    for (TermId c = node.firstChild; c; c = term[c].nextSibling)
      if (isSpliced[c.index()])
        llvm::append_range(kept, children[c.index()]);
      else if (!drop[c.index()])
        kept.push_back(moved[c.index()]);
    if (isSpliced[i])
      continue;
    if (node.kind == TermKind::Parallel && kept.size() == 1) {
      moved[i] = kept[0];
      continue;
    }
    for (size_t k = 0; k < kept.size(); ++k)
      result.term.nodes[kept[k].index()].nextSibling =
          k + 1 < kept.size() ? kept[k + 1] : TermId();
    moved[i] = TermId(result.term.size());
    TermNode copy = node;
    copy.numChildren = static_cast<uint32_t>(kept.size());
    copy.firstChild = kept.empty() ? TermId() : kept[0];
    copy.nextSibling = TermId();
    result.term.nodes.push_back(copy);
    result.actions.push_back(term.actions[i]);
  }
  return result;
}

/// Of each subterm the child of \p parent that it is in.
void number(const IocTerm &term, TermId parent, std::vector<uint32_t> &of) {
  of.assign(term.term.size(), none);
  uint32_t next = 0;
  for (TermId c = term[parent].firstChild; c; c = term[c].nextSibling)
    of[c.index()] = next++;
  for (size_t i = term.term.size(); i-- > 0;)
    if (of[i] != none)
      for (TermId c = term.term.nodes[i].firstChild; c; c = term[c].nextSibling)
        of[c.index()] = of[i];
}

/// The branches of \p split in groups that share no message; nothing when one
/// of them shares one with the rest of the term.
std::vector<uint32_t> groups(const IocTerm &term, TermId split,
                             const std::vector<uint32_t> &branch) {
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, uint32_t> user;
  llvm::EquivalenceClasses<uint32_t> classes;
  uint32_t outside = term[split].numChildren;
  for (uint32_t b = 0; b <= outside; ++b)
    classes.insert(b);
  for (size_t i = 0; i < term.term.size(); ++i) {
    const TermAction &x = term.actions[i];
    if (term.term.nodes[i].kind != TermKind::Action)
      continue;
    uint32_t at = branch[i] == none ? outside : branch[i];
    auto [it, isNew] = user.try_emplace(
        {uint64_t(x.sender) << 32 | x.receiver, x.operation}, at);
    if (!isNew)
      classes.unionSets(it->second, at);
  }
  std::vector<uint32_t> result;
  for (uint32_t b = 0; b < outside; ++b) {
    result.push_back(classes.getLeaderValue(b));
    if (result.back() == classes.getLeaderValue(outside))
      return {};
  }
  return result;
}

} // namespace

ParallelParts cif::parallelParts(const IocTerm &term) {
  ParallelParts result;
  TermId root = term.term.root();
  SmallVector<TermId, 8> candidates;
  if (term[root].kind == TermKind::Parallel)
    candidates.push_back(root);
  else if (term[root].kind == TermKind::Sequence)
    for (TermId c = term[root].firstChild; c; c = term[c].nextSibling)
      if (term[c].kind == TermKind::Parallel)
        candidates.push_back(c);
  std::vector<uint32_t> branch;
  for (TermId split : candidates) {
    number(term, split, branch);
    std::vector<uint32_t> group = groups(term, split, branch);
    std::vector<uint32_t> leaders = group;
    llvm::sort(leaders);
    leaders.erase(llvm::unique(leaders), leaders.end());
    if (leaders.size() < 2)
      continue;
    for (uint32_t leader : leaders) {
      std::vector<bool> drop(term.term.size());
      for (TermId c = term[split].firstChild; c; c = term[c].nextSibling)
        drop[c.index()] = group[branch[c.index()]] != leader;
      result.parts.push_back(without(term, std::move(drop)));
    }
    // Children of the root stand in order, each after its own children.
    std::vector<uint32_t> place;
    if (split != root) {
      number(term, root, place);
      for (size_t i = 0; i < term.term.size(); ++i)
        if (term.term.nodes[i].kind == TermKind::Action &&
            place[i] > place[split.index()])
          result.later.push_back(term.term.nodes[i].node);
    }
    break;
  }
  return result;
}
