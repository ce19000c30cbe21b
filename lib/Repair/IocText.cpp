//===- IocText.cpp - Terms in the text of IOC -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IocText.h"
#include "cif/IR/Names.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace cif;

/// The byte behind the quoted name that begins at \p at.
static size_t endOfQuoted(StringRef text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    at += text[at] == '\\';
  return std::min(at + 1, text.size());
}

/// The next token at or behind \p at, which moves on; false: there is none.
bool IocText::takeToken(size_t &at, Token &token) const {
  while (true) {
    at = std::min(text.find_first_not_of(" \t\r\n\f\v", at), text.size());
    StringRef rest = text.drop_front(at);
    if (rest.starts_with("//"))
      at = std::min(text.find('\n', at), text.size());
    else if (rest.starts_with("/*"))
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    else
      break;
  }
  if (at >= text.size())
    return false;
  StringRef rest = text.drop_front(at);
  token = {at, at + 1, Other, 0};
  if (isWordChar(rest[0])) {
    token.kind = Word;
    token.end = at + rest.take_while(isWordChar).size();
  } else if (rest[0] == '"') {
    token.kind = Word;
    token.end = endOfQuoted(text, at);
  } else if (rest[0] == '(' || rest[0] == '{') {
    token.kind = Open;
  } else if (rest[0] == ')' || rest[0] == '}') {
    token.kind = Close;
  } else if (rest.starts_with("||") || rest.starts_with("[>")) {
    token.kind = rest[0] == '|' ? Par : Interrupt;
    token.end = at + 2;
  } else if (rest[0] == '+') {
    token.kind = Plus;
  } else if (rest[0] == '[') {
    token.kind = Guard;
    while (token.end < text.size() && text[token.end] != ']')
      token.end =
          text[token.end] == '"' ? endOfQuoted(text, token.end) : token.end + 1;
    token.end = std::min(token.end + 1, text.size());
  }
  at = token.end;
  return true;
}

IocText::IocText(StringRef source) : text(source) {
  std::vector<size_t> open;
  Token token{};
  for (size_t at = 0; takeToken(at, token);) {
    size_t here = tokens.size();
    token.partner = here;
    if (token.kind == Open)
      open.push_back(here);
    if (token.kind == Close && !open.empty()) {
      token.partner = open.back();
      tokens[open.back()].partner = here;
      open.pop_back();
    }
    tokens.push_back(token);
  }
}

size_t IocText::tokenAt(size_t offset) const {
  auto found = llvm::lower_bound(
      tokens, offset, [](const Token &t, size_t o) { return t.begin < o; });
  return found == tokens.end() || found->begin != offset
             ? tokens.size()
             : static_cast<size_t>(found - tokens.begin());
}

std::optional<TermRange> IocText::ofOperator(size_t at) const {
  const size_t sign = tokenAt(at);
  if (sign == tokens.size() ||
      (tokens[sign].kind != Par && tokens[sign].kind != Plus))
    return std::nullopt;
  // What binds less tightly ends it.
  auto ends = [&](Kind kind) { return kind > tokens[sign].kind; };
  size_t first = sign, last = sign;
  while (first > 0 && tokens[first - 1].kind != Open &&
         !ends(tokens[first - 1].kind)) {
    --first;
    if (tokens[first].kind == Close)
      first = tokens[first].partner;
  }
  while (last + 1 < tokens.size() && tokens[last + 1].kind != Close &&
         !ends(tokens[last + 1].kind)) {
    ++last;
    if (tokens[last].kind == Open)
      last = tokens[last].partner;
  }
  if (first == 0 || last + 1 == tokens.size())
    return std::nullopt;
  const Token &left = tokens[first - 1], &right = tokens[last + 1];
  if (textOf(left) == "(" && textOf(right) == ")")
    return TermRange{left.begin, right.end, false};
  return TermRange{tokens[first].begin, tokens[last].end, true};
}

size_t IocText::braceOf(size_t i) const {
  StringRef word = i < tokens.size() ? textOf(tokens[i]) : StringRef();
  // `loop {`, `rec X {`, `while [c] {`
  size_t brace = i + (word == "loop" ? 1 : 2);
  bool isBlock = word == "loop" || word == "rec" || word == "while";
  if (!isBlock || brace >= tokens.size() || textOf(tokens[brace]) != "{" ||
      tokens[brace].partner == brace)
    return tokens.size();
  return brace;
}

std::optional<TermRange> IocText::ofBlock(size_t at) const {
  size_t brace = braceOf(tokenAt(at));
  if (brace == tokens.size())
    return std::nullopt;
  return TermRange{at, tokens[tokens[brace].partner].end, false};
}

std::optional<TermRange> IocText::ofBody(size_t at) const {
  size_t brace = braceOf(tokenAt(at));
  if (brace == tokens.size() || tokens[brace].partner == brace + 1)
    return std::nullopt;
  TermRange body{tokens[brace + 1].begin, 0, false};
  for (size_t i = brace + 1; i < tokens[brace].partner; ++i) {
    body.parens |= tokens[i].kind >= Par;
    if (tokens[i].kind == Open)
      i = tokens[i].partner;
    body.end = tokens[i].end;
  }
  return body;
}

std::optional<TermRange> IocText::ofTau(size_t at) const {
  size_t i = tokenAt(at);
  if (i == tokens.size() || textOf(tokens[i]) != "tau")
    return std::nullopt;
  if (i + 1 < tokens.size() && tokens[i + 1].kind == Word)
    ++i;
  return TermRange{at, tokens[i].end, false};
}

std::optional<TermRange> IocText::at(size_t offset) const {
  if (std::optional<TermRange> range = ofOperator(offset))
    return range;
  if (std::optional<TermRange> range = ofBlock(offset))
    return range;
  return ofTau(offset);
}

std::vector<SourceEdit> IocEdits::take() const {
  // At one byte: the rest of what ends there, then what is behind terms, from
  // the innermost, then what is before terms, from the outermost.
  struct Piece {
    size_t offset;
    int order;
    size_t size;
    std::string text;
  };
  std::vector<Piece> pieces;
  for (const SourceEdit &edit : appended)
    pieces.push_back({edit.offset, 0, 0, edit.text});
  for (const auto &[range, there] : ranges) {
    size_t size = range.second - range.first;
    if (std::string text = (there.parens ? " )" : "") + there.behind;
        !text.empty())
      pieces.push_back({range.second, 1, size, text});
    if (std::string text = there.before + (there.parens ? "( " : "");
        !text.empty())
      pieces.push_back({range.first, 2, SIZE_MAX - size, text});
  }
  llvm::stable_sort(pieces, [](const Piece &a, const Piece &b) {
    return std::tie(a.offset, a.order, a.size) <
           std::tie(b.offset, b.order, b.size);
  });
  std::vector<SourceEdit> edits;
  for (Piece &piece : pieces)
    edits.push_back({piece.offset, std::move(piece.text)});
  return edits;
}
