//===- SymbolicTest.cpp - Symbolic conformance ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generated.h"
#include "NaiveSymbolic.h"
#include "TextFrontEndTest.h"
#include "cif/Check/Conformance/SymbolicReplay.h"
#include "cif/Symbolic/Conformance.h"
#include "cif/Symbolic/Smt2.h"
#include <gtest/gtest.h>

using namespace cif;
using namespace cif::test;

namespace {

/// One comparison, from texts to a verdict.
struct Compared {
  Compared(const std::string &implementation, const std::string &choreography,
           IntegerRange range = {}, unsigned maxRounds = 100,
           bool byTokens = false,
           function_ref<void(Module &, Module &)> change = {})
      : left(parseIoc, implementation), right(parseIoc, choreography) {
    EXPECT_TRUE(left.ok && right.ok)
        << left.diagnostics() << right.diagnostics();
    if (change)
      change(left.module, right.module);
    std::string why;
    solver = makeSolver(pool, 10, Limits(), why);
    if (!solver)
      return;
    options.integers = range;
    options.maxRounds = maxRounds;
    auto spec = buildStg(right.module, right.module.behaviours.front(), pool,
                         Limits(), right.engine, open);
    TermBreak lacks;
    auto impl = byTokens
                    ? stgOfGraph(left.module, left.module.behaviours.front(),
                                 pool, Limits(), open, lacks)
                    : buildImplementation(left.module, pool, Limits(),
                                          left.engine, open);
    if (byTokens && !impl) {
      verdict.stopped = lacks.reason;
      return;
    }
    EXPECT_TRUE(spec && impl);
    auto settled = withoutDecisions(*spec, pool, *solver);
    EXPECT_TRUE(bool(settled));
    c = *settled;
    i = restrict(*impl, alphabetOf(c), pool);
    pes = std::make_unique<Pes>(i, c, pool, range);
    EXPECT_EQ(pes->build(Limits()), "");
    std::vector<int64_t> constants = pool.constants();
    solution = solvePes(*pes, *solver, options);
    verdict = decideConformance(*pes, solution, *solver, constants);
  }

  /// Whether two formulas are the same for all data.
  bool same(FormulaId a, FormulaId b) {
    return solver->satisfiable(pool.make(ExprOp::NotEqual, a, b)) == Answer::No;
  }
  /// Whether a run replays, on the graphs and in the semantics that explore
  /// states.
  bool replays(const Parting &run) {
    return replayParting(*pes, run) && replaysExplicitly(run);
  }
  bool replaysExplicitly(const Parting &run) {
    return cif::replaysExplicitly(&left.module, right.module, NetworkKind::Sync,
                                  noBound, *pes, run, {}, Limits());
  }
  FormulaId solved(uint32_t s1, uint32_t s2) {
    return solution.predicates[pes->find(s1, s2)].formula();
  }
  VariableId variable(StringRef name) {
    for (size_t v = pool.numVariables(); v-- > 0;)
      if (pool.variable(VariableId(v)).name == name &&
          llvm::any_of(pes->pairs, [&](const PesPair &p) {
            return llvm::is_contained(p.variables, VariableId(v));
          }))
        return VariableId(v);
    ADD_FAILURE() << "no variable " << name.str();
    return VariableId();
  }
  FormulaId compare(StringRef name, ExprOp op, int64_t with) {
    return pool.make(op, pool.var(variable(name)), pool.number(with));
  }

  Read left, right;
  FormulaPool pool;
  std::unique_ptr<Solver> solver;
  SymbolicOptions options;
  std::vector<OpenCondition> open;
  Stg i, c;
  std::unique_ptr<Pes> pes;
  PesSolution solution;
  SymbolicVerdict verdict;
};

bool haveSolver() {
  FormulaPool pool;
  std::string why;
  return makeSolver(pool, 1, Limits(), why) != nullptr;
}

const char *const shipping =
    "choreography Shipping { c -> s : Request(x1: int) ;"
    " ( [x1 < 5] => s -> c : FreeShip + [x1 >= 5] => s -> c : PayShip ) }";

const char *const shippingWithLimit =
    "system Shop {"
    " role c { s!Request(y1: int) ; ( s?FreeShip + [y1 >= 5] => s!Most(y: int)"
    " ; ( s?PayShip + 1 ) ) }"
    " role s { c?Request(z1: int) ; ( [z1 < 5] => c!FreeShip + [z1 >= 5] =>"
    " c?Most(m: int) ; ( [m >= 10] => c!PayShip + [m < 10] => 1 ) ) } }";

} // namespace

