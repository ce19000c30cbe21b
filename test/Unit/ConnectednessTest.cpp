//===- ConnectednessTest.cpp - Connectedness and what it promises ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IocPromise.h"
#include "gtest/gtest.h"
#include <ctime>

using namespace cif;
using namespace cif::test;

namespace {

bool repeatsOperation(const Term &term) {
  std::vector<unsigned> uses(term.numOperations);
  for (size_t i = 0; i < term.size(); ++i)
    if (term.nodes[i].kind == TermKind::Action &&
        ++uses[term.nodes[i].action.operation] > 1)
      return true;
  return false;
}

} // namespace

// The fast conditions are the definitions.
TEST(Connectedness, AgreesWithTheDefinitions) {
  RandomIoc random(1);
  size_t connected = 0, safe = 0, corrected = 0;
  for (int i = 0; i < 4000; ++i) {
    Term term = random.make(8);
    for (IocSemantics semantics : allSemantics) {
      NaiveConnectedness naive(term, semantics);
      Connectedness found;
      checkSequenceAndChoice(term, {.semantics = semantics}, found);
      bool expected = naive.sequenceAndChoice();
      ASSERT_EQ(found.holds(), expected) << text(term);
      connected += expected;

      Connectedness causality;
      ConnectednessOptions options;
      options.semantics = semantics;
      options.published = true;
      checkCausality(term, options, causality);
      expected = naive.causality();
      ASSERT_EQ(causality.holds(), expected) << text(term);
      safe += expected;

      // The corrected condition is never weaker.
      Connectedness strict;
      options.published = false;
      checkCausality(term, options, strict);
      ASSERT_TRUE(!strict.holds() || expected) << text(term);
      corrected += strict.holds();
    }
  }
  // The generator makes enough of each.
  EXPECT_GT(connected, 1000u);
  EXPECT_GT(safe, 4000u);
  EXPECT_LT(corrected, safe);
}

// What connectedness promises [iocpoc, Theorems 4.1, 5.1, 5.2, 5.3, as
// corrected in docs/connectedness.md] is true of generated choreographies.
TEST(Connectedness, Promises) {
  constexpr size_t wanted = 10000;
  for (IocSemantics semantics : allSemantics) {
    RandomIoc random(100 + static_cast<unsigned>(semantics));
    ConnectednessOptions options;
    options.semantics = semantics;
    size_t found = 0, choices = 0, repeated = 0;
    for (size_t tries = 0; found < wanted && tries < 100 * wanted; ++tries) {
      Term term = random.make(8);
      Connectedness c = checkConnected(term, options);
      if (!c.holds())
        continue;
      ++found;
      choices += c.hasChoice;
      repeated += repeatsOperation(term);
      ASSERT_TRUE(promise(term, semantics, c.hasChoice))
          << iocSemanticsName(semantics).str() << ": " << text(term);
    }
    EXPECT_EQ(found, wanted) << iocSemanticsName(semantics).str();
    // The generator makes those that matter.
    EXPECT_GT(choices, wanted / 50) << iocSemanticsName(semantics).str();
    EXPECT_GT(repeated, wanted / 50) << iocSemanticsName(semantics).str();
  }
}

// The conditions are not necessary: of those that break them, some keep the
// promise. docs/connectedness.md has the shares.
TEST(Connectedness, IsNotNecessary) {
  constexpr size_t wanted = 10000;
  for (IocSemantics semantics : allSemantics) {
    RandomIoc random(200 + static_cast<unsigned>(semantics));
    ConnectednessOptions options;
    options.semantics = semantics;
    size_t broken = 0;
    for (size_t found = 0; found < wanted;) {
      Term term = random.make(8);
      Connectedness c = checkConnected(term, options);
      if (c.holds())
        continue;
      ++found;
      broken += !promise(term, semantics, c.hasChoice);
    }
    std::printf("%s: %zu of %zu unconnected ones are not related\n",
                iocSemanticsName(semantics).data(), broken, wanted);
    EXPECT_GT(broken, wanted / 4);
    EXPECT_LT(broken, wanted);
  }
}

