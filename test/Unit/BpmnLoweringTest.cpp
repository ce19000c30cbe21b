//===- BpmnLoweringTest.cpp - What BPMN means in the IR -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BpmnTesting.h"

using namespace cif;
using namespace cif::bpmntest;

namespace {

/// Participants a, b and c with message flows ab (message x), ba (message y).
const char *const people =
    "<participant id='a' name='Ann'/><participant id='b' name='Bob'/>"
    "<participant id='c' name='Cid'/>"
    "<messageFlow id='ab' name='x' sourceRef='a' targetRef='b'/>"
    "<messageFlow id='ba' messageRef='my' sourceRef='b' targetRef='a'/>";

std::string task(const std::string &id, const std::string &initiator,
                 const std::string &members, const std::string &flows = "",
                 const std::string &more = "") {
  std::string result =
      "<choreographyTask id='" + id + "' name='" + id + "'" +
      (initiator.empty() ? ""
                         : " initiatingParticipantRef='" + initiator + "'") +
      " " + more + ">";
  for (char c : members)
    result += std::string("<participantRef>") + c + "</participantRef>";
  SmallVector<StringRef> refs;
  StringRef(flows).split(refs, ' ', -1, false);
  for (StringRef ref : refs)
    result += ("<messageFlowRef>" + ref + "</messageFlowRef>").str();
  return result + "</choreographyTask>";
}

Parsed readChoreography(const std::string &body, FrontEndOptions options = {}) {
  return readModel(std::string("<message id='my' name='y'/>"
                               "<choreography id='C'>") +
                       people + body + "</choreography>",
                   std::move(options));
}

/// The exchanges of the first interaction, and the codes.
std::string exchange(const std::string &taskXml) {
  Parsed parsed = readChoreography(taskXml);
  if (!parsed.good)
    return parsed.codes();
  const Module &m = parsed.module;
  const Node &node = m.behaviours[0].nodes[0];
  return m.exchangeText(node.message) +
         (node.reply ? "; " + m.exchangeText(node.reply) : "") +
         (parsed.codes().empty() ? "" : " " + parsed.codes());
}

} // namespace

TEST(BpmnLowering, ChoreographyTasks) {
  EXPECT_EQ(exchange(task("t", "a", "ab", "ab")), "Ann -> Bob : x");
  EXPECT_EQ(exchange(task("t", "a", "ab", "ab ba")),
            "Ann -> Bob : x; Bob -> Ann : y");
  // The initiator's message is the one that it sends, whatever the order.
  EXPECT_EQ(exchange(task("t", "a", "ba", "ba ab")),
            "Ann -> Bob : x; Bob -> Ann : y");
  EXPECT_EQ(exchange(task("t", "b", "ab", "ab ba")),
            "Bob -> Ann : y; Ann -> Bob : x");
  // Without message flows the task's name is the message.
  EXPECT_EQ(exchange(task("t", "a", "ab")), "Ann -> Bob : t");
  EXPECT_EQ(exchange(task("t", "", "ab")), "Ann -> Bob : t");
  EXPECT_EQ(exchange(task("t", "", "", "ab")), "Ann -> Bob : x");
  EXPECT_EQ(exchange(task("t", "c", "ab", "ab")), "Ann -> Bob : x W0203");
  EXPECT_EQ(exchange(task("t", "b", "ab", "ab")), "Bob -> Ann : x W0204");
  EXPECT_EQ(exchange(task("t", "a", "cab", "ab")), "Ann -> Bob : x W0201");
  EXPECT_EQ(exchange(task("t", "a", "ab", "ab ab")), "Ann -> Bob : x W0201");
  EXPECT_EQ(exchange(task("t", "a", "a")), "E0215");
  EXPECT_EQ(exchange(task("t", "z", "ab")), "E0206");
}

TEST(BpmnLowering, ParticipantsOfOneNameAreOne) {
  Parsed parsed = readModel(
      "<choreography id='C'><participant id='a' name='Ann'/><participant "
      "id='a2' name=' Ann&#10;'/><participant id='b' name='Bob'><"
      "participantMultiplicity maximum='3'/></participant>" +
      task("t", "a", "ab") +
      "<choreographyTask id='u' name='u' initiatingParticipantRef='a2'>"
      "<participantRef>a2</participantRef><participantRef>b</participantRef>"
      "</choreographyTask>" +
      flow("t u") + "</choreography>");
  EXPECT_EQ(parsed.codes(), "W0201");
  EXPECT_EQ(parsed.module.participants.size(), 2u);
  EXPECT_EQ(parsed.module.participants[1].maximum, 3u);
}

