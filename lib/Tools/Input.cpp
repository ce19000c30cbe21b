//===- Input.cpp - Reading modules in any format --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Tools/Input.h"
#include "cif/Frontend/Pnml.h"
#include "cif/IR/Link.h"
#include "cif/IR/Verifier.h"
#include "cif/Serialization/Binary.h"
#include "cif/Support/Diagnostics/Text.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/InputBytes.h"
#include "cif/Tools/Reproducer.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace cif;

/// A file beside the missing \p path that may be meant: one whose name is
/// spelt almost like it, or one of the same name in another format.
static std::string fileMeant(StringRef path) {
  namespace fs = llvm::sys::fs;
  using namespace llvm::sys::path;
  StringRef folder = parent_path(path);
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, failed), end;
       !failed && at != end && names.size() < 1000; at.increment(failed))
    names.push_back(filename(at->path()).str());
  llvm::sort(names);
  std::vector<StringRef> stems;
  std::string meant;
  for (StringRef name : names)
    if (extension(name) == extension(path))
      stems.push_back(stem(name));
    else if (meant.empty() && stem(name) == stem(path))
      meant = name;
  if (StringRef near = nearest(stem(path), stems); !near.empty())
    meant = (near + extension(path)).str();
  if (meant.empty() || folder.empty())
    return meant;
  return (folder + "/" + meant).str();
}

static std::string openHint(StringRef path) {
  if (llvm::sys::fs::is_directory(path))
    return ("name the files in it, or open it with 'cifc --serve " + path + "'")
        .str();
  std::string meant =
      llvm::sys::fs::exists(path) ? std::string() : fileMeant(path);
  return meant.empty() ? meant : "did you mean '" + meant + "'?";
}

const SourceBuffer *cif::readSource(StringRef path, uint64_t maxInput,
                                    DiagnosticEngine &diags) {
  // What came from there comes only once.
  if (path == "-")
    if (const SourceBuffer *read = diags.sources().find("<stdin>"))
      return read;
  // Offsets into sources have 32 bits.
  uint64_t most = std::min<uint64_t>(maxInput, UINT32_MAX);
  std::string why;
  std::unique_ptr<llvm::MemoryBuffer> buffer = readInput(path, most, why);
  if (std::string stopped = readingStopped(); !buffer && !stopped.empty()) {
    diags.report(diag::reading_stopped)
        << (path == "-" ? "<stdin>" : path) << stopped;
    return nullptr;
  }
  if (!buffer && !why.empty()) {
    auto report = diags.report(diag::cannot_open);
    report << path << why;
    if (std::string hint = openHint(path); !hint.empty())
      report.note(hint);
    return nullptr;
  }
  if (!buffer) {
    diags.report(Place{path.str(), 0, 0, ""}, diag::source_too_large)
        << (maxInput > most
                ? "4095 MiB, the most that is read"
                : "the " + std::to_string(maxInput) + " bytes of --max-input");
    return nullptr;
  }
  const SourceBuffer &source =
      diags.sources().add(path == "-" ? "<stdin>" : path, std::move(buffer));
  reproducerInput(source.path(), source.text());
  return &source;
}

/// Says what text the module was made from, so that its lines can be shown by
/// whoever reads it next; and what text its other sources must have.
static void noteSources(Module &module, const SourceBuffer &read,
                        const FrontEnd &by, SourceManager &sources) {
  bool isModule = StringRef(by.name) == "cif" || StringRef(by.name) == "cift";
  for (Source &source : module.sources) {
    if (!isModule && module.text(source.path) == read.path())
      source.sha256 = module.intern(sha256Of(read.text()));
    sources.expect(module.text(source.path), module.text(source.sha256));
  }
}

std::unique_ptr<Module> cif::readModule(StringRef path,
                                        const Registry &registry,
                                        const InputOptions &options,
                                        DiagnosticEngine &diags) {
  const SourceBuffer *source = readSource(path, options.maxInput, diags);
  return source ? readModule(*source, registry, options, diags) : nullptr;
}

std::unique_ptr<Module> cif::readModule(const SourceBuffer &source,
                                        const Registry &registry,
                                        const InputOptions &options,
                                        DiagnosticEngine &diags) {
  const FrontEnd *frontEnd =
      options.format.empty()
          ? registry.detectFrontEnd(source.path(), source.text())
          : registry.findFrontEnd(options.format);
  if (!frontEnd) {
    auto report = diags.report(Place{source.path().str(), 0, 0, ""},
                               diag::unknown_format);
    report << source.path();
    if (source.text().trim().empty())
      report.note("it is empty");
    else if (looksLikePnml(source.text()))
      report.note("it is a Petri net, which 'cif-lts explore' reads");
    return nullptr;
  }
  if (options.frontEnd.strict &&
      llvm::is_contained({"cif", "cift"}, StringRef(frontEnd->name))) {
    diags.report(diag::idle_option)
        << "--strict"
        << "for '" + source.path() +
               "': a module does not say how its source was read; give it "
               "where the source is read";
    return nullptr;
  }
  if (!options.frontEnd.select.empty() &&
      llvm::is_contained({"cif", "cift", "aut"}, StringRef(frontEnd->name))) {
    diags.report(diag::idle_option)
        << "--select"
        << "for '" + source.path() + "', which is read as a whole";
    return nullptr;
  }
  auto module = std::make_unique<Module>();
  unsigned errors = diags.errors();
  bool parsed = frontEnd->parse(source, *module, diags, options.frontEnd);
  if (!parsed || diags.errors() != errors || !verify(*module, diags))
    return nullptr;
  noteSources(*module, source, *frontEnd, diags.sources());
  // The whole test suite can be run with this on. A module that does not
  // survive its own formats is a defect of ours.
  std::string why;
  if (std::getenv("CIF_CHECK_ROUNDTRIP") && !checkRoundTrip(*module, why))
    llvm::report_fatal_error("the module does not survive its own formats: " +
                             Twine(why));
  return module;
}

std::vector<SourcePart> cif::partsOfInput(StringRef path,
                                          const Registry &registry,
                                          const InputOptions &options,
                                          SourceManager &sources) {
  // Whoever reads the input in the end says what is wrong with it.
  DiagnosticCollector quiet;
  DiagnosticEngine diags(sources, quiet);
  const SourceBuffer *source = readSource(path, options.maxInput, diags);
  if (!source)
    return {};
  const FrontEnd *frontEnd =
      options.format.empty()
          ? registry.detectFrontEnd(source->path(), source->text())
          : registry.findFrontEnd(options.format);
  return frontEnd && frontEnd->parts ? frontEnd->parts(*source)
                                     : std::vector<SourcePart>();
}

std::unique_ptr<Module> cif::readModules(ArrayRef<std::string> paths,
                                         const Registry &registry,
                                         const InputOptions &options,
                                         DiagnosticEngine &diags) {
  std::unique_ptr<Module> all;
  bool ok = true;
  for (const std::string &path : paths) {
    auto module = readModule(path, registry, options, diags);
    if (!module)
      ok = false; // go on: all files' errors in one run
    else if (!all)
      all = std::move(module);
    else if (!linkInto(*all, *module, diags))
      ok = false;
  }
  return ok ? std::move(all) : nullptr;
}
