//===- Github.cpp - Annotations of GitHub's workflows ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Workflow commands, `::error file=F,line=L,col=C,title=T::text`, which GitHub
/// shows at their line. One flaw breaks several checks; it is annotated once,
/// by the first that names its place.
///
//===----------------------------------------------------------------------===//

#include "cif/Report/Report.h"
#include "cif/Report/RunReport.h"
#include "cif/Support/Visible.h"
#include "llvm/ADT/StringExtras.h"
#include <set>
#include <tuple>

using namespace cif;

/// The escapes of workflow commands; a value within the command's head needs
/// two more than its text.
static std::string escaped(StringRef text, bool inHead) {
  std::string out;
  for (char c : visible(text))
    if (c == '%' || c == '\r' || c == '\n' ||
        (inHead && (c == ':' || c == ',')))
      out += "%" + llvm::utohexstr(static_cast<unsigned char>(c), false, 2);
    else
      out += c;
  return out;
}

namespace {
class Annotator {
public:
  explicit Annotator(raw_ostream &os) : os(os) {}

  void annotate(StringRef level, const Place &place, StringRef title,
                StringRef text) {
    if (!seen.insert({place.file, place.line, place.element}).second)
      return;
    os << "::" << level;
    const char *separator = " ";
    auto add = [&](StringRef key, const std::string &value) {
      os << separator << key << '=' << escaped(value, true);
      separator = ",";
    };
    if (place.known())
      add("file", place.file);
    if (place.line)
      add("line", std::to_string(place.line));
    if (place.line && place.column)
      add("col", std::to_string(place.column));
    add("title", title.str());
    os << "::" << escaped(text, false);
    if (!place.element.empty())
      os << " (" << escaped(place.element, false) << ')';
    os << '\n';
  }

private:
  raw_ostream &os;
  std::set<std::tuple<std::string, uint32_t, std::string>> seen;
};
} // namespace

void cif::writeGithubAnnotations(raw_ostream &os, const RunReport &run) {
  Annotator annotator(os);
  for (const Diagnostic &d : run.diagnostics)
    annotator.annotate(d.severity == Severity::Error     ? "error"
                       : d.severity == Severity::Warning ? "warning"
                                                         : "notice",
                       d.place, diagInfo(d.kind).code, d.text);
  for (Verdict verdict : {Verdict::Violated, Verdict::Inconclusive})
    for (const Fact &fact : run.facts) {
      if (fact.verdict != verdict)
        continue;
      Place place = fact.at;
      if (!place.known())
        place.file = fileOf(fact, run.inputs).str();
      annotator.annotate(verdict == Verdict::Violated ? "error" : "warning",
                         place, ruleOf(fact), fact.message);
    }
}

ArrayRef<ReportForm> cif::reportForms() {
  static const ReportForm forms[] = {{"github", writeGithubAnnotations},
                                     {"html", writeHtml},
                                     {"json", writeJsonReport},
                                     {"junit", writeJUnit},
                                     {"mermaid", writeMermaidRuns},
                                     {"plantuml", writePlantUmlRuns},
                                     {"sarif", writeSarif}};
  return forms;
}
