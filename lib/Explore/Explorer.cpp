//===- Explorer.cpp - Breadth-first exploration of a system ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One thread expands states in order and adds new ones. With several threads,
/// all of them expand a chunk of known states in three rounds. First, each
/// generates, packs and hashes successors, a slice of states at a time, and
/// looks them up in the store, which is not modified meanwhile (the memory for
/// a whole slice is prefetched before it is needed). Second, each enters the
/// new states of its parts of the table, with the numbers of their first
/// finders. Third, after one thread has numbered the new states in the order
/// of the sequential search, each copies vectors and transitions to their
/// places. If the order of events matters beyond the numbers (a visitor, a
/// limit that is near), one thread processes the chunk as the sequential
/// search would. Growth is looked for at the new states of a chunk in their
/// order, and what comes after it is undone. So the result is that of the
/// sequential search.
///
/// Growth is looked for on the tree of shortest runs: whenever a state has
/// more tokens and messages than any before, its ancestors are asked whether
/// the path from them is a cycle that can be repeated (System::pumps decides,
/// and claims only what is proved). Implements: [karpmiller] for counts.
/// Sound; complete for counts on the runs that it considers; not for queues,
/// where the question is undecidable.
///
//===----------------------------------------------------------------------===//

#include "cif/Explore/Explorer.h"
#include "GrowthWatch.h"
#include "cif/Explore/GrowingArray.h"
#include "cif/Graph/Search.h"
#include "cif/Support/Thread.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <barrier>

using namespace cif;

ExplorationVisitor::~ExplorationVisitor() = default;

namespace {
/// A successor that a worker generated.
struct Candidate {
  Step step;
  StateIndex target; ///< or StateStore::none: not known when looked up
};

/// One that was not known. Its ordinal is its number in the slice, after the
/// most that any slice before it could have.
struct Unknown {
  uint32_t hash;
  /// The ordinal of the unknown of the chunk that has the same vector first:
  /// its own, or one before it.
  uint32_t first;
  size_t place; ///< in the table, of the first one
};

/// What a worker made of a few states that follow each other.
struct Slice {
  StateIndex first = 0;
  std::vector<uint32_t> rowEnd;   ///< of each state, in candidates
  std::vector<StateIndex> finals; ///< those that are
  std::vector<Candidate> candidates;
  std::vector<uint32_t> hashes;  ///< of all candidates
  std::vector<Unknown> unknown;  ///< in the order of candidates
  std::vector<uint32_t> packed;  ///< vectors: of all, then of the unknown ones
  std::vector<uint64_t> weights; ///< of the same, where growth matters
  std::vector<uint32_t> tooWide; ///< a vector that could not be packed
  uint32_t perPart[StateStore::numParts]; ///< unknown ones
  size_t firstTransition = 0; ///< counted from the chunk's beginning

  void clear() {
    rowEnd.clear();
    finals.clear();
    candidates.clear();
    hashes.clear();
    unknown.clear();
    packed.clear();
    weights.clear();
    tooWide.clear();
    std::fill_n(perPart, StateStore::numParts, 0);
  }
};

class Search {
public:
  Search(const System &sys, const ExplorerOptions &opts)
      : system(sys), options(opts), budget(opts.limits), result(sys),
        watchGrowth(opts.findGrowth && !sys.isBounded()),
        saysFinal(sys.saysFinal()), growth(sys, *result.store),
        own(*result.store), state(sys.width()) {}

  Exploration run();

private:
  static constexpr size_t sliceStates = 128;
  static constexpr size_t chunkSlices = 64;

  /// Whether steps may be missing; then the search ends, and says why.
  bool isTroubled() {
    if (result.limit.empty())
      result.limit = system.trouble();
    return !result.limit.empty();
  }
  /// False: the search ends here.
  bool expandAlone(StateIndex s);
  bool expandChunk(StateIndex first);
  bool addInOrder(StateIndex first);
  bool watchChunk();
  void fillSlice(Slice &slice, StateIndex end, PackedState &at);
  void lookUp(Slice &slice);
  void offerUnknown(unsigned worker);
  void placeSlice(const Slice &slice);
  template <class Work>
  void eachSlice(Work work) {
    for (size_t i; (i = nextSlice.fetch_add(1)) < usedSlices;)
      work(slices[i]);
  }
  /// The ordinal of the first unknown of slice \p i.
  uint32_t firstUnknown(size_t i) const { return i << ordinalBits; }

