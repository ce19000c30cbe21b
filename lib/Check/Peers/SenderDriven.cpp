//===- SenderDriven.cpp - Choices of one sender, up to independence -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// senderDrivenPart is a partial-order reduction [valmari1991] with persistent
/// sets of one sender. In a state, the exchanges E of one sender are sufficient
/// if, wherever other exchanges lead, E is still possible, its order with them
/// does not matter (they have no participant in common, and both orders lead to
/// the same state), the choreography cannot end before E, and no cycle avoids
/// E. Then every word contains an exchange of E, which can be moved to the
/// front. Each loop of the result has a state with all its exchanges; otherwise
/// some exchanges would be postponed for ever. docs/algorithms.md has the rest
/// of the argument.
///
//===----------------------------------------------------------------------===//

#include "SenderDriven.h"
#include "cif/Graph/Components.h"
#include "cif/Graph/Search.h"
#include "cif/LTS/Graph.h"
#include "cif/LTS/LtsBuilder.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

static constexpr uint32_t none = UINT32_MAX;

static uint32_t targetOf(const Lts &lts, StateIndex s, LabelIndex l) {
  for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t)
    if (lts.label[t] == l)
      return lts.target[t];
  return none;
}

static bool shareRole(const Label &x, const Label &y) {
  return x.sender == y.sender || x.sender == y.receiver ||
         x.receiver == y.sender || x.receiver == y.receiver;
}

static bool hasOneSender(const Lts &lts, StateIndex s) {
  return llvm::all_of(lts.labelsOf(s), [&](LabelIndex l) {
    return lts.labels[l].sender == lts.labels[lts.labelsOf(s)[0]].sender;
  });
}

/// Whether the exchanges \p first of \p s are enough there.
static bool areEnough(const Lts &lts, StateIndex s, ArrayRef<LabelIndex> first,
                      Budget &budget) {
  // States on the way to \p first: 1 while it is being left, 2 when it was.
  llvm::DenseMap<StateIndex, uint8_t> seen;
  std::vector<std::pair<StateIndex, uint32_t>> stack{{s, lts.rowBegin[s]}};
  seen[s] = 1;
  while (!stack.empty()) {
    auto &[u, t] = stack.back();
    if (t == lts.rowBegin[u + 1]) {
      seen[u] = 2;
      stack.pop_back();
      continue;
    }
    if (budget.spend() || lts.isFinal(u))
      return false;
    const LabelIndex y = lts.label[t];
    const StateIndex next = lts.target[t++];
    if (llvm::is_contained(first, y))
      continue;
    for (LabelIndex e : first) {
      uint32_t one = targetOf(lts, u, e), other = targetOf(lts, next, e);
      if (one == none || other == none ||
          shareRole(lts.labels[e], lts.labels[y]) ||
          targetOf(lts, one, y) != other)
        return false;
    }
    auto [at, isNew] = seen.try_emplace(next, 1);
    if (!isNew && at->second == 1)
      return false;
    if (isNew)
      stack.push_back({next, lts.rowBegin[next]});
  }
  return true;
}

std::optional<Lts> cif::senderDrivenPart(const Lts &lts, Budget &budget) {
  LtsBuilder builder;
  llvm::BitVector reached(lts.numStates()), reduced(lts.numStates());
  std::vector<StateIndex> work{lts.initial};
  reached.set(lts.initial);
  while (!work.empty()) {
    StateIndex s = work.back();
    work.pop_back();
    SmallVector<LabelIndex, 4> kept(lts.labelsOf(s));
    if (!hasOneSender(lts, s)) {
      reduced.set(s);
      kept.clear();
      for (LabelIndex l : lts.labelsOf(s)) {
        SmallVector<LabelIndex, 4> mine;
        for (LabelIndex other : lts.labelsOf(s))
          if (lts.labels[other].sender == lts.labels[l].sender)
            mine.push_back(other);
        if (kept.empty() && mine.front() == l &&
            areEnough(lts, s, mine, budget))
          kept = mine;
      }
      if (kept.empty())
        return std::nullopt;
    }
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t) {
      if (!llvm::is_contained(kept, lts.label[t]))
        continue;
      builder.add(s, builder.labels.intern(lts.labels[lts.label[t]]),
                  lts.target[t]);
      if (!reached.test(lts.target[t])) {
        reached.set(lts.target[t]);
        work.push_back(lts.target[t]);
      }
    }
  }
  Lts part = std::move(builder).finish(lts.initial, lts.numStates());
  part.finals = lts.finals;
  // What stays reduced all round a loop may put an exchange off for ever.
  ComponentSearch search(part.numStates());
  bool putsOff = false;
  for (uint32_t s : reduced.set_bits())
    search.visit(
        s, [&](uint32_t n) { return part.rowBegin[n]; },
        [&](uint32_t n) { return part.rowBegin[n + 1]; },
        [&](uint32_t, uint32_t t) {
          return reduced.test(part.target[t]) ? part.target[t] : none;
        },
        [&](ArrayRef<uint32_t> nodes) {
          putsOff |= nodes.size() > 1 ||
                     llvm::is_contained(part.targetsOf(nodes[0]), nodes[0]);
        });
  if (putsOff || budget.stopped())
    return std::nullopt;
  return part;
}

