//===- Bpmn.cpp - BPMN 2.0 ------------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes choreographies as BPMN choreographies and processes as the pools of
/// one collaboration, with diagram interchange of our own layout. The mapping
/// is the front end's, backwards: reading the file gives an equal module. What
/// BPMN has no place for but may carry (payload fields and arguments, who
/// decides a choice, loops of choreography activities, attributes) is in
/// extension elements of the namespace urn:cif:bpmn; what it cannot carry is an
/// error (BpmnCheck.cpp). Conditions are written as texts for people and other
/// tools, and in `cif:exact` in the notation of the text form.
///
/// An internal step in a choreography is a none event, which is what BPMN has
/// for something that happens without an exchange [bpmn20, 11.6.2].
///
/// An event-based gateway should be followed by choreography tasks or catching
/// events [bpmn20, 11.7.2]. An EventChoice is written as one wherever it has
/// several branches, even when a branch starts with something else: an
/// exclusive gateway would let one participant decide, which is another
/// behaviour. With a single branch there is nothing to decide and it is an
/// exclusive gateway.
///
//===----------------------------------------------------------------------===//

#include "BpmnWriter.h"

using namespace cif;

bool cif::emitBpmn(const Module &module, raw_ostream &os,
                   DiagnosticEngine &diags, const EmitOptions &options) {
  if (!checkDrawable(module, diags))
    return false;
  Budget budget(options.semantics.runLimits);
  BpmnWriter(module, os, options.parts).run(options.layout, budget);
  if (budget.stopped() && options.stopped)
    options.stopped(budget.limit());
  return !budget.stopped();
}

void BpmnWriter::run(const DiagramLayout *given, Budget &budget) {
  std::vector<Diagram> diagrams = makeDiagrams(module, given, budget);
  // What the source leaves implicit is written, and needs a place of its own.
  if (llvm::any_of(diagrams, [](const Diagram &d) { return d.hides; }))
    diagrams = makeDiagrams(module, nullptr, budget);
  if (budget.stopped())
    return;
  os << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  xml.open("bpmn:definitions")
      .attribute("xmlns:bpmn", "http://www.omg.org/spec/BPMN/20100524/MODEL")
      .attribute("xmlns:bpmndi", "http://www.omg.org/spec/BPMN/20100524/DI")
      .attribute("xmlns:dc", "http://www.omg.org/spec/DD/20100524/DC")
      .attribute("xmlns:di", "http://www.omg.org/spec/DD/20100524/DI")
      .attribute("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance")
      .attribute("xmlns:cif", "urn:cif:bpmn")
      .attribute("id", ids.fresh("Definitions"))
      .optional("name", module.text(module.name))
      .attribute("targetNamespace", "urn:cif:bpmn:model")
      .attribute("exporter", "cifc");
  enumerations();
  for (size_t m = 0; m < module.messages.size(); ++m)
    message(MessageId(m));
  for (Diagram &diagram : diagrams) {
    if (diagram.isChoreography())
      choreography(diagram);
    else
      collaboration(diagram);
  }
  for (size_t d = 0; d < diagrams.size(); ++d)
    interchange(diagrams[d]);
  xml.close();
}

void BpmnWriter::message(MessageId m) {
  const Message &message = module.message(m);
  xml.open("bpmn:message")
      .attribute("id", ids.message(m))
      .optional("name", module.text(message.name));
  if (!message.fields.empty()) {
    xml.open("bpmn:extensionElements");
    for (const Field &field : message.fields) {
      xml.open("cif:field").attribute("name", module.text(field.name));
      sort(field.sort);
      xml.close();
    }
    xml.close();
  }
  xml.close();
}

void BpmnWriter::enumerations() {
  if (module.enumerations.empty())
    return;
  xml.open("bpmn:extensionElements");
  for (const Enumeration &enumeration : module.enumerations) {
    xml.open("cif:enum").attribute("name", module.text(enumeration.name));
    for (Name literal : enumeration.literals)
      xml.open("cif:literal").attribute("name", module.text(literal)).close();
    xml.close();
  }
  xml.close();
}

/// The sort of the field whose element is open.
void BpmnWriter::sort(Sort sort) {
  if (!sort.isEnum()) {
    const char *const texts[] = {"", "bool", "int", "string"};
    if (sort.value && sort.value < std::size(texts))
      xml.attribute("sort", texts[sort.value]);
    return;
  }
  const Enumeration &enumeration = module.enumerations[sort.enumIndex()];
  xml.attribute("sort", "enum");
  xml.attribute("enum", module.text(enumeration.name));
  for (Name literal : enumeration.literals)
    xml.open("cif:literal").attribute("name", module.text(literal)).close();
}

