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
/// A container runs from when a token comes to it until it is left, with no
/// token in it; so does an activity with events on its border, until its step.
/// These events are steps while it runs. Where the last token of a container
/// that they may interrupt ends, that is a silent step: they cannot occur any
/// more. So is leaving it where they could occur until then. What is thrown
/// in a process is a step to the event that catches it. A race on a border
/// (`[>`) is decided by the first step of either side.
///
/// So the graph is what lib/Semantics makes of the same behaviour, with
/// formulas in place of values. Calls and compensation are not supported.
///
//===----------------------------------------------------------------------===//

#include "StgData.h"
#include "cif/Graph/Reach.h"
#include "cif/IR/Scopes.h"
#include "cif/IR/Starts.h"
#include "cif/Support/ArrayPool.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

namespace {

/// Tokens, sorted: on a flow; from `numFlows` on at a node that starts, then on
/// a node that runs, then on an event that may still occur once.
using Marking = std::vector<uint32_t>;

class GraphBuilder {
public:
  GraphBuilder(const Module &module, const Behaviour &b, FormulaPool &pool,
               const Limits &limits, std::vector<OpenCondition> &open)
      : module(module), b(b), flows(b), pool(pool), budget(limits),
        data(module, b, pool, open), numFlows(b.flows.size()),
        numNodes(b.nodes.size()), borders(b.nodes.size()) {}

  Outcome<Stg> run(TermBreak &why);

private:
  /// A token that a deferred choice could pass on, and when.
  struct Way {
    Marking rest, fresh; ///< other tokens, and those that were passed on
    FormulaId guard;
    Marking empty; ///< of the others: containers that can be left for that
    size_t before = SIZE_MAX; ///< the way that it continues
  };
  static constexpr size_t maxWays = 65536, maxTokens = 65536;
  /// One way in which a node passes a token on.
  struct Move {
    Marking to;
    FormulaId guard;
  };
  /// Of what runs for a while.
  struct Border {
    SmallVector<NodeId, 2> events; ///< on its border
    SmallVector<NodeId, 2> starts; ///< where tokens start in it
    bool races = false;
    /// What may occur depends on whether a token is left in it.
    bool watchesEnd = false;
    bool untilLeft = false; ///< something may occur until it is left
    NodeId main;            ///< the container in which tokens matter for that
    llvm::BitVector work;   ///< if not empty: only those at such nodes
  };
  /// For an incoming flow of a join: from where a token can come to it without
  /// passing the join, and from where that token is the same one. An event that
  /// does not interrupt its activity makes one of its own.
  struct Before {
    llvm::BitVector any, moves;
  };

