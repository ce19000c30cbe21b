//===- Module.cpp - The choreography intermediate format ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Module.h"
#include "cif/IR/Names.h"
#include "llvm/Support/MathExtras.h"

using namespace cif;

StringRef cif::nodeKindText(NodeKind kind) {
  static const char *const texts[] = {
#define CIF_NODE_KIND(NAME, TEXT, TRAITS, DESCRIPTION) TEXT,
#include "cif/IR/NodeKinds.def"
  };
  return texts[static_cast<unsigned>(kind)];
}

StringRef cif::triggerText(Trigger trigger) {
  static const char *const texts[] = {"none",        "message",  "timer",
                                      "signal",      "error",    "escalation",
                                      "conditional", "link",     "compensation",
                                      "cancel",      "multiple", "race"};
  return texts[static_cast<unsigned>(trigger)];
}

StringRef cif::loopKindText(LoopKind kind) {
  static const char *const texts[] = {"none", "standard", "multi-sequence",
                                      "multi-parallel"};
  return texts[static_cast<unsigned>(kind)];
}

StringRef cif::behaviourKindText(BehaviourKind kind) {
  static const char *const texts[] = {"choreography", "process", "controller"};
  return texts[static_cast<unsigned>(kind)];
}

StringRef cif::systemRoleText(SystemRole role) {
  static const char *const texts[] = {"plain", "choreography", "peer",
                                      "composition", "controller"};
  return texts[static_cast<unsigned>(role)];
}

//===----------------------------------------------------------------------===//
// Look-up
//===----------------------------------------------------------------------===//

static uint32_t mix(uint32_t a, uint32_t b, uint32_t c) {
  uint64_t h = a * 0x9e3779b97f4a7c15ull;
  h = (h ^ (h >> 29) ^ b) * 0xbf58476d1ce4e5b9ull;
  h = (h ^ (h >> 32) ^ c) * 0x94d049bb133111ebull;
  return static_cast<uint32_t>(h >> 32);
}

static uint32_t hashOf(const Participant &p) {
  return mix(p.name.index(), 0, 0);
}
static uint32_t hashOf(const Message &m) {
  return mix(m.name.index(), m.sender.raw(), m.receiver.raw());
}

/// Brings an open-addressing table over \p items up to date. The first of equal
/// items wins.
template <class Items>
static void updateIndex(const Items &items, std::vector<uint32_t> &slots,
                        size_t &indexed) {
  if (indexed > items.size()) { // something was taken away: start anew
    indexed = 0;
    slots.clear();
  }
  if (indexed == items.size() && !slots.empty())
    return;
  if (slots.size() < items.size() * 2 + 8) {
    slots.assign(llvm::PowerOf2Ceil(items.size() * 3 + 16), 0);
    indexed = 0;
  }
  size_t mask = slots.size() - 1;
  for (; indexed < items.size(); ++indexed) {
    size_t slot = hashOf(items[indexed]) & mask;
    while (slots[slot])
      slot = (slot + 1) & mask;
    slots[slot] = static_cast<uint32_t>(indexed + 1);
  }
}

void Module::indexParticipants() const {
  updateIndex(participants, participantSlots, participantsIndexed);
}
void Module::indexMessages() const {
  updateIndex(messages, messageSlots, messagesIndexed);
}

ParticipantId Module::getParticipant(Name n, Location loc) {
  indexParticipants();
  size_t mask = participantSlots.size() - 1;
  for (size_t slot = mix(n.index(), 0, 0) & mask; participantSlots[slot];
       slot = (slot + 1) & mask)
    if (participants[participantSlots[slot] - 1].name == n)
      return ParticipantId(participantSlots[slot] - 1);
  participants.push_back({n, loc});
  return ParticipantId(participants.size() - 1);
}

ParticipantId Module::findParticipant(StringRef n) const {
  Name wanted = strings.lookup(n);
  if (wanted.empty() && !n.empty())
    return {};
  indexParticipants();
  size_t mask = participantSlots.size() - 1;
  for (size_t slot = mix(wanted.index(), 0, 0) & mask; participantSlots[slot];
       slot = (slot + 1) & mask)
    if (participants[participantSlots[slot] - 1].name == wanted)
      return ParticipantId(participantSlots[slot] - 1);
  return {};
}