void BpmnWriter::participantElement(ParticipantId p, StringRef id,
                                    StringRef name, StringRef process) {
  xml.open("bpmn:participant")
      .attribute("id", id)
      .optional("name", name)
      .optional("processRef", process);
  const Participant participant = p ? module.participant(p) : Participant();
  if (participant.minimum != 1 || participant.maximum != 1)
    xml.open("bpmn:participantMultiplicity")
        .attribute("minimum", int64_t(participant.minimum))
        .attribute("maximum", int64_t(participant.maximum))
        .close();
  xml.close();
}

void BpmnWriter::choreography(Diagram &diagram) {
  const uint32_t b =
      diagram.shapes.empty() ? diagram.only : diagram.shapes[0].behaviour;
  const Behaviour &behaviour = module.behaviours[b];
  diagram.id = ids.behaviour(b).str();
  xml.open("bpmn:choreography")
      .attribute("id", diagram.id)
      .optional("name", module.text(behaviour.name));
  attributes(behaviour, NodeId());
  // Who takes part; a lone choreography names everybody.
  std::vector<bool> used(module.participants.size(),
                         module.behaviours.size() == 1);
  for (const Node &node : behaviour.nodes) {
    if (node.participant)
      used[node.participant.index()] = true;
    for (MessageId m : {node.message, node.reply})
      if (m)
        for (ParticipantId p :
             {module.message(m).sender, module.message(m).receiver})
          if (p)
            used[p.index()] = true;
  }
  diagram.participantIds.resize(module.participants.size());
  for (size_t p = 0; p < used.size(); ++p)
    if (used[p]) {
      ParticipantId id(p);
      diagram.participantIds[p] = participantId(id);
      participantElement(id, diagram.participantIds[p],
                         module.participantName(id), "");
    }
  // Each task has message flows of its own: a viewer hangs envelopes on them.
  taskFlows.assign(2 * behaviour.nodes.size(), {});
  for (size_t n = 0; n < behaviour.nodes.size(); ++n) {
    const Node &node = behaviour.nodes[n];
    if (node.kind != NodeKind::Interaction)
      continue;
    for (bool reply : {false, true}) {
      MessageId m = reply ? node.reply : node.message;
      if (!m)
        continue;
      const Message &message = module.message(m);
      std::string &id = taskFlows[2 * n + reply];
      id = ids.fresh("MessageFlow_" + ids.node(b, NodeId(n)) +
                     (reply ? "_reply" : ""));
      xml.open("bpmn:messageFlow")
          .attribute("id", id)
          .attribute("sourceRef",
                     diagram.participantIds[message.sender.index()])
          .attribute("targetRef",
                     diagram.participantIds[message.receiver.index()])
          .attribute("messageRef", ids.message(m))
          .close();
    }
  }
  contents(diagram, b);
  xml.close();
}

/// The flow elements of a behaviour, container by container.
void BpmnWriter::contents(const Diagram &diagram, uint32_t b) {
  const Behaviour &behaviour = module.behaviours[b];
  const uint32_t count = behaviour.nodes.size();
  FlowIndex flows(behaviour);
  std::vector<std::vector<uint32_t>> children(count + 1), inside(count + 1);
  auto holder = [&](NodeId n) {
    NodeId parent = behaviour.node(n).parent;
    return parent ? parent.index() : count;
  };
  for (uint32_t n = 0; n < count; ++n)
    children[holder(NodeId(n))].push_back(n);
  for (uint32_t f = 0; f < behaviour.flows.size(); ++f)
    inside[holder(behaviour.flows[f].target)].push_back(f);
  struct Frame {
    uint32_t holder;
    size_t next = 0;
  };
  std::vector<Frame> stack{{count}};
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (frame.next < children[frame.holder].size()) {
      NodeId n(children[frame.holder][frame.next++]);
      openNode(diagram, b, n, flows);
      if (behaviour.node(n).kind == NodeKind::Container)
        stack.push_back({n.index()});
      else
        xml.close();
      continue;
    }
    for (uint32_t f : inside[frame.holder])
      if (!followsLink(behaviour, behaviour.flows[f]))
        sequenceFlow(b, f);
    if (frame.holder != count)
      xml.close();
    stack.pop_back();
  }
}

