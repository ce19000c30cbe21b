//===- IocGraph.cpp - Choreographies as plain graphs of steps -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Calculus/IocGraph.h"
#include "llvm/ADT/StringMap.h"

using namespace cif;

namespace {

constexpr uint32_t none = 0xffffffffu;

/// Nodes and edges in the making. finish() keeps what the start reaches.
class GraphMaker {
public:
  uint32_t add(GraphNodeKind kind, NodeId node = {}, FlowId flow = {},
               uint32_t origin = none, TermAction action = {}) {
    nodes.push_back({kind, node, flow, origin});
    actions.push_back(action);
    return static_cast<uint32_t>(nodes.size() - 1);
  }
  void edge(uint32_t from, uint32_t to) { edges.push_back({from, to}); }
  /// Memory for \p count nodes, and for two edges of each.
  void reserve(size_t count) {
    nodes.reserve(count);
    actions.reserve(count);
    edges.reserve(2 * count);
  }
  GraphNodeKind &kind(uint32_t n) { return nodes[n].kind; }
  TermAction &action(uint32_t n) { return actions[n]; }

  IocGraph finish(uint32_t start);
  std::vector<IocGraph::Call> calls;
  std::vector<std::pair<uint32_t, uint32_t>> beside;
  std::vector<IocGraph::Race> races;
  bool open = false;

private:
  std::vector<IocGraph::Node> nodes;
  std::vector<TermAction> actions;
  std::vector<std::pair<uint32_t, uint32_t>> edges;
};

/// Rows of \p values by \p key; stable.
void groupBy(size_t rows, ArrayRef<std::pair<uint32_t, uint32_t>> pairs,
             std::vector<uint32_t> &begin, std::vector<uint32_t> &values) {
  begin.assign(rows + 1, 0);
  for (auto [key, value] : pairs)
    ++begin[key + 1];
  for (size_t i = 0; i < rows; ++i)
    begin[i + 1] += begin[i];
  values.resize(pairs.size());
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (auto [key, value] : pairs)
    values[next[key]++] = value;
}

IocGraph GraphMaker::finish(uint32_t start) {
  std::vector<uint32_t> begin, target;
  groupBy(nodes.size(), edges, begin, target);
  // In the order of a breadth-first walk.
  std::vector<uint32_t> number(nodes.size(), none), order;
  order.reserve(nodes.size());
  order.push_back(start);
  number[start] = 0;
  std::vector<std::pair<uint32_t, uint32_t>> kept, reversed;
  kept.reserve(edges.size());
  reversed.reserve(edges.size());
  for (size_t i = 0; i < order.size(); ++i)
    for (uint32_t e = begin[order[i]]; e < begin[order[i] + 1]; ++e) {
      uint32_t to = target[e];
      if (number[to] == none) {
        number[to] = static_cast<uint32_t>(order.size());
        order.push_back(to);
      }
      kept.push_back({static_cast<uint32_t>(i), number[to]});
      reversed.push_back({number[to], static_cast<uint32_t>(i)});
    }
  IocGraph graph;
  graph.nodes.reserve(order.size());
  graph.actions.reserve(order.size());
  for (uint32_t n : order) {
    graph.nodes.push_back(nodes[n]);
    graph.actions.push_back(actions[n]);
  }
  groupBy(order.size(), kept, graph.outBegin, graph.out);
  groupBy(order.size(), reversed, graph.inBegin, graph.in);
  for (const IocGraph::Call &call : calls)
    if (number[call.at] != none && number[call.back] != none)
      graph.calls.push_back({number[call.at], number[call.back],
                             number[call.entry], number[call.end]});
  llvm::sort(graph.calls, [](const IocGraph::Call &x, const IocGraph::Call &y) {
    return x.at < y.at;
  });
  for (auto [call, step] : beside)
    if (number[call] != none && number[step] != none)
      graph.beside.push_back({number[call], number[step]});
  for (const IocGraph::Race &race : races) {
    if (number[race.entry] == none)
      continue;
    graph.races.push_back({{}, number[race.entry]});
    for (uint32_t step : race.steps)
      if (number[step] != none)
        graph.races.back().steps.push_back(number[step]);
  }
  graph.open = open;
  return graph;
}

/// Of each call in a parallel branch of what it calls, a step in another branch
/// beside it, or the call itself when there is none.
std::vector<TermId> stepsBeside(const Term &term) {
  // Of each subterm: a step in it, how many recursions it is in, and of the
  // innermost parallel operators around it (any, and those with a step beside
  // it) how many recursions they are in, and one.
  struct Around {
    TermId step, beside;
    uint32_t depth = 0, parallel = 0, withStep = 0;
  };
  std::vector<Around> of(term.size());
  std::vector<TermId> result(term.size());
  for (size_t i = 0; i < term.size(); ++i) {
    const TermNode &node = term.nodes[i];
    if (node.kind == TermKind::Action)
      of[i].step = TermId(i);
    for (TermId c = node.firstChild; c && !of[i].step; c = term[c].nextSibling)
      of[i].step = of[c.index()].step;
  }
  for (size_t i = term.size(); i-- > 0;) {
    const TermNode &node = term.nodes[i];
    // Two children with steps are enough to have one beside each.
    TermId first, second;
    for (TermId c = node.firstChild; c && !second; c = term[c].nextSibling)
      if (of[c.index()].step)
        (first ? second : first) = c;
    for (TermId c = node.firstChild; c; c = term[c].nextSibling) {
      Around &child = of[c.index()];
      child.depth = of[i].depth + (node.kind == TermKind::Rec);
      child.parallel = of[i].parallel;
      child.withStep = of[i].withStep;
      child.beside = of[i].beside;
      if (node.kind != TermKind::Parallel)
        continue;
      child.parallel = of[i].depth + 1;
      if (TermId other = c == first ? second : first) {
        child.withStep = of[i].depth + 1;
        child.beside = of[other.index()].step;
      }
    }
    if (node.kind != TermKind::Call)
      continue;
    uint32_t inside = of[node.target.index()].depth + 1;
    if (of[i].withStep > inside)
      result[i] = of[i].beside;
    else if (of[i].parallel > inside)
      result[i] = TermId(i);
  }
  return result;
}

/// Which subterms may come to an end at all. More than that when recursions
/// depend on each other in many ways.
std::vector<bool> findEnding(const Term &term) {
  std::vector<bool> ends(term.size());
  constexpr unsigned passes = 4;
  bool changed = true;
  for (unsigned pass = 0; changed && pass <= passes; ++pass) {
    changed = false;
    for (size_t i = 0; i < term.size(); ++i) {
      const TermNode &node = term.nodes[i];
      bool all =
          node.kind == TermKind::Sequence || node.kind == TermKind::Parallel;
      bool any = false;
      for (TermId c = node.firstChild; c; c = term[c].nextSibling) {
        any |= ends[c.index()];
        all &= ends[c.index()];
      }
      bool now = all;
      if (node.kind == TermKind::Call)
        now = ends[node.target.index()] || pass == passes;
      else if (!node.firstChild)
        now = node.kind != TermKind::Stuck;
      else if (node.kind == TermKind::Loop || node.kind == TermKind::While)
        now = true;
      else if (node.kind != TermKind::Sequence &&
               node.kind != TermKind::Parallel)
        now = any;
      changed |= now != ends[i];
      ends[i] = now;
    }
  }
  return ends;
}

class FromBehaviour {
public:
  FromBehaviour(const Module &module, const Behaviour &b,
                OperationNumbers &operations, Budget *budget)
      : module(module), b(b), operations(operations), flows(b), budget(budget) {
  }

