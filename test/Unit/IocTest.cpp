//===- IocTest.cpp - The IOC front end ------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextFrontEndTest.h"
#include <ctime>

using namespace cif;
using namespace cif::test;

namespace {

std::string graphOf(const std::string &term) {
  Read read(parseIoc, "choreography C { " + term + " }");
  EXPECT_EQ(read.diagnostics(), "");
  return read.ok ? graphText(read.module.behaviours[0]) : "";
}

std::string errorsOf(const std::string &text) {
  Read read(parseIoc, text);
  EXPECT_FALSE(read.ok);
  return read.diagnostics();
}

const char shipping[] = R"(
  choreography Shipping {
    c -> s : Request(x: int) ;
    ( [x < 5] => s -> c : FreeShip  +  [x >= 5] => s -> c : PayShip )
  }
  system Shop { // one block per role
    role c { s!Request(y: int) ; ( s?FreeShip + s?PayShip ) }
    role s { c?Request(z: int) ; ( [z < 5] => c!FreeShip + [z >= 5] => c!PayShip ) }
  })";

const char everything[] = R"(
  enum Colour { red, green }
  choreography "All of it" {
    a -> b : m(x: int, s: string) ;
    (( 1 + 0 || tau a ) [> b -> a : stop) ;
    while [x + 1 * 2 < 3 && !(x == 4) || true => false] { a -> b : n(x * -1) } ;
    loop { rec X { a -> b : o ; (X + 1) } } ;
    [x != 2] => /* comment */ a -> "b c" : p(c: Colour) ; [c == red] => 1
  }
  system S { role a { tau ; Op! ; Op2?(k: string) } role b { Op? ; a!z(1 + 2) } })";

} // namespace

TEST(Ioc, ReadsTheExampleOfTheDesign) {
  Read read(parseIoc, shipping);
  EXPECT_EQ(read.diagnostics(), "");
  ASSERT_TRUE(read.ok);
  const Module &m = read.module;
  ASSERT_EQ(m.behaviours.size(), 3u);
  EXPECT_EQ(graphText(m.behaviours[0]),
            "initial 1; interaction 2; event-choice 3? 4?; interaction 5; "
            "interaction 5; simple-join 6; final");
  EXPECT_EQ(graphText(m.behaviours[1]), "initial 1; send 2; event-choice 3 4; "
                                        "receive 5; receive 5; simple-join 6; "
                                        "final");
  EXPECT_EQ(m.participants.size(), 2u);
  ASSERT_EQ(m.messages.size(), 3u);
  EXPECT_EQ(m.exchangeText(MessageId(0)), "c -> s : Request");
  ASSERT_EQ(m.messages[0].fields.size(), 1u);
  EXPECT_EQ(m.text(m.messages[0].fields[0].name), "x");
  EXPECT_EQ(m.messages[0].fields[0].sort, intSort);
  const Node &request = m.behaviours[0].nodes[1];
  EXPECT_EQ(request.loc.line, 3u);
  EXPECT_EQ(request.loc.column, 5u);
  EXPECT_TRUE(request.flags & BindsArguments);
  EXPECT_EQ(m.participantName(m.behaviours[2].owner), "s");
}

TEST(Ioc, Shapes) {
  EXPECT_EQ(graphOf("1"), "initial 1; final");
  EXPECT_EQ(graphOf("0 ; tau a"), "initial 1; stuck 2; task 3; final");
  EXPECT_EQ(graphOf("a -> b : m || 1 || tau a"),
            "initial 1; all-select 2 4 3; interaction 4; task 4; all-join 5; "
            "final");
  EXPECT_EQ(graphOf("1 + a -> b : m"),
            "initial 1; event-choice 3 2; interaction 3; simple-join 4; final");
  EXPECT_EQ(graphOf("[true] => a -> b : m ; b -> a : n"),
            "initial 1; choice 2?; interaction 3; interaction 4; final");
  EXPECT_EQ(graphOf("while [true] { tau a }"),
            "initial 1; simple-join 2; choice 3? 4*; task 1; final");
  EXPECT_EQ(graphOf("loop { 1 }"),
            "initial 1; simple-join 2; event-choice 1 3; final");
  EXPECT_EQ(graphOf("rec X { tau a ; X }"),
            "initial 1; container 6; in1 initial 3; in1 task 4; in1 call@1 5; "
            "in1 final; final");
  EXPECT_EQ(graphOf("tau a [> tau b"),
            "initial 1; container 7; in1 initial 3; in1 task 4; in1 final; "
            "boundary@1 6; task 7; simple-join 8; final");
}

