//===- Events.cpp - Events and what triggers them ------------------------
//-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lowers events by their position and definition, as the table of events in
/// BpmnElements.def says.
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace cif;
using namespace cif::bpmn;

/// What an event definition is, or the element that one would refer to.
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

bool Lowering::hasTrigger(ElementId event) {
  if (receives.count(event.index()))
    return true;
  for (ElementId c = doc.firstChild(event); c; c = doc.nextChild(event, c))
    if (doc[c].kind == ElementKind::EventDefinitionRef ||
        definitionOf(doc[c].kind))
      return true;
  return false;
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
  // Some tools draw what sends as a catching event with a message flow from it.
  if (position == Position::Catch && sends.count(e.index()) &&
      !receives.count(e.index()) &&
      (definition == Definition::None || definition == Definition::Message)) {
    if (!coverage.meet(place(e), describe(e), Feature::CatchThatSends))
      return false;
    position = Position::Throw;
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
    return misuse(e, Rule::WrongDirection);

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
      Name message = tidy(text);
      node.message =
          throws ? module.getMessage(message, behaviour->owner, {}, loc(e))
                 : module.getMessage(message, {}, behaviour->owner, loc(e));
    }
  }
  if (definedBy && definition != Definition::Multiple)
    doc.forChildren(definedBy, [&](ElementId c) {
      switch (doc[c].kind) {
      case ElementKind::Condition:
        node.condition = condition(c);
        break;
      case ElementKind::TimeDate:
      case ElementKind::TimeDuration:
      case ElementKind::TimeCycle: {
        Expr when;
        when.op = ExprOp::Opaque;
        when.name = tidy(doc.text(doc[c].text));
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
    // A pair of links is a flow that is not drawn: nothing waits or happens.
    links[node.kind == NodeKind::Catch].push_back(e);
    node.kind = NodeKind::SimpleJoin;
    node.trigger = Trigger::None;
    // Links are paired by the definition's name, else by the event's.
    Name link = doc[definedBy].name;
    node.name = tidy(doc.text(link.empty() ? doc[e].name : link));
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
