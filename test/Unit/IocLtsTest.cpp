//===- IocLtsTest.cpp - The LTSs of IOC terms and POC systems -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IocPromise.h"
#include "NaiveIoc.h"
#include "cif/Equivalence/Compare.h"
#include "cif/Explore/Explorer.h"
#include "cif/Semantics/Semantics.h"

using namespace cif;
using namespace cif::test;

namespace {

Label labelOf(const IocStep &step) {
  auto role = [](uint32_t n) { return "r" + std::to_string(n); };
  if (step.kind == StepKind::Internal)
    return Label::plain("tau " + role(step.sender));
  bool exchange = step.kind == StepKind::Exchange;
  return Label{exchange ? LabelKind::Exchange : LabelKind::Send,
               role(step.sender), exchange ? role(step.receiver) : "",
               "o" + std::to_string(step.operation)};
}

Term readTerm(const std::string &term) {
  Read read(parseIoc, "choreography C { " + term + " }");
  EXPECT_TRUE(read.ok) << term << read.diagnostics();
  OperationNumbers operations;
  TermBreak why;
  auto result =
      recoverTerm(read.module, read.module.behaviours[0], operations, &why);
  EXPECT_TRUE(result) << why.reason;
  return std::move(*result);
}

std::string verdict(const std::string &text, IocRelation relation,
                    uint64_t maxStates = 10000) {
  Term term = readTerm(text);
  IocNames names{[](uint32_t n) { return "r" + std::to_string(n); },
                 [](uint32_t n) { return "o" + std::to_string(n); }};
  Limits limits;
  limits.maxStates = maxStates;
  IocComparison found =
      compareIoc(term, projectTerm(term), relation, names, limits);
  return found.verdict == Verdict::Inconclusive
             ? found.limit
             : verdictText(found.verdict).str();
}

} // namespace

// The fast semantics is the one that the rules give, of choreographies and of
// their projections.
TEST(IocLts, AgreesWithTheRules) {
  RandomIoc random(41);
  size_t compared = 0, recursive = 0, interrupted = 0;
  Limits limits;
  limits.maxStates = 80;
  for (int i = 0; i < 1500; ++i) {
    Term term = random.makeWild(6);
    auto check = [&](std::optional<Lts> fast, const std::string &limit,
                     std::optional<Lts> naive) {
      if (!naive)
        return;
      ASSERT_TRUE(fast) << limit << ": " << text(term);
      // Never larger, as equal parts are one.
      EXPECT_LE(fast->numStates(), naive->numStates()) << text(term);
      EXPECT_TRUE(compare(*naive, *fast, Relation::Strong).holds())
          << text(term);
      ++compared;
      recursive += hasKind(term, TermKind::Rec);
      interrupted += hasKind(term, TermKind::Interrupt);
    };
    std::string limit;
    auto ioc = buildIocLts(term, labelOf, limits, limit);
    check(std::move(ioc), limit, NaiveIoc().ioc(term, labelOf, 80));
    std::vector<PocRole> roles = projectTerm(term);
    for (bool sync : {true, false}) {
      auto poc = buildPocLts(
          roles, sync ? PocNetwork::Synchronous : PocNetwork::Asynchronous,
          labelOf, limits, limit);
      check(std::move(poc), limit, NaiveIoc().poc(roles, sync, labelOf, 80));
    }
    if (HasFailure())
      return;
  }
  EXPECT_GT(compared, 2500u);
  EXPECT_GT(recursive, 600u);
  EXPECT_GT(interrupted, 300u);
}

// It is also the one that choreographies have elsewhere.
TEST(IocLts, AgreesWithTheGraphs) {
  RandomIoc random(42);
  size_t compared = 0;
  for (int i = 0; i < 1500; ++i) {
    Term made = random.makeWild(6);
    if (hasKind(made, TermKind::While)) // a condition is decided silently there
      continue;
    std::string written =
        "choreography C { " + source(made, made.root()) + " }";
    Read read(parseIoc, written);
    if (!read.ok) // a call that no step is before
      continue;
    Limits limits;
    limits.maxStates = 1000;
    std::string limit;
    auto ioc = buildIocLts(made, labelOf, limits, limit);
    ASSERT_TRUE(ioc) << written;
    auto system = makeSystem(read.module, SemanticsOptions(), read.engine);
    ASSERT_TRUE(system) << written << read.diagnostics();
    ExplorerOptions options;
    options.limits.maxStates = 100000;
    Exploration explored = explore(*system, options);
    if (!explored.complete)
      continue;
    ++compared;
    ASSERT_TRUE(compare(*ioc, explored.lts, Relation::WeakTrace).holds())
        << written;
  }
  EXPECT_GT(compared, 800u);
}

// Loops, recursion, conditions and interruption against their projections.
TEST(IocLts, RelationsBeyondThePaper) {
  EXPECT_EQ(
      verdict("rec X { a -> b : o ; b -> a : p ; X }", IocRelation::Disjoint),
      "holds");
  EXPECT_EQ(verdict("rec X { a -> b : o ; ( b -> a : p ; X + b -> a : q ) }",
                    IocRelation::Disjoint),
            "holds");
  // c does not know when the recursion is over.
  EXPECT_EQ(verdict("rec X { a -> b : o ; ( b -> a : p ; X + b -> a : q ) } ; "
                    "c -> a : r",
                    IocRelation::Sender),
            "violated");
  EXPECT_EQ(verdict("rec X { a -> b : o ; ( b -> a : p ; X + b -> a : q ) } ; "
                    "a -> c : r",
                    IocRelation::Synchronous),
            "holds");
  EXPECT_EQ(verdict("while [true] { a -> b : o ; b -> a : p } ; a -> b : q",
                    IocRelation::Disjoint),
            "holds");
  EXPECT_EQ(verdict("[true] => a -> b : o + [false] => a -> b : p",
                    IocRelation::Sender),
            "holds");
  EXPECT_EQ(verdict("rec X { a -> b : o ; b -> a : p ; X } [> a -> b : q",
                    IocRelation::Synchronous),
            "holds");
  EXPECT_EQ(verdict("rec X { a -> b : o ; b -> a : p ; X } [> c -> d : q",
                    IocRelation::Synchronous),
            "violated");
  // The calls of the split term lead to the split recursion.
  EXPECT_EQ(verdict("rec X { a -> b : o ; b -> a : p ; X }",
                    IocRelation::DisjointTrace),
            "holds");
}

// Infinitely many states or steps are never a verdict.
TEST(IocLts, Endless) {
  std::string nested = "rec X { a -> b : o ; ( b -> a : p ; X ; a -> b : q + "
                       "b -> a : r ) }";
  EXPECT_EQ(verdict(nested, IocRelation::Synchronous, 500), "--max-states=500");
  EXPECT_EQ(verdict("rec X { a -> b : o ; ( X || b -> a : p ) }",
                    IocRelation::Synchronous, 500),
            "--max-states=500");
  // c is told at the end how often it has to wait.
  EXPECT_EQ(verdict("rec X { a -> b : o ; ( X ; b -> c : p + b -> c : q ) }",
                    IocRelation::Synchronous, 500),
            "--max-states=500");
  Term term = readTerm("rec X { a -> b : o ; ( X ; b -> c : p + "
                       "b -> c : q ) }");
  std::string limit;
  EXPECT_FALSE(buildPocLts(projectTerm(term), PocNetwork::Synchronous, labelOf,
                           Limits(), limit));
  EXPECT_NE(limit.find("returns before any step"), std::string::npos);
}
