//===- NaiveSymbolic.h - Guarded choreographies, value by value -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A second, naive implementation of symbolic conformance: terms with guards
/// are run with every value in {0, ..., 3}, and the relation of
/// [symbolic, Def. 4] is computed on what comes out, value by value. It shares
/// nothing with lib/Symbolic.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVESYMBOLIC_H
#define CIF_TEST_UNIT_NAIVESYMBOLIC_H

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace cif::test {

constexpr int domain = 4;

/// `variable op constant`, or `variable op other variable`.
struct NaiveCondition {
  int left = 0, right = -1, constant = 0;
  std::string op = "<";
  bool negated = false;

  bool holds(const std::array<int, 2> &values) const {
    int l = values[left], r = right < 0 ? constant : values[right];
    bool truth = op == "<"    ? l < r
                 : op == "<=" ? l <= r
                 : op == "==" ? l == r
                 : op == "!=" ? l != r
                 : op == ">"  ? l > r
                              : l >= r;
    return truth != negated;
  }
  std::string text() const {
    std::string names[] = {"x", "y"};
    std::string inner = names[left] + " " + op + " " +
                        (right < 0 ? std::to_string(constant) : names[right]);
    return negated ? "!(" + inner + ")" : inner;
  }
};

struct NaiveTerm;
using TermPtr = std::shared_ptr<const NaiveTerm>;

/// A term over the variables x and y.
struct NaiveTerm {
  /// Of Decide one branch whose condition is true is taken silently, of Include
  /// all of them; b is the default where it has no condition.
  enum Kind {
    Done,
    Action,
    Seq,
    Choice,
    Par,
    Interrupt,
    Guard,
    While,
    Decide,
    Include
  };
  Kind kind = Done;
  std::string message; ///< of Action
  /// How many fields it has; bound variables, or the sum that is sent.
  int fields = 0;
  std::array<int, 2> binds{-1, -1};
  int sends = -1, plus = 0; ///< the variable that is sent, and what is added
  NaiveCondition condition;
  std::optional<NaiveCondition> other; ///< of Decide and Include: of b
  TermPtr a, b;

  std::string text() const {
    std::string names[] = {"x", "y"};
    switch (kind) {
    case Done:
      return "1";
    case Action: {
      std::string result = "a -> b : " + message;
      if (!fields)
        return result;
      if (sends >= 0)
        return result + "(" + names[sends] + " + " + std::to_string(plus) + ")";
      result += "(";
      for (int i = 0; i < fields; ++i)
        result += (i ? ", " : "") + names[binds[i]] + ": int";
      return result + ")";
    }
    case Seq:
      return "(" + a->text() + " ; " + b->text() + ")";
    case Choice:
      return "(" + a->text() + " + " + b->text() + ")";
    case Par:
      return "(" + a->text() + " || " + b->text() + ")";
    case Interrupt:
      return "(" + a->text() + " [> " + b->text() + ")";
    case Guard:
      return "([" + condition.text() + "] => (" + a->text() + "))";
    case While:
      return "while [" + condition.text() + "] { " + a->text() + " }";
    case Decide:
    case Include: // see listSilent
      return "([" + condition.text() + "] => (" + a->text() + ")\n+ " +
             (other ? "[" + other->text() + "] => " : "") + "(" + b->text() +
             "))";
    }
    return "";
  }

  /// The terms that decide silently, in the order of the lines that begin with
  /// their `+`. The language has no words for them.
  void listSilent(std::vector<const NaiveTerm *> &found) const {
    if (a)
      a->listSilent(found);
    if (kind == Decide || kind == Include)
      found.push_back(this);
    if (b)
      b->listSilent(found);
  }
};

inline TermPtr naive(NaiveTerm term) {
  return std::make_shared<NaiveTerm>(std::move(term));
}
inline TermPtr naive(NaiveTerm::Kind kind, TermPtr a, TermPtr b = nullptr) {
  NaiveTerm term;
  term.kind = kind;
  term.a = std::move(a);
  term.b = std::move(b);
  return naive(std::move(term));
}

struct NaiveConfig {
  TermPtr term; ///< null: has ended
  std::array<int, 2> values{0, 0};
  std::string key() const {
    return (term ? term->text() : "0") + "@" + std::to_string(values[0]) +
           std::to_string(values[1]);
  }
};

/// One edge: what it leads to for each value (or pair of values), if it may
/// carry that.
struct NaiveMove {
  std::string label; ///< "done", a message, or "tau"
  std::vector<std::optional<NaiveConfig>> targets;
};

inline std::vector<NaiveMove> naiveMoves(const TermPtr &term,
                                         std::array<int, 2> values) {
  std::vector<NaiveMove> moves;
  auto wrap = [&](std::vector<NaiveMove> inner, auto change) {
    for (NaiveMove &move : inner) {
      for (auto &target : move.targets)
        if (target && move.label != "done")
          target->term = change(target->term);
      moves.push_back(std::move(move));
    }
  };
  switch (term->kind) {
  case NaiveTerm::Done:
    moves.push_back({"done", {NaiveConfig{nullptr, values}}});
    break;
  case NaiveTerm::Action: {
    int count = term->fields == 0   ? 1
                : term->fields == 1 ? domain
                                    : domain * domain;
    NaiveMove move{term->message, {}};
    for (int v = 0; v < count; ++v) {
      NaiveConfig next{naive(NaiveTerm()), values};
      int parts[] = {v % domain, v / domain};
      if (term->sends >= 0 && v != values[term->sends] + term->plus) {
        move.targets.push_back(std::nullopt);
        continue;
      }
      for (int i = 0; i < term->fields; ++i)
        if (term->sends < 0)
          next.values[term->binds[i]] = parts[i];
      move.targets.push_back(next);
    }
    moves.push_back(std::move(move));
    break;
  }
  case NaiveTerm::Seq:
    for (NaiveMove &move : naiveMoves(term->a, values)) {
      if (move.label != "done") {
        for (auto &target : move.targets)
          if (target)
            target->term = naive(NaiveTerm::Seq, target->term, term->b);
        moves.push_back(std::move(move));
        continue;
      }
      for (NaiveMove &after : naiveMoves(term->b, values))
        moves.push_back(std::move(after));
    }
    break;
  case NaiveTerm::Choice:
    moves = naiveMoves(term->a, values);
    for (NaiveMove &move : naiveMoves(term->b, values))
      moves.push_back(std::move(move));
    break;
  case NaiveTerm::Par: {
    bool ends[] = {false, false};
    for (int side : {0, 1})
      for (NaiveMove &move : naiveMoves(side ? term->b : term->a, values)) {
        if (move.label == "done") {
          ends[side] = true;
          continue;
        }
        for (auto &target : move.targets)
          if (target)
            target->term = side ? naive(NaiveTerm::Par, term->a, target->term)
                                : naive(NaiveTerm::Par, target->term, term->b);
        moves.push_back(std::move(move));
      }
    if (ends[0] && ends[1])
      moves.push_back({"done", {NaiveConfig{nullptr, values}}});
    break;
  }
  case NaiveTerm::Interrupt:
    wrap(naiveMoves(term->a, values),
         [&](TermPtr t) { return naive(NaiveTerm::Interrupt, t, term->b); });
    for (NaiveMove &move : naiveMoves(term->b, values))
      moves.push_back(std::move(move));
    break;
  case NaiveTerm::Guard:
    if (term->condition.holds(values))
      moves = naiveMoves(term->a, values);
    break;
  case NaiveTerm::Decide:
  case NaiveTerm::Include: {
    bool first = term->condition.holds(values);
    bool second = term->other ? term->other->holds(values) : !first;
    auto take = [&](TermPtr branch) {
      moves.push_back({"tau", {NaiveConfig{std::move(branch), values}}});
    };
    if (term->kind == NaiveTerm::Include && first && second) {
      take(naive(NaiveTerm::Par, term->a, term->b));
      break;
    }
    if (first)
      take(term->a);
    if (second)
      take(term->b);
    break;
  }
  case NaiveTerm::While:
    if (!term->condition.holds(values)) {
      moves.push_back({"done", {NaiveConfig{nullptr, values}}});
      break;
    }
    for (NaiveMove &move : naiveMoves(term->a, values)) {
      if (move.label == "done")
        continue;
      for (auto &target : move.targets)
        if (target)
          target->term = naive(NaiveTerm::Seq, target->term, term);
      moves.push_back(std::move(move));
    }
    break;
  }
  // An edge that may carry no value at all is none.
  std::erase_if(moves, [](const NaiveMove &move) {
    for (const auto &target : move.targets)
      if (target)
        return false;
    return true;
  });
  return moves;
}

/// Conformance of two terms, value by value. Messages that begin with `h` are
/// hidden; where \p hidden is given, they carry that value only. Silent steps
/// of the choreography are treated as those of the implementation.
class NaiveConformance {
public:
  NaiveConformance(TermPtr implementation, TermPtr choreography,
                   std::optional<int> hiddenValue = std::nullopt)
      : hidden(hiddenValue) {
    first = pair({std::move(implementation)}, {std::move(choreography)});
  }

  /// Nothing: too many pairs.
  std::optional<bool> holds(size_t most = 20000) {
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (pairs.size() > most)
        return std::nullopt;
      visit(i);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < pairs.size(); ++i)
        if (pairs[i].related && !check(i)) {
          pairs[i].related = false;
          changed = true;
        }
      if (!pairs[first].related)
        return false;
    }
    return true;
  }

