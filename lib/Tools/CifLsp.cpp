//===- CifLsp.cpp - cif-lsp -----------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The language server with the front ends, checks and pages of this program.
///
//===----------------------------------------------------------------------===//

#include "CheckAll.h"
#include "cif/Lsp/Server.h"
#include "cif/Report/RunReport.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/ExitCodes.h"
#include "cif/Tools/Drivers.h"
#include "cif/Tools/Session.h"
#include "cif/Tools/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

using namespace cif;

static const ToolInfo lspInfo = {
    Lsp,
    "cif-lsp",
    "[options]",
    "Serve an editor by the Language Server Protocol, on standard input and "
    "output:\ndiagnostics and verdicts as you type, names, projections, "
    "repairs.\nSee docs/editors.md.",
    "  cif-lsp --timeout=5     what an editor starts\n",
    "0 after shutdown and exit; 1 without them; 2 bad usage"};

/// Seconds for what is checked in this process; nothing here takes long, but
/// for a text that is made to.
constexpr double secondsAtOnce = 0.2;

/// The front end whose extension \p path has.
static std::string languageByName(const Registry &registry, StringRef path) {
  StringRef extension = llvm::sys::path::extension(path);
  extension.consume_front(".");
  SmallVector<StringRef, 4> extensions;
  for (const FrontEnd &frontEnd : registry.frontEnds) {
    extensions.clear();
    StringRef(frontEnd.extensions).split(extensions, ' ');
    // The binary form is no text.
    if (!extension.empty() && llvm::is_contained(extensions, extension) &&
        StringRef(frontEnd.name) != "cif")
      return frontEnd.name;
  }
  return "";
}

static std::string languageOf(const Registry &registry, StringRef path,
                              StringRef text, StringRef id) {
  if (std::string name = languageByName(registry, path); !name.empty())
    return name;
  if (const FrontEnd *named = registry.findFrontEnd(id))
    return named->name;
  const FrontEnd *found = registry.detectFrontEnd(path, text);
  return found ? found->name : "";
}

static void checkModule(Module &module, const Registry &registry,
                        DiagnosticEngine &diags, std::vector<Fact> &facts) {
  Limits limits;
  limits.setTimeout(secondsAtOnce);
  PassHost host;
  host.log = &llvm::nulls();
  PassManager manager(diags, limits, host);
  if (!manager.run(checksAtOnce(module, registry.passes), module))
    return;
  // What could not be decided at once is decided by the next check.
  for (const Fact &fact : manager.facts())
    if (fact.verdict != Verdict::Inconclusive)
      facts.push_back(fact);
}

static std::string checkAtOnce(const Registry &registry, StringRef path,
                               StringRef text, StringRef language) {
  SourceManager sources;
  DiagnosticCollector collector;
  DiagnosticEngine diags(sources, collector);
  diags.maxErrors = 100;
  const SourceBuffer &source =
      sources.add(path, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  RunReport run{.tool = "cif-lsp", .version = versionText().str()};
  run.inputs.push_back(path.str());
  InputOptions options{.format = language.str()};
  std::vector<std::string> parts;
  const FrontEnd *frontEnd = registry.findFrontEnd(language);
  if (frontEnd && frontEnd->parts)
    for (const SourcePart &part : frontEnd->parts(source))
      parts.push_back(part.name);
  if (parts.size() < 2)
    parts = {""};
  for (const std::string &part : parts) {
    options.frontEnd.select = part;
    if (auto module = readModule(source, registry, options, diags))
      checkModule(*module, registry, diags, run.facts);
  }
  run.diagnostics = std::move(collector.all);
  std::string json;
  llvm::raw_string_ostream os(json);
  writeJsonReport(os, run);
  return json;
}

static std::string explanationOf(const Registry &registry, StringRef name) {
  for (ArrayRef<Explanation> pages : {explanations(), ArrayRef(registry.pages)})
    for (const Explanation &page : pages)
      if (name == page.name)
        return page.text;
  return "";
}

int cif::cifLspMain(int argc, char **argv, Registry registry) {
  Session session(lspInfo, registry);
  if (std::optional<int> status = session.start(argc, argv))
    return *status;
  const Arguments &arguments = session.arguments;
  LspOptions options{.version = versionText().str(),
                     .cifc = llvm::sys::fs::getMainExecutable(
                         argv[0], reinterpret_cast<void *>(&cifLspMain))};
  options.memory = arguments.value("max-memory", options.memory).str();
  auto number = [&](StringRef name, unsigned most, unsigned &into) {
    if (!arguments.has(name))
      return true;
    if (!arguments.value(name).getAsInteger(10, into) && into <= most)
      return true;
    session.diags.report(diag::bad_option_value)
        << ("--" + name).str() << arguments.value(name)
        << ("a whole number, at most " + Twine(most)).str();
    return false;
  };
  if (!number("timeout", 3600, options.timeout) ||
      !number("debounce", 10000, options.debounce))
    return session.finish(ExitError);
  if (session.inputs().size() != 1 || session.inputs()[0] != "-") {
    session.diags.report(diag::usage)
        << "cif-lsp takes no files: the editor sends them";
    return session.finish(ExitError);
  }
  options.languageOf = [&](StringRef path, StringRef text, StringRef id) {
    return languageOf(registry, path, text, id);
  };
  options.checkAtOnce = [&](StringRef path, StringRef text, StringRef id) {
    return checkAtOnce(registry, path, text, id);
  };
  options.explain = [&](StringRef name) {
    return explanationOf(registry, name);
  };
  return session.finish(serveLsp(options, STDIN_FILENO, llvm::outs()));
}
