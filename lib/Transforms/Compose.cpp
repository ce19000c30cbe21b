//===- Compose.cpp - --compose --------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One collaboration from processes. Implements: [c4], Def. 4.7: the functions
/// S and R give each message name its sender and its receiver. If a name has
/// two of either, none, or the same participant as both, the composition is
/// undefined, and every such name is reported with the conflicting elements.
/// The result is well-composed [c4, Prop. 4.8].
///
/// Input class: any processes; black-box pools are dropped.
///
//===----------------------------------------------------------------------===//

#include "cif/Transforms/Compose.h"
#include "cif/IR/Digest.h"
#include "cif/Pass/Pass.h"
#include "cif/Support/Diagnostics/Compose.h"
#include <map>

using namespace cif;

namespace {
class Composer {
public:
  Composer(Module &of, DiagnosticEngine &to) : module(of), diags(to) {
    for (uint32_t b = 0; b < module.behaviours.size(); ++b)
      if (module.behaviours[b].kind == BehaviourKind::Process)
        processes.push_back(b);
  }

  bool run(ArrayRef<std::string> names) {
    if (processes.empty()) {
      (void)diags.report(diag::compose_nothing);
      return false;
    }
    if (!rename(names) || !oneProcessEach())
      return false;
    ends = messageEnds(module);
    if (!findEnds())
      return false;
    connect();
    forgetUnused();
    return true;
  }

private:
  /// The two ends of a message, as indexes into `ends`.
  struct Ends {
    SmallVector<uint32_t, 1> senders, receivers;
  };

  bool rename(ArrayRef<std::string> names);
  bool oneProcessEach();
  bool findEnds();
  void connect();
  void forgetUnused();

  StringRef owner(const MessageEnd &end) const {
    return ownerName(module, module.behaviours[end.behaviour.index()]);
  }
  Place place(const MessageEnd &end) const {
    return module.place(
        module.behaviours[end.behaviour.index()].node(end.node).loc);
  }
  std::string text(const MessageEnd &end) const { return endText(module, end); }
  bool clash(StringRef message, StringRef what, ArrayRef<uint32_t> of);

  Module &module;
  DiagnosticEngine &diags;
  SmallVector<uint32_t, 8> processes;
  std::vector<MessageEnd> ends;
  std::map<std::string, Ends> byName;
};
} // namespace

bool Composer::rename(ArrayRef<std::string> names) {
  if (names.empty())
    return true;
  auto give = [&](uint32_t b, StringRef name) {
    Behaviour &process = module.behaviours[b];
    Location loc =
        process.owner ? module.participant(process.owner).loc : process.loc;
    process.owner = module.getParticipant(module.intern(name), loc);
  };
  bool pairs =
      llvm::any_of(names, [](StringRef name) { return name.contains('='); });
  if (!pairs) {
    if (names.size() != processes.size()) {
      diags.report(diag::compose_as) << Twine(names.size()) + " names for " +
                                            Twine(processes.size()) +
                                            " processes";
      return false;
    }
    for (auto [b, name] : llvm::zip(processes, names))
      if (!name.empty())
        give(b, name);
    return true;
  }
  // All old names are looked up before the first is given away.
  std::vector<std::pair<uint32_t, StringRef>> work;
  for (StringRef entry : names) {
    auto [old, name] = entry.split('=');
    SmallVector<uint32_t, 2> found;
    std::vector<StringRef> known;
    for (uint32_t b : processes) {
      known.push_back(ownerName(module, module.behaviours[b]));
      if (known.back() == old)
        found.push_back(b);
    }
    if (found.size() == 1 && !name.empty()) {
      work.push_back({found[0], name});
      continue;
    }
    auto report = diags.report(diag::compose_as);
    if (name.empty())
      report << "expected a participant, '=' and its new name, found '" +
                    entry + "'";
    else if (found.empty())
      report << "no process is of '" + old + "'";
    else
      report << "several processes are of '" + old +
                    "'; give a name for each, in their order";
    if (found.empty())
      report.guess(nearest(old, known));
    return false;
  }
  for (auto [b, name] : work)
    give(b, name);
  return true;
}

bool Composer::oneProcessEach() {
  std::map<std::string, uint32_t> playedBy;
  bool ok = true;
  for (uint32_t b : processes) {
    Behaviour &process = module.behaviours[b];
    std::string name = ownerName(module, process).str();
    auto [at, isNew] = playedBy.try_emplace(name, b);
    if (!isNew) {
      diags.report(module.place(process.loc), diag::compose_two_processes)
              .note(module.place(module.behaviours[at->second].loc),
                    "the other process is here")
          << name;
      ok = false;
    }
    if (!process.owner)
      process.owner = module.getParticipant(process.name, process.loc);
  }
  return ok;
}

/// Reports that a message has two of \p what.
bool Composer::clash(StringRef message, StringRef what, ArrayRef<uint32_t> of) {
  if (of.size() < 2)
    return false;
  const MessageEnd &one = ends[of[0]];
  for (uint32_t other : of.drop_front()) {
    const MessageEnd &two = ends[other];
    auto report = diags.report(place(two), diag::compose_two_ends);
    report << message << what << text(one) << owner(one) << text(two)
           << owner(two);
    report.note(place(one), "the other one is here");
  }
  return true;
}

