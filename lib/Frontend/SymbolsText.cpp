//===- SymbolsText.cpp - Names in the text form ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A scanner over the lines of docs/text-form.md. The signs that only the text
/// form has ('@', '#', '$', '.') are no tokens and separate others. Facts
/// are left alone: they tell what was found about the module as it was.
///
//===----------------------------------------------------------------------===//

#include "SymbolsBuilder.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

namespace {
class TextScanner {
public:
  explicit TextScanner(const SourceBuffer &source)
      : text(source.text()), tokens(source) {}
  Symbols scan();

private:
  static constexpr uint32_t none = Symbol::none;
  enum class In { File, Behaviour, System, Fact };

  uint32_t add(SymbolKind kind, uint32_t scope, size_t i,
               bool isDefinition = false) {
    return builder.add(kind, scope, tokens.name(i), tokens[i].offset,
                       tokens[i].length, isDefinition);
  }
  uint32_t participant(size_t i) {
    return add(SymbolKind::Participant, none, i);
  }
  bool exchange(size_t i);
  void declaration();
  void header(SymbolKind kind, size_t name);
  void behaviourLine();
  void node();
  void systemLine();
  bool isAttribute() const;

  StringRef text;
  TokenList tokens;
  SymbolsBuilder builder;
  size_t at = 0, end = 0; ///< the tokens of the line
  In where = In::File;
  uint32_t block = none, owner = none;
};
} // namespace

/// `sender -> receiver : message`; `?` is any participant.
bool TextScanner::exchange(size_t i) {
  auto isEnd = [&](size_t k) {
    return tokens.isName(k) || tokens.is(k, Tok::Question);
  };
  if (i + 4 >= end || !isEnd(i) || !tokens.is(i + 1, Tok::Arrow) ||
      !isEnd(i + 2) || !tokens.is(i + 3, Tok::Colon) || !tokens.isName(i + 4))
    return false;
  uint32_t sender = tokens.isName(i) ? participant(i) : none;
  uint32_t receiver = tokens.isName(i + 2) ? participant(i + 2) : none;
  bool isDeclared = where == In::File && tokens.isWord(at, "message") &&
                    tokens.isName(at + 1);
  uint32_t message = add(SymbolKind::Message, none, i + 4, isDeclared);
  builder.exchange(sender, receiver, message, block);
  return true;
}

/// `... NAME [: OWNER] {`
void TextScanner::header(SymbolKind kind, size_t name) {
  if (!tokens.isName(name) || name >= end)
    return;
  uint32_t symbol = add(kind, none, name, true);
  block = builder.open(symbol, tokens[at].offset);
  owner = none;
  if (name + 2 < end && tokens.is(name + 1, Tok::Colon) &&
      tokens.isName(name + 2))
    owner = participant(name + 2);
}

void TextScanner::declaration() {
  if (tokens.isWord(at, "participant") && tokens.isName(at + 1)) {
    add(SymbolKind::Participant, none, at + 1, true);
  } else if (tokens.isWord(at, "message")) {
    // `message-flow` has two tokens more.
    exchange(tokens.is(at + 1, Tok::Minus) ? at + 3 : at + 1);
  } else if (tokens.isWord(at, "choreography") ||
             tokens.isWord(at, "process") || tokens.isWord(at, "controller")) {
    header(SymbolKind::Behaviour, at + 1);
    where = In::Behaviour;
  } else if (tokens.isWord(at, "system")) {
    header(SymbolKind::System, at + 2);
    where = In::System;
  } else if (tokens.isWord(at, "fact")) {
    where = In::Fact;
  }
}

/// A line such as `. lane = "Sales"`.
bool TextScanner::isAttribute() const {
  size_t begin = text.rfind('\n', tokens[at].offset);
  begin = begin == StringRef::npos ? 0 : begin + 1;
  return text.slice(begin, tokens[at].offset).ltrim().starts_with(".");
}

/// `LABEL KIND PROPERTY...`
void TextScanner::node() {
  uint32_t symbol = add(SymbolKind::Node, block, at, true);
  uint32_t kind = tokens[at + 1].offset;
  builder.symbol(symbol).detail =
      text.substr(kind)
          .take_while([](char c) { return c == '-' || llvm::isAlpha(c); })
          .str();
  for (size_t i = at + 2; i < end; ++i) {
    if (exchange(i)) {
      i += 4;
    } else if (i + 1 < end && tokens.isName(i + 1) && tokens.isWord(i, "by")) {
      participant(++i);
    } else if (i + 1 < end && tokens.isName(i + 1) &&
               (tokens.isWord(i, "on") || tokens.isWord(i, "in"))) {
      add(SymbolKind::Node, block, ++i);
    }
  }
}

void TextScanner::behaviourLine() {
  if (!tokens.isName(at) || isAttribute())
    return;
  if (tokens.is(at + 1, Tok::Arrow)) {
    add(SymbolKind::Node, block, at);
    if (at + 2 < end && tokens.isName(at + 2))
      add(SymbolKind::Node, block, at + 2);
  } else if (at + 1 < end) {
    node();
  }
}

/// `STATE: LABEL -> STATE`, of which the label has names.
void TextScanner::systemLine() {
  size_t i = at;
  while (i < end && !tokens.is(i, Tok::Colon))
    ++i;
  if (tokens.isWord(at, "label"))
    i = at;
  ++i;
  if (exchange(i) || i + 2 >= end || !tokens.isName(i) || !tokens.isName(i + 2))
    return;
  bool sends = tokens.is(i + 1, Tok::Bang);
  if (!sends && !tokens.is(i + 1, Tok::Question))
    return;
  uint32_t first = participant(i);
  if (i + 4 < end && tokens.is(i + 3, Tok::Colon) && tokens.isName(i + 4)) {
    // p!q:m and q?p:m
    uint32_t second = participant(i + 2);
    uint32_t message = add(SymbolKind::Message, none, i + 4);
    builder.exchange(sends ? first : second, sends ? second : first, message,
                     block);
    return;
  }
  uint32_t message = add(SymbolKind::Message, none, i + 2);
  builder.exchange(sends ? owner : first, sends ? first : owner, message,
                   block);
}

Symbols TextScanner::scan() {
  for (; at < tokens.size(); at = end) {
    uint32_t line = tokens[at].line;
    for (end = at; end < tokens.size() && tokens[end].line == line;)
      ++end;
    if (where == In::File) {
      declaration();
    } else if (tokens.is(at, Tok::RightBrace)) {
      if (block != none)
        builder.close(block, tokens[at].offset + 1);
      where = In::File;
      block = owner = none;
    } else if (where == In::Behaviour) {
      behaviourLine();
    } else if (where == In::System) {
      systemLine();
    }
  }
  return builder.finish(tokens.fileEnd());
}

Symbols cif::findTextSymbols(const SourceBuffer &source) {
  return TextScanner(source).scan();
}
