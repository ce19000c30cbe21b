//===- WriteBack.cpp - BPMN into the file that it came from ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WriteBack.h"
#include "cif/Export/Bpmn/BpmnPatch.h"
#include "cif/Export/Emitter.h"
#include "cif/Frontend/FrontEnd.h"

using namespace cif;

WriteBack::WriteBack(Session &session, const Module &module,
                     const DiagramLayout &layout, bool isAsked)
    : session(session), layout(layout) {
  const Arguments &arguments = session.arguments;
  if (!isAsked || arguments.has("rewrite") || arguments.has("select") ||
      module.sources.size() != 1 ||
      module.text(module.sources[0].language) != "bpmn")
    return;
  path = module.text(module.sources[0].path).str();
  digest = module.digest();
  before = emitted(module).value_or("");
}

std::optional<std::string> WriteBack::emitted(const Module &module) const {
  SourceManager sources;
  DiagnosticCollector quiet; // whoever writes the module tells what is wrong
  DiagnosticEngine diags(sources, quiet);
  EmitOptions options;
  options.layout = &layout;
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!emitBpmn(module, os, diags, options))
    return std::nullopt;
  return text;
}

std::optional<std::string> WriteBack::write(const Module &module) const {
  const SourceBuffer *source =
      path.empty() ? nullptr : session.sources.find(path);
  if (!source)
    return std::nullopt;
  if (module.digest() == digest)
    return source->text().str();
  std::optional<std::string> now = emitted(module);
  if (before.empty() || !now)
    return std::nullopt;
  std::optional<std::string> patched = patchBpmn(source->text(), before, *now);
  if (!patched)
    return std::nullopt;
  // What is written has to be read as the model that was meant.
  SourceManager sources;
  DiagnosticCollector quiet;
  DiagnosticEngine diags(sources, quiet);
  const SourceBuffer &text =
      sources.add(path, llvm::MemoryBuffer::getMemBufferCopy(*patched));
  Module again;
  if (!parseBpmn(text, again, diags, {}))
    return std::nullopt;
  std::optional<std::string> check = emitted(again);
  if (!check || !sameBpmn(*check, *now))
    return std::nullopt;
  return patched;
}
