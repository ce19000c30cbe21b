//===- Document.cpp - A text that an editor has open ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Document.h"
#include "cif/IR/Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace cif;

std::string cif::pathOfUri(StringRef uri) {
  if (!uri.consume_front("file://"))
    return uri.str();
  std::string path;
  for (size_t i = 0; i < uri.size(); ++i) {
    unsigned byte;
    if (uri[i] == '%' && i + 2 < uri.size() &&
        !uri.substr(i + 1, 2).getAsInteger(16, byte)) {
      path += static_cast<char>(byte);
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return path;
}

std::string cif::uriOfPath(StringRef path) {
  std::string uri = "file://";
  for (char c : path)
    if (llvm::isAlnum(c) || StringRef("-._~/").contains(c))
      uri += c;
    else
      uri += "%" + llvm::utohexstr(static_cast<uint8_t>(c), false, 2);
  return uri;
}

/// The last part of a path, as a name that is plain wherever it goes.
static std::string plainFileName(StringRef path) {
  std::string name;
  for (char c : llvm::sys::path::filename(path))
    name += llvm::isAlnum(c) || c == '.' || c == '_' || c == '-' ? c : '_';
  if (name.empty() || name[0] == '.' || name[0] == '-')
    name = "model" + name;
  return name.substr(0, 200);
}

Document::Document(std::string address, std::string text)
    : uri(std::move(address)), name(plainFileName(pathOfUri(uri))) {
  setText(std::move(text));
}

void Document::setText(std::string text) {
  contents = std::move(text);
  found.reset();
  findLines();
}

/// The units of UTF-16 that begin with a byte of UTF-8: what has four bytes has
/// two units.
static uint32_t unitsOf(char c) {
  auto byte = static_cast<unsigned char>(c);
  return byte >= 0xf0 ? 2 : (byte & 0xc0) != 0x80;
}

void Document::findLines() {
  lines = {0};
  toolLines = {0};
  unitsBefore.clear();
  uint32_t units = 0;
  for (uint32_t i = 0; i < contents.size(); ++i) {
    if (i % stride == 0)
      unitsBefore.push_back(units);
    units += unitsOf(contents[i]);
    if (contents[i] == '\n') {
      lines.push_back(i + 1);
      toolLines.push_back(i + 1);
    } else if (contents[i] == '\r' &&
               (i + 1 == contents.size() || contents[i + 1] != '\n')) {
      lines.push_back(i + 1);
    }
  }
  unitsBefore.push_back(units);
}

/// The units of UTF-16 before a byte of the text.
uint32_t Document::unitsAt(uint32_t offset) const {
  uint32_t at = offset / stride * stride;
  uint32_t units = unitsBefore[at / stride];
  // The last entry is that of the end.
  if (at == contents.size())
    return units;
  for (; at < offset; ++at)
    units += unitsOf(contents[at]);
  return units;
}

void Document::edit(const LspRange &range, StringRef text) {
  uint32_t begin = offsetOf(range.start);
  uint32_t end = std::max(begin, offsetOf(range.end));
  contents.replace(begin, end - begin, text.data(), text.size());
  found.reset();
  findLines();
}

uint32_t Document::offsetOf(LspPosition position) const {
  auto size = static_cast<uint32_t>(contents.size());
  if (position.line >= lines.size())
    return size;
  uint32_t at = lines[position.line];
  uint32_t end =
      position.line + 1 < lines.size() ? lines[position.line + 1] : size;
  while (end > at && (contents[end - 1] == '\n' || contents[end - 1] == '\r'))
    --end;
  uint64_t wanted = uint64_t(unitsAt(at)) + position.character;
  // The last entry before the place, then a walk of less than a stride.
  auto first = unitsBefore.begin() + at / stride + 1;
  auto last = unitsBefore.begin() + end / stride + 1;
  auto after =
      std::partition_point(first, std::max(first, last),
                           [&](uint32_t units) { return units <= wanted; });
  at = std::max(at, static_cast<uint32_t>(after - unitsBefore.begin() - 1) *
                        stride);
  uint64_t units = unitsAt(at);
  // Where the stride begins within a character, that one is before the place.
  while (at < end && (unitsOf(contents[at]) == 0 ||
                      (units += unitsOf(contents[at])) <= wanted))
    ++at;
  return at;
}

LspPosition Document::positionOf(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(contents.size()));
  auto after = llvm::upper_bound(lines, offset);
  uint32_t line = *std::prev(after);
  return {static_cast<uint32_t>(after - lines.begin() - 1),
          unitsAt(offset) - unitsAt(line)};
}

uint32_t Document::lineOffset(uint32_t line) const {
  return line == 0 || line > toolLines.size()
             ? static_cast<uint32_t>(line ? contents.size() : 0)
             : toolLines[line - 1];
}

/// The bytes of the token at the front of \p text.
static uint32_t tokenLength(StringRef text) {
  size_t size = 1;
  if (text.starts_with("<")) // a tag, up to its attributes
    size = text.find_first_of(" \t\r\n>/", 1);
  else if (text.starts_with("\""))
    size = text.find_first_of("\"\n", 1) + 1;
  else if (!text.empty() && isWordChar(text[0]))
    size = text.find_if_not(isWordChar);
  else
    for (StringRef sign :
         {"->", "=>", "||", "&&", "==", "!=", "<=", ">=", "[>"})
      size = text.starts_with(sign) ? 2 : size;
  return static_cast<uint32_t>(std::min(size, text.size()));
}

LspRange Document::rangeOf(const Place &place) const {
  if (place.line == 0)
    return {};
  uint32_t begin = lineOffset(place.line), end = lineOffset(place.line + 1);
  StringRef line = StringRef(contents).slice(begin, end).rtrim("\r\n");
  auto size = static_cast<uint32_t>(line.size());
  if (place.column == 0) {
    auto blanks = static_cast<uint32_t>(size - line.ltrim().size());
    return rangeOf(begin + blanks, size - blanks);
  }
  uint32_t column = std::min(place.column - 1, size);
  return rangeOf(begin + column, tokenLength(line.substr(column)));
}

SourceBuffer Document::source() const {
  return SourceBuffer(name, llvm::MemoryBuffer::getMemBuffer(contents, name));
}

const Symbols &Document::symbols() const {
  if (!found)
    found = contents.size() <= maxAtOnce ? findSymbols(language, source())
                                         : Symbols();
  return *found;
}
