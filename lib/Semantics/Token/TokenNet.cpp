//===- TokenNet.cpp - Graphs of nodes and flows as a net ------------------===//
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
#include "cif/IR/Nodes.h"
#include "cif/IR/Operators.h"
#include "cif/IR/Starts.h"
#include "cif/Support/Diagnostics/Semantics.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;

TokenNetBuilder::~TokenNetBuilder() = default;

uint32_t TokenNet::addPlace(const Twine &name) {
  placeNames.push_back(name.str());
  placeOrigins.emplace_back();
  idle.push_back(false);
  marks.push_back(false);
  return numPlaces++;
}

Split &TokenNet::makeSplit(Firing &firing, std::string name, uint32_t always) {
  firing.split = splits.size();
  Split &split = splits.emplace_back();
  split.name = std::move(name);
  split.always = always;
  split.flows = firing.post.size() - always;
  return split;
}

std::vector<Firing> TokenNet::waysOf(const Firing &firing) const {
  if (firing.split == noIndex)
    return {firing};
  const size_t always = splits[firing.split].always;
  const size_t optional = splits[firing.split].flows;
  std::vector<Firing> ways;
  if (optional > Split::mostListed)
    return ways;
  for (uint32_t chosen = 1; chosen < (1u << optional); ++chosen) {
    if (!(chosen & (chosen - 1)))
      continue; // one alone
    Firing &way = ways.emplace_back(firing);
    way.split = noIndex;
    way.post.truncate(always);
    for (size_t i = 0; i < optional; ++i)
      if (chosen >> i & 1)
        way.post.push_back(firing.post[always + i]);
  }
  return ways;
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
  if (net.firings.size() % TokenNet::firingsPerLook == 0)
    budget.spend(TokenNet::firingsPerLook * TokenNet::stepsPerFiring);
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

/// The value of an expression without variables: a number, a truth value, or
/// which text it is.
std::optional<int64_t> TokenNetBuilder::constant(ExprId id) const {
  if (!id)
    return std::nullopt;
  std::vector<ExprId> order = partsOf(module, id);
  llvm::sort(order); // operands come first
  auto isText = [](const Expr &e) {
    return e.op == ExprOp::StringLiteral || e.op == ExprOp::EnumLiteral;
  };
  llvm::DenseMap<uint32_t, int64_t> values;
  for (ExprId at : order) {
    const Expr &e = module.expr(at);
    if (e.op == ExprOp::BoolLiteral || e.op == ExprOp::IntLiteral) {
      values[at.index()] = e.value;
      continue;
    }
    if (isText(e)) {
      values[at.index()] = e.name.index();
      continue;
    }
    bool tellsApart = e.op == ExprOp::Equal || e.op == ExprOp::NotEqual;
    if (!e.lhs || // a variable, or text that was not understood
        (!tellsApart &&
         (isText(module.expr(e.lhs)) || (e.rhs && isText(module.expr(e.rhs))))))
      return std::nullopt;
    int64_t lhs = values[e.lhs.index()];
    int64_t rhs = e.rhs ? values[e.rhs.index()] : 0;
    std::optional<int64_t> value = applyOperator(e.op, lhs, rhs);
    if (!value)
      return std::nullopt;
    values[at.index()] = *value;
  }
  return values[id.index()];
}

bool TokenNetBuilder::isTaken(FlowId flow) const {
  std::optional<int64_t> value = constant(graph->flow(flow).guard);
  return value ? *value : data.settled(unit, flow).value_or(true);
}

bool TokenNetBuilder::isGuarded(FlowId flow) const {
  ExprId guard = graph->flow(flow).guard;
  return guard && !constant(guard) && !data.settled(unit, flow);
}

TokenNetBuilder::Places TokenNetBuilder::incoming(NodeId n) const {
  Places places;
  for (FlowId f : flows->incoming(n))
    places.push_back(firstPlace + f.index());
  if (implicit[n.index()] != noIndex)
    places.push_back(implicit[n.index()]);
  return places;
}

/// Whether \p flow is not drawn and leads to the end of an activity or event
/// that has no outgoing flow. Where activities start and complete, such a token
/// is taken by the completion [bpmn20, 13.3.2], so that none can gather there.
bool TokenNetBuilder::endsUnseen(FlowId flow) const {
  const Flow &f = graph->flow(flow);
  return isDetailed && !f.loc.element.empty() &&
         !isGateway(graph->node(f.source).kind) &&
         graph->node(f.target).kind == NodeKind::Final &&
         elementOf[f.target.index()] == noIndex && isMade(f);
}

TokenNetBuilder::Arcs TokenNetBuilder::outgoing(NodeId n) const {
  Arcs arcs;
  for (FlowId f : flows->outgoing(n))
    if (isTaken(f) && !endsUnseen(f))
      arcs.push_back({firstPlace + f.index(), 1});
  return arcs;
}

/// Where there are more than \p mostListed, only those with one of them, or
/// with none.
std::vector<TokenNetBuilder::Arcs>
TokenNetBuilder::subsets(ArrayRef<Arc> always, ArrayRef<Arc> optional,
                         ArrayRef<Arc> otherwise, bool noneIsFine,
                         size_t mostListed) {
  std::vector<Arcs> ways;
  if (noneIsFine || !otherwise.empty()) {
    ways.emplace_back(always);
    ways[0].append(otherwise.begin(), otherwise.end());
  }
  if (optional.size() > mostListed) {
    for (const Arc &arc : optional)
      ways.emplace_back(always).push_back(arc);
    return ways;
  }
  for (uint32_t chosen = 1; chosen < (1u << optional.size()); ++chosen) {
    Arcs &way = ways.emplace_back(always);
    for (size_t i = 0; i < optional.size(); ++i)
      if (chosen >> i & 1)
        way.push_back(optional[i]);
  }
  return ways;
}

std::vector<TokenNetBuilder::Arcs> TokenNetBuilder::leave(NodeId n) {
  Arcs always, optional, otherwise;
  for (FlowId f : flows->outgoing(n)) {
    if (!isTaken(f) || endsUnseen(f))
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
  std::vector<Arcs> ways = subsets(always, optional, otherwise,
                                   /*noneIsFine=*/true, Split::mostListed);
  if (optional.size() <= Split::mostListed)
    return ways;
  // Too many ways to complete: that it has is a step, which way is another.
  uint32_t &middle = wideExits[n.index()];
  if (!middle) {
    middle = addPlace(n, "middle of " + nameOf(n));
    for (const Arcs &way : ways)
      fire(FiringKind::Gateway, n, Arc{middle, 1}, way);
    Arcs all(always);
    all.append(optional);
    net.makeSplit(fire(FiringKind::Gateway, n, Arc{middle, 1}, all), nameOf(n),
                  always.size());
  }
  return {Arcs{{middle, 1}}};
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
  depths += steps;
  if (depths > maxDepths) {
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
  wideExits.clear();
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
  catchers = findCatchers(module, *graph, *flows);
  findUndoings();
  auto goesOn = [&] { return ok && !budget.stopped(); };
  for (size_t i = 0; i < count && goesOn(); ++i)
    addNode(NodeId(i));
  // Boundary events after their hosts, whose places they need.
  for (size_t i = 0; i < count && goesOn(); ++i)
    if (graph->nodes[i].kind == NodeKind::Boundary)
      addBoundary(NodeId(i));
  for (size_t i = 0; i < count && goesOn(); ++i)
    for (NodeId by : catchers.caughtBy[i])
      undoes[i].all.empty() ? addThrow(NodeId(i), by) : addUndo(NodeId(i), by);
  if (goesOn())
    addUndoings();
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
    net.flows.push_back({{Origin::Flow, unit, uint32_t(i)},
                         number,
                         uint32_t(firstPlace + i),
                         !isMade(graph->flows[i])});
}

/// Whether nobody drew a flow: it has the place of a node, as that from a start
/// event to the event sub-process that it starts.
bool TokenNetBuilder::isMade(const Flow &flow) const {
  Name id = flow.loc.element;
  return isWithinElement(*graph, flow) ||
         (!id.empty() && (id == graph->node(flow.source).loc.element ||
                          id == graph->node(flow.target).loc.element));
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
    // A text has no names for them: whose end it is says more than a number.
    bool isNamed =
        !graph->node(n).name.empty() || !graph->node(n).loc.element.empty();
    mark = net.addPlace(
        "end event " +
        (isNamed || !graph->owner
             ? nameOf(n)
             : "of '" + module.participantName(graph->owner).str() + "'") +
        " reached");
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
        permit = net.addPlace(module.text(graph->name) + " not started");
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

/// Makes the sets of the data, and of requirements their numbers.
void TokenNetBuilder::numberGuards(bool unordered) {
  net.data = std::make_unique<DataStates>(std::move(data), unordered);
  size_t steps = 0;
  for (auto &[firing, list] : required) {
    net.firings[firing].guards = net.data->number(list);
    steps += TokenNet::stepsPerFiring + list.size();
    if (steps < TokenNet::firingsPerLook * TokenNet::stepsPerFiring)
      continue;
    if (budget.spend(steps))
      return;
    steps = 0;
  }
  for (Split &split : net.splits)
    for (auto *guards : {&split.whenTaken, &split.whenLeft})
      for (uint32_t &guard : *guards)
        guard = guard == noData ? 0 : net.data->number(guard);
}

/// On the way from an event choice each set of flows is a way of its own.
void TokenNetBuilder::listWays() {
  if (llvm::none_of(net.firings, [](const Firing &firing) {
        return firing.kind == FiringKind::Deferred;
      }))
    return;
  for (size_t f = 0, end = net.firings.size(); f < end; ++f) {
    if (net.firings[f].split == noIndex)
      continue;
    auto ways = net.waysOf(net.firings[f]);
    if (ways.size() > 1) {
      net.firings[f] = std::move(ways[0]);
      net.firings.insert(net.firings.end(), ways.begin() + 1, ways.end());
    }
    if (ways.size() > TokenNet::firingsPerLook &&
        budget.spend(ways.size() * TokenNet::stepsPerFiring))
      return;
  }
}

void TokenNetBuilder::finish(bool unordered) {
  if (!required.empty() && !budget.stopped())
    numberGuards(unordered);
  if (!budget.stopped())
    listWays();
  if (llvm::any_of(net.firings, [](const Firing &firing) {
        return firing.orJoin != noIndex;
      })) {
    std::vector<SmallVector<uint32_t, 4>> producers(net.numPlaces);
    for (size_t f = 0; f < net.firings.size(); ++f)
      for (const Arc &arc : net.firings[f].post)
        producers[arc.place].push_back(f);
    for (const Firing &firing : net.firings)
      if (firing.orJoin != noIndex && !budget.stopped())
        findBefore(net.orJoins[firing.orJoin], firing.origin.unit,
                   NodeId(firing.origin.element), producers);
  }
  net.limit = budget.limit();
  if (!net.limit.empty())
    net.firings.clear(); // what some of them lead to is not what all do
}

std::vector<std::string> TokenNetBuilder::abstractions() const {
  std::vector<std::string> texts;
  for (const auto &[what, count] : abstracted)
    texts.push_back(countedText(what, count));
  return texts;
}