  bool isSupported(NodeId n, std::string &why) const;
  bool kindIsMixed(NodeId n) const {
    return flows.incoming(n).size() > 1 && flows.outgoing(n).size() > 1;
  }
  NodeId at(uint32_t token) const {
    return token < numFlows ? b.flow(FlowId(token)).target
                            : NodeId((token - numFlows) % numNodes);
  }
  uint32_t starting(NodeId n) const { return numFlows + n.index(); }
  uint32_t running(NodeId n) const { return numFlows + numNodes + n.index(); }
  uint32_t armed(NodeId n) const { return numFlows + 2 * numNodes + n.index(); }
  bool isArmed(uint32_t token) const {
    return token >= numFlows + 2 * numNodes;
  }
  bool isRunning(uint32_t token) const {
    return token >= numFlows + numNodes && !isArmed(token);
  }
  bool isContainer(NodeId n) const {
    return b.node(n).kind == NodeKind::Container;
  }
  /// Whether it runs for a while.
  bool opens(NodeId n) const {
    return isContainer(n) || !borders[n.index()].events.empty();
  }
  /// At most, while its activity runs: what no message or throw brings.
  bool occursOnce(NodeId event) const {
    return b.node(event).flags & NonInterrupting &&
           b.node(event).trigger != Trigger::Message &&
           !catchers.isThrown.test(event.index());
  }
  bool isStep(uint32_t token) const {
    NodeId n = at(token);
    return isRunning(token) ? !isContainer(n)
                            : !isArmed(token) && !opens(n) && isStep(n);
  }
  bool isStep(NodeId n) const {
    const Node &node = b.node(n);
    if (node.trigger == Trigger::Link || (isStart(n) && node.parent))
      return false;
    return node.message || !catchers.caughtBy[n.index()].empty() ||
           hasTrait(node.kind, NodeTraits::Step) ||
           node.kind == NodeKind::Catch || node.kind == NodeKind::Throw ||
           node.kind == NodeKind::Terminate;
  }
  bool isStart(NodeId n) const { return b.node(n).kind == NodeKind::Initial; }
  bool isDecision(NodeId n) const {
    NodeKind kind = b.node(n).kind;
    if (kind != NodeKind::Choice && kind != NodeKind::DominatedChoice &&
        kind != NodeKind::SubsetSelect)
      return false;
    ArrayRef<FlowId> out = flows.outgoing(n);
    return out.size() > 1 || (out.size() == 1 && b.flow(out[0]).guard);
  }
  bool isDeferred(uint32_t token) const {
    return isRunning(token) ? borders[at(token).index()].races
                            : !isArmed(token) && isDeferred(at(token));
  }
  bool isDeferred(NodeId n) const {
    ArrayRef<FlowId> out = flows.outgoing(n);
    return b.node(n).kind == NodeKind::EventChoice &&
           (out.size() > 1 || (out.size() == 1 && b.flow(out[0]).guard));
  }
  bool isAllJoin(NodeId n) const { return b.node(n).kind == NodeKind::AllJoin; }
  /// Whether there is a token on each flow to it.
  bool isComplete(NodeId join, const Marking &marking) const {
    return llvm::all_of(flows.incoming(join),
                        [&](FlowId f) { return holds(marking, f.index()); });
  }
  bool isInclusiveJoin(NodeId n) const {
    NodeKind kind = b.node(n).kind;
    return (kind == NodeKind::SubsetJoin || kind == NodeKind::SubsetSelect) &&
           flows.incoming(n).size() > 1;
  }
  /// Whether a token that ends there may end what could occur around it.
  bool endsWatched(NodeId n) const {
    if (!exits(n).empty())
      return false;
    NodeId c = b.node(n).parent;
    while (c && !borders[c.index()].watchesEnd)
      c = b.node(c).parent;
    return bool(c);
  }
  /// Whether a token is passed on by a silent step of its own.
  bool passesSilently(NodeId n) const {
    return isDecision(n) || isInclusiveJoin(n) ||
           (!joins.empty() &&
            (opens(n) ||
             ((b.node(n).kind == NodeKind::AllSelect || isAllJoin(n)) &&
              flows.outgoing(n).size() > 1))) ||
           (!isStep(n) && !opens(n) && endsWatched(n));
  }
  bool passesSilently(uint32_t token) const {
    NodeId n = at(token);
    if (!isRunning(token))
      return !isArmed(token) && passesSilently(n);
    return isContainer(n) && !isDeferred(token) &&
           (borders[n.index()].untilLeft || endsWatched(n));
  }
  /// The flows on which tokens go on.
  SmallVector<FlowId, 2> exits(NodeId n) const {
    SmallVector<FlowId, 2> all;
    if (b.node(n).trigger != Trigger::Link || b.node(n).kind == NodeKind::Catch)
      llvm::append_range(all, flows.outgoing(n));
    else
      for (NodeId to : linkTargets(b, n))
        llvm::append_range(all, flows.outgoing(to));
    return all;
  }
  void leave(NodeId n, Marking &to) const {
    for (FlowId f : exits(n))
      put(to, f.index());
  }
  static void put(Marking &to, uint32_t token) {
    to.insert(llvm::upper_bound(to, token), token);
  }
  static void take(Marking &from, uint32_t token) {
    from.erase(llvm::lower_bound(from, token));
  }
  static Marking with(Marking to, uint32_t token) {
    put(to, token);
    return to;
  }
  static Marking without(Marking from, uint32_t token) {
    take(from, token);
    return from;
  }
  static bool holds(const Marking &marking, uint32_t token) {
    return llvm::binary_search(marking, token);
  }
  /// The container that a token is in.
  NodeId scopeOf(uint32_t token) const {
    return b.node(token < numFlows ? b.flow(FlowId(token)).source : at(token))
        .parent;
  }
  bool isIn(uint32_t token, NodeId container) const {
    NodeId c = scopeOf(token);
    return c == container || (c && isInside(b, c, container));
  }
  bool isEmpty(NodeId container, const Marking &marking) const {
    return llvm::none_of(marking,
                         [&](uint32_t t) { return scopeOf(t) == container; });
  }
  /// Whether a silent step of its own can pass it on now.
  bool isPassable(uint32_t token, const Marking &marking) const {
    NodeId n = at(token);
    return passesSilently(token) && (isRunning(token)     ? isEmpty(n, marking)
                                     : isInclusiveJoin(n) ? joinsNow(n, marking)
                                     : isAllJoin(n) ? isComplete(n, marking)
                                                    : true);
  }
  void findBorders();
  void open(NodeId n, Marking &marking) const;
  void close(NodeId n, Marking &marking) const;
  bool stays(uint32_t token, const Marking &marking) const;
  bool mayOccur(NodeId event, const Marking &marking) const;
  bool goesRound(NodeId n) const;
  bool hasSilentCycle() const;
  void findJoins();
  bool joinsNow(NodeId n, const Marking &marking) const;
  llvm::BitVector comesTo(NodeId join, FlowId in, bool moves);
  void subsets(NodeId n, const Marking &rest, std::vector<Move> &moves);
  void leaveRunning(const Marking &rest, NodeId n, std::vector<Move> &moves);
  std::vector<Move> movesOf(const Marking &rest, uint32_t token);
  bool settle(Marking &marking);
  bool extend(std::vector<Way> &ways, size_t before, const Marking &rest,
              uint32_t token);
  void steps(uint32_t from, const Marking &marking);
  void stepsOf(uint32_t from, const Marking &rest, uint32_t token);
  void step(uint32_t from, const Marking &rest, uint32_t token,
            FormulaId guard);
  void ownStep(uint32_t from, Marking to, NodeId n, FormulaId guard);
  void add(uint32_t from, Marking to, NodeId n, FormulaId guard);
  std::vector<Way> passOn(const Marking &rest, uint32_t token, FormulaId guard);
  FormulaId canEnd(const Marking &marking);