TEST(Ioc, Precedence) {
  auto same = [](const char *plain, const char *bracketed) {
    EXPECT_EQ(graphOf(plain), graphOf(bracketed)) << plain;
  };
  same("tau a ; tau b || tau c", "(tau a ; tau b) || tau c");
  same("tau a + tau b || tau c", "tau a + (tau b || tau c)");
  same("tau a [> tau b + tau c", "tau a [> (tau b + tau c)");
  same("tau a [> tau b [> tau c", "(tau a [> tau b) [> tau c");
  same("[true] => tau a ; tau b || tau c",
       "([true] => (tau a ; tau b)) || tau c");
  same("tau a ; [true] => tau b + tau c",
       "(tau a ; ([true] => tau b)) + tau c");
  same("((tau a))", "tau a");
}

TEST(Ioc, Expressions) {
  Read read(parseIoc, "choreography C { a -> b : m(x: int, p: bool) ; "
                      "[p => x - 1 - 2 * 3 < -x && p || !p == p] => 1 }");
  EXPECT_EQ(read.diagnostics(), "");
  ASSERT_TRUE(read.ok);
  const Module &m = read.module;
  std::vector<std::string> texts;
  for (const Expr &e : m.exprs) {
    static const char *const ops[] = {
        "#",  "bool", "str", "enum", "var", "opaque", "!", "-",
        "&&", "||",   "=>",  "+",    "-",   "*",      "/", "%",
        "==", "!=",   "<",   "<=",   ">",   ">="};
    std::string op = ops[static_cast<unsigned>(e.op)];
    if (e.op == ExprOp::IntLiteral)
      op = std::to_string(e.value);
    if (e.op == ExprOp::Variable)
      op = m.text(e.name).str();
    if (e.rhs)
      texts.push_back("(" + texts[e.lhs.index()] + op + texts[e.rhs.index()] +
                      ")");
    else
      texts.push_back(op + (e.lhs ? texts[e.lhs.index()] : ""));
  }
  EXPECT_EQ(texts.back(), "(p=>(((((x-1)-(2*3))<-x)&&p)||(!p==p)))");
  EXPECT_EQ(m.exprs.back().sort, boolSort);
}

TEST(Ioc, SelectsOneBlock) {
  FrontEndOptions options;
  options.select = "Shop";
  Read read(parseIoc, shipping, options);
  ASSERT_TRUE(read.ok);
  EXPECT_EQ(read.module.behaviours.size(), 2u);
  options.select = "Shipings";
  Read none(parseIoc, shipping, options);
  EXPECT_FALSE(none.ok);
  EXPECT_EQ(none.diagnostics(),
            "1:1 E0117 no choreography or system 'Shipings' in this file\n"
            "  0:0 did you mean 'Shipping'?\n");
}

TEST(Ioc, ScopesOfVariables) {
  auto use = [](const char *before) {
    return Read(parseIoc, std::string("choreography C { ") + before +
                              " ; [x == 1] => 1 }")
        .diagnostics();
  };
  EXPECT_EQ(use("a -> b : m(x: int)"), "");
  EXPECT_EQ(use("(a -> b : m(x: int) + a -> b : n(x: int))"), "");
  EXPECT_EQ(use("(a -> b : m(x: int) || a -> b : n)"), "");
  EXPECT_EQ(use("(tau a || (a -> b : m(x: int) ; [x > 0] => 1))"), "");
  EXPECT_NE(use("(a -> b : m(x: int) + 1)"), "");
  EXPECT_NE(use("loop { a -> b : m(x: int) }"), "");
  EXPECT_NE(use("(a -> b : m(x: int) [> a -> b : n)"), "");
  EXPECT_EQ(errorsOf("choreography C { a -> b : m(x: int) || [x == 1] => 1 }"),
            "1:41 E0109 there is no variable or literal 'x' in scope\n"
            "  1:29 declared here, but not on every path to its use\n");
}

