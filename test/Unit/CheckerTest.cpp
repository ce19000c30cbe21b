//===- CheckerTest.cpp - The rules of cif-check
//-----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rules of docs/certificates.md, each with a proof that breaks it alone;
/// and random proofs, of which none may be accepted whose claim is not true by
/// the definitions.
///
//===----------------------------------------------------------------------===//

#include "CifCheck.h"
#include "LtsGenerator.h"
#include "NaiveRelations.h"
#include "cif/Equivalence/Compare.h"
#include "cif/LTS/Aut.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace cif;

/// AUT of an LTS that starts in 0, from `0 a 1, 1 tau 0`.
static std::string aut(unsigned states, StringRef steps) {
  SmallVector<StringRef> all;
  steps.split(all, ", ", -1, /*KeepEmpty=*/false);
  std::string text = "des (0," + std::to_string(all.size()) + "," +
                     std::to_string(states) + ")\n";
  for (StringRef step : all) {
    auto [from, rest] = step.split(' ');
    auto [label, to] = rest.split(' ');
    text += ("(" + from + ",\"" + label + "\"," + to + ")\n").str();
  }
  return text;
}

static std::string holds(StringRef relation, StringRef body) {
  return ("cif-certificate 1 relation " + relation + "\n" + body + "\nend\n")
      .str();
}

/// \p trace and \p formula, each line with its end.
static std::string differs(StringRef relation, StringRef side, StringRef trace,
                           StringRef formula) {
  return ("cif-witness 1 relation " + relation + " side " + side + " trace " +
          Twine(trace.count('\n')) + "\n" + trace + "formula " +
          Twine(formula.count('\n') - formula.count("\n\"")) + "\n" + formula +
          "end\n")
      .str();
}

static void accepts(const std::string &proof, const std::string &left,
                    const std::string &right) {
  std::string said;
  EXPECT_EQ(test::runCifCheck(proof, left, right, said), 0)
      << said << "\n"
      << proof << left << right;
}

static void refuses(StringRef why, const std::string &proof,
                    const std::string &left, const std::string &right) {
  std::string said;
  EXPECT_NE(test::runCifCheck(proof, left, right, said), 0)
      << proof << left << right;
  EXPECT_TRUE(StringRef(said).contains(why)) << said << "\n" << proof;
}

TEST(CheckerRules, Form) {
  std::string one = aut(1, "");
  std::string body = "left 1 0 right 1 0";
  accepts(holds("strong", body), one, one);
  refuses("unknown relation", holds("stronger", body), one, one);
  refuses("no certificate or witness", "cif-proof 1", one, one);
  refuses("expected '1'", "cif-certificate 2 relation strong", one, one);
  refuses("expected ''", holds("strong", body) + "more", one, one);
  refuses("expected 'end'", holds("strong", body + " 0"), one, one);
  refuses("differ in size", holds("strong", "left 2 0 0 right 1 0"), one, one);
  refuses("too large", holds("strong", "left 1 2 right 1 0"), one, one);
  refuses("expected 'left'", holds("strong", "right 1 0 left 1 0"), one, one);
}

TEST(CheckerRules, Bisimulation) {
  std::string a = aut(2, "0 a 1"), tauA = aut(3, "0 tau 1, 1 a 2");
  // Initial states in one class; the classes themselves are a bisimulation.
  accepts(holds("strong", "left 2 0 1 right 2 0 1"), a, a);
  refuses("initial states", holds("strong", "left 2 0 1 right 2 2 3"), a, a);
  // A class does what one of its states does.
  refuses("state 1 does not match", holds("strong", "left 2 0 0 right 2 0 0"),
          a, a);
  // A match leads to the class that the step leads to.
  std::string ab = aut(3, "0 a 1, 1 b 2");
  refuses("state 0 does not match", holds("strong", "left 2 0 1 right 3 0 2 1"),
          a, ab);
  // Silent steps: as such for strong, inside a class for branching, anywhere
  // for weak.
  std::string classes = "left 2 0 1 right 3 0 0 1";
  refuses("does not match", holds("strong", classes), a, tauA);
  accepts(holds("branching", classes), a, tauA);
  accepts(holds("weak", classes), a, tauA);
  // a and a silent way out to b; without the a that is left behind it is weakly
  // the same, and branching tells them apart.
  std::string left = aut(3, "0 a 1, 0 tau 2, 2 b 1"),
              right = aut(3, "0 a 1, 0 tau 2, 2 b 1, 0 b 1");
  classes = "left 3 0 1 2 right 3 0 1 2";
  accepts(holds("weak", classes), left, right);
  refuses("does not match", holds("branching", classes), left, right);
}

