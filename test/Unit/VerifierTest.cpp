//===- VerifierTest.cpp - Each rule has its code --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For each rule a module that breaks it and nothing else: as text where the
/// text form can say it, else made by hand.
///
//===----------------------------------------------------------------------===//

#include "cif/IR/Verifier.h"
#include "cif/IR/Text.h"
#include "cif/Serialization/Binary.h"
#include <gtest/gtest.h>

using namespace cif;

namespace {

using Codes = std::vector<std::string>;

struct Checked {
  SourceManager sources;
  DiagnosticCollector found;
  DiagnosticEngine diags{sources, found};
  Module module;

  Codes codes() const {
    Codes result;
    for (const Diagnostic &d : found.all)
      result.push_back(diagInfo(d.kind).code);
    return result;
  }
  bool parse(const Twine &text) {
    SourceBuffer source(
        "x.cift", llvm::MemoryBuffer::getMemBufferCopy(text.str(), "x.cift"));
    return parseText(source, module, diags);
  }
};

const char prelude[] = "cif 1.2\n"
                       "participant a\n"
                       "participant b\n"
                       "message a -> b : m (x: int)\n"
                       "message b -> a : r\n";

/// The codes of a text after the prelude.
Codes codesOf(const Twine &text) {
  Checked checked;
  bool ok = checked.parse(prelude + text);
  EXPECT_EQ(ok, checked.found.all.empty());
  for (const Diagnostic &d : checked.found.all)
    EXPECT_EQ(d.place.file, "x.cift") << d.text;
  return checked.codes();
}
Codes inChoreography(const Twine &lines) {
  return codesOf("choreography C {\n" + lines + "}\n");
}
Codes inProcess(const Twine &lines) {
  return codesOf("process P : a {\n" + lines + "}\n");
}

/// The codes of a good module that \p spoil has changed.
template <class Spoil>
Codes spoiled(Spoil spoil) {
  Checked checked;
  EXPECT_TRUE(checked.parse(Twine(prelude) + "choreography C {\n"
                                             "n0 initial\n"
                                             "n1 interaction a -> b : m(3)\n"
                                             "n2 choice\n"
                                             "n3 final\n"
                                             "n0 -> n1\n"
                                             "n1 -> n2\n"
                                             "n2 -> n3 [x + 1 == 2]\n"
                                             "}\n"
                                             "system plain S {\n"
                                             "0: a!b:m -> 0\n"
                                             "}\n"));
  spoil(checked.module);
  EXPECT_FALSE(verify(checked.module, checked.diags));
  return checked.codes();
}

} // namespace

TEST(Verifier, Indexes) {
  EXPECT_EQ(spoiled([](Module &m) {
              m.behaviours[0].nodes[1].message = MessageId(7);
            }),
            Codes{"E0301"});
  EXPECT_EQ(spoiled([](Module &m) { m.messages[0].name = Name(1000); }),
            Codes{"E0301"});
  EXPECT_EQ(spoiled([](Module &m) { m.messages[0].fields[0].sort.value = 9; }),
            Codes{"E0301"});
  EXPECT_EQ(
      spoiled([](Module &m) { m.behaviours[0].loc.source = SourceId(3); }),
      Codes{"E0301"});
  EXPECT_EQ(
      spoiled([](Module &m) { m.behaviours[0].nodes[0].kind = NodeKind(200); }),
      Codes{"E0301"});
  EXPECT_EQ(spoiled([](Module &m) { m.behaviours[0].flows[0].target = {}; }),
            Codes{"E0308"});
  EXPECT_EQ(spoiled([](Module &m) {
              m.behaviours[0].nodes[1].numArguments = 0xffffffff;
            }),
            Codes{"E0309"});
}

