//===- ExplorerTest.cpp - Exploration
//--------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Explore/Explorer.h"
#include "SemanticsModels.h"
#include "cif/Explore/StateStore.h"
#include <gtest/gtest.h>

using namespace cif;
using namespace cif::test;

namespace {
/// A ring of peers that all may send and receive: many interleavings.
Module ring(unsigned peers, unsigned states) {
  Module m;
  for (unsigned p = 0; p < peers; ++p) {
    std::string next = std::to_string((p + 1) % peers),
                last = std::to_string((p + peers - 1) % peers), text;
    for (unsigned s = 0; s < states; ++s) {
      std::string from = std::to_string(s),
                  to = std::to_string((s + 1) % states);
      text += from + " " + next + "!m" + from + " " + to + ";" + from + " " +
              last + "?m" + from + " " + from + ";" + from + " " + last + "?m" +
              to + " " + from + ";";
    }
    addPeer(m, std::to_string(p), text);
  }
  return m;
}

std::unique_ptr<System> inboxes(const Module &m, uint32_t bound) {
  TestDiagnostics diags;
  SemanticsOptions options;
  options.bound = bound;
  return makeSystem(m, options, diags.engine);
}

/// Counts up to a limit in one slot and down in another.
class Counter : public System {
public:
  explicit Counter(uint32_t limit) : limit(limit) {
    numSlots = 2;
    groupTable.add({}, {0, 1}, {0, 1});
  }
  void initial(uint32_t *state) const override {
    state[0] = 0;
    state[1] = limit;
  }
  void successors(const uint32_t *state, uint32_t *scratch,
                  StepSink sink) const override {
    if (state[0] == limit)
      return;
    scratch[0] = state[0] + 1;
    scratch[1] = state[1] - 1;
    sink({tauLabel, 0, noGroup}, scratch);
  }
  bool isFinal(const uint32_t *state) const override { return !state[1]; }
  std::string describe(const uint32_t *state) const override {
    return std::to_string(state[0]);
  }
  uint32_t slotMaximum(unsigned) const override { return 1; } // a wrong guess

private:
  uint32_t limit;
};

/// Walks through a cube; from one place in it something else may grow.
class Cube : public System {
public:
  explicit Cube(uint32_t where) : where(where) {
    numSlots = 4;
    groupTable.add({}, {0, 1, 2, 3}, {0, 1, 2, 3});
  }
  void initial(uint32_t *state) const override { std::fill_n(state, 4, 0); }
  void successors(const uint32_t *state, uint32_t *scratch,
                  StepSink sink) const override {
    bool grows = state[0] == where && state[1] == where && state[2] == where;
    for (unsigned slot = 0; slot < (grows ? 4u : 3u); ++slot) {
      std::copy_n(state, 4, scratch);
      if (++scratch[slot] < size || slot == 3)
        if (!sink({tauLabel, 0, noGroup}, scratch))
          return;
    }
  }
  bool isFinal(const uint32_t *state) const override { return state[0] == 1; }
  std::string describe(const uint32_t *) const override { return {}; }
  bool isBounded() const override { return false; }
  uint64_t weight(const uint32_t *state) const override { return state[3]; }
  bool covers(const uint32_t *low, const uint32_t *high) const override {
    return std::equal(low, low + 3, high);
  }
  std::string pumps(const uint32_t *low, const uint32_t *high,
                    ArrayRef<Step>) const override {
    return low[3] < high[3] ? "the fourth" : "";
  }
  static constexpr uint32_t size = 40;

private:
  uint32_t where;
};

template <class T>
std::vector<T> list(ArrayRef<T> values) {
  return values.vec();
}

void expectSame(const Exploration &a, const Exploration &b) {
  EXPECT_EQ(a.numStates(), b.numStates());
  EXPECT_EQ(a.complete, b.complete);
  EXPECT_EQ(a.limit, b.limit);
  EXPECT_EQ(a.expanded, b.expanded);
  EXPECT_EQ(a.transitions, b.transitions);
  EXPECT_EQ(list(a.lts.rowBegin.ref()), list(b.lts.rowBegin.ref()));
  EXPECT_EQ(list(a.lts.label.ref()), list(b.lts.label.ref()));
  EXPECT_EQ(list(a.lts.target.ref()), list(b.lts.target.ref()));
  EXPECT_EQ(list(a.lts.finals.ref()), list(b.lts.finals.ref()));
  EXPECT_EQ(list(a.steps.ref()), list(b.steps.ref()));
  for (StateIndex s = 0; s < a.numStates(); ++s)
    ASSERT_EQ(a.store->parent(s), b.store->parent(s));
}
} // namespace