// [iocpoc], section 3: `a -> b : o ; c -> d : p`, where roles may or may not be
// distinct. Here the conditions are also necessary.
TEST(Connectedness, TwoInteractions) {
  for (uint32_t c = 0; c < 4; ++c)
    for (uint32_t d = 0; d < 4; ++d) {
      if (c == d)
        continue;
      TermMaker m;
      TermId o = m.interaction(0, 1, 0), p = m.interaction(c, d, 1);
      m.join(TermKind::Sequence, {o, p});
      constexpr uint32_t a = 0, b = 1;
      bool sender = c == a || c == b, receiver = d == b || c == b;
      const std::pair<IocSemantics, bool> expected[] = {
          {IocSemantics::Synchronous, sender || d == a || d == b},
          {IocSemantics::Sender, sender},
          {IocSemantics::Receiver, receiver},
          {IocSemantics::SenderReceiver, sender && receiver},
          {IocSemantics::Disjoint, c == b}};
      for (auto [semantics, holds] : expected) {
        ConnectednessOptions options;
        options.semantics = semantics;
        EXPECT_EQ(checkConnected(m.term, options).holds(), holds)
            << text(m.term);
        EXPECT_EQ(promise(m.term, semantics, false), holds) << text(m.term);
      }
    }
}

// The initial and final interactions that [iocpoc, section 4] forgets: those of
// I in `I ; J` where I may be done at once, and of J.
TEST(Connectedness, InitialAndFinalOnesThatAreForgotten) {
  enum { a, b, c, d };
  auto first = [](TermMaker &m, uint32_t from, uint32_t to) {
    TermId done = m.leaf(TermKind::Done), o = m.interaction(from, to, 0);
    return m.join(TermKind::Choice, {done, o});
  };
  // c -> d ; ( 1 + a -> b ) ; c -> d
  TermMaker m;
  TermId before = m.interaction(c, d, 1), maybe = first(m, a, b),
         after = m.interaction(c, d, 2);
  m.join(TermKind::Sequence, {before, maybe, after});
  Connectedness found;
  checkSequenceAndChoice(m.term, {}, found);
  size_t sequences =
      llvm::count_if(found.violations, [](const ConnectednessViolation &v) {
        return v.rule == ConnectednessRule::Sequence;
      });
  EXPECT_EQ(sequences, 2u); // into it, and out of it
  EXPECT_FALSE(related(m.term, IocRelation::Synchronous));
}

// Nothing is looked at after the deadline.
TEST(Connectedness, SequenceAndChoiceAfterTheDeadline) {
  TermMaker m;
  m.join(TermKind::Sequence, {m.interaction(0, 1, 0), m.interaction(2, 3, 1)});
  ConnectednessOptions options;
  options.limits.deadline = Limits::Clock::now() - std::chrono::seconds(1);
  options.limits.timeoutSeconds = 1;
  Connectedness found;
  checkSequenceAndChoice(m.term, options, found);
  EXPECT_TRUE(found.gaveUp);
  EXPECT_EQ(found.limit, "--timeout=1");
  EXPECT_TRUE(found.violations.empty());
}

// [iocpoc], Theorem 5.2 is false: connected, and not receiver bisimilar.
TEST(Connectedness, ReceiverBisimilarityIsNotPromised) {
  TermMaker m;
  TermId o = m.interaction(0, 1, 0), p = m.interaction(0, 1, 1);
  m.join(TermKind::Choice, {o, p});
  ConnectednessOptions options;
  options.semantics = IocSemantics::Receiver;
  EXPECT_TRUE(checkConnected(m.term, options).holds());
  EXPECT_FALSE(related(m.term, IocRelation::Receiver));
  EXPECT_TRUE(related(m.term, IocRelation::ReceiverTrace));
}

