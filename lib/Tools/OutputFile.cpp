//===- OutputFile.cpp - Output that is whole or not there -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Tools/OutputFile.h"
#include "cif/Support/DiagnosticKinds.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace cif;
namespace fs = llvm::sys::fs;

std::unique_ptr<OutputFile> OutputFile::open(StringRef path,
                                             DiagnosticEngine &diags) {
  std::unique_ptr<OutputFile> file(new OutputFile(path, diags));
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
  fs::file_status status;
  bool exists = !fs::status(path, status);
  if (exists && fs::is_directory(status))
    return fail("it is a folder");
  if (exists && !fs::is_regular_file(status)) {
    std::error_code error;
    file->stream = std::make_unique<llvm::raw_fd_ostream>(
        path, error, fs::CD_OpenExisting, fs::FA_Write, fs::OF_None);
    return error ? fail(error.message()) : std::move(file);
  }
  // A symbolic link stays one: what it points to is replaced.
  SmallVector<char, 128> target;
  if (exists && !fs::real_path(path, target))
    file->path = std::string(target.data(), target.size());
  // The file gets the rights that the one before had, or the umask's.
  unsigned mask = umask(0);
  umask(static_cast<mode_t>(mask));
  unsigned mode =
      exists ? static_cast<unsigned>(status.permissions()) : 0666 & ~mask;
  auto temporary = fs::TempFile::create(file->path + ".tmp-%%%%%%%%", mode);
  if (!temporary)
    return fail(llvm::errorToErrorCode(temporary.takeError()).message());
  if (fchmod(temporary->FD, static_cast<mode_t>(mode)) != 0) {
    // Rights are a courtesy; the contents are what matters.
  }
  file->temporary = std::move(*temporary);
  file->stream = std::make_unique<llvm::raw_fd_ostream>(file->temporary->FD,
                                                        /*shouldClose=*/false);
  return file;
}

OutputFile::~OutputFile() {
  if (stream) {
    stream->flush();
    stream->clear_error();
  }
  stream.reset();
  if (temporary)
    llvm::consumeError(temporary->discard());
}

bool OutputFile::keep() {
  stream->flush();
  std::error_code error = stream->error();
  stream->clear_error();
  if (!error && temporary) {
    error = llvm::errorToErrorCode(temporary->keep(path));
    temporary.reset();
  }
  // A reader that closed the pipe early got what it wanted.
  if (!error || error == std::errc::broken_pipe)
    return true;
  diags.report(diag::cannot_write) << path << error.message();
  return false;
}