// The predicate equations of Example 5, up to equivalence. R(3, 2) there is
// R(2, 1) here. For R(2, 2), which is R(1, 1) here, the paper also asks for
// y >= 10 where shipping is free and nothing is hidden; Def. 4 does not.
TEST(Symbolic, Example5) {
  if (!haveSolver())
    GTEST_SKIP();
  Compared c(shippingWithLimit, shipping);
  ASSERT_EQ(c.i.numStates(), 5u);
  ASSERT_EQ(c.i.transitions.size(), 6u);
  FormulaPool &pool = c.pool;
  FormulaId limit = c.compare("y", ExprOp::GreaterEqual, 10);
  EXPECT_TRUE(c.same(c.solved(0, 0), limit));
  EXPECT_TRUE(c.same(c.solved(3, 2), pool.truth(true)));
  FormulaId paid = c.compare("x1", ExprOp::GreaterEqual, 5);
  FormulaId r32 =
      pool.conjunction(c.compare("m", ExprOp::GreaterEqual, 10), paid);
  EXPECT_TRUE(c.same(c.solved(2, 1), r32));
  // Client and shipper have the same weight, as in the paper's product.
  Substitution one{{c.variable("y1"), pool.var(c.variable("z1"))}};
  FormulaId r22 = pool.substitute(c.solved(1, 1), one);
  FormulaId alike =
      pool.make(ExprOp::Equal, paid, c.compare("z1", ExprOp::GreaterEqual, 5));
  FormulaId published = pool.conjunction(alike, limit);
  EXPECT_TRUE(
      c.same(pool.make(ExprOp::Implies, published, r22), pool.truth(true)));
  EXPECT_TRUE(
      c.same(pool.conjunction(r22, paid), pool.conjunction(published, paid)));
  EXPECT_TRUE(c.same(
      r22, pool.conjunction(alike, pool.make(ExprOp::Implies, paid, limit))));
  EXPECT_EQ(c.verdict.verdict, Verdict::Violated);
  ASSERT_TRUE(c.verdict.constraint.has_value());
  EXPECT_EQ(constraintText(pool, *c.verdict.constraint), "y >= 10");
  ASSERT_TRUE(c.verdict.parting.has_value());
  EXPECT_TRUE(c.replays(*c.verdict.parting));
}

// A run that is changed does not replay.
TEST(Symbolic, ReplayLooksAtValues) {
  if (!haveSolver())
    GTEST_SKIP();
  Compared c(shippingWithLimit, shipping);
  ASSERT_TRUE(c.verdict.parting.has_value());
  Parting changed = *c.verdict.parting;
  changed.initial[c.variable("y")] = 12;
  EXPECT_FALSE(replayParting(*c.pes, changed));
  EXPECT_FALSE(c.replaysExplicitly(changed));
  changed = *c.verdict.parting;
  changed.steps.pop_back();
  EXPECT_FALSE(replayParting(*c.pes, changed));
  EXPECT_FALSE(c.replaysExplicitly(changed));
  changed = *c.verdict.parting;
  changed.steps.front().values = {3}; // then shipping is free
  EXPECT_FALSE(c.replaysExplicitly(changed));
}

