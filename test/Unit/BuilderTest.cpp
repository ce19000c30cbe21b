//===- BuilderTest.cpp - Making behaviours --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Builder.h"
#include "cif/IR/Text.h"
#include "cif/Serialization/Binary.h"
#include <gtest/gtest.h>

using namespace cif;

TEST(Builder, MakesWhatItSays) {
  Module module;
  BehaviourBuilder c(module, BehaviourKind::Choreography, "Shop");
  NodeId start = c.add(NodeKind::Initial), ask = c.interaction("c", "s", "ask");
  NodeId choice = c.add(NodeKind::Choice, "enough?");
  NodeId body = c.container("body"), end = c.add(NodeKind::Final);
  ExprId x = c.variable("x", intSort);
  c.setArguments(ask, {x});
  c.chain({start, ask, choice});
  c.flow(choice, body, c.binary(ExprOp::Less, x, c.integer(5)));
  c.defaultFlow(choice, end);
  c.flow(c.boundary(body, Trigger::Timer), end);
  c.attribute(choice, "z", "1");
  c.attribute(start, "a", "2");
  c.attribute(choice, "b", "3");
  c.in(body);
  c.add(NodeKind::Task);
  BehaviourBuilder p(module, BehaviourKind::Process, "C",
                     module.findParticipant("c"));
  p.chain({p.send("s", "ask"), p.receive("", "pong")});

  std::string text;
  llvm::raw_string_ostream os(text);
  printText(module, os);
  EXPECT_EQ(text, R"(cif 1.2
participant c
participant s
message c -> s : ask
message ? -> c : pong

choreography Shop {
  n0 initial
    . a = "2"
  n1 interaction c -> s : ask(x:int)
  n2 choice "enough?"
    . b = "3"
    . z = "1"
  n3 container "body"
  n4 final
  n5 boundary timer on n3
  n6 task in n3
  n0 -> n1
  n1 -> n2
  n2 -> n3 [x:int < 5]
  n2 -> n4 default
  n5 -> n4
}

process C : c {
  n0 send c -> s : ask
  n1 receive ? -> c : pong
  n0 -> n1
}
)");
  std::string why;
  EXPECT_TRUE(checkRoundTrip(module, why)) << why;
}
