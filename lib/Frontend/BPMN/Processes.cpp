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

using namespace cif;
using namespace cif::bpmn;

bool bpmn::isActivity(ElementKind kind) {
  switch (kind) {
  case ElementKind::ChoreographyTask:
  case ElementKind::SubChoreography:
  case ElementKind::CallChoreography:
  case ElementKind::Task:
  case ElementKind::UserTask:
  case ElementKind::ManualTask:
  case ElementKind::ServiceTask:
  case ElementKind::ScriptTask:
  case ElementKind::BusinessRuleTask:
  case ElementKind::SendTask:
  case ElementKind::ReceiveTask:
  case ElementKind::SubProcess:
  case ElementKind::Transaction:
  case ElementKind::AdHocSubProcess:
  case ElementKind::CallActivity:
    return true;
  default:
    return false;
  }
}

bool bpmn::isFlowNode(ElementKind kind) {
  switch (kind) {
  case ElementKind::ExclusiveGateway:
  case ElementKind::ParallelGateway:
  case ElementKind::InclusiveGateway:
  case ElementKind::EventBasedGateway:
  case ElementKind::ComplexGateway:
  case ElementKind::StartEvent:
  case ElementKind::EndEvent:
  case ElementKind::IntermediateCatchEvent:
  case ElementKind::IntermediateThrowEvent:
  case ElementKind::BoundaryEvent:
    return true;
  default:
    return isActivity(kind);
  }
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
  bool good = true;
  while (!bodies.empty()) {
    Body body = std::move(bodies.back());
    bodies.pop_back();
    good &= lowerBody(body);
    if (diags.tooManyErrors())
      return false;
  }
  llvm::stable_sort(b.attributes, [](const Attribute &x, const Attribute &y) {
    return std::pair(x.node.raw(), x.key) < std::pair(y.node.raw(), y.key);
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
  links.clear();

  bool good = true;
  scopes.clear();
  scopes.push_back(body.element);
  while (!scopes.empty()) {
    ElementId scope = scopes.back();
    scopes.pop_back();
    NodeId parent =
        scope == body.element ? body.parent : nodesOf[scope.index()].entry;
    for (ElementId e = doc.firstChild(scope); e; e = doc.nextChild(scope, e)) {
      ElementKind kind = doc[e].kind;
      if (isFlowNode(kind))
        good &= makeNode(e, parent);
      else if (kind == ElementKind::SequenceFlow)
        sequenceFlows.push_back(e);
      else if (kind == ElementKind::LaneSet)
        laneSets.push_back(e);
      if (diags.tooManyErrors())
        return false;
    }
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
  return good && complete(firstNode, firstFlow, body);
}

NodeId Lowering::addNode(Node node, ElementId element, NodeId parent) {
  node.parent = parent;
  if (element) {
    node.loc = loc(element);
    if (node.name.empty())
      node.name = module.intern(tidyName(doc.text(doc[element].name)));
  }
  behaviour->nodes.push_back(node);
  NodeId id(behaviour->nodes.size() - 1);
  if (element) {
    nodesOf[element.index()] = {id, id};
    madeNodes.push_back(element);
  }
  return id;
}

FlowId Lowering::addFlow(NodeId from, NodeId to, Location at) {
  Flow flow;
  flow.source = from;
  flow.target = to;
  flow.loc = at;
  behaviour->flows.push_back(flow);
  return FlowId(behaviour->flows.size() - 1);
}

bool Lowering::makeNode(ElementId e, NodeId parent) {
  ElementKind kind = doc[e].kind;
  const ElementInfo &info = elementInfo(kind);
  if (!coverage.meet(place(e), describe(e), info.status, info.xml, info.note))
    return false;
  if (doc.flag(e, Attr::isForCompensation) &&
      !coverage.meet(place(e), describe(e), Feature::Compensation))
    return false;
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
  case ElementKind::CallActivity:
    return makeContainer(e, parent);
  case ElementKind::ExclusiveGateway:
  case ElementKind::ParallelGateway:
  case ElementKind::InclusiveGateway:
  case ElementKind::EventBasedGateway:
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
    if (ElementId condition = doc.child(loop, ElementKind::LoopCondition))
      node.condition =
          parseCondition(doc.text(doc[condition].text), module, loc(condition));
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
  bool isSend = out != sends.end(), isReceive = in != receives.end();
  MessageId sent, received;
  if (isSend)
    sent = messageOf[out->second.front().index()];
  if (isReceive)
    received = messageOf[in->second.front().index()];
  // Tasks that send or receive by their type, to nobody in particular.
  auto own = [&](bool outgoing) {
    StringRef text = ownMessageName(e, outgoing);
    if (text.empty())
      text = doc.text(doc[e].name);
    if (text.empty())
      text = doc.id(e);
    Name message = module.intern(tidyName(text));
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
      messageNodes.try_emplace(messageEnd(e, as == NodeKind::Send),
                               NodeRef{behaviourId, id});
    return id;
  };
  if (isSend && isReceive) {
    // A service is called and answers; BPMN does not say it of other tasks,
    // whose inputs come before their outputs.
    bool sendFirst = kind == ElementKind::ServiceTask ||
                     kind == ElementKind::BusinessRuleTask ||
                     kind == ElementKind::SendTask;
    if (!sendFirst && !coverage.meet(place(e), describe(e), Feature::BothWays))
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

static bool hasContent(const Document &doc, ElementId scope) {
  for (ElementId c = doc.firstChild(scope); c; c = doc.nextChild(scope, c))
    if (isFlowNode(doc[c].kind))
      return true;
  return false;
}

bool Lowering::makeContainer(ElementId e, NodeId parent) {
  ElementKind kind = doc[e].kind;
  if (doc.flag(e, Attr::triggeredByEvent))
    return coverage.meet(place(e), describe(e), Feature::EventSubProcess);
  if (behaviour->kind == BehaviourKind::Choreography &&
      kind != ElementKind::SubChoreography &&
      kind != ElementKind::CallChoreography)
    return makeTask(e, parent);
  if ((sends.count(e.index()) || receives.count(e.index())) &&
      !coverage.meet(place(e), describe(e), Feature::MessageFlowToScope))
    return false;
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
      node.kind = NodeKind::Task;
      addNode(node, e, parent);
      return true;
    case ElementKind::GlobalChoreographyTask:
      return coverage.meet(place(e), describe(e),
                           Feature::GlobalChoreographyTaskCall);
    case ElementKind::Process:
    case ElementKind::Choreography:
      if ((called == ElementKind::Choreography) ==
          (kind == ElementKind::CallChoreography))
        break;
      [[fallthrough]];
    default:
      if (!coverage.meet(place(e), describe(e), Feature::ExternalCall))
        return false;
      node.kind = NodeKind::Task;
      addNode(node, e, parent);
      return true;
    }
  }
  if (!hasContent(doc, content)) {
    if (!coverage.meet(place(e), describe(e), Feature::EmptyScope))
      return false;
    node.kind = NodeKind::Task;
    addNode(node, e, parent);
    return true;
  }
  node.kind = NodeKind::Container;
  NodeId id = addNode(node, e, parent);
  if (!isCall) {
    scopes.push_back(e);
    return true;
  }
  Body body{content, id};
  for (auto [element, as] : cast)
    body.cast.push_back({element, as});
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
        body.cast.push_back({innerElement.index(), participant(outerElement)});
    }
  });
  llvm::stable_sort(body.cast, [](const auto &x, const auto &y) {
    return x.first < y.first;
  });
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
    node.kind = NodeKind::SubsetSelect;
    break;
  default:
    node.kind = NodeKind::EventChoice;
    if (doc.attributeText(e, Attr::eventGatewayType) == "Parallel" &&
        !coverage.meet(place(e), describe(e), Feature::ParallelEventGateway))
      return false;
    if (doc.flag(e, Attr::instantiate))
      node.flags |= Instantiate;
  }
  if ((sends.count(e.index()) || receives.count(e.index())) &&
      !coverage.meet(place(e), describe(e), Feature::MessageFlowToScope))
    return false;
  addNode(node, e, parent);
  return true;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