  const Module &module;
  const Behaviour &b;
  FlowIndex flows;
  FormulaPool &pool;
  Budget budget;
  StgData data;
  const uint32_t numFlows, numNodes;
  std::vector<Border> borders; ///< by node
  std::vector<bool> starts;    ///< by node
  Catchers catchers;
  bool anyRaces = false, scoped = false;
  Stg stg;
  ArrayPool<uint32_t> markings;                  ///< by state
  std::map<uint32_t, std::vector<Before>> joins; ///< by inclusive join
  bool mayBeEndless = false;                     ///< some cycle has no step
  bool endless = false; ///< tokens become more and more without a step
  bool tooFull = false; ///< tokens at a time
  bool tooMany = false; ///< ways through choices that are in a row
};

} // namespace

bool GraphBuilder::isSupported(NodeId n, std::string &why) const {
  const Node &node = b.node(n);
  why = (nodeKindText(node.kind) + " nodes are supported by relations that are "
                                   "not symbolic only")
            .str();
  switch (node.kind) {
  case NodeKind::SimpleJoin: // one with several ways out is a choice
  case NodeKind::AllSelect:  // one with several ways in is a join, too
  case NodeKind::SubsetSelect:
  case NodeKind::SubsetJoin:
    if (kindIsMixed(n)) {
      why = "a gateway that joins and splits needs --normalize first";
      return false;
    }
    break;
  case NodeKind::Initial:
  case NodeKind::Final:
  case NodeKind::Choice:
  case NodeKind::DominatedChoice:
  case NodeKind::AllJoin:
  case NodeKind::Catch:
  case NodeKind::Throw:
  case NodeKind::Terminate:
  case NodeKind::Stuck:
    break;
  case NodeKind::EventChoice:
    why = "begin each branch of an event-based choice with a step";
    return !scoped || !isDeferred(n) || !hasSilentBranch(b, flows, n);
  case NodeKind::Container:
    if (node.flags & (EventTriggered | AdHoc)) {
      why = "write an event or ad hoc sub-process in BPMN, or by its parts";
      return false;
    }
    break;
  case NodeKind::Boundary:
    why = "an event on a border has to be attached to an activity";
    if (!node.attachedTo ||
        !hasTrait(b.node(node.attachedTo).kind, NodeTraits::Activity))
      return false;
    break;
  default: // calls, and what is not known here
    if (!hasTrait(node.kind, NodeTraits::Step))
      return false;
  }
  size_t depth = 0;
  for (NodeId c = node.parent; c; c = b.node(c).parent)
    if (!isContainer(c) || ++depth > b.nodes.size()) {
      why = "what it is in has to be a container";
      return false;
    }
  if (node.trigger == Trigger::Compensation) {
    why = "compensation is supported by relations that are not symbolic only";
    return false;
  }
  if (node.reply || node.loop != LoopKind::None) {
    why = "two-way and repeated steps need --normalize first";
    return false;
  }
  bool chooses = hasTrait(node.kind, NodeTraits::Decision);
  if (!chooses && llvm::any_of(flows.outgoing(n), [&](FlowId f) {
        return bool(b.flow(f).guard);
      })) {
    why = "put a choice before the condition on a flow that leaves it";
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
    if (out.size() != 1 || isStep(now) || opens(now) || passesSilently(now) ||
        isDeferred(now) || isAllJoin(now))
      return false;
    now = b.flow(out[0]).target;
    if (now == n)
      return true;
  }
  return false;
}

