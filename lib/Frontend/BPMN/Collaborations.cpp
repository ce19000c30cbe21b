//===- Collaborations.cpp - Pools and message flows -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Participants, by name, and message flows: each has a message, named by the
/// flow, else by the message that it refers to, else by what its ends refer to,
/// else by the node that sends or receives it (Identity.cpp).
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "cif/Support/Diagnostics/Bpmn.h"
#include "llvm/ADT/MapVector.h"

using namespace cif;
using namespace cif::bpmn;

ParticipantId Lowering::makeParticipant(Name participantName, ElementId e) {
  size_t before = module.participants.size();
  ParticipantId id = module.getParticipant(participantName, loc(e));
  ElementId many = doc[e].kind == ElementKind::Participant
                       ? doc.child(e, ElementKind::ParticipantMultiplicity)
                       : ElementId();
  if (!many)
    return id;
  // [BPMN 2.0, table 9.5]: 0..1 where nothing is said.
  uint32_t minimum = 0, maximum = 1;
  (void)doc.attributeText(many, Attr::minimum).getAsInteger(10, minimum);
  (void)doc.attributeText(many, Attr::maximum).getAsInteger(10, maximum);
  maximum = std::max({maximum, minimum, 1u});
  Participant &p = module.participants[id.index()];
  if (module.participants.size() > before) {
    p.minimum = minimum;
    p.maximum = maximum;
  } else {
    p.minimum = std::min(p.minimum, minimum);
    p.maximum = std::max(p.maximum, maximum);
  }
  if (maximum > 1)
    // Kept, and whatever strict says is said by the checks that need it.
    coverage.meet(place(many), describe(e), Feature::Multiplicity);
  return id;
}

ParticipantId Lowering::participant(ElementId e) {
  if (auto played = cast.find(e.index()); played != cast.end())
    return played->second;
  auto known = participants.find(e.index());
  if (known != participants.end())
    return known->second;
  ParticipantId id = makeParticipant(module.intern(participantText(e)), e);
  participants[e.index()] = id;
  return id;
}

bool Lowering::lowerParticipants() {
  bool good = true;
  for (ElementId collaboration : collaborations) {
    // Two pools of one name in a collaboration are two participants.
    llvm::DenseMap<uint32_t, ElementId> poolOfName;
    for (ElementId e = doc.firstChild(collaboration); e;
         e = doc.nextChild(collaboration, e)) {
      if (doc[e].kind != ElementKind::Participant)
        continue;
      std::string text = nameOrId(e);
      Name poolName = module.intern(text);
      auto [first, isNew] = poolOfName.try_emplace(poolName.index(), e);
      if (isNew) {
        participant(e);
      } else {
        std::string other = text + " (" + idOrPlace(e) + ")";
        diags.report(place(e), diag::bpmn_same_pool)
                .note(place(first->second), "the other pool")
            << text << other;
        participants[e.index()] = makeParticipant(module.intern(other), e);
      }
      Name ref = doc.attribute(e, Attr::processRef);
      if (ref.empty())
        continue;
      ElementId process = doc.resolve(ref);
      if (!process) // kept elsewhere: as good as a black box
        continue;
      if (doc[process].kind != ElementKind::Process) {
        good = dangling(e, "processRef", ref, "a process");
        continue;
      }
      auto &those = poolsOf[process.index()];
      if (!those.empty() && pools[those.front()].collaboration != collaboration)
        continue;
      if (!those.empty())
        good &= coverage.meet(place(e), describe(e), Feature::SharedProcess);
      those.push_back(static_cast<uint32_t>(pools.size()));
      pools.push_back({e, process, collaboration, participants[e.index()]});
    }
  }
  return good;
}

/// Who has an instance of a process of its own.
llvm::SmallVector<ParticipantId, 1> Lowering::ownersOf(ElementId process) {
  llvm::SmallVector<ParticipantId, 1> owners;
  if (auto those = poolsOf.find(process.index()); those != poolsOf.end())
    for (uint32_t pool : those->second)
      owners.push_back(pools[pool].id);
  else
    owners.push_back(participant(process));
  return owners;
}

