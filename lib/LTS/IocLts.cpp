//===- IocLts.cpp - The LTSs of IOC terms and POC systems -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Structural operational semantics on interned terms.
/// Implements: [iocpoc], Tables 1 and 2.
///
/// A term that was met before is the same number, and its steps are computed
/// once. `1 ; P`, `1 || P` and `0 ; P` are P, P and 0 at once, which changes no
/// step. A state of a system is the number of each role's term, then the
/// messages on their way in order. A message belongs to the role that sent it
/// and may be taken by any other role with an input of its operation; where
/// actions name their partners, both must agree.
///
//===----------------------------------------------------------------------===//

#include "cif/LTS/IocLts.h"
#include "cif/LTS/LtsBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"

using namespace cif;

ArrayRef<TermKind> cif::iocLtsKinds() {
  static const TermKind kinds[] = {
      TermKind::Done,     TermKind::Stuck,    TermKind::Action, TermKind::Tau,
      TermKind::Sequence, TermKind::Parallel, TermKind::Choice, TermKind::Loop};
  return kinds;
}

namespace {

/// Terms without names for their parts: equal terms are one number.
class TermPool {
public:
  struct Move {
    uint32_t action; ///< in `actions`
    uint32_t target;
  };

  /// Interns \p term, from its leaves to its root.
  uint32_t add(const IocTerm &term);
  const TermAction &action(uint32_t index) const { return actions[index]; }
  ArrayRef<Move> moves(uint32_t id) {
    compute(id);
    return movesOf[id];
  }

private:
  struct Node {
    TermKind kind;
    uint32_t left = 0, right = 0; ///< of Action and Tau: the action
  };

  uint32_t make(TermKind kind, uint32_t left = 0, uint32_t right = 0);
  uint32_t makeAction(TermKind kind, const TermAction &x);
  bool ready(uint32_t id);
  void compute(uint32_t id);
  void computeHere(uint32_t id);

