//===- StgOfGraph.cpp - From graphs to symbolic transition graphs ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Behaviours that are not terms: gateways in any order, loops with several
/// exits, guarded conversation protocols. States are tokens on flows. Nodes
/// that only pass tokens on (joins, parallel splits, ends) do so immediately;
/// an exclusive choice is a silent step with the guard of its branch, and a
/// deferred one is decided by the first step of a branch, with the guards on
/// the way to it. An inclusive one is a silent step for each set of branches,
/// with the guards of those and without the guards of the others. A state is
/// done if every token can end without a step.
///
/// An inclusive join passes tokens on when no other token can still come to an
/// empty flow of it, unless that token can also come to a marked one [bpmn20,
/// 13.4.3]. Tokens alone say when, not data. Passing a token on elsewhere may
/// change the answer only where one token becomes several, so in behaviours
/// with inclusive joins a parallel split is a silent step, too.
///
/// So the graph is what lib/Semantics makes of the same behaviour, with
/// formulas in place of values. Containers, boundary events, links and calls
/// are not supported.
///
//===----------------------------------------------------------------------===//

#include "StgData.h"
#include "cif/IR/Starts.h"
#include "cif/Support/ArrayPool.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

namespace {

/// Tokens, sorted: on a flow, or from `numFlows` on at a node that starts.
using Marking = std::vector<uint32_t>;

class GraphBuilder {
public:
  GraphBuilder(const Module &module, const Behaviour &b, FormulaPool &pool,
               const Limits &limits, std::vector<OpenCondition> &open)
      : module(module), b(b), flows(b), pool(pool), budget(limits),
        data(module, b, pool, open), numFlows(b.flows.size()) {}

  Outcome<Stg> run(TermBreak &why);

private:
  /// A token that a deferred choice could pass on, and when.
  struct Way {
    Marking rest, fresh; ///< other tokens, and those that were passed on
    FormulaId guard;
    size_t before = SIZE_MAX; ///< the way that it continues
  };
  static constexpr size_t maxWays = 65536;
  /// One way in which a node passes a token on.
  struct Move {
    SmallVector<uint32_t, 2> taken; ///< of the other tokens
    SmallVector<FlowId, 2> to;
    FormulaId guard;
  };
  /// For each incoming flow: from where a token can come to it without passing
  /// the join.
  using Before = SmallVector<llvm::BitVector, 2>;

  bool isSupported(NodeId n, std::string &why) const;
  bool kindIsMixed(NodeId n) const {
    return flows.incoming(n).size() > 1 && flows.outgoing(n).size() > 1;
  }
  NodeId at(uint32_t token) const {
    return token < numFlows ? b.flow(FlowId(token)).target
                            : NodeId(token - numFlows);
  }
  bool isStep(NodeId n) const {
    const Node &node = b.node(n);
    return node.message || hasTrait(node.kind, NodeTraits::Step) ||
           node.kind == NodeKind::Catch || node.kind == NodeKind::Throw ||
           node.kind == NodeKind::Terminate;
  }
  bool isDecision(NodeId n) const {
    NodeKind kind = b.node(n).kind;
    if (kind != NodeKind::Choice && kind != NodeKind::DominatedChoice &&
        kind != NodeKind::SubsetSelect)
      return false;
    ArrayRef<FlowId> out = flows.outgoing(n);
    return out.size() > 1 || (out.size() == 1 && b.flow(out[0]).guard);
  }
  bool isDeferred(NodeId n) const {
    ArrayRef<FlowId> out = flows.outgoing(n);
    return b.node(n).kind == NodeKind::EventChoice &&
           (out.size() > 1 || (out.size() == 1 && b.flow(out[0]).guard));
  }
  bool isInclusiveJoin(NodeId n) const {
    NodeKind kind = b.node(n).kind;
    return (kind == NodeKind::SubsetJoin || kind == NodeKind::SubsetSelect) &&
           flows.incoming(n).size() > 1;
  }
  /// Whether a token is passed on by a silent step of its own.
  bool passesSilently(NodeId n) const {
    return isDecision(n) || isInclusiveJoin(n) ||
           (!joins.empty() && b.node(n).kind == NodeKind::AllSelect &&
            flows.outgoing(n).size() > 1);
  }
  static void put(Marking &to, uint32_t token) {
    to.insert(llvm::upper_bound(to, token), token);
  }
  static Marking without(const Marking &from, uint32_t token) {
    Marking rest = from;
    rest.erase(llvm::lower_bound(rest, token));
    return rest;
  }
  bool goesRound(NodeId n) const;
  void findJoins();
  bool joinsNow(NodeId n, const Marking &marking) const;
  void subsets(NodeId n, std::vector<Move> &moves);
  std::vector<Move> movesOf(const Marking &rest, uint32_t token);
  bool settle(Marking &marking);
  bool extend(std::vector<Way> &ways, size_t before, const Marking &rest,
              uint32_t token);
  Marking afterStep(Marking rest, NodeId n);
  void steps(uint32_t from, const Marking &marking);
  void stepsOf(uint32_t from, const Marking &rest, uint32_t token);
  void step(uint32_t from, const Marking &rest, NodeId n, FormulaId guard);
  std::vector<Way> passOn(const Marking &rest, uint32_t token, FormulaId guard);
  FormulaId canEnd(const Marking &marking);

