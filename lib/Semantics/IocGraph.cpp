//===- IocGraph.cpp - Choreographies as plain graphs of steps -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Semantics/IocGraph.h"
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
  GraphNodeKind &kind(uint32_t n) { return nodes[n].kind; }
  TermAction &action(uint32_t n) { return actions[n]; }

  IocGraph finish(uint32_t start);

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
  std::vector<uint32_t> number(nodes.size(), none), order{start};
  number[start] = 0;
  std::vector<std::pair<uint32_t, uint32_t>> kept, reversed;
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
  for (uint32_t n : order) {
    graph.nodes.push_back(nodes[n]);
    graph.actions.push_back(actions[n]);
  }
  groupBy(order.size(), kept, graph.outBegin, graph.out);
  groupBy(order.size(), reversed, graph.inBegin, graph.in);
  return graph;
}

class FromBehaviour {
public:
  FromBehaviour(const Module &module, const Behaviour &b,
                OperationNumbers &operations)
      : module(module), b(b), operations(operations), flows(b) {}

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
  bool addRaces();
  void findForks();

  const Module &module;
  const Behaviour &b;
  OperationNumbers &operations;
  FlowIndex flows;
  GraphMaker graph;
  /// Where tokens come to and go from, of each node; of a container its
  /// beginning and its end.
  std::vector<uint32_t> entry, exit;
  std::vector<uint32_t> ofFlow;
  std::vector<NodeId> initials;
  std::vector<NodeId> raceOf; ///< the `[>` on each container's border
  std::vector<bool> forkIn;   ///< containers with parallel branches
  bool anyRace = false;
};

bool FromBehaviour::addStep(NodeId n) {
  const Node &node = b.node(n);
  TermAction action;
  if (node.message) {
    const Message &message = module.message(node.message);
    if (!message.sender || !message.receiver ||
        message.sender == message.receiver)
      return fail(n, "an interaction has two roles");
    action = {message.sender.raw(), message.receiver.raw(),
              operations.number(message.name)};
  } else {
    ParticipantId who = node.participant ? node.participant : b.owner;
    if (!who)
      return fail(n, "nobody is said to take this step");
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
    return fail(n, "it goes there and back");
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
      return fail(n, "an ad-hoc, transaction or event-triggered container has "
                     "no place in this theory");
    entry[n.index()] = graph.add(GraphNodeKind::Pass, n);
    exit[n.index()] = graph.add(GraphNodeKind::Pass, n);
    return true;
  case NodeKind::Boundary:
    if (node.trigger != Trigger::Race || !node.attachedTo ||
        b.node(node.attachedTo).kind != NodeKind::Container ||
        raceOf[node.attachedTo.index()])
      return fail(n, "an event on the border has no place in this theory");
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
  return fail(n,
              "'" + nodeKindText(node.kind) + "' has no place in this theory");
}

void FromBehaviour::addFlows() {
  ofFlow.resize(b.flows.size());
  for (size_t i = 0; i < b.flows.size(); ++i)
    ofFlow[i] = graph.add(GraphNodeKind::Pass, b.flows[i].source, FlowId(i));
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    NodeId n(i);
    const Node &node = b.node(n);
    if (node.kind == NodeKind::Call)
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
      graph.edge(from, exit[node.parent.index()]);
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
      return fail(NodeId(i),
                  "its parallel branches do not come together in it");
  }
  return true;
}

/// A call in last place is a way back: nothing but joins and finals is between
/// it and the end of what it calls.
bool FromBehaviour::addCalls() {
  size_t steps = 0, most = 100 * (b.nodes.size() + 1000);
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    if (b.nodes[i].kind != NodeKind::Call)
      continue;
    NodeId at(i), target = b.nodes[i].attachedTo;
    while (true) {
      ArrayRef<FlowId> out = flows.outgoing(at);
      if (out.empty() && b.node(at).parent == target)
        break;
      NodeId next = out.size() == 1 ? b.flow(out[0]).target : NodeId();
      if (out.empty())
        next = b.node(at).parent; // the end of a container within
      bool passes =
          next && (out.empty() || b.node(next).kind == NodeKind::SimpleJoin ||
                   b.node(next).kind == NodeKind::Final);
      if (!passes || ++steps > most)
        return fail(NodeId(i), "the call is not the last thing that its "
                               "container does");
      if (out.empty() && raceOf[next.index()])
        return fail(NodeId(i), "the call leaves what may be interrupted");
      at = next;
    }
    graph.edge(exit[i], entry[target.index()]);
  }
  return true;
}