TEST(CheckerRules, Divergence) {
  std::string rest = aut(1, ""), loop = aut(1, "0 tau 0");
  accepts(holds("branching", "left 1 0 right 1 0"), rest, loop);
  refuses("divergence", holds("dp-branching", "left 1 0 right 1 0"), rest,
          loop);
  accepts(holds("dp-branching", "left 1 0 right 1 0"), loop, loop);
  // Silent steps that leave the class in the end are no divergence in it.
  std::string step = aut(2, "0 tau 1");
  accepts(holds("dp-branching", "left 1 0 right 2 0 0"), rest, step);
}

TEST(CheckerRules, Simulation) {
  std::string a = aut(2, "0 a 1"), aOrB = aut(2, "0 a 1, 0 b 1");
  std::string classes = "left 2 0 1 right 2 2 1";
  accepts(holds("weak-simulation", classes + " pairs 1 0 2"), a, aOrB);
  // The initial states are a pair, the right way round.
  refuses("initial states", holds("weak-simulation", classes + " pairs 0"), a,
          aOrB);
  refuses("initial states", holds("weak-simulation", classes + " pairs 1 2 0"),
          a, aOrB);
  // What a pair says is checked, and where a match leads to as well.
  refuses("does not match", holds("weak-simulation", classes + " pairs 1 0 2"),
          aOrB, a);
  refuses("does not match",
          holds("weak-simulation", "left 2 0 1 right 2 2 3 pairs 1 0 2"), a,
          aOrB);
  // States of one class simulate each other though no pair says so.
  refuses("does not match",
          holds("weak-simulation", "left 2 0 1 right 2 0 1 pairs 0"), a, aOrB);
  // The equivalence needs the other direction.
  std::string both = "weak-simulation-equivalence";
  refuses("expected 'back'", holds(both, classes + " pairs 1 0 2"), a, aOrB);
  refuses("initial states", holds(both, classes + " pairs 1 0 2 back 0"), a,
          aOrB);
  refuses("does not match", holds(both, classes + " pairs 1 0 2 back 1 2 0"), a,
          aOrB);
  accepts(holds(both, "left 2 0 1 right 2 2 1 pairs 1 0 2 back 1 2 0"), a, a);
}

TEST(CheckerRules, Cover) {
  std::string a = aut(2, "0 a 1"), aOrB = aut(2, "0 a 1, 0 b 1"),
              tauA = aut(3, "0 tau 1, 1 a 2");
  accepts(holds("trace-inclusion", "cover 2 0 1 0 1 1 1"), a, aOrB);
  // The initial state is covered by where the right is at the start.
  refuses("state 0 is not covered", holds("trace-inclusion", "cover 1 1 1 1"),
          a, aOrB);
  refuses("state 0 is not covered",
          holds("trace-inclusion", "cover 2 0 1 1 1 1 1"), a, aOrB);
  accepts(holds("weak-trace-inclusion", "cover 2 0 1 1 1 1 2"), a, tauA);
  // A step leads to a state that is covered by where the right then is.
  refuses("state 1 is not covered", holds("trace-inclusion", "cover 1 0 1 0"),
          a, aOrB);
  refuses("state 1 is not covered",
          holds("trace-inclusion", "cover 2 0 1 0 1 1 0"), a, aOrB);
  refuses("state 1 is not covered",
          holds("trace-inclusion", "cover 2 0 1 0 1 1 1"), aOrB, a);
  // Tau is a label like others where the relation is not weak.
  refuses("state 1 is not covered",
          holds("trace-inclusion", "cover 3 0 1 0 1 1 0 2 1 1"), tauA, a);
  accepts(holds("weak-trace-inclusion", "cover 3 0 1 0 1 1 0 2 1 1"), tauA, a);
  // A set with nothing in it covers nothing.
  refuses("empty set", holds("trace-inclusion", "cover 2 0 1 0 1 0"), aOrB, a);
  // The equivalences need the other direction.
  refuses("expected 'back'", holds("trace", "cover 2 0 1 0 1 1 1"), a, aOrB);
  refuses("state 3 is not covered", // the right's 1
          holds("trace", "cover 2 0 1 0 1 1 1 back 2 0 1 0 1 1 1"), a, aOrB);
  accepts(holds("trace", "cover 2 0 1 0 1 1 1 back 2 0 1 0 1 1 1"), a, a);
}