static std::optional<Definition> definitionOf(ElementKind kind) {
  switch (kind) {
  case ElementKind::MessageEvent:
  case ElementKind::Message:
    return Definition::Message;
  case ElementKind::TimerEvent:
    return Definition::Timer;
  case ElementKind::SignalEvent:
  case ElementKind::Signal:
    return Definition::Signal;
  case ElementKind::ErrorEvent:
  case ElementKind::Error:
    return Definition::Error;
  case ElementKind::EscalationEvent:
  case ElementKind::Escalation:
    return Definition::Escalation;
  case ElementKind::ConditionalEvent:
    return Definition::Conditional;
  case ElementKind::LinkEvent:
    return Definition::Link;
  case ElementKind::CompensateEvent:
    return Definition::Compensation;
  case ElementKind::CancelEvent:
    return Definition::Cancel;
  case ElementKind::TerminateEvent:
    return Definition::Terminate;
  default:
    return std::nullopt;
  }
}

static Trigger triggerOf(Definition definition) {
  switch (definition) {
  case Definition::None:
  case Definition::Terminate:
    return Trigger::None;
  case Definition::Message:
    return Trigger::Message;
  case Definition::Timer:
    return Trigger::Timer;
  case Definition::Signal:
    return Trigger::Signal;
  case Definition::Error:
    return Trigger::Error;
  case Definition::Escalation:
    return Trigger::Escalation;
  case Definition::Conditional:
    return Trigger::Conditional;
  case Definition::Link:
    return Trigger::Link;
  case Definition::Compensation:
    return Trigger::Compensation;
  case Definition::Cancel:
    return Trigger::Cancel;
  case Definition::Multiple:
    return Trigger::Multiple;
  }
  llvm_unreachable("unknown definition");
}

