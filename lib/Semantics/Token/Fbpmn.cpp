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

#include "Fbpmn.h"
#include "Networks/Queues.h"
#include "SystemFactories.h"
#include "cif/IR/Nodes.h"
#include "cif/Support/Diagnostics/Semantics.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "llvm/ADT/DenseMap.h"
#include <set>

using namespace cif;

//===----------------------------------------------------------------------===//
// What was drawn
//===----------------------------------------------------------------------===//

Drawn::Drawn(const Behaviour &of)
    : graph(of), owner(of.nodes.size()), isInner(of.flows.size()),
      isSink(of.nodes.size()), in(of.nodes.size()), out(of.nodes.size()),
      children(of.nodes.size()) {
  for (size_t i = 0; i < owner.size(); ++i)
    owner[i] = i;
  auto isMade = [&](const Flow &flow) { return isWithinElement(graph, flow); };
  auto standsIn = [&](NodeId n) { // a container that stands for its own nodes
    NodeId parent = graph.node(n).parent;
    return parent && graph.node(parent).loc == graph.node(n).loc;
  };
  llvm::DenseMap<uint32_t, uint32_t> first; // by element: its own node
  for (size_t i = 0; i < owner.size(); ++i)
    first.try_emplace(graph.nodes[i].loc.element.index(), i);
  auto isOwn = [&](uint32_t n) {
    Name id = graph.nodes[n].loc.element;
    return !id.empty() && first.lookup(id.index()) == n;
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
      if (from == NodeKind::SimpleJoin && !isGateway(to) && !isOwn(source))
        owner[source] = target;
      else if ((to == NodeKind::AllSelect || to == NodeKind::SubsetSelect) &&
               !toGateway)
        owner[target] = owner[source];
      else if (to == NodeKind::Final && !standsIn(flow.target)) {
        // After a gateway that was not drawn either a token just ends.
        isSink[target] = toGateway && !isOwn(source);
        if (!isSink[target])
          owner[target] = owner[source];
      }
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
      ++abstracted["messages without a known partner are exchanged with the "
                   "environment"];
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
    if (drawn->owner[n] != n || isGateway(node(n).kind) || drawn->isSink[n] ||
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
    texts.push_back(countedText(what, count));

  TokenSystemOptions more;
  more.semantics = SemanticsKind::Fbpmn;
  more.network = kind;
  more.limits = options.limits;
  more.runLimits = options.runLimits;
  net.limit = budget.limit();
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