  std::optional<IocGraph> run();
  TermBreak broken;

private:
  bool fail(NodeId node, const Twine &reason) {
    broken = {node, reason.str()};
    return false;
  }
  bool addNode(NodeId n);
  bool addStep(NodeId n);
  void addFlows();
  bool addContainers();
  bool addCalls();
  NodeId endsWith(NodeId at);
  void findNesting();
  bool addParallelRaces();
  bool addRaces();
  void findForks();
  void findBeside();

  const Module &module;
  const Behaviour &b;
  OperationNumbers &operations;
  FlowIndex flows;
  Budget *const budget; ///< may be null
  GraphMaker graph;
  /// Where tokens come to and go from, of each node; of a container its
  /// beginning and its end.
  std::vector<uint32_t> entry, exit;
  std::vector<uint32_t> ends; ///< of a container: where its content ends
  std::vector<uint32_t> ofFlow;
  std::vector<NodeId> initials;
  std::vector<NodeId> raceOf; ///< the `[>` on each container's border
  std::vector<bool> forkIn;   ///< containers with parallel branches
  /// Of each call: a step in a parallel branch beside it; itself: none.
  std::vector<NodeId> besideOf;
  std::vector<bool> isBack; ///< calls in last place
  std::vector<uint32_t> depth, raceDepth;
  std::vector<NodeId> endOf;
  std::vector<bool> endState;
  bool anyRace = false;
};

bool FromBehaviour::addStep(NodeId n) {
  const Node &node = b.node(n);
  TermAction action;
  if (node.message) {
    const Message &message = module.message(node.message);
    if (!message.sender || !message.receiver ||
        message.sender == message.receiver)
      return fail(n, "an interaction needs two different roles");
    action = {message.sender.raw(), message.receiver.raw(),
              operations.number(message.name)};
  } else {
    ParticipantId who = node.participant ? node.participant : b.owner;
    if (!who)
      return fail(n, "the step does not say who takes it");
    action.sender = action.receiver = who.raw();
  }
  entry[n.index()] = exit[n.index()] =
      graph.add(GraphNodeKind::Step, n, {}, none, action);
  return true;
}

bool FromBehaviour::addNode(NodeId n) {
  const Node &node = b.node(n);
  if (node.loop != LoopKind::None)
    return fail(n, "it has a loop marker");
  if (node.reply)
    return fail(n, "it is a two-way interaction");
  auto plain = [&](GraphNodeKind kind) {
    entry[n.index()] = exit[n.index()] = graph.add(kind, n);
    return true;
  };
  switch (node.kind) {
  case NodeKind::Interaction:
  case NodeKind::Task:
    return addStep(n);
  case NodeKind::Catch:
  case NodeKind::Throw:
    return node.message || node.participant ? addStep(n)
                                            : plain(GraphNodeKind::Pass);
  case NodeKind::Initial:
    if (node.message)
      return fail(n, "it begins with a message");
    if (!node.parent)
      initials.push_back(n);
    return plain(GraphNodeKind::Pass);
  case NodeKind::Final:
    if (node.message)
      return fail(n, "it ends with a message");
    return plain(node.parent ? GraphNodeKind::Pass : GraphNodeKind::End);
  case NodeKind::Choice:
  case NodeKind::DominatedChoice:
  case NodeKind::EventChoice:
    return plain(GraphNodeKind::Choice);
  case NodeKind::AllSelect:
    return plain(GraphNodeKind::Fork);
  case NodeKind::SimpleJoin:
    return plain(GraphNodeKind::Pass);
  case NodeKind::AllJoin:
    return plain(GraphNodeKind::Join);
  case NodeKind::Stuck:
    return plain(GraphNodeKind::Stuck);
  case NodeKind::Call:
    return plain(GraphNodeKind::Pass);
  case NodeKind::Container:
    if (node.flags & (AdHoc | Transaction | EventTriggered))
      return fail(n, "an ad-hoc, transaction or event-triggered container is "
                     "outside this theory");
    entry[n.index()] = graph.add(GraphNodeKind::Pass, n);
    exit[n.index()] = graph.add(GraphNodeKind::Pass, n);
    ends[n.index()] = exit[n.index()];
    return true;
  case NodeKind::Boundary:
    if (node.trigger != Trigger::Race || !node.attachedTo ||
        b.node(node.attachedTo).kind != NodeKind::Container ||
        raceOf[node.attachedTo.index()])
      return fail(n, "a boundary event is outside this theory");
    raceOf[node.attachedTo.index()] = n;
    anyRace = true;
    return plain(GraphNodeKind::Pass);
  case NodeKind::Send:
  case NodeKind::Receive:
  case NodeKind::SubsetSelect:
  case NodeKind::SubsetJoin:
  case NodeKind::Terminate:
    break;
  }
  return fail(n, "'" + nodeKindText(node.kind) + "' is outside this theory");
}

void FromBehaviour::addFlows() {
  ofFlow.resize(b.flows.size());
  for (size_t i = 0; i < b.flows.size(); ++i)
    ofFlow[i] = graph.add(GraphNodeKind::Pass, b.flows[i].source, FlowId(i));
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    NodeId n(i);
    const Node &node = b.node(n);
    if (isBack[i])
      continue;
    ArrayRef<FlowId> out = flows.outgoing(n);
    uint32_t from = exit[i];
    // A step that several flows leave starts all of them [bpmn20, 13.3.1].
    if (out.size() > 1 && graph.kind(from) != GraphNodeKind::Choice &&
        graph.kind(from) != GraphNodeKind::Fork) {
      uint32_t fork = graph.add(GraphNodeKind::Fork, n);
      graph.edge(from, fork);
      from = fork;
    }
    for (FlowId f : out) {
      graph.edge(from, ofFlow[f.index()]);
      uint32_t last = ofFlow[f.index()];
      if (anyRace) { // it may become a split
        last = graph.add(GraphNodeKind::Pass, n, f);
        graph.edge(ofFlow[f.index()], last);
      }
      graph.edge(last, entry[b.flow(f).target.index()]);
    }
    if (!out.empty() || node.kind == NodeKind::Stuck)
      continue;
    if (node.parent)
      graph.edge(from, ends[node.parent.index()]);
    else if (graph.kind(from) != GraphNodeKind::End)
      graph.edge(from, graph.add(GraphNodeKind::End, n));
  }
}

