//===- PlantUmlArrow.cpp - The messages of PlantUML -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `A o<-[#red]-x B ++ : text`: an end; a circle or cross; a head; dashes with
/// a style among them; a head; a circle or cross; an end; what it activates; a
/// text.
///
//===----------------------------------------------------------------------===//

#include "PlantUmlArrow.h"
#include "Diagram.h"
#include "cif/IR/Names.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;
using namespace cif::sequence;

static bool isIdChar(char c) {
  return isWordChar(c) || c == '.' || c == '@' || c == '$';
}

/// A word, or what stands in quotes.
static bool takeId(StringRef &text, StringRef &id, bool &quoted) {
  quoted = text.starts_with("\"");
  if (quoted) {
    size_t close = text.find('"', 1);
    if (close == StringRef::npos || close == 1)
      return false;
    id = text.slice(1, close);
    text = text.drop_front(close + 1);
    return true;
  }
  id = text.take_while(isIdChar);
  text = text.drop_front(id.size());
  return !id.empty();
}

bool cif::sequence::takeEnd(StringRef &text, UmlEnd &end) {
  text = text.ltrim();
  bool quoted = false, otherQuoted = false;
  if (!takeId(text, end.id, quoted))
    return false;
  if (quoted && end.id.trim().empty())
    return false;
  StringRef behind = text.ltrim(), other;
  if (behind.size() == text.size() || !behind.consume_front_insensitive("as") ||
      behind.empty() || !(llvm::isSpace(behind.front()) || behind[0] == '"'))
    return true;
  behind = behind.ltrim();
  if (!takeId(behind, other, otherQuoted))
    return true;
  // The one that is not in quotes is the id; of two, the second one.
  end.shown = otherQuoted && !quoted ? other : end.id;
  if (!(otherQuoted && !quoted))
    end.id = other;
  text = behind;
  return true;
}

/// Takes `<`, `<<`, `/`, `//`, `\`, `\\` or, on the right side, `>` and `>>`.
static bool takeHead(StringRef &text, bool right) {
  for (StringRef head : {"\\\\", "//", "\\", "/"})
    if (text.consume_front(head))
      return true;
  if (right)
    return text.consume_front(">>") || text.consume_front(">");
  return text.consume_front("<<") || text.consume_front("<");
}

/// Takes dashes, and styles in brackets before or among them: `-[#red]>`, but
/// not the border in `-]`.
static bool takeBody(StringRef &text, UmlMessage &m) {
  unsigned dashes = 0;
  while (true) {
    if (text.consume_front("-")) {
      ++dashes;
      continue;
    }
    size_t close = text.starts_with("[") ? text.find(']') : StringRef::npos;
    if (close == StringRef::npos ||
        !(dashes || text.drop_front(close + 1).starts_with("-")))
      break;
    StringRef style = text.take_front(close);
    m.dotted |= style.contains_insensitive("dashed") ||
                style.contains_insensitive("dotted");
    m.hidden |= style.contains_insensitive("hidden");
    text = text.drop_front(close + 1);
  }
  m.dotted |= dashes > 1;
  return dashes > 0;
}

/// Takes the slant of a line: `(10)`.
static void takeSlant(StringRef &text) {
  StringRef rest = text;
  if (!rest.consume_front("("))
    return;
  rest = rest.ltrim("0123456789");
  if (rest.consume_front(")"))
    text = rest;
}

static bool isMark(char c) { return StringRef("oOxX").contains(c); }
static bool isCross(char c) { return c == 'x' || c == 'X'; }

/// Whether an end of a message stands behind blanks.
static bool startsEnd(StringRef text) {
  text = text.ltrim();
  return !text.empty() &&
         (isIdChar(text[0]) || StringRef("\"]?").contains(text[0]));
}

