//===- Scopes.cpp - Levels of a body and event sub-processes --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lowers one level of a body. Where it has event sub-processes, all its other
/// nodes go into a container of their own, and the start events of the event
/// sub-processes are boundary events of that container.
///
/// If a process with event sub-processes, or an event sub-process, has several
/// start events, what runs depends on which one starts it: each start event
/// gets a copy of what can be reached from it.
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace cif;
using namespace cif::bpmn;

static bool isEventSubProcess(const Document &doc, ElementId e) {
  return doc[e].kind == ElementKind::SubProcess &&
         doc.flag(e, Attr::triggeredByEvent);
}

static llvm::SmallVector<ElementId, 4> startEvents(const Document &doc,
                                                   ElementId scope) {
  llvm::SmallVector<ElementId, 4> starts;
  doc.forChildren(scope, [&](ElementId e) {
    if (doc[e].kind == ElementKind::StartEvent)
      starts.push_back(e);
  });
  return starts;
}

/// Whether an element is an event sub-process that nothing starts.
static bool isNeverStarted(const Document &doc, ElementId e) {
  return isEventSubProcess(doc, e) && startEvents(doc, e).empty();
}

/// The child of \p scope that \p e is or stands in, or none.
static ElementId childAround(const Document &doc, ElementId scope,
                             ElementId e) {
  while (e && doc[e].parent != scope)
    e = doc[e].parent;
  return e;
}

/// Whether an event sub-process with this start is a compensation handler.
bool Lowering::startsCompensation(ElementId start) const {
  return behaviour->kind == BehaviourKind::Process &&
         isCompensationEvent(start);
}

/// Whether an element is an event sub-process that only compensation starts.
bool Lowering::isCompensationScope(ElementId e) const {
  if (!isEventSubProcess(doc, e))
    return false;
  auto starts = startEvents(doc, e);
  return !starts.empty() && llvm::all_of(starts, [&](ElementId s) {
    return startsCompensation(s);
  });
}

bool Lowering::hasContent(ElementId scope) const {
  for (ElementId c = doc.firstChild(scope); c; c = doc.nextChild(scope, c))
    if (isFlowNode(doc[c].kind) && !isForCompensation(c) &&
        !isCompensationScope(c) && !isNeverStarted(doc, c))
      return true;
  return false;
}

/// What event sub-processes are triggered in: containers that hold the rest of
/// \p scope.
bool Lowering::guardScope(const Scope &scope, ArrayRef<ElementId> starts,
                          Guards &guards) {
  unsigned numHandlers = 0, numNodes = 0;
  bool anyBeside = false, anyInterrupts = false;
  doc.forChildren(scope.element, [&](ElementId e) {
    if (!isEventSubProcess(doc, e)) {
      numNodes += isFlowNode(doc[e].kind) && !isForCompensation(e);
    } else if (!isNeverStarted(doc, e) && !isCompensationScope(e)) {
      ++numHandlers;
      for (ElementId start : startEvents(doc, e))
        (doc.flag(start, Attr::isInterrupting, true) ? anyInterrupts
                                                     : anyBeside) = true;
    }
  });
  if (!scope.parent)
    numHandlers += compensations.size();
  if (!numHandlers || scope.isHandled)
    return true;
  Node container{.kind = NodeKind::Container, .loc = loc(scope.element)};
  guards.inParts = !scope.parent && starts.size() > 1;
  const ElementId none;
  for (ElementId start : guards.inParts ? starts : ArrayRef(none)) {
    if (start && !makeEvent(start, scope.parent, Position::Start))
      return false;
    NodeId outer = addNode(container, ElementId(), scope.parent), inner = outer;
    guards.all.push_back(outer);
    // What interrupts also ends the event sub-processes that run beside.
    if (anyBeside && anyInterrupts) {
      inner = addNode(container, ElementId(), outer);
      guards.apart.push_back({outer, inner});
    }
    if (start) {
      addFlow(nodesOf[start.index()].exit, outer, loc(start));
      bodies.push_back(
          {scope.element, inner, castNow(), start, /*isHandled=*/true});
      continue;
    }
    guards.main = inner;
    if (!numNodes) { // nothing to do but wait for events
      Node begin{.kind = NodeKind::Initial, .loc = container.loc};
      addNode(begin, ElementId(), inner);
    }
  }
  return true;
}

/// Lowers a sequence flow of \p scope. It may lead to or from what another
/// start event leads to.
void Lowering::lowerFlow(ElementId e, const Scope &scope, NodeId parent,
                         llvm::function_ref<bool(ElementId)> isLeftOut) {
  auto end = [&](Attr which) {
    return childAround(doc, scope.element,
                       doc.resolve(doc.attribute(e, which)));
  };
  ElementId from = end(Attr::sourceRef), to = end(Attr::targetRef);
  if (to && isLeftOut(to))
    return;
  if (from && isLeftOut(from)) {
    if (!to || doc[to].kind != ElementKind::ParallelGateway)
      return;
    // The gateway waits for this flow all the same.
    if (!nodesOf[from.index()].exit)
      addUnreached(from, parent);
  }
  sequenceFlows.push_back(e);
}