  const Module &module;
  const Behaviour &b;
  FlowIndex flows;
  FormulaPool &pool;
  Budget budget;
  StgData data;
  const uint32_t numFlows;
  Stg stg;
  ArrayPool<uint32_t> markings; ///< by state
  std::map<uint32_t, Before> joins; ///< by node, of inclusive ones
  bool endless = false; ///< tokens become more and more without a step
  bool tooMany = false; ///< ways through choices that are in a row
};

} // namespace

bool GraphBuilder::isSupported(NodeId n, std::string &why) const {
  const Node &node = b.node(n);
  why =
      (nodeKindText(node.kind) + " nodes are not supported symbolically").str();
  switch (node.kind) {
  case NodeKind::SimpleJoin: // one with several ways out is a choice
  case NodeKind::AllSelect:  // one with several ways in is a join, too
  case NodeKind::SubsetSelect:
  case NodeKind::SubsetJoin:
    if (kindIsMixed(n)) {
      why = "mixed gateways have to be normalized first";
      return false;
    }
    break;
  case NodeKind::Initial:
  case NodeKind::Final:
  case NodeKind::Choice:
  case NodeKind::DominatedChoice:
  case NodeKind::EventChoice:
  case NodeKind::AllJoin:
  case NodeKind::Catch:
  case NodeKind::Throw:
  case NodeKind::Terminate:
  case NodeKind::Stuck:
    break;
  default: // boundary events, containers, calls, and what is not known here
    if (!hasTrait(node.kind, NodeTraits::Step))
      return false;
  }
  if (node.trigger == Trigger::Link) {
    why = "links are not supported symbolically";
    return false;
  }
  if (node.reply || node.loop != LoopKind::None) {
    why = "two-way and repeated steps have to be normalized first";
    return false;
  }
  bool chooses = hasTrait(node.kind, NodeTraits::Decision);
  if (!chooses && llvm::any_of(flows.outgoing(n), [&](FlowId f) {
        return bool(b.flow(f).guard);
      })) {
    why = "a condition on a flow that does not leave a choice is not supported "
          "symbolically";
    return false;
  }
  return true;
}

/// Whether a token at \p n comes back to it, whatever happens: a participant
/// may have no part in a loop of the others.
bool GraphBuilder::goesRound(NodeId n) const {
  NodeId now = n;
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    ArrayRef<FlowId> out = flows.outgoing(now);
    if (out.size() != 1 || isStep(now) || passesSilently(now) ||
        isDeferred(now) || b.node(now).kind == NodeKind::AllJoin)
      return false;
    now = b.flow(out[0]).target;
    if (now == n)
      return true;
  }
  return false;
}