/// Whether tokens might pass nodes again and again without a step.
bool GraphBuilder::hasSilentCycle() const {
  return !isAcyclic(b.nodes.size(), [&](uint32_t node, auto visit) {
    const NodeId n(node);
    if (isStep(n) || passesSilently(n) || isDeferred(n) || goesRound(n) ||
        (opens(n) && !isContainer(n)))
      return;
    for (FlowId f : exits(n))
      visit(b.flow(f).target.index());
    if (isContainer(n))
      for (NodeId start : borders[n.index()].starts)
        visit(start.index());
  });
}

void GraphBuilder::findBorders() {
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    const Node &node = b.nodes[i];
    if (starts[i] && node.parent)
      borders[node.parent.index()].starts.push_back(NodeId(i));
    if (node.kind != NodeKind::Boundary)
      continue;
    NodeId host = node.attachedTo;
    Border &border = borders[host.index()];
    border.events.push_back(NodeId(i));
    border.races |= node.trigger == Trigger::Race;
    anyRaces |= border.races;
    if (!isContainer(host) || node.trigger == Trigger::Race ||
        catchers.isThrown.test(i))
      continue;
    border.main = holdsScope(b, host) ? mainPart(b, host) : host;
    if (border.main == host && !holdsScope(b, host) && isOneTask(b, host))
      border.work = leadsToWork(b, flows, host);
    const bool untilLeft = node.flags & NonInterrupting &&
                           !holdsScope(b, host) && border.work.empty();
    border.untilLeft |= untilLeft;
    border.watchesEnd |= !untilLeft;
  }
}

/// \p n begins to run.
void GraphBuilder::open(NodeId n, Marking &marking) const {
  put(marking, running(n));
  for (NodeId start : borders[n.index()].starts)
    if (isStart(start))
      leave(start, marking);
    else
      put(marking, starting(start));
  for (NodeId event : borders[n.index()].events)
    if (occursOnce(event))
      put(marking, armed(event));
}

