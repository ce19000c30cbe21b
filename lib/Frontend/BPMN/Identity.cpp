//===- Identity.cpp - Which participants and messages are the same --------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Decides what is one thing and what are two if the names of a file are
/// ambiguous.
///
/// Participants of a choreography: many exporters write an id for every band,
/// so participants of one name are one participant. Only where one task names
/// two ids of the same name are these two participants.
///
/// Message flows: a name that the file gives (of the flow, of its message, or
/// of the message that an end refers to) is the message's name, and flows of
/// one name between two pools carry the same message. A name that is derived
/// from the label of an end identifies nothing: a message flow is then
/// identified by its id. A node that sends gives its message to each of its
/// flows, and nodes whose flows end at the same nodes cannot be distinguished
/// by the receivers; in every other collision each flow has its own message.
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "cif/Support/Diagnostics/Bpmn.h"
#include "llvm/ADT/MapVector.h"
#include <map>
#include <tuple>

using namespace cif;
using namespace cif::bpmn;

void Lowering::separateParticipants() {
  auto nameOf = [&](ElementId e) {
    return separate.contains(e.index()) ? std::string() : nameOrId(e);
  };
  llvm::SmallVector<ElementId, 4> members;
  for (size_t i = 0; i < doc.elements.size(); ++i) {
    if (doc.elements[i].kind != ElementKind::ChoreographyTask)
      continue;
    ElementId task(i);
    members.clear();
    doc.forChildren(task, [&](ElementId c) {
      if (doc[c].kind != ElementKind::ParticipantRef &&
          doc[c].kind != ElementKind::ParticipantRefs)
        return;
      ElementId member = doc.resolve(doc[c].text);
      if (member && doc[member].kind == ElementKind::Participant &&
          !llvm::is_contained(members, member))
        members.push_back(member);
    });
    if (members.size() < 2)
      continue;
    // The one that was declared first keeps the name.
    llvm::sort(members);
    llvm::StringMap<ElementId> first;
    for (ElementId member : members) {
      std::string text = nameOf(member);
      if (text.empty())
        continue;
      auto [other, isNew] = first.try_emplace(text, member);
      if (isNew)
        continue;
      separate.insert(member.index());
      diags.report(place(task), diag::bpmn_same_participant)
              .note(place(other->second), "the other one")
          << describe(task) << text << participantText(member);
    }
  }
}

std::string Lowering::participantText(ElementId e) const {
  std::string text = nameOrId(e);
  if (separate.contains(e.index()))
    text += " (" + idOrPlace(e) + ")";
  return text;
}

std::string Lowering::messageFlowName(const FlowEnds &ends, bool &derived) {
  std::string text;
  auto take = [&](StringRef candidate) {
    if (text.empty())
      text = tidyName(candidate);
  };
  take(doc.text(doc[ends.flow].name));
  if (ElementId m = doc.resolve(doc.attribute(ends.flow, Attr::messageRef)))
    take(doc.text(doc[m].name));
  if (ends.source.node)
    take(ownMessageName(ends.source.node, true));
  if (ends.target.node)
    take(ownMessageName(ends.target.node, false));
  derived = text.empty();
  if (ends.source.node)
    take(doc.text(doc[ends.source.node].name));
  if (ends.target.node)
    take(doc.text(doc[ends.target.node].name));
  take(idOrPlace(ends.flow));
  return text;
}

namespace {
/// Message flows that the label of an end names alike, between two pools.
using SameName = std::tuple<std::string, uint32_t, uint32_t>;
struct Alike {
  bool isGiven = false;           ///< the file itself gives a message this name
  std::vector<uint32_t> derived;  ///< in flowEnds
  std::vector<uint32_t> messages; ///< of each: the flow that names its message
  bool differ = false;
};
} // namespace

/// Finds out which of them carry the same message.
template <class FlowEnds>
static void tellApart(Alike &alike, ArrayRef<FlowEnds> ends) {
  // By who sends: a node, or the flow itself where it leaves a pool.
  llvm::MapVector<uint32_t, std::vector<uint32_t>> bySender;
  for (uint32_t f : alike.derived)
    bySender[ends[f].source.node ? ends[f].source.node.index()
                                 : ends[f].flow.index()]
        .push_back(f);
  std::map<std::vector<uint32_t>, uint32_t> byTargets;
  llvm::DenseMap<uint32_t, uint32_t> messageOf;
  for (auto &[sender, flows] : bySender) {
    std::vector<uint32_t> targets;
    for (uint32_t f : flows)
      targets.push_back(ends[f].target.node ? ends[f].target.node.index() : 0);
    llvm::sort(targets);
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    uint32_t first =
        byTargets.try_emplace(std::move(targets), flows.front()).first->second;
    for (uint32_t f : flows)
      messageOf[f] = first;
  }
  for (uint32_t f : alike.derived)
    alike.messages.push_back(messageOf[f]);
  alike.differ = byTargets.size() > 1;
}

void Lowering::nameMessageFlows() {
  std::map<SameName, Alike> groups;
  std::vector<std::string> texts(flowEnds.size());
  for (uint32_t f = 0; f < flowEnds.size(); ++f) {
    bool derived = false;
    texts[f] = messageFlowName(flowEnds[f], derived);
    Alike &alike = groups[{texts[f], flowEnds[f].source.participant.raw(),
                           flowEnds[f].target.participant.raw()}];
    if (derived)
      alike.derived.push_back(f);
    else
      alike.isGiven = true;
  }
  for (auto &[key, alike] : groups) {
    tellApart(alike, ArrayRef<FlowEnds>(flowEnds));
    if (!alike.differ && !(alike.isGiven && !alike.derived.empty()))
      continue;
    std::string text = std::get<0>(key);
    for (size_t i = 0; i < alike.derived.size(); ++i)
      texts[alike.derived[i]] =
          text + " (" + idOrPlace(flowEnds[alike.messages[i]].flow) + ")";
    ElementId first = flowEnds[alike.derived.front()].flow;
    auto report = diags.report(place(first), diag::bpmn_same_message);
    report << describe(first) << text << texts[alike.derived.front()];
    for (size_t i = 1; i < alike.derived.size() && i < 10; ++i)
      report.note(place(flowEnds[alike.derived[i]].flow),
                  "this one carries '" + texts[alike.derived[i]] + "'");
  }
  // In the file's order, which is the order of the messages.
  for (uint32_t f = 0; f < flowEnds.size(); ++f)
    addMessage(flowEnds[f], texts[f]);
}

void Lowering::addMessage(FlowEnds &ends, StringRef text) {
  ParticipantId sender = ends.source.participant;
  ParticipantId receiver = ends.target.participant;
  ends.message =
      module.getMessage(module.intern(text), sender, receiver, loc(ends.flow));
  // Of several partners the first one's stands at the node itself.
  messageOf.try_emplace({messageEnd(ends.flow, true), sender.raw()},
                        ends.message);
  messageOf.try_emplace({messageEnd(ends.flow, false), receiver.raw()},
                        ends.message);
}