/// Marks the containers around everything that starts several tokens.
void FromBehaviour::findForks() {
  forkIn.assign(b.nodes.size(), false);
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    NodeKind kind = b.nodes[i].kind;
    bool splits =
        kind == NodeKind::AllSelect ||
        (flows.outgoing(NodeId(i)).size() > 1 && kind != NodeKind::Choice &&
         kind != NodeKind::DominatedChoice && kind != NodeKind::EventChoice);
    if (splits)
      for (NodeId c = b.nodes[i].parent; c && !forkIn[c.index()];
           c = b.node(c).parent)
        forkIn[c.index()] = true;
  }
}

bool FromBehaviour::addContainers() {
  std::vector<uint32_t> starts(b.nodes.size()), ends(b.nodes.size());
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    const Node &node = b.nodes[i];
    if (!node.parent)
      continue;
    if (node.kind == NodeKind::Initial) {
      ++starts[node.parent.index()];
      graph.edge(entry[node.parent.index()], entry[i]);
    }
    ends[node.parent.index()] += flows.outgoing(NodeId(i)).empty();
  }
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    if (b.nodes[i].kind != NodeKind::Container)
      continue;
    if (starts[i] != 1)
      return fail(NodeId(i), "the container has " + Twine(starts[i]) +
                                 " initial nodes, not one");
    if (ends[i] > 1 && forkIn[i])
      return fail(NodeId(i), "its parallel branches do not join in it");
  }
  return true;
}

