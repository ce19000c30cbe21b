//===- LtlAutomaton.cpp - From formulas to Büchi automata -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tableau that is built node by node. Implements: [gpvw], Sec. 3.
///
/// A node holds what is true at its position (`old`) and what has to be at the
/// next one (`next`). What is still to be looked at (`work`) is taken apart;
/// a choice makes two nodes. Nodes that agree in `old` and `next` are one. For
/// each until that is promised, the nodes that do not promise it or keep it are
/// a set of accepting ones; a counter makes one set of them [baierkatoen,
/// Theorem 4.56].
///
/// Input class: formulas in normal form. Differs from the paper: explicit
/// stack; formulas that are true or false at once are not kept.
///
//===----------------------------------------------------------------------===//

#include "cif/LTS/Ltl.h"
#include "llvm/ADT/BitVector.h"
#include <map>

using namespace cif;
using namespace cif::ltl;

namespace {
using Set = std::vector<bool>;

struct Node {
  std::vector<uint32_t> incoming;
  Set old, next;
};
struct Pending {
  uint32_t from; ///< the node before; 0: none
  Set work, old, next;
};

class Tableau {
public:
  Tableau(const Formulas &of, FormulaId root, size_t most)
      : formulas(of), size(root + 1), maxNodes(most) {}
  std::optional<Automaton> run(FormulaId root);

private:
  void expand(Pending pending);
  Automaton automaton() const;
  const Formulas &formulas;
  size_t size, maxNodes;
  std::vector<Node> nodes; ///< number 1 on; 0 is the beginning
  std::map<std::pair<Set, Set>, uint32_t> known;
  std::vector<Pending> stack;
};
} // namespace

/// Takes one formula of what is to be looked at.
void Tableau::expand(Pending now) {
  auto found = llvm::find(now.work, true);
  if (found == now.work.end()) {
    auto [at, isNew] = known.try_emplace({now.old, now.next}, nodes.size() + 1);
    if (!isNew) {
      auto &incoming = nodes[at->second - 1].incoming;
      if (!llvm::is_contained(incoming, now.from))
        incoming.push_back(now.from);
      return;
    }
    nodes.push_back({{now.from}, now.old, now.next});
    stack.push_back({uint32_t(nodes.size()), now.next, Set(size), Set(size)});
    return;
  }
  FormulaId f = found - now.work.begin();
  now.work[f] = false;
  const Formulas::Node &node = formulas[f];
  auto add = [&](Pending &to, FormulaId g) {
    if (!to.old[g])
      to.work[g] = true;
  };
  if (node.op == Op::True)
    return stack.push_back(std::move(now));
  now.old[f] = true;
  switch (node.op) {
  case Op::True:
  case Op::False:
    return;
  case Op::Atom:
    // Its negation, if it is there, has a larger number or was seen.
    for (FormulaId g = 0; g < size; ++g)
      if (now.old[g] && formulas[g].op == Op::Not && formulas[g].lhs == f)
        return;
    break;
  case Op::Not:
    if (now.old[node.lhs])
      return;
    break;
  case Op::And:
    add(now, node.lhs);
    add(now, node.rhs);
    break;
  case Op::Next:
    now.next[node.lhs] = true;
    break;
  case Op::Or: {
    Pending other = now;
    add(now, node.lhs);
    add(other, node.rhs);
    stack.push_back(std::move(other));
    break;
  }
  case Op::Until: { // rhs, or lhs and the same at the next position
    Pending other = now;
    add(now, node.rhs);
    add(other, node.lhs);
    other.next[f] = true;
    stack.push_back(std::move(other));
    break;
  }
  case Op::Release: { // rhs, and lhs or the same at the next position
    Pending other = now;
    add(now, node.rhs);
    add(now, node.lhs);
    add(other, node.rhs);
    other.next[f] = true;
    stack.push_back(std::move(other));
    break;
  }
  }
  stack.push_back(std::move(now));
}

Automaton Tableau::automaton() const {
  SmallVector<FormulaId, 8> untils;
  for (FormulaId f = 0; f < size; ++f)
    if (formulas[f].op == Op::Until)
      untils.push_back(f);
  auto keeps = [&](const Node &node, FormulaId until) {
    FormulaId rhs = formulas[until].rhs;
    return !node.old[until] || rhs == Formulas::yes || node.old[rhs];
  };
  const size_t copies = std::max<size_t>(1, untils.size());
  std::vector<std::vector<uint32_t>> after(nodes.size() + 1);
  for (size_t n = 0; n < nodes.size(); ++n)
    for (uint32_t before : nodes[n].incoming)
      after[before].push_back(n);
  Automaton result;
  result.states.resize(1 + nodes.size() * copies);
  auto number = [&](size_t node, size_t copy) {
    return uint32_t(1 + copy * nodes.size() + node);
  };
  for (uint32_t n : after[0])
    result.states[0].successors.push_back(number(n, 0));
  for (size_t copy = 0; copy < copies; ++copy)
    for (size_t n = 0; n < nodes.size(); ++n) {
      Automaton::State &state = result.states[number(n, copy)];
      for (FormulaId f = 0; f < size; ++f) {
        if (!nodes[n].old[f])
          continue;
        if (formulas[f].op == Op::Atom)
          state.needs.push_back(formulas[f].lhs);
        else if (formulas[f].op == Op::Not)
          state.forbids.push_back(formulas[formulas[f].lhs].lhs);
      }
      bool kept = untils.empty() || keeps(nodes[n], untils[copy]);
      state.accepting = copy == 0 && kept;
      state.universal = llvm::none_of(nodes[n].next, [](bool b) { return b; });
      size_t next = kept ? (copy + 1) % copies : copy;
      for (uint32_t m : after[n + 1])
        state.successors.push_back(number(m, next));
    }
  return result;
}

std::optional<Automaton> Tableau::run(FormulaId root) {
  Set start(size);
  start[root] = true;
  stack.push_back({0, start, Set(size), Set(size)});
  // Half-made nodes may be many more than nodes.
  for (size_t steps = 0; !stack.empty(); ++steps) {
    if (nodes.size() > maxNodes || steps > 200 * maxNodes)
      return std::nullopt;
    Pending now = std::move(stack.back());
    stack.pop_back();
    expand(std::move(now));
  }
  return automaton();
}

std::optional<Automaton> ltl::toAutomaton(const Formulas &formulas, FormulaId f,
                                          size_t maxStates) {
  return Tableau(formulas, f, maxStates).run(f);
}
