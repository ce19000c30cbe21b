//===- SymbolsBuilder.h - Collects names ----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_FRONTEND_SYMBOLSBUILDER_H
#define CIF_LIB_FRONTEND_SYMBOLSBUILDER_H

#include "Lexer.h"
#include "cif/Frontend/Symbols.h"

namespace cif {

class SymbolsBuilder {
public:
  static constexpr uint32_t none = Symbol::none;

  /// Notes a name at [offset, offset + length); its symbol.
  uint32_t add(SymbolKind kind, uint32_t scope, StringRef name, uint32_t offset,
               uint32_t length, bool isDefinition = false);
  /// Notes a word in an expression: a literal, if there turns out to be one of
  /// this name, else a variable of \p scope.
  void addOperand(uint32_t scope, StringRef name, uint32_t offset,
                  uint32_t length);
  /// Opens a block whose name was added last.
  uint32_t open(uint32_t symbol, uint32_t offset, uint32_t parent = none);
  /// Its text ends before \p end.
  void close(uint32_t block, uint32_t end);
  void exchange(uint32_t sender, uint32_t receiver, uint32_t message,
                uint32_t block) {
    symbols.exchanges.push_back({sender, receiver, message, block});
  }
  Symbol &symbol(uint32_t index) { return symbols.all[index]; }
  /// Closes what is open at \p end, and orders what was found.
  Symbols finish(uint32_t end);

private:
  struct Operand {
    uint32_t scope, offset, length;
    std::string name;
  };
  Symbols symbols;
  llvm::StringMap<uint32_t> numbers; ///< by kind, scope and name
  std::vector<Operand> operands;
};

/// The tokens of a text that may have errors.
class TokenList {
public:
  explicit TokenList(const SourceBuffer &source);

  /// The token \p i; behind the last one there are ends.
  const Token &operator[](size_t i) const {
    return i < tokens.size() ? tokens[i] : end;
  }
  size_t size() const { return tokens.size(); }
  StringRef text(const Token &token) const {
    return buffer.substr(token.offset, token.length);
  }
  bool isWord(size_t i, StringRef word) const {
    return (*this)[i].kind == Tok::Word && text((*this)[i]) == word;
  }
  bool isName(size_t i) const {
    Tok kind = (*this)[i].kind;
    return kind == Tok::Word || kind == Tok::Quoted || kind == Tok::Number;
  }
  bool is(size_t i, Tok kind) const { return (*this)[i].kind == kind; }
  /// What a name stands for.
  std::string name(size_t i) const;
  uint32_t fileEnd() const { return static_cast<uint32_t>(buffer.size()); }
  bool hasErrors() const { return !collected.all.empty(); }

private:
  StringRef buffer;
  std::vector<Token> tokens;
  Token end;
  DiagnosticCollector collected;
};

Symbols findIocSymbols(const SourceBuffer &source);
Symbols findCpSymbols(const SourceBuffer &source);
Symbols findTextSymbols(const SourceBuffer &source);
Symbols findBpmnSymbols(const SourceBuffer &source);

} // namespace cif

#endif
