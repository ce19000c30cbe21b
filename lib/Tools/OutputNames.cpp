//===- OutputNames.cpp - What the name of an output asks for --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputNames.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace cif;

/// Extensions of formats that other tools write, and how to get there from
/// here.
static const struct {
  const char *extension, *meaning;
} foreign[] = {
    {"bcg", "CADP's binary LTSs; write .aut and convert it with bcg_io"},
    {"lts", "mCRL2's binary LTSs; write .aut and convert it with ltsconvert"},
    {"lps", "mCRL2's linear processes, which CIF does not write"},
    {"smv", "SMV models, which CIF does not write"},
    {"xml", "XML of many kinds; use --emit=bpmn for BPMN"},
    {"html", "pages, which --report=html:FILE writes"},
    {"md", "Markdown, which CIF does not write modules as"},
    {"csv", "tables, which CIF does not write modules as"},
    {"gv", "Graphviz; use .dot"},
    {"jpg", "photographs; write .png or .svg"},
    {"graphml", "GraphML, which CIF does not write; use .dot"},
};

static std::string extensionOf(StringRef path) {
  if (path == "-")
    return {};
  return llvm::sys::path::extension(path)
      .drop_while([](char c) { return c == '.'; })
      .lower();
}

/// Whether \p extension stands for a format at all: a number, a random name as
/// of mktemp, and what scripts call their temporary files do not.
static bool namesFormat(StringRef extension) {
  constexpr size_t longest = 5;
  return !extension.empty() && extension.size() <= longest &&
         llvm::all_of(extension, llvm::isAlnum) &&
         llvm::any_of(extension, llvm::isAlpha) &&
         !llvm::is_contained({"out", "tmp", "new", "old", "bak"}, extension);
}

/// Reports an extension that stands for something else; \p written says what
/// to use instead. False: reported.
static bool isOurs(StringRef path, const Twine &written,
                   DiagnosticEngine &diags) {
  std::string extension = extensionOf(path);
  auto refuse = [&](const Twine &why) {
    diags.report(diag::cannot_write) << path << why;
    return false;
  };
  for (const auto &[name, meaning] : foreign)
    if (extension == name)
      return refuse("the extension ." + extension + " is for " + meaning);
  return !namesFormat(extension) ||
         refuse("no format has the extension ." + extension + "; " + written);
}

/// The emitter whose extension \p path has, or null.
static const Emitter *emitterOf(StringRef path, const Registry &registry) {
  std::string extension = extensionOf(path);
  for (const Emitter &emitter : registry.emitters)
    if (extension == emitter.extension)
      return &emitter;
  return nullptr;
}

StringRef cif::outputFormat(StringRef path, StringRef emit,
                            const ToolInfo &tool, const Registry &registry,
                            DiagnosticEngine &diags) {
  if (tool.bit == CifLts) // see ltsFormat; some commands write no LTS
    return "aut";
  if (tool.bit == Reduce) // in the form of its input
    return "cift";
  if (!emit.empty()) {
    if (registry.findEmitter(emit))
      return emit;
    std::vector<StringRef> names;
    for (const Emitter &e : registry.emitters)
      names.push_back(e.name);
    diags.report(diag::bad_option_value)
        << "--emit" << emit << "one of " + llvm::join(names, ", ");
    return {};
  }
  const Emitter *asked = emitterOf(path, registry);
  StringRef own = tool.bit == Dis ? "cift" : "cif";
  if (!asked && !isOurs(path,
                        tool.hasPasses()
                            ? Twine("write .cif, or say which with --emit")
                            : Twine(tool.name) + " writes ." + own,
                        diags))
    return {};
  if (tool.hasPasses())
    return asked ? asked->name : "cif";
  if (!asked || own == asked->name)
    return own;
  diags.report(diag::cannot_write)
      << path
      << (Twine(tool.name) + " writes ." + own + " only; use " +
          (StringRef(asked->name) == "cift" ? Twine("cif-dis")
           : StringRef(asked->name) == "cif"
               ? Twine("cif-as")
               : "cif-opt --emit=" + Twine(asked->name)));
  return {};
}

std::optional<LtsFormat> cif::ltsFormat(StringRef path,
                                        const Registry &registry,
                                        DiagnosticEngine &diags) {
  static const struct {
    const char *extension;
    LtsFormat format;
  } written[] = {{"aut", LtsFormat::Aut},
                 {"gz", LtsFormat::AutGz},
                 {"dot", LtsFormat::Dot},
                 {"cif", LtsFormat::Binary},
                 {"cift", LtsFormat::Text}};
  std::string extension = extensionOf(path);
  for (const auto &[name, format] : written)
    if (extension == name)
      return format;
  const StringRef ours = "cif-lts writes .aut, .gz, .dot, .cif and .cift";
  const Emitter *asked = emitterOf(path, registry);
  if (!asked)
    return isOurs(path, ours, diags) ? std::optional(LtsFormat::Aut)
                                     : std::nullopt;
  diags.report(diag::cannot_write)
      << path
      << (ours + "; write .cif and use cif-opt --emit=" + asked->name).str();
  return std::nullopt;
}