MessageId Module::getMessage(Name n, ParticipantId sender,
                             ParticipantId receiver, Location loc) {
  indexMessages();
  size_t mask = messageSlots.size() - 1;
  for (size_t slot = mix(n.index(), sender.raw(), receiver.raw()) & mask;
       messageSlots[slot]; slot = (slot + 1) & mask) {
    const Message &m = messages[messageSlots[slot] - 1];
    if (m.name == n && m.sender == sender && m.receiver == receiver)
      return MessageId(messageSlots[slot] - 1);
  }
  messages.push_back({n, sender, receiver, {}, loc});
  return MessageId(messages.size() - 1);
}

SourceId Module::getSource(StringRef path, StringRef language,
                           StringRef sha256) {
  Source wanted{intern(path), intern(language), intern(sha256)};
  for (size_t i = 0; i < sources.size(); ++i)
    if (sources[i] == wanted)
      return SourceId(i);
  sources.push_back(wanted);
  return SourceId(sources.size() - 1);
}

std::string Module::exchangeText(MessageId id) const {
  const Message &m = message(id);
  auto end = [&](ParticipantId p) {
    return p ? quoted(participantName(p)) : std::string("?");
  };
  return end(m.sender) + " -> " + end(m.receiver) + " : " +
         quoted(text(m.name));
}

Label Module::label(LabelKind kind, MessageId id) const {
  const Message &m = message(id);
  return {kind, participantName(m.sender).str(),
          participantName(m.receiver).str(), text(m.name).str()};
}

Place Module::place(const Location &loc) const {
  Place result;
  if (loc.source)
    result.file = text(sources[loc.source.index()].path).str();
  result.line = loc.line;
  result.column = loc.column;
  result.element = text(loc.element).str();
  return result;
}

//===----------------------------------------------------------------------===//
// Copy
//===----------------------------------------------------------------------===//

bool Module::has(BehaviourKind kind) const {
  return llvm::any_of(behaviours,
                      [&](const Behaviour &b) { return b.kind == kind; });
}

bool Module::has(SystemRole role) const {
  return llvm::any_of(systems,
                      [&](const SystemDecl &s) { return s.role == role; });
}

void Module::addAbstractions(ArrayRef<std::string> texts) {
  for (const std::string &text : texts)
    if (!text.empty() && !llvm::is_contained(abstractions, text))
      abstractions.push_back(text);
}

Module Module::clone() const {
  Module copy;
  copy.strings.reserve(strings.size());
  for (size_t i = 0; i < strings.size(); ++i)
    copy.strings.intern(strings.text(Name(static_cast<uint32_t>(i))));
  copy.name = name;
  copy.sources = sources;
  copy.participants = participants;
  copy.enumerations = enumerations;
  copy.messages = messages;
  copy.exprs = exprs;
  copy.behaviours = behaviours;
  copy.messageFlows = messageFlows;
  copy.systems = systems;
  copy.facts = facts;
  copy.abstractions = abstractions;
  copy.keepAlive = keepAlive;
  return copy;
}

//===----------------------------------------------------------------------===//
// FlowIndex
//===----------------------------------------------------------------------===//

FlowIndex::FlowIndex(const Behaviour &behaviour) {
  size_t nodes = behaviour.nodes.size();
  auto build = [&](auto end, std::vector<uint32_t> &begin,
                   std::vector<FlowId> &flows) {
    begin.assign(nodes + 1, 0);
    for (const Flow &f : behaviour.flows)
      ++begin[end(f).index() + 1];
    for (size_t i = 0; i < nodes; ++i)
      begin[i + 1] += begin[i];
    flows.resize(behaviour.flows.size());
    std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
    for (size_t i = 0; i < behaviour.flows.size(); ++i)
      flows[next[end(behaviour.flows[i]).index()]++] = FlowId(i);
  };
  build([](const Flow &f) { return f.source; }, outBegin, out);
  build([](const Flow &f) { return f.target; }, inBegin, in);
}
