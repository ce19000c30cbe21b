//===- SequenceText.cpp - Writing sequence diagrams -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/SequenceText.h"
#include "cif/Support/Visible.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace cif;

/// Whether \p name can stand for itself in both languages.
static bool isSafeId(StringRef name) {
  static const StringRef words[] = {
      "participant", "actor",       "boundary",     "control",
      "entity",      "database",    "queue",        "create",
      "destroy",     "activate",    "deactivate",   "alt",
      "else",        "opt",         "loop",         "par",
      "par2",        "and",         "also",         "critical",
      "option",      "break",       "group",        "rect",
      "box",         "end",         "endbox",       "note",
      "hnote",       "rnote",       "over",         "left",
      "right",       "as",          "of",           "off",
      "title",       "autonumber",  "link",         "links",
      "details",     "return",      "ref",          "properties",
      "acctitle",    "accdescr",    "par_over",     "skinparam",
      "hide",        "show",        "header",       "footer",
      "legend",      "caption",     "newpage",      "scale",
      "x",           "o",           "style",        "skin",
      "url",         "page",        "center",       "floating",
      "order",       "mainframe",   "ignore",       "footbox",
      "sprite",      "collections", "autoactivate", "sequencediagram"};
  return !name.empty() && llvm::isAlpha(name[0]) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
         !llvm::is_contained(words, name.lower());
}

SequenceText::SequenceText(Form f, raw_ostream &to, StringRef title,
                           ArrayRef<std::string> names)
    : form(f), os(to) {
  os << (form == Mermaid ? "sequenceDiagram\n" : "@startuml\n");
  if (!title.empty())
    line() << "title " << escaped(title) << '\n';
  llvm::StringSet<> taken;
  for (const std::string &name : names)
    taken.insert(name);
  unsigned number = 0;
  for (const std::string &name : names) {
    std::string own = name;
    if (!isSafeId(name))
      do
        own = "P" + std::to_string(++number);
      while (!taken.insert(own).second);
    line() << "participant ";
    if (own == name)
      os << own << '\n';
    else if (form == Mermaid)
      os << own << " as " << escaped(name) << '\n';
    else
      os << '"' << escaped(name) << "\" as " << own << '\n';
    order.push_back(own);
    ids.try_emplace(name, std::move(own));
  }
}

void SequenceText::finish() {
  if (form == PlantUml)
    os << "@enduml\n";
}

raw_ostream &SequenceText::line() {
  // Deep nesting is not made worse by blanks.
  return os.indent(2 * std::min(depth, 20u));
}

/// Characters that the languages take for something else are written by their
/// numbers, as blanks at the ends are.
std::string SequenceText::escaped(StringRef text) const {
  std::string result;
  StringRef special = form == Mermaid ? "#;<" : "\\&<\"%'~";
  bool wraps = text.starts_with_insensitive("wrap:") ||
               text.starts_with_insensitive("nowrap:") || text.starts_with(":");
  size_t length = 1;
  for (size_t i = 0; i < text.size(); i += length) {
    Character c = firstCharacter(text.drop_front(i));
    length = c.length;
    bool atEnd = i == 0 || i + 1 == text.size();
    if (special.contains(text[i]) || c.hidden || (text[i] == ' ' && atEnd) ||
        (i == 0 && wraps) ||
        (text[i] == '%' && i + 1 < text.size() && text[i + 1] == '%'))
      result +=
          (form == Mermaid ? "#" : "&#") + std::to_string(c.codePoint) + ";";
    else
      result += text.substr(i, length);
  }
  return result;
}

void SequenceText::message(StringRef from, StringRef to, StringRef text,
                           bool waits) {
  line() << id(from);
  if (form == Mermaid)
    os << (waits ? "->>" : "-)") << id(to) << ": ";
  else
    os << (waits ? " -> " : " ->> ") << id(to) << " : ";
  os << escaped(text) << '\n';
}

void SequenceText::open(StringRef word, StringRef label) {
  line() << word << (label.empty() ? "" : " ") << escaped(label) << '\n';
  ++depth;
}

void SequenceText::part(StringRef word, StringRef label) {
  --depth;
  line() << (form == PlantUml ? StringRef("else") : word)
         << (label.empty() ? "" : " ") << escaped(label) << '\n';
  ++depth;
}

void SequenceText::close() {
  --depth;
  line() << "end\n";
}

void SequenceText::note(StringRef over, StringRef text) {
  if (order.empty())
    return;
  line() << "note over ";
  if (!over.empty())
    os << id(over);
  else if (order.size() == 1)
    os << order[0];
  else
    os << order.front() << ',' << order.back();
  os << ": " << escaped(text) << '\n';
}

void SequenceText::comment(StringRef text) {
  line() << (form == Mermaid ? "%% " : "' ");
  os << visible(text) << '\n';
}