  std::vector<Node> nodes;
  std::vector<TermAction> actions;
  std::vector<bool> ticks, known;
  std::vector<SmallVector<Move, 2>> movesOf;
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, uint32_t> numbers;
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, uint32_t> actionNumbers;
  std::vector<uint32_t> pending;
};

uint32_t TermPool::make(TermKind kind, uint32_t left, uint32_t right) {
  switch (kind) {
  case TermKind::Sequence:
    if (nodes[left].kind == TermKind::Done)
      return right;
    if (nodes[left].kind == TermKind::Stuck)
      return left;
    break;
  case TermKind::Parallel:
    if (nodes[left].kind == TermKind::Done)
      return right;
    if (nodes[right].kind == TermKind::Done)
      return left;
    break;
  case TermKind::Choice:
    if (left == right)
      return left;
    break;
  default:
    break;
  }
  auto key =
      std::pair(uint64_t(left) << 32 | right, static_cast<uint32_t>(kind));
  auto [it, isNew] = numbers.try_emplace(key, nodes.size());
  if (!isNew)
    return it->second;
  bool tick = false;
  switch (kind) {
  case TermKind::Done:
  case TermKind::Loop:
    tick = true;
    break;
  case TermKind::Sequence:
  case TermKind::Parallel:
    tick = ticks[left] && ticks[right];
    break;
  case TermKind::Choice:
    tick = ticks[left] || ticks[right];
    break;
  default:
    break;
  }
  nodes.push_back({kind, left, right});
  ticks.push_back(tick);
  known.push_back(false);
  movesOf.emplace_back();
  return it->second;
}

uint32_t TermPool::makeAction(TermKind kind, const TermAction &x) {
  auto key = std::pair(uint64_t(x.sender) << 32 | x.receiver, x.operation);
  auto [it, isNew] = actionNumbers.try_emplace(key, actions.size());
  if (isNew)
    actions.push_back(x);
  return make(kind, it->second);
}

uint32_t TermPool::add(const IocTerm &term) {
  std::vector<uint32_t> made(term.term.size());
  SmallVector<uint32_t, 8> children;
  for (size_t i = 0; i < term.term.size(); ++i) {
    const TermNode &node = term.term.nodes[i];
    if (node.kind == TermKind::Action || node.kind == TermKind::Tau) {
      made[i] = makeAction(node.kind, term.actions[i]);
      continue;
    }
    children.clear();
    for (TermId c = node.firstChild; c; c = term[c].nextSibling)
      children.push_back(made[c.index()]);
    if (children.empty()) {
      made[i] = make(node.kind);
    } else if (node.kind == TermKind::Loop) {
      made[i] = make(node.kind, children[0]);
    } else {
      uint32_t all = children.back();
      for (uint32_t child : llvm::reverse(ArrayRef(children).drop_back()))
        all = make(node.kind, child, all);
      made[i] = all;
    }
  }
  return made.back();
}

/// Whether the moves of the parts of \p id are known; else they are pending.
bool TermPool::ready(uint32_t id) {
  const Node node = nodes[id];
  size_t before = pending.size();
  auto need = [&](uint32_t part) {
    if (!known[part])
      pending.push_back(part);
  };
  switch (node.kind) {
  case TermKind::Sequence:
    need(node.left);
    if (ticks[node.left])
      need(node.right);
    break;
  case TermKind::Parallel:
  case TermKind::Choice:
    need(node.left);
    need(node.right);
    break;
  case TermKind::Loop:
    need(node.left);
    break;
  default:
    break;
  }
  return pending.size() == before;
}

void TermPool::compute(uint32_t id) {
  if (known[id])
    return;
  pending.push_back(id);
  while (!pending.empty()) {
    uint32_t next = pending.back();
    if (known[next]) {
      pending.pop_back();
    } else if (ready(next)) {
      pending.pop_back();
      computeHere(next);
      known[next] = true;
    }
  }
}

void TermPool::computeHere(uint32_t id) {
  const Node node = nodes[id];
  SmallVector<Move, 2> moves;
  auto copy = [&](uint32_t part) {
    moves.append(movesOf[part].begin(), movesOf[part].end());
  };
  // make() may move movesOf, so its rows are read by index.
  auto wrap = [&](uint32_t part, TermKind kind, uint32_t with, bool first) {
    for (size_t i = 0; i < movesOf[part].size(); ++i) {
      Move m = movesOf[part][i];
      moves.push_back({m.action, first ? make(kind, m.target, with)
                                       : make(kind, with, m.target)});
    }
  };
  switch (node.kind) {
  case TermKind::Action:
  case TermKind::Tau:
    moves.push_back({node.left, make(TermKind::Done)});
    break;
  case TermKind::Sequence:
    wrap(node.left, TermKind::Sequence, node.right, true);
    if (ticks[node.left])
      copy(node.right);
    break;
  case TermKind::Parallel:
    wrap(node.left, TermKind::Parallel, node.right, true);
    wrap(node.right, TermKind::Parallel, node.left, false);
    break;
  case TermKind::Choice:
    copy(node.left);
    copy(node.right);
    break;
  case TermKind::Loop:
    wrap(node.left, TermKind::Sequence, id, true);
    break;
  default:
    break;
  }
  llvm::sort(moves, [](const Move &x, const Move &y) {
    return std::tie(x.action, x.target) < std::tie(y.action, y.target);
  });
  moves.erase(std::unique(moves.begin(), moves.end(),
                          [](const Move &x, const Move &y) {
                            return x.action == y.action && x.target == y.target;
                          }),
              moves.end());
  movesOf[id] = std::move(moves);
}

/// States as words of any length, each once.
class StatePool {
public:
  /// The number of \p state; true when it is new.
  std::pair<uint32_t, bool> add(ArrayRef<uint32_t> state) {
    if ((begins.size() + 1) * 4 > slots.size() * 3)
      rehash();
    size_t slot = find(state);
    if (slots[slot])
      return {slots[slot] - 1, false};
    uint32_t number = static_cast<uint32_t>(begins.size() - 1);
    words.insert(words.end(), state.begin(), state.end());
    begins.push_back(words.size());
    slots[slot] = number + 1;
    return {number, true};
  }
  ArrayRef<uint32_t> operator[](uint32_t number) const {
    return ArrayRef(words).slice(begins[number],
                                 begins[number + 1] - begins[number]);
  }
  size_t size() const { return begins.size() - 1; }
  size_t bytes() const {
    return words.size() * 4 + begins.size() * 8 + slots.size() * 4;
  }

private:
  size_t find(ArrayRef<uint32_t> state) const {
    size_t mask = slots.size() - 1;
    size_t slot = llvm::hash_combine_range(state.begin(), state.end()) & mask;
    while (slots[slot] && (*this)[slots[slot] - 1] != state)
      slot = (slot + 1) & mask;
    return slot;
  }
  void rehash() {
    slots.assign(std::max<size_t>(64, slots.size() * 2), 0);
    for (uint32_t n = 0; n < size(); ++n)
      slots[find((*this)[n])] = n + 1;
  }
  std::vector<uint32_t> words, slots; // slots: number + 1; 0: free
  std::vector<size_t> begins{0};
};

/// Explores from \p start; \p expand calls its sink for every step.
template <class Expand>
std::optional<Lts> explore(ArrayRef<uint32_t> start, StepLabel label,
                           const Limits &limits, std::string &limit,
                           Expand expand) {
  StatePool states;
  LtsBuilder builder;
  Budget budget(limits);
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, LabelIndex> labels;
  states.add(start);
  std::vector<uint32_t> state;
  for (uint32_t s = 0; s < states.size(); ++s) {
    limit = budget.exceeded(states.size(), states.bytes());
    if (!limit.empty())
      return std::nullopt;
    state.assign(states[s].begin(), states[s].end());
    expand(state, [&](const IocStep &step, ArrayRef<uint32_t> target) {
      auto key = std::pair(uint64_t(step.sender) << 32 | step.receiver,
                           uint64_t(step.kind) << 32 | step.operation);
      auto [it, isNew] = labels.try_emplace(key);
      if (isNew)
        it->second = builder.labels.intern(label(step));
      builder.add(s, it->second, states.add(target).first);
    });
  }
  return std::move(builder).finish(0, states.size());
}

IocStep stepOf(const TermAction &x) {
  if (x.isTau())
    return {StepKind::Internal, x.sender, TermAction::none, TermAction::none};
  return {x.receiver == TermAction::none ? StepKind::Output
                                         : StepKind::Exchange,
          x.sender, x.receiver, x.operation};
}

} // namespace

