//===- CfsmTest.cpp - Other tools' communicating automata -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextFrontEndTest.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>

using namespace cif;
using namespace cif::test;

namespace {

const char fsa[] = R"(-- a comment
.outputs
.state graph
q0 1 ! req q1 -- asks
q1 1?ok q0
.marking q0
.end--
.outputs Server
.state graph
s 0 ? req t
t 0 ! ok s
.marking s
.end
)";

const char kmc[] = R"(-- a comment
C: rec x . S!req<int>; {S?ko;x, S?ok;end}
S:rec x.C?req<int>;{C!ko;x,C!ok;end})";

const char scm[] = R"(scm ab :
nb_channels = 2 ;
automaton s :
initial : 0
state 0 :
to 1 : when true , 0 ! o ;
state 1 :
to 0 : when true , 1 ? d ;
to 0 : when true ;
automaton r :
initial : 0
state 0 : to 1 : when true , 0 ? o ;
state 1 : to 0 : when true , 1 ! d ;
bad_states : (automaton s : in 0)
)";

std::string systemsOf(ParseFunction parse, StringRef text) {
  Read read(parse, text);
  EXPECT_EQ(read.diagnostics(), "");
  EXPECT_EQ(brokenRules(read.module), "");
  std::string result;
  for (const SystemDecl &s : read.module.systems)
    result += read.module.text(s.name).str() + " " + ltsText(s.lts) + "\n";
  return result;
}

} // namespace

TEST(Fsa, Machines) {
  EXPECT_EQ(systemsOf(parseFsa, fsa),
            "0 0: 0 0!Server:req 1, 1 0?Server:ok 0\n"
            "Server 0: 0 Server?0:req 1, 1 Server!0:ok 0\n");
  Read read(parseFsa, fsa);
  EXPECT_EQ(read.module.systems[0].transitionLines[1], 5u);
}

TEST(Fsa, Errors) {
  Read read(parseFsa, ".outputs A\n.state graph\nq0 1 : m q1\n.end\n"
                      ".outputs A\n.marking q0\nq0 0 ! m\n.end\n"
                      ".outputs\n.state graph\nq0 0 ! m q1\n.marking q0\n");
  EXPECT_FALSE(read.ok);
  EXPECT_EQ(read.diagnostics(),
            "3:6 E0101 expected '!', '?' or 'tau', found ':'\n"
            "1:1 E0122 machine 'A' has no initial state\n"
            "  0:0 write '.marking' and a state before '.end'\n"
            "5:10 E0107 machine 'A' is already defined\n"
            "  1:10 the first one is here\n"
            "6:1 E0101 expected '.state graph', found '.marking'\n"
            "8:1 E0101 expected the state after, found '.end'\n"
            "13:1 E0101 expected '.end', found the end of the file\n"
            "  9:1 the machine begins here\n");
  Read self(parseFsa, ".outputs\n.state graph\na 0 ! m b\n.marking a\n.end");
  EXPECT_EQ(self.diagnostics(),
            "3:1 W0126 machine '0' exchanges 'm' with itself\n");
  Read warned(parseFsa, ".outputs\n.state graph\na 7 ! m b\n.marking a\n.end");
  EXPECT_TRUE(warned.ok);
  EXPECT_EQ(warned.diagnostics(), "3:1 W0124 this file has no machine '7'\n");
}

TEST(Fsa, Detection) {
  EXPECT_EQ(detectFsa("x.txt", fsa), 95);
  EXPECT_EQ(detectFsa("x.txt", kmc), 0);
  EXPECT_EQ(detectFsa("x.txt", "<xml/>"), 0);
}

TEST(Fsa, Mutants) {
  readMutants(parseFsa, {fsa},
              {".outputs", ".state", ".marking", ".end", "q0", "!", "?", "--",
               "tau", "1", "99999999999999999999999", "\n", " "},
              10000);
}

