//===- AsDis.cpp - cif-as and cif-dis -------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/ExitCodes.h"
#include "cif/Tools/Drivers.h"
#include "cif/Tools/OutputFile.h"
#include "cif/Tools/Session.h"
#include "llvm/Support/Path.h"

using namespace cif;

static const char convertStatus[] =
    "0 written; 2 bad usage or bad input, nothing written";

static const ToolInfo asInfo = {
    As,
    "cif-as",
    "[options] [FILE]",
    "Turn a module into the binary form. FILE.cift becomes FILE.cif; standard "
    "input\ngoes to standard output.",
    "  cif-as shop.cift -o shop.cif\n"
    "  cif-dis shop.cif | cif-as | cmp - shop.cif\n",
    convertStatus};

static const ToolInfo disInfo = {
    Dis,
    "cif-dis",
    "[options] [FILE]",
    "Turn a module into the text form, on standard output unless -o is given.",
    "  cif-dis shop.cif | less\n"
    "  cif-dis shop.cif -o shop.cift\n",
    convertStatus};

static int convert(const ToolInfo &tool, const char *format, int argc,
                   char **argv, Registry &registry) {
  Session session(tool, registry);
  if (std::optional<int> status = session.start(argc, argv))
    return *status;
  if (session.inputs().size() != 1) {
    session.diags.report(diag::usage) << "expected one input";
    return session.finish(ExitError);
  }
  StringRef input = session.inputs()[0];
  auto module =
      readModule(input, registry, session.inputOptions(), session.diags);
  if (!module)
    return session.finish(ExitError);
  std::string output = session.arguments.value("output", "-").str();
  bool binary = StringRef(format) == "cif";
  if (binary && !session.arguments.has("output") && input != "-" &&
      llvm::sys::path::extension(input) == ".cift")
    output = input.drop_back().str(); // x.cift -> x.cif
  auto file = OutputFile::open(output, "-o", session.files, session.diags);
  if (!file)
    return session.finish(ExitError);
  if (binary && file->isTerminal() && !session.arguments.has("force")) {
    session.diags.report(diag::usage)
        << "binary output to a terminal; use -o FILE, or -f to force it";
    return session.finish(ExitError);
  }
  const Emitter *emitter = registry.findEmitter(format);
  bool ok = emitter->emit(*module, file->os(), session.diags, EmitOptions()) &&
            file->keep();
  return session.finish(ok ? ExitHolds : ExitError);
}

int cif::cifAsMain(int argc, char **argv, Registry registry) {
  return convert(asInfo, "cif", argc, argv, registry);
}

int cif::cifDisMain(int argc, char **argv, Registry registry) {
  return convert(disInfo, "cift", argc, argv, registry);
}