  /// \name Threads
  /// @{
  enum class Round : uint8_t { Fill, Offer, Place, End };
  void work(unsigned worker, PackedState &at);
  void together(Round next);
  void startWorkers();
  void endWorkers();
  /// @}

  bool addTransition(StateIndex from, const Step &step, StateIndex to);
  void growTransitions(size_t count);
  /// none: the search ends here.
  StateIndex addState(const uint32_t *packed, uint32_t hash, StateIndex parent,
                      uint64_t weight);
  bool endRow(StateIndex s, size_t count, bool isFinal);
  void dropRow();
  void lookForGrowth(StateIndex s);
  uint64_t bytes(uint64_t states, uint64_t transitions) const {
    return states * (result.store->bytesPerState() + 4) +
           transitions * (options.keepOrigins ? 20 : 8);
  }
  uint64_t bytes() const { return bytes(result.store->size(), kept); }
  void tellProgress() const {
    if (options.limits.progress)
      options.limits.progress->update("exploring", result.store->size(),
                                      result.transitions,
                                      result.store->size() - result.expanded);
  }
  void setFinal(StateIndex s) {
    if (finals.size() <= s / 64)
      finals.resize(s / 64 + 1);
    finals[s / 64] |= uint64_t(1) << (s % 64);
  }

  const System &system;
  const ExplorerOptions &options;
  Budget budget;
  Exploration result;
  const bool watchGrowth, saysFinal;
  GrowthWatch growth;
  PackedState own;
  std::vector<uint32_t> state, packed, visited;
  std::vector<uint32_t> rows;
  GrowingArray<LabelIndex> labels;
  GrowingArray<StateIndex> targets;
  GrowingArray<Step> steps;
  size_t kept = 0, room = 0; ///< transitions, and what the arrays have room for
  std::vector<uint64_t> finals;
  // The row in the making.
  size_t rowStates = 0, rowTransitions = 0;
  uint64_t seenBefore = 0;
  // Shared with the workers.
  unsigned threads = std::clamp(options.limits.threads, 1u, 64u);
  std::vector<Thread> workers;
  std::barrier<> gate{threads};
  Round round = Round::Fill;
  std::vector<Slice> slices;
  size_t usedSlices = 0, transitionsBefore = 0;
  unsigned ordinalBits = 0; ///< of an unknown's number in its slice
  StateIndex chunkEnd = 0, statesBefore = 0;
  std::vector<StateIndex> numbers; ///< of the unknown ones, by ordinal
  std::atomic<size_t> nextSlice{0};
};
} // namespace

/// Room for transitions up to \p count, and as many more.
void Search::growTransitions(size_t count) {
  room = std::min<size_t>(2 * count + 256, UINT32_MAX);
  labels.resize(room);
  targets.resize(room);
  if (options.keepOrigins)
    steps.resize(room);
}

inline bool Search::addTransition(StateIndex from, const Step &step,
                                  StateIndex to) {
  ++result.transitions;
  if (options.keepTransitions) {
    if (kept == room) {
      if (kept == UINT32_MAX) {
        result.limit = "4294967295 transitions";
        return false;
      }
      growTransitions(kept);
    }
    labels[kept] = step.label;
    targets[kept] = to;
    if (options.keepOrigins)
      steps[kept] = step;
    ++kept;
  }
  if (options.visitor && !options.visitor->transition(from, step, to)) {
    result.stopped = true;
    return false;
  }
  return true;
}

StateIndex Search::addState(const uint32_t *vector, uint32_t hash,
                            StateIndex parent, uint64_t weight) {
  StateStore &store = *result.store;
  if (store.size() >= 0xfffffffe)
    result.limit = "4294967294 states";
  else if (budget.due(store.size() + 1, bytes()))
    result.limit = budget.look(store.size() + 1, bytes());
  if (!result.limit.empty())
    return StateStore::none;
  StateIndex index = store.add(vector, hash, parent);
  if (options.visitor) {
    visited.resize(system.width());
    store.unpack(index, visited.data());
    if (!options.visitor->state(index, visited.data())) {
      result.stopped = true;
      // The state stays: it is what was looked for.
    }
  }
  if (watchGrowth && growth.gains(parent, weight))
    lookForGrowth(index);
  return index;
}

