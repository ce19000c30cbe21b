//===- BpmnHostileTest.cpp - Files that mean harm -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BpmnTesting.h"

using namespace cif;
using namespace cif::bpmntest;

static std::string repeat(const std::string &piece, size_t count) {
  std::string result;
  result.reserve(piece.size() * count);
  for (size_t i = 0; i < count; ++i)
    result += piece;
  return result;
}

TEST(BpmnHostile, NoDocumentTypeIsEverRead) {
  std::string laughs = "<!DOCTYPE d [<!ENTITY a0 'ha'>";
  for (int i = 1; i < 30; ++i)
    laughs += "<!ENTITY a" + std::to_string(i) + " '" +
              repeat("&a" + std::to_string(i - 1) + ";", 10) + "'>";
  EXPECT_EQ(read(laughs + "]>" + definitions("<process id='&a29;'/>")).codes(),
            "E0203");
  std::string quadratic =
      "<!DOCTYPE d [<!ENTITY a '" + repeat("x", 100000) + "'>]>";
  EXPECT_EQ(read(quadratic + definitions("<process id='P' name='" +
                                         repeat("&a;", 100000) + "'/>"))
                .codes(),
            "E0203");
  for (const char *target :
       {"file:///etc/passwd", "http://192.0.2.1/x", "/dev/zero"})
    EXPECT_EQ(read(std::string("<!DOCTYPE d [<!ENTITY x SYSTEM '") + target +
                   "'>]>" + definitions("<process id='P' name='&x;'/>"))
                  .codes(),
              "E0203");
  EXPECT_EQ(read("<!DOCTYPE d SYSTEM 'http://192.0.2.1/x.dtd'>" +
                 definitions("<process id='P'/>"))
                .codes(),
            "E0203");
  EXPECT_EQ(
      read("<!DOCTYPE d PUBLIC 'x' 'y'>" + definitions("<process id='P'/>"))
          .codes(),
      "E0203");
  EXPECT_EQ(read("<!DOCTYPE d []>" + definitions("<process id='P'/>")).codes(),
            "E0203");
  // One that declares nothing does no harm.
  EXPECT_EQ(read("<!DOCTYPE d >" + definitions("<process id='P'/>")).codes(),
            "");
  EXPECT_EQ(read("<!DOCTYPE d>" + definitions("<process id='P' name='&x;'/>"))
                .codes(),
            "E0203");
  Parsed entity = readModel("<process id='P' name='&nbsp;'/>");
  EXPECT_EQ(entity.codes(), "E0203");
  EXPECT_NE(entity.text().find("'nbsp'"), std::string::npos);
  EXPECT_TRUE(readProcess("<task id='t' name='a &amp; b &#38; c'/>").good);
}

TEST(BpmnHostile, NestingIsLimited) {
  Parsed deep = readModel(repeat("<process>", 1000000));
  EXPECT_EQ(deep.codes(), "E0210");
  EXPECT_EQ(readModel("<x:y xmlns:x='u'>" + repeat("<x:y>", 1000000)).codes(),
            "E0210");
  std::string open, close;
  for (int i = 0; i < 150; ++i) {
    open += "<subProcess id='s" + std::to_string(i) + "'>";
    close += "</subProcess>";
  }
  EXPECT_TRUE(readProcess(open + "<task id='t'/>" + close).good);
}

