//===- Source.h - Source buffers and places in them -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A Place says where something stands in terms of the user's own file: path,
/// line, column and, for BPMN, the element's id. Lines and columns count from
/// 1; columns count bytes; 0 means unknown. A SourceBuffer maps byte offsets of
/// a text to lines and columns.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_SOURCE_H
#define CIF_SUPPORT_SOURCE_H

#include "cif/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace cif {

struct Place {
  std::string file;    ///< as the user gave it; "<stdin>" for standard input
  uint32_t line = 0;   ///< from 1; 0: unknown
  uint32_t column = 0; ///< from 1, in bytes; 0: unknown
  std::string element; ///< the element's own id (BPMN), or empty

  bool known() const { return !file.empty(); }
  /// `file:12, id`, without what is unknown.
  std::string text() const;
  bool operator==(const Place &) const = default;
};

/// A text with its lines.
class SourceBuffer {
public:
  SourceBuffer(std::string path, std::shared_ptr<llvm::MemoryBuffer> buffer)
      : filePath(std::move(path)), contents(std::move(buffer)) {}

  StringRef path() const { return filePath; }
  StringRef text() const { return contents->getBuffer(); }
  std::shared_ptr<llvm::MemoryBuffer> buffer() const { return contents; }

  struct LineColumn {
    uint32_t line, column;
  };
  /// Both from 1; the column counts bytes.
  LineColumn lineColumn(size_t offset) const;
  /// The text of a line (from 1) without its end; empty when there is none.
  StringRef lineText(uint32_t line) const;
  Place place(size_t offset, StringRef element = {}) const;

private:
  void findLines() const;

  std::string filePath;
  std::shared_ptr<llvm::MemoryBuffer> contents;
  mutable std::vector<uint32_t> lineStarts; // made when first asked for
};

/// The SHA-256 of a text, in hexadecimal digits.
std::string sha256Of(StringRef text);

/// The sources seen in one run, so that a message can show the line it is
/// about. A source that was not read in this run (the module came through a
/// pipe) is looked for at its path when it is first needed, and only taken when
/// its text is the one that the module was made from: other lines would
/// mislead, and a module that comes from elsewhere could name any file.
class SourceManager {
public:
  /// Keeps a source; a later one with the same path replaces it.
  const SourceBuffer &add(StringRef path,
                          std::shared_ptr<llvm::MemoryBuffer> buffer);
  /// A module says that the text of \p path has this SHA-256; empty: it does
  /// not know. Where modules differ, the file is not shown.
  void expect(StringRef path, StringRef sha256);
  /// The source at this path, or null when it cannot be had.
  const SourceBuffer *find(StringRef path);
  /// Whether the file at \p path is another one than a module was made from,
  /// which is worth saying once: the second time the answer is no.
  bool tellChanged(StringRef path);

private:
  llvm::StringMap<std::string> expected; ///< by path; empty: none is right
  llvm::StringMap<bool> changed;         ///< by path: told
  llvm::StringMap<std::unique_ptr<SourceBuffer>> buffers;
};

} // namespace cif

#endif
