//===- Complete.cpp - Words that may follow -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is possible at a position depends on what precedes it on the line, and
/// on the block around it.
///
//===----------------------------------------------------------------------===//

#include "Features.h"
#include "cif/IR/Names.h"
#include "llvm/ADT/StringSet.h"

using namespace cif;

/// A list that is longer is not read by anybody.
constexpr size_t maxItems = 1000;

namespace {
class Completer {
public:
  Completer(const Document &document, LspPosition position);
  Value run();

private:
  void inIoc();
  void inCp();
  void inText();
  void inBpmn();
  void keywords(std::initializer_list<StringRef> words) {
    for (StringRef word : words)
      item(word, word, 14, "keyword");
  }
  void names(SymbolKind kind, uint32_t scope = Symbol::none);
  void item(StringRef label, StringRef text, int kind, StringRef detail);
  bool inCondition() const;

  const Document &document;
  const Symbols &symbols;
  uint32_t block = Symbol::none; ///< the innermost one around the place
  StringRef line;                ///< before the word that is typed
  Array items;
  llvm::StringSet<> known;
};
} // namespace

Completer::Completer(const Document &document, LspPosition position)
    : document(document), symbols(document.symbols()) {
  uint32_t offset = document.offsetOf(position);
  uint32_t begin = document.offsetOf({position.line, 0});
  line = StringRef(document.text()).slice(begin, offset);
  bool isXml = document.language == "bpmn";
  line = line.rtrim(isXml ? "" : " \t");
  if (!isXml && line.size() == offset - begin)
    while (!line.empty() && isWordChar(line.back()))
      line = line.drop_back();
  line = line.rtrim(isXml ? "" : " \t");
  for (uint32_t i = 0; i < symbols.blocks.size(); ++i)
    if (symbols.blocks[i].offset < offset &&
        offset < symbols.blocks[i].offset + symbols.blocks[i].length)
      block = i; // children come after parents
}

void Completer::item(StringRef label, StringRef text, int kind,
                     StringRef detail) {
  if (items.size() >= maxItems || !known.insert(text).second)
    return;
  // Values of JSON do not own a StringRef.
  Object made{{"label", label.str()}, {"kind", kind}, {"detail", detail.str()}};
  if (text != label)
    made["insertText"] = text.str();
  items.push_back(std::move(made));
}

void Completer::names(SymbolKind kind, uint32_t scope) {
  int number = kind == SymbolKind::Participant ? 7
               : kind == SymbolKind::Message   ? 2
               : kind == SymbolKind::Recursion ? 3
               : kind == SymbolKind::Variable  ? 6
                                               : 20;
  for (const Symbol &symbol : symbols.all)
    if (symbol.kind == kind && symbol.scope == scope)
      item(symbol.name, spelling(document.language, kind, symbol.name), number,
           symbol.title.empty() ? symbolKindText(kind)
                                : StringRef(symbol.title));
}

/// Within `[...]`, which `[>` does not open.
bool Completer::inCondition() const {
  size_t open = line.rfind('[');
  return open != StringRef::npos && !line.substr(open).contains(']') &&
         !line.substr(open).starts_with("[>");
}

void Completer::inIoc() {
  SymbolKind around = block == Symbol::none
                          ? SymbolKind::Element
                          : symbols.all[symbols.blocks[block].symbol].kind;
  if (inCondition()) {
    names(SymbolKind::Variable, block);
    names(SymbolKind::Literal);
    return keywords({"true", "false"});
  }
  if (line.ends_with("->"))
    return names(SymbolKind::Participant);
  if (line.ends_with("!") || line.ends_with("?"))
    return names(SymbolKind::Message);
  if (line.ends_with(":")) {
    // `a -> b :`, else `x :` in a payload.
    StringRef before = line.drop_back().rtrim();
    StringRef word =
        before.ends_with("\"")
            ? before.substr(before.drop_back().rfind('"'))
            : before.substr(before.find_last_not_of("abcdefghijklmnopqrstuvwxyz"
                                                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                    "0123456789_") +
                            1);
    if (before.drop_back(word.size()).rtrim().ends_with("->"))
      return names(SymbolKind::Message);
    keywords({"int", "bool", "string"});
    return names(SymbolKind::Enumeration);
  }
  if (block == Symbol::none)
    return keywords({"choreography", "system", "enum"});
  if (around == SymbolKind::System)
    return keywords({"role"});
  if (around == SymbolKind::Enumeration)
    return;
  names(SymbolKind::Participant);
  names(SymbolKind::Recursion, block);
  keywords({"while", "loop", "rec", "tau"});
}

void Completer::inCp() {
  if (block == Symbol::none)
    return keywords({"protocol", "peer", "enum"});
  if (symbols.all[symbols.blocks[block].symbol].kind == SymbolKind::Enumeration)
    return;
  if (inCondition()) {
    names(SymbolKind::Variable, block);
    names(SymbolKind::Literal);
    return keywords({"true", "false"});
  }
  size_t colons = line.count(':');
  if (colons == 0) {
    names(SymbolKind::State, block);
    return keywords({"initial", "final"});
  }
  if (line.ends_with("!") || line.ends_with("?") || colons > 1)
    return names(SymbolKind::Message);
  names(SymbolKind::Participant);
  if (line.ends_with(":") || line.ends_with("=>"))
    keywords({"tau"});
}

void Completer::inText() {
  names(SymbolKind::Participant);
  names(SymbolKind::Message);
  if (block != Symbol::none)
    names(SymbolKind::Node, block);
  for (StringRef word : keywordsOf("cift"))
    keywords({word});
}

/// In the value of an attribute that is an id: `sourceRef="...`.
void Completer::inBpmn() {
  size_t quote = line.rfind('"');
  if (quote == StringRef::npos || line.substr(0, quote).count('"') % 2 != 0)
    return;
  StringRef name = line.take_front(quote);
  if (name.ends_with("Ref=") || name.ends_with("bpmnElement=") ||
      name.ends_with("default="))
    names(SymbolKind::Element);
}

Value Completer::run() {
  if (document.language == "ioc")
    inIoc();
  else if (document.language == "cp")
    inCp();
  else if (document.language == "cift")
    inText();
  else if (document.language == "bpmn")
    inBpmn();
  bool isComplete = items.size() < maxItems;
  return Object{{"isIncomplete", !isComplete}, {"items", std::move(items)}};
}

Value cif::completionsAt(const Document &document, LspPosition position) {
  return Completer(document, position).run();
}
