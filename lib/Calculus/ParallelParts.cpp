//===- ParallelParts.cpp - Parallel branches, one at a time ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Calculus/ParallelParts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace cif;

namespace {

constexpr uint32_t none = UINT32_MAX;

/// Of each subterm the child of \p parent that it is in.
void number(const Term &term, TermId parent, std::vector<uint32_t> &of) {
  of.assign(term.size(), none);
  uint32_t next = 0;
  for (TermId c = term[parent].firstChild; c; c = term[c].nextSibling)
    of[c.index()] = next++;
  for (size_t i = term.size(); i-- > 0;)
    if (of[i] != none)
      for (TermId c = term.nodes[i].firstChild; c; c = term[c].nextSibling)
        of[c.index()] = of[i];
}

/// The branches of \p split in groups that share no message; nothing when one
/// of them shares one with the rest of the term.
std::vector<uint32_t> groups(const Term &term, TermId split,
                             const std::vector<uint32_t> &branch) {
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, uint32_t> user;
  llvm::EquivalenceClasses<uint32_t> classes;
  uint32_t outside = term[split].numChildren;
  for (uint32_t b = 0; b <= outside; ++b)
    classes.insert(b);
  for (size_t i = 0; i < term.size(); ++i) {
    const TermAction &x = term.nodes[i].action;
    if (term.nodes[i].kind != TermKind::Action)
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

Term cif::termWithout(const Term &term, std::vector<bool> drop) {
  size_t size = term.size();
  for (size_t i = size; i-- > 0;)
    for (TermId c = term.nodes[i].firstChild; c; c = term[c].nextSibling)
      if (drop[i])
        drop[c.index()] = true;
  Term result;
  result.numRoles = term.numRoles;
  result.numOperations = term.numOperations;
  auto single = [&](ArrayRef<TermId> items) {
    return items.size() == 1 ? items[0]
                             : result.add({TermKind::Sequence}, items);
  };
  // What is left of each subterm, as the items of a sequence.
  std::vector<SmallVector<TermId, 4>> items(size);
  for (size_t i = 0; i < size; ++i) {
    if (drop[i])
      continue;
    const TermNode &node = term.nodes[i];
    SmallVector<TermId, 4> kept;
    for (TermId c = node.firstChild; c; c = term[c].nextSibling)
      if (!drop[c.index()])
        kept.push_back(c);
    const bool isSplit =
        node.kind == TermKind::Parallel || node.kind == TermKind::Choice;
    if (node.kind == TermKind::Sequence || (isSplit && kept.size() == 1)) {
      for (TermId c : kept)
        llvm::append_range(items[i], items[c.index()]);
      continue;
    }
    for (TermId &c : kept)
      c = single(items[c.index()]);
    items[i] = {result.add(node, kept)};
  }
  single(items.back());
  return result;
}

TermId ShortestRuns::best(const TermNode &node) const {
  TermId shortest = node.firstChild;
  for (TermId c = node.firstChild; c; c = term[c].nextSibling)
    if (length[c.index()] < length[shortest.index()])
      shortest = c;
  return shortest;
}

ShortestRuns::ShortestRuns(const Term &whole)
    : term(whole), length(whole.size(), 0) {
  // Children come first.
  for (size_t i = 0; i < length.size(); ++i) {
    const TermNode &node = term.nodes[i];
    if (node.kind == TermKind::Stuck)
      length[i] = never;
    else if (node.kind == TermKind::Action)
      length[i] = 1;
    else if (node.kind == TermKind::Choice)
      length[i] = length[best(node).index()];
    else if (node.kind == TermKind::Sequence ||
             node.kind == TermKind::Parallel || node.kind == TermKind::Guard)
      for (TermId c = node.firstChild; c; c = term[c].nextSibling)
        length[i] = length[i] == never || length[c.index()] == never
                        ? never
                        : length[i] + length[c.index()];
  }
}

bool ShortestRuns::append(TermId part, std::vector<NodeId> &run) const {
  if (length[part.index()] == never)
    return false;
  const size_t begin = run.size();
  SmallVector<TermId, 16> work{part}; // from the last step on
  while (!work.empty()) {
    const TermNode &node = term[work.pop_back_val()];
    if (node.kind == TermKind::Action)
      run.push_back(node.node);
    else if (node.kind == TermKind::Choice)
      work.push_back(best(node));
    else if (node.kind == TermKind::Sequence ||
             node.kind == TermKind::Parallel || node.kind == TermKind::Guard)
      for (TermId c = node.firstChild; c; c = term[c].nextSibling)
        work.push_back(c);
  }
  std::reverse(run.begin() + begin, run.end());
  return true;
}

std::optional<std::vector<NodeId>> ShortestRuns::of(TermId part) const {
  std::vector<NodeId> run;
  if (!append(part, run))
    return std::nullopt;
  return run;
}

SmallVector<TermId, 8> cif::rootSequence(const Term &term) {
  TermId root = term.root();
  if (term[root].kind != TermKind::Sequence)
    return {root};
  return term.children(root);
}

std::optional<Term> cif::restOfSequence(const Term &term, size_t begin) {
  SmallVector<TermId, 8> children = rootSequence(term);
  std::vector<uint32_t> child;
  number(term, term.root(), child);
  llvm::DenseSet<std::pair<uint64_t, uint32_t>> before;
  for (bool rest : {false, true})
    for (size_t i = 0; i < term.size(); ++i) {
      const TermAction &x = term.nodes[i].action;
      if (term.nodes[i].kind != TermKind::Action || (child[i] >= begin) != rest)
        continue;
      std::pair<uint64_t, uint32_t> message{
          uint64_t(x.sender) << 32 | x.receiver, x.operation};
      if (!rest)
        before.insert(message);
      else if (before.contains(message))
        return std::nullopt;
    }
  std::vector<bool> drop(term.size());
  for (size_t c = 0; c < begin; ++c)
    drop[children[c].index()] = true;
  return termWithout(term, std::move(drop));
}

std::vector<llvm::BitVector> cif::firstSenders(const Term &term) {
  constexpr uint64_t mostBits = uint64_t(1) << 28;
  const size_t size = term.size(), roles = term.numRoles;
  if (uint64_t(size) * roles > mostBits)
    return {};
  // Of each subterm: who may send first, and who may have no part in it.
  std::vector<llvm::BitVector> sends(size, llvm::BitVector(roles)),
      skips(size, llvm::BitVector(roles, true));
  auto before = [&](llvm::BitVector later, size_t i) {
    later &= skips[i];
    return later |= sends[i];
  };
  for (size_t i = 0; i < size; ++i) {
    const TermNode &node = term.nodes[i];
    if (node.kind == TermKind::Action) {
      sends[i].set(node.action.sender);
      skips[i].reset(node.action.sender);
      skips[i].reset(node.action.receiver);
    }
    SmallVector<size_t, 4> children;
    for (TermId c = node.firstChild; c; c = term[c].nextSibling)
      children.push_back(c.index());
    if (node.kind == TermKind::Choice)
      skips[i].reset();
    for (size_t c : llvm::reverse(children)) {
      if (node.kind == TermKind::Sequence)
        sends[i] = before(sends[i], c);
      else
        sends[i] |= sends[c];
      if (node.kind == TermKind::Choice)
        skips[i] |= skips[c];
      else if (node.kind != TermKind::Loop && node.kind != TermKind::While)
        skips[i] &= skips[c];
    }
  }
  std::vector<llvm::BitVector> result;
  llvm::BitVector later(roles);
  const SmallVector<TermId, 8> sequence = rootSequence(term);
  for (TermId child : llvm::reverse(sequence))
    result.push_back(later = before(later, child.index()));
  std::reverse(result.begin(), result.end());
  return result;
}

Term cif::startOfSequence(const Term &term, size_t begin,
                          ArrayRef<uint32_t> senders) {
  SmallVector<TermId, 8> children = rootSequence(term);
  std::vector<bool> drop(term.size());
  for (size_t c = begin; c < children.size(); ++c)
    drop[children[c].index()] = true;
  Term result = termWithout(term, std::move(drop));
  SmallVector<TermId, 8> sequence = rootSequence(result), tells;
  if (result[result.root()].kind == TermKind::Sequence)
    result.nodes.pop_back();
  for (uint32_t sender : senders) {
    TermNode tell{TermKind::Action};
    tell.action = {sender, result.numRoles++, result.numOperations++};
    tells.push_back(result.add(tell));
  }
  sequence.push_back(
      tells.size() == 1 ? tells[0] : result.add({TermKind::Parallel}, tells));
  result.add({TermKind::Sequence}, sequence);
  return result;
}

/// One group of all in which nothing is suspect, if there are others.
static void joinTrusted(std::vector<uint32_t> &group,
                        const std::vector<uint32_t> &branch,
                        const std::vector<bool> &suspect) {
  std::vector<bool> isSuspect(group.size());
  for (size_t i = 0; i < branch.size() && !group.empty(); ++i)
    if (branch[i] != none && suspect[i])
      isSuspect[group[branch[i]]] = true;
  if (llvm::none_of(isSuspect, [](bool is) { return is; }))
    return;
  uint32_t trusted = none;
  for (uint32_t &leader : group) {
    if (isSuspect[leader])
      continue;
    if (trusted == none)
      trusted = leader;
    leader = trusted;
  }
}

ParallelParts cif::parallelParts(const Term &term,
                                 const std::vector<bool> &suspect,
                                 Budget &budget) {
  constexpr size_t mostNodes = 10'000'000; // of all parts
  ParallelParts result;
  TermId root = term.root();
  SmallVector<TermId, 8> candidates;
  if (term[root].kind == TermKind::Parallel)
    candidates.push_back(root);
  else if (term[root].kind == TermKind::Sequence)
    for (TermId c = term[root].firstChild; c; c = term[c].nextSibling)
      if (term[c].kind == TermKind::Parallel)
        candidates.push_back(c);
  std::vector<uint32_t> branch;
  for (TermId split : candidates) {
    if (budget.spend(term.size()))
      return {};
    number(term, split, branch);
    std::vector<uint32_t> group = groups(term, split, branch);
    joinTrusted(group, branch, suspect);
    std::vector<uint32_t> leaders = group;
    llvm::sort(leaders);
    leaders.erase(llvm::unique(leaders), leaders.end());
    if (leaders.size() < 2)
      continue;
    if (leaders.size() > mostNodes / term.size())
      return {};
    SmallVector<TermId, 8> sequence = rootSequence(term);
    const size_t children = sequence.size();
    result.at = llvm::find(sequence, split) - sequence.begin();
    // Children of the root stand in order, each after its own children.
    std::vector<uint32_t> place(term.size());
    if (split != root)
      number(term, root, place);
    ShortestRuns runs(term);
    for (uint32_t leader : leaders) {
      if (budget.spend(term.size()))
        return {};
      std::vector<bool> drop(term.size()), isAway(term.numRoles);
      ParallelParts::Part part;
      part.others.emplace();
      for (TermId c = term[split].firstChild; c; c = term[c].nextSibling) {
        drop[c.index()] = group[branch[c.index()]] != leader;
        if (!drop[c.index()] || !part.others)
          continue;
        if (std::optional<std::vector<NodeId>> run = runs.of(c))
          llvm::append_range(*part.others, *run);
        else
          part.others.reset();
      }
      for (size_t i = 0; i < term.size(); ++i)
        if (const TermAction &x = term.nodes[i].action;
            term.nodes[i].kind == TermKind::Action && branch[i] != none &&
            group[branch[i]] != leader)
          isAway[x.sender] = isAway[x.receiver] = true;
      for (size_t i = 0; i < term.size(); ++i)
        if (const TermAction &x = term.nodes[i].action;
            term.nodes[i].kind == TermKind::Action &&
            place[i] > place[split.index()] &&
            (!part.others || isAway[x.sender] || isAway[x.receiver]))
          part.later.push_back(term.nodes[i].node);
      part.term = termWithout(term, std::move(drop));
      part.width = rootSequence(part.term).size() + 1 - children;
      result.parts.push_back(std::move(part));
    }
    break;
  }
  return result;
}
