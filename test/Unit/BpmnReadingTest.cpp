//===- BpmnReadingTest.cpp - Encodings, prefixes, places, conditions ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BpmnTesting.h"

using namespace cif;
using namespace cif::bpmntest;

namespace {

std::string nameOfFirstNode(const Parsed &parsed) {
  if (!parsed.good)
    return "rejected: " + parsed.codes();
  return parsed.module.text(parsed.module.behaviours[0].nodes[0].name).str();
}

std::string document(const std::string &declaration, const std::string &name) {
  return declaration + definitions("<process id='P'><task id='t' name='" +
                                   name + "'/></process>");
}

std::string utf16(const std::string &ascii, bool bigEndian, bool mark) {
  std::string result = !mark ? "" : bigEndian ? "\xfe\xff" : "\xff\xfe";
  for (char c : ascii)
    if (bigEndian)
      result += {'\0', c};
    else
      result += {c, '\0'};
  return result;
}

} // namespace

TEST(BpmnReading, Encodings) {
  auto declared = [](const std::string &encoding, const std::string &bytes) {
    return nameOfFirstNode(read(document(
        "<?xml version=\"1.0\" encoding=\"" + encoding + "\"?>", bytes)));
  };
  EXPECT_EQ(declared("UTF-8", "Gr\xc3\xbc\xc3\x9f"), "Gr\xc3\xbc\xc3\x9f");
  EXPECT_EQ(declared("ISO-8859-1", "Gr\xfc\xdf"), "Gr\xc3\xbc\xc3\x9f");
  EXPECT_EQ(declared("iso-8859-1", "Gr\xfc\xdf"), "Gr\xc3\xbc\xc3\x9f");
  EXPECT_EQ(declared("windows-1252", "\x80"), "\xe2\x82\xac");
  EXPECT_EQ(declared("GBK", "\xc4\xe3\xba\xc3"), "\xe4\xbd\xa0\xe5\xa5\xbd");
  EXPECT_EQ(declared("MacRoman", "\x8e"), "\xc3\xa9");
  // Saved as UTF-8 with a declaration that was true before.
  EXPECT_EQ(declared("UTF-16", "plain"), "plain");
  EXPECT_EQ(declared("no-such-encoding", "x"), "rejected: E0202");
  EXPECT_EQ(nameOfFirstNode(read("\xef\xbb\xbf" + document("", "mark"))),
            "mark");
  for (bool bigEndian : {false, true})
    for (bool mark : {false, true})
      EXPECT_EQ(nameOfFirstNode(read(utf16(
                    document("<?xml version='1.0' encoding='UTF-16'?>", "wide"),
                    bigEndian, mark))),
                "wide");
}

TEST(BpmnReading, WrongUtf8IsReadAsWindows1252) {
  Parsed parsed = read(document("<?xml version='1.0'?>", "Gr\xfc\xdf"));
  EXPECT_EQ(parsed.codes(), "W0211");
  EXPECT_EQ(nameOfFirstNode(parsed), "Gr\xc3\xbc\xc3\x9f");
}

TEST(BpmnReading, Namespaces) {
  std::string uri = "http://www.omg.org/spec/BPMN/20100524/MODEL";
  for (std::string prefix : {"bpmn", "bpmn2", "semantic", "ns0"}) {
    Parsed parsed = read("<" + prefix + ":definitions xmlns:" + prefix + "='" +
                         uri + "'><" + prefix + ":process id='P'><" + prefix +
                         ":task id='t' name='n'/></" + prefix + ":process></" +
                         prefix + ":definitions>");
    EXPECT_EQ(nameOfFirstNode(parsed), "n");
  }
  // Other namespaces are skipped with all that is in them.
  EXPECT_EQ(nameOfFirstNode(readProcess(
                "<extensionElements><x:a xmlns:x='u'><task id='t'/></x:a>"
                "</extensionElements><task id='t' name='n'/>")),
            "n");
  EXPECT_EQ(read("<html><body/></html>").codes(), "E0204");
  EXPECT_EQ(
      read("<definitions xmlns='http://schemas.xmlsoap.org/wsdl/'/>").codes(),
      "E0204");
  // A prefix that is not declared is the root's, or nobody's.
  EXPECT_EQ(read("<bpmn:definitions/>").codes(), "W0212 E0212");
  EXPECT_EQ(read("<x/>").codes(), "E0204");
  EXPECT_EQ(readProcess("<task id='t'/><teapot id='x'/>").codes(), "W0202");
}

TEST(BpmnReading, QualifiedReferences) {
  EXPECT_TRUE(readProcess("<task id='a'/><task id='b'/><sequenceFlow id='f' "
                          "sourceRef='tns:a' targetRef='#b'/>")
                  .good);
}

