//===- ExportTest.cpp - Emitters on modules made by hand ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExportModules.h"
#include "cif/Support/DiagnosticKinds.h"
#include <gtest/gtest.h>
#include <libxml/parser.h>

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
    for (auto *make : {shop, collaboration})
      EXPECT_EQ(emit(make(), emitter.name).text,
                emit(make(), emitter.name).text)
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

TEST(Export, NamesNeverBreakXml) {
  // Every byte value, quotes, markup, emoji, and halves of characters.
  std::string hostile = "\"<&>'\\]]>--\xf0\x9f\x98\x80\xe2\x80\xff\xed\xa0\x80";
  for (int c = 0; c < 256; ++c)
    hostile += static_cast<char>(c);
  for (const char *format : {"bpmn", "svg"}) {
    Module module = collaboration();
    for (Behaviour &behaviour : module.behaviours) {
      behaviour.name = module.intern(hostile);
      for (Node &node : behaviour.nodes)
        node.name = node.loc.element = module.intern(hostile);
      for (Flow &flow : behaviour.flows)
        flow.name = module.intern(hostile);
    }
    for (Message &message : module.messages)
      message.name = module.intern(hostile);
    for (Participant &participant : module.participants)
      participant.name = module.intern(hostile);
    Emitted emitted = emit(module, format);
    ASSERT_TRUE(emitted.ok) << format;
    xmlDocPtr document = xmlReadMemory(emitted.text.data(), emitted.text.size(),
                                       "x.xml", nullptr, XML_PARSE_NONET);
    EXPECT_NE(document, nullptr) << format;
    xmlFreeDoc(document);
  }
}

TEST(Export, OwnIdsAreKeptWhenTheyCanBe) {
  Module module = shop();
  Behaviour &behaviour = module.behaviours[0];
  behaviour.nodes[0].loc.element = module.intern("Gateway_1");
  behaviour.nodes[1].loc.element = module.intern("not an id");
  behaviour.nodes[4].loc.element = module.intern("Gateway_1");
  Emitted bpmn = emit(module, "bpmn");
  EXPECT_TRUE(contains(bpmn.text, "<bpmn:startEvent id=\"Gateway_1\""));
  EXPECT_TRUE(contains(bpmn.text, "<bpmn:exclusiveGateway id=\"Gateway_2\""));
  EXPECT_TRUE(contains(bpmn.text, "id=\"ChoreographyTask_1\" name=\"Refuse\""));
}

TEST(Export, CollaborationAsBpmn) {
  Emitted bpmn = emit(collaboration(), "bpmn");
  ASSERT_TRUE(bpmn.ok);
  for (const char *part :
       {"<bpmn:collaboration id=\"Collaboration\">", "name=\"Supplier\" />",
        "<bpmn:sendTask", "<bpmn:receiveTask", "<bpmn:subProcess",
        "<bpmn:boundaryEvent", "attachedToRef=",
        "<bpmn:timerEventDefinition />", "<bpmn:messageEventDefinition ",
        "<bpmn:messageFlow ", "isHorizontal=\"true\"", "isExpanded=\"true\""})
    EXPECT_TRUE(contains(bpmn.text, part)) << part;
}

TEST(Export, WitnessStepsAreShownInSvg) {
  EmitOptions options;
  for (const char *id : {"Task_Order", "Gateway_2", "Task_Order"})
    options.highlight.push_back({"", 0, 0, id});
  Emitted svg = emit(shop(), "svg", options);
  EXPECT_TRUE(contains(svg.text, "interaction step\" data-id=\"Task_Order\""));
  EXPECT_TRUE(contains(svg.text, ">1,3</text>"));
  EXPECT_TRUE(contains(svg.text, "choice step\" data-id=\"Gateway_2\""));
}

/// A peer that sends a, does something, and receives b.
static Module peers() {
  Module module;
  for (const char *name : {"p", "q"}) {
    SystemDecl system;
    system.role = SystemRole::Peer;
    system.name = module.intern(name);
    system.owner = module.getParticipant(system.name);
    bool first = *name == 'p';
    system.lts.labels.push_back(
        {first ? LabelKind::Send : LabelKind::Receive, "p", "q", "a"});
    system.lts.labels.push_back(
        {first ? LabelKind::Receive : LabelKind::Send, "q", "p", "b"});
    system.lts.rowBegin = std::vector<uint32_t>{0, 1, 2, 3};
    system.lts.label = std::vector<LabelIndex>{1, 0, 2};
    system.lts.target = std::vector<StateIndex>{1, 2, 0};
    system.lts.finals = std::vector<uint64_t>{1};
    module.systems.push_back(std::move(system));
  }
  return module;
}

TEST(Export, PeersAsAutomata) {
  EXPECT_EQ(emit(peers(), "cfsm").text,
            ".outputs p\n.state graph\nq0 1 ! a q1\nq1 0 tau tau q2\n"
            "q2 1 ? b q0\n.marking q0\n-- final: q0\n.end\n"
            ".outputs q\n.state graph\nq0 0 ? a q1\nq1 1 tau tau q2\n"
            "q2 0 ! b q0\n.marking q0\n-- final: q0\n.end\n");
}

TEST(Export, PeersAsProtocols) {
  EXPECT_EQ(emit(peers(), "cp").text,
            "peer p {\n  initial 0\n  final 0\n  0 -> 1 : q!a\n"
            "  1 -> 2 : tau\n  2 -> 0 : q?b\n}\n"
            "peer q {\n  initial 0\n  final 0\n  0 -> 1 : p?a\n"
            "  1 -> 2 : tau\n  2 -> 0 : p!b\n}\n");
}

TEST(Export, WhatAutomataCannotExpressIsNamed) {
  Module module = peers();
  module.systems[0].lts.labels[1].message = "two words";
  for (const char *format : {"cfsm", "cp"})
    EXPECT_EQ(emit(module, format).ok, format == StringRef("cp"));
  module = peers();
  module.systems[1].role = SystemRole::Composition;
  for (const char *format : {"cfsm", "cp"}) {
    Emitted emitted = emit(module, format);
    EXPECT_FALSE(emitted.ok);
    ASSERT_EQ(emitted.diagnostics.size(), 1u);
    EXPECT_EQ(emitted.diagnostics[0].kind, diag::emit_system);
  }
}
