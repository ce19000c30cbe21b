//===- Fbpmn.cpp - Collaborations as the tool of [fbpmn] reads them -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [fbpmn], Tables 1 and 2 with the boundary events of its extended
/// version, as in the published tool, state for state: a count for each
/// sequence flow, for each message flow and for each node, and the network.
/// docs/collaborations.md lists where that differs from the standard.
///
/// The tool reads diagrams as they are drawn. Nodes that the front end makes
/// explicit (a merge before a task with several incoming flows, a split after
/// it) are removed here: see Drawn.
///
/// Differs from the tool: triggers that it does not support may fire at any
/// time, like its timers; a partner without a process is the environment.
///
//===----------------------------------------------------------------------===//

#include "Networks/Queues.h"
#include "SystemFactories.h"
#include "TokenNet.h"
#include "cif/Support/DiagnosticKinds.h"
#include "llvm/ADT/StringMap.h"
#include <set>

using namespace cif;

namespace {
/// A process as it was drawn: of the nodes that stand for one element, one owns
/// the flows of all.
struct Drawn {
  explicit Drawn(const Behaviour &of);

  const Behaviour &graph;
  std::vector<uint32_t> owner;                    ///< by node
  std::vector<bool> isInner;                      ///< by flow: not drawn
  std::vector<SmallVector<uint32_t, 2>> in, out;  ///< by owner: drawn flows
  std::vector<SmallVector<uint32_t, 2>> children; ///< by container: owners
};

/// Messages that travel from some nodes to others: those of a message flow.
struct Channel {
  uint32_t flow = noneOf; ///< in the module
  MessageId id;
  uint32_t sender, receiver; ///< units
  uint32_t place = noIndex;
  uint32_t message = noIndex; ///< in the network
  uint32_t used = noIndex;    ///< marked once its queue was used
};

/// What the message part of a node can do.
struct Exchange {
  uint32_t channel = noneOf; ///< none: with the environment
  MessageId id;
};

class FbpmnBuilder {
public:
  FbpmnBuilder(const Module &of, ArrayRef<uint32_t> from,
               const SemanticsOptions &with, DiagnosticEngine &to)
      : module(of), behaviours(from), options(with), diags(to),
        kind(with.network.value_or(NetworkKind::Bag)) {}
  std::unique_ptr<CollaborationSystem> build();

private:
  using Places = SmallVector<uint32_t, 4>;
  using Arcs = SmallVector<Arc, 4>;

  void findUnits();
  void findChannels();
  bool addProcess(uint32_t behaviour);
  void addPlaces();
  void addElements();
  uint32_t usedPlace(const Channel &channel);
  bool addNode(uint32_t n);

  /// \name One for each kind of node
  /// @{
  void addStart(uint32_t n);
  void addEnd(uint32_t n);
  void addTerminate(uint32_t n);
  void addTask(uint32_t n);
  void addSendOrReceive(uint32_t n);
  void addEvent(uint32_t n);
  void addBoundary(uint32_t n);
  void addExclusive(uint32_t n);
  void addParallel(uint32_t n);
  bool addInclusive(uint32_t n);
  void addEventBased(uint32_t n);
  void addSubProcess(uint32_t n);
  /// @}

  Firing &fire(FiringKind kind, uint32_t n, ArrayRef<Arc> pre,
               ArrayRef<Arc> post);
  /// The firing once for each way to exchange the node's message.
  void communicate(uint32_t n, bool out, ArrayRef<Arc> pre, ArrayRef<Arc> post,
                   function_ref<void(Firing &)> fill);
  SmallVector<Exchange, 2> exchanges(uint32_t n, bool out) const;
  LabelIndex label(MessageId id, bool out, bool outside);
  Arcs outgoing(uint32_t n) const;
  Places incoming(uint32_t n) const;
  void findPre(OrJoin &join, uint32_t n) const;
  /// The places in a scope (a container, or the process), nested ones too.
  std::vector<uint32_t> inside(uint32_t container, bool nested) const;
  bool isEnd(uint32_t n) const {
    return drawn->graph.nodes[n].kind == NodeKind::Final ||
           drawn->graph.nodes[n].kind == NodeKind::Terminate;
  }
  bool isStart(uint32_t n) const {
    return drawn->graph.nodes[n].kind == NodeKind::Initial;
  }
  const Node &node(uint32_t n) const { return drawn->graph.nodes[n]; }
  std::string nameOf(uint32_t n) const;
  void report(uint32_t n, diag::Kind kind) {
    diags.report(module.place(node(n).loc), kind) << nameOf(n);
  }

  const Module &module;
  ArrayRef<uint32_t> behaviours;
  const SemanticsOptions &options;
  DiagnosticEngine &diags;
  NetworkKind kind;