bool Lowering::makeEvent(ElementId e, NodeId parent, Position position) {
  static const NodeKind kinds[] = {NodeKind::Initial, NodeKind::Catch,
                                   NodeKind::Throw, NodeKind::Boundary,
                                   NodeKind::Final};
  static const char *const words[] = {"start", "intermediate catch",
                                      "intermediate throw", "boundary", "end"};
  Definition definition = Definition::None;
  ElementId definedBy;
  for (ElementId c = doc.firstChild(e); c; c = doc.nextChild(e, c)) {
    ElementId at = c;
    if (doc[c].kind == ElementKind::EventDefinitionRef) {
      at = doc.resolve(doc[c].text); // a definition, or what it would refer to
      if (!at || !definitionOf(doc[at].kind))
        return dangling(e, "eventDefinitionRef", doc[c].text,
                        "an event definition");
    }
    if (auto found = definitionOf(doc[at].kind)) {
      definition = definedBy ? Definition::Multiple : *found;
      definedBy = at;
    }
  }
  bool throws = position == Position::Throw || position == Position::End;
  auto &flows = throws ? sends : receives;
  auto found = flows.find(e.index());
  bool hasFlow = found != flows.end();
  // An event without definition that has a message flow is a message event.
  if (definition == Definition::None && hasFlow)
    definition = Definition::Message;

  std::string construct =
      (definitionText(definition) + " " + words[unsigned(position)] + " event")
          .str();
  const ConstructInfo *info = eventInfo(position, definition);
  if (!coverage.meet(place(e), describe(e), info ? info->status : Status::Error,
                     construct, info ? info->note : ""))
    return false;
  auto &others = throws ? receives : sends;
  if (others.count(e.index()) || (hasFlow && definition != Definition::Message))
    return misuse(e, "a message flow cannot end here in this direction");

  Node node;
  node.kind = definition == Definition::Terminate
                  ? NodeKind::Terminate
                  : kinds[static_cast<unsigned>(position)];
  node.trigger = triggerOf(definition);
  if (definition == Definition::Message) {
    if (hasFlow) {
      node.message = messageOf[found->second.front().index()];
    } else if (behaviour->kind == BehaviourKind::Choreography) {
      if (!coverage.meet(place(e), describe(e),
                         Feature::MessageEventInChoreography))
        return false;
    } else {
      StringRef text = ownMessageName(e, throws);
      if (text.empty())
        text = doc.text(doc[e].name);
      if (text.empty())
        text = doc.id(e);
      Name message = module.intern(tidyName(text));
      node.message =
          throws ? module.getMessage(message, behaviour->owner, {}, loc(e))
                 : module.getMessage(message, {}, behaviour->owner, loc(e));
    }
  }
  if (definedBy && definition != Definition::Multiple)
    doc.forChildren(definedBy, [&](ElementId c) {
      switch (doc[c].kind) {
      case ElementKind::Condition:
        node.condition = parseCondition(doc.text(doc[c].text), module, loc(c));
        break;
      case ElementKind::TimeDate:
      case ElementKind::TimeDuration:
      case ElementKind::TimeCycle: {
        Expr when;
        when.op = ExprOp::Opaque;
        when.name = module.intern(tidyName(doc.text(doc[c].text)));
        when.loc = loc(c);
        if (!when.name.empty())
          node.condition = module.addExpr(when);
        break;
      }
      default:
        break;
      }
    });
  if (position == Position::Boundary) {
    if (!doc.flag(e, Attr::cancelActivity, true))
      node.flags |= NonInterrupting;
    boundaries.push_back(e);
  }
  if (definition == Definition::Link) {
    // Links are paired by the definition's name, else by the event's.
    Name link = doc[definedBy].name;
    node.name =
        module.intern(tidyName(doc.text(link.empty() ? doc[e].name : link)));
    links.push_back(e);
  }
  NodeId id = addNode(node, e, parent);
  if (node.message)
    messageNodes.try_emplace(messageEnd(e, throws), NodeRef{behaviourId, id});
  return true;
}

