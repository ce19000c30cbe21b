//===- LtlAutomaton.cpp - From formulas to Büchi automata -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tableau on the fly. Implements: [gpvw], Sec. 3, with transitions that
/// accept, as [gastin01] has them, in place of nodes.
///
/// A state is what has to hold from the next position on. Reading a letter
/// takes that apart: each until is kept now or promised again, each release is
/// ended now or goes on. What the letter alone decides is decided first, so
/// that hardly anything is left to choose where few atoms are true at once. Of
/// the ways that are left, those are dropped that ask for all that another one
/// asks for and promise again all that it promises again: what they accept, the
/// other accepts too [gastin01, Sec. 4]. A run accepts when every until is not
/// promised again infinitely often; a counter makes one condition of these
/// [baierkatoen, Theorem 4.56].
///
/// Input class: formulas in normal form.
///
//===----------------------------------------------------------------------===//

#include "cif/Temporal/Ltl.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

using namespace cif;
using namespace cif::ltl;
using llvm::BitVector;

namespace {
/// What a letter says of a formula, whatever comes behind it.
enum class Now : uint8_t { No, Yes, Open };

/// One way to read a letter: what has to hold next, and which untils are
/// promised again.
struct Way {
  BitVector next, again;
};
struct Pending {
  BitVector work, seen;
  Way way;
};

bool within(const BitVector &small, const BitVector &large) {
  return !small.test(large);
}
} // namespace

class Automaton::Impl {
public:
  Impl(const Formulas &of, FormulaId root,
       std::vector<std::vector<bool>> allLetters, const Limits &limits)
      : formulas(of), size(root + 1), letters(std::move(allLetters)),
        budget(limits), verdicts(letters.size()) {
    for (FormulaId f = 0; f < size; ++f)
      if (formulas[f].op == Op::Until)
        untils.push_back(f);
    BitVector start(static_cast<unsigned>(size));
    start.set(root);
    add(start, 0, false);
  }

  struct State {
    BitVector obliged;
    uint32_t count; ///< the until that is waited for
    bool accepting;
  };

  uint32_t add(const BitVector &obliged, uint32_t count, bool accepting);
  ArrayRef<uint32_t> successors(uint32_t q, uint32_t letter);
  const std::vector<Now> &verdictsOf(uint32_t letter);
  std::vector<Way> waysOf(const BitVector &obliged, uint32_t letter);
  void expand(Pending now, ArrayRef<Now> verdict, std::vector<Way> &ways);
  void keep(Way way, std::vector<Way> &ways);

  const Formulas &formulas;
  const size_t size;
  const std::vector<std::vector<bool>> letters;
  Budget budget;
  std::vector<std::vector<Now>> verdicts; ///< by letter; empty: not yet
  std::vector<FormulaId> untils;
  std::vector<State> states;
  std::map<std::pair<std::vector<uint32_t>, uint32_t>, uint32_t> numbers;
  llvm::DenseMap<uint64_t, std::vector<uint32_t>> known;
  std::vector<Pending> stack;
};

uint32_t Automaton::Impl::add(const BitVector &obliged, uint32_t count,
                              bool accepting) {
  std::vector<uint32_t> key;
  for (unsigned f : obliged.set_bits())
    key.push_back(f);
  auto [at, isNew] =
      numbers.try_emplace({std::move(key), 2 * count + (accepting ? 1 : 0)},
                          static_cast<uint32_t>(states.size()));
  if (isNew)
    states.push_back({obliged, count, accepting});
  return at->second;
}

/// Operands have smaller numbers: one pass.
const std::vector<Now> &Automaton::Impl::verdictsOf(uint32_t letter) {
  std::vector<Now> &result = verdicts[letter];
  if (!result.empty())
    return result;
  auto both = [](Now a, Now b) {
    return a == Now::No || b == Now::No     ? Now::No
           : a == Now::Yes && b == Now::Yes ? Now::Yes
                                            : Now::Open;
  };
  auto either = [](Now a, Now b) {
    return a == Now::Yes || b == Now::Yes ? Now::Yes
           : a == Now::No && b == Now::No ? Now::No
                                          : Now::Open;
  };
  for (FormulaId f = 0; f < size; ++f) {
    const Formulas::Node &node = formulas[f];
    Now now = Now::Open;
    switch (node.op) {
    case Op::True:
      now = Now::Yes;
      break;
    case Op::False:
      now = Now::No;
      break;
    case Op::Atom:
      now = letters[letter][node.lhs] ? Now::Yes : Now::No;
      break;
    case Op::Not:
      now = result[node.lhs] == Now::Yes  ? Now::No
            : result[node.lhs] == Now::No ? Now::Yes
                                          : Now::Open;
      break;
    case Op::And:
      now = both(result[node.lhs], result[node.rhs]);
      break;
    case Op::Or:
      now = either(result[node.lhs], result[node.rhs]);
      break;
    case Op::Next:
      now = node.lhs == Formulas::yes  ? Now::Yes
            : node.lhs == Formulas::no ? Now::No
                                       : Now::Open;
      break;
    case Op::Until: // rhs, or lhs and the same at the next position
      now = either(result[node.rhs], both(result[node.lhs], Now::Open));
      break;
    case Op::Release: // rhs, and lhs or the same at the next position
      now = both(result[node.rhs], either(result[node.lhs], Now::Open));
      break;
    }
    result.push_back(now);
  }
  return result;
}