TEST(Explorer, ThreadsDoNotChangeTheResult) {
  Module m = ring(4, 4);
  for (uint64_t limit : {0ull, 20000ull}) {
    ExplorerOptions options;
    options.limits.maxStates = limit;
    options.keepOrigins = true;
    auto first = inboxes(m, 3);
    Exploration one = explore(*first, options);
    EXPECT_EQ(one.complete, limit == 0);
    EXPECT_EQ(verifyLts(one.lts), "");
    for (unsigned threads : {2, 3}) {
      options.limits.threads = threads;
      auto system = inboxes(m, 3);
      expectSame(one, explore(*system, options));
    }
  }
}

TEST(Explorer, ThreadsFindTheSameGrowth) {
  for (uint32_t where : {Cube::size, Cube::size / 2, 3u}) {
    Cube system(where);
    ExplorerOptions options;
    Exploration one = explore(system, options);
    EXPECT_EQ(one.complete, where == Cube::size);
    for (unsigned threads : {2, 3}) {
      options.limits.threads = threads;
      Exploration more = explore(system, options);
      expectSame(one, more);
      ASSERT_EQ(one.growth.has_value(), more.growth.has_value());
      if (one.growth) {
        EXPECT_EQ(one.growth->from, more.growth->from);
        EXPECT_EQ(one.growth->to, more.growth->to);
      }
    }
  }
}

TEST(Explorer, StatesAreCheap) {
  Module m = ring(4, 4);
  auto system = inboxes(m, 3);
  Exploration e = explore(*system, {});
  ASSERT_GT(e.numStates(), 50000u);
  EXPECT_LE(e.store->overheadBytes(), 24 * e.numStates());
}

TEST(Explorer, LimitsGiveAnHonestPart) {
  Module m = ring(3, 3);
  auto system = inboxes(m, 2);
  ExplorerOptions options;
  Exploration whole = explore(*system, options);
  ASSERT_TRUE(whole.complete);
  options.limits.maxStates = 100;
  Exploration part = explore(*system, options);
  EXPECT_FALSE(part.complete);
  EXPECT_EQ(part.limit, "--max-states=100");
  EXPECT_LE(part.numStates(), 100u);
  EXPECT_EQ(verifyLts(part.lts), "");
  // Whole rows, the same as in the whole.
  for (StateIndex s = 0; s < part.numStates(); ++s)
    EXPECT_EQ(list(part.lts.targetsOf(s)), s < part.expanded
                                               ? list(whole.lts.targetsOf(s))
                                               : std::vector<StateIndex>());
  options.limits.maxStates = 0;
  options.limits.maxMemory = 2000;
  EXPECT_EQ(explore(*system, options).limit, "--max-memory=2000");
  options.limits.maxMemory = 0;
  options.limits.setTimeout(1e-9);
  EXPECT_EQ(explore(*system, options).limit, "--timeout=1e-09");
}

TEST(Explorer, InterruptionIsALimit) {
  Module m = ring(3, 3);
  auto system = inboxes(m, 2);
  interrupted = true;
  Exploration e = explore(*system, {});
  interrupted = false;
  EXPECT_FALSE(e.complete);
  EXPECT_EQ(e.limit, "interrupted");
}

TEST(Explorer, TracesAreShortestRuns) {
  Module m = ring(3, 3);
  auto system = inboxes(m, 1);
  Exploration e = explore(*system, {});
  std::vector<size_t> level(e.numStates(), SIZE_MAX);
  level[0] = 0;
  for (StateIndex s = 0; s < e.numStates(); ++s) // numbered breadth first
    for (StateIndex t : e.lts.targetsOf(s))
      level[t] = std::min(level[t], level[s] + 1);
  for (StateIndex s = 0; s < e.numStates(); ++s) {
    std::vector<RunStep> trace = e.traceTo(s);
    ASSERT_EQ(trace.size(), level[s]);
    StateIndex at = 0;
    for (const RunStep &step : trace) {
      ASSERT_EQ(step.from, at);
      auto targets = e.lts.targetsOf(at);
      auto labels = e.lts.labelsOf(at);
      bool found = false;
      for (size_t i = 0; i < targets.size(); ++i)
        found |= targets[i] == step.to && labels[i] == step.step.label;
      ASSERT_TRUE(found);
      at = step.to;
    }
    ASSERT_EQ(at, s);
  }
}

