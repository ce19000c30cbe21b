//===- Symbols.h - Names in a source, for editors -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where names occur in a text and what they name. Editors ask while the text
/// is being typed, so it need not be one that the front end accepts: what
/// cannot be understood is left out, and the rest is there. It takes time
/// linear in the text.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_FRONTEND_SYMBOLS_H
#define CIF_FRONTEND_SYMBOLS_H

#include "cif/Support/Source.h"

namespace cif {

enum class SymbolKind : uint8_t {
  Choreography,
  System,
  Protocol,
  Behaviour, ///< of the text form
  Participant,
  Message,
  State,
  Recursion,
  Variable,
  Enumeration,
  Literal,
  Node,   ///< of the text form
  Element ///< of BPMN, named by its id
};
/// As people call it: "participant".
StringRef symbolKindText(SymbolKind kind);

struct Symbol {
  static constexpr uint32_t none = ~0u;

  SymbolKind kind;
  uint32_t scope = none; ///< the block that the name belongs to; none: the file
  std::string name;
  /// The sort of a variable; the kind of a BPMN element or a node.
  std::string detail;
  std::string title; ///< what a BPMN element is called
};

/// A name that stands somewhere, with its quotes.
struct Occurrence {
  uint32_t offset = 0, length = 0;
  uint32_t symbol = 0;
  bool isDefinition = false;

  uint32_t end() const { return offset + length; }
};

/// What an outline shows.
struct SourceBlock {
  uint32_t symbol;
  uint32_t offset, length; ///< the whole of it
  uint32_t name;           ///< its occurrence
  uint32_t parent = Symbol::none;
};

/// A message that is mentioned with both of its ends.
struct SymbolExchange {
  uint32_t sender, receiver, message;
  uint32_t block;
};

struct Symbols {
  std::vector<Symbol> all;
  std::vector<Occurrence> occurrences; ///< in the order of the text
  std::vector<SourceBlock> blocks;     ///< parents before children
  std::vector<SymbolExchange> exchanges;

  /// The occurrence at a byte, or that ends there; null: none.
  const Occurrence *at(uint32_t offset) const;
  /// The symbol that \p kind, \p scope and \p name have; none: there is none.
  uint32_t find(SymbolKind kind, uint32_t scope, StringRef name) const;
};

/// The names in \p source, which is in the language of the front end \p
/// language: ioc, cp, cift or bpmn. Others have none.
Symbols findSymbols(StringRef language, const SourceBuffer &source);

/// How \p name is written in \p language as a name of \p kind; empty: it cannot
/// be one.
std::string spelling(StringRef language, SymbolKind kind, StringRef name);

/// The words that a language has for itself.
ArrayRef<StringRef> keywordsOf(StringRef language);

} // namespace cif

#endif
