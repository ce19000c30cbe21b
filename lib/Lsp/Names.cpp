//===- Names.cpp - Definitions, references, names and the outline ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Features.h"
#include <set>

using namespace cif;

/// An outline that is nested deeper is of no use to anybody, and answers are
/// written recursively.
constexpr unsigned maxOutline = 40;
/// An object of JSON takes some kilobytes, and nobody looks at so many.
constexpr size_t maxBlocks = 5000, maxPlaces = 10000;

static const Occurrence *occurrenceAt(const Document &document,
                                      LspPosition position) {
  return document.symbols().at(document.offsetOf(position));
}

static Value locationOf(const Document &document, const Occurrence &o) {
  return Object{{"uri", document.uri},
                {"range", toJSON(document.rangeOf(o.offset, o.length))}};
}

Value cif::definitionOf(const Document &document, LspPosition position) {
  const Occurrence *here = occurrenceAt(document, position);
  if (!here)
    return nullptr;
  Array found;
  const auto &occurrences = document.symbols().occurrences;
  for (const Occurrence &o : occurrences)
    if (o.symbol == here->symbol && o.isDefinition && found.size() < maxPlaces)
      found.push_back(locationOf(document, o));
  if (found.empty())
    found.push_back(locationOf(
        document, *llvm::find_if(occurrences, [&](const Occurrence &o) {
          return o.symbol == here->symbol;
        })));
  return found;
}

Value cif::referencesOf(const Document &document, LspPosition position,
                        bool withDefinition) {
  const Occurrence *here = occurrenceAt(document, position);
  if (!here)
    return nullptr;
  Array found;
  for (const Occurrence &o : document.symbols().occurrences)
    if (o.symbol == here->symbol && (withDefinition || !o.isDefinition) &&
        found.size() < maxPlaces)
      found.push_back(locationOf(document, o));
  return found;
}

Value cif::highlightsOf(const Document &document, LspPosition position) {
  const Occurrence *here = occurrenceAt(document, position);
  if (!here)
    return nullptr;
  Array found;
  for (const Occurrence &o : document.symbols().occurrences)
    if (o.symbol == here->symbol && found.size() < maxPlaces)
      found.push_back(
          Object{{"range", toJSON(document.rangeOf(o.offset, o.length))},
                 {"kind", o.isDefinition ? 3 : 2}});
  return found;
}

Value cif::renameRange(const Document &document, LspPosition position) {
  const Occurrence *here = occurrenceAt(document, position);
  if (!here)
    return nullptr;
  return Object{{"range", toJSON(document.rangeOf(here->offset, here->length))},
                {"placeholder", document.symbols().all[here->symbol].name}};
}

static std::string withArticle(StringRef noun) {
  return ((StringRef("aeiou").contains(noun[0]) ? "an " : "a ") + noun).str();
}

/// What else \p name would be, next to \p symbol: the literals of enumerations
/// and the variables share their names.
static const Symbol *clash(const Symbols &symbols, const Symbol &symbol,
                           StringRef name) {
  for (const Symbol &other : symbols.all) {
    if (other.name != name)
      continue;
    bool data = symbol.kind == SymbolKind::Variable ||
                symbol.kind == SymbolKind::Literal;
    bool otherData =
        other.kind == SymbolKind::Variable || other.kind == SymbolKind::Literal;
    bool meets = symbol.scope == other.scope || symbol.scope == Symbol::none ||
                 other.scope == Symbol::none;
    if ((other.kind == symbol.kind && other.scope == symbol.scope) ||
        (data && otherData && meets))
      return &other;
  }
  return nullptr;
}

/// The edits that give \p number of \p document another name.
static bool renameSymbol(const Document &document, uint32_t number,
                         StringRef name, std::vector<LspEdit> &edits,
                         std::string &error) {
  const Symbols &symbols = document.symbols();
  const Symbol &symbol = symbols.all[number];
  if (symbol.name == name)
    return true;
  std::string text = spelling(document.language, symbol.kind, name);
  if (text.empty()) {
    error = ("'" + name + "' cannot be the name of " +
             withArticle(symbolKindText(symbol.kind)))
                .str();
    return false;
  }
  if (const Symbol *other = clash(symbols, symbol, name)) {
    error = ("there is " + withArticle(symbolKindText(other->kind)) + " '" +
             name + "' already; the two would become one")
                .str();
    return false;
  }
  for (const Occurrence &o : symbols.occurrences)
    if (o.symbol == number)
      edits.push_back({document.rangeOf(o.offset, o.length), text});
  if (edits.size() > maxPlaces) {
    error = "the name occurs in " + std::to_string(edits.size()) +
            " places, which is too many for an editor";
    return false;
  }
  return true;
}

bool cif::rename(const Document &document, LspPosition position, StringRef name,
                 std::vector<LspEdit> &edits, std::string &error) {
  const Occurrence *here = occurrenceAt(document, position);
  if (here)
    return renameSymbol(document, here->symbol, name, edits, error);
  error = "there is no name here that can be changed";
  return false;
}

