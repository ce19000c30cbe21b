//===- RecursionTest.cpp - Connectedness of recursion and interruption ----===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IocPromise.h"

using namespace cif;
using namespace cif::test;

namespace {

/// A choreography as the tools read it.
struct Choreography {
  explicit Choreography(const std::string &body)
      : read(parseIoc, "choreography C { " + body + " }") {
    if (!read.ok)
      return;
    OperationNumbers operations;
    TermBreak why;
    const Behaviour &b = read.module.behaviours[0];
    term = recoverTerm(read.module, b, operations, &why);
    graph = buildIocGraph(read.module, b, operations, &why);
    reason = why.reason;
  }
  Connectedness check(IocSemantics semantics) const {
    ConnectednessOptions options;
    options.semantics = semantics;
    return checkConnected(*graph, options);
  }

  Read read;
  std::optional<Term> term;
  std::optional<IocGraph> graph;
  std::string reason;
};

/// The rules that are broken, one letter each: Sequence, Decider, Informed,
/// Loop exit, Uncounted, Overlap, Ambiguous; `c` for anything about causality.
std::string flaws(const std::string &body, IocSemantics semantics) {
  Choreography c(body);
  EXPECT_TRUE(c.graph) << body << c.read.diagnostics() << c.reason;
  std::set<char> found;
  for (const ConnectednessViolation &v : c.check(semantics).violations)
    found.insert(v.rule == ConnectednessRule::Sequence    ? 'S'
                 : v.rule == ConnectednessRule::Decider   ? 'D'
                 : v.rule == ConnectednessRule::Informed  ? 'I'
                 : v.rule == ConnectednessRule::LoopExit  ? 'L'
                 : v.rule == ConnectednessRule::Uncounted ? 'U'
                 : v.rule == ConnectednessRule::Overlap   ? 'O'
                 : v.rule == ConnectednessRule::Ambiguous ? 'A'
                                                          : 'c');
  return std::string(found.begin(), found.end());
}

/// Calls are taken \p levels times, and then stuck.
class Unfold {
public:
  static Term run(const Term &term, unsigned levels) {
    Unfold unfold(term);
    unfold.copy(term.root(), levels);
    unfold.maker.term.numRoles = term.numRoles;
    unfold.maker.term.numOperations = term.numOperations;
    return std::move(unfold.maker.term);
  }

private:
  explicit Unfold(const Term &term) : term(term) {}
  TermId copy(TermId id, unsigned levels) {
    const TermNode &node = term[id];
    switch (node.kind) {
    case TermKind::Action: {
      const TermAction &x = term.action(id);
      return maker.interaction(x.sender, x.receiver, x.operation);
    }
    case TermKind::Call:
      return levels ? copy(term[node.target].firstChild, levels - 1)
                    : maker.leaf(TermKind::Stuck);
    case TermKind::Rec:
      return copy(node.firstChild, levels);
    default:
      break;
    }
    if (!node.firstChild)
      return maker.leaf(node.kind);
    std::vector<TermId> children;
    for (TermId c = node.firstChild; c; c = term[c].nextSibling)
      children.push_back(copy(c, levels));
    return maker.join(node.kind, children);
  }
  const Term &term;
  TermMaker maker;
};

/// Recursions with calls that something follows, mostly of messages to and fro.
class RandomRecursion {
public:
  explicit RandomRecursion(uint64_t seed) : random(seed) {}

  Term make() {
    maker = TermMaker();
    roles = 2 + below(2);
    operations = 0;
    last = 0;
    maker.openRec();
    std::vector<TermId> body;
    steps(body, 1 + below(2));
    uint32_t before = last;
    std::vector<TermId> left, right, rest;
    steps(left, below(8) ? 1 + below(2) : 0);
    uint32_t back = below(6) ? 0 : last;
    left.push_back(maker.call(0));
    last = back;
    std::vector<TermId> behind;
    steps(behind, below(3));
    if (below(8) == 0 && !behind.empty())
      behind.push_back(maker.call(0));
    left.insert(left.end(), behind.begin(), behind.end());
    last = below(8) ? before : below(roles);
    steps(right, below(10) ? 1 + below(3) : 0);
    TermId choice = maker.join(TermKind::Choice, {whole(left), whole(right)});
    if (below(10) == 0)
      choice = maker.join(TermKind::Loop, {choice});
    body.push_back(choice);
    steps(rest, below(3));
    body.insert(body.end(), rest.begin(), rest.end());
    TermId rec = maker.closeRec(whole(body));
    if (below(2)) {
      std::vector<TermId> all{rec};
      steps(all, 1 + below(2));
      whole(all);
    }
    return std::move(maker.term);
  }

private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random() % n); }
  void steps(std::vector<TermId> &to, uint32_t count) {
    while (count--) {
      uint32_t sender = below(10) ? last : below(roles);
      uint32_t receiver =
          (sender + 1 + (below(3) ? 0 : below(roles - 1))) % roles;
      uint32_t operation = below(10) ? operations : below(operations + 1);
      operations = std::max(operations, operation + 1);
      last = receiver;
      to.push_back(maker.interaction(sender, receiver, operation));
    }
  }
  TermId whole(ArrayRef<TermId> parts) {
    return parts.empty()       ? maker.leaf(TermKind::Done)
           : parts.size() == 1 ? parts[0]
                               : maker.join(TermKind::Sequence, parts);
  }

  std::mt19937_64 random;
  TermMaker maker;
  uint32_t roles = 2, operations = 0, last = 0;
};

