//===- IocTerms.h - Terms for tests of IOC and POC ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes terms by hand and at random, and checks connectedness again by the
/// definitions, with sets and pairs, to compare with what is fast.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_IOCTERMS_H
#define CIF_TEST_UNIT_IOCTERMS_H

#include "cif/Calculus/Connectedness.h"
#include <random>
#include <set>

namespace cif::test {

class TermMaker {
public:
  Term term;

  TermId leaf(TermKind kind) { return add(kind, {}, {}); }
  TermId interaction(uint32_t sender, uint32_t receiver, uint32_t operation) {
    term.numRoles = std::max({term.numRoles, sender + 1, receiver + 1});
    term.numOperations = std::max(term.numOperations, operation + 1);
    return add(TermKind::Action, {}, {sender, receiver, operation});
  }
  TermId join(TermKind kind, ArrayRef<TermId> children) {
    return add(kind, children, {});
  }
  /// Once more the recursion \p depth of those that are open.
  TermId call(size_t depth) {
    TermId id = add(TermKind::Call, {}, {});
    calls[depth].push_back(id);
    return id;
  }
  size_t openRec() {
    calls.emplace_back();
    return calls.size() - 1;
  }
  /// Closes the innermost recursion.
  TermId closeRec(TermId body) {
    TermId id = join(TermKind::Rec, {body});
    for (TermId call : calls.back())
      term.nodes[call.index()].target = id;
    calls.pop_back();
    return id;
  }

private:
  TermId add(TermKind kind, ArrayRef<TermId> children, TermAction action) {
    TermNode node;
    node.kind = kind;
    node.deferred = true;
    node.action = action;
    return term.add(node, children);
  }
  std::vector<std::vector<TermId>> calls; ///< of each open recursion
};

/// Random terms, of which more are connected than chance would have it: what
/// follows is mostly sent by who received last, and branches by one role.
class RandomIoc {
public:
  explicit RandomIoc(uint64_t seed) : random(seed) {}

  /// \p withLoops: some subterms become loops, mostly of who acts first.
  Term make(unsigned most, bool withLoops = false) {
    loops = withLoops;
    maker = TermMaker();
    roles = 2 + below(2);
    operations = 1 + below(loops ? 12 : 6);
    last = below(roles);
    build(1 + below(most));
    return std::move(maker.term);
  }