/// How many containers are around each node, and which of these is the
/// innermost one that may be interrupted.
void FromBehaviour::findNesting() {
  depth.assign(b.nodes.size(), none);
  raceDepth.assign(b.nodes.size(), 0);
  SmallVector<NodeId, 16> path;
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    NodeId n(i);
    for (; n && depth[n.index()] == none; n = b.node(n).parent)
      path.push_back(n);
    while (!path.empty()) {
      NodeId inner = path.pop_back_val(), outer = b.node(inner).parent;
      if (!outer) {
        depth[inner.index()] = 0;
        continue;
      }
      depth[inner.index()] = depth[outer.index()] + 1;
      raceDepth[inner.index()] = raceOf[outer.index()]
                                     ? depth[inner.index()]
                                     : raceDepth[outer.index()];
    }
  }
}

/// How far tokens behind \p at go on without anything but joins and finals: the
/// outermost container whose end they come to; none: not even to the end of
/// the one that it is in.
NodeId FromBehaviour::endsWith(NodeId at) {
  SmallVector<NodeId, 16> path;
  NodeId found;
  while (true) {
    if (endState[at.index()]) {
      found = endOf[at.index()]; // none, when a way goes round
      break;
    }
    endState[at.index()] = true;
    path.push_back(at);
    ArrayRef<FlowId> out = flows.outgoing(at);
    NodeId next = out.empty()       ? b.node(at).parent
                  : out.size() == 1 ? b.flow(out[0]).target
                                    : NodeId();
    if (!next || (!out.empty() && b.node(next).kind != NodeKind::SimpleJoin &&
                  b.node(next).kind != NodeKind::Final))
      break;
    at = next;
  }
  while (!path.empty()) {
    NodeId n = path.pop_back_val();
    if (!found && flows.outgoing(n).empty())
      found = b.node(n).parent;
    endOf[n.index()] = found;
  }
  return found;
}