size_t actions(const Term &term) {
  return llvm::count_if(term.nodes, [](const TermNode &node) {
    return node.kind == TermKind::Action;
  });
}

size_t wantedFrom(const char *variable, size_t otherwise) {
  const char *count = std::getenv(variable);
  return count ? std::strtoul(count, nullptr, 10) : otherwise;
}

} // namespace

// Calls in last place, and interruption: what connectedness promises is true.
TEST(Recursion, PromisesOfTailCalls) {
  size_t wanted = wantedFrom("CIF_TEST_IOC_RECURSION", 100);
  for (IocSemantics semantics : allSemantics) {
    RandomIoc random(500 + static_cast<unsigned>(semantics));
    size_t found = 0, tries = 0, interrupted = 0;
    for (; found < wanted && tries < 2000 * wanted; ++tries) {
      Term made = random.makeWild(6);
      if (!hasKind(made, TermKind::Call) && !hasKind(made, TermKind::Interrupt))
        continue;
      Choreography c(source(made, made.root()));
      if (!c.read.ok || !c.graph)
        continue;
      Connectedness connected = c.check(semantics);
      if (!connected.holds())
        continue;
      ++found;
      interrupted += hasKind(made, TermKind::Interrupt);
      ASSERT_TRUE(promise(made, semantics, connected.hasChoice))
          << iocSemanticsName(semantics).str() << ": " << text(made);
    }
    std::printf("%s: %zu of %zu, %zu with interruption\n",
                iocSemanticsName(semantics).data(), found, tries, interrupted);
    std::fflush(stdout);
    EXPECT_EQ(found, wanted) << iocSemanticsName(semantics).str();
  }
}

// Calls that something follows: their unfoldings keep the promise.
TEST(Recursion, PromisesOfUnfoldings) {
  size_t wanted = wantedFrom("CIF_TEST_IOC_RECURSION", 100);
  for (IocSemantics semantics : allSemantics) {
    RandomIoc wild(600 + static_cast<unsigned>(semantics));
    RandomRecursion random(650 + static_cast<unsigned>(semantics));
    size_t found = 0, tries = 0;
    for (; found < wanted && tries < 1000 * wanted; ++tries) {
      Term made = tries % 8 ? random.make() : wild.makeWild(6, true);
      if (!hasKind(made, TermKind::Call))
        continue;
      Choreography c(source(made, made.root()));
      if (!c.read.ok || !c.graph || c.graph->calls.empty())
        continue;
      Connectedness connected = c.check(semantics);
      if (!connected.holds())
        continue;
      ++found;
      for (unsigned levels = 1; levels <= 3; ++levels) {
        Term unfolded = Unfold::run(made, levels);
        if (actions(unfolded) > 14)
          break;
        ASSERT_TRUE(promise(unfolded, semantics, connected.hasChoice))
            << iocSemanticsName(semantics).str() << ": " << text(made)
            << " unfolded " << levels << " times: " << text(unfolded);
      }
    }
    std::printf("%s: %zu of %zu\n", iocSemanticsName(semantics).data(), found,
                tries);
    std::fflush(stdout);
    EXPECT_EQ(found, wanted) << iocSemanticsName(semantics).str();
  }
}

// Interruption of parallel branches that never end.
TEST(Recursion, PromisesOfInterruptedBranches) {
  size_t found[numIocSemantics] = {};
  std::mt19937_64 random(71);
  auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  for (int i = 0; i < 6000; ++i) {
    uint32_t roles = 2 + below(2), operations = 0, last = 0;
    // Mostly between the first two roles.
    auto step = [&](TermMaker &m) {
      uint32_t from = below(3) ? 0 : below(roles);
      uint32_t to = (from + 1 + (below(3) ? 0 : below(roles - 1))) % roles;
      uint32_t operation = below(12) ? operations++ : below(operations + 1);
      operations = std::max(operations, operation + 1);
      last = to;
      return m.interaction(from, to, operation);
    };
    TermMaker m;
    auto endless = [&] {
      if (below(2)) {
        TermId x = step(m);
        if (below(2))
          x = m.join(TermKind::Sequence, {x, step(m)});
        return m.join(TermKind::Sequence, {x, m.leaf(TermKind::Stuck)});
      }
      m.openRec();
      std::vector<TermId> round{step(m)};
      if (below(2))
        round.push_back(step(m));
      round.push_back(m.call(0));
      return m.closeRec(m.join(TermKind::Sequence, round));
    };
    TermId left = endless(), right = endless();
    TermId both = m.join(TermKind::Parallel, {left, right});
    TermId outer = step(m);
    if (below(2))
      outer = m.join(TermKind::Sequence, {outer, step(m)});
    m.join(TermKind::Interrupt, {both, outer});
    Choreography c(source(m.term, m.term.root()));
    ASSERT_TRUE(c.read.ok && c.graph) << c.read.diagnostics() << c.reason;
    ASSERT_FALSE(c.graph->races.empty());
    for (IocSemantics semantics : allSemantics) {
      Connectedness connected = c.check(semantics);
      if (!connected.holds())
        continue;
      ++found[static_cast<unsigned>(semantics)];
      ASSERT_TRUE(promise(m.term, semantics, connected.hasChoice))
          << iocSemanticsName(semantics).str() << ": " << text(m.term);
    }
  }
  for (IocSemantics semantics : allSemantics)
    std::printf("%s: %zu\n", iocSemanticsName(semantics).data(),
                found[static_cast<unsigned>(semantics)]);
  std::fflush(stdout);
  EXPECT_GT(found[0], 100u);
  EXPECT_GT(found[1], 20u);
  // What is interrupted would have to be received by who interrupts it.
  EXPECT_EQ(found[4], 0u);
}

