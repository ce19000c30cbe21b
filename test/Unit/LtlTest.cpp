//===- LtlTest.cpp - Temporal properties over exchanges -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Verdicts on random LTSs and formulas against the definition: all short runs
/// are written out as words and the formula is evaluated on each by its
/// meaning. A verdict "violated" must come with a run that breaks the formula,
/// by the same evaluation; with "holds" no short run may break it.
///
//===----------------------------------------------------------------------===//

#include "cif/Temporal/Ltl.h"
#include "cif/LTS/LtsBuilder.h"
#include "gtest/gtest.h"
#include <map>
#include <memory>
#include <random>
#include <set>

using namespace cif;

namespace {
/// A word: positions are names of labels, or of how the run ended.
struct Periodic {
  std::vector<std::string> stem, cycle;
  const std::string &at(size_t i) const {
    return i < stem.size() ? stem[i] : cycle[(i - stem.size()) % cycle.size()];
  }
  size_t period() const { return stem.size() + cycle.size(); }
};

/// A formula as its own text says, evaluated by its meaning.
struct Plain {
  char op; // a: atom, ! & | > X F G U W R
  std::string atom;
  std::shared_ptr<Plain> lhs, rhs;

  bool holds(const Periodic &word, size_t i) const {
    // From a position in the cycle one round shows all there is.
    if (i >= word.period())
      i = word.stem.size() + (i - word.stem.size()) % word.cycle.size();
    size_t horizon = std::max(i, word.stem.size()) + word.cycle.size();
    auto left = [&](size_t j) { return lhs->holds(word, j); };
    auto right = [&](size_t j) { return rhs->holds(word, j); };
    auto until = [&] {
      for (size_t j = i; j < horizon; ++j) {
        if (right(j))
          return true;
        if (!left(j))
          return false;
      }
      return false;
    };
    switch (op) {
    case 'a':
      return word.at(i) == atom ||
             (atom == "end" && (word.at(i) == "done" || word.at(i) == "stuck"));
    case '!':
      return !left(i);
    case '&':
      return left(i) && right(i);
    case '|':
      return left(i) || right(i);
    case '>':
      return !left(i) || right(i);
    case 'X':
      return left(i + 1);
    case 'F':
      for (size_t j = i; j < horizon; ++j)
        if (left(j))
          return true;
      return false;
    case 'G':
      for (size_t j = i; j < horizon; ++j)
        if (!left(j))
          return false;
      return true;
    case 'U':
      return until();
    case 'W': {
      bool always = true;
      for (size_t j = i; j < horizon; ++j)
        always &= left(j);
      return always || until();
    }
    default: // R: the right side holds up to where the left one does, too
      for (size_t j = i; j < horizon; ++j) {
        if (!right(j))
          return false;
        if (left(j))
          return true;
      }
      return true;
    }
  }
  std::string text() const {
    switch (op) {
    case 'a':
      return atom;
    case '!':
    case 'X':
    case 'F':
    case 'G':
      return std::string(1, op) + " (" + lhs->text() + ")";
    default:
      return "(" + lhs->text() + ") " +
             (op == '&'   ? "&&"
              : op == '|' ? "||"
              : op == '>' ? "->"
                          : std::string(1, op)) +
             " (" + rhs->text() + ")";
    }
  }
};

class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  int below(int n) { return std::uniform_int_distribution<>(0, n - 1)(engine); }

  std::shared_ptr<Plain> formula(int depth) {
    static const char *const atoms[] = {"a",   "b",    "a",    "b",
                                        "end", "done", "stuck"};
    auto made = std::make_shared<Plain>();
    made->op = depth ? "aX!FG&|>UWR&U"[below(13)] : 'a';
    if (made->op == 'a')
      made->atom = atoms[below(7)];
    else
      made->lhs = formula(depth - 1);
    if (StringRef("&|>UWR").contains(made->op))
      made->rhs = formula(depth - 1);
    return made;
  }
  Lts lts() {
    LtsBuilder builder;
    LabelIndex labels[] = {
        tauLabel, builder.labels.intern(Label::plain("a")),
        builder.labels.intern({LabelKind::Exchange, "p", "q", "b"})};
    int states = 1 + below(4);
    for (int s = 0; s < states; ++s)
      for (int e = below(4); e > 0; --e)
        builder.add(s, labels[below(3)], below(states));
    Lts lts = std::move(builder).finish(0, states);
    if (below(3))
      lts.finals = std::vector<uint64_t>{uint64_t(below(16))};
    return lts;
  }

private:
  std::mt19937 engine;
};

