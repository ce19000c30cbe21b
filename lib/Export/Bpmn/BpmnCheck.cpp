//===- BpmnCheck.cpp - What BPMN cannot express ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout/Diagram.h"
#include "cif/IR/Names.h"
#include "cif/Support/Diagnostics/Checks.h"
#include <map>
#include <tuple>

using namespace cif;

std::string cif::describeNode(const Module &module, uint32_t b, NodeId n) {
  const Node &node = module.behaviours[b].node(n);
  std::string text = nodeKindText(node.kind).str();
  if (!node.name.empty())
    text += " '" + module.text(node.name).str() + "'";
  else if (node.message)
    text += " '" + module.exchangeText(node.message) + "'";
  if (!node.loc.element.empty())
    text += " (" + module.text(node.loc.element).str() + ")";
  else
    text += " number " + std::to_string(n.index());
  return text;
}

/// Why BPMN has no element for a node, or null.
static const char *obstacle(const Module &module, const Behaviour &behaviour,
                            const Node &node) {
  const bool global = behaviour.kind == BehaviourKind::Choreography;
  if (node.trigger == Trigger::Multiple)
    return "the triggers of its event are unknown";
  switch (node.kind) {
  case NodeKind::Stuck:
    return "BPMN has no element that stops for ever";
  case NodeKind::Call:
    return "BPMN's calls cannot run a part of the same behaviour again";
  case NodeKind::Task:
    return global && node.loop != LoopKind::None
               ? "a BPMN choreography has no internal steps with a loop"
               : nullptr;
  case NodeKind::Send:
  case NodeKind::Receive:
    return global ? "a BPMN choreography has interactions only" : nullptr;
  case NodeKind::Interaction: {
    if (!global)
      return "a BPMN process has no interactions";
    for (MessageId m : {node.message, node.reply})
      if (m && (!module.message(m).sender || !module.message(m).receiver))
        return "a choreography task needs a sender and a receiver";
    if (!node.message)
      return "a choreography task needs a message";
    const Message &message = module.message(node.message);
    if (message.sender == message.receiver)
      return "a choreography task needs two participants";
    return nullptr;
  }
  case NodeKind::Boundary:
    if (!node.attachedTo ||
        figureOf(behaviour, behaviour.node(node.attachedTo)) == Figure::Event)
      return "a boundary event needs an activity";
    if (node.trigger == Trigger::Race)
      return "BPMN has no event that the first step of what follows it "
             "triggers";
    return nullptr;
  default:
    return nullptr;
  }
}

bool cif::checkFlows(const Module &module, DiagnosticEngine &diags) {
  bool ok = true;
  for (uint32_t b = 0; b < module.behaviours.size(); ++b) {
    const Behaviour &behaviour = module.behaviours[b];
    for (const Flow &flow : behaviour.flows) {
      if (behaviour.node(flow.source).parent ==
          behaviour.node(flow.target).parent)
        continue;
      ok = false;
      diags.report(module.place(flow.loc), diag::emit_flow_leaves)
          << describeNode(module, b, flow.source)
          << describeNode(module, b, flow.target);
    }
    for (uint32_t n = 0; n < behaviour.nodes.size(); ++n) {
      const Node &node = behaviour.nodes[n];
      if (node.kind == NodeKind::Boundary && node.attachedTo &&
          behaviour.node(node.attachedTo).parent != node.parent) {
        ok = false;
        diags.report(module.place(node.loc), diag::emit_flow_leaves)
            << describeNode(module, b, NodeId(n))
            << describeNode(module, b, node.attachedTo);
      }
    }
  }
  return ok;
}

/// How BPMN's readers see \p name: XML has no control characters, and white
/// space in a label is for the eye.
static std::string nameInBpmn(StringRef name) {
  std::string result;
  for (char c : name) {
    auto byte = static_cast<unsigned char>(c);
    if (!StringRef(" \t\r\n").contains(c))
      result += byte < 0x20 ? '\x01' : c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  return StringRef(result).rtrim(' ').str();
}

/// What has two names must not become one: then it would be another model.
static bool checkNames(const Module &module, DiagnosticEngine &diags) {
  bool ok = true;
  std::map<std::string, Name> participants;
  std::map<std::tuple<uint32_t, uint32_t, std::string>, Name> messages;
  auto add = [&](auto &known, auto key, Name name, const Location &at) {
    auto [other, isNew] = known.try_emplace(std::move(key), name);
    if (isNew || other->second == name)
      return;
    ok = false;
    diags.report(module.place(at), diag::emit_node)
        << "BPMN" << ("the name '" + module.text(name) + "'").str()
        << ("it is read as the name '" + module.text(other->second) + "'")
               .str();
  };
  for (const Participant &p : module.participants)
    add(participants, nameInBpmn(module.text(p.name)), p.name, p.loc);
  for (const Message &m : module.messages)
    add(messages,
        std::tuple(m.sender ? m.sender.index() : UINT32_MAX,
                   m.receiver ? m.receiver.index() : UINT32_MAX,
                   nameInBpmn(module.text(m.name))),
        m.name, m.loc);
  return ok;
}

bool cif::checkDrawable(const Module &module, DiagnosticEngine &diags) {
  if (module.behaviours.empty()) {
    diags.report(diag::emit_nothing) << "bpmn"
                                     << "choreography, process or controller";
    return false;
  }
  bool ok = checkFlows(module, diags);
  ok &= checkNames(module, diags);
  for (uint32_t b = 0; b < module.behaviours.size(); ++b) {
    const Behaviour &behaviour = module.behaviours[b];
    for (uint32_t n = 0; n < behaviour.nodes.size(); ++n)
      if (const char *why = obstacle(module, behaviour, behaviour.nodes[n])) {
        ok = false;
        diags.report(module.place(behaviour.nodes[n].loc), diag::emit_node)
            << "BPMN" << describeNode(module, b, NodeId(n)) << why;
      }
  }
  return ok;
}

bool cif::followsLink(const Behaviour &behaviour, const Flow &flow) {
  const Node &source = behaviour.node(flow.source);
  const Node &target = behaviour.node(flow.target);
  return source.kind == NodeKind::Throw && source.trigger == Trigger::Link &&
         target.kind == NodeKind::Catch && target.trigger == Trigger::Link &&
         source.name == target.name;
}

std::vector<Diagram> cif::makeDiagrams(const Module &module,
                                       const DiagramLayout *given,
                                       Budget &budget) {
  std::vector<Diagram> diagrams;
  std::vector<uint32_t> processes;
  for (uint32_t b = 0; b < module.behaviours.size() && !budget.stopped(); ++b) {
    if (module.behaviours[b].kind != BehaviourKind::Choreography) {
      processes.push_back(b);
      continue;
    }
    diagrams.emplace_back(module, given, budget);
    diagrams.back().makeChoreography(b);
  }
  if (!processes.empty()) {
    diagrams.emplace_back(module, given, budget);
    diagrams.back().makeCollaboration(processes);
  }
  return diagrams;
}
