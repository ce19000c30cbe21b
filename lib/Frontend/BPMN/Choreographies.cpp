//===- Choreographies.cpp - Choreography tasks to interactions ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A choreography task is an exchange between its initiating participant and
/// the other one; with a message flow back, there and back. Files disagree with
/// themselves in known ways: message flows in any order, without ends, without
/// messages; initiators that are not among the participants. The initiating
/// participant is what the diagram shows, so it decides who sends first.
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "cif/Support/Diagnostics/Bpmn.h"
#include "llvm/ADT/SmallVector.h"

using namespace cif;
using namespace cif::bpmn;

/// Who takes part in a choreography task, and by which message flows.
struct Lowering::TaskParties {
  struct Ends {
    ElementId flow;
    ParticipantId from, to; ///< where they are participants
  };
  llvm::SmallVector<ParticipantId, 2> members;
  llvm::SmallVector<Ends, 2> ends; ///< of its message flows
  ParticipantId initiator, other;
  ElementId there, back; ///< message flows

  void addMember(ParticipantId id) {
    if (!llvm::is_contained(members, id))
      members.push_back(id);
  }
};

/// Reads what the task refers to.
bool Lowering::readParties(ElementId e, TaskParties &parties) {
  bool good = true;
  auto isList = [&](ElementKind kind) {
    unsigned count = 0;
    doc.forChildren(e, [&](ElementId c) { count += doc[c].kind == kind; });
    return count > 1;
  };
  // One that leads nowhere is left out where there are others.
  auto nothingAt = [&](ElementId c, StringRef text, StringRef expected) {
    return isList(doc[c].kind) ? coverage.meet(place(c), describe(e),
                                               Feature::DanglingReference)
                               : dangling(e, text, doc[c].text, expected);
  };
  llvm::SmallVector<ElementId, 2> flows;
  for (ElementId c = doc.firstChild(e); c; c = doc.nextChild(e, c)) {
    ElementKind kind = doc[c].kind;
    if (kind == ElementKind::ParticipantRef ||
        kind == ElementKind::ParticipantRefs) {
      ElementId member = doc.resolve(doc[c].text);
      if (!member || doc[member].kind != ElementKind::Participant)
        good &= nothingAt(c, "participantRef", "a participant");
      else
        parties.addMember(participant(member));
    } else if (kind == ElementKind::MessageFlowRef) {
      ElementId flow = doc.resolve(doc[c].text);
      if (!flow || doc[flow].kind != ElementKind::MessageFlow)
        good &= nothingAt(c, "messageFlowRef", "a message flow");
      else
        flows.push_back(flow);
    }
  }
  if (Name ref = doc.attribute(e, Attr::initiatingParticipantRef);
      !ref.empty()) {
    ElementId element = doc.resolve(ref);
    if (!element || doc[element].kind != ElementKind::Participant)
      good = dangling(e, "initiatingParticipantRef", ref, "a participant");
    else
      parties.initiator = participant(element);
  }
  if (!good)
    return false;
  for (ElementId flow : flows) {
    auto end = [&](Attr which) {
      ElementId element = doc.resolve(doc.attribute(flow, which));
      return element && doc[element].kind == ElementKind::Participant
                 ? participant(element)
                 : ParticipantId();
    };
    parties.ends.push_back({flow, end(Attr::sourceRef), end(Attr::targetRef)});
  }
  return true;
}

/// Finds who initiates, and the other one: who the initiator's message goes
/// to, else the first other.
bool Lowering::findPartners(ElementId e, TaskParties &parties) {
  auto &[members, ends, initiator, other, there, back] = parties;
  if (initiator && !members.empty() &&
      !llvm::is_contained(members, initiator)) {
    diags.report(place(e), diag::bpmn_initiator)
        << describe(e) << module.participantName(initiator)
        << module.participantName(members.front());
    initiator = members.front();
  }
  if (!initiator && !ends.empty())
    initiator = ends.front().from;
  if (!initiator && !members.empty())
    initiator = members.front();
  if (members.empty()) // some tools leave them out: the flows know
    for (const TaskParties::Ends &f : ends)
      for (ParticipantId id : {f.from, f.to})
        if (id)
          parties.addMember(id);
  for (const TaskParties::Ends &f : ends)
    if (f.from == initiator && f.to && f.to != initiator && !other)
      other = f.to;
  for (const TaskParties::Ends &f : ends)
    if (f.to == initiator && f.from && f.from != initiator && !other)
      other = f.from;
  for (ParticipantId id : members)
    if (id != initiator && !other)
      other = id;
  if (!initiator || !other) {
    diags.report(place(e), diag::bpmn_participants)
        << describe(e) << members.size();
    return false;
  }
  return members.size() <= 2 ||
         coverage.meet(place(e), describe(e), Feature::ManyParticipants);
}

/// Finds which message flow goes there, and which comes back.
bool Lowering::findMessageFlows(ElementId e, TaskParties &parties) {
  auto &[members, ends, initiator, other, there, back] = parties;
  unsigned extra = 0;
  for (const TaskParties::Ends &f : ends) {
    bool returns = f.to == initiator || f.from == other;
    bool goes = f.from == initiator || f.to == other;
    if (goes == returns) // no ends, or contradictory ones: by order
      returns = bool(there);
    ElementId &slot = returns ? back : there;
    if (slot)
      ++extra;
    else
      slot = f.flow;
  }
  if (extra && !coverage.meet(place(e), describe(e), Feature::ManyMessages))
    return false;
  if (!there && back) {
    diags.report(place(e), diag::bpmn_only_reply)
        << describe(e) << module.participantName(initiator);
    std::swap(there, back);
  }
  return true;
}

bool Lowering::makeInteraction(ElementId e, NodeId parent) {
  TaskParties parties;
  if (!readParties(e, parties) || !findPartners(e, parties) ||
      !findMessageFlows(e, parties))
    return false;
  std::string taskName = nameOrId(e);
  auto message = [&](ElementId flow, ParticipantId from, ParticipantId to) {
    StringRef text;
    if (flow) {
      text = doc.text(doc[flow].name);
      if (text.trim().empty())
        if (ElementId m = doc.resolve(doc.attribute(flow, Attr::messageRef)))
          text = doc.text(doc[m].name);
    }
    std::string tidy = tidyName(text);
    Name messageName = module.intern(tidy.empty() ? taskName : tidy);
    return module.getMessage(messageName, from, to, loc(flow ? flow : e));
  };
  Node node;
  node.kind = NodeKind::Interaction;
  node.message = message(parties.there, parties.initiator, parties.other);
  if (parties.back)
    node.reply = message(parties.back, parties.other, parties.initiator);
  readLoop(e, node);
  addNode(node, e, parent);
  return true;
}
