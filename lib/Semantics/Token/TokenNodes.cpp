//===- TokenNodes.cpp - What each kind of node does -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The firings of each kind of node that is no gateway: events, activities,
/// containers, boundary events, and what is thrown to them. TokenNet.cpp says
/// what all of it implements.
///
//===----------------------------------------------------------------------===//

#include "TokenNet.h"
#include "cif/Support/Diagnostics/Semantics.h"

using namespace cif;

void TokenNetBuilder::addNode(NodeId n) {
  switch (graph->node(n).kind) {
  case NodeKind::Initial:
    return addStart(n);
  case NodeKind::Final:
    return addEnd(n);
  case NodeKind::Terminate:
    return addTermination(n);
  case NodeKind::Catch:
  case NodeKind::Throw:
    return addEvent(n);
  case NodeKind::Boundary:
    return; // after its host, see add
  case NodeKind::Interaction:
  case NodeKind::Send:
  case NodeKind::Receive:
    return addActivity(n, /*communicates=*/true);
  case NodeKind::Task:
    return addActivity(n, /*communicates=*/false);
  case NodeKind::Container:
    return addContainer(n);
  case NodeKind::Call:
    return addCall(n);
  case NodeKind::Choice:
  case NodeKind::DominatedChoice:
  case NodeKind::SimpleJoin:
    return addChoice(n, FiringKind::Gateway);
  case NodeKind::EventChoice:
    if (!isDetailed || !addEventChoice(n))
      addChoice(n, FiringKind::Deferred);
    return;
  case NodeKind::AllSelect:
  case NodeKind::AllJoin:
    return addAll(n);
  case NodeKind::SubsetSelect:
  case NodeKind::SubsetJoin:
    return addSubset(n);
  case NodeKind::Stuck:
    return;
  }
  llvm_unreachable("unknown kind of node");
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

void TokenNetBuilder::addStart(NodeId n) {
  const Node &node = graph->node(n);
  uint32_t start = implicit[n.index()];
  if (start == noIndex)
    return; // its token stands on its outgoing flows
  if (node.trigger == Trigger::Message && !node.parent)
    return addActivity(n, /*communicates=*/true);
  if (node.trigger != Trigger::None) {
    countAbstraction("start events with a trigger happen at any time");
    return addActivity(n, /*communicates=*/false);
  }
  Firing &firing = fire(FiringKind::Gateway, n, Arc{start, 1}, outgoing(n));
  firing.info.starts = firing.info.completes = true;
}

void TokenNetBuilder::addEnd(NodeId n) {
  const Node &node = graph->node(n);
  if (node.trigger == Trigger::Message)
    return addActivity(n, /*communicates=*/true);
  if (!catchers.caughtBy[n.index()].empty())
    return; // see addThrow
  if (node.trigger == Trigger::Compensation && undoes[n.index()].isKnown)
    return; // see addUndo
  if (node.trigger != Trigger::None)
    countAbstraction("the triggers of end events are ignored");
  // Where activities start and complete an event happens: it may be the first
  // step behind an event-based gateway.
  FiringKind kind = isDetailed ? FiringKind::Internal : FiringKind::Gateway;
  for (uint32_t in : incoming(n)) {
    Firing &firing = fire(kind, n, Arc{in, 1}, {});
    firing.info.starts = firing.info.completes = true;
    addMark(firing, n);
  }
}

/// Everything in its process or container ends.
void TokenNetBuilder::addTermination(NodeId n) {
  uint32_t all = setOfScope(terminatedScope(*graph, n), {});
  for (uint32_t in : incoming(n)) {
    Firing &firing = fire(FiringKind::Internal, n, Arc{in, 1}, {});
    firing.clears = all;
    firing.info.starts = firing.info.completes = true;
    addMark(firing, n);
  }
}

/// An intermediate event in the flow.
void TokenNetBuilder::addEvent(NodeId n) {
  const Node &node = graph->node(n);
  if (node.trigger == Trigger::Message)
    return addActivity(n, /*communicates=*/true);
  if (node.trigger == Trigger::Link)
    return addLink(n);
  if (!catchers.caughtBy[n.index()].empty())
    return; // see addThrow
  if (node.trigger == Trigger::Compensation && undoes[n.index()].isKnown)
    return; // see addUndo
  if (node.trigger != Trigger::None)
    countAbstraction(Twine(triggerText(node.trigger)) +
                     (node.kind == NodeKind::Catch
                          ? " events happen at any time"
                          : " events have no effect"));
  addActivity(n, /*communicates=*/false);
}

//===----------------------------------------------------------------------===//
// Activities
//===----------------------------------------------------------------------===//

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
        catchers.isThrown.test(event.index()) ||
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
        if (budget.stopped())
          return;
        Firing &firing = fire(action.kind, n, pre, post);
        fillIn(firing, n, action, /*reply=*/&actions == &second);
        firing.clears = clears;
        firing.info.starts = parts & Begin;
        firing.info.completes = parts & End;
        if (parts & End)
          record(firing, n);
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
    record(done, n);
    forgetKept(done, n);
  }
}

