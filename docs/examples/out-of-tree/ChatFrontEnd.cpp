//===- ChatFrontEnd.cpp - A front end in forty lines ----------------------===//
//
// The language: a line `chat`, then a line `alice bob hello` for each message,
// one after the other.
//
//===----------------------------------------------------------------------===//

#include "Chat.h"
#include "cif/IR/Builder.h"

using namespace cif;

int chat::detectChat(StringRef, StringRef text) {
  return text.starts_with("chat\n") ? 90 : 0;
}

bool chat::parseChat(const SourceBuffer &source, Module &module,
                     DiagnosticEngine &diags, const FrontEndOptions &) {
  const SourceId file = module.getSource(source.path(), "chat");
  const Location top{file, 1, 1, Name()};
  BehaviourBuilder chat(module, BehaviourKind::Choreography, "chat");
  chat.behaviour().loc = top;
  chat.at(top);
  NodeId last = chat.add(NodeKind::Initial);

  SmallVector<StringRef> lines;
  source.text().split(lines, '\n');
  for (size_t i = 1; i < lines.size(); ++i) {
    SmallVector<StringRef> words;
    lines[i].split(words, ' ', -1, /*KeepEmpty=*/false);
    if (words.empty())
      continue;
    const Location here{file, static_cast<uint32_t>(i + 1), 1, Name()};
    if (words.size() != 3) {
      diags.report(module.place(here), badLine()) << words.size();
      continue; // and look for more errors
    }
    chat.at(here); // participants, messages, nodes and flows stand here
    NodeId next = chat.interaction(words[0], words[1], words[2]);
    chat.flow(last, next);
    last = next;
  }
  chat.at(top);
  chat.flow(last, chat.add(NodeKind::Final));
  return !diags.hasErrors();
}
