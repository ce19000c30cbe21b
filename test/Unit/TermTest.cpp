//===- TermTest.cpp - Terms of block-structured behaviours ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Term.h"
#include "TextFrontEndTest.h"
#include "cif/Calculus/ParallelParts.h"

using namespace cif;
using namespace cif::test;

namespace {

/// What stands before the subterms of \p id, or all of it.
std::string beginningOf(const Module &module, const Behaviour &behaviour,
                        const Term &term, TermId id) {
  const TermNode &node = term[id];
  auto recName = [&](NodeId rec) {
    Name name = behaviour.node(rec).name;
    return name.empty() ? "#" + std::to_string(rec.index())
                        : module.text(name).str();
  };
  switch (node.kind) {
  case TermKind::Done:
    return "1";
  case TermKind::Stuck:
    return "0";
  case TermKind::Action:
    return module.exchangeText(behaviour.node(node.node).message);
  case TermKind::Tau: {
    ParticipantId who = behaviour.node(node.node).participant;
    return who ? "tau " + module.participantName(who).str() : "tau";
  }
  case TermKind::Call:
    return recName(term[node.target].node);
  case TermKind::Guard:
    return "[...] => ";
  case TermKind::While:
    return "while [...] { ";
  case TermKind::Loop:
    return node.deferred ? "loop { " : "silent loop { ";
  case TermKind::Rec:
    return "rec " + recName(node.node) + " { ";
  default:
    return "";
  }
}

/// The term as text, with the names of messages: `(a -> b : m ; 1) + 0`; guards
/// are shown as `[...] =>`.
std::string termText(const Module &module, const Behaviour &behaviour,
                     const Term &term) {
  std::string text;
  struct Visit {
    TermId id;
    TermId next;
    bool paren;
  };
  std::vector<Visit> path;
  auto enter = [&](TermId id, bool paren) {
    if (paren)
      text += "(";
    text += beginningOf(module, behaviour, term, id);
    path.push_back({id, term[id].firstChild, paren});
  };
  enter(term.root(), false);
  while (!path.empty()) {
    Visit &visit = path.back();
    const TermNode &node = term[visit.id];
    if (visit.next) {
      TermId child = visit.next;
      if (child != node.firstChild)
        text += node.kind == TermKind::Sequence   ? " ; "
                : node.kind == TermKind::Parallel ? " || "
                : node.kind == TermKind::Choice
                    ? (node.deferred ? " + " : " (+) ")
                    : " [> ";
      visit.next = term[child].nextSibling;
      int outer = termPrecedence(node.kind);
      bool paren = outer < 5 && term[child].numChildren &&
                   termPrecedence(term[child].kind) <= outer;
      enter(child, paren); // `visit` is gone after this
      continue;
    }
    if (node.kind == TermKind::While || node.kind == TermKind::Loop ||
        node.kind == TermKind::Rec)
      text += " }";
    if (visit.paren)
      text += ")";
    path.pop_back();
  }
  return text;
}

std::string recovered(const std::string &text) {
  Read read(parseIoc, "choreography C { " + text + " }");
  EXPECT_TRUE(read.ok) << text << "\n" << read.diagnostics();
  if (!read.ok)
    return "";
  const Behaviour &b = read.module.behaviours[0];
  TermBreak why;
  std::optional<Term> term = recoverTerm(b, &why);
  if (!term)
    return "broken at " + std::to_string(why.node.raw()) + ": " + why.reason;
  return termText(read.module, b, *term);
}

/// Terms at random, as text and as the text that is expected back: without
/// parentheses that are not needed, sequences flat, no `1` in them.
class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  struct Made {
    std::string text, expected;
    int precedence = 5;
    bool isDone = false, hasChildren = false;
    bool endsInGuard = false; ///< which takes what would follow
  };

