//===- GroupedWarnings.cpp - Warnings of one kind in one line -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupedWarnings.h"
#include "cif/Support/Diagnostics/Bpmn.h"
#include "cif/Support/Diagnostics/Data.h"
#include "cif/Support/Diagnostics/Semantics.h"
#include "cif/Support/Diagnostics/Structure.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

/// What a warning says, whatever element it says it of: without `task 'Pay': `
/// at its start, and without what stands in quotes.
static std::string kindOf(const Diagnostic &d) {
  StringRef text = d.text;
  StringRef word = text.take_while([](char c) { return llvm::isAlnum(c); });
  StringRef rest = text.drop_front(word.size());
  if (size_t colon = rest.find(": "); colon != StringRef::npos &&
                                      !word.empty() &&
                                      (colon == 0 || rest.starts_with(" '")))
    text = rest.substr(colon + 2);
  std::string plain;
  bool inQuotes = false;
  for (char c : text) {
    if (c == '\'')
      inQuotes = !inQuotes;
    else if (!inQuotes)
      plain += c;
  }
  // `end event is unreachable`: whatever it is.
  if (d.kind == diag::structure_flaw)
    plain.erase(0, StringRef(plain).find(" is ") + 1);
  return std::to_string(unsigned(d.kind)) + d.place.file + "\n" + plain;
}

/// What tells one warning of a group from the others: where it is, or the
/// condition that is left open, whose text a reader wants to see.
static std::string elementOf(const Diagnostic &d) {
  if (d.kind == diag::condition_open)
    return d.text.substr(0, d.text.rfind("' is left open") + 1)
        .substr(StringRef("the condition ").size());
  return d.place.element.empty() ? "line " + std::to_string(d.place.line)
                                 : d.place.element;
}

void GroupedWarnings::handle(const Diagnostic &d) {
  if (d.severity == Severity::Error && firstError.empty())
    firstError = d.text;
  // What is about the whole file says it once anyway.
  if (d.severity != Severity::Warning || listAll || !d.place.line) {
    flush();
    to.handle(d);
    return;
  }
  auto [at, isNew] = groupOf.try_emplace(kindOf(d), groups.size());
  if (isNew) {
    groups.push_back({d, 1, {elementOf(d)}});
    return;
  }
  Group &group = groups[at->second];
  ++group.count;
  const bool isCondition = d.kind == diag::condition_open;
  std::string element = elementOf(d);
  if (group.elements.size() < (isCondition ? mostConditions : 3) &&
      !(isCondition && llvm::is_contained(group.elements, element)))
    group.elements.push_back(std::move(element));
}

void GroupedWarnings::joinAbstractions(std::vector<Group> &groups) {
  constexpr int few = 3;
  auto isRead = [](const Group &group) {
    return group.first.kind == diag::bpmn_abstracted;
  };
  // The summary says the same in the same words.
  auto isExplored = [](const Group &group) {
    return group.first.kind == diag::semantics_abstracts;
  };
  llvm::erase_if(groups, isExplored);
  auto kinds = llvm::count_if(groups, isRead);
  if (kinds <= few)
    return;
  size_t elements = 0;
  for (const Group &group : groups)
    if (isRead(group))
      elements += group.count;
  Group joined = *llvm::find_if(groups, isRead);
  joined.count = 1;
  joined.first.text =
      std::to_string(elements) + " elements are abstracted in " +
      std::to_string(kinds) +
      " ways, beginning here; the summary names the ways, and -v lists the "
      "elements";
  llvm::erase_if(groups, isRead);
  groups.insert(groups.begin(), std::move(joined));
}

std::string GroupedWarnings::howOften(const Group &group) {
  std::string text = " (" + std::to_string(group.count) + " times";
  if (group.first.kind != diag::condition_open)
    return text + ": " + llvm::join(group.elements, ", ") +
           (group.count > group.elements.size() ? ", ...)" : ")");
  ArrayRef<std::string> others = ArrayRef(group.elements).drop_front();
  return text + (others.empty() ? "" : "; also " + llvm::join(others, ", ")) +
         (group.elements.size() == mostConditions ? ", ...)" : ")");
}

void GroupedWarnings::flush() {
  std::vector<Group> waiting = std::move(groups);
  groups.clear();
  groupOf.clear();
  if (hasSummaryBelow)
    joinAbstractions(waiting);
  for (Group &group : waiting) {
    if (group.count > 1)
      group.first.text += howOften(group);
    to.handle(group.first);
  }
}
