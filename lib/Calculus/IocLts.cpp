//===- IocLts.cpp - The LTSs of IOC terms and POC systems -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Structural operational semantics on interned terms. Implements: [iocpoc],
/// Tables 1 and 2, and section 6 (recursion).
///
/// Equal terms have the same number, and their steps are computed once. `1 ;
/// P`, `1 || P` and `0 ; P` are simplified to P, P and 0, `P || 0` to `P ; 0`,
/// and sequences associate to the right, which changes no step. A state of a
/// system consists of the number of the term of each role, followed by the
/// messages in transit, in order. A message belongs to the role that sent it
/// and may be received by any other role with an input of its operation; if
/// actions name their partners, both must agree.
///
/// Differs from the paper: there are also `loop`; `rec X { I }`, which is I,
/// where a call takes the steps of I; `I [> J`, which is over when I or J is,
/// as in LOTOS; and guards and `while`, whose conditions are left open, so that
/// both are the choices that they would be without conditions. Steps and
/// termination are the least solution of the rules. A role without a step
/// between two calls has a call that depends on itself. If nothing follows it
/// (`X + P`), it adds nothing; if something follows it (`X ; P + Q`), there are
/// infinitely many steps, and no LTS.
///
/// Sound and complete if there are finitely many states and the limits allow
/// all of them.
///
//===----------------------------------------------------------------------===//

#include "cif/Calculus/IocLts.h"
#include "cif/Graph/Components.h"
#include "cif/Graph/Search.h"
#include "cif/LTS/LtsBuilder.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

ArrayRef<TermKind> cif::iocLtsKinds() {
  static const TermKind kinds[] = {
      TermKind::Done,     TermKind::Stuck,  TermKind::Action,
      TermKind::Tau,      TermKind::Call,   TermKind::Sequence,
      TermKind::Parallel, TermKind::Choice, TermKind::Guard,
      TermKind::While,    TermKind::Loop,   TermKind::Rec,
      TermKind::Interrupt};
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

  explicit TermPool(const Limits &limits) : budget(limits) {}

  /// Interns \p term, from its leaves to its root.
  uint32_t add(const Term &term);
  const TermAction &action(uint32_t index) const { return actions[index]; }
  ArrayRef<Move> moves(uint32_t id) {
    compute(id);
    return movesOf[id];
  }
  /// A term with infinitely many steps was met, and shows none of them.
  bool isEndless() const { return endless; }
  size_t bytes() const {
    return nodes.size() * (sizeof(Node) + sizeof(movesOf[0]) + 40) +
           numMoves * sizeof(Move);
  }
  /// The limit at which moves were no longer computed: then some are missing.
  const std::string &limit() const { return budget.limit(); }

private:
  struct Node {
    TermKind kind;
    uint32_t left = 0, right = 0; ///< of Action and Tau: the action; of
                                  ///< Call: the recursion
  };
  /// A part whose moves a node has: as they are, or with something around
  /// what they lead to.
  struct Part {
    uint32_t id;
    bool wrapped;
  };

  uint32_t make(TermKind kind, uint32_t left = 0, uint32_t right = 0);
  uint32_t makeSequence(uint32_t left, uint32_t right);
  uint32_t intern(TermKind kind, uint32_t left, uint32_t right, bool tick);
  uint32_t makeAction(TermKind kind, const TermAction &x);
  SmallVector<Part, 2> parts(uint32_t id) const;
  void compute(uint32_t id);
  void close(ArrayRef<uint32_t> members);
  SmallVector<Move, 2> movesHere(uint32_t id);
  static void sortMoves(SmallVectorImpl<Move> &moves);

  std::vector<Node> nodes;
  std::vector<TermAction> actions;
  std::vector<uint32_t> bodies; ///< of each recursion
  std::vector<bool> ticks, known;
  std::vector<SmallVector<Move, 2>> movesOf;
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, uint32_t> numbers;
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, uint32_t> actionNumbers;
  bool endless = false;
  ComponentSearch search; ///< over the nodes and the parts of each
  Budget budget;          ///< one term may have thousands of moves
  uint64_t numMoves = 0;
};

uint32_t TermPool::intern(TermKind kind, uint32_t left, uint32_t right,
                          bool tick) {
  auto key =
      std::pair(uint64_t(left) << 32 | right, static_cast<uint32_t>(kind));
  auto [it, isNew] = numbers.try_emplace(key, nodes.size());
  if (isNew) {
    nodes.push_back({kind, left, right});
    ticks.push_back(tick);
    known.push_back(false);
    movesOf.emplace_back();
    search.grow(nodes.size());
  }
  return it->second;
}

uint32_t TermPool::makeSequence(uint32_t left, uint32_t right) {
  SmallVector<uint32_t, 8> firsts;
  for (; nodes[left].kind == TermKind::Sequence; left = nodes[left].right)
    firsts.push_back(nodes[left].left);
  firsts.push_back(left);
  for (uint32_t first : llvm::reverse(firsts)) {
    if (nodes[first].kind == TermKind::Stuck)
      right = first;
    else if (nodes[first].kind != TermKind::Done)
      right = intern(TermKind::Sequence, first, right,
                     ticks[first] && ticks[right]);
  }
  return right;
}