TEST(CheckerRules, Offers) {
  std::string rest = aut(1, ""), loop = aut(1, "0 tau 0"), a = aut(2, "0 a 1"),
              orRest = aut(3, "0 a 1, 0 tau 2");
  std::string body = "cover 2 0 1 0 1 1 1 back 3 0 1 0 1 1 1 2 1 0";
  accepts(holds("weak-trace", body), a, orRest);
  // Rest that the other never comes to: state 4 is the right's 2.
  refuses("an offer of state 4", holds("failures", body), a, orRest);
  refuses("an offer of state 0", holds("ready", body), a, orRest);
  // A state that can still silently move on is not at rest.
  std::string moves = aut(3, "0 a 1, 0 tau 2, 2 a 1");
  accepts(holds("ready", body), a, moves);
  // A silent loop is at rest.
  accepts(holds("ready", "cover 1 0 1 0 back 1 0 1 0"), rest, loop);
  // Less is offered: a failure is one with more refused, ready is not.
  std::string more = aut(3, "0 a 1, 0 b 1, 0 tau 2, 2 a 1"),
              most = aut(4, "0 a 1, 0 b 1, 0 tau 2, 2 a 1, 0 tau 3, 3 a 1, "
                            "3 b 1");
  body = "cover 3 0 1 0 1 1 1 2 1 2 back 4 0 1 0 1 1 1 2 1 2 3 1 0";
  accepts(holds("failures", body), more, most);
  refuses("an offer of state 6", holds("ready", body), more, most);
}

TEST(CheckerRules, WitnessSides) {
  std::string a = aut(2, "0 a 1"), rest = aut(1, "");
  std::string isTrue = "true 0\n";
  accepts(differs("trace", "left", "\"a\"\n", isTrue), a, rest);
  accepts(differs("trace", "right", "\"a\"\n", isTrue), rest, a);
  refuses("such a side", differs("trace", "top", "\"a\"\n", isTrue), a, rest);
  // The right of a preorder may do more.
  refuses("such a side", differs("trace-inclusion", "right", "\"a\"\n", isTrue),
          rest, a);
  refuses("such a side",
          differs("weak-simulation", "right", "", "true 0\nweak 1 0 \"a\"\n"),
          rest, a);
  // The one has it, the other not.
  refuses("distinguish the two", differs("trace", "left", "\"a\"\n", isTrue), a,
          a);
  refuses("distinguish the two", differs("trace", "left", "\"b\"\n", isTrue), a,
          rest);
  refuses("distinguish the two", differs("trace", "left", "", isTrue), a, rest);
  // A trace is for those that are about traces; there is a formula.
  refuses("a trace is no witness", differs("weak", "left", "\"a\"\n", isTrue),
          a, rest);
  refuses("no formula", differs("trace", "left", "\"a\"\n", ""), a, rest);
}

TEST(CheckerRules, WitnessAfterSilentSteps) {
  std::string rest = aut(1, ""), tau = aut(2, "0 tau 1"),
              tauB = aut(3, "0 tau 1, 1 b 2");
  // What the other comes to silently counts, before the first label too.
  for (const char *relation : {"failures", "ready"})
    for (const char *trace : {"", "\"tau\"\n"}) {
      refuses("distinguish the two",
              differs(relation, "left", trace, "offer 0 0\n"), rest, tau);
      refuses("distinguish the two",
              differs(relation, "right", trace, "offer 0 0\n"), tau, rest);
      accepts(differs(relation, "left", trace, "offer 0 0\n"), rest, tauB);
      accepts(differs("ready", "right", trace, "offer 0 1\n\"b\"\n"), rest,
              aut(2, "0 tau 0, 0 tau 1, 1 b 0"));
    }
  // After the last label as well.
  std::string one = aut(2, "0 a 1"), other = aut(3, "0 a 1, 1 tau 2");
  refuses("distinguish the two",
          differs("failures", "left", "\"a\"\n", "offer 0 0\n"), one, other);
  refuses("distinguish the two",
          differs("weak-trace", "left", "\"a\"\n", "true 0\n"), one,
          aut(3, "0 tau 1, 1 a 2"));
  accepts(differs("trace", "left", "\"a\"\n", "true 0\n"), one,
          aut(3, "0 tau 1, 1 a 2"));
  // Bisimulations compare the initial states themselves.
  accepts(differs("weak", "right", "",
                  "true 0\nweak 1 0 \"a\"\nnot 1 1\nweak 1 2 \"tau\"\n"),
          aut(2, "0 a 1"), aut(3, "0 a 1, 0 tau 2"));
  refuses("distinguish the two",
          differs("weak", "left", "", "true 0\nweak 1 0 \"a\"\n"),
          aut(2, "0 a 1"), aut(3, "0 a 1, 0 tau 2"));
}