// [iocpoc], Theorem 5.1 is false with Def. 4.5 to the letter.
TEST(Connectedness, PublishedCausalityIsTooWeak) {
  enum { a, b };
  enum { x, o, y, z };
  TermMaker m;
  TermId first = m.interaction(a, b, x), early = m.interaction(b, a, o),
         answer = m.interaction(a, b, y);
  TermId left = m.join(TermKind::Sequence, {early, answer});
  TermId right = m.interaction(b, a, z);
  TermId choice = m.join(TermKind::Choice, {left, right});
  TermId late = m.interaction(b, a, o);
  m.join(TermKind::Sequence, {first, choice, late});
  ConnectednessOptions options;
  options.semantics = IocSemantics::Sender;
  EXPECT_FALSE(checkConnected(m.term, options).holds());
  options.published = true;
  EXPECT_TRUE(checkConnected(m.term, options).holds());
  EXPECT_FALSE(related(m.term, IocRelation::Sender));
}

// The diamond condition: without it these would be disjoint bisimilar.
TEST(Connectedness, DisjointNeedsTheDiamond) {
  TermMaker m;
  TermId o = m.interaction(0, 1, 0), p = m.interaction(0, 2, 1);
  m.join(TermKind::Sequence, {o, p});
  EXPECT_FALSE(related(m.term, IocRelation::Disjoint));
  EXPECT_TRUE(related(m.term, IocRelation::Sender));
}

// What is connected for the disjoint semantics has the traces that one expects.
// Bisimilarity is not enough for that: to the letter of Def. 5.8 the two
// senders of `a -> b : o + b -> a : p` may both send. The relation on traces
// sees that, and what the diamond is for.
TEST(Connectedness, DisjointTraces) {
  RandomIoc random(31);
  ConnectednessOptions options;
  options.semantics = IocSemantics::Disjoint;
  size_t connected = 0;
  for (int i = 0; i < 3000; ++i) {
    Term term = random.make(6);
    if (checkConnected(term, options).holds()) {
      ++connected;
      ASSERT_TRUE(related(term, IocRelation::DisjointTrace)) << text(term);
    }
  }
  EXPECT_GT(connected, 300u);
  TermMaker either;
  TermId there = either.interaction(0, 1, 0),
         back = either.interaction(1, 0, 1);
  either.join(TermKind::Choice, {there, back});
  EXPECT_TRUE(related(either.term, IocRelation::Disjoint));
  EXPECT_FALSE(related(either.term, IocRelation::DisjointTrace));
  TermMaker m;
  TermId o = m.interaction(0, 1, 0), p = m.interaction(0, 2, 1);
  m.join(TermKind::Sequence, {o, p});
  EXPECT_FALSE(related(m.term, IocRelation::DisjointTrace));
}

// 10^5 interactions in a row, and as many nested in each other, with operations
// used again and again.
TEST(Connectedness, IsFast) {
  constexpr unsigned size = 100000;
  TermMaker row, deep;
  std::vector<TermId> steps;
  TermId inner = deep.interaction(0, 1, 0);
  for (unsigned i = 0; i < size; ++i) {
    steps.push_back(row.interaction(i % 2, 1 - i % 2, i % 1000));
    TermId around = deep.interaction(i % 2, 1 - i % 2, 1 + i);
    inner = deep.join(i % 2 ? TermKind::Parallel : TermKind::Sequence,
                      {around, inner});
  }
  row.join(TermKind::Sequence, steps);
  for (const Term *term : {&row.term, &deep.term})
    for (IocSemantics semantics : allSemantics) {
      ConnectednessOptions options;
      options.semantics = semantics;
      std::clock_t start = std::clock();
      Connectedness found = checkConnected(*term, options);
      double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      EXPECT_EQ(found.holds(),
                term == &row.term || semantics != IocSemantics::Disjoint);
      EXPECT_LT(took, 2.0);
    }
}