void Search::lookForGrowth(StateIndex s) {
  auto steps = [&](StateIndex ancestor) {
    std::vector<Step> cycle;
    for (const RunStep &step : result.pathFrom(ancestor, s))
      cycle.push_back(step.step);
    return cycle;
  };
  if (std::optional<GrowthWatch::Found> found = growth.lookBack(s, steps))
    result.growth = Growth{std::move(found->what), found->from, s,
                           result.pathFrom(found->from, s)};
}

/// Ends the row of \p s; false: the search ends here, with this row in it.
bool Search::endRow(StateIndex s, size_t count, bool isFinal) {
  if (isFinal)
    setFinal(s);
  if (options.keepTransitions)
    rows.push_back(kept);
  result.expanded = s + 1;
  if (options.visitor) {
    visited.resize(system.width());
    result.store->unpack(s, visited.data());
    if (!options.visitor->expanded(s, visited.data(), count))
      result.stopped = true;
  }
  if (s % 1024 == 0)
    tellProgress();
  // A long row, of large states, takes as long as many others.
  const bool isLong = budget.spend(count * system.width() / 16);
  if (result.limit.empty() &&
      (isLong || budget.due(result.store->size(), bytes())))
    result.limit = budget.look(result.store->size(), bytes());
  return !result.stopped && result.limit.empty() && !result.growth;
}

/// Takes back the row in the making: rows are whole or empty. The states that
/// it found stay where the search ends on purpose.
void Search::dropRow() {
  result.transitions = seenBefore;
  kept = rowTransitions;
  if (!result.stopped && !result.growth)
    result.store->truncate(rowStates);
}

bool Search::expandAlone(StateIndex s) {
  StateStore &store = *result.store;
  own.load(s);
  rowStates = store.size();
  rowTransitions = kept;
  seenBefore = result.transitions;
  size_t count = 0;
  bool goOn = true;
  auto take = [&](const Step &step, ArrayRef<SlotChange> changes) {
    while (LLVM_UNLIKELY(!own.set(changes))) {
      store.widen(own.apply(changes));
      own.load(s);
    }
    StateIndex to = store.find(own.packed(), own.hash());
    if (to == StateStore::none)
      to = addState(own.packed(), own.hash(), s,
                    watchGrowth ? system.weight(own.apply(changes)) : 0);
    own.undo();
    if (to == StateStore::none)
      return goOn = false;
    ++count;
    goOn = addTransition(s, step, to) && !result.stopped && !result.growth;
    return goOn;
  };
  system.changes(own.slots(), own.scratch(), take);
  if (goOn && !isTroubled())
    return endRow(s, count, saysFinal && system.isFinal(own.slots()));
  dropRow();
  return false;
}

//===----------------------------------------------------------------------===//
// Several threads
//===----------------------------------------------------------------------===//

void Search::fillSlice(Slice &slice, StateIndex end, PackedState &at) {
  const StateStore &store = *result.store;
  const unsigned words = store.packedWords();
  for (StateIndex s = slice.first; s < end && slice.tooWide.empty(); ++s) {
    at.load(s);
    auto take = [&](const Step &step, ArrayRef<SlotChange> changes) {
      bool fits = at.set(changes);
      if (fits) {
        store.prefetchEntry(at.hash());
        slice.candidates.push_back({step, StateStore::none});
        slice.hashes.push_back(at.hash());
        slice.packed.insert(slice.packed.end(), at.packed(),
                            at.packed() + words);
        if (watchGrowth)
          slice.weights.push_back(system.weight(at.apply(changes)));
      } else {
        const uint32_t *next = at.apply(changes);
        slice.tooWide.assign(next, next + system.width());
      }
      at.undo();
      return fits;
    };
    system.changes(at.slots(), at.scratch(), take);
    slice.rowEnd.push_back(slice.candidates.size());
    if (saysFinal && system.isFinal(at.slots()))
      slice.finals.push_back(s);
  }
  lookUp(slice);
}

/// Tells the known candidates of a slice from the unknown ones, whose vectors
/// move together.
void Search::lookUp(Slice &slice) {
  constexpr size_t ahead = 8;
  const StateStore &store = *result.store;
  const unsigned words = store.packedWords();
  const size_t count = slice.candidates.size();
  const uint32_t *hashes = slice.hashes.data(), *vector = slice.packed.data();
  uint32_t *unknownVector = slice.packed.data();
  for (size_t i = 0; i < count; ++i, vector += words) {
    if (i + ahead < count)
      store.prefetchState(hashes[i + ahead]);
    StateIndex target = store.find(vector, hashes[i]);
    slice.candidates[i].target = target;
    if (target != StateStore::none)
      continue;
    if (watchGrowth)
      slice.weights[slice.unknown.size()] = slice.weights[i];
    slice.unknown.push_back({hashes[i], 0, 0});
    ++slice.perPart[StateStore::partOf(hashes[i])];
    std::copy_n(vector, words, unknownVector);
    unknownVector += words;
  }
}