/// Moves tokens on that nothing keeps. False: there is no end to it.
bool GraphBuilder::settle(Marking &marking) {
  const size_t most = 4 * (b.nodes.size() + marking.size()) + 16;
  size_t moves = 0;
  for (size_t i = 0; i < marking.size();) {
    NodeId n = at(marking[i]);
    NodeKind kind = b.node(n).kind;
    if (kind == NodeKind::Terminate && marking.size() == 1) {
      marking.clear();
      break;
    }
    if (isStep(n) || passesSilently(n) || isDeferred(n) ||
        kind == NodeKind::Stuck || goesRound(n)) {
      ++i;
      continue;
    }
    if (kind == NodeKind::AllJoin || kind == NodeKind::AllSelect) {
      // Mixed ones wait too.
      ArrayRef<FlowId> in = flows.incoming(n);
      if (kind == NodeKind::AllJoin && !llvm::all_of(in, [&](FlowId f) {
            return llvm::binary_search(marking, f.index());
          })) {
        ++i;
        continue;
      }
      if (kind == NodeKind::AllJoin)
        for (FlowId f : in)
          marking.erase(llvm::lower_bound(marking, f.index()));
      else
        marking.erase(marking.begin() + static_cast<ptrdiff_t>(i));
    } else {
      marking.erase(marking.begin() + static_cast<ptrdiff_t>(i));
    }
    for (FlowId f : flows.outgoing(n))
      put(marking, f.index());
    i = 0;
    if (++moves > most) {
      endless = true;
      return false;
    }
  }
  return true;
}

Marking GraphBuilder::afterStep(Marking rest, NodeId n) {
  if (b.node(n).kind == NodeKind::Terminate)
    return {};
  for (FlowId f : flows.outgoing(n))
    put(rest, f.index());
  settle(rest);
  return rest;
}

void GraphBuilder::step(uint32_t from, const Marking &rest, NodeId n,
                        FormulaId guard) {
  if (pool.is(guard, false))
    return;
  uint32_t to = markings.intern(afterStep(rest, n));
  StgAction action = b.node(n).message ? StgAction::Exchange : StgAction::Tau;
  stg.transitions.push_back(data.transition(from, to, guard, action, n, false));
}

/// From where tokens come to inclusive joins, against the flows. One whose
/// condition is never true brings none.
void GraphBuilder::findJoins() {
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    const NodeId n(i);
    if (!isInclusiveJoin(n))
      continue;
    Before &before = joins[n.index()];
    for (FlowId in : flows.incoming(n)) {
      llvm::BitVector &seen =
          before.emplace_back(numFlows + static_cast<uint32_t>(b.nodes.size()));
      SmallVector<FlowId, 8> work{in};
      while (!work.empty()) {
        FlowId f = work.pop_back_val();
        NodeId by = b.flow(f).source;
        if (by == n ||
            (b.flow(f).guard && pool.is(data.condition(f).isTrue, false)))
          continue;
        seen.set(numFlows + by.index()); // where it starts
        for (FlowId next : flows.incoming(by))
          if (!seen.test(next.index())) {
            seen.set(next.index());
            work.push_back(next);
          }
      }
      seen.reset(in.index());
    }
  }
}

/// Whether the inclusive join \p n can pass on what is in \p marking.
bool GraphBuilder::joinsNow(NodeId n, const Marking &marking) const {
  ArrayRef<FlowId> in = flows.incoming(n);
  const Before &before = joins.at(n.index());
  auto isMarked = [&](size_t i) {
    return llvm::binary_search(marking, in[i].index());
  };
  return llvm::all_of(marking, [&](uint32_t token) {
    bool comesToEmpty = false, comesToMarked = false;
    for (size_t i = 0; i < in.size(); ++i)
      (isMarked(i) ? comesToMarked : comesToEmpty) |= before[i].test(token);
    return !comesToEmpty || comesToMarked;
  });
}

/// Each non-empty set of branches whose conditions are true where those of the
/// others are false; the default alone where none is.
void GraphBuilder::subsets(NodeId n, std::vector<Move> &moves) {
  std::vector<Move> sets{{{}, {}, pool.truth(true)}};
  for (FlowId f : flows.outgoing(n)) {
    if (b.flow(f).flags & DefaultFlow)
      continue;
    StgData::Condition when{pool.truth(true), pool.truth(true)};
    if (b.flow(f).guard)
      when = data.condition(f);
    for (size_t i = 0, end = sets.size(); i < end; ++i) {
      Move with = sets[i];
      with.to.push_back(f);
      with.guard = pool.conjunction(with.guard, when.isTrue);
      sets[i].guard = pool.conjunction(sets[i].guard, when.isFalse);
      if (!pool.is(with.guard, false))
        sets.push_back(std::move(with));
    }
    llvm::erase_if(sets,
                   [&](const Move &set) { return pool.is(set.guard, false); });
    if ((tooMany |= sets.size() > maxWays))
      return;
  }
  for (Move &set : sets)
    if (!set.to.empty())
      moves.push_back(std::move(set));
  for (FlowId f : flows.outgoing(n))
    if (b.flow(f).flags & DefaultFlow)
      moves.push_back({{}, {f}, data.condition(f).isTrue});
}

