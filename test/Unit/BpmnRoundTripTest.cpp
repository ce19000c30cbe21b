//===- BpmnRoundTripTest.cpp - What is written as BPMN is read back -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExportModules.h"
#include "RandomModule.h"
#include "cif/Frontend/FrontEnd.h"
#include "cif/IR/Text.h"
#include "cif/IR/Verifier.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace cif;
using namespace cif::test;

namespace {
/// Gives every node and flow an id, by which the two modules are compared.
void giveIds(Module &module) {
  for (size_t b = 0; b < module.behaviours.size(); ++b) {
    Behaviour &behaviour = module.behaviours[b];
    auto id = [&](const char *kind, size_t i) {
      return module.intern(kind + std::to_string(b) + "_" + std::to_string(i));
    };
    behaviour.loc.element = id("b", 0);
    for (size_t n = 0; n < behaviour.nodes.size(); ++n)
      behaviour.nodes[n].loc.element = id("n", n);
    for (size_t f = 0; f < behaviour.flows.size(); ++f)
      behaviour.flows[f].loc.element = id("f", f);
  }
}

/// Everything that a module says of its behaviours, a line each, sorted: node
/// numbers and places in files do not matter.
std::vector<std::string> facts(const Module &module) {
  std::vector<std::string> lines;
  ExprPrinter exprs(module);
  auto expr = [&](ExprId e) { return e ? exprs.text(e) : std::string("-"); };
  for (const Enumeration &e : module.enumerations) {
    lines.push_back("enum " + module.text(e.name).str());
    for (Name literal : e.literals)
      lines.back() += " " + module.text(literal).str();
  }
  for (const Behaviour &behaviour : module.behaviours) {
    auto id = [&](NodeId n) {
      return n ? module.text(behaviour.node(n).loc.element).str()
               : std::string("-");
    };
    auto message = [&](MessageId m) {
      return m ? module.exchangeText(m) : std::string("-");
    };
    lines.push_back(module.text(behaviour.loc.element).str() + " " +
                    behaviourKindText(behaviour.kind).str() + " " +
                    module.text(behaviour.name).str() + " of " +
                    module.participantName(behaviour.owner).str());
    for (size_t n = 0; n < behaviour.nodes.size(); ++n) {
      const Node &node = behaviour.nodes[n];
      lines.push_back(
          id(NodeId(n)) + " " + nodeKindText(node.kind).str() + " '" +
          module.text(node.name).str() + "' " +
          triggerText(node.trigger).str() + " " +
          loopKindText(node.loop).str() + " " + std::to_string(node.flags) +
          " in " + id(node.parent) + " at " + id(node.attachedTo) + " " +
          message(node.message) + " " + message(node.reply) + " by " +
          module.participantName(node.participant).str() + " if " +
          expr(node.condition) + " " + std::to_string(node.loopMinimum) + ".." +
          std::to_string(node.loopMaximum));
      for (uint32_t i = 0; i < node.numArguments; ++i)
        lines.back() +=
            ", " + expr(behaviour.arguments[node.firstArgument + i]);
    }
    for (const Attribute &a : behaviour.attributes)
      lines.push_back(id(a.node) + " has " + module.text(a.key).str() + "=" +
                      module.text(a.value).str());
    for (const Flow &flow : behaviour.flows)
      lines.push_back(module.text(flow.loc.element).str() + " " +
                      id(flow.source) + " -> " + id(flow.target) + " '" +
                      module.text(flow.name).str() + "' " +
                      std::to_string(flow.flags) + " " + expr(flow.guard));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

Module readBack(const Module &module) {
  SourceManager sources;
  DiagnosticCollector collector;
  DiagnosticEngine diags(sources, collector);
  std::string text;
  llvm::raw_string_ostream os(text);
  EXPECT_TRUE(emitBpmn(module, os, diags, {}));
  const SourceBuffer &source =
      sources.add("written.bpmn", llvm::MemoryBuffer::getMemBufferCopy(text));
  Module result;
  EXPECT_TRUE(parseBpmn(source, result, diags, {}));
  EXPECT_FALSE(diags.hasErrors())
      << (collector.all.empty() ? "" : collector.all[0].text) << text;
  return result;
}

/// The expressions of a random module, with names of enumerations that XML can
/// hold.
struct Exprs {
  std::vector<ExprId> bools;
  std::vector<ExprId> all;

  Exprs(Module &to, unsigned seed) {
    Module from = randomModule(seed);
    for (size_t e = 0; e < from.enumerations.size(); ++e) {
      Enumeration copy;
      copy.name = to.intern("E" + std::to_string(e));
      for (size_t l = 0; l < from.enumerations[e].literals.size(); ++l)
        copy.literals.push_back(to.intern("l" + std::to_string(l)));
      to.enumerations.push_back(copy);
    }
    for (const Expr &e : from.exprs) {
      Expr copy = e;
      copy.loc = {};
      copy.name = to.intern(from.text(e.name));
      if (e.op == ExprOp::EnumLiteral) {
        const auto &literals = from.enumerations[e.sort.enumIndex()].literals;
        copy.name =
            to.intern("l" + std::to_string(std::find(literals.begin(),
                                                     literals.end(), e.name) -
                                           literals.begin()));
      }
      all.push_back(to.addExpr(copy));
      if (e.sort == boolSort)
        bools.push_back(all.back());
    }
  }
};

/// Gives the nodes of a choreography what BPMN has no place for.
void decorate(Module &module, Behaviour &b, const Exprs &exprs,
              std::mt19937 &random) {
  auto oneIn = [&](unsigned n) { return random() % n == 0; };
  auto somebody = [&] {
    return ParticipantId(random() % module.participants.size());
  };
  auto condition = [&] {
    return exprs.bools.empty() ? ExprId()
                               : exprs.bools[random() % exprs.bools.size()];
  };
  for (uint32_t n = 0; n < b.nodes.size(); ++n) {
    Node &node = b.nodes[n];
    if (isGateway(node.kind) && oneIn(2))
      node.participant = somebody();
    if (node.kind == NodeKind::Choice && oneIn(3)) {
      node.kind = NodeKind::DominatedChoice;
      node.participant = somebody();
    }
    if (node.loop != LoopKind::None) {
      node.loopMinimum = random() % 3;
      node.loopMaximum = node.loopMinimum + random() % 3;
      node.condition = condition();
      if (node.loop == LoopKind::Standard && oneIn(2))
        node.flags |= LoopTestAfter;
    }
    if (node.kind == NodeKind::Interaction && !node.reply && oneIn(3) &&
        !exprs.all.empty()) {
      node.firstArgument = b.arguments.size();
      node.numArguments = 1 + random() % 2;
      for (uint32_t i = 0; i < node.numArguments; ++i)
        b.arguments.push_back(exprs.all[random() % exprs.all.size()]);
    }
    if (oneIn(4))
      b.attributes.push_back(
          {NodeId(n), module.intern("lane"), module.intern("Tom & \"Jerry\"")});
  }
  b.attributes.push_back({{}, module.intern("author"), module.intern("<me>")});
  for (Flow &flow : b.flows) {
    NodeKind from = b.node(flow.source).kind;
    if ((from == NodeKind::Choice || from == NodeKind::SubsetSelect ||
         from == NodeKind::DominatedChoice) &&
        !(flow.flags & DefaultFlow) && oneIn(2))
      flow.guard = condition();
  }
}

/// Blocks nested at random; every gateway has a partner, as in real models.
Module randomChoreography(std::mt19937 &random) {
  Module module;
  Builder b(module, BehaviourKind::Choreography, "random");
  unsigned left = 3 + random() % 25, number = 0;
  NodeId last = b.add(NodeKind::Initial);
  std::vector<std::pair<NodeId, NodeId>> open; // split and its join
  std::vector<NodeId> containers;
  while (left--) {
    std::string name = "m" + std::to_string(number++);
    std::string from(1, 'a' + random() % 3), to(1, 'd' + random() % 3);
    NodeId next;
    switch (random() % 6) {
    case 2: { // somebody's own step, and a choice of one way
      NodeId step = b.add(NodeKind::Task, random() % 2 ? name : "");
      b[step].participant = module.getParticipant(module.intern(from));
      NodeId choice =
          b.add(random() % 2 ? NodeKind::Choice : NodeKind::EventChoice);
      b.chain({last, step, choice});
      last = choice;
      continue;
    }
    case 0: {
      const NodeKind kinds[][2] = {
          {NodeKind::Choice, NodeKind::SimpleJoin},
          {NodeKind::AllSelect, NodeKind::AllJoin},
          {NodeKind::SubsetSelect, NodeKind::SubsetJoin},
          {NodeKind::EventChoice, NodeKind::SimpleJoin}};
      const auto &kind = kinds[random() % 4];
      NodeId split = b.add(kind[0]), join = b.add(kind[1]);
      b.flow(last, split);
      for (int branch = 0; branch < 2; ++branch) {
        NodeId task = b.interaction("", from, to, name + "x", "",
                                    branch ? name + "r" : "");
        b.flow(split, task, branch ? "way" : "",
               kind[0] == NodeKind::Choice && branch ? DefaultFlow : 0);
        b.flow(task, join);
      }
      last = join;
      continue;
    }
    case 1: {
      NodeId container = b.add(NodeKind::Container, name);
      if (random() % 2)
        b[container].loop = LoopKind::MultiParallel;
      b.flow(last, container);
      b.container = container;
      NodeId start = b.add(NodeKind::Initial);
      NodeId task = b.interaction(name, from, to, name);
      b.chain({start, task, b.add(NodeKind::Final)});
      b.container = NodeId();
      last = container;
      continue;
    }
    default:
      next = b.interaction(name, from, to, name);
      if (random() % 4 == 0)
        b[next].loop = LoopKind::Standard;
    }
    b.flow(last, next);
    last = next;
  }
  b.flow(last, b.add(NodeKind::Final, "end"));
  return module;
}
} // namespace

TEST(BpmnRoundTrip, AChoreographyIsReadBackAsItWas) {
  Module module = shop();
  giveIds(module);
  EXPECT_EQ(facts(module), facts(readBack(module)));
}

TEST(BpmnRoundTrip, ACollaborationIsReadBackAsItWas) {
  Module module = collaboration();
  giveIds(module);
  Module again = readBack(module);
  // Activities that several flows enter get the merge that BPMN implies.
  std::vector<std::string> before = facts(module), after = facts(again);
  std::vector<std::string> lost;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                      std::back_inserter(lost));
  for (const std::string &line : lost)
    EXPECT_EQ(line[0], 'f') << line;
  // From then on nothing changes.
  EXPECT_EQ(after.size(), facts(readBack(again)).size());
}

TEST(BpmnRoundTrip, RandomChoreographiesAreReadBackAsTheyWere) {
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    Module module = randomChoreography(random);
    giveIds(module);
    ASSERT_EQ(facts(module), facts(readBack(module))) << i;
  }
}

