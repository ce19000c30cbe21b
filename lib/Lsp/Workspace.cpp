//===- Workspace.cpp - Models that share a name ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// No model names the files that it is checked against: a command line does. A
/// participant that another model has under the same name is most likely the
/// same one, and so is a message between the same participants; but that is a
/// guess, so changes in other files are made only if the editor can ask about
/// them first; otherwise the files are only named.
///
//===----------------------------------------------------------------------===//

#include "Features.h"
#include "Session.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace cif;

/// A folder may be a whole disk: no more than this is looked at.
constexpr size_t maxEntries = 20'000, maxModels = 500, maxModelSize = 1 << 20;

/// The texts in \p folder, and below it, that have participants and messages by
/// name.
static void findModels(StringRef folder, size_t &entries,
                       std::vector<std::string> &found) {
  namespace fs = llvm::sys::fs;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error, false), end;
       at != end && !error; at.increment(error)) {
    if (++entries > maxEntries || found.size() == maxModels)
      return;
    StringRef path = at->path(), name = llvm::sys::path::filename(path);
    if (name.starts_with(".") || name == "node_modules" ||
        at->type() == fs::file_type::symlink_file)
      at.no_push();
    else if (at->type() == fs::file_type::regular_file &&
             (path.ends_with(".ioc") || path.ends_with(".cp") ||
              path.ends_with(".cift") || path.ends_with(".bpmn")))
      found.push_back(path.str());
  }
}

std::vector<Document *> EditorSession::sharing(const Document &document,
                                               LspPosition position) {
  std::vector<std::string> paths;
  size_t entries = 0;
  for (const std::string &folder : folders)
    findModels(folder, entries, paths);
  llvm::sort(paths);
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  closed.clear();
  std::vector<Document *> all;
  for (const auto &[uri, other] : documents)
    if (other.get() != &document)
      all.push_back(other.get());
  std::vector<std::string> open;
  for (const auto &[uri, each] : documents)
    open.push_back(pathOfUri(uri));
  for (const std::string &path : paths) {
    uint64_t size = 0;
    if (llvm::is_contained(open, path) ||
        llvm::sys::fs::file_size(path, size) || size > maxModelSize)
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      continue;
    closed.push_back(std::make_unique<Document>(uriOfPath(path),
                                                (*buffer)->getBuffer().str()));
    closed.back()->isOpen = false;
    findLanguage(*closed.back());
    all.push_back(closed.back().get());
  }
  llvm::erase_if(all, [&](const Document *other) {
    return other->text().size() > Document::maxAtOnce ||
           sharedName(document, position, *other) == Symbol::none;
  });
  return all;
}

static std::string fileNameOf(const Document &document) {
  return llvm::sys::path::filename(pathOfUri(document.uri)).str();
}

Answer EditorSession::renameEverywhere(const Document &document,
                                       LspPosition position, StringRef name,
                                       std::vector<LspEdit> edits) {
  std::vector<DocumentEdits> others;
  std::vector<std::string> left; // as it is, and why
  if (!edits.empty())
    for (Document *other : sharing(document, position)) {
      DocumentEdits found{other, {}};
      std::string error;
      if (!asksBeforeEdits)
        left.push_back(fileNameOf(*other));
      else if (renameShared(*other, sharedName(document, position, *other),
                            name, found.edits, error))
        others.push_back(std::move(found));
      else
        left.push_back(fileNameOf(*other) + " (" + error + ")");
    }
  if (!left.empty()) {
    std::string text = "The same name is left unchanged in " + left.front();
    for (size_t i = 1; i < std::min<size_t>(left.size(), 3); ++i)
      text += ", " + left[i];
    if (left.size() > 3)
      text += " and " + std::to_string(left.size() - 3) + " more";
    transport.notify("window/showMessage",
                     Object{{"type", 3}, {"message", text}});
  }
  if (others.empty())
    return {editOf(document, edits, withVersions)};
  return {editOf({&document, std::move(edits)}, others)};
}