TEST(Verifier, Names) {
  EXPECT_EQ(codesOf("participant \"\\xff\"\n"), Codes{"E0302"});
  EXPECT_EQ(codesOf("participant a\n"), Codes{"E0303"});
  EXPECT_EQ(codesOf("message a -> b : m\n"), Codes{"E0304"});
  EXPECT_EQ(codesOf("enum E (u)\nenum E (v)\n"), Codes{"E0305"});
  EXPECT_EQ(codesOf("enum E (u, u)\n"), Codes{"E0305"});
  EXPECT_EQ(codesOf("message ? -> ? : n\n"), Codes{"E0306"});
  EXPECT_EQ(codesOf("participant c times 3..2\n"), Codes{"E0307"});
  EXPECT_EQ(codesOf("participant c times 0..0\n"), Codes{"E0307"});
}

TEST(Verifier, Nodes) {
  EXPECT_EQ(inChoreography("n0 task\nn1 task in n0\n"), Codes{"E0310"});
  EXPECT_EQ(inChoreography("n0 container in n1\nn1 container in n0\n"),
            Codes{"E0311"});
  EXPECT_EQ(inChoreography("n0 interaction\n"), Codes{"E0313"});
  EXPECT_EQ(inChoreography("n0 task a -> b : m\n"), Codes{"E0314"});
  EXPECT_EQ(inChoreography("n0 task reply b -> a : r\n"), Codes{"E0314"});
  EXPECT_EQ(inChoreography("n0 choice timer\n"), Codes{"E0314"});
  EXPECT_EQ(inChoreography("n0 catch race\n"), Codes{"E0314"});
  EXPECT_EQ(inChoreography("n0 task\nn1 task on n0\n"), Codes{"E0314"});
  EXPECT_EQ(inChoreography("n0 choice loop standard\n"), Codes{"E0314"});
  EXPECT_EQ(inChoreography("n0 task (1)\n"), Codes{"E0314"});
  EXPECT_EQ(spoiled([](Module &m) { m.behaviours[0].nodes[0].flags = 1 << 9; }),
            Codes{"E0315"});
  EXPECT_EQ(spoiled([](Module &m) { m.behaviours[0].flows[0].flags = 64; }),
            Codes{"E0315"});
  EXPECT_EQ(inProcess("n0 send b -> a : r\n"), Codes{"E0316"});
  EXPECT_EQ(inProcess("n0 receive a -> b : m\n"), Codes{"E0316"});
  EXPECT_EQ(codesOf("message a -> ? : q\nchoreography C {\n"
                    "n0 interaction a -> ? : q\n}\n"),
            Codes{"E0317"});
  EXPECT_EQ(inChoreography("n0 interaction a -> b : m reply a -> b : m\n"),
            Codes{"E0318"});
  EXPECT_EQ(inChoreography("n0 send a -> b : m\n"), Codes{"E0319"});
  EXPECT_EQ(inProcess("n0 interaction a -> b : m\n"), Codes{"E0319"});
  EXPECT_EQ(inChoreography("n0 boundary timer\n"), Codes{"E0320"});
  EXPECT_EQ(inChoreography("n0 choice\nn1 boundary timer on n0\n"),
            Codes{"E0320"});
  EXPECT_EQ(inChoreography("n0 container\nn1 task in n0\n"
                           "n2 boundary timer on n1\n"),
            Codes{"E0320"});
  EXPECT_EQ(inChoreography("n0 container\nn1 call on n0\n"), Codes{"E0321"});
  EXPECT_EQ(inChoreography("n0 container\nn1 container in n0\n"
                           "n2 call on n1 in n0\n"),
            Codes{"E0321"});
  EXPECT_EQ(inChoreography("n0 container\nn1 container in n0\n"
                           "n2 call on n0 in n1\n"),
            Codes{});
  EXPECT_EQ(inChoreography("n0 interaction a -> b : m(1) binds\n"),
            Codes{"E0325"});
  EXPECT_EQ(spoiled([](Module &m) {
              m.behaviours[0].attributes = {{NodeId(1), Name(), Name()},
                                            {NodeId(0), Name(), Name()}};
            }),
            Codes{"E0326"});
  EXPECT_EQ(codesOf("process P {\n}\n"), Codes{"E0327"});
  EXPECT_EQ(codesOf("choreography C : a {\n}\n"), Codes{"E0327"});
}