TEST(Symbolic, GeneratedTermsAgreeWithNaive) {
  if (!haveSolver())
    GTEST_SKIP();
  unsigned count[3] = {0, 0, 0}, conditional = 0, tooLarge = 0;
  Generated models("terms with data", 200);
  for (unsigned seed = 0; seed < models.wanted(); ++seed) {
    NaiveTerms terms(seed);
    TermPtr spec = terms.whole(), impl = terms.variant(spec);
    std::optional<bool> expected = NaiveConformance(impl, spec).holds();
    if (!expected) {
      ++tooLarge;
      continue;
    }
    Compared c("choreography I { " + impl->text() + " }",
               "choreography C { " + spec->text() + " }", {0, domain - 1});
    ++count[static_cast<unsigned>(c.verdict.verdict)];
    models.count();
    if (c.verdict.verdict == Verdict::Inconclusive)
      continue;
    EXPECT_EQ(c.verdict.verdict == Verdict::Holds, *expected)
        << "seed " << seed << "\n"
        << impl->text() << "\n"
        << spec->text();
    if (c.verdict.verdict != Verdict::Violated)
      continue;
    EXPECT_TRUE(c.verdict.parting && replayParting(*c.pes, *c.verdict.parting))
        << "seed " << seed << "\n"
        << impl->text() << "\n"
        << spec->text();
    EXPECT_TRUE(c.verdict.parting && c.replaysExplicitly(*c.verdict.parting))
        << "seed " << seed << "\n"
        << impl->text() << "\n"
        << spec->text();
    // With one hidden exchange, which happens at most once: the constraint is
    // right for each value.
    const std::vector<VariableId> &free = c.pes->pairs[0].variables;
    auto isHidden = [](const StgTransition &t) {
      return t.action == StgAction::Tau;
    };
    if (free.size() != 1 || !c.verdict.constraint ||
        llvm::count_if(c.i.transitions, isHidden) != 1)
      continue;
    ++conditional;
    for (int v = 0; v < domain; ++v) {
      auto truth = c.pool.evaluate(*c.verdict.constraint, {{free[0], v}});
      ASSERT_TRUE(truth.has_value());
      EXPECT_EQ(*truth != 0, *NaiveConformance(impl, spec, v).holds())
          << "seed " << seed << " value " << v << "\n"
          << impl->text() << "\n"
          << spec->text();
    }
  }
  RecordProperty("holds", static_cast<int>(count[0]));
  RecordProperty("violated", static_cast<int>(count[1]));
  RecordProperty("inconclusive", static_cast<int>(count[2]));
  RecordProperty("conditional", static_cast<int>(conditional));
  RecordProperty("tooLarge", static_cast<int>(tooLarge));
  EXPECT_GT(count[0], 20u);
  EXPECT_GT(count[1], 20u);
  EXPECT_LT(count[2] + tooLarge, models.wanted() / 10);
}

// What is left of comparisons for all values of a variable, by cases and by the
// solver.
TEST(Symbolic, ForAllByCases) {
  if (!haveSolver())
    GTEST_SKIP();
  FormulaPool pool;
  std::string why;
  auto solver = makeSolver(pool, 10, Limits(), why);
  std::vector<VariableId> variables;
  for (const char *name : {"v", "x", "y"})
    variables.push_back(pool.makeVariable(name, "", intData));
  FormulaId v = pool.var(variables[0]), x = pool.var(variables[1]),
            y = pool.var(variables[2]);
  std::mt19937 random(1);
  auto pick = [&](size_t n) { return random() % n; };
  auto term = [&] {
    FormulaId of[] = {x, y, pool.make(ExprOp::Add, x, y),
                      pool.number(int64_t(pick(5)) - 2)};
    return of[pick(4)];
  };
  auto atom = [&] {
    static const ExprOp ops[] = {ExprOp::Equal,   ExprOp::NotEqual,
                                 ExprOp::Less,    ExprOp::LessEqual,
                                 ExprOp::Greater, ExprOp::GreaterEqual};
    FormulaId sides[] = {v, pool.make(ExprOp::Add, v, term()),
                         pool.make(ExprOp::Subtract, v, term()), term()};
    FormulaId l = sides[pick(4)], r = term();
    return pick(2) ? pool.make(ops[pick(6)], l, r)
                   : pool.make(ops[pick(6)], r, l);
  };
  unsigned compared = 0, sometimes = 0;
  for (unsigned i = 0; i < 60; ++i) {
    FormulaId formula = atom();
    for (size_t n = 1 + pick(4); n > 0; --n) {
      static const ExprOp ops[] = {ExprOp::And, ExprOp::Or, ExprOp::Implies,
                                   ExprOp::Equal};
      formula = pool.make(ops[pick(4)], formula, atom());
    }
    auto cases = forAllByCases(pool, variables[0], formula);
    auto expected = solver->forAll(variables[0], formula);
    ASSERT_TRUE(cases && expected);
    EXPECT_EQ(
        solver->satisfiable(pool.make(ExprOp::NotEqual, *cases, *expected)),
        Answer::No)
        << pool.text(formula);
    ++compared;
    sometimes += !pool.isLiteral(*expected);
  }
  EXPECT_EQ(compared, 60u);
  EXPECT_GT(sometimes, 10u);
  // Neither products nor remainders are comparisons with terms.
  for (ExprOp op : {ExprOp::Multiply, ExprOp::Modulo})
    EXPECT_FALSE(forAllByCases(
        pool, variables[0],
        pool.make(ExprOp::Less, pool.make(op, v, pool.number(3)), x)));
}