/// What may be interrupted has an alternative on each of its flows.
bool FromBehaviour::addRaces() {
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (raceOf[i] && forkIn[i])
      return fail(raceOf[i], "what is interrupted has parallel branches");
  if (!anyRace)
    return true;
  for (size_t i = 0; i < b.flows.size(); ++i)
    for (NodeId c = b.node(b.flows[i].source).parent; c; c = b.node(c).parent)
      if (NodeId race = raceOf[c.index()]) {
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
  raceOf.resize(b.nodes.size());
  for (size_t i = 0; i < b.nodes.size(); ++i)
    if (!addNode(NodeId(i)))
      return std::nullopt;
  if (initials.size() != 1) {
    fail(initials.empty() ? NodeId() : initials[1],
         "it has " + Twine(initials.size()) + " initial nodes, not one");
    return std::nullopt;
  }
  findForks();
  addFlows();
  if (!addContainers() || !addCalls() || !addRaces())
    return std::nullopt;
  IocGraph result = graph.finish(entry[initials[0].index()]);
  result.numRoles = static_cast<uint32_t>(module.participants.size());
  result.numOperations = operations.size();
  return result;
}

} // namespace

std::optional<IocGraph> cif::buildIocGraph(const Module &module,
                                           const Behaviour &behaviour,
                                           OperationNumbers &operations,
                                           TermBreak *why) {
  FromBehaviour from(module, behaviour, operations);
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

IocGraph cif::buildIocGraph(const IocTerm &term) {
  // From the leaves to the root, each subterm with its first and last node.
  struct Part {
    uint32_t first, last;
  };
  GraphMaker graph;
  std::vector<Part> parts(term.term.size());
  for (uint32_t i = 0; i < term.term.size(); ++i) {
    const TermNode &node = term.term.nodes[i];
    Part &part = parts[i];
    auto add = [&](GraphNodeKind kind) {
      return graph.add(kind, node.node, node.flow, i, term.actions[i]);
    };
    auto branch = [&](uint32_t split, uint32_t to) {
      uint32_t way = graph.add(GraphNodeKind::Pass, node.node, {}, i);
      graph.edge(split, way);
      graph.edge(way, to);
    };
    switch (node.kind) {
    case TermKind::Action:
    case TermKind::Tau:
      part.first = part.last = add(GraphNodeKind::Step);
      break;
    case TermKind::Stuck:
      part.first = part.last = add(GraphNodeKind::Stuck);
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
      part.first = add(all ? GraphNodeKind::Fork : GraphNodeKind::Choice);
      part.last = add(all ? GraphNodeKind::Join : GraphNodeKind::Pass);
      for (TermId c = node.firstChild; c; c = term[c].nextSibling) {
        branch(part.first, parts[c.index()].first);
        branch(parts[c.index()].last, part.last);
      }
      break;
    }
    case TermKind::While:
    case TermKind::Loop: {
      part.first = add(GraphNodeKind::Pass);
      part.last = add(GraphNodeKind::Pass);
      uint32_t split = add(GraphNodeKind::Choice);
      graph.edge(part.first, split);
      branch(split, parts[node.firstChild.index()].first);
      graph.edge(parts[node.firstChild.index()].last, part.first);
      graph.edge(split, part.last);
      break;
    }
    default:
      part.first = part.last = add(GraphNodeKind::Pass);
      break;
    }
  }
  graph.edge(parts.back().last, graph.add(GraphNodeKind::End));
  IocGraph result = graph.finish(parts.back().first);
  result.numRoles = term.numRoles;
  result.numOperations = term.numOperations;
  return result;
}
