//===- RunOutcome.cpp - What becomes of the verdicts of a run -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunOutcome.h"
#include "cif/IR/FactTitle.h"
#include "cif/Report/Report.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "cif/Support/ExitCodes.h"
#include "cif/Support/Json.h"
#include "cif/Tools/Input.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

static const ReportForm *findForm(StringRef name) {
  for (const ReportForm &form : reportForms())
    if (form.name == name)
      return &form;
  return nullptr;
}

bool RunOutcome::configure(const Arguments &arguments, uint64_t maxInput,
                           DiagnosticEngine &diags) {
  exitZero = arguments.has("exit-zero");
  for (const Arguments::Option &option : arguments.options) {
    if (option.name != "report")
      continue;
    auto [name, file] = StringRef(option.value).split(':');
    const ReportForm *form = findForm(name);
    // Annotations are for the log; the others are files.
    if (!form || (file.empty() && name != "github")) {
      std::vector<StringRef> names;
      for (const ReportForm &f : reportForms())
        names.push_back(f.name);
      diags.report(diag::bad_option_value)
          << "--report" << option.value
          << "FORM:FILE, where FORM is one of " + llvm::join(names, ", ");
      return false;
    }
    requests.push_back({form, file.str()});
  }
  if (arguments.has("expect") &&
      !readExpectations(arguments.value("expect"), diags))
    return false;
  return !arguments.has("baseline") ||
         readBaseline(arguments.value("baseline"), maxInput, diags);
}

static std::optional<Verdict> parseVerdict(StringRef text) {
  for (Verdict verdict :
       {Verdict::Holds, Verdict::Violated, Verdict::Inconclusive})
    if (text == verdictText(verdict))
      return verdict;
  return std::nullopt;
}

bool RunOutcome::readExpectations(StringRef text, DiagnosticEngine &diags) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    auto [property, word] =
        part.contains(':') ? part.split(':') : std::pair(StringRef(), part);
    property.consume_front("check-");
    std::optional<Verdict> verdict = parseVerdict(word.trim());
    if (!verdict) {
      diags.report(diag::bad_option_value)
          << "--expect" << text
          << "a list of [CHECK:]holds, [CHECK:]violated or "
             "[CHECK:]inconclusive";
      return false;
    }
    expectations.push_back({property.trim().str(), *verdict});
  }
  return true;
}

/// What makes two verdicts the same finding. Lines move; elements stay.
static std::string keyOf(StringRef file, StringRef property, StringRef subject,
                         StringRef parameters, StringRef element) {
  return (file + "\n" + property + "\n" + subject + "\n" + parameters + "\n" +
          element)
      .str();
}

/// Sorted by name, whatever the order was.
static std::string textOf(const llvm::json::Object &parameters) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::json::Value(llvm::json::Object(parameters));
  return text;
}

static std::string keyOf(const Fact &fact, StringRef file) {
  llvm::json::Object parameters;
  for (const auto &[name, value] : fact.parameters)
    parameters[name] = value;
  return keyOf(file, fact.property, fact.subject, textOf(parameters),
               fact.at.element);
}

/// The key of a verdict that was written as JSON, or nothing when it is not
/// violated, or no verdict at all.
static std::optional<std::string> keyOf(const llvm::json::Object &verdict) {
  if (verdict.getString("verdict") != verdictText(Verdict::Violated))
    return std::nullopt;
  const llvm::json::Object *list = verdict.getObject("parameters");
  std::string parameters = list ? textOf(*list) : std::string();
  StringRef element;
  if (const llvm::json::Object *at = verdict.getObject("at"))
    element = at->getString("id").value_or("");
  return keyOf(verdict.getString("file").value_or(""),
               verdict.getString("property").value_or(""),
               verdict.getString("subject").value_or(""), parameters, element);
}

bool RunOutcome::readBaseline(StringRef path, uint64_t maxInput,
                              DiagnosticEngine &diags) {
  const SourceBuffer *source = readSource(path, maxInput, diags);
  if (!source)
    return false;
  hasBaseline = true;
  auto bad = [&](unsigned line, llvm::Error error) {
    diags.report(Place{path.str(), line, 0, ""}, diag::bad_baseline)
        << llvm::toString(std::move(error));
    return false;
  };
  auto add = [&](const llvm::json::Value &value) {
    if (const llvm::json::Object *verdict = value.getAsObject())
      if (std::optional<std::string> key = keyOf(*verdict))
        known.insert(*key);
  };
  StringRef text = source->text();
  // A report is one object over many lines, verdicts are one on each.
  if (auto whole = parseJson(text)) {
    const llvm::json::Object *report = whole->getAsObject();
    const llvm::json::Array *verdicts =
        report ? report->getArray("verdicts") : nullptr;
    if (verdicts)
      llvm::for_each(*verdicts, add);
    else
      add(*whole);
    return true;
  } else {
    llvm::consumeError(whole.takeError());
  }
  unsigned line = 0;
  while (!text.empty()) {
    auto [first, rest] = text.split('\n');
    text = rest;
    ++line;
    if (first.trim().empty())
      continue;
    auto value = parseJson(first);
    if (!value)
      return bad(line, value.takeError());
    add(*value);
  }
  return true;
}

int RunOutcome::status(ArrayRef<Fact> facts, ArrayRef<std::string> inputs,
                       int status, std::vector<Note> &unmet,
                       DiagnosticEngine &diags) const {
  if (status == ExitError)
    return status;
  if (!expectations.empty()) {
    status = ExitHolds;
    for (const Expectation &expected : expectations) {
      bool any = false;
      for (const Fact &fact : facts) {
        if (!expected.property.empty() && fact.property != expected.property)
          continue;
        any = true;
        if (fact.verdict == expected.verdict)
          continue;
        unmet.push_back({fact.at, factTitle(fact.property, fact.subject) +
                                      ": expected '" +
                                      verdictText(expected.verdict).str() +
                                      "', but the verdict is '" +
                                      verdictText(fact.verdict).str() + "'"});
        status = ExitViolated;
      }
      if (!any) {
        diags.report(diag::nothing_to_expect)
            << (expected.property.empty() ? ""
                                          : " on '" + expected.property + "'");
        return ExitError;
      }
    }
  } else if (hasBaseline) {
    std::vector<Fact> fresh;
    for (const Fact &fact : facts)
      if (!known.count(keyOf(fact, fileOf(fact, inputs))))
        fresh.push_back(fact);
    status = exitStatus(fresh);
  }
  return exitZero ? static_cast<int>(ExitHolds) : status;
}
