//===- Names.cpp - How names are written as text --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Names.h"
#include "cif/Support/Visible.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include <cstring>

using namespace cif;

bool cif::isPlainWord(StringRef text) {
  if (text.empty() || !llvm::all_of(text, isWordChar))
    return false;
  return !llvm::isDigit(text.front()) || llvm::all_of(text, llvm::isDigit);
}

/// With an escape for each byte that is not to be seen; names stay as they are
/// to the byte.
static void printQuoted(raw_ostream &os, StringRef text) {
  os << '"';
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
    case '"':
      os << "\\\"";
      break;
    case '\\':
      os << "\\\\";
      break;
    case '\n':
      os << "\\n";
      break;
    case '\t':
      os << "\\t";
      break;
    case '\r':
      os << "\\r";
      break;
    default:
      Character next = firstCharacter(text.drop_front(i));
      for (char byte : text.substr(i, next.length))
        if (next.hidden)
          os << "\\x" << llvm::hexdigit(uint8_t(byte) >> 4)
             << llvm::hexdigit(byte & 15);
        else
          os << byte;
      i += next.length - 1;
    }
  }
  os << '"';
}

void cif::printName(raw_ostream &os, StringRef text) {
  if (isPlainWord(text) && isVisible(text))
    os << text;
  else
    printQuoted(os, text);
}

std::string cif::quoteAlways(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  printQuoted(os, text);
  return result;
}

std::string cif::quoted(StringRef text) {
  return isPlainWord(text) && isVisible(text) ? text.str() : quoteAlways(text);
}

bool cif::unescape(StringRef body, std::string &out) {
  out.clear();
  out.reserve(body.size());
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\') {
      out += body[i];
      continue;
    }
    if (++i == body.size())
      return false;
    switch (body[i]) {
    case '"':
    case '\\':
      out += body[i];
      break;
    case 'n':
      out += '\n';
      break;
    case 't':
      out += '\t';
      break;
    case 'r':
      out += '\r';
      break;
    case 'x': {
      if (i + 2 >= body.size())
        return false;
      unsigned high = llvm::hexDigitValue(body[i + 1]);
      unsigned low = llvm::hexDigitValue(body[i + 2]);
      if (high > 15 || low > 15)
        return false;
      out += static_cast<char>(high << 4 | low);
      i += 2;
      break;
    }
    default:
      return false;
    }
  }
  return true;
}

bool cif::takeName(StringRef &text, std::string &name) {
  if (!text.starts_with("\"")) {
    StringRef word = text.take_while(isWordChar);
    if (!isPlainWord(word))
      return false;
    name = word.str();
    text = text.drop_front(word.size());
    return true;
  }
  size_t end = 1;
  while (end < text.size() && text[end] != '"')
    end += text[end] == '\\' ? 2 : 1;
  if (end >= text.size() || !unescape(text.slice(1, end), name))
    return false;
  text = text.drop_front(end + 1);
  return true;
}

size_t cif::findNotUtf8(StringRef text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  const auto *next = begin, *end = begin + text.size();
  while (next != end) {
    // Most of what we read is ASCII: eight bytes at a time.
    uint64_t word;
    while (end - next >= 8) {
      std::memcpy(&word, next, 8);
      if (word & 0x8080808080808080ull)
        break;
      next += 8;
    }
    if (next == end)
      break;
    if (*next < 0x80) {
      ++next;
      continue;
    }
    if (!llvm::isLegalUTF8Sequence(next, end))
      return static_cast<size_t>(next - begin);
    next += llvm::getNumBytesForUTF8(*next);
  }
  return StringRef::npos;
}
