//===- NaiveIoc.h - The semantics of IOC and POC, rule by rule ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rules of [iocpoc], Tables 1 and 2, and those of recursion, loops and
/// interruption, as they stand: trees, recursion, nothing is simplified or
/// shared. To compare with what is fast.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_NAIVEIOC_H
#define CIF_TEST_UNIT_NAIVEIOC_H

#include "cif/Calculus/IocLts.h"
#include "cif/LTS/LtsBuilder.h"
#include <map>
#include <memory>
#include <set>

namespace cif::test {

class NaiveIoc {
public:
  struct Tree {
    TermKind kind;
    TermAction action;
    uint32_t rec = 0; ///< of Call
    std::shared_ptr<const Tree> left, right;
    std::string key;
  };
  using Ref = std::shared_ptr<const Tree>;
  using Moves = std::vector<std::pair<TermAction, Ref>>;

  Ref add(const Term &term) {
    base += term.size();
    return add(term, term.root());
  }

  static bool ticks(const NaiveIoc &of, const Ref &t, std::set<uint32_t> in) {
    switch (t->kind) {
    case TermKind::Done:
    case TermKind::Loop:
      return true;
    case TermKind::Sequence:
    case TermKind::Parallel:
      return ticks(of, t->left, in) && ticks(of, t->right, in);
    case TermKind::Choice:
    case TermKind::Interrupt:
      return ticks(of, t->left, in) || ticks(of, t->right, in);
    case TermKind::Call:
      return in.insert(t->rec).second && ticks(of, of.bodies.at(t->rec), in);
    default:
      return false;
    }
  }

  /// \p in: the calls that this step is to be one of.
  Moves moves(const Ref &t, std::set<uint32_t> in = {}) const {
    Moves result;
    auto copy = [&](const Ref &part) {
      for (auto &move : moves(part, in))
        result.push_back(move);
    };
    switch (t->kind) {
    case TermKind::Action:
    case TermKind::Tau:
      result.push_back({t->action, make(TermKind::Done)});
      break;
    case TermKind::Sequence:
      for (auto &[x, to] : moves(t->left, in))
        result.push_back({x, make(TermKind::Sequence, to, t->right)});
      if (ticks(*this, t->left, {}))
        copy(t->right);
      break;
    case TermKind::Parallel:
      for (auto &[x, to] : moves(t->left, in))
        result.push_back({x, make(TermKind::Parallel, to, t->right)});
      for (auto &[x, to] : moves(t->right, in))
        result.push_back({x, make(TermKind::Parallel, t->left, to)});
      break;
    case TermKind::Choice:
      copy(t->left);
      copy(t->right);
      break;
    case TermKind::Interrupt:
      for (auto &[x, to] : moves(t->left, in))
        result.push_back({x, make(TermKind::Interrupt, to, t->right)});
      copy(t->right);
      break;
    case TermKind::Loop:
      for (auto &[x, to] : moves(t->left, in))
        result.push_back({x, make(TermKind::Sequence, to, t)});
      break;
    case TermKind::Call:
      if (in.insert(t->rec).second)
        copy(bodies.at(t->rec));
      break;
    default:
      break;
    }
    return result;
  }

  /// Nothing: more than \p most states.
  std::optional<Lts> ioc(const Term &term, StepLabel label, size_t most) {
    Ref start = add(term);
    return explore({start}, most, [&](const State &s, auto sink) {
      for (auto &[x, to] : moves(s.terms[0]))
        sink(label(stepOf(x)), State{{to}, {}});
    });
  }