uint32_t TermPool::make(TermKind kind, uint32_t left, uint32_t right) {
  switch (kind) {
  case TermKind::Sequence:
    return makeSequence(left, right);
  case TermKind::Parallel:
    if (nodes[left].kind == TermKind::Done)
      return right;
    if (nodes[right].kind == TermKind::Done)
      return left;
    if (nodes[left].kind == TermKind::Stuck)
      return makeSequence(right, left);
    if (nodes[right].kind == TermKind::Stuck)
      return makeSequence(left, right);
    return intern(kind, left, right, ticks[left] && ticks[right]);
  case TermKind::Choice:
    return left == right
               ? left
               : intern(kind, left, right, ticks[left] || ticks[right]);
  case TermKind::Interrupt:
    if (nodes[left].kind == TermKind::Done)
      return make(TermKind::Choice, left, right);
    if (nodes[left].kind == TermKind::Stuck)
      return right;
    return intern(kind, left, right, ticks[left] || ticks[right]);
  default:
    return intern(kind, left, right,
                  kind == TermKind::Done || kind == TermKind::Loop);
  }
}

uint32_t TermPool::makeAction(TermKind kind, const TermAction &x) {
  auto key = std::pair(uint64_t(x.sender) << 32 | x.receiver, x.operation);
  auto [it, isNew] = actionNumbers.try_emplace(key, actions.size());
  if (isNew)
    actions.push_back(x);
  return make(kind, it->second);
}

/// Which subterms may be over at once: the least solution.
std::vector<bool> findTicks(const Term &term) {
  size_t size = term.size();
  constexpr uint32_t none = 0xffffffffu; // of the root, and of what was cut off
  std::vector<uint32_t> parent(size, none), left(size);
  std::vector<SmallVector<uint32_t, 1>> calls(size);
  std::vector<bool> ticks(size);
  std::vector<uint32_t> work;
  auto set = [&](size_t i) {
    if (!ticks[i]) {
      ticks[i] = true;
      work.push_back(static_cast<uint32_t>(i));
    }
  };
  for (size_t i = 0; i < size; ++i) {
    const TermNode &node = term.nodes[i];
    bool all =
        node.kind == TermKind::Sequence || node.kind == TermKind::Parallel;
    left[i] = all ? node.numChildren : 1;
    for (TermId c = node.firstChild; c; c = term[c].nextSibling)
      parent[c.index()] = static_cast<uint32_t>(i);
    if (node.kind == TermKind::Call)
      calls[node.target.index()].push_back(static_cast<uint32_t>(i));
    if (node.kind == TermKind::Done || node.kind == TermKind::Loop ||
        node.kind == TermKind::While)
      set(i);
  }
  while (!work.empty()) {
    uint32_t i = work.back();
    work.pop_back();
    for (uint32_t call : calls[i])
      set(call);
    if (parent[i] == none || !left[parent[i]])
      continue;
    --left[parent[i]];
    if (!left[parent[i]])
      set(parent[i]);
  }
  return ticks;
}

uint32_t TermPool::add(const Term &term) {
  size_t size = term.size();
  std::vector<uint32_t> made(size), recursions(size);
  std::vector<bool> over = findTicks(term);
  for (size_t i = 0; i < size; ++i)
    if (term.nodes[i].kind == TermKind::Rec) {
      recursions[i] = static_cast<uint32_t>(bodies.size());
      bodies.push_back(0);
    }
  SmallVector<uint32_t, 8> children;
  for (size_t i = 0; i < size; ++i) {
    const TermNode &node = term.nodes[i];
    children.clear();
    for (TermId c = node.firstChild; c; c = term[c].nextSibling)
      children.push_back(made[c.index()]);
    switch (node.kind) {
    case TermKind::Action:
    case TermKind::Tau:
      made[i] = makeAction(node.kind, node.action);
      break;
    case TermKind::Call:
      made[i] = intern(node.kind, recursions[node.target.index()], 0, over[i]);
      break;
    case TermKind::Done:
    case TermKind::Stuck:
      made[i] = make(node.kind);
      break;
    case TermKind::Loop:
    case TermKind::While:
      made[i] = make(TermKind::Loop, children[0]);
      break;
    case TermKind::Guard:
      made[i] = children[0];
      break;
    case TermKind::Rec:
      made[i] = bodies[recursions[i]] = children[0];
      break;
    case TermKind::Sequence:
    case TermKind::Parallel:
    case TermKind::Choice:
    case TermKind::Interrupt: {
      uint32_t all = children.back();
      for (uint32_t child : llvm::reverse(ArrayRef(children).drop_back()))
        all = make(node.kind, child, all);
      made[i] = all;
      break;
    }
    }
  }
  return made.back();
}