TEST(BpmnLowering, LoopsAndSubChoreographies) {
  Parsed parsed = readChoreography(
      "<startEvent id='s'/><subChoreography id='sub' "
      "loopType='MultiInstanceSequential'>" +
      task("t", "a", "ab", "ab", "loopType='Standard'") +
      "</subChoreography><endEvent id='e'/>" + flow("s sub", "sub e"));
  EXPECT_EQ(graph(parsed.module),
            "container@sub -> final@e\n"
            "container@sub: loop multi-sequence\n"
            "final@t: in container@sub\n"
            "initial@s -> container@sub\n"
            "initial@t -> interaction@t\n"
            "initial@t: in container@sub\n"
            "interaction@t -> final@t\n"
            "interaction@t: message Ann -> Bob : x loop standard in "
            "container@sub");
}

TEST(BpmnLowering, CallChoreographies) {
  Parsed parsed = readModel(
      std::string("<choreography id='C'>") + people +
      "<callChoreography id='call' calledChoreographyRef='D'>"
      "<participantAssociation><innerParticipantRef>inner</innerParticipantRef>"
      "<outerParticipantRef>c</outerParticipantRef></participantAssociation>"
      "</callChoreography></choreography>"
      "<choreography id='D'><participant id='inner' name='Inner'/>"
      "<participant id='other' name='Bob'/>"
      "<choreographyTask id='t' name='t' initiatingParticipantRef='inner'>"
      "<participantRef>inner</participantRef>"
      "<participantRef>other</participantRef></choreographyTask>"
      "</choreography>");
  ASSERT_EQ(parsed.module.behaviours.size(), 1u);
  EXPECT_NE(graph(parsed.module).find("Cid -> Bob : t in container@call"),
            std::string::npos);
  // What is not in the file is one internal step.
  EXPECT_EQ(readChoreography("<callChoreography id='x' "
                             "calledChoreographyRef='elsewhere'/>")
                .codes(),
            "W0201");
}

TEST(BpmnLowering, EnforceabilityRules) {
  EXPECT_EQ(readChoreography(task("t", "a", "ab") + task("u", "b", "bc") +
                             task("v", "c", "ca") + flow("t u", "u v"))
                .codes(),
            "");
  Parsed parsed = readChoreography(task("t", "a", "ab") + task("u", "c", "ca") +
                                   flow("t u"));
  EXPECT_EQ(parsed.codes(), "W0208");
  EXPECT_EQ(parsed.text(), "'Cid' initiates 'u' without taking part in what "
                           "comes before it [BPMN 2.0, 11.5.6]");
  auto gateway = [](const std::string &kind, const std::string &left,
                    const std::string &right) {
    return readChoreography("<startEvent id='s'/><" + kind + " id='g'/>" +
                            left + right + flow("s g", "g t", "g u"))
        .codes();
  };
  std::string ab = task("t", "a", "ab"), ac = task("u", "a", "ac"),
              bc = task("u", "b", "bc"), cb = task("u", "c", "bc");
  EXPECT_EQ(gateway("exclusiveGateway", ab, ac), "");
  EXPECT_EQ(gateway("exclusiveGateway", ab, bc), "W0209");
  EXPECT_EQ(gateway("inclusiveGateway", ab, bc), "W0209");
  EXPECT_EQ(gateway("parallelGateway", ab, bc), "");
  EXPECT_EQ(gateway("eventBasedGateway", ab, cb), ""); // one receiver
  EXPECT_EQ(gateway("eventBasedGateway", ab, bc), "W0210");
  // Through containers and after a loop back.
  EXPECT_EQ(readChoreography("<subChoreography id='s'>" + ab +
                             "</subChoreography>" + task("v", "c", "ca") +
                             flow("s v"))
                .codes(),
            "W0208");
}