/// How the node at which \p token is may pass it on, beside \p rest.
std::vector<GraphBuilder::Move> GraphBuilder::movesOf(const Marking &rest,
                                                      uint32_t token) {
  const NodeId n = at(token);
  ArrayRef<FlowId> out = flows.outgoing(n);
  std::vector<Move> moves;
  Move whole{{}, {out.begin(), out.end()}, pool.truth(true)};
  if (isInclusiveJoin(n)) {
    Marking all = rest;
    put(all, token);
    if (!joinsNow(n, all))
      return moves;
    for (FlowId f : flows.incoming(n))
      if (f.index() != token && llvm::binary_search(rest, f.index()))
        whole.taken.push_back(f.index());
    moves.push_back(std::move(whole));
  } else if (!isDecision(n) && !isDeferred(n)) {
    moves.push_back(std::move(whole));
  } else if (b.node(n).kind == NodeKind::SubsetSelect) {
    subsets(n, moves);
  } else {
    for (FlowId f : out)
      moves.push_back({{},
                       {f},
                       b.flow(f).guard || b.flow(f).flags & DefaultFlow
                           ? data.condition(f).isTrue
                           : pool.truth(true)});
  }
  return moves;
}

/// Where a token can be passed on to, and what it settles to there.
std::vector<GraphBuilder::Way>
GraphBuilder::passOn(const Marking &rest, uint32_t token, FormulaId guard) {
  std::vector<Way> ways;
  for (const Move &move : movesOf(rest, token)) {
    Way way{{}, {}, pool.conjunction(guard, move.guard)};
    Marking all = rest;
    for (uint32_t other : move.taken)
      all.erase(llvm::lower_bound(all, other));
    for (FlowId f : move.to)
      put(all, f.index());
    if (pool.is(way.guard, false) || !settle(all))
      continue;
    // What was there and is still there was not passed on.
    std::set_intersection(all.begin(), all.end(), rest.begin(), rest.end(),
                          std::back_inserter(way.rest));
    std::set_difference(all.begin(), all.end(), way.rest.begin(),
                        way.rest.end(), std::back_inserter(way.fresh));
    ways.push_back(std::move(way));
  }
  return ways;
}

/// Adds the ways on from \p token. One that comes back to where it was has been
/// there with a weaker condition, because nothing is assigned on the way.
/// False: there are too many.
bool GraphBuilder::extend(std::vector<Way> &ways, size_t before,
                          const Marking &rest, uint32_t token) {
  FormulaId guard = before == SIZE_MAX ? pool.truth(true) : ways[before].guard;
  for (Way &way : passOn(rest, token, guard)) {
    size_t k = before;
    while (k != SIZE_MAX &&
           (ways[k].rest != way.rest || ways[k].fresh != way.fresh))
      k = ways[k].before;
    way.before = before;
    if (k == SIZE_MAX)
      ways.push_back(std::move(way));
  }
  tooMany |= ways.size() > maxWays;
  return !budget.spend() && !tooMany;
}

