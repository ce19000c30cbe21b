//===- StgScopesTest.cpp - Graphs of what has scopes ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated choreographies and processes with sub-processes, boundary events,
/// links, and what is thrown and caught: without data, their symbolic
/// transition graph is branching bisimilar to what is explored.
///
//===----------------------------------------------------------------------===//

#include "Generated.h"
#include "RandomSystems.h"
#include "cif/Equivalence/Compare.h"
#include "cif/Explore/Explorer.h"
#include "cif/IR/Term.h"
#include "cif/IR/Text.h"
#include "cif/LTS/LtsBuilder.h"
#include "cif/Symbolic/Stg.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace cif;
using namespace cif::test;

namespace {

class Scopes {
public:
  Scopes(unsigned seed, bool isProcess)
      : random(seed), isProcess(isProcess),
        g(isProcess ? BehaviourKind::Process : BehaviourKind::Choreography,
          isProcess ? "p0" : "") {
    fill(3);
  }
  Module &module() { return g.module; }

private:
  using Block = std::pair<std::string, std::string>; ///< first and last node

  unsigned pick(unsigned n) { return below(random, n); }
  std::string fresh() { return "n" + std::to_string(count++); }
  std::string node(NodeKind kind, Trigger trigger = Trigger::None) {
    std::string name = fresh();
    g.node(name, kind).trigger = trigger;
    return name;
  }
  MessageId message(bool sent) {
    return g.message(sent ? "p0" : "p1", sent ? "p1" : "p0",
                     "m" + std::to_string(pick(3)));
  }
  std::string step() {
    if (pick(5) == 0)
      return node(NodeKind::Task);
    bool sends = pick(2);
    MessageId id = message(sends);
    std::string name = fresh();
    g.node(name, !isProcess ? NodeKind::Interaction
                 : sends    ? NodeKind::Send
                            : NodeKind::Receive)
        .message = id;
    return name;
  }

  /// Between its first node and its last one.
  Block split(unsigned depth) {
    static const std::pair<NodeKind, NodeKind> kinds[] = {
        {NodeKind::Choice, NodeKind::SimpleJoin},
        {NodeKind::EventChoice, NodeKind::SimpleJoin},
        {NodeKind::AllSelect, NodeKind::AllJoin},
        {NodeKind::AllSelect, NodeKind::SimpleJoin},
        {NodeKind::SubsetSelect, NodeKind::SubsetJoin}};
    auto [first, last] = kinds[pick(std::size(kinds))];
    std::string open = node(first), close = node(last);
    for (unsigned i = 0; i < 2; ++i) {
      if (pick(8) == 0) {
        g.flow(open, close);
        continue;
      }
      Block branch = block(depth - 1);
      g.flow(open, branch.first);
      if (pick(10) == 0 && last == NodeKind::SimpleJoin)
        end(branch.second);
      else
        g.flow(branch.second, close);
    }
    return {open, close};
  }

  void end(const std::string &after) {
    if (pick(4) == 0)
      return; // no end event
    NodeKind kind = pick(6) ? NodeKind::Final : NodeKind::Terminate;
    Trigger trigger = Trigger::None;
    if (isProcess && kind == NodeKind::Final && g.scope && pick(3) == 0)
      trigger = pick(2) ? Trigger::Error : Trigger::Escalation;
    std::string name = node(kind, trigger);
    g.flow(after, name);
    code(name, trigger);
  }
  void code(const std::string &name, Trigger trigger) {
    if ((trigger == Trigger::Error || trigger == Trigger::Escalation) &&
        pick(2))
      g.graph().attributes.push_back({g.id(name), g.module.intern("code"),
                                      g.module.intern(pick(2) ? "A" : "B")});
  }

  /// What a scope holds.
  void fill(unsigned depth) {
    Block inner = block(depth);
    if (pick(3)) {
      std::string start = node(NodeKind::Initial);
      g.flow(start, inner.first);
    }
    end(inner.second);
  }

  /// An event on the border of \p host: its way ends, or goes where the host's
  /// goes.
  void event(const std::string &host, const std::string &after,
             unsigned depth) {
    static const Trigger triggers[] = {Trigger::Message, Trigger::Timer,
                                       Trigger::Error, Trigger::Escalation};
    Trigger trigger = triggers[pick(isProcess ? 4 : 2)];
    MessageId id = trigger == Trigger::Message ? message(false) : MessageId();
    std::string name = node(NodeKind::Boundary, trigger);
    Node &made = g.graph().nodes.back();
    made.message = id;
    made.attachedTo = g.id(host);
    if (pick(2) && trigger != Trigger::Error)
      made.flags |= NonInterrupting;
    code(name, trigger);
    Block way = block(depth);
    g.flow(name, way.first);
    if (pick(2))
      g.flow(way.second, after);
    else
      end(way.second);
  }