/// Puts the unknown ones of this worker's parts into the table, each once, as
/// statesBefore + the ordinal of the first.
void Search::offerUnknown(unsigned worker) {
  constexpr size_t ahead = 8;
  StateStore &store = *result.store;
  const unsigned words = store.packedWords();
  auto isMine = [&](uint32_t hash) {
    return StateStore::partOf(hash) % threads == worker;
  };
  for (unsigned part = worker; part < StateStore::numParts; part += threads) {
    size_t count = 0;
    for (size_t i = 0; i < usedSlices; ++i)
      count += slices[i].perPart[part];
    store.reserve(part, count);
  }
  for (size_t i = 0; i < usedSlices; ++i) {
    Slice &slice = slices[i];
    for (size_t u = 0, count = slice.unknown.size(); u < count; ++u) {
      if (u + ahead < count && isMine(slice.unknown[u + ahead].hash))
        store.prefetchEntry(slice.unknown[u + ahead].hash);
      Unknown &unknown = slice.unknown[u];
      if (!isMine(unknown.hash))
        continue;
      const uint32_t *vector = slice.packed.data() + u * words;
      auto equal = [&](StateIndex other) {
        uint32_t ordinal = other - statesBefore;
        const Slice &its = slices[ordinal >> ordinalBits];
        uint32_t number = ordinal & ((1u << ordinalBits) - 1);
        return std::equal(vector, vector + words,
                          its.packed.data() + number * size_t(words));
      };
      unknown.first = store.offer(unknown.hash, statesBefore,
                                  statesBefore + firstUnknown(i) + u,
                                  unknown.place, equal) -
                      statesBefore;
    }
  }
}

/// Copies a slice's states and transitions to their places.
void Search::placeSlice(const Slice &slice) {
  constexpr size_t ahead = 8;
  StateStore &store = *result.store;
  const unsigned words = store.packedWords();
  size_t transition = transitionsBefore + slice.firstTransition;
  const uint32_t firstOrdinal = firstUnknown(&slice - slices.data());
  size_t u = 0, c = 0;
  for (size_t row = 0; row < slice.rowEnd.size(); ++row) {
    StateIndex from = slice.first + row;
    for (; c < slice.rowEnd[row]; ++c, ++transition) {
      const Candidate &candidate = slice.candidates[c];
      StateIndex to = candidate.target;
      if (to == StateStore::none) {
        if (u + ahead < slice.unknown.size())
          store.prefetchPlace(slice.unknown[u + ahead].hash,
                              slice.unknown[u + ahead].place);
        const Unknown &unknown = slice.unknown[u];
        uint32_t ordinal = firstOrdinal + u;
        to = numbers[ordinal];
        if (unknown.first == ordinal)
          store.place(to, slice.packed.data() + u * words, unknown.hash, from,
                      unknown.place);
        ++u;
      }
      if (options.keepTransitions) {
        labels[transition] = candidate.step.label;
        targets[transition] = to;
        if (options.keepOrigins)
          steps[transition] = candidate.step;
      }
    }
    if (options.keepTransitions)
      rows[from + 1] = transition;
  }
}

void Search::work(unsigned worker, PackedState &at) {
  switch (round) {
  case Round::Fill:
    eachSlice([&](Slice &slice) {
      fillSlice(slice,
                std::min<size_t>(chunkEnd, size_t(slice.first) + sliceStates),
                at);
    });
    break;
  case Round::Offer:
    offerUnknown(worker);
    break;
  case Round::Place:
    eachSlice([&](const Slice &slice) { placeSlice(slice); });
    break;
  case Round::End:
    break;
  }
}

void Search::together(Round next) {
  round = next;
  nextSlice = 0;
  gate.arrive_and_wait();
  work(0, own);
  gate.arrive_and_wait();
}

