//===- Lexer.cpp - Tokens of the textual languages ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"
#include "cif/IR/Names.h"
#include "cif/Support/Diagnostics/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

StringRef cif::tokenText(Tok kind) {
  static const char *const texts[] = {"the end of the file",
                                      "a name",
                                      "a number",
                                      "a name",
                                      "'('",
                                      "')'",
                                      "'{'",
                                      "'}'",
                                      "'['",
                                      "']'",
                                      "';'",
                                      "','",
                                      "':'",
                                      "'->'",
                                      "'=>'",
                                      "'||'",
                                      "'+'",
                                      "'[>'",
                                      "'!'",
                                      "'?'",
                                      "'&&'",
                                      "'-'",
                                      "'*'",
                                      "'/'",
                                      "'%'",
                                      "'=='",
                                      "'!='",
                                      "'<'",
                                      "'<='",
                                      "'>'",
                                      "'>='"};
  return texts[static_cast<unsigned>(kind)];
}

//===----------------------------------------------------------------------===//
// Detection
//===----------------------------------------------------------------------===//

StringRef cif::skipBlanks(StringRef text) {
  text.consume_front("\xef\xbb\xbf");
  while (true) {
    text = text.ltrim(" \t\r\n\f\v");
    if (text.starts_with("//"))
      text = text.drop_until([](char c) { return c == '\n'; });
    else if (text.starts_with("/*")) {
      size_t end = text.find("*/", 2);
      text = end == StringRef::npos ? StringRef() : text.drop_front(end + 2);
    } else
      return text;
  }
}

StringRef cif::firstWord(StringRef text) { return text.take_while(isWordChar); }

/// What follows the enumerations that \p text begins with.
static StringRef behindEnumerations(StringRef text) {
  while (firstWord(text) == "enum") {
    StringRef rest = skipBlanks(text.drop_front(4));
    std::string name;
    if (!takeName(rest, name) || !skipBlanks(rest).starts_with("{"))
      break;
    size_t end = rest.find('}');
    if (end == StringRef::npos)
      break;
    text = skipBlanks(rest.drop_front(end + 1));
  }
  return text;
}

int cif::detectKeyword(StringRef path, StringRef text,
                       ArrayRef<StringRef> keywords, StringRef extension) {
  bool named = path.ends_with(extension);
  const StringRef first = skipBlanks(text);
  StringRef rest = behindEnumerations(first);
  StringRef word = firstWord(rest);
  bool known = llvm::is_contained(keywords, word) && word != "enum";
  // Several formats have enumerations: what follows them says which it is, else
  // the file's name.
  if (!known && firstWord(first) == "enum")
    return named                                   ? 96
           : !llvm::is_contained(keywords, "enum") ? 0
           : rest.empty()                          ? 95
                                                   : 60;
  if (!known)
    // An empty or a broken file is still ours when it says so and is text.
    return named && !text.take_front(512).contains('\0') ? 10 : 0;
  rest = skipBlanks(rest.drop_front(word.size()));
  std::string name;
  if (takeName(rest, name) && skipBlanks(rest).starts_with("{"))
    return 95;
  return named ? 60 : 30;
}

//===----------------------------------------------------------------------===//
// Lexer
//===----------------------------------------------------------------------===//

Lexer::Lexer(const SourceBuffer &source, DiagnosticEngine &diags)
    : source(source), diags(diags), errorsBefore(diags.errors()),
      buffer(source.text()) {
  if (buffer.size() >= 0xffffff00u) {
    diags.report(Place{source.path().str(), 0, 0, ""}, diag::source_too_large)
        << "4095 MiB, the most that is read";
    buffer = {};
  } else if (buffer.starts_with("\xff\xfe") || buffer.starts_with("\xfe\xff")) {
    diags.report(Place{source.path().str(), 1, 1, ""}, diag::bad_character)
            .note("save the file as UTF-8")
        << "UTF-16 text";
    buffer = {};
  }
  if (buffer.starts_with("\xef\xbb\xbf"))
    at = 3;
  advance();
}

void Lexer::advance() {
  last = current;
  if (hasAhead) {
    current = ahead;
    hasAhead = false;
  } else {
    current = lex();
  }
}

