//===- Refinement.cpp - Strong and branching bisimulation ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Partition refinement by signatures, with work only where something changed.
/// Implements: [jacobs2023] (the order of work), [blom2009] (the signatures of
/// branching bisimulation).
///
/// A state's signature is the set of (label, class of target) of its
/// transitions; for branching bisimulation, of the transitions that it reaches
/// by silent steps inside its class. A class whose states differ in signature
/// is split; the largest part keeps the class's number, so that a state's class
/// changes number at most log n times. Only states with a transition into a
/// state that got a new number (and, for branching, those that reach such a
/// state silently inside their class) are looked at again: all others of a
/// class still have the signature that they had, which is one and the same.
/// Silent cycles are collapsed first; then silent steps go down in rank, and
/// the state of least rank in a class has the whole signature of the class in
/// its own transitions.
///
/// Input class: any finite LTS. Sound and complete. Time O(m d log n) for
/// strong bisimulation, d the largest out-degree. Differs from the papers: they
/// treat coalgebras, without silent steps, and rounds over all states; here the
/// dirty part of a class is closed under backward inert steps before it is
/// split.
///
//===----------------------------------------------------------------------===//

#include "Refinement.h"
#include "cif/LTS/Graph.h"
#include "cif/LTS/Operations.h"
#include "cif/Support/ArrayPool.h"

using namespace cif;

namespace {

/// A signature's pairs: the label above, the class below.
uint64_t pairOf(uint32_t label, uint32_t block) {
  return uint64_t(label) << 32 | block;
}

class Refiner {
public:
  Refiner(const RefinementInput &in, Watch &watch)
      : in(in), lts(in.lts), watch(watch), predecessors(in.lts),
        inertMatters(!in.rank.empty()) {}
  std::vector<uint32_t> run(uint32_t &numClasses);

private:
  struct Block {
    uint32_t begin, dirty, end; // clean states are [begin, dirty)
  };

  void markDirty(StateIndex s) {
    uint32_t b = blockOf[s];
    Block &block = blocks[b];
    uint32_t at = position[s];
    if (at >= block.dirty || block.end - block.begin == 1)
      return;
    if (block.dirty == block.end)
      worklist.push_back(b);
    uint32_t last = --block.dirty;
    StateIndex other = elements[last];
    elements[at] = other;
    position[other] = at;
    elements[last] = s;
    position[s] = last;
  }
  void process(uint32_t b);
  void closeDirty(uint32_t b);
  uint32_t signatureOf(StateIndex s, uint32_t b, bool isDirty);
  void split(uint32_t b);

  const RefinementInput &in;
  const Lts &lts;
  Watch &watch;
  Predecessors predecessors;
  bool inertMatters;

  std::vector<StateIndex> elements;
  std::vector<uint32_t> position, blockOf;
  std::vector<Block> blocks;
  std::vector<uint32_t> worklist;

  // Of the block at hand.
  ArrayPool<uint64_t> signatures;
  std::vector<uint32_t> group; // of each dirty element, by position - dirty
  std::vector<uint32_t> groupSize, groupStart;
  std::vector<StateIndex> moved;
  SmallVector<uint64_t, 64> pairs, merged;
};

} // namespace

/// For branching: whatever reaches a dirty state inertly may have a new
/// signature too. Then brings the dirty states into the order of their ranks.
void Refiner::closeDirty(uint32_t b) {
  // markDirty moves the border down by one for each state that it takes.
  for (uint32_t at = blocks[b].end; at-- > blocks[b].dirty;) {
    StateIndex s = elements[at];
    for (StateIndex p : in.tauPredecessors->of(s))
      if (blockOf[p] == b && p != s)
        markDirty(p);
  }
  Block &block = blocks[b];
  auto first = elements.begin() + block.dirty,
       last = elements.begin() + block.end;
  auto byRank = [&](StateIndex x, StateIndex y) {
    return in.rank[x] < in.rank[y];
  };
  if (!std::is_sorted(first, last, byRank))
    std::sort(first, last, byRank);
  for (uint32_t at = block.dirty; at < block.end; ++at)
    position[elements[at]] = at;
}

/// The number of the signature of \p s. Those of the dirty states that it
/// reaches inertly are known; that of a clean one is signature 0.
uint32_t Refiner::signatureOf(StateIndex s, uint32_t b, bool isDirty) {
  pairs.clear();
  const Block &block = blocks[b];
  constexpr uint32_t none = ~0u;
  uint32_t inherited = none;
  const LabelIndex *labels = lts.label.data();
  const StateIndex *targets = lts.target.data();
  for (uint32_t e = lts.rowBegin[s], end = lts.rowBegin[s + 1]; e < end; ++e) {
    StateIndex t = targets[e];
    uint32_t to = blockOf[t];
    if (inertMatters && labels[e] == tauLabel && to == b) {
      if (!isDirty || t == s)
        continue; // the state of least rank: a silent loop at most
      uint32_t at = position[t];
      uint32_t from = at < block.dirty ? 0 : group[at - block.dirty];
      if (inherited == none)
        inherited = from;
      else if (inherited != from)
        llvm::append_range(pairs, signatures[from]);
      continue;
    }
    pairs.push_back(pairOf(labels[e], to));
  }
  if (!in.marks.empty())
    for (uint8_t bits = in.marks[s]; bits; bits &= bits - 1)
      pairs.push_back(pairOf(~0u, bits & -bits));
  if (inherited == none) {
    sortUnique(pairs);
    return signatures.intern(pairs);
  }
  ArrayRef<uint64_t> base = signatures[inherited];
  // Most often a state adds nothing to what it inherits.
  sortUnique(pairs);
  if (std::includes(base.begin(), base.end(), pairs.begin(), pairs.end()))
    return inherited;
  merged.clear();
  std::set_union(base.begin(), base.end(), pairs.begin(), pairs.end(),
                 std::back_inserter(merged));
  return signatures.intern(merged);
}

