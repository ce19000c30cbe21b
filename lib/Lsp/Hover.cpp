//===- Hover.cpp - What is under the cursor -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Features.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace cif;

/// A list that is longer is cut.
constexpr size_t maxListed = 12;

/// \p name in a fence that it does not end.
static std::string code(StringRef name) {
  return name.contains('`') ? "`` " + name.str() + " ``"
                            : "`" + name.str() + "`";
}

namespace {
/// Names, each once and not too many.
struct NameList {
  void add(const std::string &text) {
    if (seen.insert(text).second)
      all.push_back(text);
  }
  std::string text() const {
    size_t count = std::min(all.size(), maxListed);
    std::string joined =
        llvm::join(all.begin(), all.begin() + static_cast<long>(count), ", ");
    if (count < all.size())
      joined += " and " + std::to_string(all.size() - count) + " more";
    return joined;
  }
  std::vector<std::string> all;
  llvm::StringSet<> seen;
};
} // namespace

static std::string endText(const Symbols &symbols, uint32_t end) {
  return end == Symbol::none ? "any participant" : code(symbols.all[end].name);
}

/// What a participant sends and receives, or who exchanges a message.
static std::string exchangesOf(const Symbols &symbols, uint32_t number) {
  NameList sends, receives, between;
  for (const SymbolExchange &e : symbols.exchanges) {
    std::string message = code(symbols.all[e.message].name);
    if (e.sender == number)
      sends.add(message + " to " + endText(symbols, e.receiver));
    if (e.receiver == number)
      receives.add(message + " from " + endText(symbols, e.sender));
    if (e.message == number)
      between.add(endText(symbols, e.sender) + " → " +
                  endText(symbols, e.receiver));
  }
  std::string text;
  if (!sends.all.empty())
    text += "\n\nsends " + sends.text();
  if (!receives.all.empty())
    text += "\n\nreceives " + receives.text();
  if (!between.all.empty())
    text += "\n\n" + between.text();
  return text;
}

static std::string symbolText(const Symbols &symbols, uint32_t number) {
  const Symbol &symbol = symbols.all[number];
  std::string text =
      "**" + symbolKindText(symbol.kind).str() + "** " + code(symbol.name);
  if (symbol.kind == SymbolKind::Variable && !symbol.detail.empty())
    text += " : " + code(symbol.detail);
  else if (!symbol.detail.empty())
    text += " (" + symbol.detail + ")";
  if (!symbol.title.empty())
    text += "\n\n" + symbol.title;
  size_t count = llvm::count_if(symbols.occurrences, [&](const Occurrence &o) {
    return o.symbol == number;
  });
  if (symbol.kind == SymbolKind::State || symbol.kind == SymbolKind::Recursion)
    text += ", " + std::to_string(count) + " times";
  return text + exchangesOf(symbols, number);
}

/// The first paragraph of a page behind its title.
static std::string firstParagraph(StringRef page) {
  while (!page.empty()) {
    auto [paragraph, rest] = page.split("\n\n");
    page = rest;
    paragraph = paragraph.trim();
    if (!paragraph.empty() && !paragraph.starts_with("#"))
      return paragraph.str();
  }
  return "";
}

static bool contains(const LspRange &range, LspPosition position) {
  return range.start <= position && position <= range.end;
}

HoverText cif::hoverAt(const Document &document, LspPosition position,
                       const std::function<std::string(StringRef)> &explain) {
  HoverText hover;
  const Symbols &symbols = document.symbols();
  if (const Occurrence *here = symbols.at(document.offsetOf(position))) {
    const Symbol &symbol = symbols.all[here->symbol];
    hover.text = symbolText(symbols, here->symbol);
    hover.range = document.rangeOf(here->offset, here->length);
    if (symbol.kind == SymbolKind::Participant)
      hover.participant = symbol.name;
    else if (symbol.kind == SymbolKind::Element &&
             symbol.detail == "participant")
      hover.participant = symbol.title;
  }
  llvm::StringSet<> explained;
  for (const Finding &finding : document.report.findings) {
    if (!contains(finding.range, position))
      continue;
    if (hover.text.empty())
      hover.range = finding.range;
    else
      hover.text += "\n\n---\n\n";
    hover.text += "**" + finding.code + "** " + finding.message;
    for (const Finding::Related &each : finding.related)
      hover.text += "\n- " + each.text;
    if (!explained.insert(finding.code).second)
      continue;
    if (std::string why = firstParagraph(explain(finding.code)); !why.empty())
      hover.text += "\n\n" + why;
  }
  return hover;
}
