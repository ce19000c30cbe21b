//===- Symbols.cpp - Names in a source, for editors -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SymbolsBuilder.h"
#include "cif/IR/Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace cif;

StringRef cif::symbolKindText(SymbolKind kind) {
  static const char *const texts[] = {
      "choreography", "system", "protocol",  "behaviour", "participant",
      "message",      "state",  "recursion", "variable",  "enumeration",
      "literal",      "node",   "element"};
  return texts[static_cast<unsigned>(kind)];
}

const Occurrence *Symbols::at(uint32_t offset) const {
  // The last one that begins at or before the byte.
  auto after = llvm::partition_point(
      occurrences, [&](const Occurrence &o) { return o.offset <= offset; });
  if (after == occurrences.begin())
    return nullptr;
  const Occurrence &found = *std::prev(after);
  return offset <= found.end() ? &found : nullptr;
}

uint32_t Symbols::find(SymbolKind kind, uint32_t scope, StringRef name) const {
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].kind == kind && all[i].scope == scope && all[i].name == name)
      return static_cast<uint32_t>(i);
  return Symbol::none;
}

static std::string keyOf(SymbolKind kind, uint32_t scope, StringRef name) {
  return (Twine(static_cast<unsigned>(kind)) + " " + Twine(scope) + " " + name)
      .str();
}

uint32_t SymbolsBuilder::add(SymbolKind kind, uint32_t scope, StringRef name,
                             uint32_t offset, uint32_t length,
                             bool isDefinition) {
  auto [entry, isNew] = numbers.try_emplace(
      keyOf(kind, scope, name), static_cast<uint32_t>(symbols.all.size()));
  if (isNew)
    symbols.all.push_back({kind, scope, name.str(), "", ""});
  symbols.occurrences.push_back({offset, length, entry->second, isDefinition});
  return entry->second;
}

void SymbolsBuilder::addOperand(uint32_t scope, StringRef name, uint32_t offset,
                                uint32_t length) {
  operands.push_back({scope, offset, length, name.str()});
}

uint32_t SymbolsBuilder::open(uint32_t symbol, uint32_t offset,
                              uint32_t parent) {
  auto name = static_cast<uint32_t>(symbols.occurrences.size() - 1);
  symbols.blocks.push_back({symbol, offset, 0, name, parent});
  return static_cast<uint32_t>(symbols.blocks.size() - 1);
}

void SymbolsBuilder::close(uint32_t block, uint32_t end) {
  SourceBlock &closed = symbols.blocks[block];
  if (closed.length == 0)
    closed.length = end - closed.offset;
}

Symbols SymbolsBuilder::finish(uint32_t end) {
  for (uint32_t i = 0; i < symbols.blocks.size(); ++i)
    close(i, end);
  for (const Operand &o : operands) {
    bool isLiteral =
        numbers.count(keyOf(SymbolKind::Literal, Symbol::none, o.name));
    add(isLiteral ? SymbolKind::Literal : SymbolKind::Variable,
        isLiteral ? Symbol::none : o.scope, o.name, o.offset, o.length);
  }
  // Blocks name their occurrences, which move.
  std::vector<uint32_t> starts;
  for (const SourceBlock &block : symbols.blocks)
    starts.push_back(symbols.occurrences[block.name].offset);
  llvm::stable_sort(symbols.occurrences,
                    [](const Occurrence &a, const Occurrence &b) {
                      return a.offset < b.offset;
                    });
  for (size_t i = 0; i < starts.size(); ++i)
    symbols.blocks[i].name = static_cast<uint32_t>(
        llvm::partition_point(
            symbols.occurrences,
            [&](const Occurrence &o) { return o.offset < starts[i]; }) -
        symbols.occurrences.begin());
  return std::move(symbols);
}

TokenList::TokenList(const SourceBuffer &source) : buffer(source.text()) {
  SourceManager sources;
  DiagnosticEngine diags(sources, collected);
  Lexer lexer(source, diags);
  for (; !lexer.is(Tok::End); lexer.advance())
    tokens.push_back(lexer.token());
  end = lexer.token();
}

std::string TokenList::name(size_t i) const {
  StringRef written = text((*this)[i]);
  if ((*this)[i].kind != Tok::Quoted)
    return written.str();
  std::string plain;
  written = written.drop_front();
  if (written.ends_with("\""))
    written = written.drop_back();
  return unescape(written, plain) ? plain : written.str();
}

Symbols cif::findSymbols(StringRef language, const SourceBuffer &source) {
  if (language == "ioc")
    return findIocSymbols(source);
  if (language == "cp")
    return findCpSymbols(source);
  if (language == "cift")
    return findTextSymbols(source);
  if (language == "bpmn")
    return findBpmnSymbols(source);
  return {};
}

ArrayRef<StringRef> cif::keywordsOf(StringRef language) {
  static const StringRef ioc[] = {
      "choreography", "system", "role",  "enum", "while", "loop",  "rec",
      "tau",          "true",   "false", "int",  "bool",  "string"};
  static const StringRef cp[] = {"protocol", "peer", "enum",  "initial",
                                 "final",    "tau",  "true",  "false",
                                 "int",      "bool", "string"};
  static const StringRef text[] = {
#define CIF_NODE_KIND(ID, TEXT, ...) TEXT,
#include "cif/IR/NodeKinds.def"
      "cif",        "module",      "source", "abstraction",  "participant",
      "enum",       "message",     "expr",   "choreography", "process",
      "controller", "system",      "fact",   "reply",        "by",
      "on",         "in",          "loop",   "times",        "if",
      "binds",      "default",     "peer",   "plain",        "composition",
      "finals",     "label",       "timer",  "signal",       "error",
      "escalation", "conditional", "link",   "compensation", "cancel",
      "multiple",   "race",        "tau",    "tick"};
  if (language == "ioc")
    return ioc;
  if (language == "cp")
    return cp;
  if (language == "cift")
    return text;
  return {};
}

/// An id of XML: letters, digits, '_', '-', '.' and what is beyond ASCII; not
/// beginning with a digit, '-' or '.'.
static bool isXmlName(StringRef name) {
  return !name.empty() && !llvm::isDigit(name[0]) && name[0] != '-' &&
         name[0] != '.' && llvm::all_of(name, [](char c) {
           return isWordChar(c) || c == '-' || c == '.';
         });
}

std::string cif::spelling(StringRef language, SymbolKind kind, StringRef name) {
  if (kind == SymbolKind::Element)
    return isXmlName(name) ? name.str() : "";
  if (language == "bpmn") {
    std::string escaped;
    llvm::raw_string_ostream os(escaped);
    llvm::printHTMLEscaped(name, os);
    return llvm::any_of(name, [](unsigned char c) { return c < ' '; })
               ? ""
               : os.str();
  }
  bool isNumber = llvm::all_of(name, [](char c) { return llvm::isDigit(c); });
  bool isWord = !name.empty() && llvm::all_of(name, isWordChar) &&
                !llvm::is_contained(keywordsOf(language), name);
  // Whatever is not a word is a number, or has quotes where it may.
  if (isWord && (!isNumber || kind == SymbolKind::State))
    return name.str();
  if (kind == SymbolKind::Variable || kind == SymbolKind::Literal ||
      name.empty() || name.contains('\0'))
    return "";
  return quoteAlways(name);
}