// The graph of a term by tokens on flows is that of its rules.
TEST(Symbolic, TokensAgreeWithNaive) {
  if (!haveSolver())
    GTEST_SKIP();
  unsigned holds = 0, violated = 0;
  Generated models("terms with data, by tokens", 200);
  for (unsigned seed = 0; seed < models.wanted(); ++seed) {
    NaiveTerms terms(seed);
    TermPtr spec = terms.whole(), impl = terms.variant(spec);
    std::optional<bool> expected = NaiveConformance(impl, spec).holds();
    if (!expected)
      continue;
    models.count();
    Compared c("choreography I { " + impl->text() + " }",
               "choreography C { " + spec->text() + " }", {0, domain - 1}, 100,
               /*byTokens=*/true);
    if (c.verdict.verdict == Verdict::Inconclusive)
      continue; // an interruption, or a limit
    EXPECT_EQ(c.verdict.verdict == Verdict::Holds, *expected)
        << "seed " << seed << "\n"
        << impl->text() << "\n"
        << spec->text();
    (*expected ? holds : violated) += 1;
  }
  RecordProperty("holds", static_cast<int>(holds));
  RecordProperty("violated", static_cast<int>(violated));
  EXPECT_GT(holds, 20u);
  EXPECT_GT(violated, 20u);
}

/// Makes choices of \p module silent that are so in \p term.
static void decideSilently(Module &module, const NaiveTerm &term) {
  std::vector<const NaiveTerm *> silent;
  term.listSilent(silent);
  Behaviour &b = module.behaviours.front();
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    Node &node = b.nodes[i];
    if (node.loc.line < 2)
      continue;
    const NaiveTerm &of = *silent[node.loc.line - 2];
    const bool isAny = of.kind == NaiveTerm::Include;
    if (node.kind == NodeKind::SimpleJoin && isAny && node.loc.column == 1)
      node.kind = NodeKind::SubsetJoin;
    if (node.kind != NodeKind::EventChoice || node.loc.column != 1)
      continue;
    node.kind = isAny ? NodeKind::SubsetSelect : NodeKind::Choice;
    for (Flow &f : b.flows)
      if (f.source == NodeId(i) && !f.guard)
        f.flags |= DefaultFlow;
  }
}