bool Lowering::lowerScope(const Scope &scope) {
  auto starts = startEvents(doc, scope.element);
  Guards guards{.main = scope.parent};
  if (!guardScope(scope, starts, guards) ||
      (!scope.parent && !makeCompensations(scope.element, guards.all)))
    return false;
  NodeId parent = guards.main;
  bool isPruned = scope.isPart && starts.size() > 1;
  // What no start event leads to is dead, and no part of it is left out.
  llvm::DenseSet<uint32_t> reached, reachedByAny;
  if (isPruned) {
    reached = reachedFrom(scope.element, scope.start);
    reachedByAny = reachedFrom(scope.element, starts);
  }
  auto isLeftOut = [&](ElementId e) {
    return guards.inParts || (isPruned && !reached.contains(e.index()) &&
                              reachedByAny.contains(e.index()));
  };
  bool good = true;
  for (ElementId e = doc.firstChild(scope.element); e;
       e = doc.nextChild(scope.element, e)) {
    ElementKind kind = doc[e].kind;
    if (strays.contains(e.index()))
      continue;
    if (kind == ElementKind::SequenceFlow) {
      if (guards.inParts || isPruned)
        lowerFlow(e, scope, parent, isLeftOut);
      else
        sequenceFlows.push_back(e);
    } else if (kind == ElementKind::LaneSet) {
      laneSets.push_back(e);
    }
    if (!isFlowNode(kind))
      continue;
    if (isEventSubProcess(doc, e)) {
      good &= scope.isHandled || lowerHandler(e, scope.parent, guards);
    } else if (isLeftOut(e)) {
      continue;
    } else if (isForCompensation(e)) {
      // Stands beside the process; see Compensation.cpp.
      if (kind == ElementKind::BoundaryEvent)
        good &= isCompensationEvent(e)
                    ? meetEvent(e, Position::Boundary, Definition::Compensation)
                    : coverage.meet(place(e), describe(e),
                                    Feature::HandlerBoundary);
    } else if (e == scope.start) {
      startInside(e, parent);
    } else if (kind == ElementKind::StartEvent && !guards.all.empty() &&
               !scope.parent && hasTrigger(e)) {
      // A process that waits for its start waits outside of the container.
      if (!makeEvent(e, scope.parent, Position::Start)) {
        good = false;
        continue;
      }
      addFlow(nodesOf[e.index()].exit, guards.all.front(), loc(e));
      startInside(e, parent);
    } else {
      good &= makeNode(e, parent);
    }
    if (diags.tooManyErrors())
      return false;
  }
  return good && lowerStrays(scope, parent, guards.inParts || isPruned);
}

/// Gives the start event \p e a plain start in \p parent that its flows leave
/// from. Its own node stands outside, or in another body.
void Lowering::startInside(ElementId e, NodeId parent) {
  Node start{.kind = NodeKind::Initial, .loc = loc(e)};
  if (NodeId outside = nodesOf[e.index()].entry)
    nodesOf[e.index()] = {outside, addNode(start, ElementId(), parent)};
  else
    addNode(start, e, parent);
}

/// Makes a node for \p e that no token comes to.
void Lowering::addUnreached(ElementId e, NodeId parent) {
  Node node{.kind = NodeKind::SimpleJoin};
  unreached.insert(addNode(node, e, parent).index());
}

/// A call starts a process by one of its start events: one without a trigger
/// where there is such [bpmn20, 10.5.2]. What only the others lead to is not
/// part of the call.
void Lowering::addCalled(Body body, ElementId call) {
  auto starts = startEvents(doc, body.element);
  const size_t all = starts.size();
  if (llvm::any_of(starts, [&](ElementId s) { return !hasTrigger(s); }))
    llvm::erase_if(starts, [&](ElementId s) { return hasTrigger(s); });
  const bool waits = llvm::any_of(
      starts, [&](ElementId s) { return receives.count(s.index()) != 0; });
  if (all < 2 || waits) {
    bodies.push_back(std::move(body));
    return;
  }
  if (starts.size() == 1) {
    body.start = starts[0];
    bodies.push_back(std::move(body));
    return;
  }
  Node node{.loc = loc(call)};
  node.kind = NodeKind::Initial;
  NodeId begin = addNode(node, ElementId(), body.parent);
  node.kind = NodeKind::Choice;
  NodeId choice = addNode(node, ElementId(), body.parent);
  addFlow(begin, choice, loc(call));
  node.kind = NodeKind::Container;
  for (ElementId start : starts) {
    NodeId part = addNode(node, ElementId(), body.parent);
    addFlow(choice, part, loc(call));
    bodies.push_back({body.element, part, body.cast, start});
  }
}

/// Says how an event sub-process is read.
bool Lowering::meetHandler(ElementId e) {
  auto starts = startEvents(doc, e);
  if (starts.empty())
    return coverage.meet(place(e), describe(e), Feature::HandlerWithoutStart);
  if (isCompensationScope(e))
    return true;
  return coverage.meet(place(e), describe(e), Feature::EventSubProcess) &&
         (starts.size() == 1 ||
          coverage.meet(place(e), describe(e), Feature::SeveralHandlerStarts));
}

