//===- SymbolsIoc.cpp - Names in IOC texts --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A scanner over the tokens of docs/ioc.md's grammar. It knows actions,
/// payloads, conditions and blocks by how they begin, and nothing of how terms
/// are put together. The header of a block is recognised anywhere, so that a
/// missing brace affects one block and not the rest of the file.
///
//===----------------------------------------------------------------------===//

#include "SymbolsBuilder.h"

using namespace cif;

namespace {
class IocScanner {
public:
  explicit IocScanner(const SourceBuffer &source) : tokens(source) {}
  Symbols scan();

private:
  static constexpr uint32_t none = Symbol::none;
  /// A brace that is open.
  struct Open {
    uint32_t block = none; ///< that it opens; none: a loop
    bool isEnum = false;
  };

  uint32_t add(SymbolKind kind, uint32_t scope, size_t i,
               bool isDefinition = false) {
    return builder.add(kind, scope, tokens.name(i), tokens[i].offset,
                       tokens[i].length, isDefinition);
  }
  bool header();
  void openBlock(SymbolKind kind, uint32_t parent);
  void literal();
  void action();
  void call();
  void payload();
  void condition();
  void operand(size_t i);

  TokenList tokens;
  SymbolsBuilder builder;
  std::vector<Open> open;
  size_t at = 0;
  uint32_t scope = none;  ///< the choreography or role that we are in
  uint32_t role = none;   ///< whose role it is
  uint32_t system = none; ///< that the role is in
};
} // namespace

/// `keyword name {`, whose names were added; the brace is read.
void IocScanner::openBlock(SymbolKind kind, uint32_t parent) {
  uint32_t keyword = tokens[at].offset;
  uint32_t symbol = add(kind, none, at + 1, true);
  uint32_t block = builder.open(symbol, keyword, parent);
  open.push_back({block, kind == SymbolKind::Enumeration});
  scope = block;
  role = kind == SymbolKind::Participant ? symbol : none;
  at += 3;
}

bool IocScanner::header() {
  if (!tokens.isName(at + 1) || !tokens.is(at + 2, Tok::LeftBrace))
    return false;
  static const struct {
    StringRef word;
    SymbolKind kind;
  } words[] = {{"choreography", SymbolKind::Choreography},
               {"system", SymbolKind::System},
               {"enum", SymbolKind::Enumeration}};
  if (tokens.isWord(at, "role")) {
    // Within the system; whatever else is open lacks its brace.
    while (!open.empty() && open.back().block != system)
      open.pop_back();
    openBlock(SymbolKind::Participant, system);
    return true;
  }
  for (const auto &[word, kind] : words)
    if (tokens.isWord(at, word)) {
      for (const Open &left : open)
        if (left.block != none)
          builder.close(left.block, tokens[at].offset);
      open.clear();
      system = none;
      openBlock(kind, none);
      if (kind == SymbolKind::System)
        system = scope;
      return true;
    }
  return false;
}

/// A word of an expression.
void IocScanner::operand(size_t i) {
  if (tokens.is(i, Tok::Word) && !tokens.isWord(i, "true") &&
      !tokens.isWord(i, "false"))
    builder.addOperand(scope, tokens.name(i), tokens[i].offset,
                       tokens[i].length);
}

/// `( argument {, argument} )`; the parenthesis is here.
void IocScanner::payload() {
  unsigned depth = 0;
  for (; at < tokens.size(); ++at) {
    Tok kind = tokens[at].kind;
    if (kind == Tok::LeftParen) {
      ++depth;
    } else if (kind == Tok::RightParen) {
      if (--depth == 0) {
        ++at;
        return;
      }
    } else if (kind == Tok::Semicolon || kind == Tok::LeftBrace ||
               kind == Tok::RightBrace) {
      return; // it was not closed
    } else if (tokens.is(at, Tok::Word) && tokens.is(at + 1, Tok::Colon) &&
               tokens.isName(at + 2)) {
      uint32_t variable = add(SymbolKind::Variable, scope, at, true);
      builder.symbol(variable).detail = tokens.name(at + 2);
      at += 2;
      if (!tokens.isWord(at, "int") && !tokens.isWord(at, "bool") &&
          !tokens.isWord(at, "string"))
        add(SymbolKind::Enumeration, none, at);
    } else {
      operand(at);
    }
  }
}