/// Runs of an LTS as words, by transitions.
class Runs {
public:
  explicit Runs(const Lts &of) : lts(of) {}

  Periodic wordOf(const ltl::Run &run) const {
    Periodic word;
    add(run.stem, word.stem);
    add(run.cycle, word.cycle);
    if (run.cycle.empty())
      word.cycle = {run.end == ltl::RunEnd::Done ? "done" : "stuck"};
    else if (word.cycle.empty())
      word.cycle = {"end"};
    return word;
  }
  /// Each label that a state of the cycle offers is on the cycle.
  bool isFair(const ltl::Run &run) const {
    std::set<LabelIndex> offered, taken;
    for (uint32_t e : run.cycle) {
      taken.insert(lts.label[e]);
      for (LabelIndex l : lts.labelsOf(lts.target[e]))
        offered.insert(l);
    }
    return offered == taken || run.cycle.empty();
  }
  /// All runs whose stem and cycle have at most so many transitions.
  template <class Visit>
  void forEach(size_t maxStem, size_t maxCycle, Visit visit) const {
    paths(lts.initial, maxStem, [&](StateIndex s, ArrayRef<uint32_t> stem) {
      ltl::Run run;
      run.stem.assign(stem.begin(), stem.end());
      if (lts.isFinal(s) || lts.targetsOf(s).empty()) {
        run.end = lts.isFinal(s) ? ltl::RunEnd::Done : ltl::RunEnd::Stuck;
        visit(run);
      }
      paths(s, maxCycle, [&](StateIndex t, ArrayRef<uint32_t> cycle) {
        if (cycle.empty() || t != s)
          return;
        run.cycle.assign(cycle.begin(), cycle.end());
        visit(run);
        run.cycle.clear();
      });
    });
  }

private:
  void add(ArrayRef<uint32_t> steps, std::vector<std::string> &word) const {
    for (uint32_t e : steps)
      if (lts.label[e] != tauLabel)
        word.push_back(lts.labels[lts.label[e]].message);
  }
  template <class Visit>
  void paths(StateIndex from, size_t most, Visit visit) const {
    std::vector<uint32_t> path;
    auto walk = [&](auto &self, StateIndex s) -> void {
      visit(s, path);
      if (path.size() == most)
        return;
      for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e) {
        path.push_back(e);
        self(self, lts.target[e]);
        path.pop_back();
      }
    };
    walk(walk, from);
  }
  const Lts &lts;
};

ltl::Property parsed(const std::string &text) {
  ltl::SyntaxError error;
  std::optional<ltl::Property> property = ltl::parseProperty(text, error);
  EXPECT_TRUE(property) << text << ": expected " << error.expected << ", found "
                        << error.found;
  return property ? std::move(*property) : ltl::Property();
}

bool holds(const Lts &lts, const std::string &text) {
  ltl::Property property = parsed(text);
  ltl::CheckResult result = ltl::check(lts, property, {});
  EXPECT_TRUE(result.complete) << text;
  return !result.counterexample;
}
} // namespace

TEST(Ltl, VerdictsAreThoseOfTheDefinition) {
  unsigned violated = 0, fairDiffers = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    Lts lts = random.lts();
    std::shared_ptr<Plain> plain = random.formula(1 + seed % 4);
    ltl::Property property = parsed(plain->text());
    Runs runs(lts);
    std::vector<FairnessSet> sets;
    for (LabelIndex l = 0; l < lts.labels.size(); ++l)
      sets.push_back(fairLabel(lts, l, /*strong=*/true));
    bool brokenBefore = false;
    for (bool fair : {false, true}) {
      ltl::CheckOptions options;
      if (fair)
        options.fairness = sets;
      ltl::CheckResult result = ltl::check(lts, property, options);
      ASSERT_TRUE(result.complete);
      bool broken = result.counterexample.has_value();
      if (broken) {
        const ltl::Run &run = *result.counterexample;
        ASSERT_FALSE(plain->holds(runs.wordOf(run), 0))
            << seed << ": " << plain->text();
        ASSERT_TRUE(!fair || runs.isFair(run)) << seed;
      } else {
        runs.forEach(3, 3, [&](const ltl::Run &run) {
          if (!fair || runs.isFair(run)) {
            ASSERT_TRUE(plain->holds(runs.wordOf(run), 0))
                << seed << ": " << plain->text();
          }
        });
      }
      violated += !fair && broken;
      fairDiffers += fair && broken != brokenBefore;
      ASSERT_FALSE(fair && broken && !brokenBefore) << seed;
      brokenBefore = broken;
    }
  }
  // Neither side of the test is empty.
  EXPECT_GT(violated, 800u);
  EXPECT_LT(violated, 2600u);
  EXPECT_GT(fairDiffers, 100u);
}

