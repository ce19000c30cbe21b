//===- Coverage.cpp - What becomes of each BPMN construct -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Access to the table BpmnElements.def, and the one place that acts on its
/// statuses: abstractions are warnings, or errors when asked to be strict.
///
//===----------------------------------------------------------------------===//

#include "Bpmn.h"
#include "cif/IR/Nodes.h"
#include "cif/Support/Diagnostics/Bpmn.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/xxhash.h"

using namespace cif;
using namespace cif::bpmn;

const ElementInfo &bpmn::elementInfo(ElementKind kind) {
  static const ElementInfo infos[] = {
#define CIF_BPMN_ELEMENT(ID, XML, READ, STATUS, NOTE)                          \
  {XML, Read::READ, Status::STATUS, NOTE},
#include "cif/Frontend/BpmnElements.def"
      {"", Read::Skip, Status::Ignored, ""},
      {"", Read::Skip, Status::Ignored, ""}};
  return infos[static_cast<unsigned>(kind)];
}

ElementKind bpmn::elementKind(StringRef xml) {
  static const llvm::StringMap<ElementKind> kinds = {
#define CIF_BPMN_ELEMENT(ID, XML, READ, STATUS, NOTE) {XML, ElementKind::ID},
#include "cif/Frontend/BpmnElements.def"
  };
  auto found = kinds.find(xml);
  return found == kinds.end() ? ElementKind::Unknown : found->second;
}

const ConstructInfo *bpmn::eventInfo(Position position, Definition definition) {
  static const struct {
    Position position;
    Definition definition;
    ConstructInfo info;
  } rows[] = {
#define CIF_BPMN_EVENT(POSITION, DEFINITION, STATUS, NOTE)                     \
  {Position::POSITION, Definition::DEFINITION, {Status::STATUS, "", NOTE}},
#include "cif/Frontend/BpmnElements.def"
  };
  for (const auto &row : rows)
    if (row.position == position && row.definition == definition)
      return &row.info;
  return nullptr;
}

StringRef bpmn::definitionText(Definition definition) {
  static const char *const texts[] = {"none",
                                      "message",
                                      "timer",
                                      "signal",
                                      "error",
                                      "escalation",
                                      "conditional",
                                      "link",
                                      "compensation",
                                      "cancel",
                                      "terminate",
                                      "multiple",
                                      "parallel multiple"};
  return texts[static_cast<unsigned>(definition)];
}

StringRef bpmn::ruleText(Rule rule) {
  static const char *const texts[] = {
#define CIF_BPMN_RULE(ID, CONSTRUCT, TEXT) TEXT,
#include "cif/Frontend/BpmnElements.def"
  };
  return texts[static_cast<unsigned>(rule)];
}

const ConstructInfo &bpmn::featureInfo(Feature feature) {
  static const ConstructInfo infos[] = {
#define CIF_BPMN_FEATURE(ID, TEXT, STATUS, NOTE) {Status::STATUS, TEXT, NOTE},
#include "cif/Frontend/BpmnElements.def"
  };
  return infos[static_cast<unsigned>(feature)];
}

bool Coverage::meet(const Place &place, const Twine &subject, Status status,
                    StringRef construct, StringRef note, bool stays,
                    StringRef hint) {
  switch (status) {
  case Status::Supported:
  case Status::Ignored:
    return true;
  case Status::Abstracted:
    if (!told.insert({uint64_t(place.line) << 32 | place.column,
                      llvm::xxh3_64bits(construct)})
             .second)
      return !strict;
    ++abstracted;
    if (!stays)
      ++lost[(construct + ": " + note).str()];
    {
      auto report = diags.report(place, strict ? diag::bpmn_strict
                                               : diag::bpmn_abstracted);
      report << subject << construct << note;
      if (!hint.empty())
        report.note(hint);
    }
    return !strict;
  case Status::Error:
    diags.report(place, diag::bpmn_unsupported) << subject << construct;
    return false;
  }
  llvm_unreachable("unknown status");
}

std::vector<std::string> Coverage::abstractions() const {
  std::vector<std::string> texts;
  for (const auto &[what, count] : lost)
    texts.push_back(countedText(what, count));
  return texts;
}

static bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool bpmn::isTidy(StringRef text) {
  char before = ' '; // a blank is in order after anything but a blank
  for (char c : text) {
    if (isBlank(c) && (c != ' ' || before == ' '))
      return false;
    before = c;
  }
  return before != ' ' || text.empty();
}

std::string bpmn::tidyName(StringRef text) {
  if (isTidy(text))
    return text.str();
  std::string result;
  for (char c : text)
    if (!isBlank(c))
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  if (!result.empty() && result.back() == ' ')
    result.pop_back();
  return result;
}

StringRef bpmn::trimmed(StringRef text) {
  while (!text.empty() && isBlank(text.front()))
    text = text.drop_front();
  while (!text.empty() && isBlank(text.back()))
    text = text.drop_back();
  return text;
}