TEST(BpmnLowering, GatewaysByTheirFlows) {
  Parsed parsed =
      readProcess("<startEvent id='s'/><exclusiveGateway id='x' default='f3'/>"
                  "<task id='a'/><task id='b'/><parallelGateway id='p'/>"
                  "<inclusiveGateway id='j'/><endEvent id='e'/>" +
                  flow("s x", "x a", "x b", "a p", "b p", "p j", "j e", "x p"));
  EXPECT_EQ(graph(parsed.module), "all-join@p -> subset-join@j\n"
                                  "choice@x -> all-join@p\n"
                                  "choice@x -> task@a\n"
                                  "choice@x -> task@b default\n"
                                  "initial@s -> choice@x\n"
                                  "subset-join@j -> final@e\n"
                                  "task@a -> all-join@p\n"
                                  "task@b -> all-join@p");
}

TEST(BpmnLowering, ImplicitStartsAndEnds) {
  EXPECT_EQ(graph(readProcess("<task id='t'/>").module),
            "initial@t -> task@t\ntask@t -> final@t");
  // Several start together; beside a start event none does, with a warning.
  EXPECT_EQ(graph(readProcess("<task id='t'/><task id='u'/>").module),
            "all-select@t -> task@t\nall-select@t -> task@u\n"
            "initial@t -> all-select@t\ntask@t -> final@t\n"
            "task@u -> final@u");
  EXPECT_EQ(readProcess("<startEvent id='s'/><task id='t'/>").codes(), "W0206");
  EXPECT_EQ(graph(readProcess("<startEvent id='s'/><task id='t'/>").module),
            "initial@s -> final@s\ntask@t -> final@t");
  EXPECT_EQ(graph(readModel("<process id='P'/>").module),
            "initial@P -> final@P");
}

TEST(BpmnLowering, ImplicitSplitsAndMerges) {
  EXPECT_EQ(graph(readProcess("<startEvent id='s'/><task id='a'/>"
                              "<task id='b'/><task id='c'/><endEvent id='e'/>" +
                              flow("s a", "a b", "a c", "b c", "c e", "b e"))
                      .module),
            "all-select@a -> simple-join@c\n"
            "all-select@a -> task@b\n"
            "all-select@b -> final@e\n"
            "all-select@b -> simple-join@c\n"
            "initial@s -> task@a\n"
            "simple-join@c -> task@c\n"
            "task@a -> all-select@a\n"
            "task@b -> all-select@b\n"
            "task@c -> final@e");
}

TEST(BpmnLowering, ConditionalFlowsOfActivities) {
  auto conditional = [](const std::string &id, const std::string &to) {
    return "<sequenceFlow id='" + id + "' sourceRef='t' targetRef='" + to +
           "'><conditionExpression>" + id +
           "</conditionExpression></sequenceFlow>";
  };
  std::string nodes = "<task id='t' default='f1'/><endEvent id='a'/>"
                      "<endEvent id='b'/><endEvent id='c'/>";
  EXPECT_EQ(graph(readProcess(nodes + conditional("p", "a") +
                              conditional("q", "b") + flow("t c"))
                      .module),
            "initial@t -> task@t\n"
            "subset-select@t -> final@a guarded\n"
            "subset-select@t -> final@b guarded\n"
            "subset-select@t -> final@c default\n"
            "task@t -> subset-select@t");
  // A flow without condition is taken whatever the others do.
  EXPECT_EQ(graph(readProcess("<task id='t'/><endEvent id='a'/>"
                              "<endEvent id='c'/>" +
                              conditional("p", "a") + flow("t c"))
                      .module),
            "all-select@t -> final@c\n"
            "all-select@t -> subset-select@t\n"
            "initial@t -> task@t\n"
            "subset-select@t -> final@a guarded\n"
            "subset-select@t -> final@t default\n"
            "task@t -> all-select@t");
}