/// Which operators may tell states apart for which relation.
TEST(CheckerRules, Operators) {
  static const char *const nodes[] = {"true 0\n",        "and 0\n",
                                      "may 1 0 \"a\"\n", "weak 1 0 \"a\"\n",
                                      "not 1 0\n",       "until 2 0 0 \"a\"\n",
                                      "diverge 1 0\n",   "offer 0 0\n"};
  static const std::pair<const char *, const char *> allowed[] = {
      {"strong", "tamn"},
      {"branching", "tawnu"},
      {"dp-branching", "tawnud"},
      {"weak", "tawn"},
      {"weak-simulation", "taw"},
      {"weak-simulation-equivalence", "taw"},
      {"trace", "t"},
      {"weak-trace", "t"},
      {"trace-inclusion", "t"},
      {"weak-trace-inclusion", "t"},
      {"ready", "to"},
      {"failures", "to"}};
  std::string one = aut(1, "");
  for (auto [relation, letters] : allowed)
    for (StringRef node : nodes)
      refuses(StringRef(letters).contains(node[0]) ? "distinguish the two"
                                                   : "is not so for this",
              differs(relation, "left", "", ("true 0\n" + node).str()), one,
              one);
  // Operands are earlier nodes, and as many as the operator has.
  refuses("too large", differs("strong", "left", "", "not 1 0\n"), one, one);
  refuses("is not so", differs("strong", "left", "", "true 0\nnot 2 0 0\n"),
          one, one);
  refuses("is not so", differs("strong", "left", "", "true 0\nnot 0\n"), one,
          one);
}

/// What each operator means: a formula, an LTS where its initial state has it,
/// and one where it has not.
TEST(CheckerRules, Formulas) {
  struct Case {
    const char *relation, *formula, *yes, *no;
  };
  static const Case cases[] = {
      {"strong", "may 1 0 \"a\"\n", "0 a 1", "0 tau 1, 1 a 2"},
      {"strong", "may 1 0 \"tau\"\n", "0 tau 1", "0 a 1"},
      {"strong", "may 1 0 \"a\"\nmay 1 1 \"b\"\n", "0 b 1, 1 a 2",
       "0 b 1, 0 a 2"},
      {"strong", "may 1 0 \"a\"\nmay 1 0 \"b\"\nand 2 1 2\n", "0 a 1, 0 b 1",
       "0 a 1"},
      {"strong", "may 1 0 \"a\"\nnot 1 1\n", "0 b 1", "0 a 1"},
      {"weak", "weak 1 0 \"a\"\n", "0 tau 1, 1 a 2", "0 b 1, 1 a 2"},
      {"weak", "weak 1 0 \"b\"\nweak 1 1 \"a\"\n", "0 a 1, 1 tau 2, 2 b 2",
       "0 a 1, 0 b 1"},
      {"weak", "weak 1 0 \"a\"\nnot 1 1\nweak 1 2 \"tau\"\n", "0 a 1, 0 tau 1",
       "0 a 0"},
      {"branching", "weak 1 0 \"a\"\nuntil 2 1 0 \"b\"\n",
       "0 a 1, 0 tau 2, 2 a 1, 2 b 1", "0 a 1, 0 tau 2, 2 b 1"},
      {"branching", "weak 1 0 \"a\"\nnot 1 1\nuntil 2 1 2 \"tau\"\n",
       "0 a 1, 0 tau 1", "0 a 0, 0 b 1"},
      // For tau its right side may hold already, where the left one does.
      {"branching", "weak 1 0 \"a\"\nuntil 2 1 1 \"tau\"\n", "0 a 1", "0 b 1"},
      {"dp-branching", "diverge 1 0\n", "0 tau 0", "0 tau 1"},
      {"dp-branching", "weak 1 0 \"a\"\ndiverge 1 1\n", "0 tau 0, 0 a 1",
       "0 a 1, 0 tau 2, 2 tau 2"},
  };
  for (const Case &one : cases) {
    std::string yes = aut(3, one.yes), no = aut(3, one.no);
    std::string formula = std::string("true 0\n") + one.formula;
    accepts(differs(one.relation, "left", "", formula), yes, no);
    accepts(differs(one.relation, "right", "", formula), no, yes);
    refuses("distinguish the two", differs(one.relation, "left", "", formula),
            no, yes);
  }
}

