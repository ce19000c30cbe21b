//===- BpmnRoundTripTest.cpp - What is written as BPMN is read back -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExportModules.h"
#include "cif/Frontend/FrontEnd.h"
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
      lines.push_back(id(NodeId(n)) + " " + nodeKindText(node.kind).str() +
                      " '" + module.text(node.name).str() + "' " +
                      triggerText(node.trigger).str() + " " +
                      loopKindText(node.loop).str() + " " +
                      std::to_string(node.flags) + " in " + id(node.parent) +
                      " at " + id(node.attachedTo) + " " +
                      message(node.message) + " " + message(node.reply));
    }
    for (const Flow &flow : behaviour.flows)
      lines.push_back(
          module.text(flow.loc.element).str() + " " + id(flow.source) + " -> " +
          id(flow.target) + " '" + module.text(flow.name).str() + "' " +
          std::to_string(flow.flags) + (flow.guard ? " guarded" : ""));
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
    switch (random() % 5) {
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
