//===- cif.cpp - all tools in one program ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tools are links to this program, which tells by its name which of them
/// was called: seven programs of 14 MB would hold the same libraries seven
/// times.
///
//===----------------------------------------------------------------------===//

#include "cif/Support/ExitCodes.h"
#include "cif/Support/Visible.h"
#include "cif/Tools/Drivers.h"
#include "cif/Tools/OutputFile.h"
#include "cif/Tools/Version.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace cif;

static constexpr struct {
  llvm::StringLiteral name;
  int (*main)(int argc, char **argv, Registry registry);
  const char *job;
} tools[] = {
    {"cifc", cifcMain, "compile, check and draw a choreography"},
    {"cif-opt", cifOptMain, "run passes on a module"},
    {"cif-lts", cifLtsMain, "explore, minimise and compare LTSs"},
    {"cif-as", cifAsMain, "turn a module into the binary form"},
    {"cif-dis", cifDisMain, "turn a module into the text form"},
    {"cif-reduce", cifReduceMain, "shrink an input that shows a problem"},
    {"cif-lsp", cifLspMain, "serve an editor, by the Language Server Protocol"},
};

static void printTools(raw_ostream &os) {
  os << "usage: cif TOOL [options] [FILE...]\n\ntools:\n";
  for (const auto &tool : tools)
    os << "  " << tool.name << std::string(12 - tool.name.size(), ' ')
       << tool.job << '\n';
  os << "\n'cif TOOL --help' shows its options. Each tool is also a command of "
        "its own.\n";
}

static int flushed() {
  std::signal(SIGPIPE, SIG_IGN); // a reader that has enough is no error
  std::error_code error = flushStandardOutput();
  if (!error)
    return ExitHolds;
  llvm::errs() << "cif: error: cannot write '<stdout>': " << error.message()
               << '\n';
  return ExitError;
}

int main(int argc, char **argv) {
  StringRef name =
      argc > 0 ? llvm::sys::path::filename(argv[0]) : StringRef("cif");
  if (name == "cif" && argc > 1) {
    StringRef first = argv[1];
    if (first == "--help" || first == "-h") {
      printTools(llvm::outs());
      return flushed();
    }
    if (first == "--version") {
      llvm::outs() << "cif (CIF) " << versionText() << '\n' << buildText();
      return flushed();
    }
    name = first;
    ++argv;
    --argc;
  }
  for (const auto &tool : tools)
    if (name == tool.name)
      return tool.main(argc, argv, builtinRegistry());
  if (name != "cif")
    llvm::errs() << "cif: error: there is no tool '" << visible(name) << "'\n";
  printTools(llvm::errs());
  return ExitError;
}