  Made make(unsigned depth) {
    unsigned kind = depth == 0 ? random() % 5 : random() % 12;
    switch (kind) {
    case 0:
      return {"1", "1", 5, true};
    case 1:
      return {"0", "0"};
    case 2:
      return {"tau a", "tau a"};
    case 3:
      if (!guardedRecs.empty()) {
        std::string name = guardedRecs[random() % guardedRecs.size()];
        return {name, name};
      }
      [[fallthrough]];
    case 4: {
      std::string m = "a -> b : m" + std::to_string(random() % 9);
      return {m, m};
    }
    case 5:
    case 6:
      return sequence(depth);
    case 7:
      return several(" || ", 2, depth);
    case 8:
      return several(" + ", 1, depth);
    case 9: {
      Made a = make(depth - 1), b = make(depth - 1);
      return {"((" + a.text + ") [> (" + b.text + "))",
              operand(a, 0) + " [> " + operand(b, 0), 0, false, true};
    }
    case 10: {
      bool isWhile = random() % 2;
      Made body = make(depth - 1);
      return {(isWhile ? "while [true] { " : "loop { ") + body.text + " }",
              (isWhile ? "while [...] { " : "loop { ") + body.expected + " }",
              5, false, true};
    }
    default: {
      std::string name = "X" + std::to_string(next++);
      guardedRecs.push_back(name);
      Made body = make(depth - 1);
      guardedRecs.erase(llvm::find(guardedRecs, name));
      // A recursion that nobody calls is just its body.
      std::string text =
          "rec " + name + " { tau c ; (" + body.text + " + " + name + ") }";
      Made choice{"", operand(body, 1) + " + " + name, 1, false, true};
      return {text, "rec " + name + " { tau c ; (" + choice.expected + ") }", 5,
              false, true};
    }
    }
  }

private:
  static std::string operand(const Made &made, int outer) {
    return made.hasChildren && made.precedence <= outer
               ? "(" + made.expected + ")"
               : made.expected;
  }

  Made sequence(unsigned depth) {
    std::string text, expected;
    unsigned count = 0;
    bool guard = random() % 4 == 0;
    Made only;
    for (unsigned n = 2 + random() % 3; n; --n) {
      Made item = make(depth - 1);
      text += (text.empty() ? "(" : " ; (") + item.text + ")";
      if (item.isDone)
        continue;
      bool flat = item.precedence == 4;
      if (item.endsInGuard)
        n = 1; // it comes last
      expected += (expected.empty() ? "" : " ; ") +
                  (flat ? item.expected : operand(item, 4));
      count += flat ? 2 : 1;
      only = item;
    }
    Made result{"(" + text + ")", expected, 4, false, true, only.endsInGuard};
    if (count == 0)
      result = {result.text, "1", 5, true};
    if (count == 1)
      result = {result.text, only.expected,    only.precedence,
                false,       only.hasChildren, only.endsInGuard};
    if (guard && !result.isDone && !result.endsInGuard)
      return {"([true] => " + result.text + ")",
              "[...] => " + operand(result, 3),
              3,
              false,
              true,
              true};
    return result;
  }

  Made several(const char *op, int precedence, unsigned depth) {
    std::string text, expected;
    for (unsigned n = 2 + random() % 2, i = 0; i < n; ++i) {
      Made item = make(depth - 1);
      text += (i ? op : "") + ("(" + item.text + ")");
      expected += (i ? op : "") + operand(item, precedence);
    }
    return {"(" + text + ")", expected, precedence, false, true};
  }

  std::mt19937 random;
  std::vector<std::string> guardedRecs;
  unsigned next = 0;
};

/// A graph from `0>1 1>2 ...` and kinds by letter.
struct Graph {
  Graph(StringRef kinds, ArrayRef<std::pair<unsigned, unsigned>> edges) {
    for (char c : kinds) {
      Node n;
      n.kind = c == 'i'   ? NodeKind::Initial
               : c == 'f' ? NodeKind::Final
               : c == 'x' ? NodeKind::Choice
               : c == 'e' ? NodeKind::EventChoice
               : c == 'j' ? NodeKind::SimpleJoin
               : c == 'p' ? NodeKind::AllSelect
               : c == 'q' ? NodeKind::AllJoin
               : c == 's' ? NodeKind::SubsetSelect
                          : NodeKind::Task;
      b.nodes.push_back(n);
    }
    for (auto [from, to] : edges) {
      Flow f;
      f.source = NodeId(from);
      f.target = NodeId(to);
      b.flows.push_back(f);
    }
  }
  std::string text() {
    TermBreak why;
    std::optional<Term> term = recoverTerm(b, &why);
    return term ? termText(Module(), b, *term)
                : std::to_string(why.node.raw()) + ": " + why.reason;
  }
  Behaviour b;
};

} // namespace

