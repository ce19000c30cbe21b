//===- Explorer.cpp - Breadth-first exploration of a system
//----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One thread expands states in order and adds what is new. With more threads,
/// a chunk of states that are known already is expanded by all of them: each
/// generates, packs, hashes and looks up the successors in the store, which
/// nobody changes meanwhile. Then one thread goes through the results in order
/// and adds what was not found. So the numbers are those of the plain search.
///
/// Growth is looked for on the tree of shortest runs: whenever a state has more
/// tokens and messages than any before, its ancestors are asked whether the way
/// from them is a cycle that can be repeated (System::pumps decides, and only
/// claims what is proved). Implements: [karpmiller] for counts. Sound; complete
/// for counts on the runs that it looks at; not for queues, where the question
/// is undecidable.
///
//===----------------------------------------------------------------------===//

#include "cif/LTS/Explorer.h"
#include <atomic>
#include <barrier>
#include <thread>

using namespace cif;

ExplorationVisitor::~ExplorationVisitor() = default;

namespace {
/// A successor that a worker generated.
struct Candidate {
  Step step;
  StateIndex target; ///< or StateStore::none: not known when looked up
  uint32_t hash;
};

/// What a worker made of a few states that follow each other.
struct Slice {
  StateIndex first = 0;
  std::vector<uint32_t> rowEnd; ///< of each state, in candidates
  std::vector<bool> final;      ///< of each state
  std::vector<Candidate> candidates;
  std::vector<uint32_t> packed;  ///< vectors of those not known, in order
  std::vector<uint64_t> weights; ///< of the same, where growth matters
  std::vector<uint32_t> tooWide; ///< a vector that could not be packed

  void clear() {
    rowEnd.clear();
    final.clear();
    candidates.clear();
    packed.clear();
    weights.clear();
    tooWide.clear();
  }
};

class Search {
public:
  Search(const System &sys, const ExplorerOptions &opts)
      : system(sys), options(opts), budget(opts.limits), result(sys),
        watchGrowth(opts.findGrowth && !sys.isBounded()),
        saysFinal(sys.saysFinal()), state(sys.width()), scratch(sys.width()) {}

  Exploration run();

private:
  static constexpr size_t sliceStates = 128;
  static constexpr size_t chunkSlices = 64;