bool Composer::findEnds() {
  bool ok = true;
  std::vector<std::string> order;
  for (uint32_t i = 0; i < ends.size(); ++i) {
    const MessageEnd &end = ends[i];
    if (!end.message) {
      diags.report(place(end), diag::compose_no_message)
          << text(end) << owner(end) << (end.sends ? "sends" : "receives");
      ok = false;
      continue;
    }
    std::string name = module.text(module.message(end.message).name).str();
    auto [at, isNew] = byName.try_emplace(name);
    if (isNew)
      order.push_back(name);
    (end.sends ? at->second.senders : at->second.receivers).push_back(i);
  }
  for (const std::string &name : order) {
    const Ends &e = byName[name];
    bool clashes = clash(name, "senders", e.senders);
    clashes |= clash(name, "receivers", e.receivers);
    if (clashes) {
      ok = false;
      continue;
    }
    if (e.senders.empty() || e.receivers.empty()) {
      const MessageEnd &end =
          ends[(e.senders.empty() ? e.receivers : e.senders)[0]];
      diags.report(place(end), diag::compose_unmatched)
          << name << (end.sends ? "sent" : "received") << text(end)
          << owner(end) << (end.sends ? "receives" : "sends");
      ok = false;
      continue;
    }
    const MessageEnd &from = ends[e.senders[0]], &to = ends[e.receivers[0]];
    if (from.behaviour == to.behaviour) {
      auto report = diags.report(place(to), diag::compose_own_message);
      report << owner(from) << name << text(from) << text(to);
      report.note(place(from), "it is sent here");
      ok = false;
    }
  }
  return ok;
}

/// Function N: every message gets its two ends, and one message flow.
void Composer::connect() {
  std::vector<MessageFlow> flows;
  std::vector<bool> done(ends.size());
  auto set = [&](const MessageEnd &end, MessageId message) {
    Node &node = module.behaviours[end.behaviour.index()].node(end.node);
    // A node with several messages has them by its flows.
    if (!node.message || node.message == end.message)
      node.message = message;
  };
  for (const MessageEnd &end : ends) {
    if (!end.sends)
      continue;
    Name name = module.message(end.message).name;
    const MessageEnd &to = ends[byName[module.text(name).str()].receivers[0]];
    ParticipantId sender = module.behaviours[end.behaviour.index()].owner,
                  receiver = module.behaviours[to.behaviour.index()].owner;
    Location loc = module.message(end.message).loc;
    std::vector<Field> fields = module.message(end.message).fields;
    if (fields.empty())
      fields = module.message(to.message).fields;
    MessageId id = module.getMessage(name, sender, receiver, loc);
    if (module.messages[id.index()].fields.empty())
      module.messages[id.index()].fields = std::move(fields);
    flows.push_back({id, end.behaviour, to.behaviour, end.node, to.node,
                     end.flow.source ? end.flow : to.flow});
    set(end, id);
    set(to, id);
  }
  module.messageFlows = std::move(flows);
}

/// Drops messages and participants that nothing refers to any more: what the
/// files knew of partners that now are others.
void Composer::forgetUnused() {
  std::vector<bool> usedMessages(module.messages.size()),
      usedParticipants(module.participants.size());
  auto use = [](std::vector<bool> &used, auto id) {
    if (id)
      used[id.index()] = true;
  };
  for (const Behaviour &b : module.behaviours) {
    use(usedParticipants, b.owner);
    for (const Node &node : b.nodes) {
      use(usedMessages, node.message);
      use(usedMessages, node.reply);
      use(usedParticipants, node.participant);
    }
  }
  for (const MessageFlow &flow : module.messageFlows)
    use(usedMessages, flow.message);
  for (const SystemDecl &system : module.systems)
    use(usedParticipants, system.owner);
  std::vector<uint32_t> newMessage(module.messages.size());
  std::vector<Message> messages;
  for (uint32_t m = 0; m < module.messages.size(); ++m) {
    newMessage[m] = static_cast<uint32_t>(messages.size());
    if (!usedMessages[m])
      continue;
    messages.push_back(module.messages[m]);
    use(usedParticipants, messages.back().sender);
    use(usedParticipants, messages.back().receiver);
  }
  std::vector<uint32_t> newParticipant(module.participants.size());
  std::vector<Participant> participants;
  for (uint32_t q = 0; q < module.participants.size(); ++q) {
    newParticipant[q] = static_cast<uint32_t>(participants.size());
    if (usedParticipants[q])
      participants.push_back(module.participants[q]);
  }
  auto remap = [](const std::vector<uint32_t> &map, auto &id) {
    if (id)
      id = std::decay_t<decltype(id)>(map[id.index()]);
  };
  for (Message &m : messages) {
    remap(newParticipant, m.sender);
    remap(newParticipant, m.receiver);
  }
  for (Behaviour &b : module.behaviours) {
    remap(newParticipant, b.owner);
    for (Node &node : b.nodes) {
      remap(newMessage, node.message);
      remap(newMessage, node.reply);
      remap(newParticipant, node.participant);
    }
  }
  for (MessageFlow &flow : module.messageFlows)
    remap(newMessage, flow.message);
  for (SystemDecl &system : module.systems)
    remap(newParticipant, system.owner);
  module.messages = std::move(messages);
  module.participants = std::move(participants);
  module = module.clone(); // whose look-up tables are new
}

bool cif::compose(Module &module, ArrayRef<std::string> names,
                  DiagnosticEngine &diags) {
  return Composer(module, diags).run(names);
}

namespace cif {
PassResult runCompose(Module &module, PassContext &context) {
  std::vector<std::string> names;
  if (context.hasOption("as")) {
    SmallVector<StringRef, 8> words;
    context.option("as").split(words, ','); // empty ones count
    for (StringRef word : words)
      names.push_back(word.trim().str());
  }
  const PeerStamps before(module);
  if (!compose(module, names, context.diags))
    return PassResult::Failed;
  dropStalePeers(module, before);
  return PassResult::Changed;
}
} // namespace cif