TEST(Kmc, SessionTypes) {
  EXPECT_EQ(systemsOf(parseKmc, kmc),
            "C 0: 0 C!S:\"req<int>\" 1, 1 C?S:ko 0, 1 C?S:ok 2; final 2\n"
            "S 0: 0 S?C:\"req<int>\" 1, 1 S!C:ko 0, 1 S!C:ok 2; final 2\n");
  EXPECT_EQ(systemsOf(parseKmc, "A: end B: {end, A!m;rec x.A!n;x}"),
            "A 0: ; final 0\n"
            "B 0: 0 B!A:m 1, 1 B!A:n 1; final 0\n");
  // The recursion in a branch comes back without the other branches.
  EXPECT_EQ(systemsOf(parseKmc, "A: {rec x . B!m;x, B!n;end} B:end"),
            "A 0: 0 A!B:n 1, 0 A!B:m 2, 2 A!B:m 2; final 1\n"
            "B 0: ; final 0\n");
  // Names are those around them.
  EXPECT_EQ(systemsOf(parseKmc,
                      "A: rec x . B!a; rec x . {B!b; x, B!c; rec y . B!d; y} "
                      "B: end"),
            "A 0: 0 A!B:a 1, 1 A!B:b 1, 1 A!B:c 2, 2 A!B:d 2\n"
            "B 0: ; final 0\n");
}

TEST(Kmc, Errors) {
  Read read(parseKmc, "A: B!m end\nB: {A?m;end\nC: A!;end\nD: rec . end\n"
                      "E: rec x . {x, A!m;y}\nA: end");
  EXPECT_FALSE(read.ok);
  EXPECT_EQ(read.diagnostics(), "1:8 E0101 expected ';', found 'end'\n"
                                "3:1 E0101 expected ',' or '}', found 'C'\n"
                                "  2:4 the brace opened here\n"
                                "3:6 E0101 expected the message, found ';'\n"
                                "4:8 E0101 expected a variable, found '.'\n"
                                "5:20 E0112 this call is not inside a 'rec y'\n"
                                "  0:0 write an action as 'B!m;' or 'B?m;'\n"
                                "6:1 E0107 machine 'A' is already defined\n"
                                "  1:1 the first one is here\n");
  EXPECT_EQ(Read(parseKmc, "A: rec x . {x, B!m;end} B:end").diagnostics(),
            "1:14 E0111 unguarded recursion: 'A' may be called again before "
            "any step is taken\n");
  EXPECT_EQ(Read(parseKmc, "A: B!m;A?n;end").diagnostics(),
            "1:4 W0124 this file has no machine 'B'\n"
            "1:8 W0126 machine 'A' exchanges 'n' with itself\n");
}

TEST(Kmc, DeepNesting) {
  std::string text = "A: ";
  for (unsigned i = 0; i < 100000; ++i)
    text += "B!m;{";
  text += "end";
  text += std::string(100000, '}') + " B: end";
  Read read(parseKmc, text);
  ASSERT_TRUE(read.ok);
  EXPECT_EQ(read.module.systems[0].lts.numTransitions(), 100000u);
  // What expands without end is an error and no hang.
  std::string hostile = "A: ";
  for (unsigned i = 0; i < 10000; ++i)
    hostile += "rec x" + std::to_string(i) + " . {";
  hostile += "B!m;x0";
  for (unsigned i = 10000; i-- > 0;)
    hostile += ", B!m" + std::to_string(i) + "; x" + std::to_string(i) + "}";
  Read expanded(parseKmc, hostile + " B: end");
  EXPECT_FALSE(expanded.ok);
  EXPECT_EQ(expanded.diagnostics(), "1:1 E0125 machine 'A' expands to more "
                                    "than 4194304 transitions\n");
}

TEST(Kmc, Detection) {
  EXPECT_EQ(detectKmc("x.txt", kmc), 90);
  EXPECT_EQ(detectKmc("x.txt", "A: {B!m;end}"), 70);
  EXPECT_EQ(detectKmc("x.txt", fsa), 0);
  EXPECT_EQ(detectKmc("x.txt", "des (0,1,2)"), 0);
  EXPECT_EQ(detectKmc("x.txt", "name: value"), 0);
}

TEST(Kmc, Mutants) {
  readMutants(parseKmc, {kmc, "A: {rec x . B!m;x, B!n;end} B:end"},
              {"rec x .", "{", "}", ";", ",", "!", "?", ":", "end", "x", "A",
               "--", "<", ">", "\n"},
              10000);
}