/// The checker reads labels on its own: two are equal to it when they are to
/// the engine.
TEST(CheckerRules, Labels) {
  std::mt19937 random(43);
  static const char *const pieces[] = {
      "a",   "b", "ab", "->",  "!", "?",    ":", " ", "\"", "\\",       "\\x61",
      "\\n", "1", "12", "tau", "i", "tick", "(", "x", "\t", "\xc3\xa9", "_"};
  auto piece = [&] { return pieces[random() % std::size(pieces)]; };
  auto name = [&]() -> std::string {
    switch (random() % 6) {
    case 0:
      return std::string("\"") + piece() + "\"";
    case 1:
      return "\"a b\"";
    case 2:
      return random() % 2 ? "\"\\x61\"" : "";
    default:
      return piece();
    }
  };
  auto blank = [&] { return random() % 3 ? "" : " "; };
  auto anyLabel = [&] {
    std::string text;
    if (random() % 4 == 0) {
      for (unsigned n = random() % 6; n; --n)
        text += piece();
      return text;
    }
    const char *mark[] = {"->", "!", "?"};
    text = name() + blank() + mark[random() % 3] + blank() + name();
    return text + blank() + ":" + blank() + name();
  };
  auto other = [&](std::string text) {
    if (random() % 8 == 0)
      return anyLabel();
    for (unsigned n = 1 + random() % 2; n; --n) {
      size_t at = random() % (text.size() + 1);
      if (random() % 2)
        text.insert(at, random() % 2 ? " " : piece());
      else if (at < text.size())
        text.erase(at, 1);
    }
    return text;
  };
  unsigned equal = 0;
  const unsigned rounds = 20000;
  for (unsigned round = 0; round < rounds; ++round) {
    std::string one = anyLabel(), two = other(one), said;
    // Relations for which tau is a label like others.
    bool expected = parseLabel(one) == parseLabel(two);
    auto lts = [](const std::string &label) {
      return "des (0,1,2)\n(0,\"" + label + "\",1)\n";
    };
    EXPECT_EQ(test::runCifCheck(holds("strong", "left 2 0 1 right 2 0 1"),
                                lts(one), lts(two), said) == 0,
              expected)
        << one << "\n"
        << two;
    EXPECT_EQ(test::runCifCheck(differs("strong", "left", "",
                                        "true 0\nmay 1 0 \"" + one + "\"\n"),
                                lts(one), lts(two), said) == 0,
              !expected)
        << one << "\n"
        << two;
    equal += expected;
  }
  EXPECT_GT(equal, rounds / 20);
}

//===----------------------------------------------------------------------===//
// Random proofs
//===----------------------------------------------------------------------===//

static std::string number(unsigned n) { return std::to_string(n) + " "; }

static std::string randomLabel(std::mt19937 &random) {
  static const char *const labels[] = {"\"tau\"", "\"a\"", "\"b\"", "\"c\""};
  return std::string(labels[std::min<unsigned>(random() % 12, 11) % 4]) + "\n";
}

static std::string randomWitness(std::mt19937 &random, Relation relation) {
  StringRef name = relationName(relation);
  bool traces = name.contains("trace") || name == "ready" || name == "failures";
  std::string text = "side ";
  text += random() % 3 ? "left\n" : "right\n";
  unsigned length = traces || random() % 16 == 0 ? random() % 4 : 0;
  text += "trace " + number(length) + "\n";
  for (unsigned i = 0; i < length; ++i)
    text += randomLabel(random);
  unsigned nodes = traces ? 1 + random() % 2 : 2 + random() % 4;
  text += "formula " + number(nodes) + "\n";
  for (unsigned i = 0; i < nodes; ++i) {
    auto operand = [&] { return number(i ? random() % i : 0); };
    unsigned kind = i == 0 ? 0 : traces ? 0 : 1 + random() % 7;
    // Most of the time an operator that the relation has.
    if (!traces && i && random() % 8)
      kind = name == "strong"             ? 1 + random() % 3
             : name.contains("branching") ? 2 + random() % 5
             : name == "weak"             ? 2 + random() % 3
                                          : 3 + random() % 2;
    if ((name == "ready" || name == "failures") && random() % 4)
      kind = 8;
    switch (kind) {
    case 0:
      text += "true 0\n";
      break;
    case 1:
      text += "may 1 " + operand() + randomLabel(random);
      break;
    case 2:
      text += "not 1 " + operand() + "\n";
      break;
    case 3:
      text += "and 2 " + operand() + operand() + "\n";
      break;
    case 4:
      text += "weak 1 " + operand() + randomLabel(random);
      break;
    case 5:
      text += "until 2 " + operand() + operand() + randomLabel(random);
      break;
    case 6:
      text += "diverge 1 " + operand() + "\n";
      break;
    default: {
      unsigned labels = random() % 3;
      text += "offer 0 " + number(labels) + "\n";
      for (unsigned k = 0; k < labels; ++k)
        text += randomLabel(random);
    }
    }
  }
  return text;
}