TEST(Verifier, Flows) {
  EXPECT_EQ(inChoreography("n0 container\nn1 task in n0\nn2 task\nn1 -> n2\n"),
            Codes{"E0312"});
  EXPECT_EQ(inChoreography("n0 choice\nn1 final\nn0 -> n1 default\n"
                           "n0 -> n1 default\n"),
            Codes{"E0322"});
  EXPECT_EQ(inChoreography("n0 choice\nn1 final\nn0 -> n1 [x] default\n"),
            Codes{"E0322"});
  EXPECT_EQ(inChoreography("n0 all-select\nn1 final\nn0 -> n1 default\n"
                           "n0 -> n1\n"),
            Codes{"E0322"});
  EXPECT_EQ(inChoreography("n0 initial\nn1 task\nn1 -> n0\n"), Codes{"E0323"});
  EXPECT_EQ(inChoreography("n0 task\nn1 boundary timer on n0\nn0 -> n1\n"),
            Codes{"E0323"});
  EXPECT_EQ(inChoreography("n0 final\nn1 task\nn0 -> n1\n"), Codes{"E0324"});
  EXPECT_EQ(inChoreography("n0 terminate\nn1 task\nn0 -> n1\n"),
            Codes{"E0324"});
  EXPECT_EQ(inChoreography("n0 choice\nn1 final\nn0 -> n1 [1]\n"),
            Codes{"E0333"});
}

TEST(Verifier, Expressions) {
  EXPECT_EQ(spoiled([](Module &m) { m.exprs.back().rhs = {}; }),
            Codes{"E0330"});
  EXPECT_EQ(spoiled([](Module &m) {
              m.exprs.back().lhs = ExprId(m.exprs.size() - 1);
            }),
            Codes{"E0330"});
  EXPECT_EQ(spoiled([](Module &m) { m.exprs.back().value = 1; }),
            Codes{"E0331"});
  EXPECT_EQ(codesOf("enum E (u)\nexpr $0 = E.v\n"), Codes{"E0331"});
  EXPECT_EQ(codesOf("expr $0 = 1 + true\n"), Codes{"E0332"});
  EXPECT_EQ(codesOf("expr $0 = 1 == 'one'\n"), Codes{"E0332"});
  EXPECT_EQ(codesOf("expr $0 = 1:bool\n"), Codes{"E0332"});
}

TEST(Verifier, Systems) {
  EXPECT_EQ(codesOf("system plain {\n0: tau -> 5\n}\n"), Codes{"E0340"});
  EXPECT_EQ(codesOf("system plain {\n}\n"), Codes{"E0340"});
  EXPECT_EQ(spoiled([](Module &m) {
              m.systems[0].lts.finals = std::vector<uint64_t>{2};
            }),
            Codes{"E0340"});
  EXPECT_EQ(spoiled([](Module &m) { m.systems[0].lts.labels[0].sender = "a"; }),
            Codes{"E0341"});
  EXPECT_EQ(codesOf("system peer P {\n0:\n}\n"), Codes{"E0342"});
  EXPECT_EQ(spoiled([](Module &m) {
              m.systems[0].transitionLines = std::vector<uint32_t>{1, 2};
            }),
            Codes{"E0343"});
  EXPECT_EQ(spoiled([](Module &m) {
              m.messageFlows.push_back({MessageId(0), {}, {}, NodeId(0)});
            }),
            Codes{"E0344"});
}

TEST(Verifier, Facts) {
  EXPECT_EQ(codesOf("fact p violated {\n}\n"), Codes{"E0350"});
  EXPECT_EQ(codesOf("fact p violated {\nwitness lasso loop 1\nstep s\n}\n"),
            Codes{"E0351"});
}

TEST(Verifier, AllViolationsAreReported) {
  EXPECT_EQ(inChoreography("n0 interaction\nn1 interaction\nn2 call\n"),
            (Codes{"E0313", "E0313", "E0321"}));
}