  /// With recursion, `while` and interruption too. \p innerCalls: calls may
  /// have something behind or beside them.
  Term makeWild(unsigned most, bool innerCalls = false) {
    loops = false;
    inner = innerCalls;
    maker = TermMaker();
    roles = 2 + below(2);
    operations = 2 + below(12);
    last = below(roles);
    firsts.clear();
    buildWild(1 + below(most), true, false);
    return std::move(maker.term);
  }

private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random() % n); }

  TermId build(unsigned size) {
    if (size == 1) {
      if (below(40) == 0)
        return maker.leaf(below(2) ? TermKind::Done : TermKind::Stuck);
      uint32_t sender = below(8) ? last : below(roles);
      uint32_t receiver = (sender + 1 + below(roles - 1)) % roles;
      last = below(6) ? receiver : sender;
      return maker.interaction(sender, receiver, below(operations));
    }
    if (loops && below(3) == 0)
      return buildLoop(size - 1);
    unsigned left = 1 + below(size - 1);
    uint32_t kind = below(8);
    uint32_t before = last;
    TermId first = build(left);
    if (kind < 3 && below(6))
      last = before;
    TermId second = build(size - left);
    return maker.join(kind == 0   ? TermKind::Parallel
                      : kind <= 2 ? TermKind::Choice
                                  : TermKind::Sequence,
                      {first, second});
  }

  /// A loop of who acts first, mostly with an answer at the end of a round and
  /// a message to all after the last one.
  TermId buildLoop(unsigned size) {
    uint32_t first = last;
    std::vector<TermId> round{build(size)}, parts;
    if (last != first && below(8))
      round.push_back(maker.interaction(last, first, fresh()));
    TermId body =
        round.size() == 1 ? round[0] : maker.join(TermKind::Sequence, round);
    parts.push_back(maker.join(TermKind::Loop, {body}));
    last = first;
    if (below(8))
      for (uint32_t i = 1 + below(2); i < roles + 1; ++i) {
        uint32_t next = i == roles ? first : (first + i) % roles;
        if (next == last || (i == roles && below(2)))
          continue;
        parts.push_back(maker.interaction(last, next, fresh()));
        last = next;
      }
    return parts.size() == 1 ? parts[0] : maker.join(TermKind::Sequence, parts);
  }

  /// As build(), with recursion and interruption. \p tail: nothing follows
  /// within the innermost recursion.
  TermId buildWild(unsigned size, bool tail, bool stepped) {
    bool mayCall = stepped && !firsts.empty() && (tail || inner);
    if (size == 1) {
      if (!mayCall || below(3))
        return build(1);
      // Mostly with an answer to who begins a round.
      uint32_t first = firsts.back();
      if (last == first || below(6) == 0)
        return maker.call(firsts.size() - 1);
      TermId answer = maker.interaction(last, first, fresh());
      last = first;
      return maker.join(TermKind::Sequence,
                        {answer, maker.call(firsts.size() - 1)});
    }
    uint32_t kind = below(16);
    if (kind < 3) {
      firsts.push_back(last);
      maker.openRec();
      TermId body = buildWild(size, true, false);
      firsts.pop_back();
      return maker.closeRec(body);
    }
    if (kind == 3)
      return maker.join(below(2) ? TermKind::Loop : TermKind::While,
                        {buildWild(size - 1, false, stepped)});
    unsigned left = 1 + below(size - 1);
    uint32_t before = last;
    if (kind < 8) { // a choice, interruption or parallel branches
      TermKind join = kind < 6    ? TermKind::Choice
                      : kind == 6 ? TermKind::Interrupt
                                  : TermKind::Parallel;
      bool passes = tail && join != TermKind::Parallel;
      TermId first =
          buildWild(left, passes && join == TermKind::Choice, stepped);
      if (below(6))
        last = before;
      TermId second = buildWild(size - left, passes, stepped);
      return maker.join(join, {first, second});
    }
    TermId first = buildWild(left, false, stepped);
    TermId second = buildWild(size - left, tail, true);
    return maker.join(TermKind::Sequence, {first, second});
  }
  uint32_t fresh() {
    return below(4) ? maker.term.numOperations : below(operations);
  }

  std::mt19937_64 random;
  TermMaker maker;
  uint32_t roles = 2, operations = 1, last = 0;
  bool loops = false, inner = false;
  std::vector<uint32_t> firsts; ///< who begins, of each open recursion
};

inline bool hasKind(const Term &term, TermKind kind) {
  for (const TermNode &node : term.nodes)
    if (node.kind == kind)
      return true;
  return false;
}

inline std::string operatorText(TermKind kind) {
  return kind == TermKind::Sequence    ? " ; "
         : kind == TermKind::Parallel  ? " || "
         : kind == TermKind::Interrupt ? " [> "
                                       : " + ";
}

inline std::string text(const Term &term, TermId id) {
  const TermNode &node = term[id];
  switch (node.kind) {
  case TermKind::Done:
    return "1";
  case TermKind::Stuck:
    return "0";
  case TermKind::Action: {
    const TermAction &x = term.action(id);
    return std::to_string(x.sender) + "->" + std::to_string(x.receiver) + ":o" +
           std::to_string(x.operation);
  }
  case TermKind::Loop:
    return "loop{" + text(term, node.firstChild) + "}";
  case TermKind::While:
    return "while{" + text(term, node.firstChild) + "}";
  case TermKind::Rec:
    return "rec X" + std::to_string(id.index()) + "{" +
           text(term, node.firstChild) + "}";
  case TermKind::Call:
    return "X" + std::to_string(node.target.index());
  default:
    break;
  }
  std::string all;
  for (TermId c = node.firstChild; c; c = term[c].nextSibling)
    all += (all.empty() ? "" : operatorText(node.kind)) + text(term, c);
  return "(" + all + ")";
}
inline std::string text(const Term &term) { return text(term, term.root()); }

