//===- Registry.cpp - What the tools can do -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Tools/Registry.h"
#include "AutFrontEnd.h"
#include "cif/IR/Text.h"
#include "cif/Serialization/Binary.h"
#include "cif/Support/AddedDiagnostics.h"
#include "cif/Support/InputBytes.h"
#include "llvm/Support/Path.h"

using namespace cif;

namespace cif {
#define CIF_PASS(ID, NAME, GROUP, SUMMARY, REFERENCE)                          \
  PassResult run##ID(Module &module, PassContext &context);
#include "cif/Pass/Passes.def"
} // namespace cif

diag::Kind Registry::addDiagnostics(ArrayRef<DiagInfo> infos,
                                    ArrayRef<Explanation> explained) {
  std::optional<diag::Kind> first = cif::addDiagnostics(infos);
  if (!first) {
    problem = (Twine("one of its diagnostic codes from '") + infos[0].code +
               "' on is taken")
                  .str();
    return diag::Kind();
  }
  pages.insert(pages.end(), explained.begin(), explained.end());
  return *first;
}

const FrontEnd *Registry::findFrontEnd(StringRef name) const {
  for (const FrontEnd &f : frontEnds)
    if (name == f.name)
      return &f;
  return nullptr;
}

const Emitter *Registry::findEmitter(StringRef name) const {
  for (const Emitter &e : emitters)
    if (name == e.name)
      return &e;
  return nullptr;
}

static bool hasExtension(const FrontEnd &frontEnd, StringRef path) {
  SmallVector<StringRef, 4> extensions;
  StringRef(frontEnd.extensions).split(extensions, ' ');
  return llvm::is_contained(extensions,
                            llvm::sys::path::extension(path).drop_while(
                                [](char c) { return c == '.'; }));
}

const FrontEnd *Registry::detectFrontEnd(StringRef path, StringRef text) const {
  const FrontEnd *best = nullptr;
  int bestScore = 0;
  path = unpackedName(path);
  for (const FrontEnd &f : frontEnds) {
    // The content decides; the extension only between equals.
    int score = f.detect(path, text) * 2 + hasExtension(f, path);
    if (score > bestScore) {
      bestScore = score;
      best = &f;
    }
  }
  return best;
}

//===----------------------------------------------------------------------===//
// CIF's own forms
//===----------------------------------------------------------------------===//

static const FrontEnd ownFrontEnds[] = {
    {"cif", "cif", "CIF, binary",
     [](StringRef, StringRef text) { return looksBinary(text) ? 100 : 0; },
     [](const SourceBuffer &source, Module &module, DiagnosticEngine &diags,
        const FrontEndOptions &) {
       return readBinary(source.buffer(), module, diags);
     }},
    {"cift", "cift", "CIF, text form",
     [](StringRef, StringRef text) { return looksText(text) ? 100 : 0; },
     [](const SourceBuffer &source, Module &module, DiagnosticEngine &diags,
        const FrontEndOptions &) { return parseText(source, module, diags); }},
    {"aut", "aut", "a labelled transition system of any tool", detectAut,
     parseAut},
};

static const Emitter ownEmitters[] = {
    {"cif", "cif", "CIF, binary",
     [](const Module &module, raw_ostream &os, DiagnosticEngine &diags,
        const EmitOptions &) { return writeBinary(module, os, diags); }},
    {"cift", "cift", "CIF, text form",
     [](const Module &module, raw_ostream &os, DiagnosticEngine &,
        const EmitOptions &) {
       printText(module, os);
       return true;
     }},
};

static std::vector<PassInfo> builtinPasses() {
  std::vector<PassInfo> passes;
#define CIF_PASS(ID, NAME, GROUP, SUMMARY, REFERENCE)                          \
  passes.push_back({NAME, PassGroup::GROUP, SUMMARY, REFERENCE, run##ID, {}});
#define CIF_PASS_NO_INPUT() passes.back().readsInput = false;
#define CIF_PASS_KEEPS_FACTS() passes.back().keepsFacts = true;
#define CIF_PASS_VALUE(NAME, METAVAR, DEFAULT, HELP)                           \
  passes.back().options.push_back({NAME, METAVAR, DEFAULT, HELP, true});
#define CIF_PASS_OPTION(NAME, METAVAR, DEFAULT, HELP)                          \
  passes.back().options.push_back({NAME, METAVAR, DEFAULT, HELP, false});
#include "cif/Pass/Passes.def"
  return passes;
}

Registry cif::builtinRegistry() {
  Registry registry;
  for (PassInfo &pass : builtinPasses())
    registry.passes.add(std::move(pass));
  llvm::append_range(registry.frontEnds, ownFrontEnds);
  llvm::append_range(registry.frontEnds, builtinFrontEnds());
  llvm::append_range(registry.emitters, ownEmitters);
  llvm::append_range(registry.emitters, builtinEmitters());
  return registry;
}
