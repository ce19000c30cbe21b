//===- Source.cpp - Source buffers and places in them ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/Source.h"
#include "cif/Support/InputBytes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SHA256.h"
#include <algorithm>
#include <cstring>

using namespace cif;

void SourceBuffer::findLines() const {
  if (!lineStarts.empty())
    return;
  lineStarts.push_back(0);
  StringRef all = text();
  const char *begin = all.data(), *end = begin + all.size();
  for (const char *at = begin;
       at != end && (at = static_cast<const char *>(
                         std::memchr(at, '\n', size_t(end - at))));)
    lineStarts.push_back(static_cast<uint32_t>(++at - begin));
}

SourceBuffer::LineColumn SourceBuffer::lineColumn(size_t offset) const {
  findLines();
  auto next = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  auto line = static_cast<uint32_t>(next - lineStarts.begin());
  return {line, static_cast<uint32_t>(offset - lineStarts[line - 1] + 1)};
}

StringRef SourceBuffer::lineText(uint32_t line) const {
  findLines();
  if (line == 0 || line > lineStarts.size())
    return {};
  size_t begin = lineStarts[line - 1];
  size_t end = line < lineStarts.size() ? lineStarts[line] : text().size();
  return text().slice(begin, end).rtrim("\r\n");
}

std::string Place::text() const {
  std::string text = file;
  if (line)
    text += ":" + std::to_string(line);
  if (!element.empty())
    text += (text.empty() ? "" : ", ") + element;
  return text;
}

Place SourceBuffer::place(size_t offset, StringRef element) const {
  auto [line, column] = lineColumn(offset);
  return {filePath, line, column, element.str()};
}

const SourceBuffer &
SourceManager::add(StringRef path, std::shared_ptr<llvm::MemoryBuffer> buffer) {
  auto &slot = buffers[path];
  slot = std::make_unique<SourceBuffer>(path.str(), std::move(buffer));
  return *slot;
}

std::string cif::sha256Of(StringRef text) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)),
                     /*LowerCase=*/true);
}

void SourceManager::expect(StringRef path, StringRef sha256) {
  if (sha256.empty())
    return;
  auto [entry, isNew] = expected.try_emplace(path, sha256.str());
  if (!isNew && entry->second != sha256)
    entry->second.clear(); // no text has this one
}

const SourceBuffer *SourceManager::find(StringRef path) {
  if (auto known = buffers.find(path); known != buffers.end())
    return known->second.get();
  auto wanted = expected.find(path);
  if (wanted == expected.end())
    return nullptr;
  auto &slot = buffers[path];
  // Only regular files: opening a pipe or a device to show a line could hang.
  if (!llvm::sys::fs::is_regular_file(path))
    return nullptr;
  std::string why;
  std::unique_ptr<llvm::MemoryBuffer> file =
      readInput(path, /*most=*/1u << 30, why);
  if (!file)
    return nullptr;
  if (sha256Of(file->getBuffer()) == wanted->second)
    slot = std::make_unique<SourceBuffer>(path.str(), std::move(file));
  else
    changed.try_emplace(path, false);
  return slot.get();
}

bool SourceManager::tellChanged(StringRef path) {
  auto entry = changed.find(path);
  return entry != changed.end() && !std::exchange(entry->second, true);
}