TEST(BpmnHostile, HugeAttributesAreLimited) {
  EXPECT_EQ(readModel("<process id='P' name='" + repeat("x", 100000000) + "'/>")
                .codes(),
            "E0201");
  std::string many = "<process id='P'", spaces = many;
  for (int i = 0; i < 200000; ++i) {
    many += " a" + std::to_string(i) + "=''";
    spaces += " xmlns:a" + std::to_string(i) + "='u'";
  }
  EXPECT_EQ(readModel(many + "/>").codes(), "E0210");
  EXPECT_EQ(readModel(spaces + "/>").codes(), "E0210");
  // Long tags that never end, with quotes that end in the next one.
  std::string open = "<a b='" + repeat("x", 50000);
  EXPECT_EQ(readModel(repeat(open, 999)).codes(), "E0201");
  // Namespaces that pile up, level by level.
  std::string level;
  for (int i = 0; i < 150; ++i) {
    level += "<process";
    for (int j = 0; j < 90; ++j)
      level += " xmlns:a" + std::to_string(i * 90 + j) + "='u'";
    level += ">";
  }
  EXPECT_EQ(readModel(level).codes(), "E0210");
}

TEST(BpmnHostile, EveryTruncationIsRejected) {
  std::string xml = "<?xml version='1.0' encoding='UTF-8'?>\n"
                    "<definitions xmlns='http://www.omg.org/spec/BPMN/"
                    "20100524/MODEL'><process id='P'>\n";
  int i = 0;
  for (; xml.size() < 20000; ++i) {
    std::string n = std::to_string(i), m = std::to_string(i + 1);
    xml += "<task id='t" + n + "' name='T\xc3\xa4sk &lt;" + n +
           "&gt;'/>\n<!-- c --><sequenceFlow id='f" + n + "' sourceRef='t" + n +
           "' targetRef='t" + m +
           "'><conditionExpression><![CDATA[${x > 1}]]></conditionExpression>"
           "</sequenceFlow>\n";
  }
  xml += "<task id='t" + std::to_string(i) + "'/>";
  std::string whole = xml + "</process></definitions>";
  ASSERT_TRUE(read(whole).good);
  for (size_t size = 0; size < whole.size(); ++size) {
    Parsed cut = read(whole.substr(0, size));
    ASSERT_FALSE(cut.good) << size;
    ASSERT_TRUE(cut.codes() == "E0201" || cut.codes() == "W0211 E0201" ||
                cut.codes() == "E0204") // a part of the root's name
        << size << ": " << cut.codes();
  }
}

TEST(BpmnHostile, WrongBytes) {
  std::string xml = definitions("<process id='P'><task id='t'/></process>");
  // Every byte set to a few others: an answer, whatever it is.
  for (size_t i = 0; i < xml.size(); ++i)
    for (char c : {'\0', '<', '&', '\xff', '\''}) {
      std::string changed = xml;
      changed[i] = c;
      (void)read(changed);
    }
  EXPECT_EQ(read("").codes(), "E0201");
  EXPECT_EQ(read(std::string(1000, '\0')).codes(), "E0201");
  EXPECT_EQ(read("\xff\xfe<").codes(), "E0202");
}

TEST(BpmnHostile, CallsNeitherLoopNorExplode) {
  Parsed loop = readModel("<process id='A'><callActivity id='c1' "
                          "calledElement='B'/></process>"
                          "<process id='B'><callActivity id='c2' "
                          "calledElement='A'/></process>");
  EXPECT_EQ(loop.codes(), "W0201");
  EXPECT_TRUE(loop.good);
  EXPECT_EQ(readModel("<process id='A'><callActivity id='c' "
                      "calledElement='A'/></process>")
                .codes(),
            "W0201");
  EXPECT_EQ(readModel("<choreography id='A'><callChoreography id='c' "
                      "calledChoreographyRef='A'/></choreography>")
                .codes(),
            "E0209");
  // Pools that share a process, with a message flow from each to each.
  std::string pools;
  for (int i = 0; i < 400; ++i)
    pools += "<participant id='p" + std::to_string(i) + "' processRef='P'/>";
  EXPECT_FALSE(readModel("<collaboration id='C'>" + pools +
                         "<messageFlow id='m' sourceRef='a' targetRef='b'/>"
                         "</collaboration><process id='P'><task id='a'/>"
                         "<task id='b'/></process>")
                   .good);
  std::string bomb;
  for (int i = 0; i < 40; ++i) {
    std::string next = std::to_string(i + 1);
    bomb += "<process id='p" + std::to_string(i) + "'><callActivity id='a" +
            next + "' calledElement='p" + next + "'/><callActivity id='b" +
            next + "' calledElement='p" + next + "'/></process>";
  }
  EXPECT_EQ(
      readModel(bomb + "<process id='p40'><task id='t'/></process>").codes(),
      "E0210");
  std::string chain;
  for (int i = 0; i < 20000; ++i)
    chain += "<process id='p" + std::to_string(i) + "'><callActivity id='a" +
             std::to_string(i) + "' calledElement='p" + std::to_string(i + 1) +
             "'/></process>";
  Parsed long_ =
      readModel(chain + "<process id='p20000'><task id='t'/></process>");
  EXPECT_TRUE(long_.good);
  ASSERT_EQ(long_.module.behaviours.size(), 1u);
}

