//===- TextMetrics.h - How much room texts take ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_LAYOUT_TEXTMETRICS_H
#define CIF_LIB_EXPORT_LAYOUT_TEXTMETRICS_H

#include "cif/Export/Layout/Layout.h"
#include <string>

namespace cif {

constexpr layout::Coord lineHeight = 15; ///< of a 12 pixel sans-serif font

/// Takes a character off the front of \p text: its code point, or U+FFFD for
/// a byte that is not part of UTF-8. \p bytes are what was taken.
uint32_t takeCharacter(StringRef &text, StringRef &bytes);

/// About how wide a text is in a 12 pixel sans-serif font; never much too
/// small.
layout::Coord textWidth(StringRef text);

/// Breaks a text at blanks, and within words that are too long, into lines of
/// at most \p width. Runs of blanks become one.
std::vector<std::string> wrapText(StringRef text, layout::Coord width);

struct TextBlock {
  std::vector<std::string> lines;
  layout::Coord width = 0, height = 0;
};
/// A wrapped text with its size. Past \p maxLines the rest becomes an ellipsis.
TextBlock textBlock(StringRef text, layout::Coord width, size_t maxLines = 6);

} // namespace cif

#endif