std::optional<Lts> cif::buildIocLts(const IocTerm &term, StepLabel label,
                                    const Limits &limits, std::string &limit) {
  TermPool pool;
  uint32_t start = pool.add(term);
  return explore(start, label, limits, limit,
                 [&](ArrayRef<uint32_t> state, auto sink) {
                   for (const TermPool::Move &m : pool.moves(state[0]))
                     sink(stepOf(pool.action(m.action)), m.target);
                 });
}

std::optional<Lts> cif::buildPocLts(ArrayRef<PocRole> roles, PocNetwork network,
                                    StepLabel label, const Limits &limits,
                                    std::string &limit) {
  TermPool pool; // actions name their role, so roles share nothing by accident
  SmallVector<uint32_t, 8> start;
  for (const PocRole &role : roles)
    start.push_back(pool.add(role.term));
  size_t n = roles.size();
  auto isOutput = [&](const TermAction &x, size_t r) {
    return !x.isTau() && x.sender == roles[r].role;
  };
  // A message or output of `out`, an input `in` at roles[r].
  auto takes = [&](const TermAction &out, const TermAction &in, size_t r) {
    return !in.isTau() && in.operation == out.operation &&
           in.receiver == roles[r].role && out.sender != roles[r].role &&
           (out.receiver == TermAction::none || out.receiver == in.receiver) &&
           (in.sender == TermAction::none || in.sender == out.sender);
  };
  std::vector<uint32_t> next;
  auto expand = [&](ArrayRef<uint32_t> state, auto sink) {
    // All of them first: computing moves may move those of others.
    for (size_t r = 0; r < n; ++r)
      (void)pool.moves(state[r]);
    auto receive = [&](const TermAction &out) {
      for (size_t r = 0; r < n; ++r)
        for (const TermPool::Move &m : pool.moves(state[r])) {
          if (!takes(out, pool.action(m.action), r))
            continue;
          uint32_t before = next[r];
          next[r] = m.target;
          sink({StepKind::Exchange, out.sender, roles[r].role, out.operation},
               next);
          next[r] = before;
        }
    };
    for (size_t r = 0; r < n; ++r) {
      for (const TermPool::Move &m : pool.moves(state[r])) {
        const TermAction x = pool.action(m.action);
        next.assign(state.begin(), state.end());
        next[r] = m.target;
        if (x.isTau()) {
          sink(stepOf(x), next);
        } else if (isOutput(x, r)) {
          if (network == PocNetwork::Synchronous) {
            receive(x);
            continue;
          }
          next.insert(std::upper_bound(next.begin() + n, next.end(), m.action),
                      m.action);
          sink({StepKind::Output, x.sender, TermAction::none, x.operation},
               next);
        }
      }
    }
    for (size_t i = n; i < state.size(); ++i) {
      if (i > n && state[i] == state[i - 1])
        continue;
      next.assign(state.begin(), state.end());
      next.erase(next.begin() + i);
      receive(pool.action(state[i]));
    }
  };
  return explore(start, label, limits, limit, expand);
}
