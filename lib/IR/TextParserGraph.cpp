//===- TextParserGraph.cpp - Behaviours of the text form ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextParser.h"
#include "TextWords.h"
#include "cif/IR/Builder.h"
#include "cif/Support/Diagnostics/Forms.h"

using namespace cif;

//===----------------------------------------------------------------------===//
// The names of nodes
//===----------------------------------------------------------------------===//

/// The index in a label `n17`. Only the usual writing counts: no `n017`.
static bool numberedLabel(StringRef label, uint32_t &index) {
  return label.consume_front("n") && !label.empty() &&
         (label.size() == 1 || label.front() != '0') &&
         !label.getAsInteger(10, index);
}

bool TextParser::find(const NodeLabels &labels, StringRef label, NodeId &to) {
  uint32_t index = 0;
  if (numberedLabel(label, index) && index < labels.numbered.size() &&
      labels.numbered[index]) {
    to = NodeId(index);
    return true;
  }
  auto found = labels.others.find(label);
  if (found == labels.others.end())
    return false;
  to = NodeId(found->second);
  return true;
}

bool TextParser::nodeRef(Forward::Kind kind, uint32_t index, NodeId &to,
                         StringRef label) {
  if (label.empty())
    return in.expected("a node");
  if (!find(labels.back(), label, to))
    forwards.push_back({kind, index, label});
  return true;
}