/// A called process without a pool runs in those of its callers, which are
/// handed down until nothing changes.
void Lowering::findCallers() {
  if (calls.empty())
    return;
  llvm::DenseMap<uint32_t, llvm::SmallVector<ElementId, 2>> called; // by root
  for (auto [process, call] : calls) {
    if (!poolsOf.count(process.index()))
      called[rootOf(call).index()].push_back(process);
  }
  std::vector<std::pair<ElementId, ParticipantId>> work;
  auto handDown = [&](ElementId from, ParticipantId id) {
    auto found = called.find(from.index());
    if (found == called.end())
      return;
    for (ElementId process : found->second) {
      auto &callers = callersOf[process.index()];
      if (callers.size() > maxCallers || llvm::is_contained(callers, id))
        continue;
      callers.push_back(id);
      work.push_back({process, id});
    }
  };
  for (ElementId process : processes)
    for (ParticipantId owner : ownersOf(process))
      handDown(process, owner);
  while (!work.empty()) {
    auto [process, id] = work.back();
    work.pop_back();
    handDown(process, id);
  }
}

/// Participants of choreographies stand in the order of their declarations.
void Lowering::declareParticipants() {
  std::vector<bool> used(doc.elements.size());
  for (size_t i = 0; i < doc.elements.size(); ++i) {
    const Element &e = doc.elements[i];
    if (e.kind == ElementKind::ParticipantRef ||
        e.kind == ElementKind::ParticipantRefs)
      if (ElementId participant = doc.resolve(e.text))
        used[participant.index()] = true;
  }
  for (ElementId choreography : choreographies)
    doc.forChildren(choreography, [&](ElementId e) {
      if (doc[e].kind == ElementKind::Participant && used[e.index()])
        participant(e);
    });
}

StringRef Lowering::ownMessageName(ElementId e, bool outgoing) {
  auto [entry, isNew] =
      ownMessages.try_emplace(messageEnd(e, outgoing), StringRef());
  if (isNew)
    entry->second = findOwnMessage(e, outgoing);
  return entry->second;
}

StringRef Lowering::findOwnMessage(ElementId e, bool outgoing) {
  ElementId at = e;
  if (!isActivity(doc[e].kind)) {
    at = ElementId();
    for (ElementId c = doc.firstChild(e); c; c = doc.nextChild(e, c)) {
      if (doc[c].kind == ElementKind::MessageEvent)
        at = c;
      else if (doc[c].kind == ElementKind::EventDefinitionRef)
        if (ElementId d = doc.resolve(doc[c].text);
            d && (doc[d].kind == ElementKind::MessageEvent ||
                  doc[d].kind == ElementKind::Message))
          at = d;
    }
    if (!at)
      return {};
  }
  return messageNameAt(at, outgoing);
}

StringRef Lowering::messageNameAt(ElementId at, bool outgoing) {
  auto nameOf = [&](Name ref) {
    ElementId message = doc.resolve(ref);
    if (!message || doc[message].kind != ElementKind::Message)
      return StringRef();
    const Element &m = doc[message];
    return doc.text(m.name.empty() ? m.id : m.name);
  };
  if (doc[at].kind == ElementKind::Message) // a definition that refers to it
    return nameOf(doc[at].id);
  if (StringRef text = nameOf(doc.attribute(at, Attr::messageRef));
      !text.trim().empty())
    return text;
  Name operationRef = doc.attribute(at, Attr::operationRef);
  if (ElementId child = doc.child(at, ElementKind::OperationRef))
    operationRef = doc[child].text;
  ElementId operation = doc.resolve(operationRef);
  if (!operation || doc[operation].kind != ElementKind::Operation)
    return {};
  // The caller of an operation sends its input.
  ElementId ref = doc.child(operation, outgoing ? ElementKind::InMessageRef
                                                : ElementKind::OutMessageRef);
  return ref ? nameOf(doc[ref].text) : StringRef();
}

Lowering::FlowEnd Lowering::flowEnd(ElementId flow, Attr which) {
  FlowEnd end;
  ElementId e = doc.resolve(doc.attribute(flow, which));
  if (!e)
    return end;
  if (doc[e].kind == ElementKind::Participant) {
    end.participant = participant(e);
    end.resolved = true;
    return end;
  }
  // A lane or a process stands for its pool.
  ElementId process = e;
  if (strays.contains(e.index())) // a boundary event is where its activity is
    process = doc.resolve(doc.attribute(e, Attr::attachedToRef));
  while (process && doc[process].kind != ElementKind::Process)
    process = doc[process].parent;
  if (!process)
    return end;
  if (isFlowNode(doc[e].kind)) {
    end.node = e;
  } else if (e != process && doc[e].kind != ElementKind::Lane) {
    return end;
  }
  auto callers = callersOf.find(process.index());
  end.sharedBy =
      callers != callersOf.end() ? callers->second : ownersOf(process);
  end.participant = end.sharedBy.front();
  end.resolved = true;
  return end;
}

