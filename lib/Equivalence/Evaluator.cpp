//===- Evaluator.cpp - Signatures of states -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "cif/Support/LargePages.h"

using namespace cif;

Backward::Backward(const SortedRows &rows, bool silentFirst)
    : begin(inLargePages<uint32_t>(rows.numStates() + 2)),
      source(std::make_unique_for_overwrite<StateIndex[]>(rows.begin.back())) {
  preferLargePages(source.get(), rows.begin.back() * sizeof(StateIndex));
  const uint32_t *rowBegin = rows.begin.data();
  const uint64_t *edges = rows.edges.get();
  for (const uint64_t *e = edges, *end = e + rows.begin.back(); e < end; ++e)
    ++begin[static_cast<StateIndex>(*e) + 2];
  for (size_t s = 2; s < begin.size(); ++s)
    begin[s] += begin[s - 1];
  auto n = static_cast<StateIndex>(rows.numStates());
  if (!silentFirst) {
    uint32_t *next = begin.data() + 1;
    for (StateIndex s = 0; s < n; ++s)
      for (uint32_t e = rowBegin[s], end = rowBegin[s + 1]; e < end; ++e)
        source[next[static_cast<StateIndex>(edges[e])]++] = s;
    begin.pop_back();
    return;
  }
  // Silent ones from the front, the others from the back, until they meet.
  begin.erase(begin.begin());
  silentEnd.assign(begin.begin(), begin.end() - 1);
  std::vector<uint32_t> others(begin.begin() + 1, begin.end());
  for (StateIndex s = 0; s < n; ++s) {
    uint32_t e = rowBegin[s];
    const uint32_t end = rowBegin[s + 1];
    for (; e < end && isTau(edges[e]); ++e)
      source[silentEnd[static_cast<StateIndex>(edges[e])]++] = s;
    for (; e < end; ++e)
      source[--others[static_cast<StateIndex>(edges[e])]] = s;
  }
}

/// The first ones are loaded together, as most blocks are small.
void Evaluator::prefetchFirst(const StateIndex *states, size_t count) const {
  for (size_t i = 0; i < std::min(count, 2 * statesAhead); ++i)
    __builtin_prefetch(rowBegin + states[i]);
  for (size_t i = 0; i < std::min(count, statesAhead); ++i)
    __builtin_prefetch(edges + rowBegin[states[i]]);
}

bool Evaluator::groupByLabels() {
  if (in.numLabels > 64 - markBits)
    return false;
  std::vector<uint64_t> masks(inertMatters ? classes.elements.size() : 0);
  signatures.clear(0);
  groupSize.clear();
  group.resize(classes.elements.size());
  uint64_t lastMask = 0;
  uint32_t lastGroup = none;
  for (uint32_t at = 0; at < classes.elements.size(); ++at) {
    StateIndex s = classes.elements[at];
    uint64_t mask = in.marks.empty() ? 0 : in.marks[s];
    uint32_t e = rowBegin[s];
    const uint32_t end = rowBegin[s + 1];
    if (inertMatters) // all silent steps are inert yet, and go down in rank
      for (; e < end && isTau(edges[e]); ++e)
        mask |= masks[static_cast<StateIndex>(edges[e])];
    for (; e < end; ++e)
      mask |= uint64_t(1) << (markBits + (edges[e] >> 32));
    if (inertMatters)
      masks[s] = mask;
    if (mask != lastMask || lastGroup == none) {
      lastMask = mask;
      uint64_t *pair = signatures.room(1);
      *pair = mask;
      lastGroup =
          signatures.intern(pair + 1, SignatureTable::hashWith(0, mask));
    }
    putInto(at, lastGroup);
  }
  return true;
}

/// For branching: whatever reaches a dirty state inertly may have a new
/// signature too.
template <Access access>
void Evaluator::closeDirty(uint32_t b) {
  Classes::Block &block = classes.blocks[b];
  // putDirty moves the border down by one for each state that it takes.
  for (uint32_t at = block.end; at-- > block.dirty;) {
    StateIndex s = classes.elements[at];
    __builtin_prefetch(rowBegin + s);
    if (at >= block.begin + statesAhead) // others have those before
      predecessors.prefetchSilentOf(classes.elements[at - statesAhead]);
    for (StateIndex p : predecessors.silentOf(s))
      if (!classes.settled[p] && classes.blockOf[p] == b) { // s is dirty
        classes.settled.set<access>(p);
        classes.putDirty(p, block);
      }
  }
}

/// A clean state whose own transitions are the signature of all clean ones.
/// What a clean state reaches inertly is clean.
StateIndex Evaluator::cleanBottom(uint32_t b) const {
  StateIndex s = classes.elements[classes.blocks[b].begin];
  if (!inertMatters)
    return s;
  for (bool down = true; down;) {
    down = false;
    for (uint32_t e = rowBegin[s]; e < rowBegin[s + 1] && isTau(edges[e]); ++e)
      if (auto t = static_cast<StateIndex>(edges[e]);
          t != s && classes.blockOf[t] == b) {
        s = t;
        down = true;
        break;
      }
  }
  return s;
}