// Choices that are decided silently, on both sides: exclusive ones of which
// several conditions may be true, and inclusive ones.
TEST(Symbolic, SilentChoicesAgreeWithNaive) {
  if (!haveSolver())
    GTEST_SKIP();
  unsigned count[3] = {0, 0, 0}, inclusive = 0;
  Generated models("terms with silent choices", 60);
  for (unsigned seed = 0; seed < models.wanted(); ++seed) {
    NaiveTerms terms(seed);
    TermPtr spec = terms.withDecisions(), impl = terms.variant(spec);
    std::optional<bool> expected = NaiveConformance(impl, spec).holds(2000);
    if (!expected)
      continue;
    models.count();
    Compared c("choreography I { " + impl->text() + " }",
               "choreography C { " + spec->text() + " }", {0, domain - 1}, 100,
               /*byTokens=*/false, [&](Module &left, Module &right) {
                 decideSilently(left, *impl);
                 decideSilently(right, *spec);
               });
    ++count[static_cast<unsigned>(c.verdict.verdict)];
    std::vector<const NaiveTerm *> silent;
    spec->listSilent(silent);
    inclusive += llvm::any_of(silent, [](const NaiveTerm *of) {
      return of->kind == NaiveTerm::Include;
    });
    std::string what = "seed " + std::to_string(seed) + "\n" + impl->text() +
                       "\n" + spec->text();
    if (c.verdict.verdict == Verdict::Inconclusive)
      continue;
    EXPECT_EQ(c.verdict.verdict == Verdict::Holds, *expected) << what;
    if (c.verdict.verdict == Verdict::Violated) {
      EXPECT_TRUE(c.verdict.parting && c.replays(*c.verdict.parting)) << what;
    }
  }
  RecordProperty("holds", static_cast<int>(count[0]));
  RecordProperty("violated", static_cast<int>(count[1]));
  RecordProperty("inconclusive", static_cast<int>(count[2]));
  EXPECT_GT(count[0], 5u);
  EXPECT_GT(count[1], 5u);
  EXPECT_LT(count[2], models.wanted() / 10);
  EXPECT_GT(inclusive, 5u);
}

// Late semantics: an answer is chosen before its value is known.
TEST(Symbolic, AnswersAreChosenBeforeTheValueIsKnown) {
  if (!haveSolver())
    GTEST_SKIP();
  const char *one = "choreography C { a -> b : m(x: int) ;"
                    " ( [x < 0] => a -> b : p + [x >= 0] => a -> b : q ) }";
  Compared same(one, one);
  EXPECT_EQ(same.verdict.verdict, Verdict::Holds);
  // Two transitions, of which each is right for some values only.
  const char *two = "choreography C { a -> b : m(x: int) ; a -> b : p"
                    " + a -> b : m(x: int) ; a -> b : q }";
  Compared late(one, two);
  EXPECT_EQ(late.verdict.verdict, Verdict::Violated);
  ASSERT_TRUE(late.verdict.parting.has_value());
  EXPECT_TRUE(late.replays(*late.verdict.parting));
}

// Strings, truth values and enumerations decide as integers do.
TEST(Symbolic, OtherSorts) {
  if (!haveSolver())
    GTEST_SKIP();
  auto verdict = [](const char *a, const char *b) {
    return Compared(a, b).verdict.verdict;
  };
  const char *byName =
      "enum Colour { red, green, blue }"
      "choreography C { a -> b : m(n: string, f: bool, k: Colour) ;"
      " ( [n == \"gold\" && f && k != red] => a -> b : p"
      " + [!(n == \"gold\" && f && k != red)] => a -> b : q ) }";
  const char *same =
      "enum Shade { blue, red, green }"
      "choreography D { a -> b : m(s: string, t: bool, u: Shade) ;"
      " ( [t] => ( [s == \"gold\" && (u == green || u == blue)] =>"
      "    a -> b : p + [u == red || s != \"gold\"] => a -> b : q )"
      " + [!t] => a -> b : q ) }";
  const char *other =
      "enum Colour { red, green, blue }"
      "choreography E { a -> b : m(s: string, t: bool, u: Colour) ;"
      " ( [s == \"gold\" && t && u == green] => a -> b : p"
      " + [!(s == \"gold\" && t && u == green)] => a -> b : q ) }";
  EXPECT_EQ(verdict(same, byName), Verdict::Holds);
  EXPECT_EQ(verdict(other, byName), Verdict::Violated);
  // A string that no condition names is another one.
  const char *names = "choreography C { a -> b : m(n: string) ;"
                      " ( [n == \"x\" || n == \"y\"] => a -> b : p"
                      " + [n != \"x\" && n != \"y\"] => a -> b : q ) }";
  const char *onlyThese = "choreography C { a -> b : m(n: string) ;"
                          " ( [n == \"x\" || n == \"y\"] => a -> b : p"
                          " + [n == \"z\"] => a -> b : q ) }";
  EXPECT_EQ(verdict(onlyThese, names), Verdict::Violated);
}

