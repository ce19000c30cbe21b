//===- JUnit.cpp - Verdicts as test cases ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// JUnit's XML, as Jenkins and GitLab read it. A file is a test suite, a
/// verdict a test case: a violated one is a failure, an inconclusive one an
/// error, and so is a diagnostic that keeps a file from being read.
///
//===----------------------------------------------------------------------===//

#include "cif/IR/FactTitle.h"
#include "cif/Report/RunReport.h"
#include "cif/Support/Visible.h"
#include "llvm/ADT/StringMap.h"

using namespace cif;

/// \p text for an attribute or an element, on lines as it is and otherwise
/// visible: XML 1.0 has no way to write most control characters.
static std::string xml(StringRef text) {
  std::string out;
  size_t length = 1;
  for (; !text.empty(); text = text.drop_front(length)) {
    Character first = firstCharacter(text);
    length = first.length;
    switch (first.codePoint) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\n':
      out += "&#10;";
      break;
    case '\t':
      out += "&#9;";
      break;
    default:
      out += visible(text.take_front(length));
    }
  }
  return out;
}

namespace {
struct Suite {
  std::string file;
  std::vector<const Fact *> facts;
  std::vector<const Diagnostic *> errors;
};
} // namespace

static void writeFact(raw_ostream &os, const Fact &fact, StringRef file) {
  std::string name = factTitle(fact.property, fact.subject);
  for (const auto &[key, value] : fact.parameters)
    name += ", " + key + "=" + value;
  os << "  <testcase classname=\"" << xml(file) << "\" name=\"" << xml(name)
     << "\"";
  if (fact.verdict == Verdict::Holds) {
    os << "/>\n";
    return;
  }
  StringRef element = fact.verdict == Verdict::Violated ? "failure" : "error";
  os << ">\n   <" << element << " type=\"" << verdictText(fact.verdict)
     << "\" message=\"" << xml(fact.message) << "\">";
  if (fact.at.known())
    os << xml(fact.at.text() + "\n");
  if (fact.witness)
    for (const WitnessStep &step : fact.witness->steps)
      os << xml(step.label + "  (" + step.at.text() + ")\n");
  for (const Note &note : fact.notes)
    os << xml(note.text + "\n");
  os << "</" << element << ">\n  </testcase>\n";
}

void cif::writeJUnit(raw_ostream &os, const RunReport &run) {
  std::vector<Suite> suites; // in the order of their files
  llvm::StringMap<size_t> numbers;
  auto suiteOf = [&](StringRef file) -> Suite & {
    auto [at, isNew] = numbers.try_emplace(file, suites.size());
    if (isNew)
      suites.push_back({file.str(), {}, {}});
    return suites[at->second];
  };
  for (const std::string &input : run.inputs)
    suiteOf(input);
  for (const Diagnostic &d : run.diagnostics)
    if (d.severity == Severity::Error)
      suiteOf(d.place.known() ? d.place.file : run.tool).errors.push_back(&d);
  for (const Fact &fact : run.facts) {
    StringRef file = fileOf(fact, run.inputs);
    suiteOf(file.empty() ? StringRef(run.tool) : file).facts.push_back(&fact);
  }
  os << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\""
     << xml(run.tool) << "\">\n";
  for (const Suite &suite : suites) {
    StringRef file = suite.file;
    size_t failures = 0, errors = suite.errors.size();
    for (const Fact *fact : suite.facts) {
      failures += fact->verdict == Verdict::Violated;
      errors += fact->verdict == Verdict::Inconclusive;
    }
    os << " <testsuite name=\"" << xml(file) << "\" tests=\""
       << suite.facts.size() + suite.errors.size() << "\" failures=\""
       << failures << "\" errors=\"" << errors << "\">\n";
    for (const Diagnostic *d : suite.errors)
      os << "  <testcase classname=\"" << xml(file) << "\" name=\"read\">\n"
         << "   <error type=\"" << diagInfo(d->kind).code << "\" message=\""
         << xml(d->text) << "\">" << xml(d->place.text())
         << "</error>\n  </testcase>\n";
    for (const Fact *fact : suite.facts)
      writeFact(os, *fact, file);
    os << " </testsuite>\n";
  }
  os << "</testsuites>\n";
}