static std::string randomClasses(std::mt19937 &random, Relation relation,
                                 unsigned left, unsigned right) {
  std::string text;
  unsigned classes = 1 + random() % (left + right);
  for (auto [name, size] :
       {std::pair("left ", left), std::pair("right ", right)}) {
    text += name + number(size);
    for (unsigned i = 0; i < size; ++i)
      text += number(random() % classes);
    text += "\n";
  }
  StringRef name = relationName(relation);
  unsigned lists = !name.contains("simulation")   ? 0
                   : name.contains("equivalence") ? 2
                                                  : 1;
  for (unsigned list = 0; list < lists; ++list) {
    unsigned pairs = random() % 4;
    text += (list ? "back " : "pairs ") + number(pairs) + "\n";
    for (unsigned i = 0; i < pairs; ++i)
      text += number(random() % classes) + number(random() % classes) + "\n";
  }
  return text;
}

static std::string randomCovers(std::mt19937 &random, Relation relation,
                                unsigned left, unsigned right) {
  std::string text;
  for (unsigned list = 0; list < (isPreorder(relation) ? 1u : 2u); ++list) {
    unsigned states = list ? right : left, others = list ? left : right;
    std::vector<std::string> lines;
    for (unsigned s = 0; s < states; ++s)
      for (unsigned n = random() % 8 ? 1 + random() % 2 : 0; n; --n) {
        unsigned size = random() % 16 ? 1 + random() % others : 0;
        std::string line = number(s) + number(size);
        for (unsigned i = 0; i < size; ++i)
          line += number(random() % others);
        lines.push_back(line);
      }
    text += (list ? "back " : "cover ") + number(lines.size()) + "\n";
    for (const std::string &line : lines)
      text += line + "\n";
  }
  return text;
}

/// CIF_TEST_PROOFS: how many.
TEST(CheckerRandom, NothingFalseIsAccepted) {
  const char *wanted = std::getenv("CIF_TEST_PROOFS");
  const unsigned proofs = wanted ? std::atoi(wanted) : 60000;
  std::mt19937 random(47);
  std::map<std::pair<std::string, bool>, unsigned> accepted;
  for (unsigned i = 0; i < proofs; ++i) {
    Lts left = randomLts(random, 3);
    Lts right = random() % 2 ? mutated(left, random) : randomLts(random, 3);
    auto names = relationNames();
    StringRef name = names[random() % names.size()];
    Relation relation = *parseRelation(name);
    bool isWitness = random() % 2;
    bool traces =
        name.contains("trace") || name == "ready" || name == "failures";
    std::string proof = (isWitness ? "cif-witness 1\nrelation "
                                   : "cif-certificate 1\nrelation ") +
                        name.str() + "\n";
    proof += isWitness ? randomWitness(random, relation)
             : traces  ? randomCovers(random, relation, left.numStates(),
                                      right.numStates())
                       : randomClasses(random, relation, left.numStates(),
                                       right.numStates());
    proof += "end\n";
    std::string texts[2], said;
    for (unsigned side : {0, 1}) {
      llvm::raw_string_ostream os(texts[side]);
      writeAut(side ? right : left, os);
    }
    if (test::runCifCheck(proof, texts[0], texts[1], said) != 0)
      continue;
    ++accepted[{name.str(), isWitness}];
    ASSERT_EQ(naive::related(left, right, relation), !isWitness)
        << proof << texts[0] << texts[1];
  }
  for (StringRef name : relationNames())
    for (bool isWitness : {false, true})
      EXPECT_GT((accepted[{name.str(), isWitness}]), proofs / 4000)
          << name.str() << (isWitness ? " violated" : " holds");
}