inline void closeTransitively(std::vector<std::vector<bool>> &leq) {
  for (size_t k = 0; k < leq.size(); ++k)
    for (size_t i = 0; i < leq.size(); ++i)
      for (size_t j = 0; leq[i][k] && j < leq.size(); ++j)
        if (leq[k][j])
          leq[i][j] = true;
}

/// Connectedness by the letter; causality as published.
class NaiveConnectedness {
public:
  NaiveConnectedness(const Term &term, IocSemantics semantics)
      : term(term), semantics(semantics) {}

  bool sequenceAndChoice() {
    ok = true;
    visit(term.root());
    return ok;
  }

  bool causality() {
    before.clear();
    visit(term.root());
    // Events: 2 * i is the output, 2 * i + 1 the input.
    size_t n = 2 * term.size();
    std::vector<std::vector<bool>> leq(n, std::vector<bool>(n));
    bool sync = semantics == IocSemantics::Synchronous;
    auto roleOf = [&](size_t e) {
      const TermAction &x = term.nodes[e / 2].action;
      return e % 2 ? x.receiver : x.sender;
    };
    for (auto [i, j] : before)
      for (size_t e : {2 * i, 2 * i + 1})
        for (size_t f : {2 * j, 2 * j + 1})
          if ((sync || e % 2) && roleOf(e) == roleOf(f))
            leq[e][f] = leq[e ^ 1][f] = true;
    closeTransitively(leq);
    auto isAction = [&](size_t i) {
      return term.nodes[i].kind == TermKind::Action;
    };
    for (size_t i = 0; i < term.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (isAction(i) && isAction(j) &&
            term.nodes[i].action.operation == term.nodes[j].action.operation &&
            !(leq[2 * i][2 * j + 1] && leq[2 * i + 1][2 * j]) &&
            !(leq[2 * j][2 * i + 1] && leq[2 * j + 1][2 * i]))
          return false;
    return true;
  }

private:
  struct Summary {
    std::set<size_t> initial, final, all;
    std::set<uint32_t> roles;
    bool done = false;
  };

  Summary visit(TermId id) {
    const TermNode &node = term[id];
    Summary s;
    if (node.kind == TermKind::Action) {
      size_t i = id.index();
      s.initial = s.final = s.all = {i};
      s.roles = {term.nodes[i].action.sender, term.nodes[i].action.receiver};
      return s;
    }
    s.done = node.kind == TermKind::Done;
    if (!node.firstChild)
      return s;
    s = visit(node.firstChild);
    for (TermId c = term[node.firstChild].nextSibling; c;
         c = term[c].nextSibling)
      s = combine(node.kind, s, visit(c));
    return s;
  }

  Summary combine(TermKind kind, const Summary &x, const Summary &y) {
    Summary s = x;
    s.all.insert(y.all.begin(), y.all.end());
    s.roles.insert(y.roles.begin(), y.roles.end());
    if (kind == TermKind::Sequence) {
      for (size_t i : x.final)
        for (size_t j : y.initial)
          ok &=
              mayPrecede(semantics, term.nodes[i].action, term.nodes[j].action);
      for (size_t i : x.all)
        for (size_t j : y.all)
          before.insert({i, j});
      if (x.done)
        s.initial.insert(y.initial.begin(), y.initial.end());
      s.final = y.final;
      if (y.done)
        s.final.insert(x.final.begin(), x.final.end());
      s.done = x.done && y.done;
      return s;
    }
    s.initial.insert(y.initial.begin(), y.initial.end());
    s.final.insert(y.final.begin(), y.final.end());
    s.done = kind == TermKind::Choice ? x.done || y.done : x.done && y.done;
    if (kind == TermKind::Choice) {
      ok &= x.roles == y.roles;
      for (size_t i : x.initial)
        for (size_t j : y.initial)
          ok &=
              mayCompete(semantics, term.nodes[i].action, term.nodes[j].action);
    }
    return s;
  }

  const Term &term;
  const IocSemantics semantics;
  bool ok = true;
  std::set<std::pair<size_t, size_t>> before;
};

} // namespace cif::test

#endif