void Search::startWorkers() {
  slices.resize(chunkSlices);
  startThreads(workers, threads - 1, [this](unsigned i) {
    PackedState at(*result.store);
    for (bool last = false; !last;) {
      gate.arrive_and_wait();
      // After the second gate it is the next round's already.
      last = round == Round::End;
      work(i, at);
      gate.arrive_and_wait();
    }
  });
  // No more could be started: these share the work.
  for (; threads > workers.size() + 1; --threads)
    gate.arrive_and_drop();
}

void Search::endWorkers() {
  if (workers.empty())
    return;
  together(Round::End);
  for (Thread &worker : workers)
    worker.join();
}

/// Expands states from \p first on by all threads.
bool Search::expandChunk(StateIndex first) {
  StateStore &store = *result.store;
  if (workers.empty())
    startWorkers();
  size_t count = std::min(store.size() - first, sliceStates * chunkSlices);
  usedSlices = (count + sliceStates - 1) / sliceStates;
  chunkEnd = first + count;
  for (size_t i = 0; i < usedSlices; ++i) {
    slices[i].clear();
    slices[i].first = first + i * sliceStates;
  }
  together(Round::Fill);
  if (isTroubled())
    return false;

  size_t numTransitions = 0, numUnknown = 0, most = 0;
  for (size_t i = 0; i < usedSlices; ++i) {
    Slice &slice = slices[i];
    if (!slice.tooWide.empty()) {
      store.widen(slice.tooWide.data());
      // Nothing was added yet: the first state alone, then the chunk anew.
      return expandAlone(first);
    }
    slice.firstTransition = numTransitions;
    numUnknown += slice.unknown.size();
    most = std::max(most, slice.unknown.size());
    numTransitions += slice.candidates.size();
  }
  statesBefore = store.size();
  transitionsBefore = kept;
  size_t mostStates = store.size() + numUnknown;
  ordinalBits = llvm::Log2_64_Ceil(most + 1);
  if (options.visitor ||
      store.size() + (usedSlices << ordinalBits) >= 0xfffffffe ||
      kept + numTransitions >= UINT32_MAX ||
      !budget.look(mostStates, bytes(mostStates, kept + numTransitions))
           .empty())
    return addInOrder(first);

  together(Round::Offer);
  // Numbers, in the order of the plain search.
  numbers.resize(usedSlices << ordinalBits);
  StateIndex number = statesBefore;
  for (size_t i = 0; i < usedSlices; ++i) {
    uint32_t ordinal = firstUnknown(i);
    for (const Unknown &unknown : slices[i].unknown) {
      numbers[ordinal] =
          unknown.first == ordinal ? number++ : numbers[unknown.first];
      ++ordinal;
    }
  }
  store.extend(number);
  if (options.keepTransitions) {
    rows.resize(chunkEnd + 1);
    kept += numTransitions;
    if (kept > room)
      growTransitions(kept);
  }
  for (size_t i = 0; i < usedSlices; ++i)
    for (StateIndex s : slices[i].finals)
      setFinal(s);
  together(Round::Place);
  if (watchGrowth && !watchChunk())
    return false;
  result.transitions += numTransitions;
  result.expanded = chunkEnd;
  tellProgress();
  return true;
}

/// Looks for growth at the new states of a chunk. False: it was found, and all
/// that the plain search would not have seen by then is taken back.
bool Search::watchChunk() {
  StateStore &store = *result.store;
  for (size_t i = 0; i < usedSlices; ++i) {
    const Slice &slice = slices[i];
    for (size_t u = 0; u < slice.unknown.size(); ++u) {
      uint32_t ordinal = firstUnknown(i) + u;
      if (slice.unknown[u].first != ordinal)
        continue;
      StateIndex s = numbers[ordinal], parent = store.parent(s);
      if (growth.gains(parent, slice.weights[u]))
        lookForGrowth(s);
      if (!result.growth)
        continue;
      store.truncate(size_t(s) + 1);
      size_t row = parent - slice.first;
      result.transitions +=
          slice.firstTransition + (row ? slice.rowEnd[row - 1] : 0);
      result.expanded = parent;
      if (options.keepTransitions) {
        kept = rows[parent];
        rows.resize(size_t(parent) + 1);
      }
      return false;
    }
  }
  return true;
}