TEST(BpmnReading, PlacesAreStartsOfTags) {
  Parsed parsed = read("<?xml version='1.0'?>\n" +
                       definitions("\n  <process id='P'>\n"
                                   "\t<task\n   id='t'\n\n   name='>'\n/>"
                                   "<task id='u'/>\n</process>"));
  ASSERT_TRUE(parsed.good);
  const Behaviour &b = parsed.module.behaviours[0];
  EXPECT_EQ(b.loc.line, 3u);
  EXPECT_EQ(b.loc.column, 3u);
  EXPECT_EQ(b.nodes[0].loc.line, 4u);
  EXPECT_EQ(b.nodes[0].loc.column, 2u);
  EXPECT_EQ(b.nodes[1].loc.line, 8u);
  EXPECT_EQ(b.nodes[1].loc.column, 3u);
  EXPECT_EQ(parsed.module.text(b.nodes[1].loc.element), "u");
}

TEST(BpmnReading, PlacesBeyondLine65535) {
  Parsed parsed = readProcess(std::string(70000, '\n') + "<task id='t'/>");
  EXPECT_EQ(parsed.module.behaviours[0].nodes[0].loc.line, 70001u);
}

TEST(BpmnReading, Detection) {
  std::string xml = definitions("");
  EXPECT_GE(detectBpmn("x", xml), 90);
  EXPECT_GE(detectBpmn("x", utf16(xml, false, true)), 90);
  EXPECT_EQ(detectBpmn("x.ioc", "choreography C { a -> b : m }"), 0);
  EXPECT_LT(detectBpmn("x.xml", "<html/>"), 50);
}

TEST(BpmnReading, Conditions) {
  auto condition = [](const std::string &text) -> std::string {
    Parsed parsed = readProcess(
        "<startEvent id='s'/><exclusiveGateway id='g'/>"
        "<task id='a'/><task id='b'/>"
        "<sequenceFlow id='x' sourceRef='g' targetRef='a'>"
        "<conditionExpression><![CDATA[" +
        text + "]]></conditionExpression></sequenceFlow>" + flow("s g", "g b"));
    if (!parsed.good)
      return parsed.codes();
    const Module &m = parsed.module;
    auto print = [&](auto self, ExprId id) -> std::string {
      const Expr &e = m.expr(id);
      static const char *const ops[] = {
          "",  "",  "",  "",  "",  "",   "!",  "-", "&&", "||", "=>",
          "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">",  ">="};
      switch (e.op) {
      case ExprOp::IntLiteral:
        return std::to_string(e.value);
      case ExprOp::BoolLiteral:
        return e.value ? "true" : "false";
      case ExprOp::StringLiteral:
        return "'" + m.text(e.name).str() + "'";
      case ExprOp::Variable:
        return m.text(e.name).str();
      case ExprOp::Opaque:
        return "opaque " + m.text(e.name).str();
      default:
        std::string op = ops[static_cast<unsigned>(e.op)];
        return e.rhs ? "(" + self(self, e.lhs) + " " + op + " " +
                           self(self, e.rhs) + ")"
                     : op + self(self, e.lhs);
      }
    };
    for (const Flow &f : m.behaviours[0].flows)
      if (f.guard)
        return print(print, f.guard);
    return "none";
  };
  EXPECT_EQ(condition("${x == 1}"), "(x == 1)");
  EXPECT_EQ(condition("x >= 5"), "(x >= 5)");
  EXPECT_EQ(condition("approved"), "approved");
  EXPECT_EQ(condition("not(approved)"), "!approved");
  EXPECT_EQ(condition("=x > 5"), "(x > 5)");
  EXPECT_EQ(condition("#{order.paid and !late}"), "(order.paid && !late)");
  EXPECT_EQ(condition("state = 'sold' or (x + 1 < -2 && y)"),
            "((state == 'sold') || (((x + 1) < -2) && y))");
  EXPECT_EQ(condition("a || b && c"), "(a || (b && c))");
  EXPECT_EQ(condition("!(a || b) && c"), "(!(a || b) && c)");
  EXPECT_EQ(condition("true"), "true");
  // Anything else is kept, not guessed at.
  for (std::string text :
       {"Order is complete", "f(x)", "x ==", "(x", "x)", "${a}${b}",
        "x == 99999999999999999999", "1 + 2", "'a'", "x < 'a'", "a b", "-"})
    EXPECT_EQ(condition(text), "opaque " + text);
  EXPECT_EQ(condition(""), "none");
  EXPECT_EQ(condition(std::string(100000, '(') + "x").substr(0, 6), "opaque");
}