TEST(Term, OfEveryConstruct) {
  for (const char *text :
       {"1", "0", "tau a", "a -> b : m ; b -> a : n", "1 + tau a", "tau a || 1",
        "loop { tau a }", "loop { 1 }", "loop { loop { tau a } ; tau b }",
        "rec X { tau a ; (X + 1) ; tau b }", "tau a [> tau b ; tau c",
        "tau a + tau b || tau c [> 1", "0 ; tau a"})
    EXPECT_EQ(recovered(text), text);
  EXPECT_EQ(recovered("while [true] { tau a ; while [false] { 1 } }"),
            "while [...] { tau a ; while [...] { 1 } }");
  EXPECT_EQ(recovered("tau a ; ([true] => tau b) ; tau c"),
            "tau a ; ([...] => tau b ; tau c)");
  EXPECT_EQ(recovered("[true] => tau b + [false] => [true] => tau c"),
            "[...] => tau b + [...] => ([...] => tau c)");
  EXPECT_EQ(recovered("rec X { tau a } ; tau b"), "tau a ; tau b");
}

TEST(Term, ChildrenStandBeforeTheirParents) {
  Read read(parseIoc, "choreography C { tau a ; (rec X { tau b ; X } || 1) }");
  std::optional<Term> term = recoverTerm(read.module.behaviours[0]);
  ASSERT_TRUE(term);
  std::vector<bool> seen(term->size());
  for (size_t i = 0; i < term->size(); ++i) {
    const TermNode &node = term->nodes[i];
    uint32_t count = 0;
    for (TermId c = node.firstChild; c; c = (*term)[c].nextSibling, ++count) {
      EXPECT_LT(c.index(), i);
      EXPECT_FALSE(seen[c.index()]);
      seen[c.index()] = true;
    }
    EXPECT_EQ(count, node.numChildren);
    if (node.kind == TermKind::Call) {
      EXPECT_EQ((*term)[node.target].kind, TermKind::Rec);
    }
  }
  EXPECT_EQ(llvm::count(seen, true), static_cast<long>(term->size() - 1));
}

TEST(Term, OfTermsAtRandom) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Generator::Made made = Generator(seed).make(1 + seed % 6);
    EXPECT_EQ(recovered(made.text), made.expected) << made.text;
  }
}

TEST(Term, OfOtherGraphs) {
  // One join closes two blocks.
  EXPECT_EQ(Graph("ixtxttjf", {{0, 1},
                               {1, 2},
                               {1, 3},
                               {3, 4},
                               {3, 5},
                               {2, 6},
                               {4, 6},
                               {5, 6},
                               {6, 7}})
                .text(),
            "tau (+) (tau (+) tau)");
  // Branches that run to ends of their own.
  EXPECT_EQ(Graph("iettff", {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 5}}).text(),
            "tau + tau");
  EXPECT_EQ(Graph("iptff", {{0, 1}, {1, 2}, {1, 3}, {2, 4}}).text(),
            "tau || 1");
  // Some meet and go on, one ends.
  EXPECT_EQ(Graph("ietttfjtf", {{0, 1},
                                {1, 2},
                                {1, 3},
                                {1, 4},
                                {2, 5},
                                {3, 6},
                                {4, 6},
                                {6, 7},
                                {7, 8}})
                .text(),
            "tau + (tau + tau) ; tau");
  // The test stands at the end of the loop.
  EXPECT_EQ(
      Graph("ijtxtf", {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 1}, {3, 5}}).text(),
      "rec #1 { tau ; (tau ; #1 (+) 1) }");
  // No way out.
  EXPECT_EQ(Graph("ijt", {{0, 1}, {1, 2}, {2, 1}}).text(),
            "rec #1 { tau ; #1 }");
  EXPECT_EQ(
      Graph("ijett", {{0, 1}, {1, 2}, {2, 3}, {2, 4}, {3, 1}, {4, 1}}).text(),
      "rec #1 { tau ; #1 + tau ; #1 }");
  // Two bodies, the exit first.
  EXPECT_EQ(
      Graph("ijettf", {{0, 1}, {1, 2}, {2, 5}, {2, 3}, {2, 4}, {3, 1}, {4, 1}})
          .text(),
      "loop { tau + tau }");
}

