//===- SemanticsTest.cpp - What the systems do
//-----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SemanticsModels.h"
#include "cif/Explore/Explorer.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>
#include <gtest/gtest.h>

using namespace cif;
using namespace cif::test;

namespace {
/// Send traces: the words of visible labels up to a length, by brute force.
std::set<std::string> words(const Lts &lts, size_t length) {
  std::set<std::string> result;
  std::set<std::pair<std::string, StateIndex>> seen;
  std::vector<std::tuple<std::string, size_t, StateIndex>> work{
      {"", 0, lts.initial}};
  while (!work.empty()) {
    auto [word, n, s] = work.back();
    work.pop_back();
    if (!seen.insert({word, s}).second)
      continue;
    result.insert(word);
    for (size_t i = 0; i < lts.labelsOf(s).size(); ++i) {
      LabelIndex l = lts.labelsOf(s)[i];
      if (l == tauLabel)
        work.push_back({word, n, lts.targetsOf(s)[i]});
      else if (n < length)
        work.push_back(
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

//===----------------------------------------------------------------------===//
// Networks, by the example of docs/semantics.md
//===----------------------------------------------------------------------===//

TEST(Semantics, WhatMayArriveFirst) {
  Module m;
  addPeer(m, "a", "0 c!x 1; 1 b!y 2");
  addPeer(m, "b", "0 a?y 1; 1 c!z 2");
  addPeer(m, "c", "0 a?x 1; 1 b?z 2; 0 b?z 3; 3 a?x 2");
  auto first = [&](NetworkKind network) {
    std::set<std::string> result;
    SemanticsOptions options = on(network, noBound, Observation::Receive);
    for (const std::string &word : words(run(m, options).lts, 2)) {
      SmallVector<StringRef, 2> letters;
      llvm::SplitString(word, letters);
      for (StringRef letter : letters)
        if (letter != "y") {
          result.insert(letter.str());
          break;
        }
    }
    return result;
  };
  using Letters = std::set<std::string>;
  EXPECT_EQ(first(NetworkKind::Sync), Letters({"x"}));
  EXPECT_EQ(first(NetworkKind::Bag), Letters({"x", "z"}));
  EXPECT_EQ(first(NetworkKind::FifoPair), Letters({"x", "z"}));
  EXPECT_EQ(first(NetworkKind::Inbox), Letters({"x"}));
  EXPECT_EQ(first(NetworkKind::Outbox), Letters({"x"}));
  EXPECT_EQ(first(NetworkKind::FifoAll), Letters({"x"}));
  EXPECT_EQ(first(NetworkKind::Causal), Letters({"x"}));
  EXPECT_EQ(first(NetworkKind::Rsc), Letters({"x"}));
}

TEST(Semantics, CausalLoopsAreFinite) {
  Module m;
  addPeer(m, "a", "0 b!x 1; 1 b?y 0");
  addPeer(m, "b", "0 a?x 1; 1 a!y 0");
  Exploration e = run(m, on(NetworkKind::Causal));
  EXPECT_TRUE(e.complete);
  EXPECT_EQ(e.numStates(), 4u);
}

/// A cycle that reads what it grows: repeatable, since it reads what it wrote.
TEST(Semantics, QueuesThatReadAndGrow) {
  Module m;
  addPeer(m, "a", "0 b!x 1; 1 b!x 0");
  addPeer(m, "b", "0 a?x 0");
  Exploration e = run(m, on(NetworkKind::Inbox));
  ASSERT_TRUE(e.growth);
  EXPECT_NE(e.growth->what.find("inbox of b gains x"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Containers, borders and ends
//===----------------------------------------------------------------------===//

namespace {
using Words = std::set<std::string>;

/// Start -> container { x ; y } -> z, with a boundary event that leads to j.
Graph withBorder(Trigger trigger, uint16_t flags = 0) {
  Graph g;
  g.start("i");
  g.node("c", NodeKind::Container);
  NodeId container = g.id("c");
  g.scope = container;
  g.start("ci");
  g.interaction("x", "a", "b", "x");
  g.interaction("y", "a", "b", "y");
  g.node("cf", NodeKind::Final);
  g.scope = {};
  Node &boundary = g.node("e", NodeKind::Boundary);
  boundary.trigger = trigger;
  boundary.flags = flags;
  boundary.attachedTo = container;
  g.interaction("j", "a", "b", "j");
  g.interaction("z", "a", "b", "z");
  g.flows("i-c ci-x x-y y-cf c-z e-j");
  return g;
}
} // namespace

TEST(Semantics, RaceIsDecidedByTheFirstStep) {
  Exploration e = run(withBorder(Trigger::Race).module, {});
  EXPECT_TRUE(e.complete);
  EXPECT_EQ(words(e.lts, 4),
            Words({"", "x ", "x y ", "x y z ", "j ", "x j ", "x y j "}));
  // Nothing silent decides it: j is offered with x in one state.
  for (StateIndex s = 0; s < e.numStates(); ++s)
    for (LabelIndex l : e.lts.labelsOf(s)) {
      if (e.lts.labels[l].message == "x") {
        EXPECT_EQ(e.lts.labelsOf(s).size(), 2u);
      }
    }
}

TEST(Semantics, TimersInterruptWhatIsNotDone) {
  Exploration e = run(withBorder(Trigger::Timer).module, {});
  EXPECT_TRUE(e.complete);
  EXPECT_EQ(words(e.lts, 4),
            Words({"", "x ", "x y ", "x y z ", "j ", "x j ", "x y j "}));
  EXPECT_EQ(e.system->abstractions().size(), 1u);
}

TEST(Semantics, NonInterruptingTimersFireOnce) {
  Exploration e = run(withBorder(Trigger::Timer, NonInterrupting).module, {});
  EXPECT_TRUE(e.complete);
  Words w = words(e.lts, 4);
  EXPECT_TRUE(w.count("j x y z "));
  EXPECT_TRUE(w.count("x y z j "));
  EXPECT_FALSE(w.count("j j "));
}

TEST(Semantics, TerminateEndsTheOthers) {
  Graph g;
  g.start("i");
  g.node("s", NodeKind::AllSelect);
  g.interaction("x", "a", "b", "x");
  g.interaction("y", "a", "b", "y");
  g.node("t", NodeKind::Terminate);
  g.node("f", NodeKind::Final);
  g.flows("i-s s-x s-y x-t y-f");
  Exploration e = run(g.module, {});
  EXPECT_EQ(words(e.lts, 3), Words({"", "x ", "y ", "x y ", "y x "}));
  // After x and the end there is nothing left, whatever y did.
  for (StateIndex s = 0; s < e.numStates(); ++s)
    EXPECT_EQ(e.lts.labelsOf(s).empty(), e.lts.isFinal(s)) << e.describe(s);
}

TEST(Semantics, TwoWayInteractionsAreTwoSteps) {
  Graph g;
  g.start("i");
  MessageId reply = g.message("b", "a", "n");
  g.interaction("x", "a", "b", "m").reply = reply;
  g.node("f", NodeKind::Final);
  g.flows("i-x x-f");
  EXPECT_EQ(words(run(g.module, {}).lts, 3), Words({"", "m ", "m n "}));
}

/// 1 + a -> b : x: it may end at once, and no silent step decides that.
TEST(Semantics, EmptyBranchesAreFinal) {
  Graph g;
  g.start("i");
  g.node("c", NodeKind::EventChoice);
  g.interaction("x", "a", "b", "x");
  g.node("j", NodeKind::SimpleJoin);
  g.node("f", NodeKind::Final);
  g.flows("i-c c-x c-j x-j j-f");
  Exploration e = run(g.module, {});
  ASSERT_EQ(e.lts.labelsOf(0).size(), 1u);
  EXPECT_EQ(e.lts.labels[e.lts.labelsOf(0)[0]].message, "x");
  EXPECT_TRUE(e.lts.isFinal(0));
}

/// rec X { x ; ( X + y ) }: a call in tail position is a loop.
TEST(Semantics, TailCallsLoop) {
  Graph g;
  g.start("i");
  g.node("c", NodeKind::Container);
  NodeId container = g.id("c");
  g.scope = container;
  g.start("ci");
  g.interaction("x", "a", "b", "x");
  g.node("e", NodeKind::EventChoice);
  g.node("call", NodeKind::Call).attachedTo = container;
  g.interaction("y", "a", "b", "y");
  g.node("j", NodeKind::SimpleJoin);
  g.node("cf", NodeKind::Final);
  g.scope = {};
  g.node("f", NodeKind::Final);
  g.flows("i-c ci-x x-e e-call e-y call-j y-j j-cf c-f");
  Exploration e = run(g.module, {});
  EXPECT_TRUE(e.complete);
  EXPECT_EQ(words(e.lts, 3),
            Words({"", "x ", "x y ", "x x ", "x x y ", "x x x "}));
}

TEST(Semantics, ConstantGuardsAreDecided) {
  Graph g;
  g.start("i");
  g.node("c", NodeKind::Choice);
  g.interaction("x", "a", "b", "x");
  g.interaction("y", "a", "b", "y");
  g.flow("i", "c");
  Expr no;
  no.sort = boolSort;
  ExprId never = g.module.addExpr(no);
  g.flow("c", "x").guard = never;
  g.flow("c", "y");
  EXPECT_EQ(words(run(g.module, {}).lts, 2), Words({"", "y "}));
}

TEST(Semantics, LocalProcessesArePeers) {
  Graph g(BehaviourKind::Process, "a");
  g.start("i");
  g.send("s", "a", "b", "m");
  g.receive("r", "b", "a", "n");
  g.flows("i-s s-r");
  SemanticsOptions options;
  options.semantics = SemanticsKind::Local;
  Exploration e = run(g.module, options);
  EXPECT_EQ(e.lts.labels[1], (Label{LabelKind::Send, "a", "b", "m"}));
  EXPECT_EQ(e.lts.labels[2], (Label{LabelKind::Receive, "b", "a", "n"}));
  EXPECT_EQ(e.numStates(), 3u);
}

/// A loop that sends without waiting [c4: messages are counted].
TEST(Semantics, CollaborationThatFloodsIsUnbounded) {
  Graph g(BehaviourKind::Process, "a");
  g.start("i");
  g.node("j", NodeKind::SimpleJoin);
  g.send("s", "a", "b", "m");
  g.flows("i-j j-s s-j");
  g.begin(BehaviourKind::Process, "b");
  g.start("i");
  g.receive("r", "a", "b", "m");
  g.flows("i-r r-r");
  for (NetworkKind network :
       {NetworkKind::Bag, NetworkKind::FifoPair, NetworkKind::Causal}) {
    Exploration e = run(g.module, on(network));
    ASSERT_TRUE(e.growth) << networkText(network).str();
    EXPECT_EQ(e.growth->cycle.size(), 2u);
  }
}

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

namespace {
std::string refused(const Module &m, SemanticsOptions options) {
  TestDiagnostics diags;
  EXPECT_FALSE(makeSystem(m, options, diags.engine));
  return diags.collected.all.empty()
             ? "nothing"
             : diagInfo(diags.collected.all[0].kind).code;
}
SemanticsOptions as(SemanticsKind kind, std::vector<std::string> only = {}) {
  SemanticsOptions options;
  options.semantics = kind;
  options.only = std::move(only);
  return options;
}
} // namespace

TEST(Semantics, ErrorsOfSelection) {
  Module empty;
  EXPECT_EQ(refused(empty, as(SemanticsKind::Peers)), "E0801");
  EXPECT_EQ(refused(store(), as(SemanticsKind::Peers, {"dv"})), "E0802");
  EXPECT_EQ(refused(store(), as(SemanticsKind::Peers, {"cl", "db"})), "E0803");
  Module twice = store();
  addPeer(twice, "db", "0 tau 0");
  EXPECT_EQ(refused(twice, as(SemanticsKind::Peers)), "E0804");
  Module foreign = store();
  addPeer(foreign, "x", "0 cl->db:m 0");
  EXPECT_EQ(refused(foreign, as(SemanticsKind::Peers)), "E0805");
  Graph g;
  g.begin(BehaviourKind::Choreography);
  EXPECT_EQ(refused(g.module, as(SemanticsKind::Choreography)), "E0806");
}

TEST(Semantics, ErrorsOfNodes) {
  auto with = [](NodeKind kind, std::function<void(Node &)> change) {
    Graph g;
    g.start("i");
    change(g.node("n", kind));
    g.flows("i-n");
    return refused(g.module, {});
  };
  EXPECT_EQ(
      with(NodeKind::Interaction, [](Node &n) { n.loop = LoopKind::Standard; }),
      "E0807");
  EXPECT_EQ(with(NodeKind::Send, [](Node &) {}), "E0809");
  EXPECT_EQ(with(NodeKind::Container, [](Node &n) { n.flags = AdHoc; }),
            "E0810");
  EXPECT_EQ(with(NodeKind::Call, [](Node &) {}), "E0811");
  EXPECT_EQ(with(NodeKind::Task, [](Node &n) { n.parent = NodeId(0); }),
            "E0812");
  Graph any(BehaviourKind::Process, "a");
  any.start("i");
  any.send("s", "a", "", "m");
  any.flows("i-s");
  EXPECT_EQ(refused(any.module, on(NetworkKind::Inbox)), "E0813");
}
