//===- TextParserData.cpp - Systems and facts of the text form ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextParser.h"
#include "cif/Support/Diagnostics/Forms.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

//===----------------------------------------------------------------------===//
// Systems
//===----------------------------------------------------------------------===//

/// What the rows say, before it becomes an LTS.
struct TextParser::SystemText {
  std::string self; // the owner's name, for local labels
  std::vector<Label> labels{Label::tau()};
  llvm::StringMap<LabelIndex> known; // by the text of the label
  std::vector<uint32_t> rowBegin, label, target, lines;
  std::vector<uint64_t> finals;
  uint32_t initial = 0;
  bool saysInitial = false, saysFinal = false, saysLines = false;
};

bool TextParser::label(SystemText &text, LabelIndex &to, bool declare) {
  in.skipBlanks();
  const char *start = in.mark();
  StringRef written = in.chunk();
  if (written.empty())
    return in.expected("a label");
  if (!declare && written.front() == '#') {
    if (written.drop_front().getAsInteger(10, to) || to >= text.labels.size())
      return in.unknown(start, "label", written);
    return true;
  }
  auto [slot, isNew] = text.known.try_emplace(
      written, static_cast<LabelIndex>(text.labels.size()));
  if (!isNew && !declare) {
    to = slot->second;
    return true;
  }
  Label label = parseLabel(written, text.self);
  // What is no word of ours must be in quotes.
  if (label.kind == LabelKind::Plain && written != quoteAlways(label.message)) {
    in.reset(start);
    text.known.erase(slot);
    return in.expected("a label");
  }
  if (label.kind == LabelKind::Tau && !declare) {
    to = slot->second = tauLabel;
    return true;
  }
  if (isNew && label.kind == LabelKind::Tau)
    slot->second = tauLabel;
  to = static_cast<LabelIndex>(text.labels.size());
  text.labels.push_back(std::move(label));
  return true;
}

bool TextParser::systemLine(SystemText &text) {
  if (in.takeKeyword("finals")) {
    if (!in.takeKeyword("none"))
      return in.expected("'none'");
    text.saysFinal = true;
    return in.endLine();
  }
  if (in.takeKeyword("label")) {
    LabelIndex index = 0;
    return label(text, index, /*declare=*/true) && in.endLine();
  }
  uint32_t state = 0;
  in.skipBlanks();
  const char *start = in.mark();
  if (!in.number(state, "a state, 'label' or '}'"))
    return false;
  // States come in order, each at least once: the text's size bounds theirs.
  size_t states = text.rowBegin.size();
  bool isNew = state == states;
  if (!isNew && state + size_t(1) != states) {
    diags.report(in.placeOf(start), diag::text_row_order) << states << state;
    return false;
  }
  if (isNew) {
    text.rowBegin.push_back(static_cast<uint32_t>(text.target.size()));
    if (state % 64 == 0)
      text.finals.push_back(0);
  }
  for (;;) {
    in.skipBlanks();
    start = in.mark();
    if (in.takeKeyword("initial")) {
      if (text.saysInitial)
        return in.saidTwice(start, "initial");
      text.saysInitial = true;
      text.initial = state;
    } else if (in.takeKeyword("final")) {
      text.saysFinal = true;
      text.finals.back() |= uint64_t(1) << (state % 64);
    } else {
      break;
    }
  }
  if (!in.expect(":"))
    return false;
  if (in.atLineEnd())
    return in.endLine();
  LabelIndex labelIndex = 0;
  uint32_t target = 0, line = 0;
  if (!label(text, labelIndex, /*declare=*/false) || !in.expect("->") ||
      !in.number(target, "a state"))
    return false;
  if (in.take("@")) {
    if (!in.number(line, "a line"))
      return false;
    text.saysLines = true;
  }
  text.label.push_back(labelIndex);
  text.target.push_back(target);
  text.lines.push_back(line);
  return in.endLine();
}