/// For branching: collects the signatures of what \p s reaches inertly, and
/// moves \p e over the inert steps that the row begins with. Returns a state
/// that is in the way, as its signature is not known yet; else none.
StateIndex Evaluator::inherit(StateIndex s, uint32_t b, uint32_t &e) {
  inherited.clear();
  const uint32_t dirty = classes.blocks[b].dirty;
  for (const uint32_t end = rowBegin[s + 1]; e < end && isTau(edges[e]); ++e) {
    auto t = static_cast<StateIndex>(edges[e]);
    if (classes.blockOf[t] != b || t == s)
      continue;
    uint32_t at = classes.position[t],
             from = at < dirty ? 0 : group[at - dirty];
    if (from == none)
      return t;
    if (inherited.empty() || inherited.back() != from)
      inherited.push_back(from);
  }
  return none;
}

/// The number of the signature of \p s, which has `inherited` from the silent
/// steps before transition \p e; those that are not inert count there.
uint32_t Evaluator::signatureOf(StateIndex s, uint32_t e) {
  const uint32_t end = rowBegin[s + 1];
  uint64_t *first = signatures.room(end - rowBegin[s] + markBits);
  uint64_t *last = first, next = 0, hash = 0;
  bool ascends = true;
  auto push = [&](uint64_t pair) {
    ascends &= pair >= next;
    next = pair + 1;
    hash = SignatureTable::hashWith(hash, pair);
    *last++ = pair;
  };
  if (inertMatters)
    for (uint32_t silent = rowBegin[s], b = classes.blockOf[s]; silent < e;
         ++silent)
      if (uint32_t to = blockOfTarget(silent); to != b)
        push(pairOf(tauLabel, to));
  for (; e < end; ++e)
    push((edges[e] & labelBits) | blockOfTarget(e));
  if (!in.marks.empty())
    for (uint8_t bits = in.marks[s]; bits; bits &= bits - 1)
      push(pairOf(none, bits & -bits));
  if (!ascends) {
    sortPairs(first, last);
    last = std::unique(first, last);
    hash = 0;
    for (const uint64_t *pair = first; pair < last; ++pair)
      hash = SignatureTable::hashWith(hash, *pair);
  }
  if (inherited.empty())
    return signatures.intern(last, hash);
  return unitedWith(inherited.front(), {first, last});
}

/// The number of the union of \p own with all that is inherited, first of all
/// signature \p base.
LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t
Evaluator::unitedWith(uint32_t base, ArrayRef<uint64_t> own) {
  if (inherited.size() > 1) {
    others.assign(own.begin(), own.end());
    for (uint32_t from : inherited)
      if (from != base)
        llvm::append_range(others, signatures[from]);
    sortPairs(others.data(), others.data() + others.size());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    own = others;
  }
  // Most often a state adds nothing to what it inherits.
  ArrayRef<uint64_t> all = signatures[base];
  if (std::includes(all.begin(), all.end(), own.begin(), own.end()))
    return base;
  merged.clear();
  std::set_union(all.begin(), all.end(), own.begin(), own.end(),
                 std::back_inserter(merged));
  return signatures.intern(merged);
}

/// Groups the dirty states by their signatures. For branching a state comes
/// after all that it reaches inertly.
void Evaluator::groupDirty(uint32_t b) {
  const Classes::Block block = classes.blocks[b];
  const uint32_t count = block.end - block.dirty;
  const StateIndex *dirty = classes.elements.data() + block.dirty;
  group.resize(count);
  if (!inertMatters) {
    prefetchFirst(dirty, count);
    for (uint32_t i = 0; i < count; ++i) {
      prefetchNext(in.rows, dirty, i, count);
      putInto(i, signatureOf(dirty[i], rowBegin[dirty[i]]));
    }
    return;
  }
  std::fill(group.begin(), group.end(), none);
  // From the back: closeDirty put what reaches a state inertly before it.
  for (uint32_t i = count; i-- > 0;) {
    if (i >= statesAhead)
      __builtin_prefetch(edges + rowBegin[dirty[i - statesAhead]]);
    if (group[i] != none)
      continue;
    for (StateIndex s = dirty[i];;) {
      uint32_t e = rowBegin[s];
      if (StateIndex before = inherit(s, b, e); before != none) {
        waiting.push_back(std::exchange(s, before));
        continue;
      }
      putInto(classes.position[s] - block.dirty, signatureOf(s, e));
      if (waiting.empty())
        break;
      s = waiting.back();
      waiting.pop_back();
    }
  }
}

template <Access access>
void Evaluator::evaluate(uint32_t b) {
  if (inertMatters)
    closeDirty<access>(b);
  const Classes::Block block = classes.blocks[b];
  signatures.clear(block.end - block.dirty + 1);
  groupSize.clear();
  if (uint32_t clean = block.dirty - block.begin) {
    StateIndex s = cleanBottom(b);
    uint32_t e = rowBegin[s];
    inherited.clear();
    if (inertMatters)
      while (e < rowBegin[s + 1] && isTau(edges[e]))
        ++e;
    signatureOf(s, e);
    groupSize.push_back(clean);
  }
  groupDirty(b);
}

template void Evaluator::evaluate<Access::Alone>(uint32_t b);
template void Evaluator::evaluate<Access::Shared>(uint32_t b);
