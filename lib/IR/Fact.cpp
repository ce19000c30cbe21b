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

StringRef Fact::parameter(StringRef name) const {
  for (const auto &[key, value] : parameters)
    if (key == name)
      return value;
  return {};
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

/// What a fact is about, without the problem that it is about there.
static StringRef wholeSubject(const Fact &fact) {
  return StringRef(fact.subject).rsplit(": ").first;
}

/// Whether \p stopped has no verdict on what \p fact answers: a check that
/// stops early does not know yet which problems it would have told apart, and
/// has fewer details.
static bool leavesOpen(const Fact &stopped, const Fact &fact) {
  return stopped.verdict == Verdict::Inconclusive &&
         stopped.property == fact.property &&
         (stopped.subject == fact.subject ||
          stopped.subject == wholeSubject(fact)) &&
         llvm::all_of(stopped.parameters, [&](const auto &parameter) {
           return llvm::is_contained(fact.parameters, parameter);
         });
}

/// Drops what \p found answers now, or leaves open, in other words.
static void dropAnswered(std::vector<Fact> &facts, ArrayRef<Fact> found) {
  llvm::StringMap<std::vector<const Fact *>> about;
  for (const Fact &fact : found) {
    about[fact.subject].push_back(&fact);
    if (wholeSubject(fact) != fact.subject)
      about[wholeSubject(fact)].push_back(&fact);
  }
  llvm::erase_if(facts, [&](const Fact &old) {
    auto isAnswered = [&](StringRef subject) {
      auto at = about.find(subject);
      return at != about.end() && llvm::any_of(at->second, [&](const Fact *f) {
               return (leavesOpen(old, *f) || leavesOpen(*f, old)) &&
                      questionOf(old) != questionOf(*f);
             });
    };
    return isAnswered(old.subject) || isAnswered(wholeSubject(old));
  });
}

void cif::mergeFacts(std::vector<Fact> &facts, ArrayRef<Fact> found,
                     bool ofOneRun) {
  if (facts.empty()) { // nothing is replaced
    facts.assign(found.begin(), found.end());
    return;
  }
  if (found.empty())
    return;
  if (!ofOneRun)
    dropAnswered(facts, found);
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
