//===- SemanticsTest.cpp - What the systems do
//-----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SemanticsModels.h"
#include "cif/LTS/Explorer.h"
#include <gtest/gtest.h>

using namespace cif;
using namespace cif::test;

namespace {
/// Send traces: the words of visible labels up to a length, by brute force.
std::set<std::string> words(const Lts &lts, size_t length) {
  std::set<std::string> result;
  std::set<std::pair<std::string, StateIndex>> seen;
  std::vector<std::tuple<std::string, size_t, StateIndex>> todo{
      {"", 0, lts.initial}};
  while (!todo.empty()) {
    auto [word, n, s] = todo.back();
    todo.pop_back();
    if (!seen.insert({word, s}).second)
      continue;
    result.insert(word);
    for (size_t i = 0; i < lts.labelsOf(s).size(); ++i) {
      LabelIndex l = lts.labelsOf(s)[i];
      if (l == tauLabel)
        todo.push_back({word, n, lts.targetsOf(s)[i]});
      else if (n < length)
        todo.push_back(
            {word + lts.labels[l].message + " ", n + 1, lts.targetsOf(s)[i]});
    }
  }
  return result;
}

Exploration run(const Module &m, SemanticsOptions options,
                ExplorerOptions explorer = {}) {
  static std::vector<std::unique_ptr<System>> kept;
  TestDiagnostics diags;
  auto system = makeSystem(m, options, diags.engine);
  EXPECT_TRUE(system) << diags.text();
  kept.push_back(std::move(system));
  return explore(*kept.back(), explorer);
}

SemanticsOptions on(NetworkKind network, uint32_t bound = noBound,
                    Observation observe = Observation::Exchange) {
  SemanticsOptions options;
  options.network = network;
  options.bound = bound;
  options.observe = observe;
  return options;
}

/// VerChor, Fig. 10: the peers of the store.
Module store() {
  Module m;
  addPeer(m, "cl", "0 appli!req 0");
  addPeer(m, "appli", "0 cl?req 1; 1 db!store 2; 2 db?ack 0");
  addPeer(m, "db", "0 appli?store 1; 1 appli!ack 0");
  return m;
}
} // namespace

TEST(Semantics, StoreOfVerChorIsNotSynchronizable) {
  Module m = store();
  Exploration sync = run(m, on(NetworkKind::Sync));
  EXPECT_TRUE(sync.complete);
  EXPECT_EQ(sync.numStates(), 3u);
  EXPECT_EQ(words(sync.lts, 3), (std::set<std::string>{"", "req ", "req store ",
                                                       "req store ack "}));
  // One request may wait while the next is sent.
  Exploration one = run(m, on(NetworkKind::Inbox, 1));
  EXPECT_TRUE(one.complete);
  EXPECT_TRUE(words(one.lts, 2).count("req req "));
}

TEST(Semantics, UnboundedInboxIsRecognised) {
  Module m = store();
  Exploration e = run(m, on(NetworkKind::Inbox));
  EXPECT_FALSE(e.complete);
  ASSERT_TRUE(e.growth);
  EXPECT_EQ(e.incompleteText(),
            "unbounded: inbox of appli gains req on a cycle of 1 step");
}

/// theory: three peers that are 1-synchronizable and not 2-synchronizable.
TEST(Semantics, CounterexampleOfFinkelAndLozesPeerToPeer) {
  Module m;
  addPeer(m, "1", "0 2!a 1; 1 2!a 2; 2 3!b 3");
  addPeer(m, "2", "0 1?a 1; 1 1?a 2; 2 3?c 3; 0 3?c 4; 4 1!d 5");
  addPeer(m, "3", "0 1?b 1; 1 2!c 2");
  auto w = [&](NetworkKind n, uint32_t k) {
    return words(run(m, on(n, k)).lts, 8);
  };
  auto zero = w(NetworkKind::Sync, noBound);
  EXPECT_EQ(zero,
            (std::set<std::string>{"", "a ", "a a ", "a a b ", "a a b c "}));
  EXPECT_EQ(w(NetworkKind::FifoPair, 1), zero);
  auto two = zero;
  two.insert("a a b c d ");
  EXPECT_EQ(w(NetworkKind::FifoPair, 2), two);
  EXPECT_EQ(w(NetworkKind::FifoPair, 3), two);
  EXPECT_EQ(w(NetworkKind::Inbox, 2), zero);
  EXPECT_EQ(w(NetworkKind::Inbox, noBound), zero);
}

TEST(Semantics, CounterexampleWithMailboxes) {
  Module m;
  addPeer(m, "1", "0 2!a 1; 1 2!a 2; 2 3!b 3");
  addPeer(m, "2",
          "0 1?a 1; 1 1?a 2; 0 3!c 3; 3 1?a 4; 4 1?a 5; 5 3?d 6; 6 1!e 7;"
          "1 3!c 8; 8 1?a 9; 2 3!c 9; 9 3?d 10");
  addPeer(m, "3", "0 1?b 1; 1 2?c 2; 2 2!d 3; 0 2?c 4; 4 1?b 5");
  auto w = [&](NetworkKind n, uint32_t k) {
    return words(run(m, on(n, k)).lts, 8);
  };
  auto zero = w(NetworkKind::Sync, noBound);
  EXPECT_EQ(w(NetworkKind::Inbox, 1), zero);
  auto two = w(NetworkKind::Inbox, 2);
  EXPECT_NE(two, zero);
  EXPECT_TRUE(two.count("a a b c d e "));
  EXPECT_EQ(w(NetworkKind::Inbox, 3), two);
  EXPECT_TRUE(w(NetworkKind::FifoPair, 1).count("a a c b d "));
  EXPECT_FALSE(zero.count("a a c b d "));
}

TEST(Semantics, ExclusiveAndEventChoiceDiffer) {
  for (NodeKind kind : {NodeKind::Choice, NodeKind::EventChoice}) {
    Graph g;
    g.start("i");
    g.node("c", kind);
    g.interaction("x", "a", "b", "x");
    g.interaction("y", "a", "b", "y");
    g.node("f", NodeKind::Final);
    g.flows("i-c c-x c-y x-f y-f");
    Exploration e = run(g.module, {});
    EXPECT_TRUE(e.complete);
    // Silently decided: two steps of tau, then one label each.
    auto first = e.lts.labelsOf(0);
    EXPECT_EQ(first.size(), 2u);
    EXPECT_EQ(first[0] == tauLabel, kind == NodeKind::Choice);
  }
}