TEST(Ioc, GuardedRecursion) {
  auto ok = [](const char *term) {
    return Read(parseIoc, std::string("choreography C { ") + term + " }").ok;
  };
  EXPECT_TRUE(ok("rec X { tau a ; X }"));
  EXPECT_TRUE(ok("rec X { (1 || tau a) ; X }"));
  EXPECT_TRUE(ok("rec X { tau a ; (X || X + 1) ; tau b }"));
  EXPECT_TRUE(ok("rec X { tau a ; rec Y { tau a ; (X + Y) } }"));
  EXPECT_FALSE(ok("rec X { X }"));
  EXPECT_FALSE(ok("rec X { (1 + tau a) ; X }"));
  EXPECT_FALSE(ok("rec X { loop { tau a } ; X }"));
  EXPECT_FALSE(ok("rec X { rec Y { X + tau a } }"));
  EXPECT_FALSE(ok("rec X { tau a ; rec Y { Y } }"));
  EXPECT_FALSE(ok("rec X { tau a } ; X"));
}

TEST(Ioc, SeveralErrorsInOneRun) {
  EXPECT_EQ(errorsOf("choreography C {\n"
                     "  a -> : m ;\n"
                     "  ( a -> b : n\n"
                     "}\n"
                     "choreografy D { 1 }\n"
                     "choreography E { a -> b : m(x: itn) }\n"
                     "choreography C { 1 ; }\n"),
            "2:8 E0101 expected the receiver, found ':'\n"
            "4:1 E0101 expected ')', found '}'\n"
            "  3:3 the parenthesis opened here\n"
            "5:1 E0101 expected 'choreography', 'system' or 'enum', found "
            "'choreografy'\n"
            "  5:1 did you mean 'choreography'?\n"
            "7:14 E0107 choreography 'C' is already defined\n"
            "  1:14 the first one is here\n"
            "7:22 E0101 expected an interaction, '1', '0', '(', '[', 'while', "
            "'loop', 'rec' or 'tau', found '}'\n"
            "  7:20 nothing follows this ';': remove it\n");
}

TEST(Ioc, ErrorsOfMeaning) {
  EXPECT_EQ(errorsOf("choreography C { a -> b : m(x: itn) ; a!m ; a -> a : m ; "
                     "Y ; a -> b : m }"),
            "1:32 E0108 unknown sort 'itn'; expected int, bool, string or an "
            "enumeration\n  0:0 did you mean 'int'?\n"
            "1:39 E0113 a send or a receive is not allowed in a choreography\n"
            "  0:0 write 'a -> b : message'\n"
            "1:45 E0114 participant 'a' cannot send 'm' to itself\n"
            "1:58 E0112 this call is not inside a 'rec Y'\n"
            "1:62 E0115 message 'm' has no fields here but 1 field before\n"
            "  1:18 it is first exchanged here\n");
  EXPECT_EQ(errorsOf("system S { role a { b!m(1, x: int) ; b?n(2) } "
                     "role b { a?m(u: int, v: bool) } }"),
            "1:28 E0119 a payload either declares variables or gives "
            "expressions, not both\n");
  EXPECT_EQ(errorsOf("choreography C { a -> b : m(x: int) ; [x] => "
                     "a -> b : m(true) ; [x == false + 1] => 1 }"),
            "1:40 E0110 expected a condition of sort bool, found int\n"
            "1:46 E0115 message 'm' has a field 1 of sort bool here but int "
            "before\n  1:18 it is first exchanged here\n"
            "1:71 E0110 expected an operand of sort int, found bool\n");
}