TEST(Explorer, SlotsWidenAsTheyNeed) {
  for (unsigned threads : {1, 2}) {
    Counter counter(70000);
    ExplorerOptions options;
    options.limits.threads = threads;
    Exploration e = explore(counter, options);
    ASSERT_TRUE(e.complete);
    ASSERT_EQ(e.numStates(), 70001u);
    EXPECT_EQ(e.vectorOf(66000), (std::vector<uint32_t>{66000, 4000}));
    EXPECT_TRUE(e.lts.isFinal(70000));
    EXPECT_FALSE(e.lts.isFinal(69999));
  }
}

TEST(Explorer, SlotsTakeFewBits) {
  class Flags : public Counter {
  public:
    Flags() : Counter(0) { numSlots = 64; }
  } flags;
  StateStore store(flags);
  EXPECT_EQ(store.packedWords(), 2u);
  // Each of the first ones is widened alone; then all that are as narrow are.
  const unsigned words[] = {2, 3, 3, 3, 4, 4, 8};
  std::vector<uint32_t> state(64), packed;
  for (unsigned i = 0; i < std::size(words); ++i) {
    state[i] = i == 6 ? 15 : i ? 2 : 1;
    store.packWidening(state.data(), packed);
    EXPECT_EQ(store.packedWords(), words[i]) << i;
    EXPECT_EQ(store.find(packed.data(), store.hash(packed.data())),
              StateStore::none);
    store.add(packed.data(), store.hash(packed.data()), 0);
  }
  for (unsigned i = 0; i < std::size(words); ++i) {
    std::vector<uint32_t> back(64);
    store.unpack(i, back.data());
    for (unsigned slot = 0; slot < 64; ++slot)
      EXPECT_EQ(back[slot], slot <= i ? state[slot] : 0) << i << slot;
    store.packWidening(back.data(), packed);
    EXPECT_EQ(store.find(packed.data(), store.hash(packed.data())), i);
  }
}

TEST(Explorer, VisitorsStopTheSearch) {
  struct Until : ExplorationVisitor {
    StateIndex found = 0;
    bool state(StateIndex s, const uint32_t *vector) override {
      if (vector[0] == 500)
        found = s;
      return vector[0] != 500;
    }
  } visitor;
  Counter counter(70000);
  ExplorerOptions options;
  options.visitor = &visitor;
  options.keepTransitions = false;
  Exploration e = explore(counter, options);
  EXPECT_TRUE(e.stopped);
  EXPECT_FALSE(e.complete);
  EXPECT_EQ(visitor.found, 500u);
  EXPECT_EQ(e.traceTo(visitor.found).size(), 500u);
}

TEST(Explorer, GroupsReadAndWriteWhatTheySay) {
  Module m = ring(3, 3);
  for (NetworkKind network : {NetworkKind::Sync, NetworkKind::Inbox}) {
    TestDiagnostics diags;
    SemanticsOptions options;
    options.network = network;
    options.bound = 1;
    auto system = makeSystem(m, options, diags.engine);
    ExplorerOptions explorer;
    explorer.keepOrigins = true;
    Exploration e = explore(*system, explorer);
    for (StateIndex s = 0; s < e.numStates(); ++s)
      for (uint32_t t = e.lts.rowBegin[s]; t < e.lts.rowBegin[s + 1]; ++t) {
        auto from = e.vectorOf(s), to = e.vectorOf(e.lts.target[t]);
        auto writes = system->groups().writes(e.steps[t].group);
        for (uint32_t slot = 0; slot < from.size(); ++slot)
          ASSERT_TRUE(from[slot] == to[slot] ||
                      llvm::is_contained(writes, slot));
      }
  }
}