TEST(BpmnLowering, Events) {
  auto event = [](const std::string &element, const std::string &definition) {
    return readProcess("<" + element + " id='e'><" + definition +
                       "EventDefinition/></" + element + ">")
        .codes();
  };
  const char *const definitions[] = {
      "message",     "timer", "signal",     "error",  "escalation",
      "conditional", "link",  "compensate", "cancel", "terminate"};
  auto all = [&](const std::string &element) {
    std::string result;
    for (const char *definition : definitions)
      result +=
          std::string(definition) + ":" + event(element, definition) + " ";
    return result;
  };
  EXPECT_EQ(all("startEvent"),
            "message: timer:W0201 signal:W0201 error:W0201 escalation:W0201 "
            "conditional:W0201 link:E0205 compensate:W0201 cancel:E0205 "
            "terminate:E0205 ");
  EXPECT_EQ(all("endEvent"),
            "message: timer:E0205 signal:W0201 error:W0201 escalation:W0201 "
            "conditional:E0205 link:E0205 compensate:W0201 cancel:W0201 "
            "terminate: ");
  EXPECT_EQ(all("intermediateCatchEvent"),
            "message: timer:W0201 signal:W0201 error:W0201 escalation:W0201 "
            "conditional:W0201 link: compensate:W0201 cancel:W0201 "
            "terminate:E0205 ");
  EXPECT_EQ(all("intermediateThrowEvent"),
            "message: timer:E0205 signal:W0201 error:E0205 escalation:W0201 "
            "conditional:E0205 link:W0201 compensate:W0201 cancel:E0205 "
            "terminate:E0205 ");
  EXPECT_EQ(readProcess("<startEvent id='e'><messageEventDefinition/>"
                        "<timerEventDefinition/></startEvent>")
                .codes(),
            "W0201");
  EXPECT_EQ(readProcess("<startEvent id='e' parallelMultiple='true'>"
                        "<messageEventDefinition/><timerEventDefinition/>"
                        "</startEvent>")
                .codes(),
            "W0201");
  EXPECT_EQ(readProcess("<intermediateCatchEvent id='e'>"
                        "<messageEventDefinition/><linkEventDefinition/>"
                        "</intermediateCatchEvent>")
                .codes(),
            "E0205");
}

TEST(BpmnLowering, Boundaries) {
  Parsed parsed = readProcess(
      "<boundaryEvent id='b' attachedToRef='t' cancelActivity='false'>"
      "<timerEventDefinition><timeDuration>PT1H</timeDuration>"
      "</timerEventDefinition></boundaryEvent><task id='t'/>");
  EXPECT_EQ(graph(parsed.module),
            "boundary/timer/non-interrupting@b -> final@b\n"
            "boundary/timer/non-interrupting@b: on task@t\n"
            "initial@t -> task@t\n"
            "task@t -> final@t");
  const Node &event = parsed.module.behaviours[0].nodes[0];
  EXPECT_EQ(parsed.module.text(parsed.module.expr(event.condition).name),
            "PT1H");
}

TEST(BpmnLowering, LinksAreFlows) {
  auto link = [](const std::string &kind, const std::string &id,
                 const std::string &name) {
    return "<intermediate" + kind + "Event id='" + id +
           "'><linkEventDefinition name='" + name + "'/></intermediate" + kind +
           "Event>";
  };
  EXPECT_EQ(graph(readProcess("<startEvent id='s'/>" + link("Throw", "l", "L") +
                              link("Catch", "m", "L") + "<endEvent id='e'/>" +
                              flow("s l", "m e"))
                      .module),
            "initial@s -> simple-join@l\n"
            "simple-join@l -> simple-join@m\n"
            "simple-join@m -> final@e");
  EXPECT_EQ(readProcess(link("Throw", "l", "L")).codes(), "W0201");
  // Two that catch are one too many, where one throws.
  std::string two = link("Catch", "m", "L") + link("Catch", "n", "L");
  EXPECT_EQ(readProcess(two).codes(), "");
  EXPECT_EQ(readProcess(link("Throw", "l", "L") + two).codes(), "E0214");
}

