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
#include "cif/IR/Nodes.h"
#include "llvm/ADT/StringMap.h"

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
  EmitOptions options;
  options.layout = &layout;
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!emitBpmn(module, os, diags, options))
    return std::nullopt;
  return text;
}

/// Reads a text as the file that \p path is.
static bool readText(StringRef path, StringRef text, Module &into) {
  SourceManager sources;
  DiagnosticCollector quiet;
  DiagnosticEngine diags(sources, quiet);
  const SourceBuffer &source =
      sources.add(path, llvm::MemoryBuffer::getMemBufferCopy(text));
  return parseBpmn(source, into, diags, {});
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

/// Passes take tasks with an answer apart. Where nothing came between the two
/// parts, the task is again what it is in the file.
static void joinReplies(Module &module, const Module &original) {
  llvm::StringMap<std::string> replies; // by element
  for (const Behaviour &b : original.behaviours)
    for (const Node &node : b.nodes)
      if (node.kind == NodeKind::Interaction && node.reply)
        replies[original.text(node.loc.element)] =
            exchange(original, node.reply);
  for (size_t i = 0; i < module.behaviours.size(); ++i) {
    Behaviour &b = module.behaviours[i];
    if (b.kind != BehaviourKind::Choreography || replies.empty())
      continue;
    std::vector<unsigned> in(b.nodes.size()), out(b.nodes.size());
    for (const Flow &flow : b.flows) {
      ++out[flow.source.index()];
      ++in[flow.target.index()];
    }
    std::vector<bool> deadNodes(b.nodes.size()), deadFlows(b.flows.size());
    std::vector<NodeId> partOf(b.nodes.size());
    for (size_t f = 0; f < b.flows.size(); ++f) {
      NodeId from = b.flows[f].source, to = b.flows[f].target;
      Node &task = b.node(from);
      const Node &answer = b.node(to);
      auto known = replies.find(module.text(task.loc.element));
      if (known == replies.end() || task.kind != NodeKind::Interaction ||
          answer.kind != NodeKind::Interaction || task.reply || answer.reply ||
          task.loc.element != answer.loc.element ||
          task.parent != answer.parent || out[from.index()] != 1 ||
          in[to.index()] != 1 || b.flows[f].guard || from == to ||
          exchange(module, answer.message) != known->second)
        continue;
      task.reply = answer.message;
      deadFlows[f] = deadNodes[to.index()] = true;
      partOf[to.index()] = from;
    }
    for (Flow &flow : b.flows)
      if (NodeId whole = partOf[flow.source.index()])
        flow.source = whole;
    removeParts(module, BehaviourId(i), deadNodes, deadFlows);
  }
}

std::optional<std::string> WriteBack::write(const Module &module) const {
  const SourceBuffer *source = sourceOf(module);
  StringRef path = source ? module.text(module.sources[0].path) : StringRef();
  // The module may have been changed long before this run: what it was is what
  // the file says.
  Module original;
  if (!source || !readText(path, source->text(), original))
    return std::nullopt;
  if (module.digest() == original.digest())
    return source->text().str();
  Module changed = module.clone();
  joinReplies(changed, original);
  std::optional<std::string> before = emitted(original), now = emitted(changed);
  if (!before || !now)
    return std::nullopt;
  std::optional<std::string> patched = patchBpmn(source->text(), *before, *now);
  // What is written has to be read as the model that was meant.
  Module again;
  if (!patched || !readText(path, *patched, again))
    return std::nullopt;
  std::optional<std::string> check = emitted(again);
  if (!check || !sameBpmn(*check, *now) ||
      exchanges(again) != exchanges(changed))
    return std::nullopt;
  return patched;
}
