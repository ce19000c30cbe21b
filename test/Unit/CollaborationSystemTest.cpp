//===- CollaborationSystemTest.cpp - States of collaborations, read -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Semantics/CollaborationSystem.h"
#include "BpmnTesting.h"
#include "SemanticsModels.h"
#include "cif/Explore/Explorer.h"

using namespace cif;
using namespace cif::test;
using namespace cif::bpmntest;

namespace {
/// p sends m to q, whose process the message starts; both end once.
const char *const twoPools = R"(
  <collaboration id='c'>
    <participant id='p' name='p' processRef='P'/>
    <participant id='q' name='q' processRef='Q'/>
    <messageFlow id='mf' name='m' sourceRef='send' targetRef='get'/>
  </collaboration>
  <process id='P'>
    <startEvent id='s'/><sendTask id='send'/><endEvent id='e'/>
    <sequenceFlow id='p1' sourceRef='s' targetRef='send'/>
    <sequenceFlow id='p2' sourceRef='send' targetRef='e'/>
  </process>
  <process id='Q'>
    <startEvent id='get'><messageEventDefinition/></startEvent>
    <task id='t'/><endEvent id='f'/>
    <sequenceFlow id='q1' sourceRef='get' targetRef='t'/>
    <sequenceFlow id='q2' sourceRef='t' targetRef='f'/>
  </process>)";

std::unique_ptr<CollaborationSystem> systemOf(const Module &module,
                                              SemanticsOptions options = {}) {
  TestDiagnostics diags;
  auto system = makeCollaborationSystem(module, options, diags.engine);
  EXPECT_TRUE(system) << diags.text();
  return system;
}

TEST(CollaborationSystem, StatesAreRead) {
  Parsed parsed = readModel(twoPools);
  auto system = systemOf(parsed.module);
  ASSERT_EQ(system->processes().size(), 2u);
  EXPECT_EQ(system->processes()[1].name, "q");
  ASSERT_EQ(system->messages().size(), 1u);
  EXPECT_EQ(labelText(system->messages()[0].label), "p->q:m");
  EXPECT_EQ(system->messages()[0].flows.size(), 1u);
  ASSERT_EQ(system->flows().size(), 4u);

  Exploration all = explore(*system, {});
  ASSERT_TRUE(all.complete);
  std::vector<uint32_t> first = all.vectorOf(0);
  EXPECT_TRUE(system->isStarted(first.data(), 0));
  EXPECT_FALSE(system->isStarted(first.data(), 1));
  EXPECT_EQ(system->tokens(first.data(), 0), 1u);
  EXPECT_FALSE(system->isComplete(first.data()));
  EXPECT_TRUE(system->isQuiet(first.data()));
  bool inTransit = false;
  unsigned ends = 0;
  for (StateIndex s = 0; s < all.numStates(); ++s) {
    std::vector<uint32_t> state = all.vectorOf(s);
    inTransit |= system->inTransit(state.data(), 0) == 1;
    if (!system->isComplete(state.data()) || !system->isQuiet(state.data()))
      continue;
    ++ends;
    for (size_t e = 0; e < system->elements().size(); ++e)
      EXPECT_EQ(system->reached(state.data(), e),
                system->elements()[e].isEnd ? 1u : 0u);
  }
  EXPECT_TRUE(inTransit);
  EXPECT_EQ(ends, 1u);
}

TEST(CollaborationSystem, StepsAreRead) {
  Parsed parsed = readModel(twoPools);
  auto system = systemOf(parsed.module);
  unsigned sends = 0, receives = 0, starts = 0;
  for (GroupIndex g = 0; g < system->groups().size(); ++g) {
    const CollaborationStep &step = system->step(g);
    sends += step.sends == 0;
    receives += step.receives == 0;
    starts += step.starts && step.completes;
  }
  EXPECT_EQ(sends, 1u);
  EXPECT_EQ(receives, 1u);
  EXPECT_EQ(starts, 5u); // all but the start event that holds its token
  std::string reason;
  auto net = system->petriNet(reason);
  ASSERT_TRUE(net) << reason;
  EXPECT_EQ(net->transitions.size(), 5u);
}