TEST(Ltl, Laws) {
  unsigned decided = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    Random random(seed + 10000);
    Lts lts = random.lts();
    std::string f = "(" + random.formula(2)->text() + ")",
                g = "(" + random.formula(2)->text() + ")";
    // A run keeps a formula or its negation, and there is a run.
    bool keeps = holds(lts, f), breaks = holds(lts, "!" + f);
    ASSERT_FALSE(keeps && breaks) << seed << ": " << f;
    decided += keeps || breaks;
    const std::pair<std::string, std::string> equal[] = {
        {"F " + f, "true U " + f},
        {"G " + f, "!F !" + f},
        {f + " W " + g, "G " + f + " || " + f + " U " + g},
        {f + " R " + g, "!(!" + f + " U !" + g + ")"},
        {f + " U " + g, g + " || " + f + " && X (" + f + " U " + g + ")"},
        {"X " + f, "!X !" + f},
        {"G (" + f + " && " + g + ")", "G " + f + " && G " + g},
        {"F " + f, "F F " + f},
        {"G F G F " + f, "G F " + f}};
    for (const auto &[one, other] : equal)
      ASSERT_EQ(holds(lts, one), holds(lts, other))
          << seed << ": " << one << " and " << other;
    ASSERT_EQ(holds(lts, f + " && " + g), keeps && holds(lts, g));
  }
  EXPECT_GT(decided, 70u);
}

/// A property that is said to ignore what it does not name has the same value
/// whatever else stands between the exchanges that it names.
TEST(Ltl, IgnoresOthers) {
  unsigned ignoring = 0, notIgnoring = 0;
  for (unsigned seed = 1; seed <= 20000; ++seed) {
    Random random(seed);
    std::shared_ptr<Plain> formula = random.formula(1 + random.below(4));
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + formula->text());
    ltl::SyntaxError error;
    std::optional<ltl::Property> property =
        ltl::parseProperty(formula->text(), error);
    ASSERT_TRUE(property);
    const bool ignores = property->ignoresOthers();
    ++(ignores ? ignoring : notIgnoring);
    if (!ignores)
      continue;
    for (unsigned i = 0; i < 20; ++i) {
      Periodic word, padded;
      auto fill = [&](std::vector<std::string> Periodic::*part, int most) {
        for (int n = random.below(most + 1); n > 0; --n) {
          std::string letter = random.below(2) ? "a" : "b";
          (word.*part).push_back(letter);
          for (int others = random.below(3); others > 0; --others)
            (padded.*part).push_back("c");
          (padded.*part).push_back(letter);
          for (int others = random.below(2); others > 0; --others)
            (padded.*part).push_back("c");
        }
      };
      fill(&Periodic::stem, 3);
      fill(&Periodic::cycle, 3);
      // A word of finitely many exchanges ends, or goes on with others.
      if (word.cycle.empty()) {
        static const char *const ends[] = {"end", "done", "stuck"};
        word.cycle = {ends[random.below(3)]};
        padded.cycle = {random.below(2) ? "c" : ends[random.below(3)]};
      }
      ASSERT_EQ(formula->holds(word, 0), formula->holds(padded, 0));
    }
  }
  EXPECT_GT(ignoring, 400u);
  EXPECT_GT(notIgnoring, 400u);
  for (const char *text :
       {"never a", "a only after b", "every a is answered by b", "no a after b",
        "a exactly once", "a and b never both"}) {
    ltl::SyntaxError error;
    EXPECT_TRUE(ltl::parseProperty(text, error)->ignoresOthers()) << text;
  }
  for (const char *text : {"every a is followed at once by b", "X a", "a",
                           "G a", "a U b", "F end", "F (a && X b)"}) {
    ltl::SyntaxError error;
    EXPECT_FALSE(ltl::parseProperty(text, error)->ignoresOthers()) << text;
  }
}