static bool takeArrow(StringRef &text, UmlMessage &m) {
  StringRef rest = text;
  bool crossLeft = false, crossRight = false;
  // A circle or cross stands right before the arrow.
  if (rest.size() > 1 && isMark(rest[0]) &&
      StringRef("<-/\\").contains(rest[1])) {
    crossLeft = isCross(rest[0]);
    rest = rest.drop_front();
  }
  m.headLeft = takeHead(rest, false);
  rest.consume_front("_");
  takeSlant(rest);
  m.dotted = m.hidden = false;
  if (!takeBody(rest, m))
    return false;
  rest.consume_front("_");
  m.headRight = takeHead(rest, true);
  // In `A ->x B` it is a cross, in `A ->x : text` a participant.
  if (rest.size() > 1 && isMark(rest[0]) &&
      StringRef(" \t]?(").contains(rest[1]) && startsEnd(rest.drop_front())) {
    crossRight = isCross(rest[0]);
    rest = rest.drop_front();
  }
  takeSlant(rest);
  if (!m.headLeft && !m.headRight) {
    if (!crossLeft && !crossRight)
      return false;
    m.headRight = true; // `A -x B` is drawn from the left to the right
  }
  m.lost = crossLeft || crossRight;
  text = rest;
  return true;
}

bool cif::sequence::startsArrow(StringRef text) {
  UmlMessage m;
  text = text.ltrim();
  return takeArrow(text, m);
}

void cif::sequence::skipLooks(StringRef &text) {
  static const std::pair<StringRef, StringRef> brackets[] = {{"<<", ">>"},
                                                             {"[[", "]]"}};
  while (true) {
    text = text.ltrim();
    StringRef before = text;
    if (text.starts_with("#"))
      text = text.drop_until([](char c) { return c == ' ' || c == ':'; });
    for (auto [opening, closing] : brackets)
      if (size_t close = text.find(closing);
          text.starts_with(opening) && close != StringRef::npos)
        text = text.drop_front(close + closing.size());
    StringRef behind = text;
    if (behind.consume_front_insensitive("order") && !behind.empty() &&
        llvm::isSpace(behind[0]))
      text = behind.ltrim().ltrim("-0123456789");
    if (text.size() == before.size())
      return;
  }
}

/// Takes `{start}`: a name for a moment.
static void takeAnchor(StringRef &text) {
  text = text.ltrim();
  size_t close = text.find('}');
  if (text.starts_with("{") && close != StringRef::npos)
    text = text.drop_front(close + 1).ltrim();
}

bool cif::sequence::takeMessage(StringRef &text, UmlMessage &m) {
  StringRef rest = text.ltrim();
  StringRef behindBorder = rest;
  if ((behindBorder.consume_front("[") || behindBorder.consume_front("?")) &&
      startsArrow(behindBorder)) {
    m.left.isBorder = true;
    rest = behindBorder;
  } else if (!takeEnd(rest, m.left)) {
    return false;
  }
  takeAnchor(rest);
  if (!takeArrow(rest, m))
    return false;
  rest = rest.ltrim();
  if (rest.consume_front("]") || rest.consume_front("?"))
    m.right.isBorder = true;
  else if (!takeEnd(rest, m.right))
    return false;
  for (StringRef more = rest.ltrim(), id; more.consume_front("& ");) {
    bool quoted = false;
    more = more.ltrim();
    if (!takeId(more, id, quoted))
      return false;
    m.others.push_back(id);
    rest = more;
    more = more.ltrim();
  }
  takeAnchor(rest);
  // What it activates, creates or destroys, and a colour.
  while (true) {
    if (rest.consume_front("++"))
      m.activates = true;
    else if (rest.consume_front("--"))
      m.deactivates = true;
    else if (!rest.consume_front("**") && !rest.consume_front("!!"))
      break;
    rest = rest.ltrim();
  }
  skipLooks(rest);
  if (rest.consume_front(":"))
    m.text = rest.trim();
  else if (!rest.empty())
    return false;
  text = {};
  return true;
}

std::string cif::sequence::umlText(StringRef text) {
  std::string result;
  while (!text.empty()) {
    StringRef rest = text;
    uint32_t code = 0;
    if (rest.consume_front("\\n") || rest.consume_front("%newline()")) {
      result += ' ';
      text = rest;
      continue;
    }
    bool hexadecimal = rest.starts_with("<U+");
    if (rest.consume_front("&#") || rest.consume_front("<U+")) {
      size_t before = result.size();
      if (!rest.consumeInteger(hexadecimal ? 16 : 10, code) &&
          rest.consume_front(hexadecimal ? ">" : ";"))
        appendCodePoint(result, code);
      if (result.size() != before) {
        text = rest;
        continue;
      }
    }
    result += text.front();
    text = text.drop_front();
  }
  return result;
}