/// Finds calls in parallel branches of what they call, and steps beside them.
void FromBehaviour::findBeside() {
  besideOf.assign(b.nodes.size(), NodeId());
  std::optional<Term> term = recoverTerm(b);
  if (!term) {
    for (size_t i = 0; i < b.nodes.size(); ++i)
      if (b.nodes[i].kind == NodeKind::Call &&
          forkIn[b.nodes[i].attachedTo.index()])
        besideOf[i] = NodeId(i); // it may be
    return;
  }
  std::vector<TermId> beside = stepsBeside(*term);
  for (size_t i = 0; i < beside.size(); ++i)
    if (beside[i])
      besideOf[term->nodes[i].node.index()] = (*term)[beside[i]].node;
}

/// A call in last place is a way back, and any other one has a way behind it.
bool FromBehaviour::addCalls() {
  isBack.assign(b.nodes.size(), false);
  bool any = llvm::any_of(
      b.nodes, [](const Node &node) { return node.kind == NodeKind::Call; });
  if (!any)
    return true;
  findNesting();
  findBeside();
  endOf.resize(b.nodes.size());
  endState.assign(b.nodes.size(), false);
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    if (b.nodes[i].kind != NodeKind::Call)
      continue;
    NodeId call(i), target = b.nodes[i].attachedTo, end = endsWith(call);
    if (raceDepth[i] > depth[target.index()])
      return fail(call, "the call leaves what may be interrupted");
    if (end && depth[end.index()] <= depth[target.index()]) {
      isBack[i] = true;
      graph.edge(exit[i], entry[target.index()]);
    } else if (NodeId beside = besideOf[i]) {
      if (beside == call)
        graph.open = true;
      else
        graph.beside.push_back({entry[i], entry[beside.index()]});
    } else {
      uint32_t &to = ends[target.index()];
      if (to == exit[target.index()]) {
        to = graph.add(GraphNodeKind::Return, target);
        graph.edge(to, exit[target.index()]);
      }
      exit[i] = graph.add(GraphNodeKind::Pass, call);
      graph.edge(entry[i], entry[target.index()]);
      graph.edge(to, exit[i]);
      graph.calls.push_back({entry[i], exit[i], entry[target.index()], to});
    }
  }
  return true;
}