TEST(BpmnLowering, EventSubProcesses) {
  Parsed parsed = readProcess(
      "<startEvent id='s'><messageEventDefinition/></startEvent><task id='t'/>"
      "<subProcess id='h' triggeredByEvent='true'>"
      "<startEvent id='hs' isInterrupting='false'><messageEventDefinition/>"
      "</startEvent><task id='ht'/><sequenceFlow id='g' sourceRef='hs' "
      "targetRef='ht'/></subProcess>" +
      flow("s t"));
  EXPECT_EQ(parsed.codes(), "W0201");
  EXPECT_EQ(graph(parsed.module),
            "boundary/message/non-interrupting@hs -> container@h\n"
            "boundary/message/non-interrupting@hs: message ? -> P : hs on "
            "container@P\n"
            "container@P -> final@P\n"
            "container@h -> final@h\n"
            "final@ht: in container@h\n"
            "final@t: in container@P\n"
            "initial/message@s -> container@P\n"
            "initial/message@s: message ? -> P : s\n"
            "initial@hs -> task@ht\n"
            "initial@hs: in container@h\n"
            "initial@s -> task@t\n"
            "initial@s: in container@P\n"
            "task@ht -> final@ht\n"
            "task@ht: in container@h\n"
            "task@t -> final@t\n"
            "task@t: in container@P");
}

TEST(BpmnLowering, FlowsAcrossBorders) {
  Parsed parsed = readProcess("<startEvent id='s'/><subProcess id='sub'>"
                              "<task id='t'/></subProcess><endEvent id='e'/>" +
                              flow("s t", "t e"));
  EXPECT_EQ(parsed.codes(), "W0201 W0201");
  EXPECT_EQ(graph(parsed.module), "container@sub -> final@e\n"
                                  "final@t: in container@sub\n"
                                  "initial@s -> container@sub\n"
                                  "initial@t -> task@t\n"
                                  "initial@t: in container@sub\n"
                                  "task@t -> final@t\n"
                                  "task@t: in container@sub");
  // Into the middle of a sub-process there is no way.
  EXPECT_EQ(readProcess("<startEvent id='s'/><subProcess id='sub'>"
                        "<startEvent id='i'/><task id='t'/></subProcess>" +
                        flow("s t", "i t"))
                .codes(),
            "E0214");
}

TEST(BpmnLowering, SubProcessesAndCalls) {
  EXPECT_EQ(readProcess("<subProcess id='s'/>").codes(), "W0201");
  EXPECT_EQ(readProcess("<adHocSubProcess id='s'/>").codes(), "W0201 W0201");
  EXPECT_EQ(readProcess("<complexGateway id='s'/>").codes(), "W0201");
  EXPECT_EQ(
      readProcess("<transaction id='s'><task id='t'/></transaction>").codes(),
      "W0201");
  EXPECT_EQ(readProcess("<task id='s' isForCompensation='true'/>").codes(),
            "W0201");
  EXPECT_EQ(readProcess("<callActivity id='s' calledElement='x'/>").codes(),
            "W0201");
  EXPECT_EQ(readModel("<globalTask id='g'/><process id='P'><callActivity "
                      "id='s' calledElement='g'/></process>")
                .codes(),
            "");
  EXPECT_EQ(readProcess("<choreographyTask id='s'/>").codes(), "E0205");
}

namespace {
Parsed readPools(const std::string &flows, const std::string &left,
                 const std::string &right = "<receiveTask id='r'/>",
                 FrontEndOptions options = {}) {
  return readModel("<message id='my' name='y'/><collaboration id='C'>"
                   "<participant id='a' name='Ann' processRef='P'/>"
                   "<participant id='b' name='Bob' processRef='Q'/>"
                   "<participant id='c' name='Cid'/>" +
                       flows + "</collaboration><process id='P'>" + left +
                       "</process><process id='Q'>" + right + "</process>",
                   std::move(options));
}
} // namespace

TEST(BpmnLowering, MessageFlows) {
  Parsed parsed = readPools(
      "<messageFlow id='m1' name='x' sourceRef='t' targetRef='r'/>"
      "<messageFlow id='m2' messageRef='my' sourceRef='t' targetRef='c'/>"
      "<messageFlow id='m3' sourceRef='c' targetRef='b'/>",
      "<task id='t' name='Tell'/>");
  EXPECT_EQ(graph(parsed.module, 0), "initial@t -> send@t\n"
                                     "send@t -> final@t\n"
                                     "send@t: message Ann -> Bob : x");
  const Module &m = parsed.module;
  ASSERT_EQ(m.messageFlows.size(), 3u);
  EXPECT_EQ(m.exchangeText(m.messageFlows[1].message), "Ann -> Cid : y");
  EXPECT_TRUE(m.messageFlows[1].sourceNode);
  EXPECT_FALSE(m.messageFlows[1].targetBehaviour);
  EXPECT_EQ(m.exchangeText(m.messageFlows[2].message), "Cid -> Bob : m3");
  EXPECT_EQ(m.messageFlows[2].targetBehaviour, BehaviourId(1));
  EXPECT_FALSE(m.messageFlows[2].targetNode);
}

