//===- SymbolsCp.cpp - Names in protocols and peers -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A scanner over the tokens of docs/cp.md's grammar: blocks, the lists of
/// initial and final states and of literals, and transitions.
///
//===----------------------------------------------------------------------===//

#include "SymbolsBuilder.h"

using namespace cif;

namespace {
class CpScanner {
public:
  explicit CpScanner(const SourceBuffer &source) : tokens(source) {}
  Symbols scan();

private:
  static constexpr uint32_t none = Symbol::none;

  uint32_t add(SymbolKind kind, uint32_t scope, size_t i,
               bool isDefinition = false) {
    return builder.add(kind, scope, tokens.name(i), tokens[i].offset,
                       tokens[i].length, isDefinition);
  }
  bool header();
  void states();
  void transition();
  void label();
  void data(Tok end);

  TokenList tokens;
  SymbolsBuilder builder;
  size_t at = 0;
  uint32_t block = none, peer = none;
  bool isEnum = false; ///< the block
};
} // namespace

bool CpScanner::header() {
  bool isPeer = tokens.isWord(at, "peer");
  bool toEnum = tokens.isWord(at, "enum");
  if ((!isPeer && !toEnum && !tokens.isWord(at, "protocol")) ||
      !tokens.isName(at + 1) || !tokens.is(at + 2, Tok::LeftBrace))
    return false;
  if (block != none)
    builder.close(block, tokens[at].offset);
  uint32_t symbol = add(isPeer   ? SymbolKind::Participant
                        : toEnum ? SymbolKind::Enumeration
                                 : SymbolKind::Protocol,
                        none, at + 1, true);
  isEnum = toEnum;
  block = builder.open(symbol, tokens[at].offset);
  peer = isPeer ? symbol : none;
  at += 3;
  return true;
}

/// `initial s`, `final s, t`.
void CpScanner::states() {
  bool isInitial = tokens.isWord(at, "initial");
  do {
    ++at;
    if (!tokens.isName(at))
      return;
    add(SymbolKind::State, block, at++);
  } while (!isInitial && tokens.is(at, Tok::Comma));
}

/// What has variables, up to \p end, which is taken; or, where that is missing,
/// to what no expression has.
void CpScanner::data(Tok end) {
  for (++at; at < tokens.size() && !tokens.is(at, Tok::Arrow) &&
             !tokens.is(at, Tok::RightBrace);
       ++at) {
    if (tokens.is(at, end)) {
      ++at;
      return;
    }
    if (!tokens.is(at, Tok::Word) || tokens.isWord(at, "true") ||
        tokens.isWord(at, "false"))
      continue;
    if (tokens.is(at + 1, Tok::Colon) && tokens.isName(at + 2)) {
      uint32_t variable = add(SymbolKind::Variable, block, at, true);
      builder.symbol(variable).detail = tokens.name(at + 2);
      at += 2;
      if (!tokens.isWord(at, "int") && !tokens.isWord(at, "bool") &&
          !tokens.isWord(at, "string"))
        add(SymbolKind::Enumeration, none, at);
    } else {
      builder.addOperand(block, tokens.name(at), tokens[at].offset,
                         tokens[at].length);
    }
  }
}

/// `p -> q : m`, `q!m`, `p?m`, `tau p`, `tau`.
void CpScanner::label() {
  if (tokens.isWord(at, "tau") && !tokens.is(at + 1, Tok::Arrow) &&
      !tokens.is(at + 1, Tok::Bang) && !tokens.is(at + 1, Tok::Question)) {
    ++at;
    if (peer == none && tokens.isName(at))
      add(SymbolKind::Participant, none, at++);
    return;
  }
  if (!tokens.isName(at))
    return;
  uint32_t sender = none, receiver = none;
  if (peer == none) {
    sender = add(SymbolKind::Participant, none, at++);
    if (!tokens.is(at, Tok::Arrow) || !tokens.isName(at + 1))
      return;
    receiver = add(SymbolKind::Participant, none, at + 1);
    at += 2;
    if (!tokens.is(at, Tok::Colon))
      return;
  } else {
    uint32_t partner = add(SymbolKind::Participant, none, at++);
    bool sends = tokens.is(at, Tok::Bang);
    if (!sends && !tokens.is(at, Tok::Question))
      return;
    sender = sends ? peer : partner;
    receiver = sends ? partner : peer;
  }
  ++at;
  if (!tokens.isName(at))
    return;
  uint32_t message = add(SymbolKind::Message, none, at++);
  builder.exchange(sender, receiver, message, block);
  if (tokens.is(at, Tok::LeftParen))
    data(Tok::RightParen);
}

/// `s -> t : label`
void CpScanner::transition() {
  add(SymbolKind::State, block, at);
  at += 2;
  if (!tokens.isName(at))
    return;
  add(SymbolKind::State, block, at++);
  if (!tokens.is(at, Tok::Colon))
    return;
  ++at;
  if (tokens.is(at, Tok::LeftBracket)) {
    data(Tok::RightBracket);
    if (tokens.is(at, Tok::FatArrow))
      ++at;
  }
  label();
}

Symbols CpScanner::scan() {
  while (at < tokens.size()) {
    if (header())
      continue;
    if (block == none) {
      ++at;
    } else if (isEnum && tokens.is(at, Tok::Word)) {
      add(SymbolKind::Literal, none, at++, true);
    } else if (tokens.isName(at) && tokens.is(at + 1, Tok::Arrow)) {
      transition();
    } else if (tokens.isWord(at, "initial") || tokens.isWord(at, "final")) {
      states();
    } else if (tokens.is(at, Tok::RightBrace)) {
      builder.close(block, tokens[at].offset + 1);
      block = peer = none;
      isEnum = false;
      ++at;
    } else {
      ++at;
    }
  }
  return builder.finish(tokens.fileEnd());
}

Symbols cif::findCpSymbols(const SourceBuffer &source) {
  return CpScanner(source).scan();
}
