//===- Fact.cpp - What checks found ---------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Fact.h"
#include "llvm/ADT/StringMap.h"

using namespace cif;

StringRef cif::verdictText(Verdict verdict) {
  switch (verdict) {
  case Verdict::Holds:
    return "holds";
  case Verdict::Violated:
    return "violated";
  case Verdict::Inconclusive:
    return "inconclusive";
  }
  llvm_unreachable("unknown verdict");
}

/// The question that a fact answers, as one text. Lengths keep parts apart.
static std::string questionOf(const Fact &fact) {
  std::string text;
  auto add = [&](StringRef part) {
    text += std::to_string(part.size()) + ":";
    text += part;
  };
  add(fact.property);
  add(fact.subject);
  for (const auto &[name, value] : fact.parameters) {
    add(name);
    add(value);
  }
  return text;
}

void cif::mergeFacts(std::vector<Fact> &facts, ArrayRef<Fact> found,
                     bool ofOneRun) {
  if (found.empty())
    return;
  auto bothStay = [&](const Fact &old, const Fact &fact) {
    return ofOneRun && old.digest == fact.digest && old.verdict != fact.verdict;
  };
  struct Answers {
    std::vector<size_t> old; ///< where answers to the question stand
    size_t replaced = 0;
  };
  llvm::StringMap<Answers> questions;
  for (const Fact &fact : found)
    questions.try_emplace(questionOf(fact));
  for (size_t i = 0; i < facts.size(); ++i)
    if (auto at = questions.find(questionOf(facts[i])); at != questions.end())
      at->second.old.push_back(i);
  for (const Fact &fact : found) {
    Answers &answers = questions.find(questionOf(fact))->second;
    if (answers.replaced == answers.old.size()) {
      facts.push_back(fact);
      continue;
    }
    Fact &old = facts[answers.old[answers.replaced++]];
    if (bothStay(old, fact))
      facts.push_back(fact);
    else
      old = fact;
  }
  // Where there were more answers than there are now, the rest are stale.
  std::vector<size_t> stale;
  for (const auto &entry : questions)
    for (size_t i = entry.second.replaced; i < entry.second.old.size(); ++i)
      if (!ofOneRun)
        stale.push_back(entry.second.old[i]);
  llvm::sort(stale);
  size_t to = 0, next = 0;
  for (size_t i = 0; i < facts.size() && !stale.empty(); ++i) {
    if (next < stale.size() && stale[next] == i) {
      ++next;
      continue;
    }
    if (to != i)
      facts[to] = std::move(facts[i]);
    ++to;
  }
  if (!stale.empty())
    facts.resize(to);
}
