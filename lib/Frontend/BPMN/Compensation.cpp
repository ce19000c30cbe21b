//===- Compensation.cpp - Compensation handlers ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compensation handlers are activities outside the normal flow, and event
/// sub-processes that compensation starts. They undo an activity after it has
/// completed, when a compensation event is thrown or a transaction is
/// cancelled, once for each time that the activity was done [bpmn20, 13.5.5].
/// Its scope may have ended by then, or been interrupted.
///
/// Which activities have completed is not looked at: a handler may run at any
/// moment of its process, any number of times, one after the other. So it
/// stands beside all other nodes of the process, where no scope's end stops it:
/// a boundary event that interrupts nothing leads to a container in which the
/// handler is repeated. That adds behaviour, and leaves none out but that of a
/// handler which runs several times at once.
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace cif;
using namespace cif::bpmn;

/// Whether compensation, and only that, triggers \p event.
bool Lowering::isCompensationEvent(ElementId event) const {
  bool isOne = false;
  for (ElementId c = doc.firstChild(event); c; c = doc.nextChild(event, c)) {
    ElementId at = c;
    if (doc[c].kind == ElementKind::EventDefinitionRef)
      at = doc.resolve(doc[c].text);
    if (!at || !isEventDefinition(doc[at].kind))
      continue;
    if (doc[at].kind != ElementKind::CompensateEvent)
      return false;
    isOne = true;
  }
  return isOne;
}

/// Whether an element is no part of the normal flow.
bool Lowering::isForCompensation(ElementId e) const {
  if (!behaviour || behaviour->kind != BehaviourKind::Process)
    return false;
  return (isActivity(doc[e].kind) && doc.flag(e, Attr::isForCompensation)) ||
         (doc[e].kind == ElementKind::BoundaryEvent && isCompensationEvent(e));
}

/// The handlers of \p root and of what it calls.
void Lowering::findCompensation(ElementId root) {
  compensations.clear();
  llvm::DenseSet<uint32_t> seen{root.index()};
  llvm::SmallVector<ElementId, 4> work{root};
  while (!work.empty()) {
    ElementId process = work.pop_back_val();
    for (uint32_t i = process.index() + 1; i < doc[process].end; ++i) {
      ElementId e(i);
      ElementKind kind = doc[e].kind;
      if (kind == ElementKind::StartEvent && isCompensationEvent(e) &&
          doc[doc[e].parent].kind == ElementKind::SubProcess &&
          doc.flag(doc[e].parent, Attr::triggeredByEvent))
        compensations.push_back({doc[e].parent, e});
      if (!isActivity(kind))
        continue;
      if (doc.flag(e, Attr::isForCompensation))
        compensations.push_back({e, ElementId()});
      if (kind != ElementKind::CallActivity)
        continue;
      ElementId called = doc.resolve(doc.attribute(e, Attr::calledElement));
      if (called && doc[called].kind == ElementKind::Process &&
          seen.insert(called.index()).second)
        work.push_back(called);
    }
  }
}

/// Makes the process' handlers, which may run while one of \p guards does and
/// after it.
bool Lowering::makeCompensations(ArrayRef<NodeId> guards) {
  for (auto [e, start] : compensations) {
    if (!coverage.meet(place(e), describe(e), Feature::Compensation))
      return false;
    Node container;
    container.kind = NodeKind::Container;
    container.loc = loc(e);
    container.name = tidy(doc.text(doc[e].name));
    NodeId handler = addNode(container, ElementId(), NodeId());
    for (NodeId guard : guards) {
      Node event;
      event.kind = NodeKind::Boundary;
      event.trigger = Trigger::Compensation;
      event.flags = NonInterrupting;
      event.attachedTo = guard;
      event.loc = loc(start ? start : e);
      addFlow(addNode(event, ElementId(), NodeId()), handler, event.loc);
    }
    bodies.push_back({e, handler, {}, start, false, /*isCompensation=*/true});
  }
  return true;
}

/// The contents of a handler's container: the handler, any number of times.
bool Lowering::lowerCompensation(const Body &body) {
  Location at = loc(body.element);
  auto add = [&](NodeKind kind) {
    Node node;
    node.kind = kind;
    node.loc = at;
    return addNode(node, ElementId(), body.parent);
  };
  NodeId begin = add(NodeKind::Initial), again = add(NodeKind::SimpleJoin);
  // Whether it runs is seen by its first step.
  NodeId choice = add(NodeKind::EventChoice), end = add(NodeKind::Final);
  addFlow(begin, again, at);
  addFlow(again, choice, at);
  addFlow(choice, end, at);
  if (body.start) {
    Node container;
    container.kind = NodeKind::Container;
    NodeId content = addNode(container, body.element, body.parent);
    scopes.push_back({body.element, content, body.start, /*isPart=*/true});
  } else if (!makeNode(body.element, body.parent)) {
    return false;
  }
  const NodePair &nodes = nodesOf[body.element.index()];
  addFlow(choice, nodes.entry, at);
  addFlow(nodes.exit, again, at);
  return true;
}