bool TextParser::systemBlock() {
  SystemDecl &s = module.systems.emplace_back();
  in.skipBlanks();
  const char *start = in.mark();
  StringRef text = in.keyword();
  unsigned role = 0;
  constexpr unsigned last = static_cast<unsigned>(SystemRole::Controller);
  while (role <= last && systemRoleText(SystemRole(role)) != text)
    ++role;
  if (role > last)
    return in.unknown(start, "role of a system", text);
  s.role = SystemRole(role);
  if (char c = in.peek();
      (c == '"' || isWordChar(c)) && !in.name(s.name, "a name"))
    return false;
  if (in.take(":") && !participantRef(s.owner))
    return false;
  if (!tail(s.loc) || !blockOpen())
    return false;
  SystemText rows;
  rows.self = module.participantName(s.owner).str();
  if (!block([&] { return systemLine(rows); }))
    return true; // its errors are behind it
  rows.rowBegin.push_back(static_cast<uint32_t>(rows.target.size()));
  s.lts.initial = rows.initial;
  s.lts.labels = std::move(rows.labels);
  s.lts.rowBegin = std::move(rows.rowBegin);
  s.lts.label = std::move(rows.label);
  s.lts.target = std::move(rows.target);
  if (rows.saysFinal)
    s.lts.finals = std::move(rows.finals);
  if (rows.saysLines)
    s.transitionLines = std::move(rows.lines);
  return true;
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

bool TextParser::place(Place &to) {
  if (!in.takeKeyword("at"))
    return true;
  if (!in.string(to.file, "a path"))
    return false;
  if (llvm::isDigit(in.peek()) &&
      (!in.number(to.line, "a line") || !in.expect(":") ||
       !in.number(to.column, "a column")))
    return false;
  return !in.take("#") || in.string(to.element, "an element's id");
}

bool TextParser::factBlock() {
  Fact &f = module.facts.emplace_back();
  if (!in.string(f.property, "a property"))
    return false;
  in.skipBlanks();
  const char *start = in.mark();
  StringRef verdict = in.keyword();
  constexpr unsigned last = static_cast<unsigned>(Verdict::Inconclusive);
  unsigned i = 0;
  while (i <= last && verdictText(Verdict(i)) != verdict)
    ++i;
  if (i > last)
    return in.unknown(start, "verdict", verdict);
  f.verdict = Verdict(i);
  f.exact = in.takeKeyword("exact");
  if (!place(f.at) || !blockOpen())
    return false;
  block([&] { return factLine(f); });
  return true; // its errors are behind it
}

bool TextParser::factLine(Fact &f) {
  in.skipBlanks();
  const char *start = in.mark();
  StringRef key = in.keyword();
  auto text = [&](std::string &to) {
    if (!to.empty())
      return in.saidTwice(start, key);
    return in.string(to, "a text") && in.endLine();
  };
  auto count = [&](uint64_t &to) {
    if (to)
      return in.saidTwice(start, key);
    return in.number(to, UINT64_MAX, "a number") && in.endLine();
  };
  if (key == "subject")
    return text(f.subject);
  if (key == "method")
    return text(f.method);
  if (key == "message")
    return text(f.message);
  if (key == "abstraction")
    return in.string(f.abstractions.emplace_back(), "a text") && in.endLine();
  if (key == "states")
    return count(f.states);
  if (key == "transitions")
    return count(f.transitions);
  if (key == "parameter") {
    auto &[name, value] = f.parameters.emplace_back();
    return in.string(name, "a parameter's name") && in.expect("=") &&
           in.string(value, "a value") && in.endLine();
  }
  if (key == "note") {
    Note &n = f.notes.emplace_back();
    return in.string(n.text, "a text") && place(n.place) && in.endLine();
  }
  if (key == "digest") {
    in.skipBlanks();
    const char *at = in.mark();
    StringRef digits = in.word();
    if (!digits.consume_front("0x") || digits.getAsInteger(16, f.digest)) {
      in.reset(at);
      return in.expected("a hexadecimal number");
    }
    return in.endLine();
  }
  if (key == "witness") {
    if (f.witness)
      return in.saidTwice(start, key);
    Witness &w = f.witness.emplace();
    if (!in.string(w.kind, "the witness's kind"))
      return false;
    if (in.takeKeyword("loop") && !in.number(w.loopStart.emplace(), "a step"))
      return false;
    return in.endLine();
  }
  if (f.witness && key == "formula")
    return text(f.witness->formula);
  if (f.witness && key == "step") {
    WitnessStep &step = f.witness->steps.emplace_back();
    if (!in.string(step.label, "a label"))
      return false;
    if (in.takeKeyword("note") && !in.string(step.note, "a text"))
      return false;
    return place(step.at) && in.endLine();
  }
  in.reset(start);
  return in.expected("a line of a fact or '}'");
}
