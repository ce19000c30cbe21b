//===- Events.cpp - Events and what triggers them -------------------------===//
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
  static const std::pair<ElementKind, Definition> all[] = {
      {ElementKind::MessageEvent, Definition::Message},
      {ElementKind::Message, Definition::Message},
      {ElementKind::TimerEvent, Definition::Timer},
      {ElementKind::SignalEvent, Definition::Signal},
      {ElementKind::Signal, Definition::Signal},
      {ElementKind::ErrorEvent, Definition::Error},
      {ElementKind::Error, Definition::Error},
      {ElementKind::EscalationEvent, Definition::Escalation},
      {ElementKind::Escalation, Definition::Escalation},
      {ElementKind::ConditionalEvent, Definition::Conditional},
      {ElementKind::LinkEvent, Definition::Link},
      {ElementKind::CompensateEvent, Definition::Compensation},
      {ElementKind::CancelEvent, Definition::Cancel},
      {ElementKind::TerminateEvent, Definition::Terminate}};
  for (auto [element, definition] : all)
    if (element == kind)
      return definition;
  return std::nullopt;
}

bool bpmn::isEventDefinition(ElementKind kind) {
  return definitionOf(kind).has_value();
}

/// The first of them are the triggers, in their order.
static Trigger triggerOf(Definition definition) {
  static_assert(unsigned(Definition::Cancel) == unsigned(Trigger::Cancel));
  if (definition <= Definition::Cancel)
    return static_cast<Trigger>(definition);
  return definition == Definition::Terminate ? Trigger::None
                                             : Trigger::Multiple;
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

static Position positionOf(ElementKind kind) {
  switch (kind) {
  case ElementKind::StartEvent:
    return Position::Start;
  case ElementKind::EndEvent:
    return Position::End;
  case ElementKind::IntermediateCatchEvent:
    return Position::Catch;
  case ElementKind::IntermediateThrowEvent:
    return Position::Throw;
  default:
    return Position::Boundary;
  }
}

/// Whether an event may have a message flow in this direction; \p receives:
/// some message flow ends at it.
bool Lowering::takesMessages(ElementId e, bool outgoing, bool receives) const {
  bool hasMessage = false, hasOther = false;
  doc.forChildren(e, [&](ElementId c) {
    ElementId at = c;
    if (doc[c].kind == ElementKind::EventDefinitionRef)
      at = doc.resolve(doc[c].text);
    if (auto found = at ? definitionOf(doc[at].kind) : std::nullopt)
      (*found == Definition::Message ? hasMessage : hasOther) = true;
  });
  Position position = positionOf(doc[e].kind);
  bool throws = position == Position::Throw || position == Position::End;
  // A catching event that only sends is one that throws; see makeEvent.
  if (position == Position::Catch && outgoing)
    throws = !receives && !hasOther;
  return throws == outgoing && (hasMessage || !hasOther);
}

/// Cancel and terminate beside each other stand for an event with several
/// triggers, where an event can have neither; at an end, terminate says it all.
bool Lowering::dropPlaceholders(ElementId e, Position position,
                                EventParts &parts) {
  auto has = [&](Definition definition) {
    return llvm::any_of(parts, [&](const EventPart &part) {
      return part.definition == definition;
    });
  };
  if (!has(Definition::Cancel) || !has(Definition::Terminate))
    return true;
  bool isEnd = position == Position::End;
  llvm::erase_if(parts, [&](const EventPart &part) {
    return part.definition == Definition::Cancel ||
           (part.definition == Definition::Terminate && !isEnd);
  });
  return coverage.meet(place(e), describe(e),
                       isEnd ? Feature::CancelAndTerminateEnd
                             : Feature::CancelBesideTerminate);
}

bool Lowering::eventParts(ElementId e, EventParts &parts) {
  for (ElementId c = doc.firstChild(e); c; c = doc.nextChild(e, c)) {
    ElementId at = c;
    if (doc[c].kind == ElementKind::EventDefinitionRef) {
      at = doc.resolve(doc[c].text); // a definition, or what it would refer to
      if (!at || !definitionOf(doc[at].kind))
        return dangling(e, "eventDefinitionRef", doc[c].text,
                        "an event definition");
    }
    if (auto found = definitionOf(doc[at].kind))
      parts.push_back({*found, at});
  }
  return true;
}

bool Lowering::meetEvent(ElementId e, Position position,
                         Definition definition) {
  static const char *const words[] = {"start", "intermediate catch",
                                      "intermediate throw", "boundary", "end"};
  std::string construct =
      (definitionText(definition) + " " + words[unsigned(position)] + " event")
          .str();
  const ConstructInfo *info = eventInfo(position, definition);
  return coverage.meet(place(e), describe(e),
                       info ? info->status : Status::Error, construct,
                       info ? info->note : "", /*stays=*/true);
}

bool Lowering::makeEvent(ElementId e, NodeId parent, Position position) {
  EventParts parts;
  if (!eventParts(e, parts))
    return false;
  // Some tools draw what sends as a catching event with a message flow from it.
  if (position == Position::Catch && sends.count(e.index()) &&
      !receives.count(e.index()) &&
      (parts.empty() ||
       (parts.size() == 1 && parts[0].definition == Definition::Message))) {
    if (!coverage.meet(place(e), describe(e), Feature::CatchThatSends))
      return false;
    position = Position::Throw;
  }
  if (!dropPlaceholders(e, position, parts))
    return false;
  bool throws = position == Position::Throw || position == Position::End;
  bool hasFlow = (throws ? sends : receives).count(e.index());
  // An event without definition that has a message flow is a message event.
  if (parts.empty())
    parts.push_back({hasFlow ? Definition::Message : Definition::None, {}});
  bool several = parts.size() > 1;
  Definition definition = parts[0].definition;
  if (several)
    definition = !throws && doc.flag(e, Attr::parallelMultiple)
                     ? Definition::ParallelMultiple
                     : Definition::Multiple;
  if (behaviour->kind == BehaviourKind::Choreography &&
      position == Position::Boundary && definition == Definition::Compensation)
    return coverage.meet(place(e), describe(e),
                         Feature::CompensationInChoreography);
  if (!paired.contains(e.index()) && !meetEvent(e, position, definition))
    return false;
  bool hasMessage = llvm::any_of(parts, [](const EventPart &part) {
    return part.definition == Definition::Message;
  });
  // Message flows that it cannot have were left out before (takesMessages).
  assert(!(throws ? receives : sends).count(e.index()));
  assert(!hasFlow || hasMessage);
  (void)hasMessage;
  if (several)
    return makeMultipleEvent(e, parent, position, parts);
  return bool(makeEventNode(e, parent, position, parts[0], 0));
}

/// The node of one definition of an event, or none after an error; \p number:
/// which of its message definitions it is.
NodeId Lowering::makeEventNode(ElementId e, NodeId parent, Position position,
                               const EventPart &part, size_t number) {
  static const NodeKind kinds[] = {NodeKind::Initial, NodeKind::Catch,
                                   NodeKind::Throw, NodeKind::Boundary,
                                   NodeKind::Final};
  auto [definition, definedBy] = part;
  bool throws = position == Position::Throw || position == Position::End;
  Node node{.kind = definition == Definition::Terminate
                        ? NodeKind::Terminate
                        : kinds[static_cast<unsigned>(position)],
            .trigger = triggerOf(definition)};
  if (definition == Definition::Message) {
    auto &flows = throws ? sends : receives;
    auto found = flows.find(e.index());
    if (found != flows.end() && number < found->second.size())
      node.message = messageAt(found->second[number], throws);
    if (node.message) {
      // The message flow says it.
    } else if (behaviour->kind == BehaviourKind::Choreography) {
      if (!coverage.meet(place(e), describe(e),
                         Feature::MessageEventInChoreography))
        return {};
    } else {
      StringRef text = definedBy ? messageNameAt(definedBy, throws) : "";
      Name message =
          text.trim().empty() ? module.intern(nameOrId(e)) : tidy(text);
      node.message =
          throws ? module.getMessage(message, behaviour->owner, {}, loc(e))
                 : module.getMessage(message, {}, behaviour->owner, loc(e));
    }
  }
  if (definedBy)
    doc.forChildren(definedBy, [&](ElementId c) {
      switch (doc[c].kind) {
      case ElementKind::Condition:
        node.condition = condition(c);
        break;
      case ElementKind::TimeDate:
      case ElementKind::TimeDuration:
      case ElementKind::TimeCycle: {
        if (!doc.attribute(c, Attr::exact).empty()) {
          node.condition = exactly(c, Attr::exact);
          break;
        }
        Expr when{.op = ExprOp::Opaque,
                  .name = tidy(doc.text(doc[c].text)),
                  .loc = loc(c)};
        if (!when.name.empty())
          node.condition = module.addExpr(when);
        break;
      }
      default:
        break;
      }
    });
  if (position == Position::Boundary &&
      !doc.flag(e, Attr::cancelActivity, true))
    node.flags |= NonInterrupting;
  if (definition == Definition::Link) {
    // A pair of links is a flow that is not drawn: nothing waits or happens.
    if (node.kind == NodeKind::Throw)
      links.push_back(e);
    node.kind = NodeKind::SimpleJoin;
    node.trigger = Trigger::None;
    node.name = tidy(doc.text(linkName(e, definedBy)));
  }
  NodeId id = addNode(node, e, parent);
  if (StringRef code = codeOf(part); !code.empty())
    behaviour->attributes.push_back(
        {id, module.intern("code"), module.intern(code)});
  addUndone(e, part, id);
  if (position == Position::Boundary)
    boundaries.push_back({e, id});
  if (node.message)
    addMessageNode(e, throws, id);
  return id;
}

/// Which error or escalation an event definition means; empty: any.
StringRef Lowering::codeOf(const EventPart &part) const {
  bool isError = part.definition == Definition::Error;
  if (!part.definedBy ||
      (!isError && part.definition != Definition::Escalation))
    return {};
  ElementId at = part.definedBy;
  if (isEventDefinition(doc[at].kind) && doc[at].kind != ElementKind::Error &&
      doc[at].kind != ElementKind::Escalation) {
    Name ref =
        doc.attribute(at, isError ? Attr::errorRef : Attr::escalationRef);
    at = doc.resolve(ref);
    if (!at)
      return doc.text(ref);
  }
  StringRef code =
      doc.attributeText(at, isError ? Attr::errorCode : Attr::escalationCode);
  return code.empty() ? doc.id(at) : code;
}

/// Whether the event sub-process that \p start belongs to cannot start any more
/// when something is thrown in \p from: that is it, or one that has interrupted
/// their scope.
static bool hasEnded(const Document &doc, ElementId from, ElementId start) {
  if (!doc.flag(from, Attr::triggeredByEvent))
    return false;
  bool ended = doc[start].parent == from;
  doc.forChildren(from, [&](ElementId c) {
    ended |= doc[c].kind == ElementKind::StartEvent &&
             doc.flag(c, Attr::isInterrupting, true);
  });
  return ended;
}

/// Finds the events that throw an error, escalation or cancellation which an
/// event on an activity around them catches, and those that catch nothing else:
/// TokenNet.cpp does what BPMN says of these.
void Lowering::pairEvents() {
  struct Catcher {
    ElementId event;
    Definition definition;
    StringRef code;
    ElementId scope; ///< in which it is handled
  };
  auto onlyPart = [&](ElementId e) -> EventPart {
    EventPart found{Definition::None, {}};
    for (ElementId c = doc.firstChild(e); c; c = doc.nextChild(e, c)) {
      ElementId at = c;
      if (doc[c].kind == ElementKind::EventDefinitionRef)
        at = doc.resolve(doc[c].text);
      auto definition = at ? definitionOf(doc[at].kind) : std::nullopt;
      if (!definition)
        continue;
      if (found.definedBy)
        return {Definition::Multiple, {}};
      found = {*definition, at};
    }
    return found;
  };
  auto travels = [](Definition definition) {
    return definition == Definition::Error ||
           definition == Definition::Escalation ||
           definition == Definition::Cancel;
  };
  llvm::DenseMap<uint32_t, llvm::SmallVector<Catcher, 2>> catchers; // by host
  std::vector<std::pair<ElementId, EventPart>> throwing;
  for (uint32_t i = 0; i < doc.elements.size(); ++i) {
    ElementId e(i), host;
    ElementKind kind = doc[e].kind;
    bool throws = kind == ElementKind::EndEvent ||
                  kind == ElementKind::IntermediateThrowEvent;
    if (kind == ElementKind::BoundaryEvent)
      host = doc.resolve(doc.attribute(e, Attr::attachedToRef));
    else if (kind == ElementKind::StartEvent &&
             doc.flag(doc[e].parent, Attr::triggeredByEvent))
      host = doc[doc[e].parent].parent;
    if (!host && !throws)
      continue;
    EventPart part = onlyPart(e);
    if (!travels(part.definition))
      continue;
    if (throws)
      throwing.push_back({e, part});
    else
      catchers[host.index()].push_back(
          {e, part.definition, codeOf(part),
           kind == ElementKind::StartEvent ? host : doc[host].parent});
  }
  for (auto &[e, part] : throwing) {
    StringRef code = codeOf(part);
    bool isCaught = false;
    for (ElementId at = doc[e].parent, from = e; at && !isCaught;
         from = at, at = doc[at].parent)
      if (auto found = catchers.find(at.index()); found != catchers.end())
        for (const Catcher &by : found->second) {
          if (by.definition != part.definition ||
              (!by.code.empty() && by.code != code && !code.empty()) ||
              (by.scope == at && hasEnded(doc, from, by.event)))
            continue;
          isCaught = true;
          // An event sub-process is nearer than a boundary event.
          if (ElementId &in = caughtIn[e.index()]; !in || by.scope == at)
            in = by.scope;
          // Whatever fails may cause an error without a name.
          if (by.definition != Definition::Error || !by.code.empty())
            paired.insert(by.event.index());
        }
    if (isCaught)
      paired.insert(e.index());
  }
}

/// What a link is called: the definition's name, else the event's.
Name Lowering::linkName(ElementId e, ElementId definedBy) const {
  Name link = doc[definedBy].name;
  return link.empty() ? doc[e].name : link;
}

/// Links hold within one level, by their `source` and `target` [bpmn20,
/// 10.5.5] where they have them, else by their names. Some editors give all
/// definitions the same name, or one for all that throw and one for all that
/// catch: then the labels of the events say which are meant.
void Lowering::pairLinks() {
  using Named = std::map<std::pair<uint32_t, std::string>,
                         llvm::SmallVector<ElementId, 1>>;
  Named byLink, byLabel;
  llvm::DenseMap<uint32_t, ElementId> meant; // by definition that throws
  struct Throwing {
    ElementId event, definition;
    std::pair<uint32_t, std::string> link, label;
  };
  std::vector<Throwing> throwing;
  for (uint32_t i = 0; i < doc.elements.size(); ++i) {
    ElementId e(i), link;
    bool throws = doc[e].kind == ElementKind::IntermediateThrowEvent;
    if (!throws && doc[e].kind != ElementKind::IntermediateCatchEvent)
      continue;
    doc.forChildren(e, [&](ElementId c) {
      if (doc[c].kind == ElementKind::EventDefinitionRef)
        c = doc.resolve(doc[c].text);
      if (c && doc[c].kind == ElementKind::LinkEvent)
        link = c;
    });
    if (!link)
      continue;
    uint32_t level = doc[e].parent.index();
    doc.forChildren(link, [&](ElementId c) {
      ElementId other = doc.resolve(doc[c].text);
      if (doc[c].kind !=
              (throws ? ElementKind::LinkTarget : ElementKind::LinkSource) ||
          !other || doc[other].kind != ElementKind::LinkEvent)
        return;
      ElementId target = throws ? doc[other].parent : e;
      if (doc[target].kind == ElementKind::IntermediateCatchEvent)
        meant.try_emplace((throws ? link : other).index(), target);
    });
    Throwing names = {e,
                      link,
                      {level, tidyName(doc.text(linkName(e, link)))},
                      {level, tidyName(doc.text(doc[e].name))}};
    if (throws) {
      throwing.push_back(std::move(names));
      continue;
    }
    byLink[names.link].push_back(e);
    if (!names.label.second.empty())
      byLabel[names.label].push_back(e);
  }
  for (const Throwing &from : throwing) {
    auto &targets = linkTargets[from.event.index()];
    if (ElementId to = meant.lookup(from.definition.index());
        to && doc[to].parent == doc[from.event].parent) {
      targets = {to};
      continue;
    }
    if (auto found = byLink.find(from.link); found != byLink.end())
      targets = found->second;
    if (targets.size() == 1)
      continue;
    auto alike = byLabel.find(from.label);
    if (alike == byLabel.end() || alike->second.size() != 1 ||
        (!targets.empty() && !llvm::is_contained(targets, alike->second[0])))
      continue;
    targets = alike->second;
    linkedByLabel.insert(from.event.index());
  }
}

/// What is left of a parallel multiple event that starts or interrupts: its
/// messages. Anything else may have happened before.
static void keepMessages(Lowering::EventParts &parts) {
  auto isOther = [](const Lowering::EventPart &part) {
    return part.definition != Definition::Message;
  };
  if (llvm::all_of(parts, isOther))
    parts.truncate(1);
  else
    llvm::erase_if(parts, isOther);
}

/// Waits, after one message of a parallel multiple event has come to \p node,
/// for all others of \p parts; what comes after that.
NodeId Lowering::waitForOthers(ElementId e, NodeId node, size_t number,
                               const EventParts &parts) {
  NodeId parent = behaviour->node(node).parent;
  auto add = [&](NodeKind kind) {
    Node gateway{.kind = kind, .loc = loc(e)};
    return addNode(gateway, ElementId(), parent);
  };
  NodeId split = add(NodeKind::AllSelect), join = add(NodeKind::AllJoin);
  NodeId merge = add(NodeKind::SimpleJoin); // for twins of the node
  addFlow(node, merge, loc(e));
  addFlow(merge, split, loc(e));
  for (size_t i = 0; i < parts.size(); ++i)
    if (i != number) {
      NodeId other = makeEventNode(e, parent, Position::Catch, parts[i], i);
      addMessageFlows(e, /*isSource=*/false, other, i, parts.size());
      addFlow(split, other, loc(e));
      addFlow(other, join, loc(e));
    }
  return join;
}

/// An event with several definitions: one of them is enough to catch, start or
/// interrupt, or it waits for all of them (parallel); all of them are thrown,
/// in any order.
bool Lowering::makeMultipleEvent(ElementId e, NodeId parent, Position position,
                                 EventParts parts) {
  bool throws = position == Position::Throw || position == Position::End;
  bool all = throws || doc.flag(e, Attr::parallelMultiple);
  bool waits = !throws && all && position != Position::Catch;
  for (const EventPart &part : parts) {
    if (part.definition == Definition::Link)
      return coverage.meet(place(e), describe(e), Feature::LinkAmongOthers);
    if (!meetEvent(e, position, part.definition))
      return false;
  }
  auto add = [&](NodeKind kind) {
    Node node{.kind = kind, .loc = loc(e)};
    return addNode(node, ElementId(), parent);
  };
  if (waits) {
    constexpr size_t maxMessages = 30; // each of them stands beside each other
    keepMessages(parts);
    if (parts.size() > maxMessages)
      return coverage.meet(place(e), describe(e), Feature::ManyTriggers);
    if (parts.size() > 1 &&
        !coverage.meet(place(e), describe(e), Feature::ParallelTriggers))
      return false;
    all = false;
  }
  llvm::SmallVector<NodeId, 4> made;
  size_t messages = 0, numMessages = 0;
  for (const EventPart &part : parts)
    numMessages += part.definition == Definition::Message;
  bool terminates = false, started = false;
  for (const EventPart &part : parts) {
    bool isMessage = part.definition == Definition::Message;
    terminates |= part.definition == Definition::Terminate;
    // The other ends are as a none end, and any of the other starts may be the
    // one that comes; a part of a process starts once.
    if (position == Position::End && !isMessage)
      continue;
    if (position == Position::Start) {
      if (started && (!isMessage || parent ||
                      behaviour->kind == BehaviourKind::Choreography))
        continue;
      started |= !isMessage || parent ||
                 behaviour->kind == BehaviourKind::Choreography;
    }
    NodeId node = makeEventNode(
        e, parent, position == Position::End ? Position::Throw : position, part,
        messages);
    if (!node)
      return false;
    if (isMessage)
      addMessageFlows(e, throws, node, messages++, numMessages);
    made.push_back(node);
  }
  NodeId entry, exit;
  if (made.size() == 1) {
    entry = exit = made[0];
  } else if (!made.empty()) {
    exit = add(all ? NodeKind::AllJoin : NodeKind::SimpleJoin);
    if (position == Position::Start || position == Position::Boundary)
      entry = made[0];
    else
      entry = add(all ? NodeKind::AllSelect : NodeKind::EventChoice);
    for (size_t i = 0; i < made.size(); ++i) {
      if (entry != made[0])
        addFlow(entry, made[i], loc(e));
      addFlow(waits ? waitForOthers(e, made[i], i, parts) : made[i], exit,
              loc(e));
    }
  }
  if (position == Position::End) {
    NodeId end = add(terminates ? NodeKind::Terminate : NodeKind::Final);
    if (exit)
      addFlow(exit, end, loc(e));
    entry = entry ? entry : end;
    exit = end;
  }
  madeNodes.push_back(e);
  nodesOf[e.index()] = {entry, exit};
  return true;
}

/// Gives the node of the message definition \p number its message flow; the
/// last one has what is left.
void Lowering::addMessageFlows(ElementId e, bool isSource, NodeId node,
                               size_t number, size_t numMessages) {
  auto &flows = isSource ? sends : receives;
  auto found = flows.find(e.index());
  if (found == flows.end())
    return;
  size_t size = found->second.size();
  size_t end = number + 1 == numMessages ? size : std::min(number + 1, size);
  for (size_t f = number; f < end; ++f)
    addMessageNode(found->second[f], isSource, node);
}

void Lowering::addMessageNode(ElementId e, bool isSource, NodeId node) {
  messageNodes[messageEnd(e, isSource)].push_back({behaviourId, node});
}

bool Lowering::attachBoundaries() {
  bool good = true;
  for (auto [e, id] : boundaries) {
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
    Node &boundary = behaviour->node(id);
    boundary.attachedTo = node;
    // Some tools put the event into the sub-process that it is attached to.
    boundary.parent = behaviour->node(node).parent;
  }
  return good;
}