/// Adds what the threads found, one after the other.
bool Search::addInOrder(StateIndex first) {
  StateStore &store = *result.store;
  const unsigned words = store.packedWords();
  StateIndex s = first;
  for (size_t i = 0; i < usedSlices; ++i) {
    const Slice &slice = slices[i];
    size_t c = 0, u = 0;
    const StateIndex *final = slice.finals.data(),
                     *lastFinal = final + slice.finals.size();
    for (size_t row = 0; row < slice.rowEnd.size(); ++row, ++s) {
      rowStates = store.size();
      rowTransitions = kept;
      seenBefore = result.transitions;
      bool goOn = true;
      size_t begin = c;
      for (; c < slice.rowEnd[row] && goOn; ++c) {
        const Candidate &candidate = slice.candidates[c];
        StateIndex to = candidate.target;
        if (to == StateStore::none) {
          const uint32_t *vector = slice.packed.data() + u * words;
          uint32_t hash = slice.unknown[u].hash;
          to = store.find(vector, hash);
          if (to == StateStore::none)
            to = addState(vector, hash, s, watchGrowth ? slice.weights[u] : 0);
          ++u;
          if (to == StateStore::none) {
            goOn = false;
            break;
          }
        }
        goOn = addTransition(s, candidate.step, to) && !result.stopped &&
               !result.growth;
      }
      if (!goOn) {
        dropRow();
        return false;
      }
      bool isFinal = final != lastFinal && *final == s;
      final += isFinal;
      if (!endRow(s, c - begin, isFinal))
        return false;
    }
  }
  return true;
}

Exploration Search::run() {
  StateStore &store = *result.store;
  result.lts.labels.assign(system.labels().begin(), system.labels().end());
  if (options.keepTransitions)
    rows.push_back(0);

  system.initial(state.data());
  store.packWidening(state.data(), packed);
  bool goOn = addState(packed.data(), store.hash(packed.data()),
                       StateStore::none, 0) != StateStore::none &&
              !result.stopped;
  if (store.size() == 0) // not even one state is allowed: it is there anyway
    store.add(packed.data(), store.hash(packed.data()), StateStore::none);

  goOn = goOn && !isTroubled();
  while (goOn && result.expanded < store.size()) {
    StateIndex s = result.expanded;
    goOn = threads == 1 || store.size() - s < 4 * sliceStates ? expandAlone(s)
                                                              : expandChunk(s);
  }
  endWorkers();

  result.complete = goOn && !isTroubled();
  if (saysFinal) {
    for (StateIndex s = result.expanded; s < store.size(); ++s) {
      store.unpack(s, state.data());
      if (system.isFinal(state.data()))
        setFinal(s);
    }
    finals.resize((store.size() + 63) / 64);
    result.lts.finals = std::move(finals);
  }
  if (options.keepTransitions) {
    rows.resize(store.size() + 1, kept);
    result.lts.rowBegin = std::move(rows);
    result.lts.label = labels.take(kept);
    result.lts.target = targets.take(kept);
    if (options.keepOrigins)
      result.steps = steps.take(kept);
  }
  return std::move(result);
}

Exploration cif::explore(const System &system, const ExplorerOptions &options) {
  return Search(system, options).run();
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

std::vector<uint32_t> Exploration::vectorOf(StateIndex s) const {
  std::vector<uint32_t> vector(system->width());
  store->unpack(s, vector.data());
  return vector;
}

std::string Exploration::describe(StateIndex s) const {
  return system->describe(vectorOf(s).data());
}

std::vector<RunStep> Exploration::traceTo(StateIndex s) const {
  return pathFrom(0, s);
}

std::vector<RunStep> Exploration::pathFrom(StateIndex ancestor,
                                           StateIndex s) const {
  std::vector<RunStep> run;
  std::vector<uint32_t> scratch(system->width());
  auto parentOf = [&](StateIndex at) { return store->parent(at); };
  for (StateIndex at : wayTo(s, parentOf, ancestor)) {
    StateIndex before = store->parent(at);
    std::vector<uint32_t> from = vectorOf(before), to = vectorOf(at);
    // The first step that leads there is the one by which it was found.
    system->successors(from.data(), scratch.data(),
                       [&](const Step &step, const uint32_t *next) {
                         if (!std::equal(to.begin(), to.end(), next))
                           return true;
                         run.push_back({before, step, at});
                         return false;
                       });
  }
  return run;
}

std::string Exploration::incompleteText() const {
  if (growth)
    return "unbounded: " + growth->what + " on a cycle of " +
           std::to_string(growth->cycle.size()) +
           (growth->cycle.size() == 1 ? " step" : " steps");
  return stoppedText(limit);
}
