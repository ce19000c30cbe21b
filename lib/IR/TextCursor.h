//===- TextCursor.h - Reading the text form a word at a time --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The scanner of the text form. Statements end with their line, so what goes
/// wrong in one line does not spoil the next. Names are interned in place: the
/// module keeps the text alive.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_IR_TEXTCURSOR_H
#define CIF_LIB_IR_TEXTCURSOR_H

#include "cif/IR/Module.h"
#include "cif/IR/Names.h"

namespace cif {

class TextCursor {
public:
  TextCursor(const SourceBuffer &source, Module &module,
             DiagnosticEngine &diags)
      : source(source), diags(diags), module(module),
        begin(source.text().begin()), next(begin), end(source.text().end()) {}

  const SourceBuffer &source;
  DiagnosticEngine &diags;

  //===--- Lines ----------------------------------------------------------===//

  bool atEnd() const { return next == end; }
  /// Whether the line has no more to say; skips blanks and a comment.
  bool atLineEnd() {
    skipBlanks();
    return next == end || *next == '\n';
  }
  /// Ends a statement: nothing but a comment may follow.
  bool endLine() {
    if (!atLineEnd())
      return expected("the end of the line");
    if (next != end)
      ++next;
    return true;
  }
  void skipLine() {
    while (next != end && *next != '\n')
      ++next;
    if (next != end)
      ++next;
  }
  /// Goes to the next line that says something. False: there is none.
  bool nextLine() {
    while (atLineEnd()) {
      if (next == end)
        return false;
      ++next;
    }
    return true;
  }

  //===--- Words ----------------------------------------------------------===//

  void skipBlanks() {
    while (next != end && (*next == ' ' || *next == '\t' || *next == '\r'))
      ++next;
    if (end - next >= 2 && next[0] == '/' && next[1] == '/')
      while (next != end && *next != '\n')
        ++next;
  }
  /// The next character after blanks, 0 at the end.
  char peek() {
    skipBlanks();
    return next == end ? 0 : *next;
  }
  bool take(StringRef punctuation) {
    skipBlanks();
    if (!rest().starts_with(punctuation))
      return false;
    next += punctuation.size();
    return true;
  }
  bool expect(StringRef punctuation) {
    return take(punctuation) || expected("'" + punctuation + "'");
  }
  /// A run of word characters, or empty.
  StringRef word() {
    skipBlanks();
    const char *start = next;
    while (next != end && isWordChar(*next))
      ++next;
    return {start, size_t(next - start)};
  }
  /// A keyword: letters and single hyphens between them, or empty.
  StringRef keyword();
  /// Takes exactly this keyword.
  bool takeKeyword(StringRef wanted) {
    const char *before = next;
    if (keyword() == wanted)
      return true;
    next = before;
    return false;
  }
  /// A word or a text in quotes, interned.
  bool name(Name &to, const Twine &what);
  /// A text in quotes of this kind, interned. The quote must be next.
  bool quotedName(Name &to, char quote = '"');
  bool string(std::string &to, const Twine &what);
  bool number(uint64_t &to, uint64_t limit, const Twine &what);
  bool number(uint32_t &to, const Twine &what) {
    uint64_t wide = 0;
    bool ok = number(wide, 0xffffffffu, what);
    to = static_cast<uint32_t>(wide);
    return ok;
  }
  /// Everything up to a blank that is not in quotes.
  StringRef chunk();

  //===--- Places and errors ----------------------------------------------===//

  StringRef rest() const { return {next, size_t(end - next)}; }
  size_t offset() const { return size_t(next - begin); }
  const char *mark() const { return next; }
  void reset(const char *to) { next = to; }
  Place placeOf(const char *where) const {
    return source.place(size_t(where - begin));
  }
  /// Reports what should stand here; returns false.
  bool expected(const Twine &what);
  bool unknown(const char *where, StringRef what, StringRef text);
  bool saidTwice(const char *where, StringRef what);

  Module &module;

private:
  /// What stands at the cursor, for a message.
  std::string found();

  const char *begin, *next, *end;
};

} // namespace cif

#endif