TEST(CollaborationSystem, TheEnvironmentSendsAndTakes) {
  Parsed parsed = readProcess("<startEvent id='s'/><intermediateCatchEvent "
                              "id='c'><messageEventDefinition/>"
                              "</intermediateCatchEvent><endEvent id='e'>"
                              "<messageEventDefinition/></endEvent>" +
                              flow("s c", "c e"));
  for (NetworkKind network :
       {NetworkKind::Bag, NetworkKind::Inbox, NetworkKind::Rsc}) {
    SemanticsOptions options;
    options.network = network;
    auto system = systemOf(parsed.module, options);
    Exploration all = explore(*system, {});
    EXPECT_TRUE(all.complete);
    EXPECT_EQ(all.numStates(), 3u);
    std::vector<uint32_t> last = all.vectorOf(2);
    EXPECT_TRUE(system->isComplete(last.data()));
    EXPECT_TRUE(system->isQuiet(last.data()));
    ASSERT_EQ(system->abstractions().size(), 1u);
  }
}

/// The send of a loop is possible while its message is not in transit; with
/// one in transit only the limit forbids it.
TEST(CollaborationSystem, LimitsForbidSteps) {
  Parsed parsed = readModel(R"(
    <collaboration id='c'>
      <participant id='p' name='p' processRef='P'/>
      <participant id='q' name='q' processRef='Q'/>
      <messageFlow id='mf' name='m' sourceRef='send' targetRef='get'/>
    </collaboration>
    <process id='P'>
      <startEvent id='s'/><exclusiveGateway id='g'/><sendTask id='send'/>
      <sequenceFlow id='p1' sourceRef='s' targetRef='g'/>
      <sequenceFlow id='p2' sourceRef='g' targetRef='send'/>
      <sequenceFlow id='p3' sourceRef='send' targetRef='g'/>
    </process>
    <process id='Q'>
      <startEvent id='get'><messageEventDefinition/></startEvent>
      <endEvent id='f'/>
      <sequenceFlow id='q1' sourceRef='get' targetRef='f'/>
    </process>)");
  for (SemanticsKind kind : {SemanticsKind::Collaboration,
                             SemanticsKind::Detailed, SemanticsKind::Fbpmn}) {
    SemanticsOptions options;
    options.semantics = kind;
    options.limits.message = 1;
    auto system = systemOf(parsed.module, options);
    EXPECT_TRUE(system->isConstrained());
    Exploration all = explore(*system, {});
    ASSERT_TRUE(all.complete) << all.incompleteText();
    std::vector<uint32_t> scratch(system->width());
    unsigned forbidden = 0;
    for (StateIndex s = 0; s < all.numStates(); ++s) {
      std::vector<uint32_t> state = all.vectorOf(s);
      EXPECT_LE(system->inTransit(state.data(), 0), 1u);
      system->forbidden(state.data(), scratch.data(),
                        [&](const Step &step, const uint32_t *next) {
                          EXPECT_EQ(system->step(step.group).sends, 0u);
                          EXPECT_EQ(system->inTransit(next, 0), 2u);
                          EXPECT_EQ(system->inTransit(state.data(), 0), 1u);
                          ++forbidden;
                          return true;
                        });
    }
    EXPECT_GT(forbidden, 0u);
    // Without the limit the messages grow, and that is proved.
    options.limits = {};
    auto unlimited = systemOf(parsed.module, options);
    EXPECT_TRUE(explore(*unlimited, {}).growth.has_value());
  }
}

TEST(CollaborationSystem, LimitsAreRead) {
  TokenLimits limits;
  EXPECT_EQ(parseTokenLimits("flow:2,message:1", limits), "");
  EXPECT_EQ(limits.flow, 2u);
  EXPECT_EQ(limits.message, 1u);
  EXPECT_NE(parseTokenLimits("flow:0", limits), "");
  EXPECT_NE(parseTokenLimits("edge:2", limits), "");
  TokenLimits file;
  EXPECT_EQ(parseConstraintFile("CONSTANT ConstraintNode <- TRUE\n"
                                "  ConstraintEdge <- MaxMessageEdgeMarking2\n"
                                "  Constraint <- ConstraintNodeEdge\n",
                                file),
            "");
  EXPECT_EQ(file.message, 2u);
  EXPECT_EQ(file.flow, noBound);
  EXPECT_EQ(tokenLimitsText(file),
            "at most 2 messages in transit on a message flow");
  EXPECT_NE(parseConstraintFile("CONSTANT Constraint <- Unknown", file), "");
}
} // namespace