/// Parallel branches that may be interrupted have an alternative before and
/// behind them.
bool FromBehaviour::addParallelRaces() {
  std::vector<uint32_t> number(b.nodes.size(), none);
  std::vector<bool> endless(b.nodes.size());
  std::optional<Term> term = anyRace ? recoverTerm(b) : std::nullopt;
  if (term) {
    std::vector<bool> ending = findEnding(*term);
    for (size_t i = 0; i < term->size(); ++i)
      if (term->nodes[i].kind == TermKind::Interrupt)
        endless[term->nodes[i].node.index()] =
            !ending[term->nodes[i].firstChild.index()];
  }
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    NodeId race = raceOf[i];
    if (!race || !forkIn[i])
      continue;
    auto branch = [&](uint32_t split, uint32_t to) {
      uint32_t way = graph.add(GraphNodeKind::Pass, race);
      graph.edge(split, way);
      graph.edge(way, to);
    };
    graph.kind(entry[i]) = GraphNodeKind::Choice;
    branch(entry[i], entry[race.index()]);
    if (!endless[i]) {
      ends[i] = graph.add(GraphNodeKind::Choice, race);
      branch(ends[i], exit[i]);
      branch(ends[i], entry[race.index()]);
    }
    number[i] = static_cast<uint32_t>(graph.races.size());
    graph.races.push_back({{}, entry[race.index()]});
  }
  if (graph.races.empty())
    return true;
  size_t most = 100 * (b.nodes.size() + 10000), count = 0;
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (entry[i] != none && graph.kind(entry[i]) == GraphNodeKind::Step)
      for (NodeId c = b.nodes[i].parent; c; c = b.node(c).parent) {
        if (number[c.index()] != none)
          graph.races[number[c.index()]].steps.push_back(entry[i]);
        if (budget ? budget->spend() : ++count > most)
          return fail(NodeId(i), "it is nested too deeply to be interrupted");
      }
  return true;
}

/// Anything else that may be interrupted has one on each of its flows.
bool FromBehaviour::addRaces() {
  if (!anyRace)
    return true;
  for (size_t i = 0; i < b.flows.size(); ++i)
    for (NodeId c = b.node(b.flows[i].source).parent; c; c = b.node(c).parent) {
      NodeId race = raceOf[c.index()];
      if (!race || forkIn[c.index()] ||
          b.node(b.flows[i].source).kind == NodeKind::Stuck)
        continue;
      if (budget && budget->spend(8)) // as many words
        return false;
      graph.kind(ofFlow[i]) = GraphNodeKind::Choice;
      uint32_t way = graph.add(GraphNodeKind::Pass, race, FlowId(i));
      graph.edge(ofFlow[i], way);
      graph.edge(way, entry[race.index()]);
    }
  return true;
}

std::optional<IocGraph> FromBehaviour::run() {
  entry.assign(b.nodes.size(), none);
  exit.assign(b.nodes.size(), none);
  ends.assign(b.nodes.size(), none);
  raceOf.resize(b.nodes.size());
  graph.reserve(b.nodes.size() + b.flows.size());
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (!addNode(NodeId(i)))
      return std::nullopt;
  if (initials.size() != 1) {
    fail(initials.empty() ? NodeId() : initials[1],
         "it has " + Twine(initials.size()) + " initial nodes, not one");
    return std::nullopt;
  }
  findForks();
  if (!addCalls() || !addParallelRaces())
    return std::nullopt;
  addFlows();
  if (!addContainers() || !addRaces())
    return std::nullopt;
  IocGraph result = graph.finish(entry[initials[0].index()]);
  result.numRoles = static_cast<uint32_t>(module.participants.size());
  result.numOperations = operations.size();
  return result;
}

} // namespace