  TokenNet net;
  std::vector<Label> labels{Label::tau()};
  std::map<Label, LabelIndex> labelOf;
  std::map<std::string, unsigned> abstracted;
  llvm::StringMap<uint32_t> units;
  std::vector<std::string> unitNames;
  std::map<uint32_t, uint32_t> unitOf; ///< by behaviour
  std::vector<Channel> channels;
  /// By direction, behaviour and node.
  std::map<std::pair<uint32_t, uint32_t>, SmallVector<Exchange, 2>> ends[2];
  std::vector<NetworkMessage> messages;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> usedOf; ///< by queue

  // Of the process at hand.
  std::unique_ptr<Drawn> drawn;
  uint32_t unit = 0, processPlace = 0;
  static constexpr uint32_t top = noIndex;     ///< the process as a container
  std::vector<uint32_t> flowPlace, flowNumber; ///< by flow
  std::vector<uint32_t> nodePlace, elementOf;  ///< by node
};
} // namespace

//===----------------------------------------------------------------------===//
// What was drawn
//===----------------------------------------------------------------------===//

Drawn::Drawn(const Behaviour &of)
    : graph(of), owner(of.nodes.size()), isInner(of.flows.size()),
      in(of.nodes.size()), out(of.nodes.size()), children(of.nodes.size()) {
  for (size_t i = 0; i < owner.size(); ++i)
    owner[i] = i;
  auto isMade = [&](const Flow &flow) {
    const Location &loc = flow.loc;
    return (loc.line || !loc.element.empty()) &&
           loc == graph.node(flow.source).loc &&
           loc == graph.node(flow.target).loc;
  };
  auto standsIn = [&](NodeId n) { // a container that stands for its own nodes
    NodeId parent = graph.node(n).parent;
    return parent && graph.node(parent).loc == graph.node(n).loc;
  };
  // Merges belong to what they lead to, splits and ends to where they come
  // from: a task, a split for all, a split by conditions, an end.
  for (int round = 0; round < 3; ++round)
    for (const Flow &flow : graph.flows) {
      if (!isMade(flow))
        continue;
      NodeKind from = graph.node(flow.source).kind;
      NodeKind to = graph.node(flow.target).kind;
      uint32_t source = flow.source.index(), target = flow.target.index();
      bool toGateway = isGateway(graph.node(NodeId(owner[source])).kind);
      if (from == NodeKind::SimpleJoin && !isGateway(to))
        owner[source] = target;
      else if ((to == NodeKind::AllSelect || to == NodeKind::SubsetSelect) &&
               !toGateway)
        owner[target] = owner[source];
      else if (to == NodeKind::Final && !toGateway && !standsIn(flow.target))
        owner[target] = owner[source];
    }
  for (size_t i = 0; i < graph.flows.size(); ++i) {
    const Flow &flow = graph.flows[i];
    uint32_t source = owner[flow.source.index()];
    uint32_t target = owner[flow.target.index()];
    isInner[i] = isMade(flow) && source == target;
    if (isInner[i])
      continue;
    out[source].push_back(i);
    in[target].push_back(i);
  }
  for (size_t i = 0; i < owner.size(); ++i)
    if (owner[i] == i && graph.nodes[i].parent)
      children[graph.nodes[i].parent.index()].push_back(i);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void FbpmnBuilder::findUnits() {
  for (uint32_t b : behaviours) {
    const Behaviour &behaviour = module.behaviours[b];
    StringRef name = behaviour.owner ? module.participantName(behaviour.owner)
                                     : module.text(behaviour.name);
    auto [at, isNew] = units.try_emplace(name, unitNames.size());
    if (isNew)
      unitNames.push_back(name.str());
    unitOf[b] = at->second;
  }
}

/// One channel for each message flow between two processes that are here. Flows
/// of one element (a node that stands in several places has it several times)
/// are one. A message without message flows whose two participants are here has
/// a channel too.
void FbpmnBuilder::findChannels() {
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> known; // message, element
  std::set<std::tuple<bool, uint32_t, uint32_t, uint32_t>> seen;
  auto unitNamed = [&](ParticipantId p) {
    auto found = p ? units.find(module.participantName(p)) : units.end();
    return found == units.end() ? noneOf : found->second;
  };
  auto channel = [&](MessageId id, uint32_t element, uint32_t flow) {
    const Message &m = module.message(id);
    uint32_t sender = unitNamed(m.sender), receiver = unitNamed(m.receiver);
    if (sender == noneOf || receiver == noneOf)
      return noneOf;
    auto [at, isNew] =
        known.try_emplace({id.index(), element}, uint32_t(channels.size()));
    if (isNew)
      channels.push_back({flow, id, sender, receiver});
    return at->second;
  };
  auto attach = [&](bool out, uint32_t b, uint32_t n, Exchange exchange) {
    if (seen.insert({out, b, n,
                     exchange.channel == noneOf ? ~exchange.id.index()
                                                : exchange.channel})
            .second)
      ends[out][{b, n}].push_back(exchange);
  };
  std::set<uint32_t> chosen(behaviours.begin(), behaviours.end());
  for (size_t i = 0; i < module.messageFlows.size(); ++i) {
    const MessageFlow &flow = module.messageFlows[i];
    if (!flow.message)
      continue;
    uint32_t element =
        flow.loc.element.empty() ? ~uint32_t(i) : flow.loc.element.index();
    uint32_t to = channel(flow.message, element, i);
    if (flow.sourceBehaviour && flow.sourceNode)
      attach(true, flow.sourceBehaviour.index(), flow.sourceNode.index(),
             {to, flow.message});
    if (flow.targetBehaviour && flow.targetNode)
      attach(false, flow.targetBehaviour.index(), flow.targetNode.index(),
             {to, flow.message});
  }
  for (uint32_t b : behaviours)
    for (size_t i = 0; i < module.behaviours[b].nodes.size(); ++i) {
      const Node &n = module.behaviours[b].nodes[i];
      bool out = hasTrait(n.kind, NodeTraits::Out);
      if (n.message && !ends[out].count({b, uint32_t(i)}))
        attach(out, b, i,
               {channel(n.message, ~n.message.index(), noneOf), n.message});
    }
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> messageOf;
  for (Channel &c : channels) {
    const Message &m = module.message(c.id);
    auto [at, isNew] = messageOf.try_emplace(
        {m.name.index(), c.sender, c.receiver}, uint32_t(messages.size()));
    if (isNew)
      messages.push_back({c.sender, c.receiver, module.text(m.name).str(),
                          unitNames[c.receiver], unitNames[c.sender]});
    c.message = at->second;
    c.used = usedPlace(c);
    c.place = net.addPlace("messages '" + module.text(m.name) + "'");
    net.idle.set(c.place);
    net.messagePlaces.push_back(c.place);
  }
}

/// The published networks with several queues have a queue from its first use
/// on, empty or not: a state tells a queue that is empty again from one that
/// was never used.
uint32_t FbpmnBuilder::usedPlace(const Channel &channel) {
  std::pair<uint32_t, uint32_t> key;
  switch (kind) {
  case NetworkKind::FifoPair:
    key = {channel.sender, channel.receiver};
    break;
  case NetworkKind::Inbox:
    key = {channel.receiver, 0};
    break;
  case NetworkKind::Outbox:
    key = {channel.sender, 0};
    break;
  default:
    return noIndex;
  }
  auto [at, isNew] = usedOf.try_emplace(key, noIndex);
  if (isNew) {
    at->second = net.addPlace("queue " + std::to_string(usedOf.size()));
    net.idle.set(at->second);
    net.marks.set(at->second);
  }
  return at->second;
}

SmallVector<Exchange, 2> FbpmnBuilder::exchanges(uint32_t n, bool out) const {
  auto found = ends[out].find({unit, n});
  return found == ends[out].end() ? SmallVector<Exchange, 2>() : found->second;
}

LabelIndex FbpmnBuilder::label(MessageId id, bool out, bool outside) {
  bool both = options.observe == Observation::Both;
  bool shown = outside || (out ? options.observe == Observation::Send || both
                               : options.observe != Observation::Send);
  if (!shown || !id)
    return tauLabel;
  Label made = module.label(!both ? LabelKind::Exchange
                            : out ? LabelKind::Send
                                  : LabelKind::Receive,
                            id);
  auto [at, isNew] = labelOf.try_emplace(made, labels.size());
  if (isNew)
    labels.push_back(made);
  return at->second;
}

void FbpmnBuilder::communicate(uint32_t n, bool out, ArrayRef<Arc> pre,
                               ArrayRef<Arc> post,
                               function_ref<void(Firing &)> fill) {
  auto ways = exchanges(n, out);
  if (ways.empty())
    ways.emplace_back();
  for (const Exchange &way : ways) {
    Firing &firing =
        fire(out ? FiringKind::Send : FiringKind::Receive, n, pre, post);
    bool outside = way.channel == noneOf;
    firing.label = label(way.id, out, outside);
    if (outside) {
      ++abstracted["messages to or from nobody in particular are exchanged "
                   "with the environment"];
      firing.info.isEnvironment = true;
    } else {
      const Channel &channel = channels[way.channel];
      (out ? firing.post : firing.pre).push_back({channel.place, 1});
      if (out && channel.used != noIndex)
        firing.post.push_back({channel.used, 1});
      (out ? firing.info.sends : firing.info.receives) = way.channel;
      if (kind != NetworkKind::Bag || options.bound != noBound)
        firing.message = channel.message;
    }
    fill(firing);
  }
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

std::string FbpmnBuilder::nameOf(uint32_t n) const {
  StringRef text = module.text(node(n).name);
  if (text.empty())
    text = module.text(node(n).loc.element);
  return text.empty()
             ? nodeKindText(node(n).kind).str() + " " + std::to_string(n)
             : "'" + text.str() + "'";
}

Firing &FbpmnBuilder::fire(FiringKind firingKind, uint32_t n, ArrayRef<Arc> pre,
                           ArrayRef<Arc> post) {
  Firing &firing = net.firings.emplace_back();
  firing.kind = firingKind;
  firing.pre.assign(pre.begin(), pre.end());
  firing.post.assign(post.begin(), post.end());
  firing.origin = {Origin::Node, unit, n};
  firing.info.process = net.processes.size();
  firing.info.element = elementOf[n];
  return firing;
}

FbpmnBuilder::Places FbpmnBuilder::incoming(uint32_t n) const {
  Places places;
  for (uint32_t f : drawn->in[n])
    places.push_back(flowPlace[f]);
  return places;
}

FbpmnBuilder::Arcs FbpmnBuilder::outgoing(uint32_t n) const {
  Arcs arcs;
  for (uint32_t f : drawn->out[n])
    arcs.push_back({flowPlace[f], 1});
  return arcs;
}

std::vector<uint32_t> FbpmnBuilder::inside(uint32_t container,
                                           bool nested) const {
  std::vector<uint32_t> places;
  auto isInside = [&](NodeId n) {
    NodeId parent = node(n.index()).parent;
    if (container == top)
      return nested || !parent;
    if (!nested)
      return parent && parent.index() == container;
    for (; parent; parent = node(parent.index()).parent)
      if (parent.index() == container)
        return true;
    return false;
  };
  for (size_t f = 0; f < flowPlace.size(); ++f)
    if (flowPlace[f] != noIndex && isInside(drawn->graph.flows[f].source))
      places.push_back(flowPlace[f]);
  for (size_t n = 0; n < nodePlace.size(); ++n)
    if (nodePlace[n] != noIndex && isInside(NodeId(n)))
      places.push_back(nodePlace[n]);
  return places;
}

/// A count for the process, each drawn flow and each node that can be marked.
void FbpmnBuilder::addPlaces() {
  const Behaviour &graph = drawn->graph;
  processPlace = net.addPlace("process '" + module.text(graph.name) + "'");
  flowPlace.assign(graph.flows.size(), noIndex);
  flowNumber.assign(graph.flows.size(), noIndex);
  for (size_t f = 0; f < graph.flows.size(); ++f) {
    if (drawn->isInner[f])
      continue;
    const Flow &flow = graph.flows[f];
    StringRef text = module.text(flow.name);
    if (text.empty())
      text = module.text(flow.loc.element);
    flowPlace[f] =
        net.addPlace(text.empty() ? "flow " + nameOf(flow.source.index()) +
                                        "->" + nameOf(flow.target.index())
                                  : "flow '" + text + "'");
    net.placeOrigins[flowPlace[f]] = {Origin::Flow, unit, uint32_t(f)};
    flowNumber[f] = net.flows.size();
    net.flows.push_back({{Origin::Flow, unit, uint32_t(f)},
                         uint32_t(net.processes.size()),
                         flowPlace[f]});
  }
  nodePlace.assign(graph.nodes.size(), noIndex);
  for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
    if (drawn->owner[n] != n)
      continue;
    bool marked = isStart(n) || isEnd(n) ||
                  hasTrait(node(n).kind, NodeTraits::Step) ||
                  node(n).kind == NodeKind::Container;
    if (marked || (drawn->in[n].empty() && node(n).flags & Instantiate))
      nodePlace[n] = net.addPlace(nameOf(n));
    if (marked && node(n).kind == NodeKind::Initial && !node(n).parent)
      net.initial.push_back({nodePlace[n], 1});
  }
}

void FbpmnBuilder::addElements() {
  elementOf.assign(drawn->graph.nodes.size(), noIndex);
  for (uint32_t n = 0; n < drawn->graph.nodes.size(); ++n) {
    if (drawn->owner[n] != n || isGateway(node(n).kind) ||
        node(n).kind == NodeKind::Stuck)
      continue;
    elementOf[n] = net.elements.size();
    CollaborationElement &element = net.elements.emplace_back();
    element.process = net.processes.size();
    element.nodes.push_back(n);
    element.isEnd = isEnd(n);
    element.isStart = isStart(n);
    element.isNested = bool(node(n).parent);
    bool isContainer = node(n).kind == NodeKind::Container;
    bool isTask =
        !isContainer && !isEnd(n) && !isStart(n) && nodePlace[n] != noIndex;
    element.kind = isContainer ? CollaborationElement::Container
                   : isTask    ? CollaborationElement::Task
                               : CollaborationElement::Event;
    if (isContainer || isTask)
      element.active.push_back(nodePlace[n]);
    if (element.isEnd)
      element.marks.push_back(nodePlace[n]);
  }
}

bool FbpmnBuilder::addProcess(uint32_t behaviour) {
  const Behaviour &graph = module.behaviours[behaviour];
  unit = behaviour;
  // A parent that is its own ancestor would make every walk up endless.
  for (const Node &n : graph.nodes) {
    size_t steps = 0;
    for (NodeId c = n.parent; c; c = graph.node(c).parent)
      if (graph.node(c).kind != NodeKind::Container ||
          ++steps > graph.nodes.size()) {
        diags.report(module.place(n.loc), diag::bad_parent)
            << module.text(n.name);
        return false;
      }
  }
  drawn = std::make_unique<Drawn>(graph);
  addPlaces();
  addElements();
  for (uint32_t n = 0; n < graph.nodes.size(); ++n)
    if (drawn->owner[n] == n && !addNode(n))
      return false;
  CollaborationProcess &process = net.processes.emplace_back();
  process.behaviour = behaviour;
  process.name = unitNames[unitOf[behaviour]];
  process.started = processPlace;
  // SoundState: these are empty, and those hold one token at most. Tokens of
  // start events (permits) and end events (marks) are none of the process's.
  auto &sound = net.soundEmpty.emplace_back();
  auto &ended = net.soundEnds.emplace_back();
  llvm::BitVector starts(net.numPlaces), final(net.numPlaces);
  for (uint32_t n = 0; n < graph.nodes.size(); ++n)
    if (nodePlace[n] != noIndex && (isStart(n) || isEnd(n)))
      (isStart(n) ? starts : final).set(nodePlace[n]);
  for (uint32_t place : inside(top, /*nested=*/true))
    if (final.test(place))
      ended.push_back(place);
    else if (!starts.test(place))
      sound.push_back(place);
  process.tokens = sound;
  return true;
}

bool FbpmnBuilder::addNode(uint32_t n) {
  switch (node(n).kind) {
  case NodeKind::Initial:
    addStart(n);
    return true;
  case NodeKind::Final:
    addEnd(n);
    return true;
  case NodeKind::Terminate:
    addTerminate(n);
    return true;
  case NodeKind::Task:
    addTask(n);
    return true;
  case NodeKind::Send:
  case NodeKind::Receive:
    addSendOrReceive(n);
    return true;
  case NodeKind::Catch:
  case NodeKind::Throw:
    addEvent(n);
    return true;
  case NodeKind::Boundary:
    if (!node(n).attachedTo ||
        nodePlace[node(n).attachedTo.index()] == noIndex) {
      report(n, diag::bad_parent);
      return false;
    }
    addBoundary(n);
    return true;
  case NodeKind::Choice:
  case NodeKind::DominatedChoice:
  case NodeKind::SimpleJoin:
    addExclusive(n);
    return true;
  case NodeKind::AllSelect:
  case NodeKind::AllJoin:
    addParallel(n);
    return true;
  case NodeKind::SubsetSelect:
  case NodeKind::SubsetJoin:
    return addInclusive(n);
  case NodeKind::EventChoice:
    addEventBased(n);
    return true;
  case NodeKind::Container:
    addSubProcess(n);
    return true;
  case NodeKind::Stuck:
    return true;
  case NodeKind::Interaction:
    report(n, diag::foreign_node);
    return false;
  case NodeKind::Call:
    report(n, diag::fbpmn_call);
    return false;
  }
  llvm_unreachable("unknown kind of node");
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// Takes its token and gives one to every outgoing flow; at the level of the
/// process it starts this, which happens once. A message start event receives
/// in the same step, and never starts a sub-process.
void FbpmnBuilder::addStart(uint32_t n) {
  Arcs pre{{nodePlace[n], 1}}, post = outgoing(n);
  bool isProcess = !node(n).parent;
  auto fill = [&](Firing &firing) {
    if (isProcess)
      firing.empty = net.addSet({processPlace});
    firing.info.starts = firing.info.completes = true;
  };
  if (isProcess)
    post.push_back({processPlace, 1});
  if (node(n).trigger == Trigger::Message) {
    if (isProcess)
      communicate(n, /*out=*/false, pre, post, fill);
    return;
  }
  if (node(n).trigger != Trigger::None)
    ++abstracted["start events with a trigger happen at any time"];
  fill(fire(FiringKind::Internal, n, pre, post));
}

/// Takes a token from one incoming flow and marks itself; a message end event
/// sends in the same step.
void FbpmnBuilder::addEnd(uint32_t n) {
  auto fill = [](Firing &firing) {
    firing.info.starts = firing.info.completes = true;
  };
  if (node(n).trigger != Trigger::None && node(n).trigger != Trigger::Message)
    ++abstracted["the triggers of end events are ignored"];
  for (uint32_t in : incoming(n)) {
    if (node(n).trigger == Trigger::Message)
      communicate(n, /*out=*/true, Arc{in, 1}, Arc{nodePlace[n], 1}, fill);
    else
      fill(fire(FiringKind::Internal, n, Arc{in, 1}, Arc{nodePlace[n], 1}));
  }
}

/// Marks itself once and clears everything else in its process or sub-process.
void FbpmnBuilder::addTerminate(uint32_t n) {
  NodeId parent = node(n).parent;
  uint32_t all =
      net.addSet(inside(parent ? parent.index() : top, /*nested=*/true));
  for (uint32_t in : incoming(n)) {
    Firing &firing =
        fire(FiringKind::Internal, n, Arc{in, 1}, Arc{nodePlace[n], 1});
    firing.clears = all;
    firing.info.starts = firing.info.completes = true;
  }
}

/// Intermediate events are one step.
void FbpmnBuilder::addEvent(uint32_t n) {
  auto fill = [](Firing &firing) {
    firing.info.starts = firing.info.completes = true;
  };
  bool out = node(n).kind == NodeKind::Throw;
  bool isMessage = node(n).trigger == Trigger::Message;
  if (!isMessage && node(n).trigger != Trigger::None)
    ++abstracted[triggerText(node(n).trigger).str() +
                 (out ? " events have no effect"
                      : " events happen at any time")];
  for (uint32_t in : incoming(n)) {
    if (isMessage)
      communicate(n, out, Arc{in, 1}, outgoing(n), fill);
    else
      fill(fire(FiringKind::Internal, n, Arc{in, 1}, outgoing(n)));
  }
}

/// While its activity is active: takes the message, if it waits for one;
/// interrupting, it clears the activity, with what is inside, unless that could
/// complete.
void FbpmnBuilder::addBoundary(uint32_t n) {
  uint32_t host = node(n).attachedTo.index();
  uint32_t active = nodePlace[host];
  bool stays = node(n).flags & NonInterrupting;
  Arcs pre{{active, 1}}, post = outgoing(n);
  if (stays)
    post.push_back({active, 1});
  uint32_t clears = noIndex, busy = noIndex, nothing = noIndex;
  if (!stays && node(host).kind == NodeKind::Container) {
    clears = net.addSet(inside(host, /*nested=*/true));
    // Not ready to complete: something other than an end event is marked, or
    // nothing is.
    std::vector<uint32_t> all = inside(host, /*nested=*/false), others;
    llvm::BitVector ends(net.numPlaces);
    for (uint32_t child : drawn->children[host])
      if (isEnd(child))
        ends.set(nodePlace[child]);
    for (uint32_t place : all)
      if (!ends.test(place))
        others.push_back(place);
    busy = net.addSet(std::move(others));
    nothing = net.addSet(std::move(all));
  }
  auto add = [&](uint32_t marked, uint32_t empty) {
    auto fill = [&](Firing &firing) {
      firing.clears = clears;
      firing.marked = marked;
      firing.empty = empty;
      firing.info.starts = firing.info.completes = true;
      firing.info.interrupts = !stays;
    };
    if (node(n).trigger == Trigger::Message)
      return communicate(n, /*out=*/false, pre, post, fill);
    if (node(n).trigger != Trigger::None)
      ++abstracted[triggerText(node(n).trigger).str() +
                   " events happen at any time"];
    fill(fire(FiringKind::Internal, n, pre, post));
  };
  add(busy, noIndex);
  if (nothing != noIndex)
    add(noIndex, nothing);
}

//===----------------------------------------------------------------------===//
// Activities
//===----------------------------------------------------------------------===//

/// Starts, while it is not active, and completes: a token on every outgoing
/// flow, whatever the conditions.
void FbpmnBuilder::addTask(uint32_t n) {
  uint32_t busy = net.addSet({nodePlace[n]});
  for (uint32_t in : incoming(n)) {
    Firing &start =
        fire(FiringKind::Internal, n, Arc{in, 1}, Arc{nodePlace[n], 1});
    start.empty = busy;
    start.info.starts = true;
  }
  fire(FiringKind::Internal, n, Arc{nodePlace[n], 1}, outgoing(n))
      .info.completes = true;
}

/// The same; it sends or receives when it completes.
void FbpmnBuilder::addSendOrReceive(uint32_t n) {
  uint32_t busy = net.addSet({nodePlace[n]});
  if (incoming(n).empty() && node(n).flags & Instantiate && !node(n).parent) {
    // It is a start event by another name.
    net.initial.push_back({nodePlace[n], 1});
    Arcs post = outgoing(n);
    post.push_back({processPlace, 1});
    return communicate(n, /*out=*/false, Arc{nodePlace[n], 1}, post,
                       [&](Firing &firing) {
                         firing.empty = net.addSet({processPlace});
                         firing.info.starts = firing.info.completes = true;
                       });
  }
  for (uint32_t in : incoming(n)) {
    Firing &start =
        fire(FiringKind::Internal, n, Arc{in, 1}, Arc{nodePlace[n], 1});
    start.empty = busy;
    start.info.starts = true;
  }
  communicate(n, node(n).kind == NodeKind::Send, Arc{nodePlace[n], 1},
              outgoing(n),
              [](Firing &firing) { firing.info.completes = true; });
}

/// Starts with a token on each of its start events. Completes when its flows
/// are empty, an end event in it is marked and nothing but end events is.
void FbpmnBuilder::addSubProcess(uint32_t n) {
  Arcs starts{{nodePlace[n], 1}};
  std::vector<uint32_t> ends, others;
  llvm::BitVector isEndPlace(net.numPlaces);
  for (uint32_t child : drawn->children[n]) {
    if (isStart(child))
      starts.push_back({nodePlace[child], 1});
    if (isEnd(child)) {
      ends.push_back(nodePlace[child]);
      isEndPlace.set(nodePlace[child]);
    }
  }
  for (uint32_t place : inside(n, /*nested=*/false))
    if (!isEndPlace.test(place))
      others.push_back(place);
  uint32_t busy = net.addSet({nodePlace[n]});
  for (uint32_t in : incoming(n)) {
    Firing &start = fire(FiringKind::Internal, n, Arc{in, 1}, starts);
    start.empty = busy;
    start.info.starts = true;
  }
  // A step for each end event that is marked: they lead to the same state, and
  // the published numbers count them.
  uint32_t empty = net.addSet(std::move(others)), clears = net.addSet(ends);
  for (uint32_t end : ends) {
    Firing &done = fire(FiringKind::Internal, n,
                        {Arc{nodePlace[n], 1}, Arc{end, 1}}, outgoing(n));
    done.empty = empty;
    done.clears = clears;
    done.info.completes = true;
  }
}

//===----------------------------------------------------------------------===//
// Gateways
//===----------------------------------------------------------------------===//

/// One token in, one out, whatever the conditions.
void FbpmnBuilder::addExclusive(uint32_t n) {
  ArrayRef<uint32_t> outs = drawn->out[n];
  for (uint32_t in : incoming(n)) {
    if (outs.empty())
      fire(FiringKind::Internal, n, Arc{in, 1}, {});
    for (uint32_t out : outs) {
      Firing &firing =
          fire(FiringKind::Internal, n, Arc{in, 1}, Arc{flowPlace[out], 1});
      if (outs.size() > 1)
        firing.info.chosenFlows = {flowNumber[out]};
    }
  }
}

void FbpmnBuilder::addParallel(uint32_t n) {
  Arcs pre;
  for (uint32_t in : incoming(n))
    pre.push_back({in, 1});
  if (!pre.empty())
    fire(FiringKind::Internal, n, pre, outgoing(n));
}

/// Picks a flow to a reception with a message pending on one of its message
/// flows, or to a timer.
void FbpmnBuilder::addEventBased(uint32_t n) {
  Places ins = incoming(n);
  if (ins.empty() && node(n).flags & Instantiate) {
    net.initial.push_back({nodePlace[n], 1});
    ins.push_back(nodePlace[n]);
  }
  ArrayRef<uint32_t> outs = drawn->out[n];
  for (uint32_t in : ins)
    for (uint32_t out : outs) {
      uint32_t target = drawn->owner[drawn->graph.flows[out].target.index()];
      auto pick = [&](uint32_t pending) {
        Firing &firing =
            fire(FiringKind::Internal, n, Arc{in, 1}, Arc{flowPlace[out], 1});
        if (pending != noIndex) {
          firing.pre.push_back({pending, 1});
          firing.post.push_back({pending, 1});
        }
        if (outs.size() > 1)
          firing.info.chosenFlows = {flowNumber[out]};
      };
      bool receives = node(target).kind == NodeKind::Receive ||
                      (node(target).kind == NodeKind::Catch &&
                       node(target).trigger == Trigger::Message);
      if (!receives) {
        if (node(target).kind == NodeKind::Catch)
          pick(noIndex);
        continue;
      }
      auto ways = exchanges(target, /*out=*/false);
      if (ways.empty())
        pick(noIndex);
      for (const Exchange &way : ways)
        pick(way.channel == noneOf ? noIndex : channels[way.channel].place);
    }
}

/// Pre(n, z) for each incoming flow z: the flows from which a path leads to z
/// that does not pass n, their targets, and start events that they leave from.
/// As published it goes along sequence flows only: not into or out of
/// sub-processes, nor from a boundary event to its activity.
void FbpmnBuilder::findPre(OrJoin &join, uint32_t n) const {
  const Behaviour &graph = drawn->graph;
  for (uint32_t f : drawn->in[n]) {
    join.incoming.push_back(flowPlace[f]);
    llvm::BitVector before(net.numPlaces), seen(graph.flows.size());
    SmallVector<uint32_t, 16> work{f};
    seen.set(f);
    while (!work.empty()) {
      uint32_t source =
          drawn->owner[graph.flows[work.pop_back_val()].source.index()];
      if (source == n)
        continue;
      for (uint32_t x : drawn->in[source]) {
        if (seen.test(x))
          continue;
        seen.set(x);
        work.push_back(x);
      }
    }
    for (unsigned x : seen.set_bits()) {
      if (x == f)
        continue;
      before.set(flowPlace[x]);
      uint32_t target = drawn->owner[graph.flows[x].target.index()];
      uint32_t source = drawn->owner[graph.flows[x].source.index()];
      if (nodePlace[target] != noIndex)
        before.set(nodePlace[target]);
      if (isStart(source) && (node(source).trigger == Trigger::None ||
                              node(source).trigger == Trigger::Message))
        before.set(nodePlace[source]);
    }
    join.before.push_back(std::move(before));
  }
}

/// Joins and splits in one step: any of the flows that are not the default, or
/// the default alone.
bool FbpmnBuilder::addInclusive(uint32_t n) {
  SmallVector<uint32_t, 4> optional;
  std::vector<SmallVector<uint32_t, 4>> ways;
  for (uint32_t out : drawn->out[n])
    if (drawn->graph.flows[out].flags & DefaultFlow)
      ways.push_back({out});
    else
      optional.push_back(out);
  if (optional.size() > 16) {
    diags.report(module.place(node(n).loc), diag::too_many_branches)
        << nameOf(n) << optional.size();
    return false;
  }
  for (uint32_t chosen = 1; chosen < (1u << optional.size()); ++chosen) {
    auto &way = ways.emplace_back();
    for (size_t i = 0; i < optional.size(); ++i)
      if (chosen >> i & 1)
        way.push_back(optional[i]);
  }
  Places ins = incoming(n);
  if (ins.empty())
    return true;
  uint32_t number = net.orJoins.size();
  if (ins.size() > 1)
    findPre(net.orJoins.emplace_back(), n);
  for (const auto &way : ways) {
    Arcs post;
    for (uint32_t out : way)
      post.push_back({flowPlace[out], 1});
    Firing &firing = fire(FiringKind::Internal, n, {}, post);
    if (ins.size() > 1)
      firing.orJoin = number;
    else
      firing.pre.push_back({ins[0], 1});
    if (way.size() == 1 && drawn->out[n].size() > 1)
      firing.info.chosenFlows = {flowNumber[way[0]]};
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The system
//===----------------------------------------------------------------------===//

std::unique_ptr<CollaborationSystem> FbpmnBuilder::build() {
  if (kind == NetworkKind::Sync) {
    std::string all;
    for (NetworkKind each : asynchronousNetworks())
      all += (all.empty() ? "" : ", ") + networkText(each).str();
    diags.report(diag::bad_option_value)
        << "--network" << networkText(kind)
        << "a network that 'fbpmn' has: " + all;
    return nullptr;
  }
  net.maxMark = 1;
  findUnits();
  findChannels();
  for (uint32_t behaviour : behaviours)
    if (!addProcess(behaviour))
      return nullptr;
  unsigned guarded = 0, loops = 0;
  for (uint32_t b : behaviours) {
    for (const Flow &flow : module.behaviours[b].flows)
      guarded += bool(flow.guard);
    for (const Node &n : module.behaviours[b].nodes)
      loops += n.loop != LoopKind::None;
    if (ParticipantId owner = module.behaviours[b].owner;
        owner && module.participant(owner).maximum > 1)
      ++abstracted["participants with several instances are explored as one"];
  }
  if (guarded)
    abstracted["guards are free choices"] += guarded;
  if (loops)
    abstracted["loop and multi-instance markers are ignored"] += loops;
  std::vector<std::string> texts;
  for (const auto &[what, count] : abstracted)
    texts.push_back(std::to_string(count) + ": " + what);

  TokenSystemOptions more;
  more.semantics = SemanticsKind::Fbpmn;
  more.network = kind;
  more.limits = options.limits;
  for (const Channel &c : channels) {
    CollaborationMessage &message = more.messages.emplace_back();
    message.label = module.label(LabelKind::Exchange, c.id);
    if (c.flow != noneOf)
      message.flows.push_back(c.flow);
  }
  std::unique_ptr<Network> network;
  NetworkSetup setup{options.bound, static_cast<unsigned>(unitNames.size()),
                     std::move(messages), options.plainQueues};
  if (kind == NetworkKind::Causal)
    network = makeClocks(std::move(setup));
  else if (kind != NetworkKind::Bag || options.bound != noBound)
    network = makeNetwork(kind, std::move(setup));
  return makeTokenSystem(std::move(net), std::move(network), std::move(labels),
                         std::move(texts), std::move(more));
}

std::unique_ptr<CollaborationSystem>
cif::makeFbpmnSystem(const Module &module, ArrayRef<uint32_t> behaviours,
                     const SemanticsOptions &options, DiagnosticEngine &diags) {
  return FbpmnBuilder(module, behaviours, options, diags).build();
}
