//===- ChatFrontEnd.cpp - A front end in fifty lines ----------------------===//
//
// The language: a line `chat`, then a line `alice bob hello` for each message,
// one after the other.
//
//===----------------------------------------------------------------------===//

#include "Chat.h"

using namespace cif;

int chat::detectChat(StringRef, StringRef text) {
  return text.starts_with("chat\n") ? 90 : 0;
}

bool chat::parseChat(const SourceBuffer &source, Module &module,
                     DiagnosticEngine &diags, const FrontEndOptions &) {
  SourceId file = module.getSource(source.path(), "chat");
  Behaviour behaviour;
  behaviour.name = module.intern("chat");
  behaviour.loc = {file, 1, 1, Name()};

  // Adds a node after the one before.
  auto append = [&](Node node) {
    behaviour.nodes.push_back(node);
    size_t last = behaviour.nodes.size() - 1;
    if (last > 0)
      behaviour.flows.push_back(
          {NodeId(last - 1), NodeId(last), {}, 0, Name(), node.loc});
  };
  Node initial;
  initial.kind = NodeKind::Initial;
  initial.loc = behaviour.loc;
  append(initial);

  SmallVector<StringRef> lines;
  source.text().split(lines, '\n');
  for (size_t i = 1; i < lines.size(); ++i) {
    SmallVector<StringRef> words;
    lines[i].split(words, ' ', -1, /*KeepEmpty=*/false);
    if (words.empty())
      continue;
    Location loc{file, static_cast<uint32_t>(i + 1), 1, Name()};
    if (words.size() != 3) {
      diags.report(module.place(loc), badLine()) << words.size();
      continue; // and look for more errors
    }
    ParticipantId sender = module.getParticipant(module.intern(words[0]), loc);
    ParticipantId receiver =
        module.getParticipant(module.intern(words[1]), loc);
    Node interaction;
    interaction.kind = NodeKind::Interaction;
    interaction.loc = loc;
    interaction.message =
        module.getMessage(module.intern(words[2]), sender, receiver, loc);
    append(interaction);
  }
  Node final;
  final.kind = NodeKind::Final;
  final.loc = behaviour.loc;
  append(final);
  module.behaviours.push_back(std::move(behaviour));
  return !diags.hasErrors();
}