  /// False: the search ends here.
  bool expandAlone(StateIndex s);
  bool expandTogether(StateIndex first);
  void fillSlices();
  void fillSlice(Slice &slice, StateIndex end, std::vector<uint32_t> &vector,
                 std::vector<uint32_t> &next, std::vector<uint32_t> &packed);
  bool addTransition(StateIndex from, const Step &step, StateIndex to);
  /// none: the search ends here.
  StateIndex addState(const uint32_t *packed, uint32_t hash, StateIndex parent,
                      uint64_t weight);
  bool endRow(StateIndex s, size_t count, bool isFinal);
  void dropRow();
  bool gains(StateIndex parent, uint64_t weight);
  void lookForGrowth(StateIndex s);
  uint64_t bytes() const {
    return result.store->size() * (result.store->bytesPerState() + 4) +
           targets.size() * (options.keepOrigins ? 20 : 8);
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
  int64_t growthCredit = 200'000; ///< looks back that are paid for
  StateIndex weighedState = StateStore::none;
  uint64_t parentWeight = 0; ///< of weighedState
  std::vector<uint32_t> state, scratch, packed, visited;
  std::vector<uint32_t> rows;
  std::vector<LabelIndex> labels;
  std::vector<StateIndex> targets;
  std::vector<uint64_t> finals;
  // The row in the making.
  size_t rowStates = 0, rowTransitions = 0;
  uint64_t seenBefore = 0;
  // Shared with the workers.
  std::vector<Slice> slices;
  size_t usedSlices = 0;
  StateIndex chunkEnd = 0;
  std::atomic<size_t> nextSlice{0};
};
} // namespace

bool Search::addTransition(StateIndex from, const Step &step, StateIndex to) {
  ++result.transitions;
  if (options.keepTransitions) {
    if (targets.size() == UINT32_MAX) {
      result.limit = "4294967295 transitions";
      return false;
    }
    labels.push_back(step.label);
    targets.push_back(to);
    if (options.keepOrigins)
      result.steps.push_back(step);
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
  else
    result.limit = budget.exceeded(store.size() + 1, bytes());
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
  if (watchGrowth && gains(parent, weight))
    lookForGrowth(index);
  return index;
}

/// Whether the step from \p parent to a new state of this weight may be the
/// last of a cycle that pumps. Every such cycle, begun at the right place, ends
/// with a step that adds something. Looking back costs as much as the run is
/// long; each new state pays for a few looks, so that the search stays linear,
/// and a cycle that pumps comes by often enough to be met.
bool Search::gains(StateIndex parent, uint64_t weight) {
  growthCredit += 2;
  if (growthCredit <= 0)
    return false;
  if (parent != weighedState) {
    visited.resize(system.width());
    result.store->unpack(parent, visited.data());
    weighedState = parent;
    parentWeight = system.weight(visited.data());
  }
  return weight > parentWeight;
}

void Search::lookForGrowth(StateIndex s) {
  StateStore &store = *result.store;
  std::vector<uint32_t> low(system.width()), high(system.width());
  store.unpack(s, high.data());
  int64_t length = 0;
  for (StateIndex at = store.parent(s); at != StateStore::none;
       at = store.parent(at)) {
    --growthCredit;
    ++length;
    store.unpack(at, low.data());
    if (!system.covers(low.data(), high.data()))
      continue;
    growthCredit -= 4 * length;
    std::vector<RunStep> path = result.pathFrom(at, s);
    SmallVector<Step, 32> cycle;
    for (const RunStep &step : path)
      cycle.push_back(step.step);
    std::string what = system.pumps(low.data(), high.data(), cycle);
    if (what.empty())
      continue;
    result.growth = Growth{std::move(what), at, s, std::move(path)};
    return;
  }
}

/// Ends the row of \p s; false: the search ends here, with this row in it.
bool Search::endRow(StateIndex s, size_t count, bool isFinal) {
  if (isFinal)
    setFinal(s);
  if (options.keepTransitions)
    rows.push_back(targets.size());
  result.expanded = s + 1;
  if (options.visitor) {
    visited.resize(system.width());
    result.store->unpack(s, visited.data());
    if (!options.visitor->expanded(s, visited.data(), count))
      result.stopped = true;
  }
  if (options.limits.progress && s % 1024 == 0)
    options.limits.progress->update("exploring", result.store->size(),
                                    result.transitions,
                                    result.store->size() - s - 1);
  if (result.limit.empty())
    result.limit = budget.exceeded(result.store->size(), bytes());
  return !result.stopped && result.limit.empty() && !result.growth;
}

/// Takes back the row in the making: rows are whole or empty. The states that
/// it found stay where the search ends on purpose.
void Search::dropRow() {
  result.transitions = seenBefore;
  targets.resize(rowTransitions);
  labels.resize(rowTransitions);
  if (options.keepOrigins)
    result.steps.resize(rowTransitions);
  if (!result.stopped && !result.growth)
    result.store->truncate(rowStates);
}

bool Search::expandAlone(StateIndex s) {
  StateStore &store = *result.store;
  store.unpack(s, state.data());
  rowStates = store.size();
  rowTransitions = targets.size();
  seenBefore = result.transitions;
  size_t count = 0;
  bool goOn = true;
  system.successors(state.data(), scratch.data(),
                    [&](const Step &step, const uint32_t *next) {
                      packed.resize(store.packedWords());
                      while (!store.pack(next, packed.data())) {
                        store.widen(next);
                        packed.resize(store.packedWords());
                      }
                      uint32_t hash = store.hash(packed.data());
                      StateIndex to = store.find(packed.data(), hash);
                      if (to == StateStore::none) {
                        to = addState(packed.data(), hash, s,
                                      watchGrowth ? system.weight(next) : 0);
                        if (to == StateStore::none)
                          return goOn = false;
                      }
                      ++count;
                      goOn = addTransition(s, step, to) && !result.stopped &&
                             !result.growth;
                      return goOn;
                    });
  if (goOn)
    return endRow(s, count, saysFinal && system.isFinal(state.data()));
  dropRow();
  return false;
}

void Search::fillSlice(Slice &slice, StateIndex end,
                       std::vector<uint32_t> &vector,
                       std::vector<uint32_t> &next,
                       std::vector<uint32_t> &room) {
  const StateStore &store = *result.store;
  const unsigned words = store.packedWords();
  room.resize(words);
  for (StateIndex s = slice.first; s < end && slice.tooWide.empty(); ++s) {
    store.unpack(s, vector.data());
    system.successors(
        vector.data(), next.data(), [&](const Step &step, const uint32_t *to) {
          if (!store.pack(to, room.data())) {
            slice.tooWide.assign(to, to + system.width());
            return false;
          }
          uint32_t hash = store.hash(room.data());
          StateIndex target = store.find(room.data(), hash);
          slice.candidates.push_back({step, target, hash});
          if (target == StateStore::none) {
            slice.packed.insert(slice.packed.end(), room.begin(), room.end());
            if (watchGrowth)
              slice.weights.push_back(system.weight(to));
          }
          return true;
        });
    slice.rowEnd.push_back(slice.candidates.size());
    slice.final.push_back(saysFinal && system.isFinal(vector.data()));
  }
}

void Search::fillSlices() {
  std::vector<uint32_t> vector(system.width()), next(system.width()), room;
  for (size_t i; (i = nextSlice.fetch_add(1)) < usedSlices;) {
    Slice &slice = slices[i];
    StateIndex end =
        std::min<size_t>(chunkEnd, size_t(slice.first) + sliceStates);
    fillSlice(slice, end, vector, next, room);
  }
}

/// The part of a chunk that one thread does alone, in order.
bool Search::expandTogether(StateIndex first) {
  StateStore &store = *result.store;
  const unsigned words = store.packedWords();
  for (size_t i = 0; i < usedSlices; ++i)
    if (!slices[i].tooWide.empty()) {
      store.widen(slices[i].tooWide.data());
      // Nothing was added yet: the first state alone, then the chunk anew.
      return expandAlone(first);
    }
  StateIndex s = first;
  for (size_t i = 0; i < usedSlices; ++i) {
    const Slice &slice = slices[i];
    const uint32_t *vector = slice.packed.data();
    const uint64_t *weight = slice.weights.data();
    size_t c = 0;
    for (size_t row = 0; row < slice.rowEnd.size(); ++row, ++s) {
      rowStates = store.size();
      rowTransitions = targets.size();
      seenBefore = result.transitions;
      bool goOn = true;
      size_t begin = c;
      for (; c < slice.rowEnd[row] && goOn; ++c) {
        const Candidate &candidate = slice.candidates[c];
        StateIndex to = candidate.target;
        if (to == StateStore::none) {
          to = store.find(vector, candidate.hash);
          if (to == StateStore::none)
            to = addState(vector, candidate.hash, s, watchGrowth ? *weight : 0);
          vector += words;
          weight += watchGrowth;
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
      if (!endRow(s, c - begin, slice.final[row]))
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
  packed.resize(store.packedWords());
  while (!store.pack(state.data(), packed.data())) {
    store.widen(state.data());
    packed.resize(store.packedWords());
  }
  bool goOn = addState(packed.data(), store.hash(packed.data()),
                       StateStore::none, 0) != StateStore::none &&
              !result.stopped;
  if (store.size() == 0) // not even one state is allowed: it is there anyway
    store.add(packed.data(), store.hash(packed.data()), StateStore::none);

  const unsigned threads = std::clamp(options.limits.threads, 1u, 64u);
  std::vector<std::thread> workers;
  std::barrier<> gate(threads);
  bool done = false;
  for (StateIndex s = 0; goOn && s < store.size();) {
    size_t waiting = store.size() - s;
    if (threads == 1 || waiting < 4 * sliceStates) {
      goOn = expandAlone(s);
      s = result.expanded;
      continue;
    }
    if (workers.empty()) {
      slices.resize(chunkSlices);
      for (unsigned i = 1; i < threads; ++i)
        workers.emplace_back([&] {
          while (true) {
            gate.arrive_and_wait();
            if (done)
              return;
            fillSlices();
            gate.arrive_and_wait();
          }
        });
    }
    size_t count = std::min(waiting, sliceStates * chunkSlices);
    usedSlices = (count + sliceStates - 1) / sliceStates;
    chunkEnd = s + count;
    for (size_t i = 0; i < usedSlices; ++i) {
      slices[i].clear();
      slices[i].first = s + i * sliceStates;
    }
    nextSlice = 0;
    gate.arrive_and_wait();
    fillSlices();
    gate.arrive_and_wait();
    goOn = expandTogether(s);
    s = result.expanded;
  }
  if (!workers.empty()) {
    done = true;
    gate.arrive_and_wait();
    for (std::thread &worker : workers)
      worker.join();
  }

  if (result.limit.empty())
    result.limit = system.trouble();
  result.complete = goOn && result.limit.empty();
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
    rows.resize(store.size() + 1, targets.size());
    result.lts.rowBegin = std::move(rows);
    result.lts.label = std::move(labels);
    result.lts.target = std::move(targets);
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
  std::vector<StateIndex> path{s};
  while (path.back() != ancestor &&
         store->parent(path.back()) != StateStore::none)
    path.push_back(store->parent(path.back()));
  std::vector<RunStep> run;
  std::vector<uint32_t> scratch(system->width());
  for (size_t i = path.size() - 1; i > 0; --i) {
    std::vector<uint32_t> from = vectorOf(path[i]), to = vectorOf(path[i - 1]);
    // The first step that leads there is the one by which it was found.
    system->successors(from.data(), scratch.data(),
                       [&](const Step &step, const uint32_t *next) {
                         if (!std::equal(to.begin(), to.end(), next))
                           return true;
                         run.push_back({path[i], step, path[i - 1]});
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
  if (!limit.empty())
    return "limit " + limit + " met";
  return {};
}
