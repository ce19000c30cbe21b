//===- TokenLimits.cpp - Bounds on counts ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads bounds on tokens, messages and marks: `flow:2,message:1`, and the
/// constraint files of the tool of [fbpmn], which name one of its predicates
/// for nodes, one for edges, and how the two are combined.
///
//===----------------------------------------------------------------------===//

#include "cif/Semantics/Semantics.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

std::string cif::parseTokenLimits(StringRef text, TokenLimits &limits) {
  SmallVector<StringRef, 4> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  if (parts.empty())
    return "no limit is given; write flow:2 or message:1";
  for (StringRef part : parts) {
    auto [what, number] = part.trim().split(':');
    uint32_t count = 0;
    if (number.getAsInteger(10, count) || count == 0 || count == noBound)
      return ("'" + part + "' does not end in a number of at least 1").str();
    uint32_t *limit = what == "flow"      ? &limits.flow
                      : what == "message" ? &limits.message
                      : what == "node"    ? &limits.node
                                          : nullptr;
    if (!limit)
      return ("'" + what + "' is not one of flow, message and node").str();
    *limit = std::min(*limit, count);
  }
  return {};
}

/// `MaxEdgeMarking2` and the like; TRUE is no bound.
static bool readPredicate(StringRef word, TokenLimits &limits) {
  if (word == "TRUE")
    return true;
  bool node = word.consume_front("MaxNodeMarking");
  bool message = !node && word.consume_front("MaxMessageEdgeMarking");
  bool flow = !node && !message && word.consume_front("MaxSequenceEdgeMarking");
  bool edge =
      !node && !message && !flow && word.consume_front("MaxEdgeMarking");
  uint32_t count = 0;
  if (!(node || message || flow || edge) || word.getAsInteger(10, count) ||
      count == 0 || count == noBound)
    return false;
  if (node)
    limits.node = std::min(limits.node, count);
  if (message || edge)
    limits.message = std::min(limits.message, count);
  if (flow || edge)
    limits.flow = std::min(limits.flow, count);
  return true;
}

std::string cif::parseConstraintFile(StringRef text, TokenLimits &limits) {
  SmallVector<StringRef, 16> words;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    llvm::SplitString(line.split("\\*").first, words, " \t\r");
  }
  TokenLimits node, edge, direct;
  bool combined = false, constrained = false;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "CONSTANT" || words[i] == "CONSTANTS")
      continue;
    if (i + 2 >= words.size() || words[i + 1] != "<-")
      return ("'" + words[i] + "' is not followed by <- and a name").str();
    StringRef name = words[i], value = words[i + 2];
    i += 2;
    bool fits = true;
    if (name == "ConstraintNode")
      fits = readPredicate(value, node);
    else if (name == "ConstraintEdge")
      fits = readPredicate(value, edge);
    else if (name == "Constraint" && value == "ConstraintNodeEdge")
      combined = true;
    else if (name == "Constraint")
      fits = readPredicate(value, direct);
    else
      return ("'" + name +
              "' is not one of ConstraintNode, ConstraintEdge and Constraint")
          .str();
    constrained |= name == "Constraint";
    if (!fits)
      return ("'" + value +
              "' is not a known constraint, such as MaxEdgeMarking2")
          .str();
  }
  if (!constrained)
    return "it has no line 'Constraint <- ConstraintNodeEdge'";
  auto take = [&](const TokenLimits &from) {
    limits.flow = std::min(limits.flow, from.flow);
    limits.message = std::min(limits.message, from.message);
    limits.node = std::min(limits.node, from.node);
  };
  take(direct);
  if (combined) {
    take(node);
    take(edge);
  }
  return {};
}

std::string cif::tokenLimitsText(const TokenLimits &limits) {
  std::string text;
  auto add = [&](uint32_t bound, StringRef one, StringRef many,
                 StringRef where) {
    if (bound == noBound)
      return;
    text += text.empty() ? "at most " : " and ";
    text += std::to_string(bound) + " " + (bound == 1 ? one : many).str() +
            " " + where.str();
  };
  add(limits.flow, "token", "tokens", "on a flow");
  add(limits.message, "message", "messages", "in transit on a message flow");
  add(limits.node, "mark", "marks", "of a node");
  return text;
}
