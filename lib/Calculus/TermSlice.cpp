//===- TermSlice.cpp - The part of a term around some of its steps --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Calculus/TermSlice.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

TermSlicer::TermSlicer(const Term &whole)
    : term(whole), runs(whole), parentOf(whole.size()),
      message(whole.size(), TermAction::none) {
  for (size_t i = 0; i < parentOf.size(); ++i)
    for (TermId c = term.nodes[i].firstChild; c; c = term[c].nextSibling)
      parentOf[c.index()] = TermId(i);
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, uint32_t> numbers;
  for (uint32_t i = 0; i < message.size(); ++i) {
    if (term.nodes[i].kind != TermKind::Action)
      continue;
    const TermAction &x = term.nodes[i].action;
    auto [at, isNew] = numbers.try_emplace(
        {uint64_t(x.sender) << 32 | x.receiver, x.operation}, uses.size());
    if (isNew)
      uses.emplace_back();
    message[i] = at->second;
    uses[at->second].push_back(i);
  }
}

namespace {
/// One attempt, with the steps that are known to be needed.
class Slicing {
public:
  Slicing(const Term &term, ArrayRef<TermId> parents,
          const std::vector<bool> &needed)
      : term(term), isNeeded(needed), drop(term.size()) {
    for (size_t i = 0; i < isNeeded.size(); ++i) // children come first
      if (isNeeded[i] && parents[i])
        isNeeded[parents[i].index()] = true;
  }
  void run();
  /// Appends a shortest run of what precedes the slice; false: it never ends.
  bool appendBefore(const ShortestRuns &runs, std::vector<NodeId> &run) const {
    return llvm::all_of(earlier,
                        [&](TermId id) { return runs.append(id, run); });
  }
  /// Whether the subterm is left out.
  std::vector<bool> dropped() &&;

private:
  /// What else of the slice is on the way to a subterm and from it on.
  enum Place {
    Alone, ///< nothing
    First, ///< something follows
    Last,  ///< something precedes
  };
  void visitSequence(TermId id, Place place);
  void leaveOutBetween(ArrayRef<TermId> children, size_t begin, size_t last);
  void visitParallel(TermId id, Place place);
  void visitChoice(TermId id, Place place);
  /// Leaves \p id out; \p happens: it is over before the slice begins.
  void leaveOut(TermId id, bool happens) {
    drop[id.index()] = true;
    if (happens)
      earlier.push_back(id);
  }

  const Term &term;
  std::vector<bool> isNeeded; ///< by subterm: it has a step that is
  std::vector<bool> drop;
  std::vector<TermId> earlier; ///< what happens before the slice, in order
  std::vector<std::pair<TermId, Place>> work;
};
} // namespace

/// A sequence is kept from the first needed child to the last one, and where
/// more of the slice follows or precedes it, to its end or from its beginning;
/// without what those behind it need not wait for.
void Slicing::visitSequence(TermId id, Place place) {
  SmallVector<TermId, 8> children = term.children(id);
  auto needs = [&](TermId c) { return bool(isNeeded[c.index()]); };
  size_t first = llvm::find_if(children, needs) - children.begin();
  size_t last = children.size() - 1;
  while (!needs(children[last]))
    --last;
  for (size_t c = 0; c < first && place != Last; ++c)
    leaveOut(children[c], /*happens=*/true);
  for (size_t c = last + 1; c < children.size() && place != First; ++c)
    leaveOut(children[c], /*happens=*/false);
  if (place != First)
    leaveOutBetween(children, place == Last ? 0 : first + 1, last);
  if (place == Alone && first == last) {
    work.push_back({children[first], Alone});
    return;
  }
  if (place != Last)
    work.push_back({children[first], First});
  if (place != First)
    work.push_back({children[last], Last});
}

