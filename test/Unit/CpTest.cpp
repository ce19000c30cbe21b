//===- CpTest.cpp - Conversation protocols and peers ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextFrontEndTest.h"

using namespace cif;
using namespace cif::test;

namespace {

const char store[] = R"(
  protocol Store {                    // from the design
    initial s0  final s0
    s0 -> s1 : cl -> appli : req
    s1 -> s2 : appli -> db : store
    s2 -> s0 : db -> appli : ack
  }
  peer appli {
    initial 0
    0 -> 1 : cl?req
    1 -> 2 : db!store
    2 -> 0 : db?ack
  })";

const char choices[] = R"(protocol P { final b, c initial a
  a -> b : p -> q : m   a -> c : p -> q : n   a -> d : tau p
  b -> b : q -> p : "o k" }
  peer p { initial a final b a -> b : q!m a -> b : tau b -> a : q?n })";

std::string errorsOf(const std::string &text) {
  Read read(parseCp, text);
  EXPECT_FALSE(read.ok);
  return read.diagnostics();
}

} // namespace

TEST(Cp, ReadsTheExampleOfTheDesign) {
  Read read(parseCp, store);
  EXPECT_EQ(read.diagnostics(), "");
  ASSERT_TRUE(read.ok);
  EXPECT_EQ(brokenRules(read.module), "");
  const Module &m = read.module;
  ASSERT_EQ(m.behaviours.size(), 1u);
  EXPECT_EQ(graphText(m.behaviours[0]),
            "initial 1; event-choice 4 7; simple-join 5; simple-join 6; "
            "interaction 2; interaction 3; interaction 1; final");
  EXPECT_EQ(m.text(m.behaviours[0].nodes[1].name), "s0");
  ASSERT_EQ(m.systems.size(), 1u);
  EXPECT_EQ(ltsText(m.systems[0].lts),
            "0: 0 appli?cl:req 1, 1 appli!db:store 2, 2 appli?db:ack 0");
  EXPECT_FALSE(m.systems[0].lts.saysFinal());
  EXPECT_EQ(m.systems[0].role, SystemRole::Peer);
  EXPECT_EQ(m.participantName(m.systems[0].owner), "appli");
  EXPECT_EQ(m.systems[0].transitionLines[1], 11u);
}

TEST(Cp, StatesWithSeveralWaysOn) {
  Read read(parseCp, choices);
  EXPECT_EQ(read.diagnostics(), "");
  ASSERT_TRUE(read.ok);
  EXPECT_EQ(brokenRules(read.module), "");
  // b and c are final, d is a dead end.
  EXPECT_EQ(graphText(read.module.behaviours[0]),
            "initial 3; event-choice 8 9; simple-join 10; event-choice 5 6 7; "
            "simple-join 11; interaction 1; interaction 2; task 4; "
            "interaction 1; final; final; stuck");
  EXPECT_EQ(ltsText(read.module.systems[0].lts),
            "0: 0 p!q:m 1, 0 tau 1, 1 p?q:n 0; final 1");
}

TEST(Cp, Errors) {
  EXPECT_EQ(errorsOf("protocol P {\n  a -> b : p -> : m\n"
                     "  a -> b p -> q : m\n  a -> b : p -> p : m\n"
                     "  initial a initial b\n  what\n}\npeer q { 0 -> 1 : p.m }"
                     "\nprotcol X { }\npeer r { 0 -> 1 : q!m }"),
            "2:17 E0101 expected the receiver, found ':'\n"
            "3:10 E0101 expected ':', found 'p'\n"
            "4:12 E0114 participant 'p' cannot send 'm' to itself\n"
            "5:21 E0107 initial state of 'P' is already defined\n"
            "  5:11 the first one is here\n"
            "6:3 E0101 expected 'initial', 'final', a transition or '}', found "
            "'what'\n  1:12 the block opened here\n"
            "8:20 E0103 unexpected '.'\n"
            "8:21 E0101 expected '!' or '?', found 'm'\n"
            "9:1 E0101 expected 'protocol', 'peer' or 'enum', found 'protcol'\n"
            "  9:1 did you mean 'protocol'?\n"
            "10:6 E0122 peer 'r' has no initial state\n"
            "  0:0 write 'initial' and a state in the block\n");
  EXPECT_EQ(errorsOf(""),
            "1:1 E0101 expected 'protocol', 'peer' or 'enum', found the "
            "end of the file\n");
  EXPECT_EQ(errorsOf("peer p { initial 0"),
            "1:19 E0101 expected 'initial', 'final', a transition or '}', "
            "found the end of the file\n  1:8 the block opened here\n");
  Read warned(parseCp, "protocol P { initial a final c a -> b : p -> q : m }");
  EXPECT_TRUE(warned.ok);
  EXPECT_EQ(warned.diagnostics(),
            "1:30 W0123 no transition mentions state 'c'\n");
}

TEST(Cp, SelectsOneBlock) {
  FrontEndOptions options;
  options.select = "appli";
  Read read(parseCp, store, options);
  EXPECT_TRUE(read.ok);
  EXPECT_EQ(read.module.behaviours.size(), 0u);
  EXPECT_EQ(read.module.systems.size(), 1u);
  options.select = "nobody";
  EXPECT_FALSE(Read(parseCp, store, options).ok);
}

TEST(Cp, Detection) {
  EXPECT_EQ(detectCp("x", store), 95);
  EXPECT_EQ(detectCp("x", "peer \"a b\" {"), 95);
  EXPECT_EQ(detectCp("x", "choreography C { 1 }"), 0);
  EXPECT_EQ(detectCp("x", "peer: q!m;end"), 30);
}

TEST(Cp, LargeProtocol) {
  std::string text = "protocol P { initial s0 ";
  for (unsigned i = 0; i < 200000; ++i)
    text += "s" + std::to_string(i) + " -> s" + std::to_string(i + 1) +
            " : p -> q : m ";
  Read read(parseCp, text + "}");
  ASSERT_TRUE(read.ok);
  EXPECT_EQ(read.module.behaviours[0].nodes.size(), 400003u);
}

TEST(Cp, Mutants) {
  readMutants(parseCp, {store, choices},
              {"{", "}", "->", ":", "initial ", "final ", "protocol ", "peer ",
               "tau", "!", "?", "s0", "\"", "/*", ",", "\n", "\xff"},
              10000);
}