/// \p n ends, with all that is in it.
void GraphBuilder::close(NodeId n, Marking &marking) const {
  take(marking, running(n));
  llvm::erase_if(marking, [&](uint32_t t) {
    return isIn(t, n) || (isArmed(t) && b.node(at(t)).attachedTo == n);
  });
}

/// Whether an event can occur on what runs, by itself. One that is completing
/// is not interrupted any more; while a scope is, none of its event
/// sub-processes starts [bpmn20, 13.5.4].
bool GraphBuilder::mayOccur(NodeId event, const Marking &marking) const {
  const Node &node = b.node(event);
  const Border &border = borders[node.attachedTo.index()];
  if (node.trigger == Trigger::Race || catchers.isThrown.test(event.index()) ||
      (occursOnce(event) && !holds(marking, armed(event))))
    return false;
  if (!isContainer(node.attachedTo) ||
      (node.flags & NonInterrupting && border.main == node.attachedTo &&
       border.work.empty() && !holdsScope(b, node.attachedTo)))
    return true;
  return llvm::any_of(marking, [&](uint32_t t) {
    return isIn(t, border.main) && (border.work.empty() || t >= numFlows ||
                                    border.work.test(at(t).index()));
  });
}

/// Whether \p token waits, or is passed on by a step.
bool GraphBuilder::stays(uint32_t token, const Marking &marking) const {
  NodeId n = at(token);
  const Node &node = b.node(n);
  if (isStep(token) || isArmed(token) || isDeferred(token) ||
      passesSilently(token))
    return true;
  if (isRunning(token))
    return !isEmpty(n, marking);
  if (opens(n))
    return holds(marking, running(n));
  if (isAllJoin(n))
    return !isComplete(n, marking);
  return node.kind == NodeKind::Stuck ||
         (node.kind == NodeKind::Catch && node.trigger == Trigger::Link) ||
         goesRound(n);
}

/// Moves tokens on that nothing keeps. False: there is no end to it.
bool GraphBuilder::settle(Marking &marking) {
  const size_t most = 8 * (b.nodes.size() + marking.size());
  size_t moves = 0;
  for (size_t i = 0; i < marking.size();) {
    const uint32_t token = marking[i];
    NodeId n = at(token);
    if (stays(token, marking)) {
      ++i;
      continue;
    }
    if (isRunning(token))
      close(n, marking);
    else if (isAllJoin(n))
      for (FlowId f : flows.incoming(n))
        take(marking, f.index());
    else
      take(marking, token);
    if (!isRunning(token) && opens(n))
      open(n, marking);
    else
      leave(n, marking);
    i = 0;
    if (++moves > most && mayBeEndless) {
      endless = true;
      return false;
    }
    // Without a cycle there is an end, but branches that merge without waiting
    // for each other can make many tokens of one.
    tooFull |= marking.size() > maxTokens;
    if (tooFull || budget.spend(marking.size()))
      return false;
  }
  return true;
}

void GraphBuilder::add(uint32_t from, Marking to, NodeId n, FormulaId guard) {
  settle(to);
  StgAction action = b.node(n).message ? StgAction::Exchange : StgAction::Tau;
  stg.transitions.push_back(
      data.transition(from, markings.intern(to), guard, action, n, false));
}

/// What \p n does with a token that was taken from it.
void GraphBuilder::ownStep(uint32_t from, Marking to, NodeId n,
                           FormulaId guard) {
  ArrayRef<NodeId> caughtBy = catchers.caughtBy[n.index()];
  if (b.node(n).kind == NodeKind::Terminate) {
    NodeId scope = terminatedScope(b, n);
    llvm::erase_if(to, [&](uint32_t t) { return !scope || isIn(t, scope); });
  } else if (caughtBy.empty()) {
    leave(n, to);
  }
  if (caughtBy.empty())
    return add(from, std::move(to), n, guard);
  for (NodeId by : caughtBy) {
    const Node &event = b.node(by);
    Marking caught = to;
    if (event.flags & NonInterrupting) {
      if (b.node(n).kind == NodeKind::Throw)
        leave(n, caught);
    } else if (holds(to, running(event.attachedTo))) {
      close(event.attachedTo, caught);
    } else {
      continue;
    }
    leave(by, caught);
    add(from, std::move(caught), n, guard);
  }
}