/// Who does something behind a child that is left out has no part in it, so
/// that a run need not wait for it.
void Slicing::leaveOutBetween(ArrayRef<TermId> children, size_t begin,
                              size_t last) {
  if (begin >= last)
    return;
  std::vector<bool> isBehind(term.numRoles);
  SmallVector<TermId, 16> inside;
  for (size_t c = last + 1; c-- > begin;) {
    inside.assign(1, children[c]);
    bool canWait = !isNeeded[children[c].index()] && c != last;
    std::vector<uint32_t> roles;
    while (!inside.empty()) {
      TermId id = inside.pop_back_val();
      canWait &= term[id].kind != TermKind::Stuck;
      if (term[id].kind == TermKind::Action) {
        // Not append_values, which reserves room for these two alone.
        roles.push_back(term.action(id).sender);
        roles.push_back(term.action(id).receiver);
      }
      for (TermId i = term[id].firstChild; i; i = term[i].nextSibling)
        inside.push_back(i);
    }
    if (canWait &&
        llvm::none_of(roles, [&](uint32_t r) { return isBehind[r]; })) {
      leaveOut(children[c], /*happens=*/false);
      continue;
    }
    for (uint32_t role : roles)
      isBehind[role] = true;
  }
}

/// Other branches do not move, or are over where more of the slice follows.
void Slicing::visitParallel(TermId id, Place place) {
  for (TermId c = term[id].firstChild; c; c = term[c].nextSibling)
    if (isNeeded[c.index()])
      work.push_back({c, place});
    else
      leaveOut(c, /*happens=*/place == First);
}

/// Other branches are not chosen. Where more of the slice follows they lead
/// there too, so they are kept.
void Slicing::visitChoice(TermId id, Place place) {
  if (place == First)
    return;
  size_t needed = 0;
  for (TermId c = term[id].firstChild; c; c = term[c].nextSibling)
    needed += isNeeded[c.index()];
  for (TermId c = term[id].firstChild; c; c = term[c].nextSibling)
    if (isNeeded[c.index()])
      work.push_back({c, needed == 1 ? place : Last});
    else
      leaveOut(c, /*happens=*/false);
}

void Slicing::run() {
  work.push_back({term.root(), Alone});
  // What is outside comes first, so that `earlier` is in order.
  for (size_t next = 0; next < work.size(); ++next) {
    auto [id, place] = work[next];
    switch (term[id].kind) {
    case TermKind::Sequence:
      visitSequence(id, place);
      break;
    case TermKind::Parallel:
      visitParallel(id, place);
      break;
    case TermKind::Choice:
      visitChoice(id, place);
      break;
    case TermKind::Guard:
      work.push_back({term[id].firstChild, place});
      break;
    default: // rounds of a loop stay together
      break;
    }
  }
}

std::vector<bool> Slicing::dropped() && {
  for (size_t i = drop.size(); i-- > 0;)
    if (drop[i])
      for (TermId c = term.nodes[i].firstChild; c; c = term[c].nextSibling)
        drop[c.index()] = true;
  return std::move(drop);
}

std::optional<TermSlice> TermSlicer::around(ArrayRef<TermId> steps,
                                            size_t most) const {
  std::vector<bool> needed(term.size());
  for (TermId step : steps)
    needed[step.index()] = true;
  for (;;) {
    Slicing slicing(term, parentOf, needed);
    slicing.run();
    const std::vector<bool> drop = std::move(slicing).dropped();
    size_t kept = 0, all = 0;
    bool grows = false;
    std::vector<bool> isSeen(uses.size()); // by message
    for (size_t i = 0; i < drop.size(); ++i) {
      if (message[i] == TermAction::none)
        continue;
      ++all;
      kept += !drop[i];
      if (drop[i] || isSeen[message[i]])
        continue;
      isSeen[message[i]] = true;
      for (uint32_t use : uses[message[i]]) {
        grows |= drop[use];
        needed[use] = true;
      }
    }
    if (kept > most || kept == all)
      return std::nullopt;
    if (grows)
      continue;
    TermSlice slice;
    Slicing again(term, parentOf, needed);
    again.run();
    if (!again.appendBefore(runs, slice.before))
      return std::nullopt;
    slice.term = termWithout(term, std::move(again).dropped());
    return slice;
  }
}