private:
  struct Pair {
    NaiveConfig left, right;
    bool related = true;
  };

  size_t pair(const NaiveConfig &l, const NaiveConfig &r) {
    auto [at, isNew] =
        numbers.try_emplace(l.key() + " | " + r.key(), pairs.size());
    if (isNew)
      pairs.push_back({l, r});
    return at->second;
  }
  const std::vector<NaiveMove> &moves(const NaiveConfig &c, bool left) {
    auto [at, isNew] = known.try_emplace((left ? "l" : "r") + c.key());
    if (!isNew || !c.term)
      return at->second;
    for (NaiveMove &move : naiveMoves(c.term, c.values)) {
      if (!left || move.label[0] != 'h') {
        at->second.push_back(std::move(move));
        continue;
      }
      for (size_t v = 0; v < move.targets.size(); ++v)
        if (move.targets[v] && (!hidden || int(v) == *hidden))
          at->second.push_back({"tau", {move.targets[v]}});
    }
    return at->second;
  }
  std::vector<NaiveConfig> silent(const NaiveConfig &from, bool left) {
    std::vector<NaiveConfig> found{from};
    std::set<std::string> seen{from.key()};
    for (size_t i = 0; i < found.size(); ++i)
      for (const NaiveMove &move : std::vector(moves(found[i], left)))
        if (move.label == "tau" && seen.insert(move.targets[0]->key()).second)
          found.push_back(*move.targets[0]);
    return found;
  }
  void visit(size_t i) {
    const Pair at = pairs[i];
    for (const NaiveConfig &c : silent(at.left, true))
      for (const NaiveConfig &d : silent(at.right, false)) {
        pair(c, d);
        for (const NaiveMove &l : std::vector(moves(c, true)))
          for (const NaiveMove &r : std::vector(moves(d, false)))
            if (l.label == r.label && l.label != "tau")
              for (size_t v = 0; v < l.targets.size(); ++v)
                if (l.targets[v] && r.targets[v])
                  pair(*l.targets[v], *r.targets[v]);
      }
  }
  bool related(const NaiveConfig &l, const NaiveConfig &r) {
    return pairs[pair(l, r)].related;
  }
  /// Late: one answer for all values.
  bool answers(const NaiveMove &move, const NaiveMove &answer, bool byRight) {
    if (move.label != answer.label)
      return false;
    if (move.label == "done")
      return true;
    for (size_t v = 0; v < move.targets.size(); ++v)
      if (move.targets[v] &&
          (!answer.targets[v] ||
           !(byRight ? related(*move.targets[v], *answer.targets[v])
                     : related(*answer.targets[v], *move.targets[v]))))
        return false;
    return true;
  }
  /// Whether a move of one side is answered by the other: a silent one by
  /// none, and any after silent steps to what is still related.
  bool isAnswered(const Pair &at, const NaiveMove &move, bool byRight) {
    const bool silently = move.label == "tau";
    if (silently && (byRight ? related(*move.targets[0], at.right)
                             : related(at.left, *move.targets[0])))
      return true;
    for (const NaiveConfig &c :
         silent(byRight ? at.right : at.left, !byRight)) {
      if (!(byRight ? related(at.left, c) : related(c, at.right)))
        continue;
      for (const NaiveMove &answer : std::vector(moves(c, !byRight)))
        if (answers(move, answer, byRight))
          return true;
    }
    return false;
  }
  bool check(size_t i) {
    const Pair at = pairs[i];
    for (const NaiveMove &l : std::vector(moves(at.left, true)))
      if (!isAnswered(at, l, true))
        return false;
    for (const NaiveMove &r : std::vector(moves(at.right, false)))
      if (!isAnswered(at, r, false))
        return false;
    return true;
  }

  std::optional<int> hidden;
  size_t first = 0;
  std::vector<Pair> pairs;
  std::map<std::string, size_t> numbers;
  std::map<std::string, std::vector<NaiveMove>> known;
};

