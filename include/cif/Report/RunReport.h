//===- RunReport.h - A run of a tool, for other programs ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a run read, said and found, in the forms that continuous integration
/// takes: JSON (schema/report.schema.json), SARIF 2.1.0, JUnit's XML and the
/// annotations of GitHub's workflows. Diagnostics and verdicts both go into
/// each of them, so that a file that cannot be read shows up like a check that
/// fails.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_REPORT_RUNREPORT_H
#define CIF_REPORT_RUNREPORT_H

#include "cif/IR/Fact.h"

namespace cif {

/// The version of the JSON forms of verdicts and reports.
constexpr unsigned verdictSchemaVersion = 1;

struct RunReport {
  std::string tool, version;
  std::vector<std::string> inputs;
  std::vector<Fact> facts;
  std::vector<Diagnostic> diagnostics;
  int status = 0;     ///< the exit status of the run
  double seconds = 0; ///< what it took
};

/// The file that a verdict is about: where its message points, else the only
/// input; empty when there are several.
StringRef fileOf(const Fact &fact, ArrayRef<std::string> inputs);

void writeJsonReport(raw_ostream &os, const RunReport &run);
void writeSarif(raw_ostream &os, const RunReport &run);
void writeJUnit(raw_ostream &os, const RunReport &run);
/// One annotation for each place that is wrong, however many checks say so.
void writeGithubAnnotations(raw_ostream &os, const RunReport &run);

struct ReportForm {
  StringRef name; ///< as in --report=NAME:FILE
  void (*write)(raw_ostream &os, const RunReport &run);
};
/// The forms above, by name.
ArrayRef<ReportForm> reportForms();

} // namespace cif

#endif
