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
/// It is not tracked which activities have completed: a handler may run at any
/// time during its process, any number of times, one after the other; or once,
/// if the flows show that what it undoes is done once. So it is placed beside
/// all other nodes of the process, where the end of a scope does not stop it: a
/// boundary event that interrupts nothing leads to a container in which the
/// handler is repeated. This adds behaviour, and omits only that of a handler
/// which runs several times at once.
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
  return (isActivity(doc[e].kind) && doc.flag(e, Attr::isForCompensation) &&
          !handlersInFlow.contains(e.index())) ||
         (doc[e].kind == ElementKind::BoundaryEvent && isCompensationEvent(e));
}

/// Some editors mark what is undone as if it undid something: an activity that
/// the normal flow leads to belongs to that flow.
void Lowering::findHandlersInFlow() {
  for (uint32_t i = 0; i < doc.elements.size(); ++i) {
    if (doc.elements[i].kind != ElementKind::SequenceFlow)
      continue;
    ElementId from = doc.resolve(doc.attribute(ElementId(i), Attr::sourceRef));
    ElementId to = doc.resolve(doc.attribute(ElementId(i), Attr::targetRef));
    if (from && to && isActivity(doc[to].kind) &&
        doc.flag(to, Attr::isForCompensation) && isFlowNode(doc[from].kind) &&
        !doc.flag(from, Attr::isForCompensation) && !isCompensationEvent(from))
      handlersInFlow.insert(to.index());
  }
}

/// The handlers of \p root and of what it calls.
bool Lowering::findCompensation(ElementId root) {
  bool good = true;
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
      if (handlersInFlow.contains(e.index()))
        good &= coverage.meet(place(e), describe(e), Feature::HandlerInFlow);
      else if (doc.flag(e, Attr::isForCompensation))
        compensations.push_back({e, ElementId()});
      if (kind != ElementKind::CallActivity)
        continue;
      ElementId called = doc.resolve(doc.attribute(e, Attr::calledElement));
      if (called && doc[called].kind == ElementKind::Process &&
          seen.insert(called.index()).second)
        work.push_back(called);
    }
  }
  return good;
}

/// Makes the process' handlers, which may run while one of \p guards does and
/// after it.
bool Lowering::makeCompensations(ElementId root, ArrayRef<NodeId> guards) {
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
      event.trigger = Trigger::Conditional; // which BPMN can have there, too
      event.flags = NonInterrupting;
      event.attachedTo = guard;
      event.loc = loc(start ? start : e);
      addFlow(addNode(event, ElementId(), NodeId()), handler, event.loc);
    }
    bodies.push_back({e,
                      handler,
                      {},
                      start,
                      false,
                      /*isCompensation=*/true,
                      !isUndoneOnce(e, start, root)});
  }
  return true;
}

namespace {
/// How the children of a scope lead to each other.
class Level {
public:
  Level(const Document &doc, ElementId scope) : doc(doc) {
    auto add = [&](ElementId from, ElementId to) {
      next[from.index()].push_back(to.index());
      before[to.index()].push_back(from.index());
    };
    doc.forChildren(scope, [&](ElementId e) {
      bool isBoundary = doc[e].kind == ElementKind::BoundaryEvent;
      if (doc[e].kind != ElementKind::SequenceFlow && !isBoundary)
        return;
      ElementId from = doc.resolve(
          doc.attribute(e, isBoundary ? Attr::attachedToRef : Attr::sourceRef));
      ElementId to =
          isBoundary ? e : doc.resolve(doc.attribute(e, Attr::targetRef));
      if (!from || !to || doc[from].parent != scope || doc[to].parent != scope)
        isPlain = false;
      else
        add(from, to);
    });
    unsigned numStarts = 0;
    doc.forChildren(scope, [&](ElementId e) {
      numStarts += isFlowNode(doc[e].kind) && !before.count(e.index()) &&
                   !doc.flag(e, Attr::isForCompensation) &&
                   !doc.flag(e, Attr::triggeredByEvent);
      isPlain &= doc[e].kind != ElementKind::IntermediateThrowEvent ||
                 !doc.child(e, ElementKind::LinkEvent);
    });
    isPlain &= numStarts <= 1;
  }

  /// Whether each run of the scope comes to \p e once at most. It does not say
  /// so of all that do.
  bool isOnce(ElementId e) const {
    if (!isPlain)
      return false;
    llvm::DenseSet<uint32_t> above = reach({e.index()}, before);
    // A token that goes in circles comes again, or leaves others behind.
    if (hasCycle(above) &&
        (isOnCycle(e.index()) ||
         llvm::any_of(above, [&](uint32_t n) { return splits(n); })))
      return false;
    // Tokens part in one place and meet in another that does not wait for all.
    std::vector<uint32_t> merges;
    for (uint32_t n : above)
      if (auto in = before.find(n);
          in != before.end() && in->second.size() > 1 &&
          doc[ElementId(n)].kind != ElementKind::ParallelGateway)
        merges.push_back(n);
    llvm::DenseSet<uint32_t> aboveMerges = reach(merges, before);
    for (uint32_t n : above) {
      if (doc[ElementId(n)].kind == ElementKind::BoundaryEvent &&
          !doc.flag(ElementId(n), Attr::cancelActivity, true))
        return false; // may occur again
      if (aboveMerges.contains(n) && splits(n))
        return false;
    }
    return true;
  }

private:
  using Edges = llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 2>>;

