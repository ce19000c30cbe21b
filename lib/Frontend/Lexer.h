//===- Lexer.h - Tokens of the textual languages --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The lexer that the IOC and CP front ends share: UTF-8 words, quoted names,
/// numbers, punctuation, `//` and `/* */` comments. Lines and columns are
/// counted along the way, so that a location costs nothing.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_FRONTEND_LEXER_H
#define CIF_LIB_FRONTEND_LEXER_H

#include "cif/IR/Module.h"
#include "cif/Support/Diagnostics/Text.h"

namespace cif {

enum class Tok : uint8_t {
  End,
  Word,   ///< letters, digits, '_', non-ASCII; not digits alone
  Number, ///< digits alone
  Quoted,
  LeftParen,
  RightParen,
  LeftBrace,
  RightBrace,
  LeftBracket,
  RightBracket,
  Semicolon,
  Comma,
  Colon,
  Arrow,    ///< ->
  FatArrow, ///< =>
  BarBar,   ///< ||
  Plus,
  Interrupt, ///< [>
  Bang,      ///< !
  Question,  ///< ?
  AndAnd,
  Minus,
  Star,
  Slash,
  Percent,
  EqualEqual,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
};

struct Token {
  Tok kind = Tok::End;
  uint32_t offset = 0, length = 0;
  uint32_t line = 1, column = 1;
};

/// How a kind of token is written, for messages: "';'", "a name".
StringRef tokenText(Tok kind);

/// Skips white space and comments at the front of \p text, for detection.
StringRef skipBlanks(StringRef text);
/// The word at the front of \p text, which may be empty.
StringRef firstWord(StringRef text);
/// How surely \p text is of a language whose files begin with one of \p
/// keywords and the name of a block: see FrontEnd::detect.
int detectKeyword(StringRef path, StringRef text, ArrayRef<StringRef> keywords,
                  StringRef extension);

class Lexer {
public:
  Lexer(const SourceBuffer &source, DiagnosticEngine &diags);

  const Token &token() const { return current; }
  /// The one before it.
  const Token &previous() const { return last; }
  /// Whether there is nothing but blanks and comments between the two.
  bool followsBlanks() const {
    return skipBlanks(buffer.slice(last.offset + last.length, current.offset))
        .empty();
  }
  const Token &peek();
  void advance();

  bool is(Tok kind) const { return current.kind == kind; }
  bool isWord(StringRef word) const {
    return current.kind == Tok::Word && text(current) == word;
  }
  /// Whether the token can stand for a name.
  bool isName() const {
    return current.kind == Tok::Word || current.kind == Tok::Quoted ||
           current.kind == Tok::Number;
  }
  /// Whether there is nothing, and no error has said why.
  bool isEmpty() const {
    return is(Tok::End) && diags.errors() == errorsBefore;
  }
  bool consume(Tok kind) {
    if (current.kind != kind)
      return false;
    advance();
    return true;
  }

  /// Takes `->`. What people write for it by mistake is taken too, after an
  /// error that says so.
  bool consumeArrow();
  /// Whether a token is `->` or was meant to be.
  bool isArrow(const Token &token) const {
    return token.kind == Tok::Arrow || token.kind == Tok::FatArrow ||
           (token.kind == Tok::Word && isArrowSign(text(token)));
  }

  StringRef text(const Token &token) const {
    return buffer.substr(token.offset, token.length);
  }
  /// The name that a Word, Number or Quoted token stands for. Bad escapes were
  /// reported when the token was read.
  Name name(const Token &token, StringTable &strings);
  /// What stands between the quotes of a Quoted token; may be empty.
  Name string(const Token &token, StringTable &strings);
  /// What was found, for messages: "'x'" or "the end of the file".
  std::string found(const Token &token) const;
  std::string found() const { return found(current); }

  Place place(const Token &token) const {
    return {source.path().str(), token.line, token.column, ""};
  }
  Place place(uint32_t line, uint32_t column) const {
    return {source.path().str(), line, column, ""};
  }
  /// Reports that \p what should have stood here.
  void expected(const Twine &what) {
    diags.report(place(current), diag::expected_token) << what << found();
  }
  /// The same, with a guess at which of \p words was meant.
  void expected(const Twine &what, ArrayRef<StringRef> words) {
    StringRef meant = is(Tok::Word) ? nearest(text(current), words) : "";
    if (meant.empty())
      expected(what);
    else
      expected(what, current, "did you mean '" + meant + "'?");
  }
  /// The same with a note on something that is open.
  void expected(const Twine &what, const Token &open, const Twine &note) {
    diags.report(place(current), diag::expected_token).note(place(open), note)
        << what << found();
  }

  /// The same where something is missing at the end of a line, which is where
  /// it is reported.
  void expectedAfter(const Twine &what) {
    bool lineEnded = last.line < current.line;
    diags.report(lineEnded ? place(last.line, last.column + last.length)
                           : place(current),
                 diag::expected_token)
        << what << (lineEnded ? std::string("the end of the line") : found());
  }

  const SourceBuffer &source;
  DiagnosticEngine &diags;

private:
  static bool isArrowSign(StringRef word);
  Token take(Token token, Tok kind, uint32_t length);
  Token takeMeant(Token token, Tok kind);
  Token lex();
  void skipToToken();
  void skipComment();
  Token word(Token token);
  Token sign(const Token &token);
  Token quotedName(Token token);
  void badCharacter(Token token);

  const unsigned errorsBefore;
  StringRef buffer;
  uint32_t at = 0, line = 1, lineStart = 0;
  Token last, current, ahead;
  bool hasAhead = false;
};

} // namespace cif

#endif