TEST(TextForm, Errors) {
  EXPECT_EQ(codesOf("participant\n"), Codes{"E0410"});
  EXPECT_EQ(codesOf("nonsense\n"), Codes{"E0410"});
  EXPECT_EQ(inChoreography("n0 choice\n"
                           "n0 -> n9\n"),
            Codes{"E0411"});
  EXPECT_EQ(inChoreography("n0 interaction a -> b : other\n"), Codes{"E0411"});
  EXPECT_EQ(inChoreography("n0 tusk\n"), Codes{"E0411"});
  EXPECT_EQ(inChoreography("n0 task\nn0 task\n"), Codes{"E0412"});
  EXPECT_EQ(codesOf("participant c times 1..4294967296\n"), Codes{"E0413"});
  EXPECT_EQ(codesOf("participant \"c\n"), Codes{"E0414"});
  EXPECT_EQ(codesOf("participant \"\\q\"\n"), Codes{"E0414"});
  EXPECT_EQ(codesOf("participant \xff\n"), Codes{"E0415"});
  EXPECT_EQ(inChoreography("n0 task in n0 in n0\n"), Codes{"E0416"});
  EXPECT_EQ(codesOf("system plain {\n1:\n}\n"), Codes{"E0417"});
  for (const char *version : {"cif 2.0\n", "cif 1.3\n", "cif 0.9\n"}) {
    Checked newer;
    EXPECT_FALSE(newer.parse(version));
    EXPECT_EQ(newer.codes(), Codes{"E0402"});
    EXPECT_TRUE(StringRef(newer.found.all[0].text).contains("1.0"));
  }
  Checked none;
  EXPECT_FALSE(none.parse(""));
  EXPECT_EQ(none.codes(), Codes{"E0410"});
}

TEST(TextForm, SeveralErrorsInOneRun) {
  EXPECT_EQ(inChoreography("n0 tusk\n"
                           "n1 task in nowhere\n"
                           "n2 task \"good\"\n"
                           "n2 -> \n"
                           "n2 -> n2 [1 +]\n"),
            (Codes{"E0411", "E0410", "E0410", "E0411"}));
}

TEST(TextForm, NodesMayHaveNames) {
  Checked checked;
  ASSERT_TRUE(checked.parse(Twine(prelude) +
                            "choreography C {\n"
                            "  start -> ask // before they are declared\n"
                            "  start initial\n"
                            "  ask interaction a -> b : m\n"
                            "}\n"));
  std::string text;
  llvm::raw_string_ostream os(text);
  printText(checked.module, os);
  EXPECT_EQ(text, Twine(prelude).str() + "\nchoreography C {\n"
                                         "  n0 initial\n"
                                         "  n1 interaction a -> b : m\n"
                                         "  n0 -> n1\n"
                                         "}\n");
}

TEST(TextForm, ExampleOfTheDocs) {
  const char example[] = R"(cif 1.2
source 0 "shop.ioc" ioc
participant c
participant s
message c -> s : Request (x: int) @0:2:3
message s -> c : FreeShip @0:3:17
message s -> c : PayShip @0:3:52

choreography Shipping @0:1:14 {
  n0 initial
  n1 interaction c -> s : Request(x:int) binds @0:2:3 {20}
  n2 choice by s
  n3 interaction s -> c : FreeShip "no charge" @0:3:17 #Task_1
    . lane = "Sales"
  n4 interaction s -> c : PayShip
  n5 simple-join
  n6 final
  n0 -> n1
  n1 -> n2
  n2 -> n3 [x:int < 5]
  n2 -> n4 default
  n3 -> n5
  n4 -> n5
  n5 -> n6
}

system peer Client : c {
  0: s!Request -> 1
  1: s?FreeShip -> 2
  1: s?PayShip -> 2
  2 final:
}
)";
  Checked checked;
  ASSERT_TRUE(checked.parse(example))
      << (checked.found.all.empty() ? "" : checked.found.all[0].text);
  std::string text;
  llvm::raw_string_ostream os(text);
  printText(checked.module, os);
  EXPECT_EQ(text, example);
}