TEST(Scm, AutomataOverChannels) {
  EXPECT_EQ(systemsOf(parseScm, scm), "s 0: 0 s!r:o 1, 1 s?r:d 0, 1 tau 0\n"
                                      "r 0: 0 r?s:o 1, 1 r!s:d 0\n");
  EXPECT_EQ(detectScm("x", scm), 90);
  EXPECT_EQ(detectScm("x", "automaton"), 0);
}

TEST(Scm, Errors) {
  auto errors = [](StringRef text) {
    return Read(parseScm, text).diagnostics();
  };
  EXPECT_EQ(
      errors("automaton a : state 0 : to 1 : when x > 1 , 0 ! m ;"
             " automaton a : initial : 0 state 0 : to 0 : when true , 0 m ; x"),
      "1:37 E0101 expected 'true', found 'x'\n"
      "1:11 E0122 machine 'a' has no initial state\n"
      "  0:0 write 'initial : 0' after its name\n"
      "1:63 E0107 machine 'a' is already defined\n"
      "  1:11 the first one is here\n"
      "1:110 E0101 expected '!' or '?', found 'm'\n");
  EXPECT_EQ(
      errors("automaton a : initial : 0 state 0 : to 0 : when true , 0 ! m ;"),
      "1:37 E0127 channel '0' must have one sender and one receiver of "
      "its own: it has 1 and 0\n");
  EXPECT_EQ(
      errors("automaton a : initial : 0 state 0 : to 0 : when true , 0 ! m ;\n"
             "to 0 : when true , 1 ! m ;\n"
             "automaton b : initial : 0 state 0 : to 0 : when true , 0 ? m ;"
             "to 0 : when true , 1 ? m ;"),
      "2:1 E0127 channel '1' must have one sender and one receiver of its own: "
      "another channel has the same two\n"
      "  1:37 the other channel is used here\n");
}

TEST(Scm, Mutants) {
  readMutants(parseScm, {scm},
              {"automaton", "initial", "state", "to", ":", ";", ",", "!", "?",
               "when", "true", "0", "1", "--", "\n"},
              10000);
}

TEST(FrontEnds, EachTextIsOfOneLanguage) {
  const char *texts[] = {"choreography C { 1 }",
                         "system S { role r { 1 } }",
                         "protocol P { }",
                         "peer p { }",
                         fsa,
                         kmc,
                         "des (0, 0, 1)",
                         "<?xml version=\"1.0\"?><a/>",
                         scm,
                         "A: {B!m;end}",
                         "enum E { a }"};
  for (const char *text : texts) {
    int sure = 0;
    for (const FrontEnd &f : builtinFrontEnds())
      sure += f.detect("file", text) >= 50;
    EXPECT_LE(sure, 1) << text;
  }
}

/// Reads every file of the folder that the environment names.
TEST(CfsmCorpus, EveryFileIsRead) {
  const char *folder = std::getenv("CIF_TEST_CFSM");
  if (!folder)
    GTEST_SKIP() << "CIF_TEST_CFSM names no folder";
  unsigned files = 0, fsaFiles = 0, kmcFiles = 0, scmFiles = 0, machines = 0;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error)) {
    if (!StringRef(it->path()).ends_with(".txt"))
      continue;
    ++files;
    auto buffer = llvm::MemoryBuffer::getFile(it->path());
    ASSERT_TRUE(static_cast<bool>(buffer)) << it->path();
    StringRef text = (*buffer)->getBuffer();
    // The bytes alone say what it is.
    const FrontEnd *best = nullptr;
    int sure = 0;
    for (const FrontEnd &f : builtinFrontEnds())
      if (int how = f.detect(it->path(), text); how > sure) {
        sure = how;
        best = &f;
      }
    ASSERT_TRUE(best) << it->path();
    Read read(best->parse, text);
    EXPECT_TRUE(read.ok) << it->path() << "\n" << read.diagnostics();
    EXPECT_EQ(brokenRules(read.module), "") << it->path();
    fsaFiles += StringRef(best->name) == "fsa";
    kmcFiles += StringRef(best->name) == "kmc";
    scmFiles += StringRef(best->name) == "scm";
    machines += read.module.systems.size();
  }
  llvm::outs() << files << " files: " << fsaFiles << " fsa, " << kmcFiles
               << " kmc, " << scmFiles << " scm, " << machines << " machines\n";
}
