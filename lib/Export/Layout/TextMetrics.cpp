//===- TextMetrics.cpp - How much room texts take -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// There is no font at hand when a drawing is made, so widths are estimated per
/// character, on the wide side of what Arial and its substitutes have.
///
//===----------------------------------------------------------------------===//

#include "TextMetrics.h"
#include "llvm/Support/Unicode.h"
#include <algorithm>

using namespace cif;
using cif::layout::Coord;

uint32_t cif::takeCharacter(StringRef &text, StringRef &bytes) {
  auto take = [&](size_t count) {
    bytes = text.take_front(count);
    text = text.drop_front(count);
  };
  unsigned char first = text[0];
  size_t length = first < 0x80             ? 1
                  : (first & 0xe0) == 0xc0 ? 2
                  : (first & 0xf0) == 0xe0 ? 3
                  : (first & 0xf8) == 0xf0 ? 4
                                           : 0;
  if (length == 1) {
    take(1);
    return first;
  }
  if (!length || length > text.size()) {
    take(1);
    return 0xfffd;
  }
  uint32_t c = first & (0x7f >> length);
  for (size_t i = 1; i < length; ++i) {
    unsigned char next = text[i];
    if ((next & 0xc0) != 0x80) {
      take(1);
      return 0xfffd;
    }
    c = c << 6 | (next & 0x3f);
  }
  const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) {
    take(1);
    return 0xfffd;
  }
  take(length);
  return c;
}

/// In tenths of a pixel.
static Coord characterWidth(uint32_t c, StringRef bytes) {
  if (c < 0x80) {
    if (c < 0x20)
      return 70;
    if (StringRef("ijl.,:;'|! I").contains(char(c)))
      return 36;
    if (StringRef("mwMW@%").contains(char(c)))
      return 108;
    if (c >= 'A' && c <= 'Z')
      return 86;
    return 68;
  }
  int columns = llvm::sys::unicode::columnWidthUTF8(bytes);
  return columns == 2 ? 140 : columns == 0 ? 0 : 80;
}

Coord cif::textWidth(StringRef text) {
  Coord tenths = 0;
  while (!text.empty()) {
    StringRef bytes;
    uint32_t c = takeCharacter(text, bytes);
    tenths += characterWidth(c, bytes);
  }
  return (tenths + 9) / 10;
}

std::vector<std::string> cif::wrapText(StringRef text, Coord width) {
  std::vector<std::string> lines;
  std::string line;
  Coord used = 0; // tenths
  auto finish = [&] {
    lines.push_back(std::move(line));
    line.clear();
    used = 0;
  };
  auto isBlank = [](char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
  };
  while (true) {
    text = text.drop_while(isBlank);
    if (text.empty())
      break;
    StringRef word = text.take_until(isBlank);
    text = text.drop_front(word.size());
    Coord wordWidth = 10 * textWidth(word);
    if (!line.empty() && used + 36 + wordWidth > 10 * width)
      finish();
    if (!line.empty()) {
      line += ' ';
      used += 36;
    }
    while (!word.empty()) {
      StringRef bytes;
      uint32_t c = takeCharacter(word, bytes);
      Coord one = characterWidth(c, bytes);
      if (!line.empty() && used + one > 10 * width)
        finish();
      line += bytes;
      used += one;
    }
  }
  if (!line.empty())
    finish();
  return lines;
}

TextBlock cif::textBlock(StringRef text, Coord width, size_t maxLines) {
  TextBlock block;
  block.lines = wrapText(text, width);
  if (block.lines.size() > maxLines) {
    block.lines.resize(maxLines);
    block.lines.back() += "\xe2\x80\xa6";
  }
  for (const std::string &line : block.lines)
    block.width = std::max(block.width, textWidth(line));
  block.height = lineHeight * block.lines.size();
  return block;
}