/// Terms at random, and others that are nearly the same.
class NaiveTerms {
public:
  explicit NaiveTerms(unsigned seed) : random(seed) {}

  TermPtr whole() {
    NaiveTerm start;
    start.kind = NaiveTerm::Action;
    start.message = "init";
    start.fields = 2;
    start.binds = {0, 1};
    return naive(NaiveTerm::Seq, naive(start), term(3));
  }
  /// One with decisions that are silent, none of them first in a choice.
  TermPtr withDecisions() {
    NaiveTerm start;
    start.kind = NaiveTerm::Action;
    start.message = "init";
    start.fields = 2;
    start.binds = {0, 1};
    return naive(NaiveTerm::Seq, naive(start), decision(2));
  }
  /// The same term, or with one thing changed that may or may not matter.
  TermPtr variant(const TermPtr &of) {
    NaiveTerm copy = *of;
    switch (pick(6)) {
    case 0: // a hidden exchange before
      if (of->kind == NaiveTerm::Action && of->message != "init") {
        NaiveTerm h;
        h.kind = NaiveTerm::Action;
        h.message = "h";
        h.fields = 1;
        h.binds = {pick(2), -1};
        return naive(NaiveTerm::Seq, naive(h), of);
      }
      break;
    case 1:
      if (of->kind == NaiveTerm::Guard || of->kind == NaiveTerm::While ||
          of->kind == NaiveTerm::Decide || of->kind == NaiveTerm::Include)
        copy.condition = pick(2) ? sameAs(of->condition) : condition();
      break;
    case 2:
      if (of->kind == NaiveTerm::Choice)
        std::swap(copy.a, copy.b);
      break;
    case 3:
      if ((of->kind == NaiveTerm::Decide || of->kind == NaiveTerm::Include) &&
          pick(2))
        copy.kind = of->kind == NaiveTerm::Decide ? NaiveTerm::Include
                                                  : NaiveTerm::Decide;
      break;
    default:
      break;
    }
    if (copy.a)
      copy.a = variant(copy.a);
    if (copy.b)
      copy.b = variant(copy.b);
    return naive(copy);
  }

private:
  int pick(int n) { return int(random() % unsigned(n)); }
  NaiveCondition condition() {
    static const char *const ops[] = {"<", "<=", "==", "!=", ">", ">="};
    NaiveCondition c;
    c.left = pick(2);
    c.op = ops[pick(6)];
    if (pick(3) == 0)
      c.right = 1 - c.left;
    else
      c.constant = pick(4);
    c.negated = pick(4) == 0;
    return c;
  }
  /// The opposite, negated.
  NaiveCondition sameAs(NaiveCondition c) {
    static const std::map<std::string, std::string> opposite{
        {"<", ">="}, {">=", "<"},  {">", "<="},
        {"<=", ">"}, {"==", "!="}, {"!=", "=="}};
    c.op = opposite.at(c.op);
    c.negated = !c.negated;
    return c;
  }
  TermPtr action() {
    NaiveTerm t;
    t.kind = NaiveTerm::Action;
    t.fields = pick(2);
    t.message = t.fields ? "m" : pick(2) ? "p" : "q";
    if (t.fields && pick(3) == 0) {
      t.sends = pick(2);
      t.plus = pick(2);
    } else if (t.fields) {
      t.binds = {pick(2), -1};
    }
    return naive(t);
  }
  TermPtr term(int depth) {
    if (!depth)
      return pick(6) ? action() : naive(NaiveTerm());
    switch (pick(8)) {
    case 0:
    case 1:
      return naive(NaiveTerm::Seq, term(depth - 1), term(depth - 1));
    case 2: {
      // Both branches under a guard and its opposite, or not.
      TermPtr a = guard(term(depth - 1), condition());
      NaiveCondition other = a->condition;
      other.negated = !other.negated;
      return naive(NaiveTerm::Choice, a,
                   pick(3) ? guard(term(depth - 1), other) : term(depth - 1));
    }
    case 3:
      return naive(NaiveTerm::Choice, term(depth - 1), term(depth - 1));
    case 4:
      return depth > 2 ? action()
                       : naive(NaiveTerm::Par, term(depth - 1), action());
    case 5:
      return guard(term(depth - 1), condition());
    case 6: {
      NaiveTerm t;
      t.kind = NaiveTerm::While;
      t.condition = condition();
      t.a = naive(NaiveTerm::Seq, action(),
                  depth > 1 ? term(depth - 2) : action());
      return naive(t);
    }
    default:
      return pick(3) ? action()
                     : naive(NaiveTerm::Interrupt, term(depth - 1), action());
    }
  }
  TermPtr decision(int depth) {
    NaiveTerm t;
    auto behind = [&] {
      return naive(NaiveTerm::Seq, action(), decision(depth - 1));
    };
    if (!depth)
      return pick(5) ? action() : naive(NaiveTerm());
    switch (pick(7)) {
    case 0:
      return behind();
    case 1:
      return naive(NaiveTerm::Choice, guard(behind(), condition()), behind());
    case 2:
      return depth > 2 ? behind()
                       : naive(NaiveTerm::Par, decision(depth - 1), action());
    default:
      t.kind = pick(2) ? NaiveTerm::Decide : NaiveTerm::Include;
      t.condition = condition();
      if (pick(4))
        t.other = condition();
      t.a = decision(depth - 1);
      t.b = decision(depth - 1);
      return naive(t);
    }
  }
  TermPtr guard(TermPtr inner, NaiveCondition c) {
    NaiveTerm t;
    t.kind = NaiveTerm::Guard;
    t.condition = c;
    t.a = std::move(inner);
    return naive(t);
  }

  std::mt19937 random;
};

} // namespace cif::test

#endif