TEST(Ioc, ErrorsOfData) {
  EXPECT_EQ(errorsOf("system S { role a { b?m(1) ; b!n(99999999999999999999) } "
                     "role b { 1 } }"),
            "1:34 E0116 number 99999999999999999999 does not fit in 64 bits\n");
  Read least(parseIoc, "choreography C { a -> b : m(-9223372036854775808) ; "
                       "a -> b : m(1 - -9223372036854775808) }");
  EXPECT_TRUE(least.ok) << least.diagnostics();
  EXPECT_EQ(errorsOf("choreography C { a -> b : m(-(9223372036854775808)) ; "
                     "a -> b : m(0 - 9223372036854775808) }"),
            "1:31 E0116 number 9223372036854775808 does not fit in 64 bits\n"
            "1:70 E0116 number 9223372036854775808 does not fit in 64 bits\n");
  EXPECT_EQ(errorsOf("system S { role a { b?m(1) } role b { a!m(1) } }"),
            "1:25 E0118 a reception binds variables; found an expression\n"
            "  0:0 write a variable and its sort, 'x: int'\n");
  EXPECT_EQ(errorsOf("enum E { u } enum F { u } choreography C { 1 }"),
            "1:23 E0107 literal 'u' is already defined\n"
            "  1:10 the first one is here\n");
  EXPECT_EQ(errorsOf("choreography C { a -> b : m(x: int) ; "
                     "a -> b : n(x: bool) ; [y == 1] => 1 }"),
            "1:50 E0110 expected variable 'x' of sort int, found bool\n"
            "  1:29 the variable is declared here\n"
            "1:62 E0109 there is no variable or literal 'y' in scope\n"
            "  0:0 did you mean 'x'?\n");
  Read warned(parseIoc, "system S { role a { b!m ; b!n } }");
  EXPECT_TRUE(warned.ok);
  EXPECT_EQ(warned.diagnostics(), "1:21 W0120 system 'S' has no role 'b'\n");
}

TEST(Ioc, UnfinishedTexts) {
  EXPECT_EQ(errorsOf("choreography C { a -> b : \"m"),
            "1:27 E0102 unterminated quoted name: '\"' is missing\n"
            "1:29 E0101 expected '}', found the end of the file\n"
            "  1:16 the block opened here\n");
  EXPECT_EQ(errorsOf("/* choreography"),
            "1:1 E0102 unterminated comment: '*/' is missing\n");
  // Every beginning of a file is read or rejected, and nothing worse.
  StringRef whole = StringRef(everything).rtrim();
  for (size_t i = 0; i < whole.size(); ++i) {
    Read read(parseIoc, whole.take_front(i));
    EXPECT_EQ(read.ok, !read.engine.hasErrors()) << i;
  }
}

TEST(Ioc, EveryConstruct) {
  Read read(parseIoc, everything);
  EXPECT_EQ(read.diagnostics(), "");
  EXPECT_TRUE(read.ok);
  EXPECT_EQ(brokenRules(read.module), "");
}

TEST(Ioc, DeepNesting) {
  constexpr size_t depth = 100000;
  auto nested = [&](StringRef open, StringRef inner, StringRef close) {
    std::string text = "choreography C { ";
    for (size_t i = 0; i < depth; ++i)
      text += open;
    text += inner;
    for (size_t i = 0; i < depth; ++i)
      text += close;
    return text + " }";
  };
  EXPECT_TRUE(Read(parseIoc, nested("(", "1", ")")).ok);
  EXPECT_TRUE(Read(parseIoc, nested("(tau a + ", "1", ")")).ok);
  EXPECT_TRUE(Read(parseIoc,
                   nested("(", "a -> b : m(x: int)", " || a -> b : m(x: int))"))
                  .ok);
  EXPECT_TRUE(Read(parseIoc, nested("loop { ", "1", "}")).ok);
  EXPECT_TRUE(Read(parseIoc, nested("rec X { tau a ; ", "X", "}")).ok);
  EXPECT_TRUE(Read(parseIoc, nested("[true] => ", "1", "")).ok);
  EXPECT_TRUE(Read(parseIoc, nested("(1 [> ", "1", ")")).ok);
  EXPECT_TRUE(Read(parseIoc, "choreography C { [" + std::string(depth, '(') +
                                 "true" + std::string(depth, ')') + "] => 1 }")
                  .ok);
  EXPECT_FALSE(Read(parseIoc, nested("(", "1", "")).ok);
  EXPECT_FALSE(Read(parseIoc, nested("", "1", ")")).ok);
}

