//===- OutputFile.cpp - Output that is whole or not there -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Tools/OutputFile.h"
#include "Signals.h"
#include "cif/Support/Diagnostics/Usage.h"
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

using namespace cif;
namespace fs = llvm::sys::fs;

static std::error_code lastError() {
  return std::error_code(errno, std::generic_category());
}

std::error_code cif::flushStandardOutput() {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  return error == std::errc::broken_pipe ? std::error_code() : error;
}

OutputFile::OutputFile(StringRef path, RunFiles &files, DiagnosticEngine &diags)
    : path(path.str()), target(path == "-" ? "-" : throughLinks(path)),
      files(files), diags(diags), writing(std::make_unique<Writing>()) {}

std::unique_ptr<OutputFile> OutputFile::open(StringRef path, StringRef owner,
                                             RunFiles &files,
                                             DiagnosticEngine &diags) {
  return files.claim(path, owner, /*inPlace=*/false, diags)
             ? openClaimed(path, files, diags)
             : nullptr;
}

std::unique_ptr<OutputFile> OutputFile::openClaimed(StringRef path,
                                                    RunFiles &files,
                                                    DiagnosticEngine &diags) {
  std::unique_ptr<OutputFile> file(new OutputFile(path, files, diags));
  auto fail = [&](const std::string &why) -> std::unique_ptr<OutputFile> {
    diags.report(diag::cannot_write) << path << why;
    return nullptr;
  };
  if (path == "-") {
    file->toStdout = true;
    file->stream = std::make_unique<llvm::raw_fd_ostream>(
        STDOUT_FILENO, /*shouldClose=*/false);
    return file;
  }
  if (file->target.empty())
    return fail("its symbolic links form a cycle");
  struct stat status;
  bool exists = stat(file->target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    return fail("it is a folder");
  if (exists && !S_ISREG(status.st_mode)) {
    std::error_code error;
    file->stream = std::make_unique<llvm::raw_fd_ostream>(
        path, error, fs::CD_OpenExisting, fs::FA_Write, fs::OF_None);
    return error ? fail(error.message()) : std::move(file);
  }
  if (!file->openTemporary(exists ? std::optional<unsigned>(status.st_mode)
                                  : std::nullopt))
    return fail(lastError().message());
  return file;
}

bool OutputFile::openTemporary(std::optional<unsigned> oldMode) {
  temporary = writing->create(target);
  if (temporary < 0)
    return false;
  // The file gets the rights that the one before had, or the umask's.
  mode_t mask = umask(0);
  umask(mask);
  mode_t mode = oldMode ? *oldMode & 07777 : 0666 & ~mask;
  if (fchmod(temporary, mode) != 0) {
    // Rights are a courtesy; the contents are what matters.
  }
  stream = std::make_unique<llvm::raw_fd_ostream>(temporary,
                                                  /*shouldClose=*/false);
  return true;
}

OutputFile::~OutputFile() {
  if (stream) {
    stream->flush();
    stream->clear_error();
  }
  stream.reset();
  if (temporary >= 0)
    close(temporary);
}

bool OutputFile::keep() {
  stream->flush();
  std::error_code error = stream->error();
  stream->clear_error();
  if (!error && temporary >= 0) {
    // The contents are on the disk before the name is theirs: a machine that
    // goes down leaves the old file or the new one.
    if (fsync(temporary) != 0 && errno != EINVAL && errno != EROFS)
      error = lastError();
    if (!error && !writing->rename(target))
      error = lastError();
    if (!error)
      files.written(path);
  }
  // A reader that closed the pipe early got what it wanted.
  if (!error || error == std::errc::broken_pipe)
    return true;
  diags.report(diag::cannot_write)
      << (toStdout ? "<stdout>" : path) << error.message();
  return false;
}

bool PassFiles::write(StringRef path, function_ref<void(raw_ostream &)> print) {
  if (path == "-" || (fs::exists(path) && !fs::is_regular_file(path))) {
    auto file = OutputFile::open(path, "", files, diags);
    if (!file)
      return false;
    print(file->os());
    return file->keep();
  }
  if (!files.claim(path, "", /*inPlace=*/false, diags))
    return false;
  llvm::raw_string_ostream os(texts.emplace_back(path.str(), "").second);
  print(os);
  return true;
}

bool PassFiles::keep() {
  for (const auto &[path, text] : texts) {
    auto file = OutputFile::openClaimed(path, files, diags);
    if (!file)
      return false;
    file->os() << text;
    if (!file->keep())
      return false;
  }
  texts.clear();
  return true;
}
