//===- CausalityTest.cpp - Causality-safety for each resolution -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The corrected causality-safety by its definition: all ways in which choices
/// can be resolved are written out, and for each the order of events is closed.
///
//===----------------------------------------------------------------------===//

#include "IocPromise.h"

using namespace cif;
using namespace cif::test;

namespace {

class NaiveCausality {
public:
  NaiveCausality(const Term &term, bool synchronous)
      : term(term), synchronous(synchronous) {
    collect(term.root());
  }

  bool safe() {
    // Uses that no `;` orders.
    for (size_t i : uses)
      for (size_t j : uses)
        if (i < j && operation(i) == operation(j) && !before.count({i, j}) &&
            !before.count({j, i}))
          return false;
    for (const Resolution &r : resolutions(term.root()))
      if (!safe(r))
        return false;
    return true;
  }

private:
  struct Resolution {
    std::set<size_t> taken;
    std::map<uint32_t, TermId> choices; ///< the branch that is taken
  };

  uint32_t operation(size_t i) const { return term.nodes[i].action.operation; }

  /// Interactions within each subterm, and what `;` orders.
  std::set<size_t> collect(TermId id) {
    std::set<size_t> all;
    if (term[id].kind == TermKind::Action) {
      all.insert(id.index());
      uses.push_back(id.index());
    }
    for (TermId c = term[id].firstChild; c; c = term[c].nextSibling) {
      std::set<size_t> more = collect(c);
      if (term[id].kind == TermKind::Sequence)
        for (size_t i : all)
          for (size_t j : more)
            before.insert({i, j});
      all.insert(more.begin(), more.end());
    }
    return within[id.index()] = all;
  }

  std::vector<Resolution> resolutions(TermId id) {
    if (term[id].kind == TermKind::Action)
      return {{{id.index()}, {}}};
    std::vector<Resolution> all;
    if (term[id].kind == TermKind::Choice) {
      for (TermId c = term[id].firstChild; c; c = term[c].nextSibling)
        for (Resolution r : resolutions(c)) {
          r.choices[id.index()] = c;
          all.push_back(r);
        }
      return all;
    }
    all.emplace_back();
    for (TermId c = term[id].firstChild; c; c = term[c].nextSibling) {
      std::vector<Resolution> longer;
      for (const Resolution &r : resolutions(c))
        for (Resolution x : all) {
          x.taken.insert(r.taken.begin(), r.taken.end());
          x.choices.insert(r.choices.begin(), r.choices.end());
          longer.push_back(x);
        }
      all = std::move(longer);
    }
    return all;
  }

  /// Events: 2 * i is the output, 2 * i + 1 the input.
  uint32_t roleOf(size_t e) const {
    const TermAction &x = term.nodes[e / 2].action;
    return e % 2 ? x.receiver : x.sender;
  }

  bool safe(const Resolution &r) {
    size_t n = 2 * term.size();
    std::vector<std::vector<bool>> leq(n, std::vector<bool>(n));
    for (auto [i, j] : before) {
      if (!r.taken.count(i) || !r.taken.count(j))
        continue;
      for (size_t e : {2 * i, 2 * i + 1})
        for (size_t f : {2 * j, 2 * j + 1})
          if ((synchronous || e % 2) && roleOf(e) == roleOf(f))
            leq[e][f] = leq[e ^ 1][f] = true;
    }
    closeTransitively(leq);
    for (size_t i : r.taken)
      for (size_t j : r.taken)
        if (operation(i) == operation(j) && before.count({i, j}) &&
            !(leq[2 * i][2 * j + 1] && leq[2 * i + 1][2 * j]))
          return false;
    // Receptions of branches that were not taken.
    for (auto [choice, branch] : r.choices)
      for (TermId c = term[TermId(choice)].firstChild; c;
           c = term[c].nextSibling)
        if (c != branch)
          for (size_t i : open(c))
            for (size_t j : r.taken)
              if (operation(i) == operation(j) && before.count({i, j}) &&
                  !hasLeft(r, leq, choice, i, j))
                return false;
    return true;
  }

  /// The interactions that may be the first one of their receiver.
  std::set<size_t> open(TermId branch) {
    std::set<size_t> found;
    for (const Resolution &r : resolutions(branch))
      for (size_t i : r.taken) {
        bool first = true;
        for (size_t k : r.taken)
          first &= !before.count({k, i}) || !term.nodes[k].action.involves(
                                                term.nodes[i].action.receiver);
        if (first)
          found.insert(i);
      }
    return found;
  }

  /// Whether who waits for \p i has left before \p j is sent, whatever happens.
  bool hasLeft(const Resolution &r, const std::vector<std::vector<bool>> &leq,
               uint32_t choice, size_t i, size_t j) {
    uint32_t role = term.nodes[i].action.receiver;
    for (size_t k : r.taken) {
      if (!within[choice].count(k) && !before.count({i, k}))
        continue;
      for (size_t e : {2 * k, 2 * k + 1}) {
        if (roleOf(e) != role)
          continue;
        bool own = term.nodes[j].action.sender == role &&
                   (e == 2 * j || before.count({k, j}));
        if (own || leq[e][2 * j])
          return true;
      }
    }
    return false;
  }

  const Term &term;
  const bool synchronous;
  std::vector<size_t> uses;
  std::set<std::pair<size_t, size_t>> before;
  std::map<uint32_t, std::set<size_t>> within;
};

} // namespace

// What the check accepts is safe by the definition. It takes what is known
// after a choice to be what is known after each branch, which is less than what
// is known in each run: rarely, something safe is refused.
TEST(Connectedness, CorrectedCausality) {
  RandomIoc random(21);
  size_t safe = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    Term term = random.make(8);
    for (IocSemantics semantics :
         {IocSemantics::Synchronous, IocSemantics::Sender}) {
      Connectedness rest;
      checkSequenceAndChoice(term, {.semantics = semantics}, rest);
      if (!rest.holds())
        continue;
      ConnectednessOptions options;
      options.semantics = semantics;
      Connectedness found;
      checkCausality(term, options, found);
      bool expected =
          NaiveCausality(term, semantics == IocSemantics::Synchronous).safe();
      ASSERT_TRUE(expected || !found.holds())
          << iocSemanticsName(semantics).str() << ": " << text(term);
      safe += expected;
      refused += expected && !found.holds();
    }
  }
  std::printf("%zu safe, %zu of them refused\n", safe, refused);
  EXPECT_GT(safe, 1000u);
  EXPECT_LT(refused, safe / 100);
}