/// Takes one formula of what is to be looked at.
void Automaton::Impl::expand(Pending now, ArrayRef<Now> verdict,
                             std::vector<Way> &ways) {
  int last = now.work.find_last();
  if (last < 0)
    return keep(std::move(now.way), ways);
  auto f = static_cast<FormulaId>(last);
  now.work.reset(f);
  now.seen.set(f);
  const Formulas::Node &node = formulas[f];
  if (verdict[f] == Now::No)
    return;
  if (verdict[f] == Now::Yes)
    return stack.push_back(std::move(now));
  auto put = [&](Pending pending, std::initializer_list<FormulaId> also) {
    for (FormulaId g : also) {
      if (verdict[g] == Now::No)
        return;
      if (!pending.seen.test(g))
        pending.work.set(g);
    }
    stack.push_back(std::move(pending));
  };
  switch (node.op) {
  case Op::True:
  case Op::False:
  case Op::Atom:
  case Op::Not:
    llvm_unreachable("the letter decides these");
  case Op::And:
    return put(std::move(now), {node.lhs, node.rhs});
  case Op::Next:
    now.way.next.set(node.lhs);
    return put(std::move(now), {});
  case Op::Or:
    put(now, {node.rhs});
    return put(std::move(now), {node.lhs});
  case Op::Until: {
    Pending later = now;
    later.way.next.set(f);
    later.way.again.set(f);
    put(std::move(later), {node.lhs});
    return put(std::move(now), {node.rhs});
  }
  case Op::Release: {
    Pending later = now;
    later.way.next.set(f);
    put(std::move(later), {node.rhs});
    return put(std::move(now), {node.rhs, node.lhs});
  }
  }
}

void Automaton::Impl::keep(Way way, std::vector<Way> &ways) {
  budget.spend(ways.size() * (1 + size / 64));
  auto covers = [](const Way &less, const Way &more) {
    return within(less.next, more.next) && within(less.again, more.again);
  };
  for (const Way &other : ways)
    if (covers(other, way))
      return;
  llvm::erase_if(ways, [&](const Way &other) { return covers(way, other); });
  ways.push_back(std::move(way));
}

std::vector<Way> Automaton::Impl::waysOf(const BitVector &obliged,
                                         uint32_t letter) {
  ArrayRef<Now> verdict = verdictsOf(letter);
  std::vector<Way> ways;
  BitVector none(static_cast<unsigned>(size));
  stack.assign(1, {obliged, none, {none, none}});
  while (!stack.empty()) {
    if (budget.spend(1 + size / 16))
      return {};
    Pending now = std::move(stack.back());
    stack.pop_back();
    expand(std::move(now), verdict, ways);
  }
  return ways;
}

ArrayRef<uint32_t> Automaton::Impl::successors(uint32_t q, uint32_t letter) {
  auto [at, isNew] = known.try_emplace(uint64_t(q) << 32 | letter);
  if (!isNew)
    return at->second;
  BitVector obliged = states[q].obliged;
  std::vector<uint32_t> found;
  for (const Way &way : waysOf(obliged, letter)) {
    uint32_t count = states[q].count;
    while (count < untils.size() && !way.again.test(untils[count]))
      ++count;
    bool accepting = count == untils.size();
    uint32_t to = add(way.next, accepting ? 0 : count, accepting);
    if (!llvm::is_contained(found, to))
      found.push_back(to);
  }
  return known[uint64_t(q) << 32 | letter] = std::move(found);
}

Automaton::Automaton(const Formulas &formulas, FormulaId f,
                     std::vector<std::vector<bool>> letters,
                     const Limits &limits)
    : impl(std::make_unique<Impl>(formulas, f, std::move(letters), limits)) {}
Automaton::~Automaton() = default;
ArrayRef<uint32_t> Automaton::successors(uint32_t q, uint32_t letter) {
  return impl->successors(q, letter);
}
bool Automaton::accepting(uint32_t q) const {
  return impl->states[q].accepting;
}
bool Automaton::universal(uint32_t q) const {
  return impl->states[q].obliged.none();
}
size_t Automaton::size() const { return impl->states.size(); }
const std::string &Automaton::limit() const { return impl->budget.limit(); }