/// Whether a node cannot have a message flow, and why.
std::optional<Feature>
Lowering::cannotHave(ElementId node, bool outgoing,
                     const llvm::DenseSet<uint32_t> &receiving) const {
  if (!node) // a pool
    return std::nullopt;
  switch (ElementKind kind = doc[node].kind) {
  case ElementKind::ExclusiveGateway:
  case ElementKind::ParallelGateway:
  case ElementKind::InclusiveGateway:
  case ElementKind::EventBasedGateway:
  case ElementKind::ComplexGateway:
    return Feature::MessageFlowMisplaced;
  case ElementKind::SubProcess:
  case ElementKind::Transaction:
  case ElementKind::CallActivity:
    // Without content it is an activity like any other.
    if (ElementId content = contentOf(node); content && hasNodes(content))
      return Feature::MessageFlowToScope;
    return std::nullopt;
  default:
    if (isActivity(kind) ||
        takesMessages(node, outgoing, receiving.contains(node.index())))
      return std::nullopt;
    return Feature::MessageFlowMisplaced;
  }
}

/// Whether a node says of itself that it sends (or receives) a message.
bool Lowering::isForMessages(ElementId node, bool outgoing) const {
  switch (doc[node].kind) {
  case ElementKind::SendTask:
    return outgoing;
  case ElementKind::ReceiveTask:
    return !outgoing;
  case ElementKind::IntermediateThrowEvent:
  case ElementKind::EndEvent:
    return outgoing && doc.child(node, ElementKind::MessageEvent);
  case ElementKind::IntermediateCatchEvent:
  case ElementKind::BoundaryEvent:
  case ElementKind::StartEvent:
    return !outgoing && doc.child(node, ElementKind::MessageEvent);
  default:
    return false;
  }
}

/// A message flow at the border of a sub-process means one of the nodes inside.
/// Which one is plain where one is called like the flow, or where one flow
/// there and one node inside have no partner.
bool Lowering::readBorderFlows(std::vector<FlowEnds> &found) {
  bool good = true;
  for (bool outgoing : {true, false}) {
    auto endOf = [&](FlowEnds &ends) -> FlowEnd & {
      return outgoing ? ends.source : ends.target;
    };
    llvm::DenseSet<uint32_t> taken;
    llvm::MapVector<uint32_t, std::vector<FlowEnds *>> atBorder;
    for (FlowEnds &ends : found) {
      ElementId node = endOf(ends).node;
      if (!node)
        continue;
      taken.insert(node.index());
      if (ElementKind kind = doc[node].kind;
          (kind == ElementKind::SubProcess ||
           kind == ElementKind::Transaction) &&
          hasNodes(node))
        atBorder[node.index()].push_back(&ends);
    }
    for (auto &[scope, flows] : atBorder) {
      std::vector<ElementId> open;
      for (uint32_t i = scope + 1; i < doc[ElementId(scope)].end; ++i)
        if (isForMessages(ElementId(i), outgoing) && !taken.contains(i))
          open.push_back(ElementId(i));
      auto isCalled = [&](ElementId node, const FlowEnds *ends) {
        std::string text = tidyName(doc.text(doc[ends->flow].name));
        if (text.empty())
          text = tidyName(messageNameAt(ends->flow, outgoing));
        return !text.empty() &&
               (text == tidyName(ownMessageName(node, outgoing)) ||
                text == tidyName(doc.text(doc[node].name)));
      };
      size_t numFlows = flows.size(), numOpen = open.size();
      for (FlowEnds *ends : flows) {
        ElementId chosen;
        unsigned alike = 0;
        for (ElementId node : open)
          if (isCalled(node, ends)) {
            chosen = node;
            ++alike;
          }
        if (alike != 1)
          chosen = numFlows == 1 && numOpen == 1 ? open[0] : ElementId();
        if (!chosen)
          continue; // told as left out
        good &= coverage.meet(place(ends->flow), describe(ends->flow),
                              Feature::MessageFlowIntoScope);
        endOf(*ends).node = chosen;
      }
    }
  }
  return good;
}