void BpmnWriter::sequenceFlow(uint32_t b, uint32_t f) {
  const Behaviour &behaviour = module.behaviours[b];
  const Flow &flow = behaviour.flows[f];
  xml.open("bpmn:sequenceFlow")
      .attribute("id", ids.flow(b, f))
      .optional("name", module.text(flow.name))
      .attribute("sourceRef", ids.node(b, flow.source))
      .attribute("targetRef", ids.node(b, flow.target));
  partOf(flow.loc, ids.flow(b, f));
  if (flow.guard)
    expression("bpmn:conditionExpression", flow.guard);
  xml.close();
}

/// Several nodes and flows may come from one element, which means something to
/// the semantics: one has the id, the others say whose parts they are.
void BpmnWriter::partOf(const Location &loc, StringRef id) {
  if (StringRef whole = module.text(loc.element); saysParts && whole != id)
    xml.optional("cif:element", whole);
}

/// BPMN's element for a node, which checkDrawable let through.
const char *BpmnWriter::elementName(const Behaviour &behaviour,
                                    const Node &node, size_t outgoing) {
  const bool global = behaviour.kind == BehaviourKind::Choreography;
  switch (node.kind) {
  case NodeKind::Initial:
    return "bpmn:startEvent";
  case NodeKind::Final:
  case NodeKind::Terminate:
    return "bpmn:endEvent";
  case NodeKind::Interaction:
    return "bpmn:choreographyTask";
  case NodeKind::Choice:
  case NodeKind::DominatedChoice:
  case NodeKind::SimpleJoin:
    return "bpmn:exclusiveGateway";
  case NodeKind::AllSelect:
  case NodeKind::AllJoin:
    return "bpmn:parallelGateway";
  case NodeKind::SubsetSelect:
  case NodeKind::SubsetJoin:
    return "bpmn:inclusiveGateway";
  case NodeKind::EventChoice:
    return outgoing > 1 || node.flags & Instantiate ? "bpmn:eventBasedGateway"
                                                    : "bpmn:exclusiveGateway";
  case NodeKind::Send:
    return "bpmn:sendTask";
  case NodeKind::Receive:
    return "bpmn:receiveTask";
  case NodeKind::Catch:
    return "bpmn:intermediateCatchEvent";
  case NodeKind::Throw:
    return "bpmn:intermediateThrowEvent";
  case NodeKind::Boundary:
    return "bpmn:boundaryEvent";
  case NodeKind::Container:
    return global                     ? "bpmn:subChoreography"
           : node.flags & Transaction ? "bpmn:transaction"
           : node.flags & AdHoc       ? "bpmn:adHocSubProcess"
                                      : "bpmn:subProcess";
  case NodeKind::Task:
    return global ? "bpmn:intermediateThrowEvent" : "bpmn:task";
  case NodeKind::Stuck:
  case NodeKind::Call:
    break;
  }
  return "bpmn:task";
}

/// The kind of gateway that the front end takes a written one for.
static NodeKind kindByFlows(NodeKind kind, size_t outgoing) {
  switch (kind) {
  case NodeKind::Choice:
  case NodeKind::SimpleJoin:
    return outgoing > 1 ? NodeKind::Choice : NodeKind::SimpleJoin;
  case NodeKind::AllSelect:
  case NodeKind::AllJoin:
    return outgoing > 1 ? NodeKind::AllSelect : NodeKind::AllJoin;
  case NodeKind::SubsetSelect:
  case NodeKind::SubsetJoin:
    return outgoing > 1 ? NodeKind::SubsetSelect : NodeKind::SubsetJoin;
  default: // an event choice with one branch is written as a join
    return outgoing > 1 ? kind : NodeKind::SimpleJoin;
  }
}