TEST(Term, TellsWhereTheStructureBreaks) {
  EXPECT_EQ(
      Graph("ixttqf", {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 5}}).text(),
      "4: the join is of a different kind than the split");
  EXPECT_EQ(Graph("istjf", {{0, 1}, {1, 2}, {1, 3}, {2, 3}, {3, 4}}).text(),
            "1: 'subset-select' has no term");
  EXPECT_EQ(Graph("ittf", {{0, 1}, {0, 2}, {1, 3}, {2, 3}}).text(),
            "0: it has several outgoing flows but is not a split");
  // Crossing blocks: a choice in one branch of a parallel jumps into the other.
  EXPECT_EQ(Graph("ipxttjqf", {{0, 1},
                               {1, 2},
                               {2, 3},
                               {2, 5},
                               {1, 4},
                               {4, 5},
                               {3, 6},
                               {5, 6},
                               {6, 7}})
                .text(),
            "6: the join is of a different kind than the split");
  // Out of the loop from inside a parallel block.
  EXPECT_EQ(
      Graph("ijpxtqf",
            {{0, 1}, {1, 2}, {2, 3}, {2, 4}, {3, 5}, {4, 5}, {5, 1}, {3, 6}})
          .text(),
      "3: the loop is left in the middle");
  EXPECT_EQ(Graph("ixjjf", {{0, 1}, {1, 2}, {1, 3}, {2, 3}, {3, 2}}).text(),
            "2: the loop has a second entry");
  EXPECT_EQ(Graph("f", {}).text().substr(10),
            ": it has 0 initial nodes, not one");
}

TEST(Term, DeepAndLong) {
  std::string deep = "choreography C { ";
  constexpr unsigned depth = 100000;
  for (unsigned i = 0; i < depth; ++i)
    deep += i % 2 ? "(tau a + " : "loop { ";
  deep += "tau a";
  for (unsigned i = depth; i-- > 0;)
    deep += i % 2 ? ")" : " }";
  Read read(parseIoc, deep + " }");
  ASSERT_TRUE(read.ok);
  std::optional<Term> term = recoverTerm(read.module.behaviours[0]);
  ASSERT_TRUE(term);
  EXPECT_EQ(term->size(), 1 + depth / 2 * 3u);

  std::string wide = "choreography C { tau a";
  for (unsigned i = 0; i < 200000; ++i)
    wide += i % 2 ? " ; a -> b : m" : " || tau a";
  Read wideRead(parseIoc, wide + " }");
  ASSERT_TRUE(wideRead.ok);
  EXPECT_TRUE(recoverTerm(wideRead.module.behaviours[0]));
}

TEST(Term, AtRandomGraphs) {
  // Whatever the graph is, the search ends, and with one answer.
  std::mt19937 random(7);
  unsigned found = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    unsigned nodes = 3 + random() % 8;
    std::string kinds = "i";
    for (unsigned n = 2; n < nodes; ++n)
      kinds += "txejpqt"[random() % 7];
    kinds += 'f';
    std::vector<std::pair<unsigned, unsigned>> edges;
    for (unsigned n = 0; n + 1 < nodes; ++n) {
      edges.push_back({n, n + 1});
      if (strchr("xep", kinds[n]) || random() % 20 == 0)
        edges.push_back({n, 1 + random() % (nodes - 1)});
    }
    found += Graph(kinds, edges).text().find(':') == std::string::npos;
  }
  EXPECT_GT(found, 100u);
}

// What is left of a sequence stands on its own, unless a message of it was used
// before: that one may still be on its way.
TEST(Term, RestOfSequence) {
  for (const char *last : {"a -> b : x", "b -> a : x", "a -> b : z"}) {
    Read read(parseIoc, std::string("choreography C { a -> b : x ; "
                                    "b -> a : y ; ") +
                            last + " }");
    ASSERT_TRUE(read.ok) << read.diagnostics();
    const Behaviour &behaviour = read.module.behaviours[0];
    OperationNumbers operations;
    std::optional<Term> term = recoverTerm(read.module, behaviour, operations);
    ASSERT_TRUE(term);
    std::optional<Term> rest = restOfSequence(*term, 1);
    EXPECT_EQ(rest.has_value(), StringRef(last) != "a -> b : x") << last;
    if (!rest)
      continue;
    EXPECT_EQ(termText(read.module, behaviour, *rest),
              std::string("b -> a : y ; ") + last);
  }
}
