//===- TokenNet.cpp - Graphs of nodes and flows as a net
//-------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [c4], the rules of Fig. 6 for events and gateways, and their
/// counterparts for the nodes that the figure does not have: inclusive gateways
/// after [fbpmn] (with Pre corrected, see OrJoin), containers, boundary events,
/// termination, links.
///
/// Differs from the paper: a start event is a token on its outgoing flows from
/// the beginning; Ch-XorJoin takes the token from the flow that holds it; an
/// end event does not count the tokens that ended in it, so that a loop that
/// ends tokens stays finite.
///
/// Input class: any graph; no structure is assumed. Loop markers and recursion
/// other than tail calls are errors.
///
//===----------------------------------------------------------------------===//

#include "TokenNet.h"
#include "cif/IR/Starts.h"
#include "cif/Support/DiagnosticKinds.h"

using namespace cif;

TokenNetBuilder::~TokenNetBuilder() = default;

uint32_t TokenNet::addPlace(const Twine &name) {
  placeNames.push_back(name.str());
  placeOrigins.emplace_back();
  idle.push_back(false);
  marks.push_back(false);
  return numPlaces++;
}

bool TokenNet::joins(const OrJoin &join, const uint32_t *marking) const {
  auto isReached = [&](unsigned place) {
    for (size_t i = 0; i < join.incoming.size(); ++i)
      if (marking[join.incoming[i]] && join.before[i].test(place))
        return true;
    return false;
  };
  if (llvm::none_of(join.incoming,
                    [&](uint32_t place) { return marking[place] != 0; }))
    return false;
  for (size_t i = 0; i < join.incoming.size(); ++i)
    if (!marking[join.incoming[i]])
      for (unsigned place : join.before[i].set_bits())
        if (marking[place] && !isReached(place))
          return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Places, flows and guards
//===----------------------------------------------------------------------===//

std::string TokenNetBuilder::nameOf(NodeId n) const {
  const Node &node = graph->node(n);
  StringRef text = module.text(node.name);
  if (text.empty())
    text = module.text(node.loc.element);
  return text.empty()
             ? nodeKindText(node.kind).str() + " " + std::to_string(n.raw())
             : "'" + text.str() + "'";
}

uint32_t TokenNetBuilder::addPlace(NodeId inScopeOf, const Twine &name) {
  uint32_t place = net.addPlace(name);
  for (NodeId c = graph->node(inScopeOf).parent; c; c = graph->node(c).parent)
    inner[c.index()].push_back(place);
  return place;
}

Firing &TokenNetBuilder::fire(FiringKind kind, NodeId n, ArrayRef<Arc> pre,
                              ArrayRef<Arc> post) {
  Firing &firing = net.firings.emplace_back();
  firing.kind = kind;
  firing.pre.assign(pre.begin(), pre.end());
  firing.post.assign(post.begin(), post.end());
  firing.origin = {Origin::Node, unit, n.index()};
  firing.info.process = net.processes.size();
  firing.info.element = elementOf[n.index()];
  if (kind == FiringKind::Gateway && post.empty())
    firing.endsIn = graph->node(n).parent.raw();
  return firing;
}

uint32_t TokenNetBuilder::setOfScope(NodeId container,
                                     ArrayRef<uint32_t> more) {
  if (auto known = scopeSets.find(container.raw());
      more.empty() && known != scopeSets.end())
    return known->second;
  uint32_t set = net.addSet({more.begin(), more.end()});
  if (more.empty())
    scopeSets[container.raw()] = set;
  unfilled.push_back({set, container});
  return set;
}

bool TokenNetBuilder::report(NodeId n, diag::Kind kind) {
  diags.report(module.place(graph->node(n).loc), kind) << nameOf(n);
  return ok = false;
}

/// The value of an expression without variables.
std::optional<int64_t> TokenNetBuilder::constant(ExprId id) const {
  if (!id)
    return std::nullopt;
  // Operands come before their operators: one pass over the ids below.
  SmallVector<std::pair<ExprId, bool>, 8> work{{id, false}};
  SmallVector<int64_t, 8> values;
  while (!work.empty()) {
    auto [at, operandsDone] = work.pop_back_val();
    const Expr &e = module.expr(at);
    if (e.op == ExprOp::BoolLiteral || e.op == ExprOp::IntLiteral) {
      values.push_back(e.value);
      continue;
    }
    bool logical = e.op == ExprOp::And || e.op == ExprOp::Or ||
                   e.op == ExprOp::Implies || e.op == ExprOp::Not;
    bool compares = e.op >= ExprOp::Equal && e.op <= ExprOp::GreaterEqual;
    if (!logical && !compares)
      return std::nullopt; // a variable, or arithmetic: not for us to fold
    if (!operandsDone) {
      work.push_back({at, true});
      if (e.rhs)
        work.push_back({e.rhs, false});
      work.push_back({e.lhs, false});
      continue;
    }
    int64_t rhs = e.rhs ? values.pop_back_val() : 0;
    int64_t lhs = values.pop_back_val();
    switch (e.op) {
    case ExprOp::Not:
      values.push_back(!lhs);
      break;
    case ExprOp::And:
      values.push_back(lhs && rhs);
      break;
    case ExprOp::Or:
      values.push_back(lhs || rhs);
      break;
    case ExprOp::Implies:
      values.push_back(!lhs || rhs);
      break;
    case ExprOp::Equal:
      values.push_back(lhs == rhs);
      break;
    case ExprOp::NotEqual:
      values.push_back(lhs != rhs);
      break;
    case ExprOp::Less:
      values.push_back(lhs < rhs);
      break;
    case ExprOp::LessEqual:
      values.push_back(lhs <= rhs);
      break;
    case ExprOp::Greater:
      values.push_back(lhs > rhs);
      break;
    default:
      values.push_back(lhs >= rhs);
      break;
    }
  }
  return values.front();
}

bool TokenNetBuilder::isTaken(FlowId flow) const {
  std::optional<int64_t> value = constant(graph->flow(flow).guard);
  return !value || *value;
}

bool TokenNetBuilder::isGuarded(FlowId flow) const {
  return graph->flow(flow).guard && !constant(graph->flow(flow).guard);
}

TokenNetBuilder::Places TokenNetBuilder::incoming(NodeId n) const {
  Places places;
  for (FlowId f : flows->incoming(n))
    places.push_back(firstPlace + f.index());
  if (implicit[n.index()] != noIndex)
    places.push_back(implicit[n.index()]);
  return places;
}

TokenNetBuilder::Arcs TokenNetBuilder::outgoing(NodeId n) const {
  Arcs arcs;
  for (FlowId f : flows->outgoing(n))
    if (isTaken(f))
      arcs.push_back({firstPlace + f.index(), 1});
  return arcs;
}

std::vector<TokenNetBuilder::Arcs>
TokenNetBuilder::subsets(NodeId n, ArrayRef<Arc> always, ArrayRef<Arc> optional,
                         ArrayRef<Arc> otherwise, bool noneIsFine) {
  std::vector<Arcs> ways;
  if (optional.size() > 16) {
    diags.report(module.place(graph->node(n).loc), diag::too_many_branches)
        << nameOf(n) << optional.size();
    ok = false;
    return ways;
  }
  for (uint32_t chosen = 0; chosen < (1u << optional.size()); ++chosen) {
    if (!chosen && otherwise.empty() && !noneIsFine)
      continue;
    Arcs way(always.begin(), always.end());
    for (size_t i = 0; i < optional.size(); ++i)
      if (chosen >> i & 1)
        way.push_back(optional[i]);
    if (!chosen)
      way.append(otherwise.begin(), otherwise.end());
    ways.push_back(std::move(way));
  }
  return ways;
}

std::vector<TokenNetBuilder::Arcs> TokenNetBuilder::leave(NodeId n) {
  Arcs always, optional, otherwise;
  for (FlowId f : flows->outgoing(n)) {
    if (!isTaken(f))
      continue;
    Arc arc{firstPlace + f.index(), 1};
    if (graph->flow(f).flags & DefaultFlow)
      otherwise.push_back(arc);
    else
      (isGuarded(f) ? optional : always).push_back(arc);
  }
  if (optional.empty()) { // a default beside nothing else is the way out
    if (always.empty())
      always = otherwise;
    return {always};
  }
  return subsets(n, always, optional, otherwise, /*noneIsFine=*/true);
}

//===----------------------------------------------------------------------===//
// Behaviours
//===----------------------------------------------------------------------===//

bool TokenNetBuilder::check(NodeId n) {
  const Node &node = graph->node(n);
  if (node.loop != LoopKind::None)
    return report(n, diag::loop_marker);
  if (isForeign(node))
    return report(n, diag::foreign_node);
  if (node.kind == NodeKind::Container &&
      (node.flags & (EventTriggered | AdHoc)))
    return report(n, diag::unsupported_container);
  // A parent that is its own ancestor would make every walk up endless.
  size_t steps = 0;
  for (NodeId c = node.parent; c; c = graph->node(c).parent)
    if (graph->node(c).kind != NodeKind::Container ||
        ++steps > graph->nodes.size())
      return report(n, diag::bad_parent);
  if (node.kind == NodeKind::Boundary && !node.attachedTo)
    return report(n, diag::bad_parent);
  // Each place is known in all scopes around it.
  if ((depths += steps) > maxDepths) {
    diags.report(module.place(node.loc), diag::scopes_too_deep)
        << nameOf(n) << steps;
    return ok = false;
  }
  return true;
}

bool TokenNetBuilder::add(uint32_t behaviour) {
  graph = &module.behaviours[behaviour];
  flows = std::make_unique<FlowIndex>(*graph);
  unit = behaviour;
  size_t count = graph->nodes.size();
  inner.assign(count, {});
  borders.assign(count, {});
  startsOf.assign(count, {});
  implicit.assign(count, noIndex);
  elementOf.assign(count, noIndex);
  markOf.assign(count, noIndex);
  permitPlace = noIndex;
  unfilled.clear();
  scopeSets.clear();
  for (size_t i = 0; i < count && depths <= maxDepths; ++i)
    check(NodeId(i));
  if (!ok)
    return false;

  firstPlace = net.numPlaces;
  unsigned guarded = 0;
  for (const Flow &flow : graph->flows) {
    StringRef text = module.text(flow.name);
    if (text.empty())
      text = module.text(flow.loc.element);
    uint32_t place =
        addPlace(flow.source, text.empty() ? "flow " + nameOf(flow.source) +
                                                 "->" + nameOf(flow.target)
                                           : "flow '" + text + "'");
    net.placeOrigins[place] = {Origin::Flow, unit, place - firstPlace};
  }
  for (size_t i = 0; i < graph->flows.size(); ++i)
    guarded += isGuarded(FlowId(i)) && program(FlowId(i)) == noData;
  if (guarded)
    abstracted["guards are free choices"] += guarded;
  for (size_t i = 0; i < count; ++i)
    if (graph->nodes[i].kind == NodeKind::Boundary)
      borders[graph->nodes[i].attachedTo.index()].events.push_back(NodeId(i));
  findStarts();
  findElements();
  for (size_t i = 0; i < count && ok; ++i)
    addNode(NodeId(i));
  // Boundary events after their hosts, whose places they need.
  for (size_t i = 0; i < count && ok; ++i)
    if (graph->nodes[i].kind == NodeKind::Boundary)
      addBoundary(NodeId(i));
  for (auto [set, container] : unfilled) {
    auto &places = net.sets[set];
    if (container)
      places.insert(places.end(), inner[container.index()].begin(),
                    inner[container.index()].end());
    else
      for (uint32_t p = firstPlace; p < net.numPlaces; ++p)
        if (!net.marks.test(p))
          places.push_back(p);
  }
  addProcess();
  return ok;
}

/// The tables by which a state is read.
void TokenNetBuilder::addProcess() {
  uint32_t number = net.processes.size();
  CollaborationProcess &process = net.processes.emplace_back();
  process.behaviour = unit;
  process.name = (graph->owner ? module.participantName(graph->owner)
                               : module.text(graph->name))
                     .str();
  process.permit = permitPlace;
  for (uint32_t p = firstPlace; p < net.numPlaces; ++p)
    if (!net.idle.test(p))
      process.tokens.push_back(p);
  for (size_t i = 0; i < graph->flows.size(); ++i)
    net.flows.push_back(
        {{Origin::Flow, unit, uint32_t(i)}, number, uint32_t(firstPlace + i)});
}

/// Whether a node stands on the level of its process. What encloses a process
/// that has event sub-processes is not drawn and has the process's id.
bool TokenNetBuilder::isProcessLevel(const Node &node) const {
  for (NodeId c = node.parent; c; c = graph->node(c).parent)
    if (graph->node(c).loc.element.empty() ||
        graph->node(c).loc.element != graph->loc.element)
      return false;
  return true;
}

/// What can be dead. Of the nodes that an element was made of, the first is its
/// own, and others of the same kind are copies.
void TokenNetBuilder::findElements() {
  llvm::DenseMap<uint32_t, NodeId> first; // by the element's id
  llvm::DenseMap<uint32_t, uint32_t> known;
  for (size_t i = 0; i < graph->nodes.size(); ++i) {
    const Node &node = graph->nodes[i];
    Name id = node.loc.element;
    NodeId own(i);
    if (!id.empty())
      own = first.try_emplace(id.index(), own).first->second;
    bool isEvent = hasTrait(node.kind, NodeTraits::Event) ||
                   node.kind == NodeKind::Terminate;
    bool isTask = hasTrait(node.kind, NodeTraits::Step);
    if ((!isEvent && !isTask && node.kind != NodeKind::Container) ||
        graph->node(own).kind != node.kind ||
        (!id.empty() && id == graph->loc.element))
      continue;
    // Its token stands on its outgoing flows as soon as its scope starts.
    if (node.kind == NodeKind::Initial && implicit[i] == noIndex)
      continue;
    auto [at, isNew] = known.try_emplace(own.index(), net.elements.size());
    if (isNew) {
      CollaborationElement &element = net.elements.emplace_back();
      element.kind = isEvent  ? CollaborationElement::Event
                     : isTask ? CollaborationElement::Task
                              : CollaborationElement::Container;
      element.process = net.processes.size();
      element.isEnd =
          node.kind == NodeKind::Final || node.kind == NodeKind::Terminate;
      element.isStart = node.kind == NodeKind::Initial;
      element.isNested = !isProcessLevel(node);
    }
    net.elements[at->second].nodes.push_back(i);
    elementOf[i] = at->second;
  }
}

/// Counts that a token ended in an end event of the process.
void TokenNetBuilder::addMark(Firing &firing, NodeId n) {
  uint32_t &mark = markOf[n.index()];
  if (!marksEnds || elementOf[n.index()] == noIndex ||
      !isProcessLevel(graph->node(n)))
    return;
  if (mark == noIndex) {
    mark = net.addPlace("end " + nameOf(n));
    net.idle.set(mark);
    net.marks.set(mark);
    net.elements[elementOf[n.index()]].marks.push_back(mark);
  }
  firing.post.push_back({mark, 1});
}

/// Gives tokens to the nodes that start with their scope, and to no other.
/// Start events that wait share a permit in a process: it starts once.
void TokenNetBuilder::findStarts() {
  uint32_t permit = noIndex;
  bool waits = false;
  std::vector<bool> starts = startingNodes(*graph, *flows);
  for (size_t i = 0; i < graph->nodes.size(); ++i)
    waits |= starts[i] &&
             (startsByMessage(graph->nodes[i]) ||
              (isDetailed && startsByOneEvent() && !graph->nodes[i].parent &&
               graph->nodes[i].kind == NodeKind::Initial));
  auto start = [&](const Node &node, Arc arc) {
    if (node.parent)
      startsOf[node.parent.index()].push_back(arc);
    else
      net.initial.push_back(arc);
  };
  for (size_t i = 0; i < graph->nodes.size(); ++i) {
    NodeId n(i);
    const Node &node = graph->nodes[i];
    if (!starts[i])
      continue;
    bool isStart = node.kind == NodeKind::Initial;
    if (!node.parent && startsByOneEvent() && waits &&
        (isStart || startsByMessage(node))) {
      if (permit == noIndex) {
        permit = net.addPlace("start of " + module.text(graph->name));
        net.idle.set(permit);
        net.initial.push_back({permit, 1});
        permitPlace = permit;
      }
      implicit[i] = permit;
      continue;
    }
    if (isStart && !isDetailed &&
        !(node.trigger == Trigger::Message && !node.parent)) {
      if (node.trigger != Trigger::None)
        countAbstraction("start events with a trigger happen at once");
      for (Arc arc : outgoing(n))
        start(node, arc);
      continue;
    }
    implicit[i] = addPlace(n, "start of " + nameOf(n));
    start(node, {implicit[i], 1});
  }
}

void TokenNetBuilder::addNode(NodeId n) {
  const Node &node = graph->node(n);
  Places ins = incoming(n);
  auto step = [&](bool communicates) { addActivity(n, communicates); };
  switch (node.kind) {
  case NodeKind::Initial:
    if (implicit[n.index()] == noIndex)
      return; // its token stands on its outgoing flows
    if (node.trigger == Trigger::Message && !node.parent)
      return step(true);
    if (node.trigger == Trigger::None) {
      Firing &start = fire(FiringKind::Gateway, n, Arc{ins[0], 1}, outgoing(n));
      start.info.starts = start.info.completes = true;
      return;
    }
    countAbstraction("start events with a trigger happen at any time");
    return step(false);
  case NodeKind::Final:
    if (node.trigger == Trigger::Message)
      return step(true);
    if (node.trigger != Trigger::None)
      countAbstraction("the triggers of end events are ignored");
    // Where activities start and complete an event happens: it may be the
    // first step behind an event-based gateway.
    for (uint32_t in : ins) {
      Firing &end =
          fire(isDetailed ? FiringKind::Internal : FiringKind::Gateway, n,
               Arc{in, 1}, {});
      end.info.starts = end.info.completes = true;
      addMark(end, n);
    }
    return;
  case NodeKind::Interaction:
  case NodeKind::Send:
  case NodeKind::Receive:
    return step(true);
  case NodeKind::Task:
    return step(false);
  case NodeKind::Choice:
  case NodeKind::DominatedChoice:
  case NodeKind::SimpleJoin:
    return addChoice(n, FiringKind::Gateway);
  case NodeKind::EventChoice:
    if (isDetailed && addEventChoice(n))
      return;
    return addChoice(n, FiringKind::Deferred);
  case NodeKind::AllSelect:
  case NodeKind::AllJoin: {
    Arcs pre;
    for (uint32_t in : ins)
      pre.push_back({in, 1});
    if (!pre.empty())
      fire(FiringKind::Gateway, n, pre, outgoing(n));
    return;
  }
  case NodeKind::SubsetSelect:
  case NodeKind::SubsetJoin:
    return addSubset(n);
  case NodeKind::Catch:
  case NodeKind::Throw:
    if (node.trigger == Trigger::Message)
      return step(true);
    if (node.trigger == Trigger::Link)
      return addLink(n);
    if (node.trigger != Trigger::None)
      countAbstraction(Twine(triggerText(node.trigger)) +
                       (node.kind == NodeKind::Catch
                            ? " events happen at any time"
                            : " events have no effect"));
    return step(false);
  case NodeKind::Boundary:
    return;
  case NodeKind::Terminate: {
    uint32_t all = setOfScope(node.parent, {});
    for (uint32_t in : ins) {
      Firing &end = fire(FiringKind::Internal, n, Arc{in, 1}, {});
      end.clears = all;
      end.info.starts = end.info.completes = true;
      addMark(end, n);
    }
    return;
  }
  case NodeKind::Container:
    return addContainer(n);
  case NodeKind::Stuck:
    return;
  case NodeKind::Call:
    return addCall(n);
  }
  llvm_unreachable("unknown kind of node");
}

/// The place that is marked while an activity or container runs, and the
/// firings that start it. It is not entered again while it runs.
uint32_t TokenNetBuilder::open(NodeId n, ArrayRef<Arc> starts) {
  Border &border = borders[n.index()];
  border.active = addPlace(n, "active " + nameOf(n));
  Arcs post{{border.active, 1}};
  post.append(starts.begin(), starts.end());
  for (NodeId event : border.events) {
    const Node &b = graph->node(event);
    if (!(b.flags & NonInterrupting) || b.trigger == Trigger::Message ||
        (isDetailed && repeatsTimer(b)))
      continue;
    uint32_t armed = addPlace(event, "armed " + nameOf(event));
    border.armed.push_back({event, armed});
    border.inside.push_back(armed);
    post.push_back({armed, 1});
  }
  // Each token is an instance of its own where nothing has to know which one:
  // what is inside a container, or interrupted, is known for one only.
  bool isSingle = !isDetailed || !border.events.empty() ||
                  graph->node(n).kind == NodeKind::Container;
  uint32_t busy = isSingle ? net.addSet({border.active}) : noIndex;
  for (uint32_t in : incoming(n)) {
    Firing &firing = fire(FiringKind::Gateway, n, Arc{in, 1}, post);
    firing.empty = busy;
    firing.info.starts = true;
  }
  if (elementOf[n.index()] != noIndex)
    net.elements[elementOf[n.index()]].active.push_back(border.active);
  else if (NodeId task = taskOf(*graph, n);
           task && elementOf[task.index()] != noIndex)
    net.elements[elementOf[task.index()]].parts.push_back(
        {n.index(), border.active});
  return border.active;
}

void TokenNetBuilder::fillIn(Firing &firing, NodeId n, const NodeAction &action,
                             bool reply) {
  firing.message = action.message;
  firing.label = action.label;
  firing.never = action.never;
  firing.info.isEnvironment =
      (firing.kind == FiringKind::Send || firing.kind == FiringKind::Receive) &&
      action.message == noIndex && !action.never;
  if (data.empty() || firing.kind < FiringKind::Exchange)
    return;
  if (action.shown) {
    firing.action = action.shown->action;
    addGuards(firing, action.shown->required);
    return;
  }
  using Does = DataModel::Does;
  firing.action =
      data.action(unit, n, action.id, reply,
                  firing.kind == FiringKind::Exchange ? Does::Exchange
                  : firing.kind == FiringKind::Send   ? Does::Send
                                                      : Does::Receive,
                  action.message);
}

SmallVector<NodeAction, 2>
TokenNetBuilder::showValues(NodeAction action, uint32_t behaviour, NodeId n,
                            bool reply, std::vector<Label> &labels) {
  using Does = DataModel::Does;
  SmallVector<NodeAction, 2> all;
  for (ShownValues &values :
       data.shown(behaviour, n, action.id, reply,
                  action.kind == FiringKind::Exchange ? Does::Exchange
                  : action.kind == FiringKind::Send   ? Does::Send
                                                      : Does::Receive)) {
    Label label = labels[action.label];
    label.message += values.text;
    auto [at, isNew] = shownLabels.try_emplace(label, labels.size());
    if (isNew)
      labels.push_back(label);
    NodeAction &made = all.emplace_back(action);
    made.label = at->second;
    made.shown = std::move(values);
  }
  if (all.empty())
    all.push_back(std::move(action));
  return all;
}

void TokenNetBuilder::addGuards(Firing &firing, ArrayRef<uint32_t> list) {
  if (!list.empty())
    required.push_back(
        {uint32_t(&firing - net.firings.data()), {list.begin(), list.end()}});
}

void TokenNetBuilder::addStay(NodeId n, uint32_t in, ArrayRef<uint32_t> list) {
  Firing &firing = fire(FiringKind::Gateway, n, Arc{in, 1}, Arc{in, 1});
  firing.stays = true;
  addGuards(firing, list);
}

void TokenNetBuilder::addActivity(NodeId n, bool communicates) {
  const Node &node = graph->node(n);
  SmallVector<NodeAction, 2> first(1), second;
  if (communicates)
    first = communicate(unit, n, /*reply=*/false);
  if (communicates && node.reply)
    second = communicate(unit, n, /*reply=*/true);
  std::vector<Arcs> ways = leave(n);
  enum Part : uint8_t { Begin = 1, End = 2 };
  auto steps = [&](const SmallVector<NodeAction, 2> &actions, ArrayRef<Arc> pre,
                   ArrayRef<Arcs> posts, uint32_t clears, uint8_t parts) {
    for (const NodeAction &action : actions)
      for (const Arcs &post : posts) {
        Firing &firing = fire(action.kind, n, pre, post);
        fillIn(firing, n, action, /*reply=*/&actions == &second);
        firing.clears = clears;
        firing.info.starts = parts & Begin;
        firing.info.completes = parts & End;
        if (node.kind == NodeKind::Final)
          addMark(firing, n);
      }
  };
  bool isActivity = hasTrait(node.kind, NodeTraits::Step);
  bool isStart = implicit[n.index()] != noIndex && node.flags & Instantiate;
  if (borders[n.index()].events.empty() &&
      !(isDetailed && isActivity && !isStart)) {
    if (!node.reply) {
      for (uint32_t in : incoming(n))
        steps(first, Arc{in, 1}, ways, noIndex, Begin | End);
      return;
    }
    Arc half{addPlace(n, "half of " + nameOf(n)), 1};
    for (uint32_t in : incoming(n))
      steps(first, Arc{in, 1}, Arcs{half}, noIndex, Begin);
    steps(second, half, ways, noIndex, End);
    return;
  }
  // It starts, runs (where it can be interrupted), and ends.
  Arcs stage;
  if (node.reply) {
    stage.push_back({addPlace(n, "begin of " + nameOf(n)), 1});
    stage.push_back({addPlace(n, "half of " + nameOf(n)), 1});
  }
  uint32_t active = open(n, ArrayRef(stage).take_front(1));
  Border &border = borders[n.index()];
  for (const Arc &arc : stage)
    border.inside.push_back(arc.place);
  uint32_t clears = net.addSet({border.inside.begin(), border.inside.end()});
  if (!node.reply)
    return steps(first, Arc{active, 1}, ways, clears, End);
  steps(first, stage[0], Arcs{stage[1]}, noIndex, 0);
  steps(second, {Arc{active, 1}, stage[1]}, ways, clears, End);
}

void TokenNetBuilder::addContainer(NodeId n) {
  uint32_t active = open(n, startsOf[n.index()]);
  Border &border = borders[n.index()];
  uint32_t contents = setOfScope(n, {});
  uint32_t clears =
      border.inside.empty()
          ? noIndex
          : net.addSet({border.inside.begin(), border.inside.end()});
  for (const Arcs &way : leave(n)) {
    Firing &done = fire(FiringKind::Gateway, n, Arc{active, 1}, way);
    done.empty = contents;
    done.clears = clears;
    done.completes = n.index();
    done.info.completes = true;
  }
}

void TokenNetBuilder::addBoundary(NodeId n) {
  const Node &node = graph->node(n);
  NodeId host = node.attachedTo;
  bool isContainer = graph->node(host).kind == NodeKind::Container;
  if (borders[host.index()].active == noIndex) {
    report(n, diag::bad_parent); // on a node that is no activity
    return;
  }
  Border &border = borders[host.index()];
  SmallVector<NodeAction, 2> actions(1);
  if (node.trigger == Trigger::Race)
    actions[0].kind = FiringKind::Deferred;
  else if (node.trigger == Trigger::Message)
    actions = communicate(unit, n, false);
  else if (node.trigger != Trigger::None)
    countAbstraction(Twine(triggerText(node.trigger)) +
                     " events happen at any time");
  bool stays = node.flags & NonInterrupting;
  Arcs pre{{border.active, 1}};
  for (auto [event, armed] : border.armed)
    if (event == n)
      pre.push_back({armed, 1});
  uint32_t clears = noIndex, contents = noIndex;
  if (!stays) {
    clears = isContainer
                 ? setOfScope(host, border.inside)
                 : net.addSet({border.inside.begin(), border.inside.end()});
    // A container that only has to be left is not interrupted any more; the
    // race of `I [> J` goes on until I has ended.
    if (isContainer && node.trigger != Trigger::Race)
      contents = setOfScope(host, {});
  }
  for (const NodeAction &action : actions)
    for (Arcs &way : leave(n)) {
      if (stays)
        way.push_back({border.active, 1});
      Firing &firing = fire(action.kind, n, pre, way);
      fillIn(firing, n, action, /*reply=*/false);
      firing.clears = clears;
      firing.marked = contents;
      firing.endsIn = noIndex;
      firing.info.starts = firing.info.completes = true;
      firing.info.interrupts = !stays;
    }
}

/// Exclusive gateways: any incoming flow, one outgoing one. Mixed ones merge
/// first. A guard over data must be true; the default flow is taken when no
/// such guard is; where several are true any of them is.
void TokenNetBuilder::addChoice(NodeId n, FiringKind kind) {
  Places ins = incoming(n);
  Arcs outs = outgoing(n);
  SmallVector<uint32_t, 4> noneTrue;
  bool mayStay = !outs.empty();
  for (const Arc &out : outs) {
    uint32_t guard = program(FlowId(out.place - firstPlace));
    if (guard != noData)
      noneTrue.push_back(DataModel::require(guard, false));
    else
      mayStay = false; // there is a way that no data forbid
  }
  if (ins.size() > 1 && outs.size() > 1) {
    uint32_t middle = addPlace(n, "middle of " + nameOf(n));
    for (uint32_t in : ins)
      fire(FiringKind::Gateway, n, Arc{in, 1}, Arc{middle, 1});
    ins.assign(1, middle);
  }
  for (uint32_t in : ins) {
    if (outs.empty())
      fire(FiringKind::Gateway, n, Arc{in, 1}, {});
    for (Arc out : outs) {
      FlowId flow(out.place - firstPlace);
      Firing &firing = fire(kind, n, Arc{in, 1}, out);
      if (outs.size() > 1)
        firing.info.chosenFlows = {
            static_cast<uint32_t>(net.flows.size() + flow.index())};
      if (kind == FiringKind::Deferred)
        firing.info.passedChoices = {n.index()};
      if (program(flow) != noData)
        addGuards(firing, DataModel::require(program(flow), true));
      else if (graph->flow(flow).flags & DefaultFlow)
        addGuards(firing, noneTrue);
    }
    if (mayStay && kind == FiringKind::Gateway)
      addStay(n, in, noneTrue);
  }
}

/// A timer that says `R.../...` goes off again and again.
bool TokenNetBuilder::repeatsTimer(const Node &node) const {
  if (node.trigger != Trigger::Timer || !node.condition)
    return false;
  const Expr &when = module.expr(node.condition);
  return when.op == ExprOp::Opaque && module.text(when.name).starts_with("R");
}

/// An event-based gateway whose flows lead to events and receptions: the token
/// waits before it, and the first that happens takes it. False: some flow leads
/// elsewhere.
bool TokenNetBuilder::addEventChoice(NodeId n) {
  SmallVector<std::pair<FlowId, NodeId>, 4> branches;
  for (FlowId f : flows->outgoing(n)) {
    NodeId to = graph->flow(f).target;
    const Node &target = graph->node(to);
    bool waits =
        target.kind == NodeKind::Receive ||
        (target.kind == NodeKind::Catch && target.trigger != Trigger::Link);
    if (!waits || graph->flow(f).guard || flows->incoming(to).size() != 1 ||
        !borders[to.index()].events.empty())
      return false;
    branches.push_back({f, to});
  }
  for (auto [f, to] : branches) {
    const Node &target = graph->node(to);
    SmallVector<NodeAction, 2> actions(1);
    if (target.kind == NodeKind::Receive || target.trigger == Trigger::Message)
      actions = communicate(unit, to, /*reply=*/false);
    std::vector<Arcs> ways = leave(to);
    for (uint32_t in : incoming(n))
      for (const NodeAction &action : actions)
        for (const Arcs &way : ways) {
          Firing &firing = fire(action.kind, to, Arc{in, 1}, way);
          fillIn(firing, to, action, /*reply=*/false);
          firing.info.starts = firing.info.completes = true;
          firing.info.passedChoices = {n.index()};
          if (branches.size() > 1)
            firing.info.chosenFlows = {
                static_cast<uint32_t>(net.flows.size() + f.index())};
        }
  }
  return true;
}

void TokenNetBuilder::addSubset(NodeId n) {
  Places ins = incoming(n);
  Arcs optional, otherwise;
  for (FlowId f : flows->outgoing(n))
    if (isTaken(f))
      (graph->flow(f).flags & DefaultFlow ? otherwise : optional)
          .push_back({firstPlace + f.index(), 1});
  if (ins.empty())
    return;
  auto joined = [&](ArrayRef<Arc> post) {
    Firing &firing = fire(FiringKind::Gateway, n, {}, post);
    firing.orJoin = net.orJoins.size();
    OrJoin &join = net.orJoins.emplace_back();
    join.incoming.assign(ins.begin(), ins.end());
  };
  bool splits = optional.size() + otherwise.size() > 1 ||
                (optional.size() == 1 &&
                 program(FlowId(optional[0].place - firstPlace)) != noData);
  if (!splits) {
    optional.append(otherwise);
    if (ins.size() > 1)
      return joined(optional);
    fire(FiringKind::Gateway, n, Arc{ins[0], 1}, optional);
    return;
  }
  if (ins.size() > 1) {
    uint32_t middle = addPlace(n, "middle of " + nameOf(n));
    joined(Arc{middle, 1});
    ins.assign(1, middle);
  }
  // Of the guards over data, those of the chosen flows are true.
  SmallVector<uint32_t, 4> needed;
  auto needs = [&](ArrayRef<Arc> way) {
    needed.clear();
    for (const Arc &arc : optional)
      if (uint32_t guard = program(FlowId(arc.place - firstPlace));
          guard != noData)
        needed.push_back(
            DataModel::require(guard, llvm::is_contained(way, arc)));
    return ArrayRef(needed);
  };
  for (const Arcs &way :
       subsets(n, {}, optional, otherwise, /*noneIsFine=*/false)) {
    Firing &firing = fire(FiringKind::Gateway, n, Arc{ins[0], 1}, way);
    if (way.size() == 1)
      firing.info.chosenFlows = {
          static_cast<uint32_t>(net.flows.size() + way[0].place - firstPlace)};
    addGuards(firing, needs(way));
  }
  if (otherwise.empty() && needs({}).size() == optional.size())
    addStay(n, ins[0], needs({}));
}

/// A call in tail position starts its container anew in place of its own round:
/// nothing but the end comes after it. Others would need a stack.
void TokenNetBuilder::addCall(NodeId n) {
  const Node &node = graph->node(n);
  NodeId target = node.attachedTo;
  bool tail = target && node.parent == target;
  SmallVector<NodeId, 4> work{n};
  llvm::BitVector seen(graph->nodes.size());
  while (tail && !work.empty()) {
    for (FlowId f : flows->outgoing(work.pop_back_val())) {
      NodeId next = graph->flow(f).target;
      const Node &after = graph->node(next);
      if (after.kind == NodeKind::SimpleJoin) {
        if (!seen.test(next.index()))
          work.push_back(next);
        seen.set(next.index());
      } else if (after.kind != NodeKind::Final ||
                 after.trigger != Trigger::None) {
        tail = false;
      }
    }
  }
  if (!tail) {
    report(n, diag::unsupported_call);
    return;
  }
  for (uint32_t in : incoming(n))
    fire(FiringKind::Gateway, n, Arc{in, 1}, startsOf[target.index()]);
}

/// A token that arrives at a link goes on from the catching link of that name.
void TokenNetBuilder::addLink(NodeId n) {
  const Node &node = graph->node(n);
  if (node.kind == NodeKind::Catch)
    return;
  Arcs post;
  for (size_t i = 0; i < graph->nodes.size(); ++i) {
    const Node &other = graph->nodes[i];
    if (other.kind == NodeKind::Catch && other.trigger == Trigger::Link &&
        other.parent == node.parent && other.name == node.name)
      post.append(outgoing(NodeId(i)));
  }
  for (uint32_t in : incoming(n))
    fire(FiringKind::Gateway, n, Arc{in, 1}, post);
}

//===----------------------------------------------------------------------===//
// Inclusive joins
//===----------------------------------------------------------------------===//

bool TokenNetBuilder::isInside(uint32_t behaviour, NodeId n,
                               NodeId container) const {
  const Behaviour &b = module.behaviours[behaviour];
  for (NodeId c = b.node(n).parent; c; c = b.node(c).parent)
    if (c == container)
      return true;
  return false;
}

/// Pre(n, z): the places from which a token can come to z without passing n. A
/// token outside a container that n is in cannot come to n's round of it.
void TokenNetBuilder::findBefore(OrJoin &join, uint32_t behaviour, NodeId n,
                                 ArrayRef<SmallVector<uint32_t, 4>> producers) {
  for (uint32_t in : join.incoming) {
    llvm::BitVector seen(net.numPlaces);
    SmallVector<uint32_t, 16> work{in};
    while (!work.empty())
      for (uint32_t f : producers[work.pop_back_val()]) {
        const Firing &firing = net.firings[f];
        NodeId by(firing.origin.element);
        if (firing.origin.unit != behaviour || by == n)
          continue;
        if (module.behaviours[behaviour].node(by).kind == NodeKind::Container &&
            firing.completes == noIndex && isInside(behaviour, n, by))
          continue;
        auto visit = [&](uint32_t place) {
          if (!seen.test(place)) {
            seen.set(place);
            work.push_back(place);
          }
        };
        for (const Arc &arc : firing.pre)
          visit(arc.place);
        if (firing.orJoin != noIndex)
          for (uint32_t place : net.orJoins[firing.orJoin].incoming)
            visit(place);
      }
    seen.reset(in);
    join.before.push_back(std::move(seen));
  }
}

void TokenNetBuilder::finish(bool unordered) {
  if (!required.empty()) {
    net.data = std::make_unique<DataStates>(std::move(data), unordered);
    for (auto &[firing, list] : required)
      net.firings[firing].guards = net.data->number(list);
  }
  std::vector<SmallVector<uint32_t, 4>> producers(net.numPlaces);
  for (size_t f = 0; f < net.firings.size(); ++f)
    for (const Arc &arc : net.firings[f].post)
      producers[arc.place].push_back(f);
  for (const Firing &firing : net.firings)
    if (firing.orJoin != noIndex)
      findBefore(net.orJoins[firing.orJoin], firing.origin.unit,
                 NodeId(firing.origin.element), producers);
}

std::vector<std::string> TokenNetBuilder::abstractions() const {
  std::vector<std::string> texts;
  for (const auto &[what, count] : abstracted)
    texts.push_back(std::to_string(count) + ": " + what);
  return texts;
}