TEST(Ioc, LinearTime) {
  std::string text = "choreography C { a -> b : m0";
  constexpr unsigned size = 1000000;
  for (unsigned i = 1; i < size; ++i)
    text += " ; a -> b : m" + std::to_string(i % 1000);
  text += " }";
  std::clock_t start = std::clock();
  Read read(parseIoc, text);
  double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_TRUE(read.ok);
  EXPECT_EQ(read.module.behaviours[0].nodes.size(), size + 2);
  // Well under a second of CPU time; the margin is for sanitizers.
  EXPECT_LT(seconds, 30.0);
  RecordProperty("seconds", std::to_string(seconds));
}

TEST(Ioc, HostileNames) {
  Read read(parseIoc,
            "choreography \"\\x01\\n\\\"}\" { \"->\" -> \"while\" : "
            "\"1\" ; \xc3\xa4 -> \xe6\x97\xa5 : gr\xc3\xbc\xc3\x9f }");
  ASSERT_TRUE(read.ok) << read.diagnostics();
  EXPECT_EQ(read.module.text(read.module.behaviours[0].name), "\x01\n\"}");
  EXPECT_EQ(read.module.participants.size(), 4u);
  EXPECT_EQ(errorsOf("choreography C { a\xff -> \"\" : \"\\q\" ; $$$ }"),
            "1:18 E0105 a name must be UTF-8\n"
            "1:24 E0106 a name must not be empty\n"
            "1:29 E0104 bad escape in \"\\q\": expected one of \\\" \\\\ \\n "
            "\\t \\r \\xHH\n"
            "1:36 E0103 unexpected '$'\n"
            "1:40 E0101 expected an interaction, '1', '0', '(', '[', 'while', "
            "'loop', 'rec' or 'tau', found '}'\n");
}

TEST(Ioc, EscapesMustSpellCharacters) {
  EXPECT_EQ(errorsOf("choreography C { a -> b : \"\\xff\" }"),
            "1:27 E0105 a name must be UTF-8\n");
  EXPECT_TRUE(Read(parseIoc, "choreography C { a -> b : \"\\xc3\\xa4\" }").ok);
}

TEST(Ioc, Detection) {
  EXPECT_EQ(detectIoc("x", shipping), 95);
  EXPECT_EQ(detectIoc("x", "\xef\xbb\xbf/* c */ // d\n enum E { a }"), 95);
  EXPECT_EQ(detectIoc("x.ioc", ""), 10);
  EXPECT_EQ(detectIoc("x.ioc", "choreography {"), 60);
  EXPECT_EQ(detectIoc("x", "<definitions/>"), 0);
  EXPECT_EQ(detectIoc("x", "des (0, 1, 2)"), 0);
  EXPECT_EQ(detectIoc("x", "A: B!a;end"), 0);
  EXPECT_EQ(detectIoc("x", "choreographies of today"), 0);
}

TEST(Ioc, Mutants) {
  readMutants(parseIoc, {shipping, everything},
              {"{",  "}",  "(",  ")",  "[",   "]",       "[>",       "=>",
               "->", ":",  ";",  "||", "+",   "rec X {", "while [",  "loop {",
               "\"", "/*", "//", "1",  "x",   "tau",     "enum E {", "role r {",
               "-",  "!",  "?",  "\n", "\xff"},
              10000);
}