  static llvm::DenseSet<uint32_t> reach(std::vector<uint32_t> work,
                                        const Edges &edges) {
    llvm::DenseSet<uint32_t> reached(work.begin(), work.end());
    while (!work.empty()) {
      uint32_t at = work.back();
      work.pop_back();
      if (auto found = edges.find(at); found != edges.end())
        for (uint32_t to : found->second)
          if (reached.insert(to).second)
            work.push_back(to);
    }
    return reached;
  }

  bool splits(uint32_t n) const {
    ElementKind kind = doc[ElementId(n)].kind;
    auto out = next.find(n);
    return kind != ElementKind::ExclusiveGateway &&
           kind != ElementKind::EventBasedGateway && out != next.end() &&
           llvm::count_if(out->second, [&](uint32_t to) {
             return doc[ElementId(to)].kind != ElementKind::BoundaryEvent ||
                    !doc.flag(ElementId(to), Attr::cancelActivity, true);
           }) > 1;
  }

  bool isOnCycle(uint32_t n) const {
    auto out = next.find(n);
    return out != next.end() &&
           reach({out->second.begin(), out->second.end()}, next).contains(n);
  }

  /// Takes away what nothing leads to, until a cycle or nothing is left.
  bool hasCycle(const llvm::DenseSet<uint32_t> &nodes) const {
    llvm::DenseMap<uint32_t, uint32_t> incoming;
    std::vector<uint32_t> work;
    for (uint32_t n : nodes)
      if (auto in = before.find(n); in != before.end())
        incoming[n] = in->second.size();
      else
        work.push_back(n);
    size_t taken = 0;
    while (!work.empty()) {
      uint32_t at = work.back();
      work.pop_back();
      ++taken;
      if (auto out = next.find(at); out != next.end())
        for (uint32_t to : out->second)
          if (nodes.contains(to) && !--incoming[to])
            work.push_back(to);
    }
    return taken < nodes.size();
  }

  const Document &doc;
  Edges next, before;
  bool isPlain = true; ///< one start, no links, no flows across borders
};
} // namespace

/// Whether \p e is done once at most in a run of its process.
bool Lowering::isDoneOnce(ElementId e, ElementId root) const {
  for (;;) {
    ElementId scope = doc[e].parent;
    if (doc.child(e, ElementKind::StandardLoop) ||
        doc.child(e, ElementKind::MultiInstance))
      return false;
    if (doc.flag(e, Attr::triggeredByEvent)) {
      // An interrupting event sub-process runs once.
      for (ElementId c = doc.firstChild(e); c; c = doc.nextChild(e, c))
        if (doc[c].kind == ElementKind::StartEvent &&
            (!doc.flag(c, Attr::isInterrupting, true) ||
             isCompensationEvent(c)))
          return false;
    } else if (doc.flag(e, Attr::isForCompensation) ||
               !Level(doc, scope).isOnce(e)) {
      return false;
    }
    if (scope == root)
      return true;
    if (doc[scope].kind != ElementKind::SubProcess &&
        doc[scope].kind != ElementKind::Transaction)
      return false;
    e = scope;
  }
}

/// Whether the handler \p e is run once at most.
bool Lowering::isUndoneOnce(ElementId e, ElementId start,
                            ElementId root) const {
  constexpr size_t maxHandlers = 100; // each looks at its levels
  if (compensations.size() > maxHandlers)
    return false;
  ElementId scope = doc[e].parent;
  if (start)
    return scope != root && isDoneOnce(scope, root);
  ElementId undone;
  for (ElementId c = doc.firstChild(scope); c; c = doc.nextChild(scope, c)) {
    if (doc[c].kind != ElementKind::Association)
      continue;
    ElementId from = doc.resolve(doc.attribute(c, Attr::sourceRef));
    ElementId to = doc.resolve(doc.attribute(c, Attr::targetRef));
    if (from == e)
      std::swap(from, to);
    if (to != e || !from || doc[from].kind != ElementKind::BoundaryEvent)
      continue;
    if (undone)
      return false; // undoes several activities
    undone = doc.resolve(doc.attribute(from, Attr::attachedToRef));
    if (!undone || doc[undone].parent != scope)
      return false;
  }
  return undone && isDoneOnce(undone, root);
}

/// The contents of a handler's container: the handler, any number of times or
/// once at most.
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
  addFlow(nodes.exit, body.isRepeated ? again : end, at);
  return true;
}