  Block container(unsigned depth) {
    std::string name = node(NodeKind::Container);
    NodeId around = g.scope;
    g.scope = g.id(name);
    fill(depth - 1);
    g.scope = around;
    return bordered(name, depth);
  }
  Block bordered(const std::string &host, unsigned depth) {
    unsigned events = pick(3);
    if (!events)
      return {host, host};
    std::string after = node(NodeKind::SimpleJoin);
    g.flow(host, after);
    for (; events; --events)
      event(host, after, depth - 1);
    return {host, after};
  }

  Block link() {
    std::string from = node(NodeKind::Throw, Trigger::Link);
    std::string to = node(NodeKind::Catch, Trigger::Link);
    g.graph().nodes.back().name = g.graph().nodes[g.id(from).index()].name;
    return {from, to};
  }

  Block block(unsigned depth) {
    switch (depth ? pick(9) : pick(3)) {
    case 0:
      if (isProcess && g.scope && pick(2)) {
        std::string name = node(NodeKind::Throw, Trigger::Escalation);
        code(name, Trigger::Escalation);
        return {name, name};
      }
      if (pick(4) == 0)
        return link();
      [[fallthrough]];
    case 1:
    case 2: {
      std::string name = step();
      return {name, name};
    }
    case 3:
      return bordered(step(), depth);
    case 4: {
      Block one = block(depth - 1), other = block(depth - 1);
      g.flow(one.second, other.first);
      return {one.first, other.second};
    }
    case 5:
    case 6:
      return split(depth);
    default:
      return container(depth);
    }
  }

  Random random;
  const bool isProcess;
  Graph g;
  unsigned count = 0;
};

/// The same as an LTS; there are no data.
Lts ltsOf(const Stg &stg) {
  LtsBuilder builder;
  std::vector<uint64_t> finals(stg.numStates() / 64 + 1);
  for (StateIndex s = 0; s < stg.numStates(); ++s)
    for (const StgTransition &t : stg.of(s)) {
      if (t.action == StgAction::Tick) {
        finals[s / 64] |= uint64_t(1) << (s % 64);
        continue;
      }
      Label label{t.action == StgAction::Send      ? LabelKind::Send
                  : t.action == StgAction::Receive ? LabelKind::Receive
                                                   : LabelKind::Exchange,
                  t.label.sender, t.label.receiver, t.label.message};
      builder.add(s,
                  builder.labels.intern(
                      t.action == StgAction::Tau ? Label::tau() : label),
                  t.to);
    }
  Lts lts = std::move(builder).finish(stg.initial, stg.numStates());
  lts.finals = std::move(finals);
  return lts;
}

} // namespace

TEST(StgScopes, AsExplored) {
  unsigned different = 0, scopes = 0;
  Generated models("graphs with scopes", 600);
  for (unsigned seed = models.first(); seed < models.first() + models.wanted();
       ++seed) {
    Module m = std::move(Scopes(seed, seed % 2).module());
    TestDiagnostics diags;
    SemanticsOptions options;
    if (seed % 2)
      options.semantics = SemanticsKind::Local;
    auto system = makeSystem(m, options, diags.engine);
    ASSERT_TRUE(system) << diags.text();
    ExplorerOptions explorer;
    explorer.limits.maxStates = 3000;
    Exploration e = explore(*system, explorer);
    if (!e.complete || e.growth)
      continue;
    FormulaPool pool;
    std::vector<OpenCondition> open;
    TermBreak why;
    auto stg = stgOfGraph(m, m.behaviours[0], pool, Limits(), open, why);
    if (!stg) {
      EXPECT_TRUE(why.reason ==
                      "of several start events, keep the one to be checked" ||
                  why.reason ==
                      "begin each branch of an event-based choice with a step")
          << seed << ": " << why.reason;
      continue;
    }
    models.count();
    scopes += llvm::any_of(m.behaviours[0].nodes, [](const Node &n) {
      return n.kind == NodeKind::Boundary;
    });
    CompareOptions finals;
    finals.observeFinals = true;
    Comparison c = compare(ltsOf(*stg), e.lts, Relation::Branching, finals);
    if (c.verdict == Verdict::Holds)
      continue;
    std::string text;
    llvm::raw_string_ostream os(text);
    printText(m, os);
    printStg(pool, *stg, os);
    ADD_FAILURE() << "seed " << seed << "\n"
                  << text << (c.difference ? c.difference->formula : "");
    if (++different > 3)
      return;
  }
  EXPECT_GT(scopes, models.wanted() / 5);
}