std::vector<bool> cif::lastCalls(const Term &term) {
  std::vector<bool> result(term.size());
  // How many recursions each subterm is in, and for how many of these, from
  // outside, it is not in last place.
  std::vector<uint32_t> depth(term.size()), inner(term.size());
  for (size_t i = term.size(); i-- > 0;) {
    const TermNode &node = term.nodes[i];
    bool passes = node.kind == TermKind::Choice ||
                  node.kind == TermKind::Guard || node.kind == TermKind::Rec ||
                  node.kind == TermKind::Sequence;
    for (TermId c = node.firstChild; c; c = term[c].nextSibling) {
      depth[c.index()] = depth[i] + (node.kind == TermKind::Rec);
      bool last =
          passes && (node.kind != TermKind::Sequence || !term[c].nextSibling);
      inner[c.index()] = last ? inner[i] : depth[i];
    }
    if (node.kind == TermKind::Call)
      result[i] = depth[node.target.index()] >= inner[i];
  }
  return result;
}

std::optional<IocGraph> cif::buildIocGraph(const Module &module,
                                           const Behaviour &behaviour,
                                           OperationNumbers &operations,
                                           TermBreak *why, Budget *budget) {
  FromBehaviour from(module, behaviour, operations, budget);
  std::optional<IocGraph> graph = from.run();
  if (!graph && why)
    *why = std::move(from.broken);
  return graph;
}

std::optional<IocGraph> cif::buildIocGraph(const Lts &lts,
                                           std::vector<std::string> &roles,
                                           std::vector<std::string> &operations,
                                           std::string *why) {
  auto number = [](llvm::StringMap<uint32_t> &numbers,
                   std::vector<std::string> &names, StringRef name) {
    auto [it, isNew] =
        numbers.try_emplace(name, static_cast<uint32_t>(names.size()));
    if (isNew)
      names.push_back(name.str());
    return it->second;
  };
  llvm::StringMap<uint32_t> roleNumbers, operationNumbers;
  std::vector<TermAction> actions(lts.labels.size());
  for (size_t i = 1; i < lts.labels.size(); ++i) {
    const Label &label = lts.labels[i];
    if (label.kind != LabelKind::Exchange || label.sender == label.receiver) {
      if (why)
        *why = labelText(label);
      return std::nullopt;
    }
    actions[i] = {number(roleNumbers, roles, label.sender),
                  number(roleNumbers, roles, label.receiver),
                  number(operationNumbers, operations, label.message)};
  }
  GraphMaker graph;
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    graph.add(GraphNodeKind::Choice);
  for (StateIndex s = 0; s < lts.numStates(); ++s) {
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t) {
      bool silent = lts.label[t] == tauLabel;
      uint32_t step =
          graph.add(silent ? GraphNodeKind::Pass : GraphNodeKind::Step, {}, {},
                    t, actions[lts.label[t]]);
      graph.edge(s, step);
      graph.edge(step, lts.target[t]);
    }
    if (lts.isFinal(s) || lts.rowBegin[s] == lts.rowBegin[s + 1])
      graph.edge(s, graph.add(GraphNodeKind::End));
  }
  IocGraph result = graph.finish(lts.initial);
  result.numRoles = static_cast<uint32_t>(roles.size());
  result.numOperations = static_cast<uint32_t>(operations.size());
  return result;
}

namespace {
/// From the leaves to the root, each subterm with its first and last node.
class TermGraph {
public:
  explicit TermGraph(const Term &of) : term(of), parts(of.size()) {}

  IocGraph build();

private:
  struct Part {
    uint32_t first, last;
  };
  void add(uint32_t i);
  void connectCalls();

  const Term &term;
  GraphMaker graph;
  std::vector<Part> parts; ///< by subterm
  std::vector<uint32_t> calls;
};
} // namespace

