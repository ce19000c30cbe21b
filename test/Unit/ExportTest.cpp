//===- ExportTest.cpp - Emitters on modules made by hand ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExportModules.h"
#include <gtest/gtest.h>

using namespace cif;
using namespace cif::test;

namespace {
struct Emitted {
  bool ok;
  std::string text;
  std::vector<Diagnostic> diagnostics;
};

Emitted emit(const Module &module, StringRef name, EmitOptions options = {}) {
  SourceManager sources;
  DiagnosticCollector collector;
  DiagnosticEngine diags(sources, collector);
  Emitted result{false, "", {}};
  llvm::raw_string_ostream os(result.text);
  for (const Emitter &emitter : builtinEmitters())
    if (name == emitter.name)
      result.ok = emitter.emit(module, os, diags, options);
  result.diagnostics = collector.all;
  return result;
}

bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}
} // namespace

TEST(Export, SameModuleSameBytes) {
  for (const Emitter &emitter : builtinEmitters())
    EXPECT_EQ(emit(shop(), emitter.name).text, emit(shop(), emitter.name).text)
        << emitter.name;
}

TEST(Export, ChoreographyAsBpmn) {
  Emitted bpmn = emit(shop(), "bpmn");
  ASSERT_TRUE(bpmn.ok);
  for (const char *part :
       {"<bpmn:choreography id=\"Choreography_1\" name=\"Shop\">",
        "<bpmn:choreographyTask id=\"Task_Order\" name=\"Order\" "
        "initiatingParticipantRef=\"Participant_1\">",
        "<bpmn:eventBasedGateway", "<bpmn:parallelGateway",
        "loopType=\"Standard\"", "<bpmn:subChoreography",
        "participantBandKind=\"top_initiating\"", "isMessageVisible=\"true\"",
        "default=\"", "<bpmn:terminateEventDefinition />"})
    EXPECT_TRUE(contains(bpmn.text, part)) << part << "\n" << bpmn.text;
}

TEST(Export, WhatBpmnCannotExpressIsNamed) {
  Module module = shop();
  module.behaviours[0].nodes[2].kind = NodeKind::Stuck;
  Emitted bpmn = emit(module, "bpmn");
  EXPECT_FALSE(bpmn.ok);
  ASSERT_EQ(bpmn.diagnostics.size(), 1u);
  EXPECT_EQ(bpmn.diagnostics[0].kind, diag::emit_node);
  EXPECT_EQ(bpmn.text, "");
}

TEST(Export, FlowsStayInTheirContainers) {
  Module module = shop();
  Behaviour &behaviour = module.behaviours[0];
  for (Node &node : behaviour.nodes)
    if (node.kind == NodeKind::Initial && node.parent)
      node.parent = NodeId();
  Emitted bpmn = emit(module, "bpmn");
  EXPECT_FALSE(bpmn.ok);
  ASSERT_EQ(bpmn.diagnostics.size(), 1u);
  EXPECT_EQ(bpmn.diagnostics[0].kind, diag::emit_flow_leaves);
}

TEST(Export, NothingToWriteIsAnError) {
  Emitted bpmn = emit(Module(), "bpmn");
  EXPECT_FALSE(bpmn.ok);
  ASSERT_EQ(bpmn.diagnostics.size(), 1u);
  EXPECT_EQ(bpmn.diagnostics[0].kind, diag::emit_nothing);
}