void BpmnWriter::openNode(const Diagram &diagram, uint32_t b, NodeId n,
                          const FlowIndex &flows) {
  const Behaviour &behaviour = module.behaviours[b];
  const Node &node = behaviour.node(n);
  const bool global = behaviour.kind == BehaviourKind::Choreography;
  ArrayRef<FlowId> outgoing = flows.outgoing(n);
  const Shape &shape = diagram.shapes[diagram.shapeOf(b, n)];
  const bool isActivity =
      shape.figure != Figure::Event && shape.figure != Figure::Gateway;

  xml.open(elementName(behaviour, node, outgoing.size()))
      .attribute("id", ids.node(b, n))
      .optional("name", module.text(node.name));
  partOf(node.loc, ids.node(b, n));
  if (shape.figure == Figure::Gateway &&
      node.kind != NodeKind::DominatedChoice &&
      node.kind != kindByFlows(node.kind, outgoing.size()))
    xml.attribute("cif:kind", nodeKindText(node.kind));
  for (FlowId f : outgoing)
    if (behaviour.flow(f).flags & DefaultFlow)
      xml.attribute(node.kind == NodeKind::EventChoice ? "cif:default"
                                                       : "default",
                    ids.flow(b, f.index()));
  if (!shape.bands.empty())
    xml.attribute("initiatingParticipantRef",
                  diagram.participantIds[shape.bands[0].index()]);
  if (global && isActivity && node.loop != LoopKind::None)
    xml.attribute("loopType", node.loop == LoopKind::Standard ? "Standard"
                              : node.loop == LoopKind::MultiSequence
                                  ? "MultiInstanceSequential"
                                  : "MultiInstanceParallel");
  if (node.kind == NodeKind::Boundary) {
    xml.attribute("attachedToRef", ids.node(b, node.attachedTo));
    if (node.flags & NonInterrupting)
      xml.attribute("cancelActivity", "false");
  }
  if (node.kind == NodeKind::Initial && node.flags & NonInterrupting)
    xml.attribute("isInterrupting", "false");
  if (node.flags & EventTriggered)
    xml.attribute("triggeredByEvent", "true");
  if (node.flags & Instantiate)
    xml.attribute("instantiate", "true");
  if (node.flags & ParallelMultiple)
    node.kind == NodeKind::EventChoice
        ? xml.attribute("eventGatewayType", "Parallel")
        : xml.attribute("parallelMultiple", "true");
  if (node.kind == NodeKind::Send || node.kind == NodeKind::Receive)
    if (node.message)
      xml.attribute("messageRef", ids.message(node.message));

  extensions(behaviour, n, global && isActivity);
  for (FlowId f : flows.incoming(n))
    if (!followsLink(behaviour, behaviour.flow(f)))
      xml.textElement("bpmn:incoming", ids.flow(b, f.index()));
  for (FlowId f : outgoing)
    if (!followsLink(behaviour, behaviour.flow(f)))
      xml.textElement("bpmn:outgoing", ids.flow(b, f.index()));
  for (ParticipantId p : shape.bands)
    xml.textElement("bpmn:participantRef", diagram.participantIds[p.index()]);
  if (node.kind == NodeKind::Interaction)
    for (bool reply : {false, true})
      if (const std::string &id = taskFlows[2 * n.index() + reply]; !id.empty())
        xml.textElement("bpmn:messageFlowRef", id);
  if (!global && isActivity)
    loop(node);
  if (shape.figure == Figure::Event)
    eventDefinition(behaviour, n);
}

/// A behaviour's attributes of a node, or of itself.
static ArrayRef<Attribute> attributesOf(const Behaviour &behaviour, NodeId n) {
  auto range = std::equal_range(
      behaviour.attributes.begin(), behaviour.attributes.end(),
      Attribute{n, {}, {}},
      [](const Attribute &x, const Attribute &y) { return x.node < y.node; });
  return ArrayRef(behaviour.attributes)
      .slice(size_t(range.first - behaviour.attributes.begin()),
             size_t(range.second - range.first));
}

void BpmnWriter::attributes(const Behaviour &behaviour, NodeId n) {
  ArrayRef<Attribute> all = attributesOf(behaviour, n);
  if (!n && !all.empty())
    xml.open("bpmn:extensionElements");
  for (const Attribute &attribute : all)
    xml.open("cif:attribute")
        .attribute("key", module.text(attribute.key))
        .attribute("value", module.text(attribute.value))
        .close();
  if (!n && !all.empty())
    xml.close();
}