bool Lowering::lowerMessageFlows() {
  bool good = true;
  auto leaveOut = [&](ElementId e, Feature why) {
    good &= coverage.meet(place(e), describe(e), why);
  };
  std::vector<FlowEnds> found;
  llvm::DenseSet<uint32_t> receiving;
  for (ElementId collaboration : collaborations) {
    for (ElementId e = doc.firstChild(collaboration); e;
         e = doc.nextChild(collaboration, e)) {
      if (doc[e].kind != ElementKind::MessageFlow)
        continue;
      if (diags.tooManyErrors())
        return false;
      FlowEnd source = flowEnd(e, Attr::sourceRef);
      FlowEnd target = flowEnd(e, Attr::targetRef);
      if (std::max(source.sharedBy.size(), target.sharedBy.size()) >
          maxCallers) {
        good = misuse(e, Rule::SharedMessageFlow);
      } else if (!source.resolved || !target.resolved) {
        good &= coverage.meet(place(e), describe(e),
                              Feature::MessageFlowWithoutEnd, danglingHint(e));
      } else if (source.owners().size() == 1 && target.owners().size() == 1 &&
                 source.participant == target.participant) {
        leaveOut(e, Feature::InnerMessageFlow);
      } else {
        found.push_back({e, source, target});
      }
    }
  }
  good &= readBorderFlows(found);
  for (const FlowEnds &ends : found)
    if (ends.target.node)
      receiving.insert(ends.target.node.index());
  for (const FlowEnds &ends : found) {
    std::optional<Feature> why =
        cannotHave(ends.source.node, /*outgoing=*/true, receiving);
    if (!why)
      why = cannotHave(ends.target.node, /*outgoing=*/false, receiving);
    if (why) {
      leaveOut(ends.flow, *why);
      continue;
    }
    if (ends.source.node)
      sends[ends.source.node.index()].push_back(ends.flow);
    if (ends.target.node)
      receives[ends.target.node.index()].push_back(ends.flow);
    if (!addFlowEnds(ends))
      return false;
  }
  nameMessageFlows();
  return good;
}

/// A message flow at a process that several participants have is one for each
/// of them.
bool Lowering::addFlowEnds(const FlowEnds &ends) {
  for (ParticipantId sender : ends.source.owners())
    for (ParticipantId receiver : ends.target.owners()) {
      if (sender == receiver)
        continue;
      FlowEnds &one = flowEnds.emplace_back(ends);
      one.source.participant = sender;
      one.target.participant = receiver;
    }
  if (flowEnds.size() > std::max<size_t>(maxSharedFlows, doc.elements.size())) {
    diags.report(place(ends.flow), diag::bpmn_too_large)
        << "copies for participants that share a process have more than 100000 "
           "message flows";
    return false;
  }
  return true;
}

void Lowering::emitMessageFlows() {
  llvm::DenseMap<uint32_t, BehaviourId> processOf; // by participant
  for (size_t i = module.behaviours.size(); i-- > 0;)
    if (module.behaviours[i].kind == BehaviourKind::Process &&
        module.behaviours[i].owner)
      processOf[module.behaviours[i].owner.raw()] = BehaviourId(i);
  for (const FlowEnds &ends : flowEnds) {
    // The border of a pool is open; a process that is written as a whole has
    // nothing there that sends or receives. A flow that was drawn anew between
    // two nodes since then is one like others.
    if (doc.flag(ends.flow, Attr::unmatched) &&
        !(ends.source.node && ends.target.node))
      continue;
    auto nodesAt = [&](const FlowEnd &end, bool isSource) {
      llvm::SmallVector<NodeRef, 2> nodes;
      if (end.node)
        for (ElementId by : {ends.flow, end.node})
          if (auto found = messageNodes.find(messageEnd(by, isSource));
              found != messageNodes.end()) {
            llvm::copy_if(
                found->second, std::back_inserter(nodes),
                [&](const NodeRef &at) {
                  return module.behaviours[at.behaviour.index()].owner ==
                         end.participant;
                });
            break;
          }
      return nodes;
    };
    auto place = [&](const FlowEnd &end, ArrayRef<NodeRef> nodes, size_t number,
                     BehaviourId &b, NodeId &node) {
      if (!nodes.empty()) {
        const NodeRef &at = nodes[std::min(number, nodes.size() - 1)];
        b = at.behaviour;
        node = at.node;
      } else if (auto process = processOf.find(end.participant.raw());
                 process != processOf.end()) {
        b = process->second;
      }
    };
    auto sources = nodesAt(ends.source, true);
    auto targets = nodesAt(ends.target, false);
    // Each place of a node that stands in several has the flow.
    size_t count = std::max<size_t>({sources.size(), targets.size(), 1});
    for (size_t i = 0; i < count; ++i) {
      MessageFlow flow{.message = ends.message};
      flow.loc = loc(ends.flow);
      place(ends.source, sources, i, flow.sourceBehaviour, flow.sourceNode);
      place(ends.target, targets, i, flow.targetBehaviour, flow.targetNode);
      module.messageFlows.push_back(flow);
    }
  }
}
