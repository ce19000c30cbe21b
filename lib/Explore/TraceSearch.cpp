//===- TraceSearch.cpp - Traces of a system that an LTS does not have -----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Weak trace inclusion on the fly: the system runs in step with the
/// deterministic monitor, and the search ends where the monitor cannot follow.
/// Levels are numbers of exchanges: all silent steps of a level are taken
/// before the first exchange into the next one, so that the trace found has the
/// fewest exchanges. Sound and complete if there are finitely many states
/// within the limits.
///
//===----------------------------------------------------------------------===//

#include "cif/Explore/TraceSearch.h"
#include "GrowthWatch.h"
#include "cif/Graph/Search.h"
#include "llvm/ADT/StringMap.h"

using namespace cif;

namespace {
constexpr uint32_t refused = UINT32_MAX;

/// The system with the monitor's state in one more slot.
class Monitored final : public System {
public:
  Monitored(const System &inner, const Lts &lts) : system(inner), monitor(lts) {
    numSlots = inner.width() + 1;
    llvm::StringMap<LabelIndex> known;
    for (LabelIndex l = 1; l < lts.labels.size(); ++l)
      known[labelText(lts.labels[l])] = l;
    for (const Label &label : inner.labels()) {
      if (label.kind != LabelKind::Exchange) {
        follows.push_back(tauLabel);
        continue;
      }
      auto at = known.find(labelText(label));
      follows.push_back(at == known.end() ? refused : at->second);
    }
  }

  bool shows(const Step &step) const { return follows[step.label] != tauLabel; }

  void initial(uint32_t *state) const override {
    system.initial(state);
    state[numSlots - 1] = monitor.initial;
  }
  void successors(const uint32_t *state, uint32_t *scratch,
                  StepSink sink) const override {
    StateIndex at = state[numSlots - 1];
    room.resize(numSlots);
    system.successors(state, scratch,
                      [&](const Step &step, const uint32_t *next) {
                        std::copy_n(next, numSlots - 1, room.data());
                        room[numSlots - 1] = follow(at, follows[step.label]);
                        return sink(step, room.data());
                      });
  }
  bool isFinal(const uint32_t *state) const override {
    return system.isFinal(state);
  }
  std::string describe(const uint32_t *state) const override {
    return system.describe(state);
  }
  uint32_t slotMaximum(unsigned slot) const override {
    return slot + 1 < numSlots ? system.slotMaximum(slot)
                               : monitor.numStates() - 1;
  }

private:
  uint32_t follow(StateIndex at, LabelIndex label) const {
    if (label == tauLabel)
      return at;
    ArrayRef<LabelIndex> labels = monitor.labelsOf(at);
    auto *found = llvm::find(labels, label);
    return found == labels.end()
               ? refused
               : monitor.targetsOf(at)[found - labels.begin()];
  }

  const System &system;
  const Lts &monitor;
  std::vector<LabelIndex> follows; ///< by label of the system
  mutable std::vector<uint32_t> room;
};

/// The states of the product that were found. Where unbounded growth is proved
/// the search cannot end by itself: it goes on a little, as a difference may
/// still be near, but not to states with far more in transit, which cost more
/// and show less.
class ProductStates {
public:
  ProductStates(const System &inner, const Monitored &product,
                const Limits &limits)
      : system(inner), grows(!inner.isBounded()), budget(limits),
        store(product), watch(inner, store) {}

  /// StateStore::none: it is refused.
  StateIndex add(ArrayRef<uint32_t> vector, StateIndex from, const Step &step) {
    if (!limit.empty())
      return StateStore::none;
    store.packWidening(vector.data(), packed);
    uint32_t hash = store.hash(packed.data());
    if (StateIndex known = store.find(packed.data(), hash);
        known != StateStore::none)
      return known;
    const uint64_t weight = grows ? system.weight(vector.data()) : 0;
    if (!growth.empty() && weight > mostWeight) {
      leftOut = true;
      return StateStore::none;
    }
    limit = budget.exceeded(size() + 1, bytes() + bytesLater);
    if (limit.empty() && size() >= lastStates)
      limit = "unbounded: " + growth;
    if (!limit.empty())
      return StateStore::none;
    StateIndex index = store.add(packed.data(), hash, from);
    via.push_back(step);
    if (grows && growth.empty() && watch.gains(from, weight))
      lookForGrowth(index, weight);
    return index;
  }
  size_t size() const { return store.size(); }
  size_t bytes() const { return size() * (store.bytesPerState() + 12); }
  void read(StateIndex s, std::vector<uint32_t> &state) const {
    state.resize(store.numSlots());
    store.unpack(s, state.data());
  }
  std::vector<Step> runTo(StateIndex s, StateIndex from = noParent) const {
    std::vector<Step> run;
    for (StateIndex at : wayTo(
             s, [&](StateIndex i) { return store.parent(i); }, from))
      run.push_back(via[at]);
    return run;
  }

  std::string limit;
  std::string growth;      ///< why the states are infinitely many
  bool leftOut = false;    ///< states with more than mostWeight in transit
  uint64_t bytesLater = 0; ///< of the search, beside these

private:
  void lookForGrowth(StateIndex s, uint64_t weight) {
    auto found =
        watch.lookBack(s, [&](StateIndex from) { return runTo(s, from); });
    if (!found)
      return;
    growth = std::move(found->what);
    lastStates = size() * 4 + 10'000;
    mostWeight = 2 * weight + 16;
  }

  const System &system;
  const bool grows; ///< as far as is known
  Budget budget;
  StateStore store;
  GrowthWatch watch;
  std::vector<Step> via; ///< by state: the step that found it
  std::vector<uint32_t> packed;
  uint64_t lastStates = UINT64_MAX, mostWeight = UINT64_MAX;
};
} // namespace

TraceSearchResult cif::findExtraTrace(const System &system, const Lts &monitor,
                                      const Limits &limits) {
  TraceSearchResult result;
  Monitored product(system, monitor);
  const unsigned width = product.width();
  StateSearch<Step, ProductStates> search(system, product, limits);
  ProductStates &states = search.states;
  std::vector<uint32_t> state(width), scratch(width);
  product.initial(state.data());
  search.start(state);
  auto take = [&](const Step &step, const uint32_t *next) {
    ++result.transitions;
    ArrayRef<uint32_t> target(next, width);
    if (!product.shows(step)) {
      search.reach(target, step);
      return states.limit.empty();
    }
    if (target.back() != refused) {
      search.reachLater(1, target, step);
      return true;
    }
    result.run = search.run();
    result.run.push_back(step);
    result.monitorState = state[width - 1];
    return false;
  };
  while (!result.found() && search.next(state) && states.limit.empty()) {
    states.bytesLater = search.bytesLater();
    product.successors(state.data(), scratch.data(), take);
  }
  result.states = states.size();
  result.growth = states.growth;
  if (result.found())
    return result;
  result.limit = !system.trouble().empty() ? system.trouble()
                 : states.leftOut && states.limit.empty()
                     ? "unbounded: " + states.growth
                     : states.limit;
  result.complete = result.limit.empty();
  return result;
}