/// What BPMN has no place for.
void BpmnWriter::extensions(const Behaviour &behaviour, NodeId n,
                            bool choreographyActivity) {
  const Node &node = behaviour.node(n);
  const bool decides = node.participant && isGateway(node.kind);
  const bool dominated = node.kind == NodeKind::DominatedChoice;
  const bool steps = node.kind == NodeKind::Task &&
                     behaviour.kind == BehaviourKind::Choreography;
  // A process has a place for most of a loop.
  const bool several = node.loop == LoopKind::MultiSequence ||
                       node.loop == LoopKind::MultiParallel;
  const bool loops =
      node.loop != LoopKind::None &&
      (choreographyActivity ? node.condition || node.loopMinimum ||
                                  node.loopMaximum || node.flags & LoopTestAfter
       : several ? node.condition || node.loopMinimum != node.loopMaximum
                 : node.loopMinimum != 0);
  if (!decides && !dominated && !steps && !loops && !node.numArguments &&
      attributesOf(behaviour, n).empty())
    return;
  xml.open("bpmn:extensionElements");
  if (steps) {
    xml.open("cif:step");
    if (node.participant)
      xml.attribute("participant", module.participantName(node.participant));
    xml.close();
  }
  if (decides || dominated) {
    xml.open("cif:decision");
    if (node.participant)
      xml.attribute("participant", module.participantName(node.participant));
    if (dominated)
      xml.attribute("dominated", "true");
    xml.close();
  }
  if (loops) {
    xml.open("cif:loop");
    if (node.condition)
      xml.attribute("condition", exact.text(node.condition));
    if (node.loopMinimum)
      xml.attribute("minimum", int64_t(node.loopMinimum));
    if (node.loopMaximum)
      xml.attribute("maximum", int64_t(node.loopMaximum));
    if (node.flags & LoopTestAfter)
      xml.attribute("testAfter", "true");
    xml.close();
  }
  for (uint32_t i = 0; i < node.numArguments; ++i) {
    xml.open("cif:argument")
        .attribute("value",
                   exact.text(behaviour.arguments[node.firstArgument + i]));
    if (node.flags & BindsArguments)
      xml.attribute("binds", "true");
    xml.close();
  }
  attributes(behaviour, n);
  xml.close();
}

/// Loop markers of a process' activity.
void BpmnWriter::loop(const Node &node) {
  if (node.loop == LoopKind::None)
    return;
  if (node.loop == LoopKind::Standard) {
    xml.open("bpmn:standardLoopCharacteristics")
        .attribute("testBefore", node.flags & LoopTestAfter ? "false" : "true");
    if (node.loopMaximum)
      xml.attribute("loopMaximum", int64_t(node.loopMaximum));
    if (node.condition)
      expression("bpmn:loopCondition", node.condition);
  } else {
    xml.open("bpmn:multiInstanceLoopCharacteristics");
    if (node.loop == LoopKind::MultiSequence)
      xml.attribute("isSequential", "true");
    if (node.condition) {
      expression("bpmn:loopCardinality", node.condition);
    } else if (node.loopMaximum) {
      xml.open("bpmn:loopCardinality")
          .attribute("xsi:type", "bpmn:tFormalExpression");
      xml.text(std::to_string(node.loopMaximum));
      xml.close();
    }
  }
  xml.close();
}

void BpmnWriter::expression(const char *element, ExprId expr) {
  xml.open(element).attribute("xsi:type", "bpmn:tFormalExpression");
  if (expr) {
    xml.optional("cif:exact", exact.text(expr));
    xml.text(exprText(module, expr));
  }
  xml.close();
}

void BpmnWriter::eventDefinition(const Behaviour &behaviour, NodeId n) {
  const Node &node = behaviour.node(n);
  if (node.kind == NodeKind::Terminate) {
    xml.open("bpmn:terminateEventDefinition").close();
    return;
  }
  switch (node.trigger) {
  case Trigger::None:
  case Trigger::Race:
    return;
  case Trigger::Message:
    xml.open("bpmn:messageEventDefinition");
    if (node.message)
      xml.attribute("messageRef", ids.message(node.message));
    break;
  case Trigger::Timer:
    xml.open("bpmn:timerEventDefinition");
    if (node.condition)
      expression("bpmn:timeDuration", node.condition);
    break;
  case Trigger::Signal:
    xml.open("bpmn:signalEventDefinition");
    break;
  case Trigger::Error:
    xml.open("bpmn:errorEventDefinition");
    break;
  case Trigger::Escalation:
    xml.open("bpmn:escalationEventDefinition");
    break;
  case Trigger::Conditional:
    xml.open("bpmn:conditionalEventDefinition");
    expression("bpmn:condition", node.condition);
    break;
  case Trigger::Link:
    xml.open("bpmn:linkEventDefinition")
        .attribute("name", module.text(node.name));
    break;
  case Trigger::Compensation:
    xml.open("bpmn:compensateEventDefinition");
    break;
  case Trigger::Cancel:
    xml.open("bpmn:cancelEventDefinition");
    break;
  case Trigger::Multiple:
    return;
  }
  xml.close();
}