// The graph of a term says what the graph of its behaviour says.
TEST(Recursion, DoesNotDependOnTheForm) {
  RandomIoc random(51);
  size_t connected = 0, compared = 0;
  for (int i = 0; i < 4000; ++i) {
    Term made = random.makeWild(7, i % 2);
    if (hasKind(made, TermKind::Interrupt))
      continue;
    Choreography c(source(made, made.root()));
    if (!c.read.ok)
      continue;
    ASSERT_TRUE(c.graph) << c.reason << text(made);
    ++compared;
    for (IocSemantics semantics : allSemantics) {
      ConnectednessOptions options;
      options.semantics = semantics;
      bool holds = checkConnected(made, options).holds();
      connected += holds;
      ASSERT_EQ(holds, c.check(semantics).holds())
          << iocSemanticsName(semantics).str() << ": " << text(made);
      ASSERT_EQ(holds, checkConnected(*c.term, options).holds())
          << iocSemanticsName(semantics).str() << ": " << text(made);
    }
  }
  EXPECT_GT(compared, 1500u);
  EXPECT_GT(connected, 300u);
}

// Parallel branches that are interrupted: each condition is needed.
TEST(Recursion, InterruptedBranches) {
  constexpr auto sync = IocSemantics::Synchronous;
  std::string branches = "( rec X { a -> b : o ; X } || rec Y { a -> b : p ; "
                         "Y } ) [> ";
  EXPECT_EQ(flaws(branches + "a -> b : q", sync), "");
  EXPECT_EQ(flaws(branches + "b -> a : q", sync), "");
  EXPECT_EQ(flaws(branches + "b -> a : q", IocSemantics::Sender).find('D') !=
                std::string::npos,
            true);
  // b may go on while c and d interrupt a.
  EXPECT_EQ(flaws(branches + "c -> d : q ; d -> a : r ; d -> b : s", sync),
            "DIS");
  // b may still wait for o.
  EXPECT_EQ(flaws(branches + "a -> b : q ; a -> b : o", sync), "c");
  // They may end: nobody knows that q does not come any more.
  EXPECT_EQ(flaws("( a -> b : o || a -> b : p ) [> a -> b : q", sync), "I");
}

// [iocpoc], section 6: recursion that is connected, and not.
TEST(Recursion, CallsThatSomethingFollows) {
  constexpr auto disjoint = IocSemantics::Disjoint;
  // Each question gets its answer, innermost first.
  EXPECT_EQ(flaws("rec X { a -> b : o ; ( b -> a : p ; X ; a -> b : q ; "
                  "b -> a : e + b -> a : r ) }",
                  IocSemantics::Synchronous),
            "");
  // After the innermost answer of b the next one comes from b again.
  EXPECT_EQ(flaws("rec X { a -> b : o ; ( b -> a : p ; X ; b -> a : q + "
                  "b -> a : r ) }",
                  disjoint),
            "Sc");
  // c cannot know how many p there will be.
  EXPECT_EQ(flaws("rec X { a -> b : o ; ( b -> a : s ; X ; b -> c : p ; "
                  "c -> a : t + b -> c : q ; c -> a : u ) } ; a -> b : v ; "
                  "b -> c : w",
                  disjoint),
            "SUc");
  // p beside the next round's p.
  EXPECT_EQ(flaws("rec X { a -> b : o ; ( X || b -> a : p ) }",
                  IocSemantics::Synchronous)
                    .find('O') != std::string::npos,
            true);
  // Both branches begin with o, and only one of them ends with p.
  EXPECT_EQ(flaws("rec X { a -> b : o ; loop { ( X ; b -> a : p ) + X } ; "
                  "b -> a : q }",
                  IocSemantics::Synchronous),
            "A");
  // In last place it is a round, and c need not count.
  EXPECT_EQ(flaws("rec X { a -> b : o ; ( b -> a : p ; X + b -> a : r ) } ; "
                  "a -> c : s",
                  disjoint),
            "");
}