TEST(BpmnRoundTrip, WhatBpmnHasNoPlaceForIsReadBackAsItWas) {
  std::mt19937 random(7);
  for (unsigned i = 0; i < 300; ++i) {
    Module module = randomChoreography(random);
    Exprs exprs(module, i);
    decorate(module, module.behaviours[0], exprs, random);
    giveIds(module);
    ASSERT_EQ(facts(module), facts(readBack(module))) << i;
  }
}

TEST(BpmnRoundTrip, LoopsAndConditionsOfProcessesAreReadBackAsTheyWere) {
  std::mt19937 random(9);
  for (unsigned i = 0; i < 100; ++i) {
    Module module;
    Exprs exprs(module, i);
    Builder b(module, BehaviourKind::Process, "random", "a");
    NodeId last = b.add(NodeKind::Initial);
    for (unsigned n = 0; n < 8; ++n) {
      NodeId next;
      switch (random() % 4) {
      case 0:
        next = b.add(NodeKind::Task, "t");
        b[next].loop = LoopKind(1 + random() % 3);
        b[next].loopMinimum = random() % 3;
        b[next].loopMaximum = b[next].loopMinimum + random() % 3;
        if (b[next].loop == LoopKind::Standard && random() % 2)
          b[next].flags |= LoopTestAfter;
        break;
      case 1:
        next = b.send("a", "b", "m" + std::to_string(n));
        break;
      case 2:
        next = b.receive("b", "a", "m" + std::to_string(n));
        break;
      default:
        next = b.add(NodeKind::Catch, "c");
        b[next].trigger = random() % 2 ? Trigger::Timer : Trigger::Conditional;
      }
      if (b[next].message) {
        b[next].firstArgument = b.behaviour().arguments.size();
        for (ExprId e : exprs.all)
          if (random() % 4 == 0 && (b[next].kind == NodeKind::Send ||
                                    module.expr(e).op == ExprOp::Variable)) {
            b.behaviour().arguments.push_back(e);
            ++b[next].numArguments;
          }
        if (!b[next].numArguments)
          b[next].firstArgument = 0;
        else if (b[next].kind == NodeKind::Receive)
          b[next].flags |= BindsArguments;
      } else if (!exprs.bools.empty() && random() % 2) {
        b[next].condition = exprs.bools[random() % exprs.bools.size()];
      }
      b.flow(last, next);
      last = next;
    }
    b.flow(last, b.add(NodeKind::Final));
    giveIds(module);
    ASSERT_EQ(facts(module), facts(readBack(module))) << i;
  }
}