void Refiner::process(uint32_t b) {
  if (inertMatters)
    closeDirty(b);
  Block block = blocks[b];
  uint32_t clean = block.dirty - block.begin;
  signatures.clear(block.end - block.dirty + 1);
  groupSize.clear();
  if (clean) {
    // All that a clean state reaches inertly is clean.
    StateIndex s = elements[block.begin];
    if (inertMatters)
      for (bool down = true; down;) {
        down = false;
        for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
          if (lts.label[e] == tauLabel && lts.target[e] != s &&
              blockOf[lts.target[e]] == b) {
            s = lts.target[e];
            down = true;
            break;
          }
      }
    signatureOf(s, b, /*isDirty=*/false);
    groupSize.push_back(clean);
  }
  group.resize(block.end - block.dirty);
  for (uint32_t at = block.dirty; at < block.end; ++at) {
    uint32_t g = signatureOf(elements[at], b, /*isDirty=*/true);
    group[at - block.dirty] = g;
    if (g == groupSize.size())
      groupSize.push_back(0);
    ++groupSize[g];
  }
  if (groupSize.size() == 1) {
    blocks[b].dirty = block.end;
    return;
  }
  split(b);
}

/// Splits by `group`; the first group takes the clean states with it.
void Refiner::split(uint32_t b) {
  Block block = blocks[b];
  uint32_t clean = block.dirty - block.begin;
  uint32_t groups = static_cast<uint32_t>(groupSize.size());
  uint32_t largest = 0;
  groupStart.resize(groups);
  uint32_t start = block.begin;
  for (uint32_t g = 0; g < groups; ++g) {
    if (groupSize[g] > groupSize[largest])
      largest = g;
    groupStart[g] = start;
    start += groupSize[g];
  }
  auto firstNew = static_cast<uint32_t>(blocks.size());
  uint32_t next = firstNew;
  // Where the next dirty state of a group goes; clean ones are in place.
  moved.assign(elements.begin() + block.dirty, elements.begin() + block.end);
  std::vector<uint32_t> &fill = groupStart;
  std::vector<uint32_t> numberOf(groups);
  for (uint32_t g = 0; g < groups; ++g) {
    uint32_t end = fill[g] + groupSize[g];
    if (g == largest) {
      numberOf[g] = b;
      blocks[b] = {fill[g], end, end};
    } else {
      numberOf[g] = next++;
      blocks.push_back({fill[g], end, end});
    }
  }
  if (clean) {
    if (largest != 0)
      for (uint32_t at = block.begin; at < block.dirty; ++at)
        blockOf[elements[at]] = numberOf[0];
    fill[0] += clean;
  }
  for (size_t i = 0; i < moved.size(); ++i) {
    uint32_t g = group[i], at = fill[g]++;
    elements[at] = moved[i];
    position[moved[i]] = at;
    blockOf[moved[i]] = numberOf[g];
  }
  // Taken aside first: markDirty permutes the elements of the blocks.
  for (uint32_t n = firstNew; n < next; ++n)
    for (uint32_t at = blocks[n].begin; at < blocks[n].end; ++at)
      moved.push_back(elements[at]);
  size_t first = block.end - block.dirty;
  for (size_t i = first; i < moved.size(); ++i) {
    StateIndex s = moved[i];
    for (StateIndex p : predecessors.of(s))
      markDirty(p);
    // A silent step into what kept the number was inert and is so no more.
    if (inertMatters)
      for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
        if (lts.label[e] == tauLabel && blockOf[lts.target[e]] == b) {
          markDirty(s);
          break;
        }
  }
}

std::vector<uint32_t> Refiner::run(uint32_t &numClasses) {
  auto n = static_cast<uint32_t>(lts.numStates());
  elements.resize(n);
  position.resize(n);
  blockOf.assign(n, 0);
  for (StateIndex s = 0; s < n; ++s) {
    uint32_t at = inertMatters ? in.rank[s] : s;
    elements[at] = s;
    position[s] = at;
  }
  blocks.push_back({0, 0, n});
  worklist.push_back(0);
  // The arrays of this class; signatures are small beside them.
  const uint64_t bytes = uint64_t(n) * 40 + lts.numTransitions() * 4;
  for (size_t i = 0; i < worklist.size(); ++i) {
    const Block &next = blocks[worklist[i]];
    if (watch.met(bytes, next.end - next.dirty > 10000))
      return {};
    process(worklist[i]);
    if (i >= 4096 && i * 2 > worklist.size()) {
      worklist.erase(worklist.begin(), worklist.begin() + i + 1);
      i = static_cast<size_t>(-1);
    }
  }
  numClasses = static_cast<uint32_t>(blocks.size());
  return std::move(blockOf);
}

std::vector<uint32_t> cif::refine(const RefinementInput &input,
                                  uint32_t &numClasses, Watch &watch) {
  return Refiner(input, watch).run(numClasses);
}