/// A timer that says `R.../...` goes off again and again.
bool TokenNetBuilder::repeatsTimer(const Node &node) const {
  if (node.trigger != Trigger::Timer || !node.condition)
    return false;
  const Expr &when = module.expr(node.condition);
  return when.op == ExprOp::Opaque && module.text(when.name).starts_with("R");
}

/// The set of the places in such a container that lead to something to do: not
/// those of tokens that only have to leave it. All places must be there.
uint32_t TokenNetBuilder::setOfWork(NodeId host) {
  llvm::BitVector leads = leadsToWork(*graph, *flows, host);
  std::vector<uint32_t> places;
  for (uint32_t place : inner[host.index()])
    if (place >= firstPlace + graph->flows.size() ||
        leads.test(graph->flows[place - firstPlace].target.index()))
      places.push_back(place);
  return net.addSet(std::move(places));
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
  if (catchers.isThrown.test(n.index()))
    return;
  if (node.trigger == Trigger::Race)
    actions[0].kind = FiringKind::Deferred;
  else if (node.trigger == Trigger::Message)
    actions = communicate(unit, n, false);
  bool stays = node.flags & NonInterrupting;
  Arcs pre{{border.active, 1}};
  for (auto [event, armed] : border.armed)
    if (event == n)
      pre.push_back({armed, 1});
  // A timer without a cycle goes off once; others could occur again.
  bool once = pre.size() > 1 && node.trigger != Trigger::Timer;
  if (node.trigger != Trigger::None && node.trigger != Trigger::Race &&
      node.trigger != Trigger::Message)
    countAbstraction(Twine(triggerText(node.trigger)) +
                     " events happen at any time" +
                     (once ? ", but once while their activity runs" : ""));
  uint32_t contents = noIndex;
  std::vector<Interruption> found(1);
  if (!stays && isContainer)
    found = interruptions(host);
  else if (!stays)
    found[0].clears = net.addSet({border.inside.begin(), border.inside.end()});
  // A container that only has to be left is not interrupted any more; the race
  // of `I [> J` goes on until I has ended. While a scope is completing, no
  // event sub-process of it starts [bpmn20, 13.5.4]. A task has completed when
  // it has done all that it does.
  if (isContainer && node.trigger != Trigger::Race) {
    if (holdsScope(*graph, host))
      contents = setOfScope(mainPart(*graph, host), {});
    else if (isOneTask(*graph, host))
      contents = setOfWork(host);
    else if (!stays)
      contents = setOfScope(host, {});
  }
  for (const NodeAction &action : actions)
    for (Arcs &way : leave(n)) {
      if (stays)
        way.push_back({border.active, 1});
      for (const Interruption &by : found) {
        if (budget.stopped())
          return;
        Firing &firing = fire(action.kind, n, pre, way);
        fillIn(firing, n, action, /*reply=*/false);
        interrupt(firing, by);
        firing.marked = contents;
        firing.endsIn = noIndex;
        firing.info.starts = firing.info.completes = true;
        firing.info.interrupts = !stays;
      }
    }
}

/// A token comes to \p n, which throws what the boundary event \p by catches.
void TokenNetBuilder::addThrow(NodeId n, NodeId by) {
  const Node &event = graph->node(by);
  Border &border = borders[event.attachedTo.index()];
  bool stays = event.flags & NonInterrupting;
  std::vector<Arcs> ways = leave(by);
  if (stays && graph->node(n).kind == NodeKind::Throw) {
    std::vector<Arcs> own = leave(n), both;
    for (const Arcs &first : own)
      for (Arcs second : ways) {
        second.append(first);
        both.push_back(std::move(second));
      }
    ways = std::move(both);
  }
  std::vector<Interruption> found(1);
  if (!stays)
    found = interruptions(event.attachedTo);
  for (uint32_t in : incoming(n))
    for (const Arcs &way : ways)
      for (const Interruption &interruption : found) {
        if (budget.stopped())
          return;
        Arcs pre{{in, 1}};
        if (!stays)
          pre.push_back({border.active, 1});
        Firing &firing = fire(FiringKind::Internal, n, pre, way);
        interrupt(firing, interruption);
        firing.info.starts = firing.info.completes = true;
        firing.info.interrupts = !stays;
        if (elementOf[by.index()] != noIndex)
          firing.info.alsoStarts.push_back(elementOf[by.index()]);
        if (graph->node(n).kind == NodeKind::Final)
          addMark(firing, n);
      }
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
  for (NodeId to : linkTargets(*graph, n))
    post.append(outgoing(to));
  for (uint32_t in : incoming(n))
    fire(FiringKind::Gateway, n, Arc{in, 1}, post);
}