  std::optional<Lts> poc(ArrayRef<PocRole> roles, bool sync, StepLabel label,
                         size_t most) {
    std::vector<Ref> start;
    for (const PocRole &role : roles)
      start.push_back(add(role.term));
    return explore(start, most, [&](const State &s, auto sink) {
      auto take = [&](State to, const TermAction &out) {
        for (size_t r = 0; r < roles.size(); ++r)
          for (auto &[in, rest] : moves(s.terms[r]))
            if (!in.isTau() && in.operation == out.operation &&
                in.sender == TermAction::none && roles[r].role != out.sender) {
              State next = to;
              next.terms[r] = rest;
              sink(label({StepKind::Exchange, out.sender, roles[r].role,
                          out.operation}),
                   next);
            }
      };
      for (size_t r = 0; r < roles.size(); ++r)
        for (auto &[x, rest] : moves(s.terms[r])) {
          State next = s;
          next.terms[r] = rest;
          if (x.isTau()) {
            sink(label(stepOf(x)), next);
          } else if (x.sender == roles[r].role && sync) {
            take(next, x);
          } else if (x.sender == roles[r].role) {
            next.messages.insert({x.sender, x.operation});
            sink(label({StepKind::Output, x.sender, TermAction::none,
                        x.operation}),
                 next);
          }
        }
      for (auto [sender, operation] : s.messages) {
        State next = s;
        next.messages.erase(next.messages.find({sender, operation}));
        take(next, {sender, TermAction::none, operation});
      }
    });
  }

private:
  struct State {
    std::vector<Ref> terms;
    std::multiset<std::pair<uint32_t, uint32_t>> messages;
    std::string key() const {
      std::string all;
      for (const Ref &t : terms)
        all += t->key + "\n";
      for (auto [sender, operation] : messages)
        all += std::to_string(sender) + "!" + std::to_string(operation) + " ";
      return all;
    }
  };

  static IocStep stepOf(const TermAction &x) {
    return {x.isTau() ? StepKind::Internal : StepKind::Exchange, x.sender,
            x.receiver, x.operation};
  }

  Ref make(TermKind kind, Ref left = {}, Ref right = {}) const {
    Tree t{kind, {}, 0, left, right, ""};
    t.key = "(" + std::to_string(static_cast<int>(kind)) +
            (left ? left->key : "") + (right ? right->key : "") + ")";
    return std::make_shared<const Tree>(t);
  }

  Ref add(const Term &term, TermId id) {
    const TermNode &node = term[id];
    if (node.kind == TermKind::Action || node.kind == TermKind::Tau) {
      const TermAction &x = term.action(id);
      Tree t{node.kind, x, 0, {}, {}, ""};
      t.key = "(" + std::to_string(x.sender) + ">" +
              std::to_string(x.receiver) + ":" + std::to_string(x.operation) +
              ")";
      return std::make_shared<const Tree>(t);
    }
    if (node.kind == TermKind::Call) {
      Tree t{node.kind, {}, 0, {}, {}, ""};
      t.rec = static_cast<uint32_t>(base + node.target.index());
      t.key = "X" + std::to_string(t.rec);
      return std::make_shared<const Tree>(t);
    }
    std::vector<Ref> children;
    for (TermId c = node.firstChild; c; c = term[c].nextSibling)
      children.push_back(add(term, c));
    if (node.kind == TermKind::Rec)
      return bodies[static_cast<uint32_t>(base + id.index())] = children[0];
    if (node.kind == TermKind::Guard)
      return children[0];
    if (node.kind == TermKind::While)
      return make(TermKind::Loop, children[0]);
    if (children.size() < 2)
      return make(node.kind, children.empty() ? Ref() : children[0]);
    Ref all = children[0];
    for (size_t i = 1; i < children.size(); ++i)
      all = make(node.kind, all, children[i]);
    return all;
  }

  template <class Expand>
  std::optional<Lts> explore(std::vector<Ref> start, size_t most,
                             Expand expand) {
    std::map<std::string, uint32_t> numbers;
    std::vector<State> states{{start, {}}};
    numbers[states[0].key()] = 0;
    LtsBuilder builder;
    for (uint32_t s = 0; s < states.size(); ++s) {
      if (states.size() > most)
        return std::nullopt;
      State state = states[s];
      expand(state, [&](const Label &label, const State &to) {
        auto [it, isNew] =
            numbers.try_emplace(to.key(), static_cast<uint32_t>(states.size()));
        if (isNew)
          states.push_back(to);
        builder.add(s, builder.labels.intern(label), it->second);
      });
    }
    return std::move(builder).finish(0, states.size());
  }

  std::map<uint32_t, Ref> bodies;
  size_t base = 0;
};

} // namespace cif::test

#endif