/// What a token does: its node's step, and whatever may occur on the border of
/// what runs.
void GraphBuilder::step(uint32_t from, const Marking &rest, uint32_t token,
                        FormulaId guard) {
  if (pool.is(guard, false))
    return;
  const NodeId n = at(token);
  const Marking marking = with(rest, token);
  if (isStep(token)) {
    Marking to = marking;
    if (isRunning(token))
      close(n, to);
    else
      take(to, token);
    ownStep(from, std::move(to), n, guard);
  }
  if (!isRunning(token))
    return;
  for (NodeId event : borders[n.index()].events) {
    if (!mayOccur(event, marking))
      continue;
    Marking to = marking;
    if (!(b.node(event).flags & NonInterrupting))
      close(n, to);
    else if (occursOnce(event))
      take(to, armed(event));
    leave(event, to);
    add(from, std::move(to), event, guard);
  }
}

/// From where tokens come to the flow \p in of \p join, against the flows. One
/// whose condition is never true brings none, and a token outside a container
/// that the join is in cannot come to the join's round of it.
llvm::BitVector GraphBuilder::comesTo(NodeId join, FlowId in, bool moves) {
  llvm::BitVector seen(numFlows + 3 * numNodes);
  SmallVector<FlowId, 8> work{in};
  auto visit = [&](NodeId n) { // a token that comes to n
    for (FlowId f : flows.incoming(n))
      if (!seen.test(f.index())) {
        seen.set(f.index());
        work.push_back(f);
      }
  };
  // A token that starts at n, or what opens its container for that.
  auto visitStarts = [&](NodeId n) {
    for (; n && starts[n.index()]; n = b.node(n).parent) {
      seen.set(starting(n));
      NodeId c = b.node(n).parent;
      if (!c || isInside(b, join, c))
        return;
      visit(c);
    }
  };
  auto visitOpening = [&](NodeId n) {
    seen.set(running(n));
    if (isInside(b, join, n))
      return;
    visit(n);
    visitStarts(n);
  };
  while (!work.empty()) {
    FlowId f = work.pop_back_val();
    NodeId by = b.flow(f).source;
    const Node &node = b.node(by);
    if (by == join ||
        (b.flow(f).guard && pool.is(data.condition(f).isTrue, false)))
      continue;
    if (node.kind == NodeKind::Boundary) {
      const bool stays = node.flags & NonInterrupting;
      if (!stays || (!moves && !catchers.isThrown.test(by.index())))
        visitOpening(node.attachedTo);
      if (!moves)
        seen.set(armed(by));
      for (size_t i = 0; i < b.nodes.size(); ++i)
        if (llvm::is_contained(catchers.caughtBy[i], by))
          visit(NodeId(i));
    } else if (node.kind == NodeKind::Catch && node.trigger == Trigger::Link) {
      for (size_t i = 0; i < b.nodes.size(); ++i)
        if (b.nodes[i].kind == NodeKind::Throw &&
            b.nodes[i].trigger == Trigger::Link &&
            llvm::is_contained(linkTargets(b, NodeId(i)), by))
          visit(NodeId(i));
    } else if (opens(by)) {
      visitOpening(by);
    } else {
      visit(by);
      visitStarts(by);
    }
  }
  seen.reset(in.index());
  return seen;
}

void GraphBuilder::findJoins() {
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (const NodeId n(i); isInclusiveJoin(n))
      for (FlowId in : flows.incoming(n))
        joins[n.index()].push_back(
            {comesTo(n, in, /*moves=*/false), comesTo(n, in, /*moves=*/true)});
}

