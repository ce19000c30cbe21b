//===- Folder.h - The models of a folder ----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads and writes models below one folder, and nothing else: a path is
/// followed part by part from the folder's own descriptor, so that neither `..`
/// nor a symbolic link, whenever it was made, leads out of it.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_STUDIO_FOLDER_H
#define CIF_LIB_STUDIO_FOLDER_H

#include "cif/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>
#include <string>
#include <vector>

namespace cif {

/// A file at one moment. Equal texts have equal versions.
struct ModelFile {
  std::string path; ///< from the folder, with `/`
  std::string version;
};

class Folder {
public:
  /// As large as a model may be.
  static constexpr size_t maxSize = 16 << 20;

  Folder() = default;
  ~Folder();
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  bool open(StringRef path, std::string &error);

  /// Whether \p path is that of a model: parts that are plain names, not
  /// hidden, and an ending that the studio knows.
  static bool isModel(StringRef path);

  /// The models in the order of their paths. \p isCut: there are more.
  std::vector<ModelFile> list(bool &isCut);

  enum Result { Done, NotFound, Refused, Changed };
  /// \p text and \p version, or \p error.
  Result read(StringRef path, std::string &text, std::string &version,
              std::string &error) const;
  /// Writes \p text if the file still has the version \p expected, which is
  /// empty for a file that is not there yet. \p version: what it has now.
  Result save(StringRef path, StringRef text, StringRef expected,
              std::string &version, std::string &error);

private:
  int openParent(StringRef path, std::string &name) const;
  void listInto(std::vector<ModelFile> &found, int directory,
                const std::string &prefix, unsigned depth, bool &isCut);

  int root = -1;
  std::mutex mutex; ///< of all below
  /// By path: what a file looked like from outside when it had that version.
  struct Known {
    int64_t changed, size;
    uint64_t inode;
    std::string version;
  };
  llvm::StringMap<Known> known;
};

} // namespace cif

#endif
