//===- Visible.h - Foreign text on a terminal -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Names, paths and lines come from files that somebody else wrote. What
/// reaches a person is one line of valid UTF-8 in which nothing moves the
/// cursor, ends the line or turns the direction of writing: a name must not be
/// able to look like a verdict. Printers do this with each field that they
/// print, so that those who make messages need not think of it.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_VISIBLE_H
#define CIF_SUPPORT_VISIBLE_H

#include "cif/Support/LLVM.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace cif {

/// Controls (C0, DEL, C1), what turns the direction of writing, the separators
/// of lines and paragraphs, and annotations.
bool isHidden(uint32_t codePoint);
/// Whether \p text is valid UTF-8 without any of these.
bool isVisible(StringRef text);
/// A byte that is not UTF-8 is a hidden one.
struct Character {
  size_t length; ///< in bytes
  bool hidden;
  uint32_t codePoint; ///< U+FFFD for a byte that is not UTF-8
};
/// The character that \p text, which is not empty, begins with.
Character firstCharacter(StringRef text);
/// \p text with each of these as `\u{202e}`, and each byte that is not UTF-8 as
/// `\xff`.
std::string visible(StringRef text);
/// A source line to be shown above a mark: every character takes the columns
/// that it had. What is hidden becomes U+FFFD, a tab a blank; a line that is
/// not UTF-8 is taken for Latin-1. Empty: it is no text at all.
std::string visibleLine(StringRef line);
/// The columns that a visible text takes.
unsigned columnsOf(StringRef text);
/// JSON that is already written, with what is hidden in its strings as
/// `\u202e`.
std::string visibleJson(StringRef json);

/// Passes on what is written to it, visible but for tabs and the ends of
/// lines.
class VisibleStream final : public llvm::raw_ostream {
public:
  explicit VisibleStream(raw_ostream &to) : out(to) { SetUnbuffered(); }
  ~VisibleStream() override;

private:
  void write_impl(const char *text, size_t size) override;
  uint64_t current_pos() const override { return out.tell(); }

  raw_ostream &out;
  std::string begun; ///< of a character whose rest is still to come
};

} // namespace cif

#endif
