//===- Examples.cpp - cifc --examples -------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Examples.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/ExitCodes.h"
#include "cif/Support/Visible.h"
#include "cif/Tools/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace cif;
namespace fs = llvm::sys::fs;

static std::string below(StringRef folder, StringRef path) {
  llvm::SmallString<128> file(folder);
  llvm::sys::path::append(file, path);
  return file.str().str();
}

/// Whether the file may be written: it is missing, or what would be written.
static bool isFree(StringRef file, StringRef text, DiagnosticEngine &diags) {
  if (!fs::exists(file))
    return true;
  auto there = llvm::MemoryBuffer::getFile(file);
  if (there && (*there)->getBuffer() == text)
    return true;
  diags.report(diag::cannot_write)
      << file << "another file is there; choose a new folder";
  return false;
}

static bool writeExample(StringRef file, StringRef text, Session &session) {
  StringRef folder = llvm::sys::path::parent_path(file);
  if (std::error_code failed = fs::create_directories(folder)) {
    session.diags.report(diag::cannot_write) << folder << failed.message();
    return false;
  }
  auto output =
      OutputFile::open(file, "--examples", session.files, session.diags);
  if (!output)
    return false;
  output->os() << text;
  return output->keep();
}

int cif::writeExamples(Session &session) {
  if (!session.standsAlone("examples", {"quiet", "color"}))
    return ExitError;
  StringRef folder = session.arguments.value("examples");
  for (const Example &example : examples())
    if (!isFree(below(folder, example.path), example.text, session.diags))
      return ExitError;
  for (const Example &example : examples())
    if (!writeExample(below(folder, example.path), example.text, session))
      return ExitError;
  if (!session.arguments.has("quiet"))
    llvm::errs() << "wrote " << examples().size() << " files into '"
                 << visible(folder) << "'; README.md says what they are\n"
                 << "try: cd " << visible(folder)
                 << " && cifc --check order.bpmn\n";
  return ExitHolds;
}
