//===- RegionsTest.cpp - Guards over numbers and texts --------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Models with guards over integers and texts, against the same models in which
/// these are enumerations that have every value that could make a difference:
/// each comparison is a list of the literals, or pairs of them, for which it is
/// true.
///
//===----------------------------------------------------------------------===//

#include "Generated.h"
#include "TextFrontEndTest.h"
#include "cif/Equivalence/Compare.h"
#include "cif/Explore/ExploreModule.h"
#include "llvm/ADT/StringExtras.h"
#include <random>

using namespace cif;
using namespace cif::test;

namespace {

/// The numbers that the enumeration has; constants are 0 to 2, and at most
/// three numbers are made in a run where they are compared with each other.
constexpr int lowest = -4, highest = 6;

std::string literal(int value) {
  return value < 0 ? "m" + std::to_string(-value) : "v" + std::to_string(value);
}

/// A text, as it is and with enumerations.
struct Both {
  std::string plain, listed;
  Both operator+(const Both &other) const {
    return {plain + other.plain, listed + other.listed};
  }
};
Both same(const std::string &text) { return {text, text}; }

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed), compares(seed % 3 == 0) {}

  Both choreography() {
    Both text = header() + same("choreography C {\n");
    text = text + block(2 + below(2));
    return text + same("}\n");
  }
  /// Two roles that know what they sent and received.
  Both system() {
    Both text = header() + same("system S {\n");
    for (const char *role : {"a", "b"}) {
      self = role[0];
      known.clear();
      made = 0;
      text = text + same(std::string("role ") + role + " {\n");
      text = text + block(2 + below(2));
      text = text + same("}\n");
    }
    return text + same("}\n");
  }

private:
  int below(int n) { return std::uniform_int_distribution<>(0, n - 1)(random); }

  Both header() {
    std::string all = "enum Number { ";
    for (int v = lowest; v <= highest; ++v)
      all += (v == lowest ? "" : ", ") + literal(v);
    return {"", all + " }\nenum Text { ta, tb, tc }\n"};
  }
  std::string member(const std::string &name,
                     const std::function<bool(int)> &is) {
    std::string text = "(false";
    for (int v = lowest; v <= highest; ++v)
      if (is(v))
        text += " || " + name + " == " + literal(v);
    return text + ")";
  }
  /// A comparison of what is known.
  Both atom() {
    std::string x = known[below(known.size())];
    static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
    int op = below(6);
    auto holds = [op](int a, int b) {
      return op == 0   ? a < b
             : op == 1 ? a <= b
             : op == 2 ? a > b
             : op == 3 ? a >= b
             : op == 4 ? a == b
                       : a != b;
    };
    if (x[0] == 't') {
      std::string sign = op % 2 ? "==" : "!=", text = below(2) ? "a" : "b";
      return {x + " " + sign + " \"" + text + "\"",
              x + " " + sign + " t" + text};
    }
    std::vector<std::string> numbers;
    for (const std::string &name : known)
      if (name[0] == 'x' && name != x)
        numbers.push_back(name);
    if (compares && !numbers.empty() && below(2)) {
      std::string y = numbers[below(numbers.size())], pairs = "(false";
      for (int a = lowest; a <= highest; ++a)
        pairs += " || " + x + " == " + literal(a) + " && " +
                 member(y, [&](int b) { return holds(a, b); });
      return {x + " " + ops[op] + " " + y, pairs + ")"};
    }
    int c = below(3);
    if (below(4)) // twice as much, and one
      return {x + " " + ops[op] + " " + std::to_string(c),
              member(x, [&](int v) { return holds(v, c); })};
    return {"2 * " + x + " + 1 " + ops[op] + " " + std::to_string(c) + " - " +
                x,
            member(x, [&](int v) { return holds(2 * v + 1, c - v); })};
  }
  Both guard() {
    Both first = atom();
    if (below(3))
      return first;
    std::string join = below(2) ? " && " : " || ";
    Both text = same("(") + first + same(join + (below(2) ? "!(" : "("));
    return text + atom() + same("))");
  }
  Both action() {
    char from = below(2) ? 'a' : 'b', to = from == 'a' ? 'b' : 'a';
    bool isText = below(3) == 0 || (compares && made >= 3);
    std::string name = isText ? "w" : "n";
    bool receives = self && from != self;
    std::string head =
        self ? std::string(1, self == 'a' ? 'b' : 'a') +
                   (receives ? "?" : "!") + name + from
             : std::string(1, from) + " -> " + to + " : " + name + from;
    if (!receives && !known.empty() &&
        below(4) == 0) { // pass on, or a constant
      std::string x = known[below(known.size())];
      bool text = x[0] == 't';
      head = head.substr(0, head.size() - 2) + (text ? "w" : "n") + head.back();
      if (below(2))
        return same(head + "(" + x + ")");
      return {head + (text ? "(\"a\")" : "(1)"),
              head + (text ? "(ta)" : "(v1)")};
    }
    std::string x = (isText ? "t" : "x") + std::string(1, self ? self : 'c') +
                    std::to_string(made++);
    known.push_back(x);
    return {head + "(" + x + (isText ? ": string)" : ": int)"),
            head + "(" + x + (isText ? ": Text)" : ": Number)")};
  }
  Both block(int length) {
    Both text;
    for (int i = 0; i < length; ++i) {
      if (i)
        text = text + same(" ;\n");
      if (known.empty() || below(2)) {
        text = text + action();
        continue;
      }
      std::vector<std::string> before = known;
      bool loops = !compares && below(3) == 0;
      text = text + same(loops ? "while [" : "([");
      text = text + guard();
      text = text + same(loops ? "] { " : "] => ");
      text = text + action();
      known = before;
      if (!loops) {
        text = text + same(" + [");
        text = text + guard();
        text = text + same("] => ");
        text = text + action();
        known = before;
      }
      text = text + same(loops ? " }" : ")");
    }
    return text;
  }

  std::mt19937 random;
  bool compares;
  char self = 0;
  int made = 0;
  std::vector<std::string> known;
};

