//===- Scanner.h - Tokens of communicating automata -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tokens of the text formats of other tools' communicating automata:
/// words, single characters of punctuation, and comments from `--` to the end
/// of the line.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_FRONTEND_CFSM_SCANNER_H
#define CIF_LIB_FRONTEND_CFSM_SCANNER_H

#include "cif/IR/Module.h"
#include "cif/IR/Names.h"
#include "cif/Support/Diagnostics/Text.h"

namespace cif::cfsm {

class Scanner {
public:
  /// In \p punctuation each character is a token of its own; all others but
  /// blanks make up words.
  Scanner(const SourceBuffer &source, DiagnosticEngine &diags,
          StringRef punctuation)
      : source(source), diags(diags), text(source.text()),
        punctuation(punctuation) {
    if (text.size() >= 0xffffff00u) {
      diags.report(Place{source.path().str(), 0, 0, ""}, diag::source_too_large)
          << "4095 MiB, the most that is read";
      text = {};
    }
    if (text.starts_with("\xef\xbb\xbf"))
      at = 3;
    advance();
  }

  bool atEnd() const { return token.empty(); }
  bool is(StringRef what) const { return token == what; }
  bool isWord() const {
    return !token.empty() && !punctuation.contains(token.front());
  }
  bool consume(StringRef what) {
    if (token != what)
      return false;
    advance();
    return true;
  }

  /// Whether a colon follows the token, with nothing but blanks between.
  bool nextIsColon() const {
    size_t next = at;
    while (next < text.size() && isBlank(text[next]))
      ++next;
    return next < text.size() && text[next] == ':';
  }

  void advance() {
    while (at < text.size()) {
      char c = text[at];
      if (c == '\n') {
        ++line;
        lineStart = ++at;
      } else if (isBlank(c)) {
        ++at;
      } else if (text.substr(at).starts_with("--")) {
        at = std::min(text.find('\n', at), text.size());
      } else {
        break;
      }
    }
    size_t begin = at;
    tokenLine = line;
    tokenColumn = static_cast<uint32_t>(begin - lineStart + 1);
    if (at < text.size() && punctuation.contains(text[at]))
      ++at;
    else
      while (at < text.size() && text[at] != '\n' && !isBlank(text[at]) &&
             !punctuation.contains(text[at]) &&
             !text.substr(at).starts_with("--"))
        ++at;
    token = text.slice(begin, at);
    if (findNotUtf8(token) != StringRef::npos)
      static_cast<void>(diags.report(place(), diag::bad_utf8));
  }

  Place place() const {
    return {source.path().str(), tokenLine, tokenColumn, ""};
  }
  Location location(SourceId id) const {
    return {id, tokenLine, tokenColumn, Name()};
  }
  void expected(const Twine &what) {
    StringRef shown = token.take_front(40);
    diags.report(place(), diag::expected_token)
        << what
        << (atEnd() ? Twine("the end of the file") : "'" + Twine(shown) + "'");
  }

  const SourceBuffer &source;
  DiagnosticEngine &diags;
  StringRef token; ///< empty: the end of the file
  uint32_t tokenLine = 1, tokenColumn = 1;

private:
  static bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
  }

  StringRef text;
  StringRef punctuation;
  size_t at = 0, lineStart = 0;
  uint32_t line = 1;
};

/// Skips blanks and `--` comments at the front of \p text, for detection.
inline StringRef skipBlanks(StringRef text) {
  text.consume_front("\xef\xbb\xbf");
  while (true) {
    text = text.ltrim(" \t\r\n\f\v");
    if (!text.starts_with("--"))
      return text;
    text = text.drop_until([](char c) { return c == '\n'; });
  }
}

} // namespace cif::cfsm

#endif