void TermGraph::add(uint32_t i) {
  const TermNode &node = term.nodes[i];
  Part &part = parts[i];
  auto make = [&](GraphNodeKind kind) {
    return graph.add(kind, node.node, node.flow, i, node.action);
  };
  auto branch = [&](uint32_t split, uint32_t to) {
    uint32_t way = graph.add(GraphNodeKind::Pass, node.node, {}, i);
    graph.edge(split, way);
    graph.edge(way, to);
  };
  switch (node.kind) {
  case TermKind::Action:
  case TermKind::Tau:
    part.first = part.last = make(GraphNodeKind::Step);
    break;
  case TermKind::Stuck:
    part.first = part.last = make(GraphNodeKind::Stuck);
    break;
  case TermKind::Sequence:
  case TermKind::Guard: {
    part = parts[node.firstChild.index()];
    TermId c = term[node.firstChild].nextSibling;
    for (; c; c = term[c].nextSibling) {
      graph.edge(part.last, parts[c.index()].first);
      part.last = parts[c.index()].last;
    }
    break;
  }
  case TermKind::Parallel:
  case TermKind::Choice: {
    bool all = node.kind == TermKind::Parallel;
    part.first = make(all ? GraphNodeKind::Fork : GraphNodeKind::Choice);
    part.last = make(all ? GraphNodeKind::Join : GraphNodeKind::Pass);
    for (TermId c = node.firstChild; c; c = term[c].nextSibling) {
      branch(part.first, parts[c.index()].first);
      branch(parts[c.index()].last, part.last);
    }
    break;
  }
  case TermKind::Call:
    part.first = make(GraphNodeKind::Pass);
    part.last = make(GraphNodeKind::Pass);
    calls.push_back(i);
    break;
  case TermKind::Rec: {
    part.first = make(GraphNodeKind::Pass);
    part.last = make(GraphNodeKind::Pass);
    graph.edge(part.first, parts[node.firstChild.index()].first);
    graph.edge(parts[node.firstChild.index()].last, part.last);
    break;
  }
  case TermKind::While:
  case TermKind::Loop: {
    part.first = make(GraphNodeKind::Pass);
    part.last = make(GraphNodeKind::Pass);
    uint32_t split = make(GraphNodeKind::Choice);
    graph.edge(part.first, split);
    branch(split, parts[node.firstChild.index()].first);
    graph.edge(parts[node.firstChild.index()].last, part.first);
    graph.edge(split, part.last);
    break;
  }
  default:
    part.first = part.last = make(GraphNodeKind::Pass);
    break;
  }
}

void TermGraph::connectCalls() {
  std::vector<bool> last = lastCalls(term);
  std::vector<TermId> beside = stepsBeside(term);
  for (uint32_t i : calls) {
    const Part &part = parts[i], &whole = parts[term.nodes[i].target.index()];
    if (!last[i] && beside[i] == TermId(i)) {
      graph.open = true;
      graph.edge(part.first, part.last);
      continue;
    }
    if (!last[i] && beside[i]) {
      graph.beside.push_back({part.first, parts[beside[i].index()].first});
      graph.edge(part.first, part.last);
      continue;
    }
    graph.edge(part.first, whole.first);
    if (last[i])
      continue;
    graph.kind(whole.last) = GraphNodeKind::Return;
    graph.edge(whole.last, part.last);
    graph.calls.push_back({part.first, part.last, whole.first, whole.last});
  }
}

IocGraph TermGraph::build() {
  for (uint32_t i = 0; i < parts.size(); ++i)
    add(i);
  if (!calls.empty())
    connectCalls();
  graph.edge(parts.back().last, graph.add(GraphNodeKind::End));
  IocGraph result = graph.finish(parts.back().first);
  result.numRoles = term.numRoles;
  result.numOperations = term.numOperations;
  return result;
}

IocGraph cif::buildIocGraph(const Term &term) {
  return TermGraph(term).build();
}
