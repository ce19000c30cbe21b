//===- Document.h - A text that an editor has open ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Texts are UTF-8 here. An editor counts lines from 0 and in a line the units
/// of UTF-16; a line ends with "\n", "\r\n" or "\r". The tools count lines and
/// bytes from 1, and "\r" alone ends no line.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_LSP_DOCUMENT_H
#define CIF_LIB_LSP_DOCUMENT_H

#include "Findings.h"
#include "cif/Frontend/Symbols.h"
#include <chrono>

namespace cif {

class Document {
public:
  using Clock = std::chrono::steady_clock;
  /// A text that is larger is not looked at in this process.
  static constexpr size_t maxAtOnce = 4u << 20;

  Document(std::string uri, std::string text);

  const std::string &text() const { return contents; }
  void setText(std::string text);
  /// Replaces a part. Ends that are not in the text are moved to where it is.
  void edit(const LspRange &range, StringRef text);

  uint32_t offsetOf(LspPosition position) const;
  LspPosition positionOf(uint32_t offset) const;
  LspRange rangeOf(uint32_t offset, uint32_t length) const {
    return {positionOf(offset), positionOf(offset + length)};
  }
  /// The token at a line and column of the tools; the line, where there is no
  /// column.
  LspRange rangeOf(const Place &place) const;
  /// Where a line of the tools begins; behind the last one the end.
  uint32_t lineOffset(uint32_t line) const;

  const Symbols &symbols() const;
  SourceBuffer source() const;

  std::string uri;
  std::string name; ///< of a file that has the text, for the tools
  std::string language;
  std::string languageId; ///< what the editor calls it
  int64_t version = 0;
  bool isOpen = true; ///< in the editor, not only in a folder of it
  Report report;
  /// When it is to be looked at; max: it was.
  Clock::time_point due = Clock::time_point::max();
  bool isSeen = false;    ///< the report is that of this text
  bool isChecked = false; ///< and that of a complete check

private:
  /// Bytes between the entries of unitsBefore: a line may be as long as a text,
  /// and places in it are asked for one by one.
  static constexpr uint32_t stride = 128;

  void findLines();
  uint32_t unitsAt(uint32_t offset) const;

  std::string contents;
  std::vector<uint32_t> lines;     ///< where the editor's lines begin
  std::vector<uint32_t> toolLines; ///< where the tools' lines begin
  /// The units of UTF-16 before each stride, and in the end those of the text.
  std::vector<uint32_t> unitsBefore;
  mutable std::optional<Symbols> found;
};

/// The path of a `file:` address, else the address itself.
std::string pathOfUri(StringRef uri);
/// The `file:` address of a path.
std::string uriOfPath(StringRef path);

} // namespace cif

#endif