bool Lowering::attachBoundaries() {
  bool good = true;
  for (ElementId e : boundaries) {
    Name ref = doc.attribute(e, Attr::attachedToRef);
    ElementId activity = doc.resolve(ref);
    NodeId node = activity && isActivity(doc[activity].kind)
                      ? nodesOf[activity.index()].entry
                      : NodeId();
    if (!node) {
      good = ref.empty() ? missing(e, "attachedToRef")
                         : dangling(e, "attachedToRef", ref,
                                    "an activity of its process");
      continue;
    }
    Node &boundary = behaviour->node(nodesOf[e.index()].entry);
    boundary.attachedTo = node;
    // Some tools put the event into the sub-process that it is attached to.
    boundary.parent = behaviour->node(node).parent;
  }
  return good;
}

//===----------------------------------------------------------------------===//
// Flows and lanes
//===----------------------------------------------------------------------===//

bool Lowering::makeFlow(ElementId e) {
  auto end = [&](Attr attribute, StringRef text, ElementId &element) {
    Name ref = doc.attribute(e, attribute);
    if (ref.empty())
      return missing(e, text);
    element = doc.resolve(ref);
    if (!element || !isFlowNode(doc[element].kind) ||
        !nodesOf[element.index()].entry)
      return dangling(e, text, ref, "a node of its process");
    return true;
  };
  ElementId from, to;
  if (!end(Attr::sourceRef, "sourceRef", from) ||
      !end(Attr::targetRef, "targetRef", to))
    return false;
  NodeId source = nodesOf[from.index()].exit,
         target = nodesOf[to.index()].entry;
  const Node &sourceNode = behaviour->node(source);
  const Node &targetNode = behaviour->node(target);
  if (sourceNode.parent != targetNode.parent)
    return misuse(e, "a sequence flow cannot cross the border of a "
                     "sub-process or a pool");
  if (sourceNode.kind == NodeKind::Final ||
      sourceNode.kind == NodeKind::Terminate)
    return misuse(e, "an end event cannot have an outgoing flow");
  if (targetNode.kind == NodeKind::Initial)
    return misuse(e, "a start event cannot have an incoming flow");
  if (targetNode.kind == NodeKind::Boundary)
    return misuse(e, "a boundary event cannot have an incoming flow");

  FlowId id = addFlow(source, target, loc(e));
  Flow &flow = behaviour->flow(id);
  flow.name = module.intern(tidyName(doc.text(doc[e].name)));
  Name defaultFlow = doc.attribute(from, Attr::default_);
  if (!defaultFlow.empty() && doc.resolve(defaultFlow) == e)
    flow.flags |= DefaultFlow;
  else if (ElementId c = doc.child(e, ElementKind::ConditionExpression))
    flow.guard = parseCondition(doc.text(doc[c].text), module, loc(c));
  return true;
}

void Lowering::makeLanes(ElementId laneSet) {
  Name key = module.intern("lane");
  // Lanes stand in document order, inner ones after what they are in: the last
  // one that claims a node is its innermost.
  llvm::DenseMap<uint32_t, size_t> attributeOf;
  for (uint32_t i = laneSet.index(); i < doc[laneSet].end; ++i) {
    ElementId e(i);
    if (doc[e].kind != ElementKind::FlowNodeRef &&
        doc[e].kind != ElementKind::FlowElementRef)
      continue;
    ElementId element = doc.resolve(doc[e].text);
    if (!element || !doc[e].parent ||
        doc[doc[e].parent].kind != ElementKind::Lane)
      continue;
    NodeId node = nodesOf[element.index()].entry;
    if (!node)
      continue;
    const Element &lane = doc[doc[e].parent];
    Name value = module.intern(
        tidyName(doc.text(lane.name.empty() ? lane.id : lane.name)));
    if (value.empty())
      continue;
    auto [entry, isNew] =
        attributeOf.try_emplace(node.raw(), behaviour->attributes.size());
    if (isNew)
      behaviour->attributes.push_back({node, key, value});
    else
      behaviour->attributes[entry->second].value = value;
  }
}
