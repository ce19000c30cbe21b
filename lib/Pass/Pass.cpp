//===- Pass.cpp - What a pass is given ------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Pass/Pass.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

const PassOptionInfo *PassInfo::findOption(StringRef option) const {
  for (const PassOptionInfo &o : options)
    if (option == o.name)
      return &o;
  return nullptr;
}

StringRef PassContext::option(StringRef name) const {
  auto given = options.find(name);
  if (given != options.end())
    return given->second;
  const PassOptionInfo *declared = info ? info->findOption(name) : nullptr;
  assert((!info || declared) && "a pass asks for an option it never declared");
  return declared ? StringRef(declared->defaultValue) : StringRef();
}

std::optional<uint64_t> PassContext::number(StringRef name) const {
  StringRef text = option(name);
  if (text == "inf")
    return UINT64_MAX;
  uint64_t value;
  if (text.getAsInteger(10, value)) {
    diags.report(diag::bad_option_value)
        << name << text << "a number, or 'inf'";
    return std::nullopt;
  }
  return value;
}

SmallVector<StringRef, 4> PassContext::list(StringRef name) const {
  SmallVector<StringRef, 4> words;
  option(name).split(words, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef &word : words)
    word = word.trim();
  return words;
}

std::optional<unsigned> PassContext::oneOf(StringRef name,
                                           ArrayRef<StringRef> words) const {
  StringRef text = option(name);
  for (size_t i = 0; i < words.size(); ++i)
    if (text == words[i])
      return static_cast<unsigned>(i);
  diags.report(diag::bad_option_value)
      << name << text << "one of " + llvm::join(words, ", ");
  return std::nullopt;
}

/// What is left of a violated fact that nothing shows; \p limit is where the
/// replay had to stop, if it had to.
static void withdraw(Fact &fact, const std::string &limit = {}) {
  fact.verdict = Verdict::Inconclusive;
  fact.exact = false;
  fact.witness.reset();
  fact.notes.clear();
  fact.message = limit.empty()
                     ? "no verdict: the run found does not replay, which is a "
                       "defect of this tool"
                     : noVerdictText(limit);
}

void PassContext::add(const Module &module, Fact fact) {
  // What was explored since the last report is what this fact rests on, with
  // what was explored for the same subject before; where there is nothing (not
  // even the empty text), it rests on what the last one does.
  std::vector<std::string> since = diags.takeAbstractions();
  if (!since.empty() && (facts.empty() || facts.back().subject != fact.subject))
    abstractions.clear();
  for (std::string &text : since) {
    if (text.empty())
      continue;
    if (!llvm::is_contained(abstractions, text))
      abstractions.push_back(text);
    if (!llvm::is_contained(allAbstractions, text))
      allAbstractions.push_back(std::move(text));
  }
  fact.abstractions = module.abstractions;
  for (const std::string &text : abstractions)
    if (!llvm::is_contained(fact.abstractions, text))
      fact.abstractions.push_back(text);
  // A check leaves the module as it is, which is looked at once: it may be
  // large, and have many subjects.
  const bool sameAsBefore =
      info && info->group == PassGroup::Check && !facts.empty();
  fact.digest = sameAsBefore ? facts.back().digest : module.digest();
  assert(fact.digest == module.digest() && "a check changed the module");
  facts.push_back(std::move(fact));
}

void PassContext::report(const Module &module, Fact fact,
                         function_ref<bool()> replays) {
  if (fact.verdict == Verdict::Violated && !(fact.witness && replays()))
    withdraw(fact, Budget(limits).look(/*states=*/0, /*bytes=*/0));
  add(module, std::move(fact));
}

void PassContext::report(const Module &module, Fact fact) {
  // Elements that break a rule of form are there to be looked at. All else is
  // a claim about runs.
  if (fact.verdict == Verdict::Violated &&
      !(fact.witness && fact.witness->kind == "elements" &&
        !fact.witness->steps.empty()))
    withdraw(fact);
  add(module, std::move(fact));
}

PassResult PassContext::stop(Module &module, const Twine &subject,
                             const Place &at, const Twine &limit) {
  Fact fact{.property = info->name,
            .subject = subject.str(),
            .method = "stopped at a limit",
            .at = at};
  fact.message = "--" + fact.property +
                 ": nothing was written: " + stoppedText(limit.str());
  report(module, std::move(fact));
  return PassResult::Stopped;
}
