//===- Visible.cpp - Foreign text on a terminal ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/Visible.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"

using namespace cif;

bool cif::isHidden(uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x61c || c == 0x200e ||
         c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069) || (c >= 0xfff9 && c <= 0xfffb);
}

/// How long a UTF-8 sequence is by its first byte; 0: it cannot be one.
static unsigned lengthOf(unsigned char first) {
  return first < 0x80         ? 1
         : first >> 5 == 0x6  ? 2
         : first >> 4 == 0xe  ? 3
         : first >> 3 == 0x1e ? 4
                              : 0;
}

/// The code point that \p text begins with, and how many bytes it has; 0 bytes:
/// it is not UTF-8.
static std::pair<uint32_t, unsigned> decode(StringRef text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned length = lengthOf(byte(0));
  if (length == 1)
    return {byte(0), 1};
  if (!length || text.size() < length)
    return {0, 0};
  uint32_t c = byte(0) & (0x7f >> length);
  for (unsigned i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80)
      return {0, 0};
    c = c << 6 | (byte(i) & 0x3f);
  }
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
    return {0, 0};
  return {c, length};
}

/// How many bytes of printable ASCII \p text begins with: mostly all.
static size_t plainLength(StringRef text) {
  constexpr uint64_t each = 0x0101010101010101;
  size_t n = 0;
  for (; n + 8 <= text.size(); n += 8) {
    const uint64_t w = llvm::support::endian::read64le(text.data() + n);
    // Some byte is less than a blank, DEL, or beyond ASCII.
    if (((w - each * ' ') | (w + each) | w) & each * 0x80)
      break;
  }
  while (n < text.size() && llvm::isPrint(text[n]))
    ++n;
  return n;
}

/// Copies \p text to \p to; what is hidden goes through \p hidden(code point),
/// what is not UTF-8 through \p wrong(byte).
template <class Hidden, class Wrong>
static void filter(StringRef text, std::string &to, Hidden hidden,
                   Wrong wrong) {
  while (true) {
    const size_t plain = plainLength(text);
    to.append(text.data(), plain);
    text = text.drop_front(plain);
    if (text.empty())
      return;
    auto [c, length] = decode(text);
    if (!length)
      wrong(static_cast<unsigned char>(text[0]));
    else if (isHidden(c))
      hidden(c);
    else
      to.append(text.data(), length);
    text = text.drop_front(std::max(length, 1u));
  }
}

Character cif::firstCharacter(StringRef text) {
  auto [c, length] = decode(text);
  return {std::max<size_t>(length, 1), !length || isHidden(c),
          length ? c : 0xfffd};
}

bool cif::isVisible(StringRef text) {
  text = text.drop_front(plainLength(text));
  while (!text.empty()) {
    auto [c, length] = decode(text);
    if (!length || isHidden(c))
      return false;
    text = text.drop_front(length);
  }
  return true;
}

std::string cif::visible(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  result.reserve(text.size());
  filter(
      text, result,
      [&](uint32_t c) { os << "\\u{" << llvm::utohexstr(c, true) << '}'; },
      [&](unsigned char byte) { os << llvm::format("\\x%02x", byte); });
  return result;
}

std::string cif::visibleLine(StringRef line) {
  if (line.contains('\0')) // UTF-16, or no text
    return {};
  static const char replacement[] = "\xef\xbf\xbd";
  std::string result;
  bool isUtf8 = true;
  filter(
      line, result,
      [&](uint32_t c) { result += c == '\t' ? " " : replacement; },
      [&](unsigned char) { isUtf8 = false; });
  if (isUtf8)
    return result;
  result.clear();
  for (char c : line) {
    auto byte = static_cast<unsigned char>(c);
    if (byte >= 0xa0) {
      result += static_cast<char>(0xc0 | byte >> 6);
      result += static_cast<char>(0x80 | (byte & 0x3f));
    } else if (isHidden(byte)) {
      result += c == '\t' ? " " : replacement;
    } else {
      result += c;
    }
  }
  return result;
}

unsigned cif::columnsOf(StringRef text) {
  if (plainLength(text) == text.size())
    return static_cast<unsigned>(text.size());
  if (int width = llvm::sys::unicode::columnWidthUTF8(text); width >= 0)
    return static_cast<unsigned>(width);
  // Characters that LLVM's tables do not know: one column each.
  return static_cast<unsigned>(
      llvm::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string cif::visibleJson(StringRef json) {
  std::string result;
  llvm::raw_string_ostream os(result);
  result.reserve(json.size());
  filter(
      json, result,
      [&](uint32_t c) {
        if (c == '\n' || c == '\t')
          result += static_cast<char>(c); // between the tokens
        else
          os << llvm::format("\\u%04x", c);
      },
      [&](unsigned char) { os << "\\ufffd"; });
  return result;
}

VisibleStream::~VisibleStream() {
  flush();
  out << visible(begun);
}

void VisibleStream::write_impl(const char *text, size_t size) {
  begun.append(text, size);
  StringRef rest = begun;
  // Keep back a character of which only the beginning is here.
  size_t end = rest.size();
  for (size_t back = 1; back <= std::min<size_t>(3, rest.size()); ++back) {
    auto byte = static_cast<unsigned char>(rest[rest.size() - back]);
    if ((byte & 0xc0) == 0x80)
      continue;
    if (lengthOf(byte) > back)
      end = rest.size() - back;
    break;
  }
  if (end && rest[end - 1] == '\r')
    --end; // it may be of the end of a line
  // Blanks that a line may have, and its ends, stay: a diff must apply.
  StringRef whole = rest.take_front(end);
  while (!whole.empty()) {
    size_t at = std::min(whole.find_first_of("\t\n"), whole.find("\r\n"));
    out << visible(whole.take_front(at));
    if (at == StringRef::npos)
      break;
    size_t length = whole[at] == '\r' ? 2 : 1;
    out << whole.substr(at, length);
    whole = whole.drop_front(at + length);
  }
  begun.erase(0, end);
}