/// Whether the inclusive join \p n can pass on what is in \p marking.
bool GraphBuilder::joinsNow(NodeId n, const Marking &marking) const {
  ArrayRef<FlowId> in = flows.incoming(n);
  ArrayRef<Before> before = joins.at(n.index());
  return llvm::all_of(marking, [&](uint32_t token) {
    bool comesToEmpty = false, comesToMarked = false;
    for (size_t i = 0; i < in.size(); ++i)
      if (holds(marking, in[i].index()))
        comesToMarked |= before[i].moves.test(token);
      else
        comesToEmpty |= before[i].any.test(token);
    return !comesToEmpty || comesToMarked;
  });
}

/// Each non-empty set of branches whose conditions are true where those of the
/// others are false; the default alone where none is.
void GraphBuilder::subsets(NodeId n, const Marking &rest,
                           std::vector<Move> &moves) {
  std::vector<Move> sets{{rest, pool.truth(true)}};
  for (FlowId f : flows.outgoing(n)) {
    if (b.flow(f).flags & DefaultFlow)
      continue;
    StgData::Condition when{pool.truth(true), pool.truth(true)};
    if (b.flow(f).guard)
      when = data.condition(f);
    for (size_t i = 0, end = sets.size(); i < end; ++i) {
      FormulaId guard = pool.conjunction(sets[i].guard, when.isTrue);
      sets[i].guard = pool.conjunction(sets[i].guard, when.isFalse);
      if (!pool.is(guard, false))
        sets.push_back({with(sets[i].to, f.index()), guard});
    }
    llvm::erase_if(sets,
                   [&](const Move &set) { return pool.is(set.guard, false); });
    tooMany |= sets.size() > maxWays;
    if (tooMany)
      return;
  }
  for (Move &set : sets)
    if (set.to != rest)
      moves.push_back(std::move(set));
  for (FlowId f : flows.outgoing(n))
    if (b.flow(f).flags & DefaultFlow)
      moves.push_back({with(rest, f.index()), data.condition(f).isTrue});
}

/// A container without tokens is left; one with a race may be interrupted.
void GraphBuilder::leaveRunning(const Marking &rest, NodeId n,
                                std::vector<Move> &moves) {
  Marking closed = with(rest, running(n));
  close(n, closed);
  auto leaveBy = [&](NodeId by) {
    moves.push_back({closed, pool.truth(true)});
    leave(by, moves.back().to);
  };
  if (isEmpty(n, rest))
    leaveBy(n);
  for (NodeId event : borders[n.index()].events)
    if (b.node(event).trigger == Trigger::Race)
      leaveBy(event);
}