const Token &Lexer::peek() {
  if (!hasAhead) {
    ahead = lex();
    hasAhead = true;
  }
  return ahead;
}

/// Skips a block comment, whose opening is at `at`.
void Lexer::skipComment() {
  Token open{Tok::End, at, 2, line, at - lineStart + 1};
  size_t end = buffer.find("*/", at + 2);
  if (end == StringRef::npos) {
    diags.report(place(open), diag::unterminated) << "comment"
                                                  << "'*/'";
    end = buffer.size();
  }
  for (size_t i = at; i < end; ++i)
    if (buffer[i] == '\n') {
      ++line;
      lineStart = static_cast<uint32_t>(i + 1);
    }
  at = static_cast<uint32_t>(std::min(end + 2, buffer.size()));
}

/// Reads a quoted name, whose quote is at `at`. It ends on its line.
Token Lexer::quotedName(Token token) {
  token.kind = Tok::Quoted;
  size_t end = at + 1;
  while (end < buffer.size() && buffer[end] != '"' && buffer[end] != '\n')
    end += buffer[end] == '\\' && end + 1 < buffer.size() &&
                   buffer[end + 1] != '\n'
               ? 2
               : 1;
  if (end >= buffer.size() || buffer[end] == '\n') {
    diags.report(place(token), diag::unterminated) << "quoted name"
                                                   << "'\"'";
    end = std::min(end, buffer.size());
    token.length = static_cast<uint32_t>(end - at);
    at = static_cast<uint32_t>(end);
    return token;
  }
  token.length = static_cast<uint32_t>(end + 1 - at);
  at = static_cast<uint32_t>(end + 1);
  // Escapes may spell bytes that are no characters, so look at what they mean.
  std::string plain;
  StringRef body = text(token).drop_front().drop_back();
  if (!unescape(body, plain))
    diags.report(place(token), diag::bad_escape) << text(token);
  else if (findNotUtf8(plain) != StringRef::npos)
    static_cast<void>(diags.report(place(token), diag::bad_utf8));
  return token;
}

/// Reports a run of bytes that begin no token, and skips it.
void Lexer::badCharacter(Token token) {
  auto byte = static_cast<unsigned char>(buffer[at]);
  std::string shown = llvm::isPrint(buffer[at])
                          ? ("'" + buffer.substr(at, 1) + "'").str()
                          : "byte 0x" + llvm::toHex(byte);
  diags.report(place(token), diag::bad_character) << shown;
  do
    ++at;
  while (at < buffer.size() && buffer[at] == static_cast<char>(byte));
}

Token Lexer::take(Token token, Tok kind, uint32_t length) {
  token.kind = kind;
  token.length = length;
  at += length;
  return token;
}

/// One character of an operator that has two: it is taken for that one, so that
/// nothing else is said of it.
Token Lexer::takeMeant(Token token, Tok kind) {
  diags.report(place(token), diag::bad_character)
          .note("did you mean " + tokenText(kind) + "?")
      << ("'" + buffer.substr(at, 1) + "'").str();
  return take(token, kind, 1);
}

/// Arrows beyond ASCII, which are letters of names as far as the language goes.
bool Lexer::isArrowSign(StringRef word) {
  static const StringRef signs[] = {"→", "⇒", "⟶", "⟹", "➔", "➜", "➝", "➞"};
  return llvm::is_contained(signs, word);
}

bool Lexer::consumeArrow() {
  if (!isArrow(current))
    return false;
  if (current.kind != Tok::Arrow)
    diags.report(place(current), diag::expected_token)
            .note("write '->' for " + found())
        << "'->'" << found();
  advance();
  return true;
}

/// Goes past blanks and comments.
void Lexer::skipToToken() {
  while (at < buffer.size()) {
    char c = buffer[at];
    if (c == '\n') {
      ++line;
      lineStart = ++at;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at;
    } else if (c == '/' && at + 1 < buffer.size() && buffer[at + 1] == '/') {
      size_t end = buffer.find('\n', at);
      at = static_cast<uint32_t>(std::min(end, buffer.size()));
    } else if (c == '/' && at + 1 < buffer.size() && buffer[at + 1] == '*') {
      skipComment();
    } else {
      break;
    }
  }
}