void compareBoth(const Both &text, SemanticsKind kind,
                 std::optional<NetworkKind> network, unsigned &compared) {
  std::vector<Lts> found;
  for (const std::string *source : {&text.plain, &text.listed}) {
    Read read(parseIoc, *source);
    if (!read.ok && kind == SemanticsKind::Collaboration)
      return; // somebody waits for what nobody sends
    ASSERT_TRUE(read.ok) << *source << read.diagnostics();
    SourceManager sources;
    DiagnosticCollector collected;
    DiagnosticEngine diags(sources, collected);
    SemanticsOptions semantics;
    semantics.semantics = kind;
    semantics.network = network;
    semantics.bound = 1;
    ExplorerOptions limits;
    limits.limits.maxStates = 20000;
    ExploredModule explored =
        exploreModule(read.module, semantics, limits, diags);
    ASSERT_TRUE(explored) << *source;
    if (!explored.system->abstractions().empty())
      return; // too many combinations
    if (!explored->complete)
      return;
    found.push_back(std::move(explored->lts));
  }
  CompareOptions options;
  options.observeFinals = true;
  for (Relation relation : {Relation::WeakTrace, Relation::Failures}) {
    Comparison comparison = compare(found[0], found[1], relation, options);
    ASSERT_TRUE(comparison.holds())
        << text.plain
        << (comparison.difference
                ? llvm::join(comparison.difference->sentences, "; ")
                : comparison.limit);
  }
  ++compared;
}
} // namespace

TEST(Regions, AsEnumerated) {
  Generated models("models with guards over all values", 100);
  unsigned compared = 0;
  for (unsigned seed = 0; seed < models.wanted(); ++seed) {
    Generator generator(seed);
    if (seed % 2)
      compareBoth(generator.choreography(), SemanticsKind::Choreography, {},
                  compared);
    else
      compareBoth(generator.system(), SemanticsKind::Collaboration,
                  seed % 4 ? NetworkKind::Sync : NetworkKind::Bag, compared);
    if (HasFatalFailure())
      return;
  }
  while (models.done() < compared)
    models.count();
  EXPECT_GT(compared, models.wanted() * 3 / 4);
}
