//===- Dot.cpp - Graphviz -------------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Behaviours and systems as clusters of one directed graph. Node names are
/// made of numbers, so that no name of the source can clash or break the
/// syntax.
///
//===----------------------------------------------------------------------===//

#include "Svg/Highlights.h"
#include "cif/Export/Emitter.h"
#include "cif/IR/ExprText.h"
#include "cif/Support/Visible.h"

using namespace cif;

namespace {
class DotWriter {
public:
  DotWriter(const Module &module, raw_ostream &os, const EmitOptions &options)
      : module(module), os(os), highlights(module, options) {}
  void run();

private:
  void behaviour(uint32_t b);
  void node(uint32_t b, uint32_t n);
  void system(uint32_t s);
  /// A double-quoted string: only quotes, backslashes and line ends matter.
  void quote(StringRef text);
  void highlight(const std::string &steps);

  const Module &module;
  raw_ostream &os;
  Highlights highlights;
};
} // namespace

void DotWriter::quote(StringRef text) {
  os << '"';
  for (bool first = true; first || !text.empty(); first = false) {
    if (!first)
      os << "\\n";
    StringRef line;
    std::tie(line, text) = text.split('\n');
    for (char c : visible(line)) {
      if (c == '"' || c == '\\')
        os << '\\';
      os << c;
    }
  }
  os << '"';
}

void DotWriter::highlight(const std::string &steps) {
  if (!steps.empty())
    os << ", color=\"#c2410c\", penwidth=3, xlabel=\"" << steps << '"';
}

void DotWriter::node(uint32_t b, uint32_t n) {
  const Node &node = module.behaviours[b].nodes[n];
  std::string label = module.text(node.name).str();
  auto add = [&](const Twine &line) {
    if (!label.empty())
      label += '\n';
    label += line.str();
  };
  const char *shape = "box";
  const char *style = nullptr;
  switch (node.kind) {
  case NodeKind::Initial:
    shape = "circle";
    break;
  case NodeKind::Final:
    shape = "doublecircle";
    break;
  case NodeKind::Terminate:
    shape = "doublecircle", style = "filled";
    break;
  case NodeKind::Catch:
  case NodeKind::Throw:
  case NodeKind::Boundary:
    shape = "ellipse";
    break;
  case NodeKind::Choice:
  case NodeKind::DominatedChoice:
  case NodeKind::SimpleJoin:
    shape = "diamond", add("X");
    break;
  case NodeKind::AllSelect:
  case NodeKind::AllJoin:
    shape = "diamond", add("+");
    break;
  case NodeKind::SubsetSelect:
  case NodeKind::SubsetJoin:
    shape = "diamond", add("O");
    break;
  case NodeKind::EventChoice:
    shape = "diamond", add("?");
    break;
  case NodeKind::Stuck:
    shape = "octagon", add("0");
    break;
  case NodeKind::Call:
    style = "bold";
    break;
  default:
    style = "rounded";
  }
  if (node.message) {
    const Message &message = module.message(node.message);
    StringRef name = module.text(message.name);
    if (node.kind == NodeKind::Interaction || node.kind == NodeKind::Catch ||
        node.kind == NodeKind::Throw)
      add(module.exchangeText(node.message));
    else if (node.kind == NodeKind::Send)
      add(module.participantName(message.receiver) + "!" + name);
    else if (node.kind == NodeKind::Receive)
      add(module.participantName(message.sender) + "?" + name);
    else
      add(name);
  }
  if (node.reply)
    add(module.exchangeText(node.reply));
  if (node.participant)
    add(module.participantName(node.participant));
  if (node.trigger != Trigger::None && node.trigger != Trigger::Message)
    add(triggerText(node.trigger));
  if (node.loop != LoopKind::None)
    add(loopKindText(node.loop));
  os << "b" << b << "_n" << n << " [shape=" << shape << ", label=";
  quote(label);
  if (style)
    os << ", style=" << style;
  highlight(highlights.of(node).text());
  os << "];\n";
}