TEST(BpmnLowering, MessageFlowsIntoCalledProcesses) {
  std::string called = "<process id='D'><callActivity id='call2' "
                       "calledElement='E'/></process>"
                       "<process id='E'><sendTask id='t'/></process>";
  std::string flows = "<messageFlow id='m' name='x' sourceRef='t' "
                      "targetRef='r'/>";
  std::string call = "<callActivity id='call' calledElement='D'/>";
  auto read = [&](const std::string &right) {
    return readModel("<collaboration id='C'><participant id='a' name='Ann' "
                     "processRef='P'/><participant id='b' name='Bob' "
                     "processRef='Q'/>" +
                     flows + "</collaboration><process id='P'>" + call +
                     "</process><process id='Q'><receiveTask id='r'/>" + right +
                     "</process>" + called);
  };
  Parsed parsed = read("");
  EXPECT_NE(graph(parsed.module).find("send@t: message Ann -> Bob : x"),
            std::string::npos);
  EXPECT_EQ(parsed.module.participants.size(), 2u);
  // Bob calls it, too: what would be sent to himself goes to the environment.
  Parsed shared = read("<callActivity id='call3' calledElement='E'/>");
  EXPECT_EQ(shared.codes(), "");
  std::string both = graph(shared.module, 0) + graph(shared.module, 1);
  EXPECT_NE(both.find("send@t: message Ann -> Bob : x"), std::string::npos);
  EXPECT_NE(both.find("send@t: message Bob -> "), std::string::npos);
}

TEST(BpmnLowering, TasksThatSendAndReceive) {
  std::string both = "<messageFlow id='m1' name='x' sourceRef='t' "
                     "targetRef='r'/><messageFlow id='m2' name='y' "
                     "sourceRef='q' targetRef='t'/>";
  std::string right = "<receiveTask id='r'/><sendTask id='q'/>";
  Parsed service = readPools(both, "<serviceTask id='t'/>", right);
  EXPECT_EQ(service.codes(), "");
  EXPECT_NE(graph(service.module).find("send@t -> receive@t"),
            std::string::npos);
  Parsed user = readPools(both, "<userTask id='t'/>", right);
  EXPECT_EQ(user.codes(), "");
  EXPECT_EQ(graph(user.module).find("receive@t -> send@t"), std::string::npos);
  EXPECT_EQ(graph(user.module).find("send@t -> receive@t"), std::string::npos);
  EXPECT_NE(graph(user.module).find("all-select@t -> send@t"),
            std::string::npos);
  EXPECT_NE(graph(user.module).find("all-select@t -> receive@t"),
            std::string::npos);
  Parsed receive = readPools(both, "<receiveTask id='t'/>", right);
  EXPECT_EQ(receive.codes(), "W0201");
  EXPECT_NE(graph(receive.module).find("receive@t -> send@t"),
            std::string::npos);
}

TEST(BpmnLowering, EventsAndTheirMessageFlows) {
  auto event = [](const std::string &element, const std::string &flows) {
    Parsed parsed = readPools(flows, element);
    return parsed.good
               ? nodeText(parsed.module, parsed.module.behaviours[0].nodes[0]) +
                     " " + parsed.codes()
               : parsed.codes();
  };
  std::string out = "<messageFlow id='m' sourceRef='e' targetRef='c'/>",
              in = "<messageFlow id='m' sourceRef='c' targetRef='e'/>";
  EXPECT_EQ(event("<startEvent id='e'/>", in), "initial/message@e ");
  EXPECT_EQ(event("<endEvent id='e'/>", out), "final/message@e ");
  EXPECT_EQ(event("<intermediateCatchEvent id='e'/>", out),
            "throw/message@e W0201");
  EXPECT_EQ(event("<endEvent id='e'/>", in), "final@e W0201");
  EXPECT_EQ(
      event("<startEvent id='e'><timerEventDefinition/></startEvent>", in),
      "initial/timer@e W0201 W0201");
  EXPECT_EQ(event("<subProcess id='e'><task id='t'/></subProcess>", in),
            "container@e W0201");
  EXPECT_EQ(event("<subProcess id='e'/>", in), "receive@e W0201");
  EXPECT_EQ(event("<callActivity id='e' calledElement='x'/>", in),
            "receive@e W0201");
  EXPECT_EQ(event("<exclusiveGateway id='e'/>", in), "simple-join@e W0201");
}

