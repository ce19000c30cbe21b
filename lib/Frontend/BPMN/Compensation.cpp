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
/// The graph does not say which activities have completed: by its flows, a
/// handler may run at any time during its process, any number of times, one
/// after the other; or once, if the flows show that what it undoes is done
/// once. So it is placed beside all other nodes of the process, where the end
/// of a scope does not stop it: a boundary event that interrupts nothing leads
/// to a container in which the handler is repeated. This adds behaviour, and
/// omits only that of a handler which runs several times at once.
///
/// Attributes say what is known beyond that, for the semantics in which
/// activities complete (TokenCompensation.cpp): `undoes` of the boundary event,
/// the activity; `undo-after`, the handlers that run before this one where both
/// do [bpmn20, 13.5.5]; `undo` of an event that throws compensation or cancels
/// a transaction, the handlers that it runs. A handler has them only if it is
/// clear what it undoes, and if only such an event runs it: an error that no
/// event sub-process handles would run it, too.
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace cif;
using namespace cif::bpmn;

/// How many handlers of a process are looked at: each looks at its levels.
static constexpr size_t maxHandlers = 100;

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
  return isHandler(e) || (doc[e].kind == ElementKind::BoundaryEvent &&
                          (isCompensationEvent(e) || isHandlerBoundary(e)));
}

/// Whether an activity undoes something, outside the normal flow.
bool Lowering::isHandler(ElementId e) const {
  return isActivity(doc[e].kind) && doc.flag(e, Attr::isForCompensation) &&
         !handlersInFlow.contains(e.index());
}

/// Whether a boundary event is attached to a handler.
bool Lowering::isHandlerBoundary(ElementId e) const {
  ElementId activity = doc.resolve(doc.attribute(e, Attr::attachedToRef));
  return activity && isHandler(activity);
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
  findFollowed(root);
  return good;
}

/// Says how the handler \p e is read.
bool Lowering::meetCompensation(ElementId e, bool isKnown, bool isRepeated) {
  if (!isKnown)
    return coverage.meet(place(e), describe(e), Feature::Compensation);
  // TokenNet.cpp says so where it does not follow what has completed.
  const ConstructInfo &info = featureInfo(Feature::TrackedCompensation);
  if (!coverage.meet(place(e), describe(e), info.status, info.text, info.note,
                     /*stays=*/true))
    return false;
  return (!isRepeated && !inAnyOrder.contains(e.index())) ||
         coverage.meet(place(e), describe(e), Feature::RepeatedCompensation);
}