void DotWriter::behaviour(uint32_t b) {
  const Behaviour &behaviour = module.behaviours[b];
  os << "subgraph cluster_b" << b << " {\n  label=";
  quote((behaviourKindText(behaviour.kind) + " " + module.text(behaviour.name))
            .str());
  os << ";\n";
  // Containers are nested clusters: their children come where they open.
  size_t count = behaviour.nodes.size();
  std::vector<std::vector<uint32_t>> children(count + 1);
  for (uint32_t n = 0; n < count; ++n) {
    NodeId parent = behaviour.nodes[n].parent;
    children[parent ? parent.index() : count].push_back(n);
  }
  struct Frame {
    uint32_t holder;
    size_t next = 0;
  };
  std::vector<Frame> stack{{uint32_t(count)}};
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (frame.next == children[frame.holder].size()) {
      if (frame.holder != count)
        os << "}\n";
      stack.pop_back();
      continue;
    }
    uint32_t n = children[frame.holder][frame.next++];
    if (children[n].empty()) {
      node(b, n);
      continue;
    }
    os << "subgraph cluster_b" << b << "_n" << n << " {\n  label=";
    quote(module.text(behaviour.nodes[n].name));
    os << ";\n";
    node(b, n);
    stack.push_back({n});
  }
  for (const Flow &flow : behaviour.flows) {
    os << "b" << b << "_n" << flow.source.index() << " -> b" << b << "_n"
       << flow.target.index();
    std::string label = module.text(flow.name).str();
    if (flow.guard) {
      if (!label.empty())
        label += '\n';
      label += "[" + exprText(module, flow.guard) + "]";
    }
    os << " [label=";
    quote(label);
    if (flow.flags & DefaultFlow)
      os << ", arrowtail=tee, dir=both";
    highlight(highlights.of(flow.loc).text());
    os << "];\n";
  }
  // Where an event sits, and what a call runs once more.
  for (uint32_t n = 0; n < count; ++n)
    if (NodeId to = behaviour.nodes[n].attachedTo)
      os << "b" << b << "_n" << to.index() << " -> b" << b << "_n" << n
         << " [style=dotted, dir=none];\n";
  os << "}\n";
}

void DotWriter::system(uint32_t s) {
  const SystemDecl &system = module.systems[s];
  const Lts &lts = system.lts;
  os << "subgraph cluster_s" << s << " {\n  label=";
  quote((systemRoleText(system.role) + " " + module.text(system.name)).str());
  os << ";\n";
  for (StateIndex state = 0; state < lts.numStates(); ++state) {
    os << "s" << s << "_" << state
       << " [shape=" << (lts.isFinal(state) ? "doublecircle" : "circle")
       << ", label=\"" << state << '"';
    if (state == lts.initial)
      os << ", style=bold";
    os << "];\n";
  }
  const bool local = system.role == SystemRole::Peer;
  for (StateIndex state = 0; state < lts.numStates(); ++state) {
    ArrayRef<LabelIndex> labels = lts.labelsOf(state);
    ArrayRef<StateIndex> targets = lts.targetsOf(state);
    for (size_t i = 0; i < labels.size(); ++i) {
      const Label &label = lts.labels[labels[i]];
      os << "s" << s << "_" << state << " -> s" << s << "_" << targets[i]
         << " [label=";
      quote(local ? localLabelText(label) : labelText(label));
      os << "];\n";
    }
  }
  os << "}\n";
}

void DotWriter::run() {
  os << "digraph cif {\nrankdir=LR;\nfontname=\"sans-serif\";\n"
        "node [fontname=\"sans-serif\"];\nedge [fontname=\"sans-serif\"];\n";
  for (uint32_t b = 0; b < module.behaviours.size(); ++b)
    behaviour(b);
  for (const MessageFlow &flow : module.messageFlows)
    if (flow.sourceNode && flow.targetNode) {
      os << "b" << flow.sourceBehaviour.index() << "_n"
         << flow.sourceNode.index() << " -> b" << flow.targetBehaviour.index()
         << "_n" << flow.targetNode.index() << " [style=dashed, label=";
      quote(flow.message ? module.text(module.message(flow.message).name)
                         : StringRef());
      os << "];\n";
    }
  for (uint32_t s = 0; s < module.systems.size(); ++s)
    system(s);
  os << "}\n";
}

bool cif::emitDot(const Module &module, raw_ostream &os, DiagnosticEngine &,
                  const EmitOptions &options) {
  DotWriter(module, os, options).run();
  return true;
}