/// Whether some word has the exchanges of \p run, in any order that nobody
/// notices, and \p one and \p other as what their senders do next.
static bool canBothFollow(const Lts &lts, ArrayRef<Label> run, const Label &one,
                          const Label &other, Budget &budget) {
  // A state of the choreography; which of the two was done; what of the run.
  StateSearch<NoStep> search;
  std::vector<uint32_t> state(2 + (run.size() + 31) / 32, 0), next;
  state[0] = lts.initial;
  search.start(state);
  auto isDone = [&](size_t i) { return state[2 + i / 32] >> (i % 32) & 1; };
  auto nextOf = [&](const std::string &who) {
    size_t i = 0;
    while (i < run.size() &&
           (isDone(i) || (run[i].sender != who && run[i].receiver != who)))
      ++i;
    return i;
  };
  while (search.next(state)) {
    size_t left = 0;
    for (size_t k = 0; k < run.size(); ++k)
      left += !isDone(k);
    if (left == 0 && state[1] == 3)
      return true;
    for (uint32_t t = lts.rowBegin[state[0]]; t < lts.rowBegin[state[0] + 1];
         ++t) {
      if (budget.spend(run.size() + 1))
        return true; // nobody knows
      const Label &x = lts.labels[lts.label[t]];
      size_t at = nextOf(x.sender);
      if (at != nextOf(x.receiver) || (at < run.size() && run[at] != x))
        continue;
      next = state;
      next[0] = lts.target[t];
      if (at < run.size())
        next[2 + at / 32] |= 1u << (at % 32);
      bool fits = true;
      for (unsigned k = 0; at == run.size() && k < 2; ++k) {
        const Label &wanted = k ? other : one;
        if (state[1] >> k & 1)
          continue;
        if (x == wanted)
          next[1] |= 1u << k;
        else if (x.sender == wanted.sender || x.receiver == wanted.sender)
          fits = false;
      }
      if (fits)
        search.reach(next, {});
    }
  }
  return false;
}

std::optional<OpenChoice> cif::findOpenChoice(const Lts &lts, Budget &budget) {
  constexpr unsigned mostStates = 200;
  StateSearch<LabelIndex> search;
  search.start({lts.initial});
  unsigned looked = 0;
  for (std::vector<uint32_t> state; search.next(state);) {
    const StateIndex s = state[0];
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t)
      search.reach({lts.target[t]}, lts.label[t]);
    if (hasOneSender(lts, s))
      continue;
    if (++looked > mostStates)
      return std::nullopt;
    OpenChoice found;
    for (LabelIndex l : search.run())
      found.run.push_back(lts.labels[l]);
    for (LabelIndex x : lts.labelsOf(s))
      for (LabelIndex y : lts.labelsOf(s))
        if (lts.labels[x].sender < lts.labels[y].sender &&
            !canBothFollow(lts, found.run, lts.labels[x], lts.labels[y],
                           budget)) {
          found.one = lts.labels[x];
          found.other = lts.labels[y];
          return found;
        }
    if (budget.stopped())
      return std::nullopt;
  }
  return std::nullopt;
}
