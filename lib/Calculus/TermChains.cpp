//===- TermChains.cpp - A term with shorter chains of steps ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Calculus/TermChains.h"
#include "cif/Calculus/ParallelParts.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

namespace {
class Chains {
public:
  explicit Chains(const Term &whole)
      : before(whole), children(rootSequence(whole)), drop(whole.size()),
        handsOn(whole.numRoles, true) {
    result.term = whole;
    result.firstRole = whole.numRoles;
    result.firstOperation = whole.numOperations;
  }
  std::optional<ShortTerm> run();

private:
  /// The step that a child of the root is, or empty: one step, or a choice
  /// between steps with the same two roles. Others than the first are left out.
  TermId stepOf(TermId child) const;
  void findSteps();
  void findRelays();
  void listRelays();
  void shorten(size_t first, size_t last);
  uint32_t newRole(uint32_t of) {
    result.copyOf.push_back(of);
    return result.term.numRoles++;
  }
  TermAction &renewed(size_t at, std::vector<NodeId> standsFor) {
    result.standsFor.push_back(std::move(standsFor));
    TermAction &action = result.term.nodes[steps[at].index()].action;
    action.operation = result.term.numOperations++;
    return action;
  }
  const TermAction &action(size_t at) const { return before.action(steps[at]); }
  NodeId node(size_t at) const { return before[steps[at]].node; }
  /// Whether the role between this child and the next only hands on.
  bool isLink(size_t at) const {
    return at + 1 < steps.size() && steps[at] && steps[at + 1] &&
           action(at).receiver == action(at + 1).sender &&
           handsOn[action(at).receiver];
  }

  const Term &before;
  SmallVector<TermId, 8> children;
  std::vector<TermId> steps; ///< by child
  std::vector<bool> drop;
  std::vector<bool> handsOn; ///< by role: it does nothing else
  ShortTerm result;
};
} // namespace

TermId Chains::stepOf(TermId child) const {
  if (before[child].kind == TermKind::Action)
    return before.action(child).isTau() ? TermId() : child;
  if (before[child].kind != TermKind::Choice)
    return {};
  const TermId first = before[child].firstChild;
  for (TermId c = first; c; c = before[c].nextSibling)
    if (before[c].kind != TermKind::Action || before.action(c).isTau() ||
        before.action(c).sender != before.action(first).sender ||
        before.action(c).receiver != before.action(first).receiver)
      return {};
  return first;
}

/// Only messages that are used once: a run has then one meaning.
void Chains::findSteps() {
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, unsigned> uses;
  auto message = [&](TermId id) {
    const TermAction &x = before.action(id);
    return std::pair<uint64_t, uint32_t>(uint64_t(x.sender) << 32 | x.receiver,
                                         x.operation);
  };
  for (size_t i = 0; i < before.size(); ++i)
    if (before.nodes[i].kind == TermKind::Action)
      ++uses[message(TermId(i))];
  for (TermId child : children) {
    TermId step = stepOf(child);
    for (TermId c = step; c; c = before[c].nextSibling) {
      if (uses[message(c)] > 1)
        step = TermId();
      if (before[child].kind == TermKind::Action)
        break;
    }
    if (step && !before[step].node)
      step = TermId();
    steps.push_back(step);
  }
}

void Chains::findRelays() {
  std::vector<bool> isStep(before.size());
  for (size_t at = 0; at < steps.size(); ++at) {
    if (!steps[at])
      continue;
    // Other branches of the choice have the same roles.
    for (TermId c = steps[at]; c; c = before[c].nextSibling) {
      isStep[c.index()] = true;
      if (before[children[at]].kind == TermKind::Action)
        break;
    }
    const bool comesOn =
        at > 0 && steps[at - 1] && action(at - 1).receiver == action(at).sender;
    const bool goesOn = at + 1 < steps.size() && steps[at + 1] &&
                        action(at + 1).sender == action(at).receiver;
    if (!comesOn)
      handsOn[action(at).sender] = false;
    if (!goesOn)
      handsOn[action(at).receiver] = false;
  }
  for (size_t i = 0; i < before.size(); ++i)
    if (const TermNode &n = before.nodes[i];
        (n.kind == TermKind::Action || n.kind == TermKind::Tau) && !isStep[i])
      for (uint32_t role :
           {before.nodes[i].action.sender, before.nodes[i].action.receiver})
        if (role < handsOn.size())
          handsOn[role] = false;
}

void Chains::listRelays() {
  std::vector<std::vector<NodeId>> of(before.numRoles);
  for (size_t at = 0; at + 1 < steps.size(); ++at)
    if (isLink(at)) {
      of[action(at).receiver].push_back(node(at));
      of[action(at).receiver].push_back(node(at + 1));
    }
  for (std::vector<NodeId> &list : of)
    if (!list.empty())
      result.relays.push_back(std::move(list));
}

/// Children \p first to \p last, at least two, are linked by roles that only
/// hand on.
void Chains::shorten(size_t first, size_t last) {
  uint32_t begin = newRole(action(first).receiver);
  renewed(first, {node(first)}).receiver = begin;
  uint32_t end = begin;
  if (last - first > 1) {
    end = newRole(action(last).sender);
    std::vector<NodeId> between;
    for (size_t at = first + 1; at < last; ++at) {
      between.push_back(node(at));
      drop[children[at].index()] = at != first + 1;
    }
    TermAction &joined = renewed(first + 1, std::move(between));
    joined.sender = begin;
    joined.receiver = end;
  }
  renewed(last, {node(last)}).sender = end;
  for (size_t at = first; at <= last; ++at)
    if (before[children[at]].kind == TermKind::Choice)
      for (TermId c = before[steps[at]].nextSibling; c;
           c = before[c].nextSibling)
        drop[c.index()] = true;
}

std::optional<ShortTerm> Chains::run() {
  findSteps();
  findRelays();
  listRelays();
  size_t less = 0;
  for (size_t first = 0; first < steps.size(); ++first) {
    size_t last = first;
    while (isLink(last))
      ++last;
    if (last > first)
      shorten(first, last);
    less += last - first > 2 ? last - first - 2 : 0;
    first = last;
  }
  if (less * 2 < steps.size())
    return std::nullopt;
  result.term = termWithout(result.term, std::move(drop));
  return std::move(result);
}

bool ShortTerm::allowsRelays(ArrayRef<NodeId> run) const {
  // By step: whose it is (one or two), and the how-manieth.
  llvm::DenseMap<uint32_t, SmallVector<std::pair<size_t, size_t>, 2>> parts;
  for (size_t r = 0; r < relays.size(); ++r)
    for (size_t i = 0; i < relays[r].size(); ++i)
      parts[relays[r][i].index()].push_back({r, i});
  std::vector<size_t> done(relays.size());
  for (NodeId step : run)
    if (auto at = parts.find(step.index()); at != parts.end())
      for (auto [r, i] : at->second)
        if (done[r]++ != i)
          return false;
  return true;
}

std::optional<ShortTerm> cif::shortenChains(const Term &term) {
  return Chains(term).run();
}
