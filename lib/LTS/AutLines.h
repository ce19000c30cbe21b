//===- AutLines.h - The lines of AUT files ----------------------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A hand-written scanner over whole lines. The usual line, `(12,"label",34)`,
/// is read in a single scan; anything else takes a slower path, which also
/// finds errors. The scan processes eight bytes at a time: SWAR arithmetic
/// finds where digits end or where a quote is, and turns digits into a number.
/// Labels are parsed once per distinct text.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_LTS_AUTLINES_H
#define CIF_LIB_LTS_AUTLINES_H

#include "cif/LTS/LtsBuilder.h"
#include "cif/Support/Diagnostics.h"

namespace cif {

/// `des (initial, transitions, states)`.
struct AutHeader {
  uint64_t initial = 0, transitions = 0, states = 0;
  uint32_t line = 0; ///< on which it stands; 0: none was read yet
};

class AutLines {
public:
  /// Labels become numbers of \p labels. \p header: it was read already.
  AutLines(StringRef name, DiagnosticEngine &diags, StringRef self,
           LabelTable &labels, AutHeader header = {})
      : header(header), name(name), self(self), diags(diags), labels(labels) {}

  /// Adds the transitions of \p text to \p to. The text is made of whole lines,
  /// of which the last one may lack its end. False: an error was reported.
  bool read(StringRef text, LtsBuilder &to);

  /// Reports something about the line at hand as a whole.
  DiagnosticBuilder error(diag::Kind kind) {
    return error(lineStart = lineEnd, kind);
  }

  AutHeader header;
  uint32_t line = 0; ///< the last one that was read

private:
  /// What was read, and where it ends. Both are handed over in registers: a
  /// line is read by steps each of which waits for the place where the last one
  /// ended.
  template <class Value>
  struct ReadTo {
    Value value;
    const char *end;
  };
  static ReadTo<uint64_t> longNumber(const char *at);
  static ReadTo<uint64_t> fastNumber(const char *at);

  DiagnosticBuilder error(const char *at, diag::Kind kind) {
    auto column = static_cast<uint32_t>(at - lineStart + 1);
    return diags.report(Place{name.str(), line, column, ""}, kind);
  }
  /// What stands at \p at, to be shown.
  std::string found(const char *at) const {
    if (at >= lineEnd)
      return "the end of the line";
    return ("'" + StringRef(at, std::min<size_t>(lineEnd - at, 40)) + "'")
        .str();
  }
  void blanks(const char *&at) const {
    while (at < lineEnd && (*at == ' ' || *at == '\t'))
      ++at;
  }
  bool expect(const char *&at, char c, diag::Kind kind);
  bool number(const char *&at, uint64_t most, uint64_t &value, diag::Kind kind);
  bool readHeader();
  bool transition(LtsBuilder &builder);
  ReadTo<LabelIndex> fastLabel(const char *at, const char *safe);
  ReadTo<LabelIndex> longLabel(const char *at, const char *safe);
  LabelIndex labelOf(StringRef text);
  void growLabels();
  size_t fastLines(const char *begin, const char *end, LtsBuilder &builder);

  StringRef name, self;
  DiagnosticEngine &diags;
  const char *lineStart = nullptr, *lineEnd = nullptr;

  LabelTable &labels;
  // Open addressing from the text of a label to its index. A text is kept as
  // words of eight bytes; the last one has seven at most, and the quote.
  struct LabelSlot {
    uint64_t hash = 0;
    uint64_t only = 0;  // its word if there is one only; that is never 0
    uint32_t words = 0; // where they begin in `words`
    uint32_t size = 0;  // 1 + the bytes of the text; 0: the slot is free
    LabelIndex index = 0;
  };
  static constexpr LabelIndex noLabel = ~0u;
  static uint64_t hashWith(uint64_t hash, uint64_t word) {
    return ((hash ^ hash >> 32) ^ word) * 0x9fb21c651e98df25;
  }
  /// The last word of a text: \p word up to the first quote, of which findByte
  /// gave \p quote.
  static uint64_t lastWord(uint64_t word, uint64_t quote) {
    return word & (quote ^ (quote - 1));
  }
  LabelSlot &slotOf(uint64_t hash, StringRef text, uint64_t last);
  std::vector<LabelSlot> slots{512};
  unsigned shift = 64 - 9; // to a slot from a hash, whose upper bits are best
  std::vector<uint64_t> words;
  size_t numTexts = 0;
};

} // namespace cif

#endif