TEST(BpmnLowering, MessageNamesWithoutFlows) {
  auto message = [](const std::string &element) {
    Parsed parsed = readModel(
        "<message id='my' name='y'/><interface id='i'><operation id='op'>"
        "<inMessageRef>my</inMessageRef></operation></interface>"
        "<process id='P'>" +
        element + "</process>");
    return parsed.module.exchangeText(MessageId(0));
  };
  EXPECT_EQ(message("<sendTask id='t' messageRef='my'/>"), "P -> ? : y");
  EXPECT_EQ(message("<sendTask id='t' operationRef='op'/>"), "P -> ? : y");
  EXPECT_EQ(message("<receiveTask id='t' name='n'/>"), "? -> P : n");
  EXPECT_EQ(message("<endEvent id='t'><messageEventDefinition "
                    "messageRef='my'/></endEvent>"),
            "P -> ? : y");
}

TEST(BpmnLowering, PoolsAndLanes) {
  Parsed same = readModel(
      "<collaboration id='C'><participant id='a' name='Pool' processRef='P'/>"
      "<participant id='b' name='Pool' processRef='Q'/></collaboration>"
      "<process id='P'><task id='t'/></process>"
      "<process id='Q'><laneSet id='ls'><lane id='l' name='Sales'>"
      "<flowNodeRef>u</flowNodeRef></lane></laneSet><task id='u'/></process>");
  EXPECT_EQ(same.codes(), "W0207");
  EXPECT_EQ(same.module.participantName(ParticipantId(1)), "Pool (b)");
  const Behaviour &b = same.module.behaviours[1];
  ASSERT_EQ(b.attributes.size(), 1u);
  EXPECT_EQ(same.module.text(b.attributes[0].value), "Sales");
}

TEST(BpmnLowering, Selection) {
  std::string body = "<collaboration id='C1'><participant id='a' "
                     "processRef='P'/></collaboration><collaboration id='C2'>"
                     "<participant id='b' processRef='Q'/></collaboration>"
                     "<process id='P'><task id='t'/></process>"
                     "<process id='Q'><task id='u'/></process>"
                     "<choreography id='H'><startEvent id='s'/></choreography>";
  auto count = [&](const std::string &select) {
    FrontEndOptions options;
    options.select = select;
    return readModel(body, options).module.behaviours.size();
  };
  EXPECT_EQ(readModel(body).codes(), "W0205");
  EXPECT_EQ(readModel(body).module.behaviours.size(), 3u);
  EXPECT_EQ(count("C2"), 1u);
  EXPECT_EQ(count("P"), 1u);
  EXPECT_EQ(count("H"), 1u);
  FrontEndOptions wrong;
  wrong.select = "C3";
  EXPECT_EQ(readModel(body, wrong).codes(), "E0213");
}

TEST(BpmnLowering, StrictAndSummary) {
  std::string body = "<startEvent id='s'><timerEventDefinition/></startEvent>"
                     "<textAnnotation id='x'/><dataObject id='y'/>";
  Parsed parsed = readProcess(body);
  EXPECT_EQ(parsed.codes(), "W0201");
  EXPECT_EQ(parsed.diagnostics.back().text, "1 element abstracted, 2 ignored");
  FrontEndOptions strict;
  strict.strict = true;
  EXPECT_EQ(readProcess(body, strict).codes(), "E0211");
  EXPECT_EQ(readModel("").codes(), "E0212");
  EXPECT_EQ(readModel("<choreography id='C'><participant id='a'/>"
                      "</choreography>")
                .codes(),
            ""); // nothing is to be done
}
