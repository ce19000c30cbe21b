//===- Rendered.cpp - Pictures as PNG and PDF -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// PNG and PDF are what librsvg's rsvg-convert makes of our SVG. A program and
/// not the library: it is needed by few, and brings a dozen libraries along.
///
//===----------------------------------------------------------------------===//

#include "cif/Export/Emitter.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <cerrno>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cif;

/// Runs a program and waits for it; its exit status, or -1 when it did not end
/// by itself. Not by LLVM's ExecuteAndWait, whose allocator the address
/// sanitizer takes for a misuse when LLVM was built without it.
static int runProgram(ArrayRef<std::string> words) {
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  // Pictures of one model are the same at any time of day.
  std::string epoch = "SOURCE_DATE_EPOCH=0";
  std::vector<char *> environment{epoch.data()};
  for (char **entry = environ; *entry; ++entry)
    if (!StringRef(*entry).starts_with("SOURCE_DATE_EPOCH="))
      environment.push_back(*entry);
  environment.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(),
                  environment.data()) != 0)
    return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool render(const Module &module, raw_ostream &os,
                   DiagnosticEngine &diags, const EmitOptions &options,
                   StringRef format) {
  auto fail = [&](const Twine &why) {
    diags.report(diag::emit_renderer) << format << why;
    return false;
  };
  auto program = llvm::sys::findProgramByName("rsvg-convert");
  if (!program)
    return fail("rsvg-convert of librsvg is not installed; --emit=svg needs "
                "nothing");
  llvm::SmallString<128> svg, picture;
  int descriptor = -1;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("cif", "svg", descriptor, svg))
    return fail("no temporary file: " + error.message());
  llvm::FileRemover removeSvg(svg);
  llvm::raw_fd_ostream file(descriptor, /*shouldClose=*/true);
  bool good = emitSvg(module, file, diags, options);
  file.close();
  if (!good)
    return false;
  if (file.has_error()) {
    std::string why = file.error().message();
    file.clear_error();
    return fail("'" + svg.str() + "': " + why);
  }
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("cif", format, picture))
    return fail("no temporary file: " + error.message());
  llvm::FileRemover removePicture(picture);
  if (runProgram({*program, "-f", format.str(), "-o", picture.str().str(),
                  svg.str().str()}) != 0)
    return fail("rsvg-convert failed");
  auto made = llvm::MemoryBuffer::getFile(picture);
  if (!made || (*made)->getBuffer().empty())
    return fail("rsvg-convert wrote nothing");
  os << (*made)->getBuffer();
  return true;
}

bool cif::emitPng(const Module &module, raw_ostream &os,
                  DiagnosticEngine &diags, const EmitOptions &options) {
  return render(module, os, diags, options, "png");
}

bool cif::emitPdf(const Module &module, raw_ostream &os,
                  DiagnosticEngine &diags, const EmitOptions &options) {
  return render(module, os, diags, options, "pdf");
}