bool Lowering::lowerHandler(ElementId e, NodeId outside, const Guards &guards) {
  if (!meetHandler(e) ||
      !makeHandlers(e, outside, guards.all, /*interrupting=*/true, false))
    return false;
  bool isCopied = guards.apart.size() > 1;
  for (auto [outer, inner] : guards.apart)
    if (!makeHandlers(e, outer, inner, /*interrupting=*/false, isCopied))
      return false;
  return !guards.apart.empty() ||
         makeHandlers(e, outside, guards.all, /*interrupting=*/false, false);
}

/// Makes the event sub-process \p e, which events that happen in one of
/// \p guards start: those of its start events that interrupt, or the others.
/// \p isCopied: it is made elsewhere, too.
bool Lowering::makeHandlers(ElementId e, NodeId outside,
                            ArrayRef<NodeId> guards, bool interrupting,
                            bool isCopied) {
  auto starts = startEvents(doc, e);
  bool several = isCopied || starts.size() > 1;
  llvm::erase_if(starts, [&](ElementId s) {
    return startsCompensation(s) ||
           doc.flag(s, Attr::isInterrupting, true) != interrupting;
  });
  for (ElementId start : starts) {
    Node container{.kind = NodeKind::Container, .loc = loc(e)};
    container.name = tidy(doc.text(doc[e].name));
    NodeId handler = addNode(container, several ? ElementId() : e, outside);
    size_t first = boundaries.size(), firstFlow = behaviour->flows.size();
    size_t firstCode = behaviour->attributes.size();
    if (!makeEvent(start, outside, Position::Boundary))
      return false;
    const size_t lastCode = behaviour->attributes.size();
    NodeId exit = nodesOf[start.index()].exit;
    addFlow(exit, handler, loc(start));
    for (size_t i = first; i < boundaries.size(); ++i) {
      NodeId event = boundaries[i].second;
      behaviour->node(event).attachedTo = guards[0];
      if (!interrupting)
        behaviour->node(event).flags |= NonInterrupting;
      for (NodeId guard : guards.drop_front()) {
        Node twin = behaviour->node(event);
        twin.attachedTo = guard;
        NodeId id = addNode(twin, ElementId(), outside);
        for (size_t a = firstCode; a < lastCode; ++a)
          if (Attribute more = behaviour->attributes[a]; more.node == event) {
            more.node = id;
            behaviour->attributes.push_back(more);
          }
        if (twin.message)
          addMessageNode(start, false, id);
        NodeId next = handler;
        for (size_t f = firstFlow; f < behaviour->flows.size(); ++f)
          if (behaviour->flows[f].source == event)
            next = behaviour->flows[f].target;
        addFlow(id, next, loc(start));
      }
    }
    boundaries.resize(first);
    if (several)
      bodies.push_back({e, handler, castNow(), start});
    else
      scopes.push_back({e, handler, start});
  }
  return true;
}

/// The children of \p scope that can be reached from one of \p starts, and
/// those that start with it because nothing leads to them.
llvm::DenseSet<uint32_t>
Lowering::reachedFrom(ElementId scope, ArrayRef<ElementId> starts) const {
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 2>> next;
  llvm::DenseSet<uint32_t> entered;
  auto connect = [&](ElementId from, ElementId to) {
    from = childAround(doc, scope, from);
    to = childAround(doc, scope, to);
    if (!from || !to || from == to)
      return;
    next[from.index()].push_back(to.index());
    entered.insert(to.index());
  };
  for (uint32_t i = scope.index() + 1; i < doc[scope].end; ++i) {
    ElementId e(i);
    ElementKind kind = doc[e].kind;
    if (kind == ElementKind::SequenceFlow)
      connect(doc.resolve(doc.attribute(e, Attr::sourceRef)),
              doc.resolve(doc.attribute(e, Attr::targetRef)));
    else if (kind == ElementKind::BoundaryEvent)
      connect(doc.resolve(doc.attribute(e, Attr::attachedToRef)), e);
    else if (kind == ElementKind::IntermediateThrowEvent)
      for (ElementId to : linkTargets.lookup(i))
        connect(e, to);
  }
  llvm::SmallVector<uint32_t, 16> work;
  for (ElementId start : starts)
    work.push_back(start.index());
  doc.forChildren(scope, [&](ElementId e) {
    if (isFlowNode(doc[e].kind) && doc[e].kind != ElementKind::StartEvent &&
        doc[e].kind != ElementKind::BoundaryEvent &&
        !entered.contains(e.index()))
      work.push_back(e.index());
  });
  llvm::DenseSet<uint32_t> reached(work.begin(), work.end());
  while (!work.empty())
    for (uint32_t to : next.lookup(work.pop_back_val()))
      if (reached.insert(to).second)
        work.push_back(to);
  return reached;
}
