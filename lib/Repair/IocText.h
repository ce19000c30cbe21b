//===- IocText.h - Terms in the text of IOC -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the term that a gateway comes from begins and ends in a text, and
/// what is put before and behind terms, so that it binds as it should: `;`
/// binds tightest, then `||`, then `+`, then `[>`.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_REPAIR_IOCTEXT_H
#define CIF_LIB_REPAIR_IOCTEXT_H

#include "cif/Support/SourceDiff.h"
#include <map>
#include <optional>

namespace cif {

/// A term in a text.
struct TermRange {
  size_t begin, end;
  bool parens; ///< `;` beside it needs parentheses around it
};

/// The tokens of a text that is known to be IOC. Each question takes time
/// linear in the text at most.
class IocText {
public:
  explicit IocText(StringRef source);

  /// All that the `||` or `+` at byte \p at combines, with the parentheses
  /// around it.
  std::optional<TermRange> ofOperator(size_t at) const;
  /// The `loop`, `while` or `rec` at byte \p at.
  std::optional<TermRange> ofBlock(size_t at) const;
  /// What stands between the braces of that.
  std::optional<TermRange> ofBody(size_t at) const;
  /// The `tau a` at byte \p at.
  std::optional<TermRange> ofTau(size_t at) const;
  /// The one of these that is there.
  std::optional<TermRange> at(size_t offset) const;

private:
  enum Kind : uint8_t { Word, Open, Close, Guard, Other, Par, Plus, Interrupt };
  struct Token {
    size_t begin, end;
    Kind kind;
    size_t partner; ///< of Open and Close
  };
  size_t tokenAt(size_t offset) const;
  /// The token that opens the braces of the block at token \p i; the number of
  /// tokens: there is none.
  size_t braceOf(size_t i) const;
  StringRef textOf(const Token &token) const {
    return text.slice(token.begin, token.end);
  }
  bool takeToken(size_t &at, Token &token) const;

  StringRef text;
  std::vector<Token> tokens;
};

/// Gathers what is put before and behind terms of one text.
class IocEdits {
public:
  void before(const TermRange &range, const std::string &step) {
    around(range).before += step + " ; ";
  }
  void behind(const TermRange &range, const std::string &step) {
    around(range).behind += " ; " + step;
  }
  /// \p more goes on what ends at \p offset: the rest of a name, a payload.
  void append(size_t offset, const std::string &more) {
    appended.push_back({offset, more});
  }
  /// All of it, in the order in which it goes in.
  std::vector<SourceEdit> take() const;

private:
  struct Around {
    bool parens = false;
    std::string before, behind;
  };
  Around &around(const TermRange &range) {
    Around &there = ranges[{range.begin, range.end}];
    there.parens |= range.parens;
    return there;
  }
  std::map<std::pair<size_t, size_t>, Around> ranges;
  std::vector<SourceEdit> appended;
};

} // namespace cif

#endif