/// A word or number that begins here.
Token Lexer::word(Token token) {
  uint32_t begin = at;
  bool digits = true, ascii = true;
  for (; at < buffer.size() && isWordChar(buffer[at]); ++at) {
    digits &= llvm::isDigit(buffer[at]);
    ascii &= static_cast<unsigned char>(buffer[at]) < 0x80;
  }
  token.kind = digits ? Tok::Number : Tok::Word;
  token.length = at - begin;
  if (!ascii && findNotUtf8(text(token)) != StringRef::npos)
    static_cast<void>(diags.report(place(token), diag::bad_utf8));
  return token;
}

/// A sign that begins here; its kind stays End where there is none.
Token Lexer::sign(const Token &token) {
  char next = at + 1 < buffer.size() ? buffer[at + 1] : '\0';
  auto take = [&](Tok kind, uint32_t length) {
    return this->take(token, kind, length);
  };
  switch (buffer[at]) {
  case '(':
    return take(Tok::LeftParen, 1);
  case ')':
    return take(Tok::RightParen, 1);
  case '{':
    return take(Tok::LeftBrace, 1);
  case '}':
    return take(Tok::RightBrace, 1);
  case '[':
    return next == '>' ? take(Tok::Interrupt, 2) : take(Tok::LeftBracket, 1);
  case ']':
    return take(Tok::RightBracket, 1);
  case ';':
    return take(Tok::Semicolon, 1);
  case ',':
    return take(Tok::Comma, 1);
  case ':':
    return take(Tok::Colon, 1);
  case '+':
    return take(Tok::Plus, 1);
  case '*':
    return take(Tok::Star, 1);
  case '/':
    return take(Tok::Slash, 1);
  case '%':
    return take(Tok::Percent, 1);
  case '?':
    return take(Tok::Question, 1);
  case '-':
    return next == '>' ? take(Tok::Arrow, 2) : take(Tok::Minus, 1);
  case '!':
    return next == '=' ? take(Tok::NotEqual, 2) : take(Tok::Bang, 1);
  case '<':
    return next == '=' ? take(Tok::LessEqual, 2) : take(Tok::Less, 1);
  case '>':
    return next == '=' ? take(Tok::GreaterEqual, 2) : take(Tok::Greater, 1);
  case '=':
    if (next == '>')
      return take(Tok::FatArrow, 2);
    return next == '=' ? take(Tok::EqualEqual, 2)
                       : takeMeant(token, Tok::EqualEqual);
  case '|':
    return next == '|' ? take(Tok::BarBar, 2) : takeMeant(token, Tok::BarBar);
  case '&':
    return next == '&' ? take(Tok::AndAnd, 2) : takeMeant(token, Tok::AndAnd);
  default:
    return token;
  }
}

Token Lexer::lex() {
  while (true) {
    skipToToken();
    Token token{Tok::End, at, 0, line, at - lineStart + 1};
    if (at >= buffer.size())
      return token;
    if (isWordChar(buffer[at]))
      return word(token);
    if (buffer[at] == '"')
      return quotedName(token);
    if (Token found = sign(token); found.kind != Tok::End)
      return found;
    badCharacter(token);
  }
}

Name Lexer::name(const Token &token, StringTable &strings) {
  StringRef written = text(token);
  if (token.kind != Tok::Quoted)
    return strings.intern(written);
  if (written == "\"\"")
    static_cast<void>(diags.report(place(token), diag::empty_name));
  return string(token, strings);
}

Name Lexer::string(const Token &token, StringTable &strings) {
  StringRef written = text(token).drop_front();
  if (written.ends_with("\""))
    written = written.drop_back();
  if (!written.contains('\\'))
    return strings.intern(written);
  std::string plain;
  unescape(written, plain);
  return strings.intern(plain);
}

std::string Lexer::found(const Token &token) const {
  if (token.kind == Tok::End)
    return "the end of the file";
  StringRef written = text(token);
  if (written.size() > 40)
    return ("'" + written.take_front(37) + "...'").str();
  return ("'" + written + "'").str();
}
