//===- WriteBack.cpp - BPMN into the file that it came from ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WriteBack.h"
#include "cif/Export/Bpmn/BpmnPatch.h"
#include "cif/Export/Emitter.h"
#include "cif/Frontend/BpmnText.h"
#include "cif/Frontend/FrontEnd.h"
#include "cif/Transforms/Unexpand.h"

using namespace cif;

/// The text that a module of one BPMN file was read from.
const SourceBuffer *WriteBack::sourceOf(const Module &module) const {
  if (session.arguments.has("select") || module.sources.size() != 1 ||
      module.text(module.sources[0].language) != "bpmn")
    return nullptr;
  return session.sources.find(module.text(module.sources[0].path));
}

std::optional<std::string> WriteBack::emitted(const Module &module) const {
  SourceManager sources;
  DiagnosticCollector quiet; // whoever writes the module tells what is wrong
  DiagnosticEngine diags(sources, quiet);
  EmitOptions options{.layout = &layout};
  options.parts = false; // what is not in the file need not be put there
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!emitBpmn(module, os, diags, options))
    return std::nullopt;
  return text;
}

bool cif::readBpmnText(StringRef path, StringRef text, Module &into,
                       DiagramLayout *layout) {
  SourceManager sources;
  DiagnosticCollector quiet;
  DiagnosticEngine diags(sources, quiet);
  const SourceBuffer &source =
      sources.add(path, llvm::MemoryBuffer::getMemBufferCopy(text));
  FrontEndOptions options{.layout = layout};
  return parseBpmn(source, into, diags, options);
}

/// Who sends what to whom.
static std::string exchange(const Module &module, MessageId id) {
  const Message &message = module.message(id);
  std::string text = module.text(message.name).str();
  for (ParticipantId p : {message.sender, message.receiver})
    if (p)
      text += "\n" + module.participantName(p).str();
  return text;
}

/// What all nodes exchange, in some order.
static std::vector<std::string> exchanges(const Module &module) {
  std::vector<std::string> all;
  for (const Behaviour &b : module.behaviours)
    for (const Node &node : b.nodes)
      for (MessageId message : {node.message, node.reply})
        if (message)
          all.push_back(exchange(module, message));
  llvm::sort(all);
  return all;
}

std::optional<std::string> WriteBack::write(const Module &module) const {
  const SourceBuffer *source = sourceOf(module);
  StringRef path = source ? module.text(module.sources[0].path) : StringRef();
  // The module may have been changed long before this run: what it was is what
  // the file says.
  Module original;
  if (!source || !readBpmnText(path, source->text(), original))
    return std::nullopt;
  if (module.digest() == original.digest())
    return source->text().str();
  // Passes expand loops and answers; where nothing was put into them, these are
  // again what they are in the file.
  Module changed = module.clone();
  if (std::optional<Module> whole = unexpanded(original, module))
    changed = std::move(*whole);
  std::optional<std::string> before = emitted(original), now = emitted(changed);
  if (!before || !now)
    return std::nullopt;
  std::optional<std::string> patched =
      patchBpmn(textWithValues(*source), *before, *now);
  // What is written has to be read as the model that was meant.
  Module again;
  if (!patched || !readBpmnText(path, *patched, again))
    return std::nullopt;
  std::optional<std::string> check = emitted(again);
  if (!check || !sameBpmn(*check, *now, *patched) ||
      exchanges(again) != exchanges(changed))
    return std::nullopt;
  return patched;
}