/// Makes the process' handlers, which may run while one of \p guards does and
/// after it.
bool Lowering::makeCompensations(ElementId root, ArrayRef<NodeId> guards) {
  for (auto [e, start] : compensations) {
    auto known = followed.find(e.index());
    bool isKnown = known != followed.end();
    bool isRepeated = !isUndoneOnce(e, start, root);
    if (!meetCompensation(e, isKnown, isRepeated))
      return false;
    std::string before;
    for (size_t i = 0; isKnown && i < known->second.size(); ++i)
      before += (i ? " " : "") + doc.id(known->second[i]).str();
    Node container{.kind = NodeKind::Container, .loc = loc(e)};
    container.name = tidy(doc.text(doc[e].name));
    NodeId handler = addNode(container, ElementId(), NodeId());
    for (NodeId guard : guards) {
      Node event{.kind = NodeKind::Boundary};
      event.trigger = Trigger::Conditional; // which BPMN can have there, too
      event.flags = NonInterrupting;
      event.attachedTo = guard;
      event.loc = loc(start ? start : e);
      NodeId id = addNode(event, ElementId(), NodeId());
      addFlow(id, handler, event.loc);
      if (!isKnown)
        continue;
      StringRef undone = doc.id(undoneActivity(e, start));
      behaviour->attributes.push_back(
          {id, module.intern("undoes"), module.intern(undone)});
      if (!before.empty())
        behaviour->attributes.push_back(
            {id, module.intern("undo-after"), module.intern(before)});
    }
    bodies.push_back({e,
                      handler,
                      {},
                      start,
                      false,
                      /*isCompensation=*/true,
                      isRepeated});
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

  /// Whether a token can come from \p from to \p to.
  bool leads(ElementId from, ElementId to) const {
    auto out = next.find(from.index());
    return out != next.end() &&
           reach({out->second.begin(), out->second.end()}, next)
               .contains(to.index());
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

/// What the handler \p e undoes; none: nothing, or several activities.
ElementId Lowering::undoneActivity(ElementId e, ElementId start) const {
  ElementId scope = doc[e].parent;
  if (start)
    return scope;
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
      return {};
    undone = doc.resolve(doc.attribute(from, Attr::attachedToRef));
    if (!undone || doc[undone].parent != scope)
      return {};
  }
  return undone;
}

/// Whether the handler \p e is run once at most.
bool Lowering::isUndoneOnce(ElementId e, ElementId start,
                            ElementId root) const {
  if (compensations.size() > maxHandlers)
    return false;
  ElementId undone = undoneActivity(e, start);
  return undone && undone != root && isDoneOnce(undone, root);
}

//===----------------------------------------------------------------------===//
// What runs handlers
//===----------------------------------------------------------------------===//

/// Whether an error may end a scope that does not handle it itself. What has
/// completed in it is compensated then, without an event that says so.
bool Lowering::failsByError(ElementId scope) const {
  bool fails = false;
  auto isInScope = [&](ElementId e) {
    return e && e.index() >= scope.index() && e.index() < doc[scope].end;
  };
  for (uint32_t i = scope.index() + 1; i < doc[scope].end; ++i)
    if (doc.elements[i].kind == ElementKind::EndEvent &&
        !isInScope(caughtIn.lookup(i)))
      for (ElementId c = doc.firstChild(ElementId(i)); c;
           c = doc.nextChild(ElementId(i), c))
        fails |= doc[c].kind == ElementKind::ErrorEvent ||
                 doc[c].kind == ElementKind::EventDefinitionRef;
  doc.forChildren(doc[scope].parent, [&](ElementId e) {
    fails |= doc[e].kind == ElementKind::BoundaryEvent &&
             doc.resolve(doc.attribute(e, Attr::attachedToRef)) == scope &&
             !isCompensationEvent(e) &&
             (doc.child(e, ElementKind::ErrorEvent) ||
              doc.child(e, ElementKind::EventDefinitionRef));
  });
  return fails;
}

/// Whether the handler \p e runs when an event of its process says so, and at
/// no other time.
bool Lowering::isFollowed(ElementId e, ElementId start, ElementId root) const {
  ElementId undone = undoneActivity(e, start);
  if (e.index() < root.index() || e.index() >= doc[root].end || !undone ||
      undone == root || doc.id(e).empty() || doc.id(undone).empty() ||
      !isActivity(doc[undone].kind) ||
      // It may also end before its activities do: see letEnd.
      doc[undone].kind == ElementKind::AdHocSubProcess ||
      doc.flag(undone, Attr::isForCompensation) ||
      doc.flag(undone, Attr::triggeredByEvent))
    return false;
  for (ElementId at = doc[undone].parent; at != root; at = doc[at].parent)
    if (!at ||
        (doc[at].kind != ElementKind::SubProcess &&
         doc[at].kind != ElementKind::Transaction) ||
        doc.flag(at, Attr::triggeredByEvent) ||
        doc.flag(at, Attr::isForCompensation) || failsByError(at))
      return false;
  return true;
}

void Lowering::findFollowed(ElementId root) {
  handlersOf.clear();
  followed.clear();
  inAnyOrder.clear();
  if (compensations.empty() || compensations.size() > maxHandlers)
    return;
  for (auto [e, start] : compensations) {
    if (ElementId undone = undoneActivity(e, start))
      handlersOf[undone.index()].push_back(e);
    if (isFollowed(e, start, root))
      followed[e.index()] = {};
  }
  // An event that does several things at once is one node for each; and how it
  // finds what it runs are as many cases as there are subsets.
  constexpr size_t maxRun = 5;
  for (uint32_t i = root.index() + 1; i < doc[root].end; ++i) {
    ElementId e(i);
    unsigned definitions = 0;
    bool compensates = false, cancels = false;
    ElementId definedBy;
    if (doc[e].kind == ElementKind::IntermediateThrowEvent ||
        doc[e].kind == ElementKind::EndEvent)
      doc.forChildren(e, [&](ElementId c) {
        ElementId at = doc[c].kind == ElementKind::EventDefinitionRef
                           ? doc.resolve(doc[c].text)
                           : c;
        if (!at || !isEventDefinition(doc[at].kind))
          return;
        ++definitions;
        compensates |= doc[at].kind == ElementKind::CompensateEvent;
        cancels |= doc[at].kind == ElementKind::CancelEvent;
        definedBy = at;
      });
    if ((compensates && definitions > 1) ||
        ((compensates || cancels) && undoneBy(e, definedBy).size() > maxRun))
      return followed.clear();
  }
  orderFollowed();
}

/// Handlers run in the reverse order of what they undo, where sequence flows
/// say that this has one.
void Lowering::orderFollowed() {
  llvm::DenseMap<uint32_t, Level> levels;
  struct Undoing {
    ElementId handler, undone;
  };
  std::vector<Undoing> all;
  for (auto [e, start] : compensations)
    if (followed.count(e.index()))
      all.push_back({e, undoneActivity(e, start)});
  auto depth = [&](ElementId e) {
    unsigned steps = 0;
    for (; e; e = doc[e].parent)
      ++steps;
    return steps;
  };
  for (const Undoing &x : all)
    for (const Undoing &y : all) {
      // Those that hold them in the innermost scope that holds both.
      ElementId a = x.undone, b = y.undone;
      unsigned atA = depth(a), atB = depth(b);
      for (; atA > atB; --atA)
        a = doc[a].parent;
      for (; atB > atA; --atB)
        b = doc[b].parent;
      while (a != b && doc[a].parent != doc[b].parent) {
        a = doc[a].parent;
        b = doc[b].parent;
      }
      if (a == b)
        continue;
      ElementId scope = doc[a].parent;
      const Level &level =
          levels.try_emplace(scope.index(), doc, scope).first->second;
      if (!level.leads(a, b))
        continue;
      if (level.leads(b, a))
        inAnyOrder.insert(x.handler.index());
      else
        followed[x.handler.index()].push_back(y.handler);
    }
}

/// Adds the handlers that undo \p activities: their own, else those of what is
/// in them.
void Lowering::addHandlersOf(llvm::SmallVector<ElementId, 8> activities,
                             llvm::SmallVector<ElementId, 4> &handlers) const {
  while (!activities.empty()) {
    ElementId at = activities.pop_back_val();
    if (auto own = handlersOf.find(at.index()); own != handlersOf.end()) {
      for (ElementId e : own->second)
        if (followed.count(e.index()) && !llvm::is_contained(handlers, e))
          handlers.push_back(e);
      continue;
    }
    if (doc[at].kind == ElementKind::SubProcess ||
        doc[at].kind == ElementKind::Transaction)
      doc.forChildren(at, [&](ElementId c) {
        if (isActivity(doc[c].kind) && !doc.flag(c, Attr::triggeredByEvent))
          activities.push_back(c);
      });
  }
}

/// The handlers that \p event runs: of the activity that it names; else of all
/// that is in its scope and, if that is an event sub-process, around it.
llvm::SmallVector<ElementId, 4> Lowering::undoneBy(ElementId event,
                                                   ElementId definedBy) const {
  llvm::SmallVector<ElementId, 8> activities;
  llvm::SmallVector<ElementId, 4> handlers;
  Name ref = definedBy ? doc.attribute(definedBy, Attr::activityRef) : Name();
  if (ElementId named = ref.empty() ? ElementId() : doc.resolve(ref)) {
    activities.push_back(named);
  } else {
    bool cancels = definedBy && doc[definedBy].kind == ElementKind::CancelEvent;
    ElementId scope = doc[event].parent;
    while (cancels && scope && doc[scope].kind != ElementKind::Transaction)
      scope = doc[scope].parent;
    for (bool goesOn = true; goesOn && scope; scope = doc[scope].parent) {
      doc.forChildren(scope, [&](ElementId c) {
        if (isActivity(doc[c].kind) && !doc.flag(c, Attr::triggeredByEvent))
          activities.push_back(c);
      });
      goesOn = doc.flag(scope, Attr::triggeredByEvent);
    }
  }
  addHandlersOf(std::move(activities), handlers);
  return handlers;
}

/// Says which handlers the event \p e with this node runs.
void Lowering::addUndone(ElementId e, const EventPart &part, NodeId node) {
  bool cancels = part.definition == Definition::Cancel;
  NodeKind kind = behaviour->node(node).kind;
  if (behaviour->kind != BehaviourKind::Process ||
      (kind != NodeKind::Throw && kind != NodeKind::Final) ||
      (!cancels && part.definition != Definition::Compensation))
    return;
  // A file that was written from a model says it, and shows no handlers.
  for (ElementId c = doc.firstChild(e); c; c = doc.nextChild(e, c))
    if (doc[c].kind == ElementKind::CifAttribute &&
        doc.attributeText(c, Attr::key) == "undo")
      return;
  std::string ids;
  for (ElementId handler : undoneBy(e, part.definedBy))
    ids += (ids.empty() ? "" : " ") + doc.id(handler).str();
  if (cancels && ids.empty())
    return;
  auto add = [&](StringRef key, StringRef value) {
    behaviour->attributes.push_back(
        {node, module.intern(key), module.intern(value)});
  };
  add("undo", ids);
  if (!cancels && part.definedBy &&
      !doc.flag(part.definedBy, Attr::waitForCompletion, true))
    add("undo-waits", "false");
}

/// The contents of a handler's container: the handler, any number of times or
/// once at most.
bool Lowering::lowerCompensation(const Body &body) {
  Location at = loc(body.element);
  auto add = [&](NodeKind kind) {
    Node node{.kind = kind, .loc = at};
    return addNode(node, ElementId(), body.parent);
  };
  NodeId begin = add(NodeKind::Initial), again = add(NodeKind::SimpleJoin);
  // Whether it runs is seen by its first step.
  NodeId choice = add(NodeKind::EventChoice), end = add(NodeKind::Final);
  addFlow(begin, again, at);
  addFlow(again, choice, at);
  addFlow(choice, end, at);
  if (body.start) {
    Node container{.kind = NodeKind::Container};
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