/// How the node at which \p token is may pass it on, beside \p rest.
std::vector<GraphBuilder::Move> GraphBuilder::movesOf(const Marking &rest,
                                                      uint32_t token) {
  const NodeId n = at(token);
  std::vector<Move> moves;
  Move whole{rest, pool.truth(true)};
  if (isRunning(token)) {
    leaveRunning(rest, n, moves);
  } else if (opens(n)) {
    if (holds(rest, running(n)))
      return moves;
    open(n, whole.to);
    moves.push_back(std::move(whole));
  } else if (isInclusiveJoin(n) || isAllJoin(n)) {
    if (!isPassable(token, with(rest, token)))
      return moves;
    for (FlowId f : flows.incoming(n))
      if (f.index() != token && holds(rest, f.index()))
        take(whole.to, f.index());
    leave(n, whole.to);
    moves.push_back(std::move(whole));
  } else if (!isDecision(n) && !isDeferred(n)) {
    leave(n, whole.to);
    moves.push_back(std::move(whole));
  } else if (b.node(n).kind == NodeKind::SubsetSelect) {
    subsets(n, rest, moves);
  } else {
    for (FlowId f : flows.outgoing(n))
      moves.push_back({with(rest, f.index()),
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
  for (Move &move : movesOf(rest, token)) {
    Way way{{}, {}, pool.conjunction(guard, move.guard)};
    Marking all = std::move(move.to);
    if (pool.is(way.guard, false) || !settle(all))
      continue;
    // What was there and is still there was not passed on.
    std::set_intersection(all.begin(), all.end(), rest.begin(), rest.end(),
                          std::back_inserter(way.rest));
    std::set_difference(all.begin(), all.end(), way.rest.begin(),
                        way.rest.end(), std::back_inserter(way.fresh));
    llvm::copy_if(way.rest, std::back_inserter(way.empty), [&](uint32_t t) {
      return isRunning(t) && isPassable(t, all) && isIn(token, at(t));
    });
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
  step(from, rest, token, pool.truth(true));
  if (passesSilently(token)) {
    if (!isPassable(token, with(rest, token)))
      return;
    // The tokens at a join are taken together, as one step.
    if ((isInclusiveJoin(n) || isAllJoin(n)) &&
        llvm::any_of(flows.incoming(n), [&](FlowId f) {
          return f.index() < token && holds(rest, f.index());
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
  if (!isDeferred(token))
    return;
  std::vector<Way> ways;
  if (!extend(ways, SIZE_MAX, rest, token))
    return;
  for (size_t i = 0; i < ways.size(); ++i) {
    const Way way = ways[i];
    Marking all = way.rest;
    for (uint32_t other : way.fresh)
      put(all, other);
    for (size_t k = 0; k < way.fresh.size(); ++k) {
      const uint32_t next = way.fresh[k];
      if (k && next == way.fresh[k - 1])
        continue;
      const Marking others = without(all, next);
      step(from, others, next, way.guard);
      if ((isPassable(next, all) || isDeferred(next)) &&
          !extend(ways, i, others, next))
        return;
    }
    for (uint32_t container : way.empty)
      if (!extend(ways, i, without(all, container), container))
        return;
  }
}

/// When all tokens can end without a step.
FormulaId GraphBuilder::canEnd(const Marking &marking) {
  FormulaId any = pool.truth(false);
  // A decision is a step of its own, unless a deferred choice stands before.
  if (llvm::any_of(marking, [&](uint32_t t) { return isPassable(t, marking); }))
    return any;
  std::vector<Way> ways{{{}, marking, pool.truth(true)}};
  for (size_t i = 0; i < ways.size(); ++i) {
    Marking now = ways[i].rest;
    for (uint32_t token : ways[i].fresh)
      put(now, token);
    if (now.empty())
      any = pool.make(ExprOp::Or, any, ways[i].guard);
    if (!anyRaces && llvm::any_of(now, [&](uint32_t t) { return isStep(t); }))
      continue;
    for (uint32_t token : now) {
      if (!isDeferred(token) && !isPassable(token, now))
        continue;
      if (!extend(ways, i, without(now, token), token))
        return any;
      // What is passed on first makes no difference.
      if (joins.empty() && !anyRaces)
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
  starts = startingNodes(b, flows);
  scoped = llvm::any_of(b.nodes, [](const Node &n) {
    return n.kind == NodeKind::Container || n.kind == NodeKind::Boundary;
  });
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (!isSupported(NodeId(i), why.reason)) {
      why.node = NodeId(i);
      return Failed();
    }
  Marking first;
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (starts[i] && !b.nodes[i].parent)
      first.push_back(starting(NodeId(i)));
  if (first.size() > 1 && b.kind == BehaviourKind::Process) {
    why.node = at(first[1]);
    why.reason = "of several start events, keep the one to be checked";
    return Failed();
  }
  stg.name = module.text(b.name).str();
  catchers = findCatchers(module, b, flows);
  findBorders();
  findJoins();
  mayBeEndless = hasSilentCycle();
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
    if (tooFull)
      limit = "more than " + std::to_string(maxTokens) + " tokens at a time";
    if (budget.stopped() || !limit.empty())
      return Stopped{budget.stopped() ? budget.limit() : limit};
  }
  if (endless) {
    why.reason = "add a step to the loop that makes tokens without one";
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