/// `[expr]`; the bracket is here.
void IocScanner::condition() {
  for (++at; at < tokens.size(); ++at) {
    Tok kind = tokens[at].kind;
    if (kind == Tok::RightBracket) {
      ++at;
      return;
    }
    if (kind == Tok::Semicolon || kind == Tok::LeftBrace ||
        kind == Tok::RightBrace)
      return; // it was not closed
    operand(at);
  }
}

void IocScanner::literal() {
  if (tokens.is(at, Tok::Word))
    add(SymbolKind::Literal, none, at, true);
  ++at;
}

/// `a -> b : m`, `b!m`, `a?m`, `m!`, `m?`; what it begins with is here.
void IocScanner::action() {
  uint32_t sender = none, receiver = none, message = none;
  if (tokens.is(at + 1, Tok::Arrow)) {
    sender = add(SymbolKind::Participant, none, at);
    at += 2;
    if (!tokens.isName(at))
      return;
    receiver = add(SymbolKind::Participant, none, at++);
    if (!tokens.is(at, Tok::Colon) || !tokens.isName(at + 1))
      return;
    message = add(SymbolKind::Message, none, at + 1);
    at += 2;
  } else {
    bool sends = tokens.is(at + 1, Tok::Bang);
    bool hasPartner = tokens.isName(at + 2);
    uint32_t partner =
        hasPartner ? add(SymbolKind::Participant, none, at) : none;
    message = add(SymbolKind::Message, none, hasPartner ? at + 2 : at);
    sender = sends ? role : partner;
    receiver = sends ? partner : role;
    at += hasPartner ? 3 : 2;
  }
  builder.exchange(sender, receiver, message, scope);
  if (tokens.is(at, Tok::LeftParen))
    payload();
}

/// `X`, which starts a recursion once more.
void IocScanner::call() {
  if (!tokens.is(at, Tok::Number))
    add(SymbolKind::Recursion, scope, at);
  ++at;
}

Symbols IocScanner::scan() {
  while (at < tokens.size()) {
    if (header())
      continue;
    Tok kind = tokens[at].kind;
    bool inTerm = scope != none && scope != system;
    if (kind == Tok::LeftBrace) {
      open.push_back({});
      ++at;
    } else if (kind == Tok::RightBrace) {
      ++at;
      if (open.empty())
        continue;
      if (open.back().block != none) {
        builder.close(open.back().block,
                      tokens[at - 1].offset + tokens[at - 1].length);
        scope = open.back().block == system ? none : system;
        if (open.back().block == system)
          system = none;
        role = none;
      }
      open.pop_back();
    } else if (!open.empty() && open.back().isEnum) {
      literal();
    } else if (!inTerm) {
      ++at;
    } else if (kind == Tok::LeftBracket) {
      condition();
    } else if (tokens.isWord(at, "while") || tokens.isWord(at, "loop")) {
      ++at;
    } else if (tokens.isWord(at, "rec") || tokens.isWord(at, "tau")) {
      bool isRec = tokens.isWord(at, "rec");
      ++at;
      if (tokens.isName(at)) {
        add(isRec ? SymbolKind::Recursion : SymbolKind::Participant,
            isRec ? scope : none, at, isRec);
        ++at;
      }
    } else if (tokens.isName(at)) {
      if (tokens.is(at + 1, Tok::Arrow) || tokens.is(at + 1, Tok::Bang) ||
          tokens.is(at + 1, Tok::Question))
        action();
      else
        call();
    } else {
      ++at;
    }
  }
  return builder.finish(tokens.fileEnd());
}

Symbols cif::findIocSymbols(const SourceBuffer &source) {
  return IocScanner(source).scan();
}
