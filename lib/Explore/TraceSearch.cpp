//===- TraceSearch.cpp - Traces of a system that an LTS does not have -----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Weak trace inclusion on the fly: the system runs together with the
/// deterministic monitor, and the search ends where the monitor cannot follow.
/// Levels are numbers of exchanges: all silent steps of a level are taken
/// before the first exchange into the next one, so that the trace found has as
/// few exchanges as any. Sound and complete where the states are finitely many
/// and within the limits.
///
//===----------------------------------------------------------------------===//

#include "cif/Explore/TraceSearch.h"
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

class Search {
public:
  Search(const System &inner, const Lts &lts, const Limits &limits)
      : system(inner), product(inner, lts), store(product), allowed(limits),
        state(product.width()), scratch(product.width()), low(product.width()) {
  }

  TraceSearchResult run() {
    product.initial(state.data());
    add(state.data(), StateStore::none, {}, current);
    while (!current.empty() && expandLevel()) {
      current.clear();
      const unsigned width = product.width();
      for (size_t i = 0; i < pending.size(); ++i)
        if (!add(vectors.data() + i * width, pending[i].from, pending[i].step,
                 current))
          return finish();
      pending.clear();
      vectors.clear();
    }
    result.complete = current.empty() && !result.found() && !leftOut;
    if (leftOut && !result.found())
      result.limit = "unbounded: " + result.growth;
    return finish();
  }

private:
  struct Pending {
    StateIndex from;
    Step step;
  };

  TraceSearchResult finish() {
    result.states = store.size();
    if (!system.trouble().empty() && !result.found()) {
      result.complete = false;
      result.limit = system.trouble();
    }
    return std::move(result);
  }

  /// All states of this number of exchanges; false: the search ends.
  bool expandLevel() {
    const unsigned width = product.width();
    for (size_t i = 0; i < current.size(); ++i) {
      StateIndex at = current[i];
      store.unpack(at, state.data());
      bool goOn = true;
      product.successors(state.data(), scratch.data(),
                         [&](const Step &step, const uint32_t *next) {
                           ++result.transitions;
                           if (!product.shows(step))
                             return goOn = add(next, at, step, current);
                           if (next[width - 1] == refused) {
                             for (StateIndex s = at;
                                  store.parent(s) != StateStore::none;
                                  s = store.parent(s))
                               result.run.push_back(via[s]);
                             std::reverse(result.run.begin(), result.run.end());
                             result.run.push_back(step);
                             result.monitorState = state[width - 1];
                             return goOn = false;
                           }
                           pending.push_back({at, step});
                           vectors.insert(vectors.end(), next, next + width);
                           return true;
                         });
      if (!goOn)
        return false;
    }
    return true;
  }

  /// Adds a state that is new to \p level; false: a limit was met.
  bool add(const uint32_t *vector, StateIndex from, const Step &step,
           std::vector<StateIndex> &level) {
    packed.resize(store.packedWords());
    while (!store.pack(vector, packed.data())) {
      store.widen(vector);
      packed.resize(store.packedWords());
    }
    uint32_t hash = store.hash(packed.data());
    if (store.find(packed.data(), hash) != StateStore::none)
      return true;
    if (!result.growth.empty() && system.weight(vector) > mostWeight) {
      leftOut = true;
      return true;
    }
    result.limit = allowed.exceeded(
        store.size() + 1, store.size() * (store.bytesPerState() + 12) +
                              vectors.size() * 4 + pending.size() * 16);
    if (result.limit.empty() && store.size() >= lastStates)
      result.limit = "unbounded: " + result.growth;
    if (!result.limit.empty())
      return false;
    StateIndex index = store.add(packed.data(), hash, from);
    via.push_back(step);
    level.push_back(index);
    if (result.growth.empty() && !system.isBounded())
      lookForGrowth(index, from, vector);
    return true;
  }

  /// Where growth without end is proved the search cannot end by itself: it
  /// goes on a little, as a difference may still be near, but not to states
  /// with far more in transit, which cost more and show less. Every cycle that
  /// pumps, begun at the right place, ends with a step that adds something.
  /// Looking back costs as much as the run is long; each new state pays for a
  /// few looks, so that the search stays linear.
  void lookForGrowth(StateIndex index, StateIndex from, const uint32_t *high) {
    growthCredit += 2;
    if (growthCredit <= 0 || from == StateStore::none)
      return;
    store.unpack(from, low.data());
    if (system.weight(high) <= system.weight(low.data()))
      return;
    SmallVector<Step, 32> cycle{via[index]};
    for (StateIndex at = store.parent(index); at != StateStore::none;
         at = store.parent(at)) {
      --growthCredit;
      store.unpack(at, low.data());
      if (system.covers(low.data(), high)) {
        growthCredit -= 4 * static_cast<int64_t>(cycle.size());
        SmallVector<Step, 32> forward(cycle.rbegin(), cycle.rend());
        result.growth = system.pumps(low.data(), high, forward);
        if (!result.growth.empty()) {
          lastStates = store.size() * 4 + 10'000;
          mostWeight = 2 * system.weight(high) + 16;
          return;
        }
      }
      cycle.push_back(via[at]);
    }
  }

  const System &system;
  Monitored product;
  StateStore store;
  Budget allowed;
  TraceSearchResult result;
  std::vector<uint32_t> state, scratch, low, packed;
  std::vector<StateIndex> current;
  std::vector<Pending> pending;
  std::vector<uint32_t> vectors; ///< of pending, one after the other
  std::vector<Step> via;         ///< by state: the step that found it
  uint64_t lastStates = UINT64_MAX, mostWeight = UINT64_MAX;
  bool leftOut = false; ///< states with more than mostWeight in transit
  int64_t growthCredit = 200'000; ///< looks back that are paid for
};
} // namespace

TraceSearchResult cif::findExtraTrace(const System &system, const Lts &monitor,
                                      const Limits &limits) {
  return Search(system, monitor, limits).run();
}