void TextParser::resolveForwards() {
  Behaviour &b = module.behaviours.back();
  for (const Forward &f : forwards) {
    NodeId to;
    if (!find(labels.back(), f.label, to))
      in.unknown(f.label.begin(), "node", f.label);
    switch (f.kind) {
    case Forward::Parent:
      b.nodes[f.index].parent = to;
      break;
    case Forward::AttachedTo:
      b.nodes[f.index].attachedTo = to;
      break;
    case Forward::Source:
      b.flows[f.index].source = to;
      break;
    case Forward::Target:
      b.flows[f.index].target = to;
      break;
    }
  }
  forwards.clear();
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

bool TextParser::behaviourBlock(BehaviourKind kind) {
  Behaviour &b = module.behaviours.emplace_back();
  labels.emplace_back();
  b.kind = kind;
  if (char c = in.peek();
      (c == '"' || isWordChar(c)) && !in.name(b.name, "a name"))
    return false;
  if (in.take(":") && !participantRef(b.owner))
    return false;
  if (!tail(b.loc) || !blockOpen())
    return false;
  attributesOf = {};
  attributesAllowed = true;
  block([&] { return behaviourLine(); });
  resolveForwards();
  // The order is part of the form: by node, then by key.
  sortAttributes(module, module.behaviours.back());
  return true; // its own errors are behind it
}

bool TextParser::behaviourLine() {
  size_t offset = in.offset();
  if (in.peek() == '.')
    return attributeLine();
  StringRef label = in.word();
  if (label.empty())
    return in.expected("a node, a flow or '}'");
  if (in.take("->"))
    return flowLine(label, offset);
  return nodeLine(label, offset);
}

bool TextParser::attributeLine() {
  if (!attributesAllowed)
    return in.expected("a node, a flow or '}'");
  Attribute a{.node = attributesOf};
  in.take(".");
  if (!in.name(a.key, "an attribute's name") || !in.expect("=") ||
      !in.name(a.value, "a value"))
    return false;
  module.behaviours.back().attributes.push_back(a);
  return in.endLine();
}

bool TextParser::flowLine(StringRef source, size_t offset) {
  attributesAllowed = false;
  Behaviour &b = module.behaviours.back();
  uint32_t index = static_cast<uint32_t>(b.flows.size());
  labels.back().flowOffsets.push_back(offset);
  Flow &flow = b.flows.emplace_back();
  if (!nodeRef(Forward::Source, index, flow.source, source) ||
      !nodeRef(Forward::Target, index, flow.target, in.word()))
    return false;
  size_t firstExpr = module.exprs.size();
  while (!in.atLineEnd()) {
    char c = in.peek();
    const char *start = in.mark();
    if (c == '[') {
      in.take("[");
      if (flow.guard)
        return in.saidTwice(start, "[");
      if (!expression(flow.guard) || !in.expect("]"))
        return false;
    } else if (c == '"') {
      if (!flow.name.empty())
        return in.saidTwice(start, "name");
      if (!in.quotedName(flow.name))
        return false;
    } else if (c == '@' || c == '#') {
      if (!tail(flow.loc))
        return false;
    } else if (c == '{') {
      if (!exprLocations(firstExpr, flow.loc))
        return false;
    } else if (in.takeKeyword("default")) {
      if (flow.flags & DefaultFlow)
        return in.saidTwice(start, "default");
      flow.flags |= DefaultFlow;
    } else {
      return in.expected("a guard, 'default', a name or a location");
    }
  }
  return in.endLine();
}

bool TextParser::nodeLine(StringRef label, size_t offset) {
  in.skipBlanks();
  const char *start = in.mark();
  StringRef text = in.keyword();
  unsigned kind = 0;
  while (kind < numNodeKinds && nodeKindText(NodeKind(kind)) != text)
    ++kind;
  if (kind == numNodeKinds) {
    in.reset(start);
    if (text.empty())
      return in.expected("a kind of node or '->'");
    return in.unknown(start, "kind of node", text);
  }
  Behaviour &b = module.behaviours.back();
  uint32_t index = static_cast<uint32_t>(b.nodes.size()), number = 0;
  NodeLabels &known = labels.back();
  NodeId before;
  if (find(known, label, before)) {
    diags.report(in.source.place(offset), diag::text_declared_twice)
        << "node" << label;
    return false;
  }
  bool numbered = numberedLabel(label, number) && number == index;
  known.numbered.push_back(numbered);
  known.nodeOffsets.push_back(offset);
  if (!numbered)
    known.others[label] = index;
  attributesOf = NodeId(index);
  attributesAllowed = true;

  Node &node = b.nodes.emplace_back();
  node.kind = NodeKind(kind);
  uint32_t seen = 0;
  size_t firstExpr = module.exprs.size();
  while (!in.atLineEnd()) {
    if (in.peek() == '{') {
      if (!exprLocations(firstExpr, node.loc))
        return false;
    } else if (!nodeOption(node, index, seen)) {
      return false;
    }
  }
  return in.endLine();
}

bool TextParser::arguments(Node &node) {
  Behaviour &b = module.behaviours.back();
  const char *start = in.mark();
  in.take("(");
  if (node.numArguments)
    return in.saidTwice(start, "(");
  std::vector<ExprId> &all = b.arguments;
  node.firstArgument = static_cast<uint32_t>(all.size());
  do {
    ExprId argument;
    if (!expression(argument))
      return false;
    all.push_back(argument);
    ++node.numArguments;
  } while (in.take(","));
  return in.expect(")");
}

/// What a node says at most once, after its flags.
enum NodeOption : unsigned {
  Reply = numNodeFlags,
  By,
  On,
  In,
  Loop,
  Times,
  If,
  ATrigger,
  AName,
  AMessage,
};

bool TextParser::nodeOption(Node &node, uint32_t index, uint32_t &seen) {
  char c = in.peek();
  const char *start = in.mark();
  auto once = [&](unsigned option, StringRef what) {
    if (seen >> option & 1)
      return in.saidTwice(start, what);
    seen |= 1u << option;
    return true;
  };
  auto message = [&] {
    in.reset(start);
    if (!once(AMessage, "message") || !messageRef(node.message))
      return false;
    return in.peek() != '(' || arguments(node);
  };
  if (c == '@' || c == '#')
    return tail(node.loc);
  if (c == '(')
    return arguments(node);
  if (c == '?')
    return message();
  if (c == '"') {
    Name name;
    if (!in.quotedName(name))
      return false;
    if (in.take("->"))
      return message();
    node.name = name;
    return once(AName, "name");
  }
  StringRef text = in.keyword();
  if (text.empty())
    return in.expected("a message, a name or a property of the node");
  if (in.take("->"))
    return message();
  return nodeProperty(node, index, start, text, once);
}

/// The property of a node that the word \p text at \p start begins.
bool TextParser::nodeProperty(
    Node &node, uint32_t index, const char *start, StringRef text,
    function_ref<bool(unsigned option, StringRef what)> once) {
  for (unsigned bit = 0; bit < numNodeFlags; ++bit)
    if (text == nodeFlagText(bit)) {
      node.flags |= 1u << bit;
      return once(bit, text);
    }
  for (unsigned i = 1; i <= static_cast<unsigned>(Trigger::Race); ++i)
    if (text == triggerText(Trigger(i))) {
      node.trigger = Trigger(i);
      return once(ATrigger, "trigger");
    }
  if (text == "in")
    return once(In, text) &&
           nodeRef(Forward::Parent, index, node.parent, in.word());
  if (text == "on")
    return once(On, text) &&
           nodeRef(Forward::AttachedTo, index, node.attachedTo, in.word());
  if (text == "by")
    return once(By, text) && participantRef(node.participant);
  if (text == "reply")
    return once(Reply, text) && messageRef(node.reply);
  if (text == "if")
    return once(If, text) && in.expect("[") && expression(node.condition) &&
           in.expect("]");
  if (text == "times")
    return once(Times, text) && range(node.loopMinimum, node.loopMaximum, true);
  if (text == "loop") {
    in.skipBlanks();
    const char *at = in.mark();
    StringRef kind = in.keyword();
    for (unsigned i = 1; i <= static_cast<unsigned>(LoopKind::MultiParallel);
         ++i)
      if (kind == loopKindText(LoopKind(i))) {
        node.loop = LoopKind(i);
        return once(Loop, text);
      }
    return in.unknown(at, "kind of loop", kind);
  }
  return in.unknown(start, "property of a node", text);
}