TEST(BpmnHostile, IdsAndReferences) {
  Parsed twice = readProcess("<task id='t'/><task id='t'/>");
  EXPECT_EQ(twice.codes(), "E0208");
  EXPECT_EQ(twice.diagnostics[0].notes.size(), 1u);
  EXPECT_EQ(readProcess("<task id='t'/>" + flow("t nowhere")).codes(), "W0201");
  EXPECT_EQ(readProcess("<task id='t'/>" + flow("t P")).codes(), "W0201");
  EXPECT_EQ(readProcess("<task id='t'/><sequenceFlow sourceRef='t'/>").codes(),
            "W0201");
  EXPECT_EQ(readProcess("<boundaryEvent id='b' attachedToRef='x'>"
                        "<timerEventDefinition/></boundaryEvent>")
                .codes(),
            "W0201 E0206");
  EXPECT_EQ(readProcess("<boundaryEvent id='b'><timerEventDefinition/>"
                        "</boundaryEvent>")
                .codes(),
            "W0201 E0207");
  // A node of another process is not one of this.
  EXPECT_EQ(readModel("<process id='A'><task id='a'/></process>"
                      "<process id='B'><task id='b'/>" +
                      flow("a b") + "</process>")
                .codes(),
            "W0201");
}

TEST(BpmnHostile, SelfLoops) {
  // A task before itself never starts; beside a start it is legal.
  EXPECT_EQ(readProcess("<task id='t'/>" + flow("t t")).codes(), "W0201");
  EXPECT_TRUE(
      readProcess("<startEvent id='s'/><task id='t'/>" + flow("s t", "t t"))
          .good);
  EXPECT_EQ(readModel("<collaboration id='c'><participant id='p' name='p'/>"
                      "<messageFlow id='m' sourceRef='p' targetRef='p'/>"
                      "</collaboration>")
                .codes(),
            "W0201");
}

TEST(BpmnHostile, ManyErrorsStop) {
  std::string flows;
  for (int i = 0; i < 1000; ++i)
    flows += "<sequenceFlow id='f" + std::to_string(i) +
             "' sourceRef='t' targetRef='s'/>";
  EXPECT_EQ(readProcess("<startEvent id='s'/><task id='t'/>" + flows)
                .diagnostics.size(),
            20u);
}

TEST(BpmnHostile, StartEventsDoNotMultiplyWithoutEnd) {
  // Each level has two copies of the next.
  std::string open, close;
  for (int i = 0; i < 60; ++i) {
    std::string n = std::to_string(i);
    open += "<subProcess id='p" + n + "' triggeredByEvent='true'>";
    for (const char *s : {"a", "b"})
      open += "<startEvent id='" + (s + n) +
              "'><messageEventDefinition/>"
              "</startEvent>";
    close += "</subProcess>";
  }
  Parsed parsed = readProcess(open + close);
  EXPECT_FALSE(parsed.good);
  EXPECT_EQ(diagInfo(parsed.diagnostics.back().kind).code, StringRef("E0210"));
}
