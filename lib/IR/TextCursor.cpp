//===- TextCursor.cpp - Reading the text form a word at a time ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextCursor.h"
#include "cif/Support/Diagnostics/Forms.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

StringRef TextCursor::keyword() {
  skipBlanks();
  const char *start = next;
  while (next != end && (isWordChar(*next) ||
                         (*next == '-' && next != start && end - next > 1 &&
                          llvm::isAlpha(next[1]) && llvm::isAlpha(next[-1]))))
    ++next;
  return {start, size_t(next - start)};
}

bool TextCursor::quotedName(Name &to, char quote) {
  const char *start = next++;
  bool escaped = false;
  while (next != end && *next != quote && *next != '\n') {
    if (*next == '\\') {
      escaped = true;
      ++next;
      if (next == end || *next == '\n')
        break;
    }
    ++next;
  }
  StringRef body(start + 1, size_t(next - start - 1));
  bool closed = next != end && *next == quote;
  if (closed)
    ++next;
  if (closed && !escaped) {
    to = module.strings.internStable(body);
    return true;
  }
  std::string plain;
  if (!closed || !unescape(body, plain)) {
    diags.report(placeOf(start), diag::text_bad_name)
        << StringRef(start, std::min<size_t>(next - start, 40));
    return false;
  }
  to = module.strings.intern(plain);
  return true;
}

bool TextCursor::name(Name &to, const Twine &what) {
  if (peek() == '"')
    return quotedName(to);
  StringRef text = word();
  if (text.empty())
    return expected(what);
  to = module.strings.internStable(text);
  return true;
}

bool TextCursor::string(std::string &to, const Twine &what) {
  Name n;
  if (!name(n, what))
    return false;
  to = module.text(n).str();
  return true;
}

bool TextCursor::number(uint64_t &to, uint64_t limit, const Twine &what) {
  skipBlanks();
  const char *start = next;
  while (next != end && llvm::isDigit(*next))
    ++next;
  StringRef digits(start, size_t(next - start));
  if (digits.empty())
    return expected(what);
  if (digits.getAsInteger(10, to) || to > limit) {
    diags.report(placeOf(start), diag::text_bad_number)
        << digits.take_front(40);
    return false;
  }
  return true;
}

StringRef TextCursor::chunk() {
  skipBlanks();
  const char *start = next;
  bool quoted = false;
  for (; next != end && *next != '\n'; ++next) {
    if (*next == '"')
      quoted = !quoted;
    else if (quoted && *next == '\\' && end - next > 1 && next[1] != '\n')
      ++next;
    else if (!quoted && (*next == ' ' || *next == '\t' || *next == '\r'))
      break;
  }
  return {start, size_t(next - start)};
}

std::string TextCursor::found() {
  if (atLineEnd())
    return next == end ? "the end of the file" : "the end of the line";
  StringRef text = rest();
  size_t length = 1;
  if (isWordChar(text.front()))
    length = text.take_while(isWordChar).size();
  else if (text.starts_with("->"))
    length = 2;
  return "'" + text.take_front(std::min<size_t>(length, 40)).str() + "'";
}

bool TextCursor::expected(const Twine &what) {
  std::string here = found();
  diags.report(placeOf(next), diag::text_expected) << what << here;
  return false;
}

bool TextCursor::unknown(const char *where, StringRef what, StringRef text) {
  diags.report(placeOf(where), diag::text_unknown)
      << what << text.take_front(80);
  return false;
}

bool TextCursor::saidTwice(const char *where, StringRef what) {
  diags.report(placeOf(where), diag::text_said_twice) << what;
  return false;
}