/// The steps that a token takes, or that come first behind it.
void GraphBuilder::stepsOf(uint32_t from, const Marking &rest, uint32_t token) {
  NodeId n = at(token);
  if (passesSilently(n)) {
    // The tokens at a join are taken together, as one step.
    if (isInclusiveJoin(n) && llvm::any_of(flows.incoming(n), [&](FlowId f) {
          return f.index() < token && llvm::binary_search(rest, f.index());
        }))
      return;
    for (const Way &way : passOn(rest, token, pool.truth(true))) {
      Marking all = way.rest;
      for (uint32_t other : way.fresh)
        put(all, other);
      stg.transitions.push_back(data.transition(from, markings.intern(all),
                                                way.guard, StgAction::Tau, n,
                                                isDecision(n)));
    }
    return;
  }
  if (!isDeferred(n)) {
    if (isStep(n))
      step(from, rest, n, pool.truth(true));
    return;
  }
  std::vector<Way> ways;
  if (!extend(ways, SIZE_MAX, rest, token))
    return;
  for (size_t i = 0; i < ways.size(); ++i) {
    const Way way = ways[i];
    for (size_t k = 0; k < way.fresh.size(); ++k) {
      if (k && way.fresh[k] == way.fresh[k - 1])
        continue;
      Marking others = way.rest;
      for (uint32_t other : without(way.fresh, way.fresh[k]))
        put(others, other);
      NodeId next = at(way.fresh[k]);
      if (isStep(next))
        step(from, others, next, way.guard);
      else if ((passesSilently(next) || isDeferred(next)) &&
               !extend(ways, i, others, way.fresh[k]))
        return;
    }
  }
}

/// When all tokens can end without a step.
FormulaId GraphBuilder::canEnd(const Marking &marking) {
  FormulaId any = pool.truth(false);
  // A decision is a step of its own, unless a deferred choice stands before.
  if (llvm::any_of(marking, [&](uint32_t t) { return passesSilently(at(t)); }))
    return any;
  std::vector<Way> ways{{{}, marking, pool.truth(true)}};
  for (size_t i = 0; i < ways.size(); ++i) {
    Marking now = ways[i].rest;
    for (uint32_t token : ways[i].fresh)
      put(now, token);
    if (now.empty())
      any = pool.make(ExprOp::Or, any, ways[i].guard);
    if (llvm::any_of(now, [&](uint32_t t) { return isStep(at(t)); }))
      continue;
    for (uint32_t token : now) {
      if (!isDeferred(at(token)) && !passesSilently(at(token)))
        continue;
      if (!extend(ways, i, without(now, token), token))
        return any;
      if (joins.empty()) // what is passed on first makes no difference
        break;
    }
  }
  return any;
}

void GraphBuilder::steps(uint32_t from, const Marking &marking) {
  for (size_t i = 0; i < marking.size(); ++i)
    if (!i || marking[i] != marking[i - 1])
      stepsOf(from, without(marking, marking[i]), marking[i]);
  FormulaId ends = canEnd(marking);
  if (pool.is(ends, false))
    return;
  constexpr uint32_t over = UINT32_MAX; // no token: it has ended, and said so
  stg.transitions.push_back(data.transition(from, markings.intern({over}), ends,
                                            StgAction::Tick, NodeId(), false));
}

Outcome<Stg> GraphBuilder::run(TermBreak &why) {
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (!isSupported(NodeId(i), why.reason)) {
      why.node = NodeId(i);
      return Failed();
    }
  std::vector<bool> starts = startingNodes(b, flows);
  Marking first;
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (starts[i])
      first.push_back(numFlows + static_cast<uint32_t>(i));
  if (first.size() > 1 && b.kind == BehaviourKind::Process) {
    why.node = at(first[1]);
    why.reason = "several start events are not supported symbolically";
    return Failed();
  }
  stg.name = module.text(b.name).str();
  findJoins();
  settle(first);
  markings.intern(first);
  for (uint32_t s = 0; s < markings.size() && !endless; ++s) {
    const Marking marking = markings[s].vec();
    if (marking != Marking{UINT32_MAX})
      steps(s, marking);
    budget.spend(marking.size() + 1);
    std::string limit = budget.exceeded(markings.size(), memoryInUse());
    if (tooMany)
      limit = "more than " + std::to_string(maxWays) +
              " ways through choices that follow each other";
    if (budget.stopped() || !limit.empty())
      return Stopped{budget.stopped() ? budget.limit() : limit};
  }
  if (endless) {
    why.reason = "it has a loop that makes tokens and takes no step";
    return Failed();
  }
  stg.finish(pool, markings.size());
  return std::move(stg);
}

Outcome<Stg> cif::stgOfGraph(const Module &module, const Behaviour &behaviour,
                             FormulaPool &pool, const Limits &limits,
                             std::vector<OpenCondition> &open, TermBreak &why) {
  return GraphBuilder(module, behaviour, pool, limits, open).run(why);
}
