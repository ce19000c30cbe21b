//===- Lts.cpp - Labels, and what an LTS must be --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Lts.h"
#include "cif/IR/Names.h"

using namespace cif;

/// A partner may be unknown: `p!:m`.
static std::string partner(StringRef name) {
  return name.empty() ? "" : quoted(name);
}

std::string cif::labelText(const Label &label) {
  switch (label.kind) {
  case LabelKind::Tau:
    return "tau";
  case LabelKind::Tick:
    return "tick";
  case LabelKind::Exchange:
    return quoted(label.sender) + "->" + quoted(label.receiver) + ":" +
           quoted(label.message);
  case LabelKind::Send:
    return quoted(label.sender) + "!" + partner(label.receiver) + ":" +
           quoted(label.message);
  case LabelKind::Receive:
    return quoted(label.receiver) + "?" + partner(label.sender) + ":" +
           quoted(label.message);
  case LabelKind::Plain:
    break;
  }
  // A plain text that would be read as something else is quoted as a whole.
  if (parseLabel(label.message) == label)
    return label.message;
  return quoteAlways(label.message);
}

std::string cif::localLabelText(const Label &label) {
  if (label.kind == LabelKind::Send)
    return quoted(label.receiver) + "!" + quoted(label.message);
  if (label.kind == LabelKind::Receive)
    return quoted(label.sender) + "?" + quoted(label.message);
  return labelText(label);
}

Label cif::parseLabel(StringRef text, StringRef self) {
  StringRef all = text;
  auto plain = [&] { return Label::plain(all); };
  if (text == "tau" || text == "i")
    return Label::tau();
  if (text == "tick")
    return {LabelKind::Tick, "", "", ""};
  std::string first, second, third;
  auto blanks = [&] { text = text.ltrim(' '); };
  bool hasFirst = takeName(text, first);
  blanks();
  if (hasFirst && text.empty() && all.starts_with("\""))
    return Label::plain(first); // quoted as a whole
  if (text.consume_front("->")) {
    blanks();
    if (!hasFirst || !takeName(text, second))
      return plain();
    blanks();
    if (!text.consume_front(":"))
      return plain();
    blanks();
    if (!takeName(text, third) || !text.empty())
      return plain();
    return {LabelKind::Exchange, first, second, third};
  }
  bool send = text.consume_front("!");
  if (!send && !text.consume_front("?"))
    return plain();
  bool hasSecond = takeName(text, second);
  if (text.consume_front(":")) { // the global form: p!q:m, q?p:m
    if (!takeName(text, third) || !text.empty())
      return plain();
    return send ? Label{LabelKind::Send, first, second, third}
                : Label{LabelKind::Receive, second, first, third};
  }
  // Local forms are for a participant's own; `PUT !1` of others is a text.
  if (!hasFirst || !hasSecond || !text.empty() || self.empty())
    return plain();
  return send ? Label{LabelKind::Send, self.str(), first, second}
              : Label{LabelKind::Receive, first, self.str(), second};
}

std::string cif::verifyLts(const Lts &lts) {
  auto at = [](const char *what, size_t where) {
    return std::string(what) + " " + std::to_string(where);
  };
  size_t states = lts.numStates(), transitions = lts.numTransitions();
  if (states == 0)
    return "an LTS needs a state";
  if (lts.labels.empty() || lts.labels[0].kind != LabelKind::Tau)
    return "label 0 must be tau";
  if (lts.initial >= states)
    return "the initial state does not exist";
  if (lts.label.size() != transitions)
    return "labels and targets differ in number";
  if (lts.rowBegin[0] != 0 || lts.rowBegin[states] != transitions)
    return "the rows do not cover the transitions";
  for (size_t s = 0; s < states; ++s)
    if (lts.rowBegin[s] > lts.rowBegin[s + 1])
      return at("the rows are not in order at state", s);
  for (size_t t = 0; t < transitions; ++t) {
    if (lts.label[t] >= lts.labels.size())
      return at("unknown label at transition", t);
    if (lts.target[t] >= states)
      return at("unknown target at transition", t);
  }
  if (!lts.finals.empty() && lts.finals.size() != (states + 63) / 64)
    return "the final states differ in number from the states";
  if (!lts.finals.empty() && states % 64 != 0 &&
      lts.finals[states / 64] >> (states % 64) != 0)
    return "a final state does not exist";
  return {};
}