// What is sent is what the expression is worth; and a value that comes back is
// compared with it.
TEST(Symbolic, ValuesThatAreComputed) {
  if (!haveSolver())
    GTEST_SKIP();
  const char *system =
      "system S {"
      " role a { b!m(x: int) ; b?n(y: int) ;"
      "  ( [y == x + 1] => b!good + [y != x + 1] => b!bad ) }"
      " role b { a?m(u: int) ; a!n(u + 1) ; ( a?good + a?bad ) } }";
  const char *spec = "choreography C { a -> b : m(x: int) ; b -> a : n(x + 1) ;"
                     " a -> b : good }";
  Compared c(system, spec);
  EXPECT_EQ(c.verdict.verdict, Verdict::Holds);
  // Where the choreography lets b answer anything, b does less.
  Compared d(system, "choreography C { a -> b : m(x: int) ;"
                     " b -> a : n(y: int) ; a -> b : good }");
  EXPECT_EQ(d.verdict.verdict, Verdict::Violated);
  ASSERT_TRUE(d.verdict.parting.has_value());
  EXPECT_TRUE(d.replays(*d.verdict.parting));
}

// A counter that goes up, and a test that it only meets from below: each round
// excludes one more number, and no fixed point is found. Where that would
// decide the verdict nothing is said; a violation that is found by then is one.
TEST(Symbolic, EquationsThatDoNotConverge) {
  if (!haveSolver())
    GTEST_SKIP();
  auto count = [](const char *guardA, const char *guardB) {
    return std::string("system S { role a { b!m(x: int) ; ") + guardA +
           " rec X { b!tick ; b?k(x: int) ; b!l(x) ;"
           " ( [x != 0] => X + [x == 0] => b!end ) } }"
           " role b { a?m(y: int) ; " +
           guardB +
           " rec Y { a?tick ; a!k(y + 1) ; a?l(y: int) ; ( Y + a?end ) } } }";
  };
  Compared guarded(count("[x > 0] =>", "[y > 0] =>"),
                   "choreography C { a -> b : m(x: int) ;"
                   " [x > 0] => rec X { a -> b : tick ; X } ; a -> b : end }",
                   {}, 5);
  EXPECT_EQ(guarded.verdict.verdict, Verdict::Inconclusive);
  EXPECT_NE(guarded.verdict.stopped.find("no fixed point after 5 rounds"),
            std::string::npos)
      << guarded.verdict.stopped;
  // The start is hidden: it may be 0 and end, which the choreography never
  // does.
  Compared any(count("", ""),
               "choreography C { rec X { a -> b : tick ; X } ; a -> b : end }",
               {}, 5);
  EXPECT_EQ(any.verdict.verdict, Verdict::Violated);
  EXPECT_FALSE(any.verdict.constraint.has_value());
  ASSERT_TRUE(any.verdict.parting.has_value());
  EXPECT_TRUE(any.replays(*any.verdict.parting));
}

// Equal residuals are one state: going round a loop leads back to it.
TEST(Symbolic, LoopsAreCycles) {
  Read read(parseIoc, "choreography C { a -> b : m(x: int) ;"
                      " while [x < 3] { a -> b : m(x: int) ; a -> b : p } ;"
                      " ( a -> b : p || a -> b : q ) }");
  ASSERT_TRUE(read.ok);
  FormulaPool pool;
  std::vector<OpenCondition> open;
  auto stg = buildStg(read.module, read.module.behaviours.front(), pool,
                      Limits(), read.engine, open);
  ASSERT_TRUE(bool(stg));
  // Before, at the loop, within it; after p, after q, after both; done.
  EXPECT_EQ(stg->numStates(), 7u);
  EXPECT_EQ(stg->transitions.size(), 8u);
}