TEST(Ltl, PatternsAreFormulas) {
  const std::pair<const char *, const char *> same[] = {
      {"never a", "G !a"},
      {"never a or b", "G !(a || b)"},
      {"eventually p->q:b or done", "F (p->q:b || done)"},
      {"a only after b", "!a W b"},
      {"a before b", "!b W a"},
      {"every a is answered by b or end", "G (a -> X F (b || end))"},
      {"every a is followed by a", "G (a -> X F a)"},
      {"every a is followed at once by b", "G (a -> X b)"},
      {"no a after b", "G (b -> X G !a)"},
      {"a at most once", "G (a -> X G !a)"},
      {"a exactly once", "F a && G (a -> X G !a)"},
      {"a and b never both", "!(F a && F b)"}};
  for (unsigned seed = 0; seed < 300; ++seed) {
    Lts lts = Random(seed + 20000).lts();
    for (auto [pattern, formula] : same)
      ASSERT_EQ(holds(lts, pattern), holds(lts, formula)) << pattern;
  }
}

TEST(Ltl, Syntax) {
  // Tight operators first; arrows to the right; exchanges with arrows.
  Lts lts = Random(1).lts();
  EXPECT_EQ(parsed("a -> b -> a U b W a").root,
            parsed("a -> (b -> (a U (b W a)))").root);
  EXPECT_EQ(parsed("!a && b || a").root, parsed("((!a) && b) || a").root);
  EXPECT_EQ(parsed("p->q:m -> F q->p:n").atoms.size(), 2u);
  EXPECT_EQ(parsed("\"a b\" or p!q:m or q?m").atoms.size(), 3u);
  EXPECT_EQ(ltl::splitProperties("never a; \"x;y\" before b ;").size(), 2u);
  for (const char *wrong : {"", "a &&", "(a", "a)", "a b", "every a b", "G",
                            "a U", "p->q:", "\"a", "a % b", "a only b"}) {
    ltl::SyntaxError error;
    EXPECT_FALSE(ltl::parseProperty(wrong, error)) << wrong;
    EXPECT_FALSE(error.expected.empty() || error.found.empty()) << wrong;
  }
}

TEST(Ltl, AnUnknownPartIsNoEnd) {
  // One step, to a state that was not looked at.
  LtsBuilder builder;
  builder.add(0, builder.labels.intern(Label::plain("a")), 1);
  Lts lts = std::move(builder).finish(0, 2);
  ltl::Property property = parsed("eventually b");
  EXPECT_TRUE(ltl::check(lts, property, {}).counterexample);
  ltl::CheckOptions options;
  options.expanded = 1;
  EXPECT_FALSE(ltl::check(lts, property, options).counterexample);
}

TEST(Ltl, LongFormulasMeetTheLimit) {
  std::string text = "true";
  for (int i = 0; i < 14; ++i)
    text += " && F (G a" + std::to_string(i) + " || G F b" + std::to_string(i) +
            ")";
  ltl::Property property = parsed(text);
  LtsBuilder builder;
  builder.add(0, builder.labels.intern(Label::plain("a0")), 0);
  Lts lts = std::move(builder).finish(0, 1);
  ltl::CheckOptions options;
  options.limits.setTimeout(1e-9);
  ltl::CheckResult result = ltl::check(lts, property, options);
  EXPECT_FALSE(result.complete);
  EXPECT_FALSE(result.counterexample);
  EXPECT_EQ(result.limit, "--timeout=1e-09");
}

/// Over words that show one thing at a time a nest of untils, or of their
/// negations, has about as many states as untils: not one for each subset.
TEST(Ltl, NestedUntilsStaySmall) {
  constexpr unsigned depth = 40;
  std::string text = "a0";
  for (unsigned i = 1; i <= depth; ++i)
    text = "(" + text + ") U a" + std::to_string(i);
  for (bool negated : {false, true}) {
    ltl::Property property = parsed(text);
    std::vector<std::vector<bool>> letters;
    for (unsigned i = 0; i <= depth + 1; ++i) {
      letters.emplace_back(property.atoms.size());
      if (i < property.atoms.size())
        letters.back()[i] = true;
    }
    ltl::FormulaId f = property.formulas.normal(property.root, negated);
    ltl::Automaton automaton(property.formulas, f, letters, Limits());
    for (uint32_t q = 0; q < automaton.size(); ++q) {
      ASSERT_LT(automaton.size(), 4 * depth * depth);
      for (uint32_t letter = 0; letter < letters.size(); ++letter)
        (void)automaton.successors(q, letter);
    }
    EXPECT_GT(automaton.size(), 1u);
    EXPECT_EQ(automaton.limit(), "");
  }
}
