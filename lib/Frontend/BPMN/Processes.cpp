//===- Processes.cpp - Nodes and flows of a body --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lowers the flow nodes, sequence flows and lanes of a body: activities,
/// events, gateways, sub-processes and calls. What tells a choreography from a
/// process is only its tasks (Choreographies.cpp).
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "cif/Support/Diagnostics/Bpmn.h"

using namespace cif;
using namespace cif::bpmn;

bool bpmn::isActivity(ElementKind kind) {
  return elementInfo(kind).read == Read::Activity;
}

bool bpmn::isFlowNode(ElementKind kind) {
  return isActivity(kind) || elementInfo(kind).read == Read::FlowNode;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

bool Lowering::lowerBehaviour(ElementId root, BehaviourKind kind,
                              ParticipantId owner, StringRef behaviourName) {
  behaviourId = BehaviourId(module.behaviours.size());
  Behaviour &b = module.behaviours.emplace_back();
  b.name = module.intern(behaviourName);
  b.kind = kind;
  b.owner = owner;
  b.loc = loc(root);
  behaviour = &b;
  bodies.clear();
  bodies.push_back({root, NodeId()});
  compensations.clear();
  rounds.clear();
  roundCalls.clear();
  bool good = kind != BehaviourKind::Process || findCompensation(root);
  uint64_t copied = 0; // elements of bodies that stand there several times
  while (!bodies.empty()) {
    Body body = std::move(bodies.back());
    bodies.pop_back();
    good &= lowerBody(body);
    if (body.start)
      copied += doc[body.element].end - body.element.index();
    if (copied > maxNodes) {
      diags.report(place(root), diag::bpmn_too_large)
          << "copies of event sub-processes for their start events expand " +
                 describe(root) + " to more than 4000000 nodes";
      return false;
    }
    if (rounds.size() > maxRounds) {
      diags.report(place(root), diag::bpmn_too_large)
          << describe(root) +
                 " calls itself with more than 1000 casts of participants";
      return false;
    }
    if (diags.tooManyErrors())
      return false;
  }
  closeRounds();
  doc.forChildren(root, [&](ElementId c) {
    if (doc[c].kind == ElementKind::CifAttribute)
      b.attributes.push_back(
          {{},
           module.intern(doc.attributeText(c, Attr::key)),
           module.intern(doc.attributeText(c, Attr::value))});
  });
  llvm::stable_sort(b.attributes, [&](const Attribute &x, const Attribute &y) {
    return x.node != y.node ? x.node < y.node
                            : module.text(x.key) < module.text(y.key);
  });
  behaviour = nullptr;
  return good;
}

bool Lowering::lowerBody(const Body &body) {
  bool good = lowerLevels(body);
  // Elsewhere these elements have other nodes, or none.
  for (ElementId e : madeNodes)
    nodesOf[e.index()] = {};
  madeNodes.clear();
  return good;
}

bool Lowering::lowerLevels(const Body &body) {
  size_t firstNode = behaviour->nodes.size();
  size_t firstFlow = behaviour->flows.size();
  cast.clear();
  for (auto [element, id] : body.cast)
    cast[element] = id;
  sequenceFlows.clear();
  laneSets.clear();
  boundaries.clear();
  complexGateways.clear();
  adHocs.clear();
  unreached.clear();
  keptKinds.clear();
  crossingFlows.clear();
  links.clear();

  bool good = true, isNew = false;
  size_t round = 0;
  if (loopingBodies.contains(body.element.index()))
    round = roundOf(body, isNew);
  scopes.clear();
  if (body.isCompensation)
    good = lowerCompensation(body);
  else
    scopes.push_back({body.element, body.parent, body.start, bool(body.start),
                      body.isHandled});
  while (!scopes.empty()) {
    Scope scope = scopes.back();
    scopes.pop_back();
    good &= lowerScope(scope);
    if (diags.tooManyErrors())
      return false;
  }
  if (!good || !attachBoundaries())
    return false;
  for (ElementId e : sequenceFlows) {
    good &= makeFlow(e);
    if (diags.tooManyErrors())
      return false;
  }
  for (ElementId e : laneSets)
    makeLanes(e);
  good = good && makeCrossingFlows(firstNode, firstFlow) &&
         complete(firstNode, firstFlow, body);
  if (!good || !loopingBodies.contains(body.element.index()))
    return good;
  for (size_t i = firstNode; i < behaviour->nodes.size(); ++i)
    if (behaviour->nodes[i].kind == NodeKind::Initial &&
        behaviour->nodes[i].parent == body.parent)
      rounds[round].start = NodeId(i);
  return true;
}

NodeId Lowering::addNode(Node node, ElementId element, NodeId parent) {
  node.parent = parent;
  if (element) {
    node.loc = loc(element);
    if (node.name.empty())
      node.name = tidy(doc.text(doc[element].name));
  }
  behaviour->nodes.push_back(node);
  NodeId id(behaviour->nodes.size() - 1);
  if (element) {
    nodesOf[element.index()] = {id, id};
    madeNodes.push_back(element);
    readExtensions(element, id);
  }
  return id;
}

FlowId Lowering::addFlow(NodeId from, NodeId to, Location at) {
  Flow flow{.source = from, .target = to, .loc = at};
  behaviour->flows.push_back(flow);
  return FlowId(behaviour->flows.size() - 1);
}

bool Lowering::makeNode(ElementId e, NodeId parent) {
  ElementKind kind = doc[e].kind;
  const ElementInfo &info = elementInfo(kind);
  if (!coverage.meet(place(e), describe(e), info.status, info.xml, info.note))
    return false;
  if (doc.flag(e, Attr::isForCompensation) &&
      behaviour->kind == BehaviourKind::Choreography)
    return coverage.meet(place(e), describe(e),
                         Feature::CompensationInChoreography);
  switch (kind) {
  case ElementKind::ChoreographyTask:
  case ElementKind::SubChoreography:
  case ElementKind::CallChoreography:
    if (behaviour->kind != BehaviourKind::Choreography)
      return coverage.meet(place(e), describe(e),
                           Feature::ChoreographyTaskInProcess);
    return kind == ElementKind::ChoreographyTask ? makeInteraction(e, parent)
                                                 : makeContainer(e, parent);
  case ElementKind::SubProcess:
  case ElementKind::Transaction:
  case ElementKind::AdHocSubProcess:
  case ElementKind::CallActivity:
    return makeContainer(e, parent);
  case ElementKind::ExclusiveGateway:
  case ElementKind::ParallelGateway:
  case ElementKind::InclusiveGateway:
  case ElementKind::EventBasedGateway:
  case ElementKind::ComplexGateway:
    return makeGateway(e, parent);
  case ElementKind::StartEvent:
    return makeEvent(e, parent, Position::Start);
  case ElementKind::EndEvent:
    return makeEvent(e, parent, Position::End);
  case ElementKind::IntermediateCatchEvent:
    return makeEvent(e, parent, Position::Catch);
  case ElementKind::IntermediateThrowEvent:
    return makeEvent(e, parent, Position::Throw);
  case ElementKind::BoundaryEvent:
    return makeEvent(e, parent, Position::Boundary);
  default:
    return makeTask(e, parent);
  }
}

//===----------------------------------------------------------------------===//
// Activities
//===----------------------------------------------------------------------===//

void Lowering::readLoop(ElementId e, Node &node) {
  StringRef type = doc.attributeText(e, Attr::loopType);
  if (type == "Standard")
    node.loop = LoopKind::Standard;
  else if (type == "MultiInstanceSequential")
    node.loop = LoopKind::MultiSequence;
  else if (type == "MultiInstanceParallel")
    node.loop = LoopKind::MultiParallel;

  if (ElementId loop = doc.child(e, ElementKind::StandardLoop)) {
    node.loop = LoopKind::Standard;
    if (!doc.flag(loop, Attr::testBefore))
      node.flags |= LoopTestAfter;
    uint32_t maximum = 0;
    if (!doc.attributeText(loop, Attr::loopMaximum).getAsInteger(10, maximum))
      node.loopMaximum = maximum;
    if (ElementId test = doc.child(loop, ElementKind::LoopCondition))
      node.condition = condition(test);
  } else if (ElementId many = doc.child(e, ElementKind::MultiInstance)) {
    node.loop = doc.flag(many, Attr::isSequential) ? LoopKind::MultiSequence
                                                   : LoopKind::MultiParallel;
    if (ElementId cardinality = doc.child(many, ElementKind::LoopCardinality)) {
      StringRef text = doc.text(doc[cardinality].text);
      uint32_t count = 0;
      if (!text.getAsInteger(10, count))
        node.loopMinimum = node.loopMaximum = count;
    }
  }
}

bool Lowering::makeTask(ElementId e, NodeId parent) {
  ElementKind kind = doc[e].kind;
  Node node;
  readLoop(e, node);
  if (behaviour->kind == BehaviourKind::Choreography) {
    if (!coverage.meet(place(e), describe(e), Feature::TaskInChoreography))
      return false;
    node.kind = NodeKind::Task;
    addNode(node, e, parent);
    return true;
  }
  auto out = sends.find(e.index()), in = receives.find(e.index());
  MessageId sent, received;
  if (out != sends.end())
    sent = messageAt(out->second.front(), true);
  if (in != receives.end())
    received = messageAt(in->second.front(), false);
  bool isSend = bool(sent), isReceive = bool(received);
  // Tasks that send or receive by their type, to nobody in particular.
  auto own = [&](bool outgoing) {
    StringRef text = ownMessageName(e, outgoing);
    Name message =
        text.trim().empty() ? module.intern(nameOrId(e)) : tidy(text);
    return outgoing ? module.getMessage(message, behaviour->owner, {}, loc(e))
                    : module.getMessage(message, {}, behaviour->owner, loc(e));
  };
  if (!isSend && !isReceive && kind == ElementKind::SendTask) {
    isSend = true;
    sent = own(true);
  }
  if (!isSend && !isReceive && kind == ElementKind::ReceiveTask) {
    isReceive = true;
    received = own(false);
  }
  if (isReceive && doc.flag(e, Attr::instantiate))
    node.flags |= Instantiate;

  auto single = [&](NodeKind as, MessageId message) {
    node.kind = as;
    node.message = message;
    NodeId id = addNode(node, e, parent);
    if (as != NodeKind::Task)
      addMessageNode(e, as == NodeKind::Send, id);
    return id;
  };
  if (isSend && isReceive) {
    // A service is called and answers; a receive task receives. Of other tasks
    // BPMN does not say what comes first: they do both, as it is possible.
    bool sendFirst = kind == ElementKind::ServiceTask ||
                     kind == ElementKind::BusinessRuleTask ||
                     kind == ElementKind::SendTask;
    bool receiveFirst = kind == ElementKind::ReceiveTask;
    if (receiveFirst &&
        !coverage.meet(place(e), describe(e), Feature::BothWays))
      return false;
    // One activity for loop markers and boundary events: a container.
    Node container = node;
    container.kind = NodeKind::Container;
    container.flags &= ~Instantiate;
    NodeId outer = addNode(container, e, parent);
    node.loop = LoopKind::None;
    node.condition = {};
    node.loopMinimum = node.loopMaximum = 0;
    parent = outer;
    NodeId first = sendFirst ? single(NodeKind::Send, sent)
                             : single(NodeKind::Receive, received);
    NodeId second = sendFirst ? single(NodeKind::Receive, received)
                              : single(NodeKind::Send, sent);
    if (sendFirst || receiveFirst)
      addFlow(first, second, loc(e));
    nodesOf[e.index()] = {outer, outer};
    return true;
  }
  if (isSend)
    single(NodeKind::Send, sent);
  else if (isReceive)
    single(NodeKind::Receive, received);
  else
    single(NodeKind::Task, {});
  return true;
}

/// What an activity is made of: itself, or the process that it calls; none
/// where that is no process of this file.
ElementId Lowering::contentOf(ElementId e) const {
  if (doc[e].kind != ElementKind::CallActivity)
    return e;
  ElementId called = doc.resolve(doc.attribute(e, Attr::calledElement));
  return called && doc[called].kind == ElementKind::Process ? called
                                                            : ElementId();
}

/// Whether a called process is another pool's, whose message flows it has.
bool Lowering::callsOtherPool(ElementId process) {
  if (!poolsOf.count(process.index()) ||
      llvm::is_contained(ownersOf(process), behaviour->owner))
    return false;
  auto [known, isNew] = hasMessages.try_emplace(process.index(), false);
  for (uint32_t i = process.index(); isNew && i < doc[process].end; ++i)
    known->second |= sends.count(i) || receives.count(i);
  return known->second;
}

/// An activity whose content is not known: a task with its message flows, or a
/// step of its own.
bool Lowering::makeActivity(ElementId e, Node node, NodeId parent) {
  if (sends.count(e.index()) || receives.count(e.index()))
    return makeTask(e, parent);
  node.kind = NodeKind::Task;
  addNode(node, e, parent);
  return true;
}

/// Who plays whom in what \p e calls: as now, and as it says itself.
Lowering::Cast Lowering::castOf(ElementId e) {
  Cast result = castNow();
  doc.forChildren(e, [&](ElementId c) {
    if (doc[c].kind != ElementKind::ParticipantAssociation)
      return;
    ElementId inner = doc.child(c, ElementKind::InnerParticipantRef);
    ElementId outer = doc.child(c, ElementKind::OuterParticipantRef);
    if (inner && outer) {
      ElementId innerElement = doc.resolve(doc[inner].text);
      ElementId outerElement = doc.resolve(doc[outer].text);
      if (innerElement && outerElement &&
          doc[outerElement].kind == ElementKind::Participant)
        result.push_back({innerElement.index(), participant(outerElement)});
    }
  });
  llvm::stable_sort(
      result, [](const auto &x, const auto &y) { return x.first < y.first; });
  return result;
}

bool Lowering::makeContainer(ElementId e, NodeId parent) {
  ElementKind kind = doc[e].kind;
  if (behaviour->kind == BehaviourKind::Choreography &&
      kind != ElementKind::SubChoreography &&
      kind != ElementKind::CallChoreography)
    return makeTask(e, parent);
  Node node;
  readLoop(e, node);
  if (kind == ElementKind::Transaction)
    node.flags |= Transaction;

  ElementId content = e;
  bool isCall = kind == ElementKind::CallActivity ||
                kind == ElementKind::CallChoreography;
  if (isCall) {
    content = doc.resolve(doc.attribute(e, kind == ElementKind::CallActivity
                                               ? Attr::calledElement
                                               : Attr::calledChoreographyRef));
    ElementKind called = content ? doc[content].kind : ElementKind::Unknown;
    switch (called) {
    case ElementKind::GlobalTask:
    case ElementKind::GlobalUserTask:
    case ElementKind::GlobalManualTask:
    case ElementKind::GlobalScriptTask:
    case ElementKind::GlobalBusinessRuleTask:
      return makeActivity(e, node, parent);
    case ElementKind::GlobalChoreographyTask:
      return coverage.meet(place(e), describe(e),
                           Feature::GlobalChoreographyTaskCall);
    case ElementKind::Process:
    case ElementKind::Choreography:
      if (tailCalls.contains(e.index())) {
        makeTailCall(e, content, parent);
        return true;
      }
      if (recursiveCalls.contains(e.index()))
        return coverage.meet(place(e), describe(e), Feature::RecursiveCall) &&
               makeActivity(e, node, parent);
      if (called == ElementKind::Process && callsOtherPool(content)) {
        if (!coverage.meet(place(e), describe(e), Feature::CalledPool))
          return false;
        node.kind = NodeKind::Task;
        addNode(node, e, parent);
        return true;
      }
      if ((called == ElementKind::Choreography) ==
          (kind == ElementKind::CallChoreography))
        break;
      [[fallthrough]];
    default:
      return coverage.meet(place(e), describe(e), Feature::ExternalCall) &&
             makeActivity(e, node, parent);
    }
  }
  if (!hasContent(content)) {
    return coverage.meet(place(e), describe(e), Feature::EmptyScope) &&
           makeActivity(e, node, parent);
  }
  node.kind = NodeKind::Container;
  NodeId id = addNode(node, e, parent);
  if (!isCall) {
    scopes.push_back({e, id});
    if (kind == ElementKind::AdHocSubProcess)
      adHocs.push_back(id);
    return true;
  }
  Body body{content, id, castOf(e)};
  if (kind == ElementKind::CallActivity)
    addCalled(std::move(body), e);
  else
    bodies.push_back(std::move(body));
  return true;
}

bool Lowering::makeGateway(ElementId e, NodeId parent) {
  Node node;
  // Whether a gateway splits or joins is seen when its flows are known.
  switch (doc[e].kind) {
  case ElementKind::ExclusiveGateway:
    node.kind = NodeKind::Choice;
    break;
  case ElementKind::ParallelGateway:
    node.kind = NodeKind::AllSelect;
    break;
  case ElementKind::InclusiveGateway:
  case ElementKind::ComplexGateway:
    node.kind = NodeKind::SubsetSelect;
    break;
  default:
    node.kind = NodeKind::EventChoice;
    if (doc.attributeText(e, Attr::eventGatewayType) == "Parallel") {
      if (!coverage.meet(place(e), describe(e), Feature::ParallelEventGateway))
        return false;
      node.kind = NodeKind::AllSelect;
    } else if (doc.flag(e, Attr::instantiate)) {
      node.flags |= Instantiate;
    }
  }
  NodeId id = addNode(node, e, parent);
  if (doc[e].kind == ElementKind::ComplexGateway)
    complexGateways.push_back(id);
  return true;
}