TEST(TextForm, Precedence) {
  auto printedGuard = [](const Twine &guard) {
    Checked checked;
    EXPECT_TRUE(checked.parse("cif 1.0\nchoreography {\nn0 choice\nn1 final\n"
                              "n0 -> n1 [" +
                              guard + "]\n}\n"))
        << guard.str();
    std::string text;
    llvm::raw_string_ostream os(text);
    printText(checked.module, os);
    StringRef line = StringRef(text).split('[').second;
    return line.rsplit(']').first.str();
  };
  for (const char *same :
       {"a && b || c", "a && (b || c)", "!(a => b) == c", "a => b => c",
        "a => (b => c)", "1 - 2 - 3 < -4", "1 - (2 - 3) < -(4)", "-x * -y == 1",
        "- 1 == 2", "--x < 1", "(x + 1):unknown == 'it\\x27s'",
        "\"true\" && true && \"1\"", "`x > 1`", "x:string == y:string",
        "a % b * c / d == e + f"})
    EXPECT_EQ(printedGuard(same),
              StringRef(same) == "- 1 == 2" ? "-(1) == 2" : same);
  EXPECT_EQ(printedGuard("((a))&&(  b)"), "a && b");
  EXPECT_EQ(printedGuard("a||b&&c"), "a || b && c");
}

TEST(BinaryForm, Errors) {
  auto codesOfBytes = [](StringRef bytes) {
    Checked checked;
    EXPECT_FALSE(
        readBinary(llvm::MemoryBuffer::getMemBufferCopy(bytes, "x.cif"),
                   checked.module, checked.diags));
    EXPECT_EQ(checked.found.all.at(0).place.file, "x.cif");
    return checked.codes();
  };
  auto bytesOf = [](const Module &module) {
    Checked unused;
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    EXPECT_TRUE(writeBinary(module, os, unused.diags));
    return bytes;
  };
  EXPECT_EQ(codesOfBytes(""), Codes{"E0401"});
  EXPECT_EQ(codesOfBytes("cif 1.0\n12345678"), Codes{"E0401"});
  EXPECT_EQ(codesOfBytes(StringRef("\x08\0\0\0CIF1", 8)), Codes{"E0403"});

  Checked good;
  ASSERT_TRUE(good.parse(prelude));
  good.module.messages[0].sender = ParticipantId(7);
  EXPECT_EQ(codesOfBytes(bytesOf(good.module)), Codes{"E0405"});
  good.module.messages[0].sender = {};
  good.module.messages[0].receiver = {};
  EXPECT_EQ(codesOfBytes(bytesOf(good.module)), Codes{"E0306"});

  // The version is the only number 1 of two bytes in an empty module's root.
  std::string newer = bytesOf(Module());
  uint32_t root = 0;
  memcpy(&root, newer.data(), 4);
  size_t at = newer.find('\1', root);
  ASSERT_NE(at, std::string::npos);
  newer[at] = 9;
  Checked checked;
  EXPECT_FALSE(readBinary(llvm::MemoryBuffer::getMemBufferCopy(newer, "x.cif"),
                          checked.module, checked.diags));
  EXPECT_EQ(checked.codes(), Codes{"E0402"});
  EXPECT_EQ(checked.found.all[0].text,
            "the module has version 9.2 of the binary form; this reader supports "
            "1.0 to 1.2");
}

TEST(Forms, AreToldApartByContent) {
  EXPECT_TRUE(looksText("cif 1.0\n"));
  EXPECT_TRUE(looksText("// RUN: x\n\n  cif\t2.7"));
  EXPECT_FALSE(looksText("cifx 1.0"));
  EXPECT_FALSE(looksText("choreography C {}"));
  EXPECT_FALSE(looksText(""));
  EXPECT_FALSE(looksBinary("CIF1"));
  EXPECT_TRUE(looksBinary(StringRef("\0\0\0\0CIF1", 8)));
}