/// Whether two models exchange the message \p number of \p one between the
/// same participants.
static bool exchangeAlike(const Symbols &one, uint32_t number,
                          const Symbols &other) {
  auto namesOf = [](const Symbols &symbols, const SymbolExchange &e) {
    return std::array{StringRef(symbols.all[e.sender].name),
                      StringRef(symbols.all[e.receiver].name),
                      StringRef(symbols.all[e.message].name)};
  };
  std::set<std::array<StringRef, 3>> known;
  for (const SymbolExchange &e : one.exchanges)
    if (e.message == number)
      known.insert(namesOf(one, e));
  return llvm::any_of(other.exchanges, [&](const SymbolExchange &e) {
    return known.count(namesOf(other, e)) != 0;
  });
}

uint32_t cif::sharedName(const Document &document, LspPosition position,
                         const Document &other) {
  const Occurrence *here = occurrenceAt(document, position);
  if (!here)
    return Symbol::none;
  const Symbols &symbols = document.symbols();
  const Symbol &symbol = symbols.all[here->symbol];
  bool isMessage = symbol.kind == SymbolKind::Message;
  if ((!isMessage && symbol.kind != SymbolKind::Participant) ||
      (isMessage && !exchangeAlike(symbols, here->symbol, other.symbols())))
    return Symbol::none;
  return other.symbols().find(symbol.kind, Symbol::none, symbol.name);
}

bool cif::renameShared(const Document &other, uint32_t symbol, StringRef name,
                       std::vector<LspEdit> &edits, std::string &error) {
  return renameSymbol(other, symbol, name, edits, error);
}

/// The protocol's numbers for kinds of symbols.
static int outlineKind(const Symbol &symbol) {
  switch (symbol.kind) {
  case SymbolKind::System:
    return 3; // Namespace
  case SymbolKind::Participant:
  case SymbolKind::Protocol:
    return 5; // Class
  case SymbolKind::Enumeration:
    return 10; // Enum
  case SymbolKind::Element:
    return 19; // Object
  default:
    return 12; // Function
  }
}

Value cif::outlineOf(const Document &document) {
  const Symbols &symbols = document.symbols();
  size_t count = std::min(symbols.blocks.size(), maxBlocks);
  std::vector<Array> children(count + 1); // the last: of the file
  std::vector<unsigned> depths(count);
  std::vector<size_t> parents(count, count);
  for (size_t i = 0; i < count; ++i) {
    uint32_t parent = symbols.blocks[i].parent;
    if (parent == Symbol::none)
      continue;
    bool fits = depths[parent] + 1 < maxOutline;
    parents[i] = fits ? parent : parents[parent];
    depths[i] = fits ? depths[parent] + 1 : depths[parent];
  }
  for (size_t i = count; i-- > 0;) {
    const SourceBlock &block = symbols.blocks[i];
    const Symbol &symbol = symbols.all[block.symbol];
    const Occurrence &name = symbols.occurrences[block.name];
    std::reverse(children[i].begin(), children[i].end());
    std::string detail = symbol.detail.empty()
                             ? symbolKindText(symbol.kind).str()
                             : symbol.detail;
    children[parents[i]].push_back(Object{
        {"name", symbol.title.empty() ? symbol.name : symbol.title},
        {"detail", detail},
        {"kind", outlineKind(symbol)},
        {"range", toJSON(document.rangeOf(block.offset, block.length))},
        {"selectionRange", toJSON(document.rangeOf(name.offset, name.length))},
        {"children", std::move(children[i])}});
  }
  std::reverse(children[count].begin(), children[count].end());
  return std::move(children[count]);
}

//===----------------------------------------------------------------------===//
// Semantic tokens
//===----------------------------------------------------------------------===//

static const char *const tokenTypes[] = {"namespace",  "class",    "method",
                                         "enumMember", "function", "variable",
                                         "enum",       "property"};

Value cif::semanticTokenTypes() { return Array(tokenTypes); }

static int tokenType(SymbolKind kind) {
  switch (kind) {
  case SymbolKind::Participant:
    return 1;
  case SymbolKind::Message:
    return 2;
  case SymbolKind::State:
  case SymbolKind::Literal:
    return 3;
  case SymbolKind::Recursion:
    return 4;
  case SymbolKind::Variable:
    return 5;
  case SymbolKind::Enumeration:
    return 6;
  case SymbolKind::Node:
  case SymbolKind::Element:
    return 7;
  default:
    return 0;
  }
}

Value cif::semanticTokensOf(const Document &document) {
  Array data;
  LspPosition last;
  if (document.language != "bpmn") // XML has its own colours
    for (const Occurrence &o : document.symbols().occurrences) {
      LspRange range = document.rangeOf(o.offset, o.length);
      bool newLine = range.start.line != last.line;
      data.push_back(range.start.line - last.line);
      data.push_back(newLine ? range.start.character
                             : range.start.character - last.character);
      data.push_back(range.end.character - range.start.character);
      data.push_back(tokenType(document.symbols().all[o.symbol].kind));
      data.push_back(0);
      last = range.start;
    }
  return Object{{"data", std::move(data)}};
}