SmallVector<TermPool::Part, 2> TermPool::parts(uint32_t id) const {
  const Node &node = nodes[id];
  switch (node.kind) {
  case TermKind::Sequence:
    if (ticks[node.left])
      return {{node.left, true}, {node.right, false}};
    return {{node.left, true}};
  case TermKind::Parallel:
    return {{node.left, true}, {node.right, true}};
  case TermKind::Choice:
    return {{node.left, false}, {node.right, false}};
  case TermKind::Interrupt:
    return {{node.left, true}, {node.right, false}};
  case TermKind::Loop:
    return {{node.left, true}};
  case TermKind::Call:
    return {{bodies[node.left], false}};
  default:
    return {};
  }
}

/// The moves of \p id and of all that it depends on, parts first.
void TermPool::compute(uint32_t id) {
  if (known[id])
    return;
  search.visit(
      id, [](uint32_t) { return 0; },
      [&](uint32_t n) { return parts(n).size(); },
      [&](uint32_t n, uint32_t i) { return parts(n)[i].id; },
      [&](ArrayRef<uint32_t> members) { close(members); });
}

/// Computes the moves of nodes that depend on each other. Mostly it is just
/// one.
void TermPool::close(ArrayRef<uint32_t> members) {
  if (budget.stopped())
    return;
  bool wrapped = false;
  // A move of one is a move of all. What is not known yet has no moves.
  SmallVector<Move, 2> all;
  for (uint32_t n : members) {
    for (Part part : parts(n))
      wrapped |= part.wrapped && !known[part.id];
    SmallVector<Move, 2> own = movesHere(n);
    all.append(own.begin(), own.end());
  }
  sortMoves(all);
  if (wrapped && !all.empty()) {
    endless = true;
    all.clear();
  }
  for (uint32_t n : members) {
    movesOf[n] = all;
    known[n] = true;
    numMoves += all.size();
  }
  budget.spend(4 * (1 + members.size() * all.size()));
}

SmallVector<TermPool::Move, 2> TermPool::movesHere(uint32_t id) {
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
  case TermKind::Interrupt:
    wrap(node.left, TermKind::Interrupt, node.right, true);
    copy(node.right);
    break;
  case TermKind::Loop:
    wrap(node.left, TermKind::Sequence, id, true);
    break;
  case TermKind::Call:
    copy(bodies[node.left]);
    break;
  default:
    break;
  }
  sortMoves(moves);
  return moves;
}

void TermPool::sortMoves(SmallVectorImpl<Move> &moves) {
  llvm::sort(moves, [](const Move &x, const Move &y) {
    return std::tie(x.action, x.target) < std::tie(y.action, y.target);
  });
  moves.erase(std::unique(moves.begin(), moves.end(),
                          [](const Move &x, const Move &y) {
                            return x.action == y.action && x.target == y.target;
                          }),
              moves.end());
}

/// Explores from \p start; \p expand calls its sink for every step.
template <class Expand>
std::optional<Lts> explore(const TermPool &pool, ArrayRef<uint32_t> start,
                           StepLabel label, const Limits &limits,
                           std::string &limit, Expand expand) {
  StateSearch<NoStep> search;
  LtsBuilder builder;
  Budget budget(limits);
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, LabelIndex> labels;
  search.start(start);
  // A transition takes 12 bytes, and as much again to sort them.
  for (std::vector<uint32_t> state;
       search.next(state, budget, pool.bytes() + 24 * search.numSteps());) {
    expand(state, [&](const IocStep &step, ArrayRef<uint32_t> target) {
      auto key = std::pair(uint64_t(step.sender) << 32 | step.receiver,
                           uint64_t(step.kind) << 32 | step.operation);
      auto [it, isNew] = labels.try_emplace(key);
      if (isNew)
        it->second = builder.labels.intern(label(step));
      builder.add(search.current(), it->second, search.reach(target, {}));
    });
    if (!pool.limit().empty()) {
      limit = pool.limit();
      return std::nullopt;
    }
    if (pool.isEndless()) {
      limit = "a recursion that returns before any step of a role and is "
              "followed by something";
      return std::nullopt;
    }
  }
  limit = search.limit;
  if (!limit.empty())
    return std::nullopt;
  return std::move(builder).finish(0, search.numExpanded());
}

IocStep stepOf(const TermAction &x) {
  if (x.isTau())
    return {StepKind::Internal, x.sender, TermAction::none, TermAction::none};
  return {x.receiver == TermAction::none ? StepKind::Output
                                         : StepKind::Exchange,
          x.sender, x.receiver, x.operation};
}

} // namespace

std::optional<Lts> cif::buildIocLts(const Term &term, StepLabel label,
                                    const Limits &limits, std::string &limit) {
  TermPool pool(limits);
  uint32_t start = pool.add(term);
  return explore(pool, start, label, limits, limit,
                 [&](ArrayRef<uint32_t> state, auto sink) {
                   for (const TermPool::Move &m : pool.moves(state[0]))
                     sink(stepOf(pool.action(m.action)), m.target);
                 });
}

std::optional<Lts> cif::buildPocLts(ArrayRef<PocRole> roles, PocNetwork network,
                                    StepLabel label, const Limits &limits,
                                    std::string &limit, size_t mostMessages) {
  // Actions name their role, so roles share nothing by accident.
  TermPool pool(limits);
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
          if (state.size() - n >= mostMessages)
            continue;
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
  return explore(pool, start, label, limits, limit, expand);
}
