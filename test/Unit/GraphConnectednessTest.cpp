//===- GraphConnectednessTest.cpp - Connectedness of graphs ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IocPromise.h"
#include "cif/Export/Emitter.h"
#include "cif/IR/Builder.h"

using namespace cif;
using namespace cif::test;

namespace {

/// Nodes and flows in any order.
Behaviour shuffled(const Behaviour &from, std::mt19937_64 &random) {
  std::vector<uint32_t> order(from.nodes.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<uint32_t>(i);
  std::shuffle(order.begin(), order.end(), random);
  Behaviour to = from;
  to.attributes.clear();
  auto moved = [&](NodeId id) { return id ? NodeId(order[id.index()]) : id; };
  for (size_t i = 0; i < from.nodes.size(); ++i) {
    Node node = from.nodes[i];
    node.parent = moved(node.parent);
    node.attachedTo = moved(node.attachedTo);
    to.nodes[order[i]] = node;
  }
  for (Flow &flow : to.flows) {
    flow.source = moved(flow.source);
    flow.target = moved(flow.target);
  }
  std::shuffle(to.flows.begin(), to.flows.end(), random);
  return to;
}

/// What is said of the term of the first choreography, where it has one, and
/// of its graph, one digit for each semantics.
std::pair<std::string, std::string> verdicts(const Module &module,
                                             const Behaviour &b) {
  std::pair<std::string, std::string> result;
  OperationNumbers operations;
  TermBreak why;
  auto term = recoverTerm(module, b, operations, &why);
  auto graph = buildIocGraph(module, b, operations, &why);
  EXPECT_TRUE(graph) << why.reason;
  for (IocSemantics semantics : allSemantics) {
    ConnectednessOptions options;
    options.semantics = semantics;
    if (term)
      result.first += checkConnected(*term, options).holds() ? '1' : '0';
    if (graph)
      result.second += checkConnected(*graph, options).holds() ? '1' : '0';
  }
  return result;
}

} // namespace

// On the graph of a term the conditions on graphs are those on terms.
TEST(GraphConnectedness, AgreesWithTerms) {
  RandomIoc random(11);
  size_t connected = 0;
  for (int i = 0; i < 20000; ++i) {
    Term term = random.make(8);
    IocGraph graph = buildIocGraph(term);
    for (IocSemantics semantics : allSemantics) {
      ConnectednessOptions options;
      options.semantics = semantics;
      Connectedness onTerm = checkConnected(term, options);
      Connectedness onGraph = checkConnected(graph, options);
      ASSERT_TRUE(onGraph.nested) << text(term);
      ASSERT_FALSE(onGraph.gaveUp);
      ASSERT_EQ(onTerm.holds(), onGraph.holds())
          << iocSemanticsName(semantics).str() << ": " << text(term);
      connected += onTerm.holds();
    }
  }
  EXPECT_GT(connected, 10000u);
}

// What connectedness promises is true of generated choreographies with loops.
TEST(GraphConnectedness, PromisesOfLoops) {
  // Each takes a while: the LTSs of loops are larger.
  size_t wanted = 100;
  if (const char *count = std::getenv("CIF_TEST_IOC_LOOPS"))
    wanted = std::strtoul(count, nullptr, 10);
  for (IocSemantics semantics : allSemantics) {
    RandomIoc random(300 + static_cast<unsigned>(semantics));
    ConnectednessOptions options;
    options.semantics = semantics;
    size_t found = 0, tries = 0;
    for (; found < wanted && tries < 300 * wanted; ++tries) {
      Term term = random.make(6, true);
      if (!hasLoop(term))
        continue;
      Connectedness c = checkConnected(term, options);
      if (!c.holds())
        continue;
      ++found;
      ASSERT_TRUE(promise(term, semantics, c.hasChoice))
          << iocSemanticsName(semantics).str() << ": " << text(term);
    }
    std::printf("%s: %zu of %zu\n", iocSemanticsName(semantics).data(), found,
                tries);
    std::fflush(stdout);
    EXPECT_EQ(found, wanted) << iocSemanticsName(semantics).str();
  }
}

// A choreography has one verdict: as a term, as the graph that the front end
// makes of it, with that graph's nodes and flows in any order, and as BPMN.
TEST(GraphConnectedness, DoesNotDependOnTheForm) {
  RandomIoc random(12);
  std::mt19937_64 order(13);
  size_t connected = 0, drawn = 0;
  for (int i = 0; i < 1500; ++i) {
    Term term = random.make(7, i % 2);
    std::string expected;
    for (IocSemantics semantics : allSemantics) {
      ConnectednessOptions options;
      options.semantics = semantics;
      expected += checkConnected(term, options).holds() ? '1' : '0';
    }
    connected += expected.find('1') != std::string::npos;
    std::string written =
        "choreography C { " + source(term, term.root()) + " }";
    Read read(parseIoc, written);
    ASSERT_TRUE(read.ok) << written << read.diagnostics();
    auto check = [&](const Module &module, const Behaviour &b, bool isTerm) {
      auto [onTerm, onGraph] = verdicts(module, b);
      EXPECT_EQ(onGraph, expected) << written;
      if (isTerm) {
        EXPECT_EQ(onTerm, expected) << written;
      }
    };
    const Behaviour &b = read.module.behaviours[0];
    check(read.module, b, true);
    check(read.module, shuffled(b, order), true);
    bool stuck = llvm::any_of(term.nodes, [](const TermNode &node) {
      return node.kind == TermKind::Stuck;
    });
    if (stuck || i % 5)
      continue;
    std::string xml;
    llvm::raw_string_ostream os(xml);
    ASSERT_TRUE(emitBpmn(read.module, os, read.engine, EmitOptions()))
        << written << read.diagnostics();
    Read again(parseBpmn, xml);
    ASSERT_TRUE(again.ok) << again.diagnostics();
    check(again.module, again.module.behaviours[0], false);
    ++drawn;
    if (HasFailure())
      return;
  }
  EXPECT_GT(connected, 300u);
  EXPECT_GT(drawn, 150u);
}

// Blocks that are not nested: a choice within one branch of another one leads
// into the other branch.
TEST(GraphConnectedness, BranchesThatCross) {
  auto make = [](const char *last, Module &module) {
    BehaviourBuilder b(module, BehaviourKind::Choreography, "C");
    NodeId start = b.add(NodeKind::Initial), end = b.add(NodeKind::Final);
    NodeId first = b.add(NodeKind::EventChoice),
           second = b.add(NodeKind::EventChoice),
           join = b.add(NodeKind::SimpleJoin),
           all = b.add(NodeKind::SimpleJoin);
    b.chain({start, first, b.interaction("a", "b", "x"), second,
             b.interaction("b", "a", "y"), join, b.interaction("a", "b", "w"),
             all, end});
    b.chain({first, b.interaction("a", "b", "z"), b.interaction("b", "a", "v"),
             join});
    b.chain({second, b.interaction("b", last, "u"), all});
    OperationNumbers operations;
    TermBreak why;
    EXPECT_FALSE(recoverTerm(b.behaviour(), &why));
    auto graph = buildIocGraph(module, b.behaviour(), operations, &why);
    EXPECT_TRUE(graph) << why.reason;
    ConnectednessOptions options;
    options.semantics = IocSemantics::Disjoint;
    return checkConnected(*graph, options);
  };
  Module good, bad;
  EXPECT_TRUE(make("a", good).holds());
  // c is in one of the ways only.
  Connectedness found = make("c", bad);
  ASSERT_FALSE(found.violations.empty());
  for (const ConnectednessViolation &v : found.violations)
    EXPECT_EQ(v.rule, ConnectednessRule::Informed);
}

// Parallel branches that exchange tokens meet the conditions, and nothing is
// known to follow from that.
TEST(GraphConnectedness, ParallelBranchesThatCross) {
  Module module;
  BehaviourBuilder b(module, BehaviourKind::Choreography, "C");
  NodeId start = b.add(NodeKind::Initial), end = b.add(NodeKind::Final);
  NodeId fork = b.add(NodeKind::AllSelect), inner = b.add(NodeKind::AllSelect),
         meet = b.add(NodeKind::AllJoin), join = b.add(NodeKind::AllJoin);
  b.chain({start, fork, b.interaction("a", "b", "x"), inner,
           b.interaction("b", "a", "y"), join, end});
  b.chain({fork, b.interaction("a", "b", "z"), meet,
           b.interaction("b", "a", "w"), join});
  b.flow(inner, meet);
  OperationNumbers operations;
  auto graph = buildIocGraph(module, b.behaviour(), operations);
  ASSERT_TRUE(graph);
  Connectedness found = checkConnected(*graph);
  EXPECT_TRUE(found.violations.empty());
  EXPECT_FALSE(found.nested);
  EXPECT_FALSE(found.holds());
}

// A bound on the walks leaves the question open.
TEST(GraphConnectedness, StopsAtTheBound) {
  RandomIoc random(14);
  Term term;
  ConnectednessOptions options;
  do
    term = random.make(8, true);
  while (!hasLoop(term) || !checkConnected(term, options).holds());
  options.maxSteps = 5;
  Connectedness found = checkConnected(term, options);
  EXPECT_TRUE(found.gaveUp);
  EXPECT_TRUE(found.violations.empty());
}
