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
/// annotations of GitHub's workflows; and for people as a page of HTML, or its
/// runs as sequence diagrams.
/// Diagnostics and verdicts both go into each of them, so that a file that
/// cannot be read shows up like a check that fails.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_REPORT_RUNREPORT_H
#define CIF_REPORT_RUNREPORT_H

#include "cif/IR/Animation.h"

namespace cif {

/// The version of the JSON forms of verdicts and reports.
constexpr unsigned verdictSchemaVersion = 1;

/// Lines of a file from `line` to before `endLine`, and what stands there
/// instead.
struct ReportReplacement {
  uint32_t line = 0, endLine = 0;
  std::string text;
};

/// A change of a file that mends what was found.
struct ReportFix {
  std::string file, description;
  std::vector<ReportReplacement> replacements;
};

/// A picture, for the page.
struct ReportDrawing {
  std::string title;
  std::string svg;  ///< its elements are named as IR/Animation.h says
  std::string bpmn; ///< the same as BPMN with a diagram, where there is one
  bool isChoreography = false;
};

/// What was checked.
struct ReportModel {
  std::string file;
  std::vector<std::string> participants;
  std::vector<ReportDrawing> drawings;
  std::vector<ReportDrawing> graphs;  ///< its states: `state:graph N:STATE`
  std::vector<ReportDrawing> after;   ///< what a pass made of it, if one did
  bool isProposal = false;            ///< `after` is a repair that was found
  std::vector<std::string> diff;      ///< of the repair
  std::vector<std::string> changed;   ///< ids of elements that are others there
  size_t firstFact = 0, numFacts = 0; ///< its verdicts
};

/// The run of a witness, which verdicts may share.
struct ReportRun {
  std::vector<size_t> facts;
  size_t model = 0;
  Animation animation;
  std::optional<size_t> graph; ///< which one of the model's
};

struct RunReport {
  std::string tool, version;
  std::vector<std::string> inputs;
  std::vector<Fact> facts;
  std::vector<Diagnostic> diagnostics;
  int status = 0;               ///< the exit status of the run
  double seconds = 0;           ///< what it took
  std::vector<ReportFix> fixes; ///< that repairs of this run made
  /// \name For the page alone
  /// @{
  std::string command; ///< as it was typed
  std::vector<ReportModel> models;
  std::vector<ReportRun> runs;
  /// @}
};

/// The file that a verdict is about: where its message points, else the only
/// input; empty when there are several.
StringRef fileOf(const Fact &fact, ArrayRef<std::string> inputs);

/// The run as one JSON object (schema/report.schema.json), as SARIF 2.1.0, and
/// as JUnit's XML: a suite for each file, a case for each verdict. They need
/// the facts and diagnostics of \p run, not its drawings.
void writeJsonReport(raw_ostream &os, const RunReport &run);
void writeSarif(raw_ostream &os, const RunReport &run);
void writeJUnit(raw_ostream &os, const RunReport &run);
/// Whether pages have viewers for BPMN; then drawings may come as that, too.
bool hasViewers();
/// A page that needs nothing else: no network, no second file.
void writeHtml(raw_ostream &os, const RunReport &run);
/// One annotation for each place that is wrong, however many checks say so.
void writeGithubAnnotations(raw_ostream &os, const RunReport &run);

/// The runs of violated checks, each of them once, as one sequence diagram.
void writeMermaidRuns(raw_ostream &os, const RunReport &run);
void writePlantUmlRuns(raw_ostream &os, const RunReport &run);

struct ReportForm {
  StringRef name; ///< as in --report=NAME:FILE
  void (*write)(raw_ostream &os, const RunReport &run);
};
/// The forms above, by name.
ArrayRef<ReportForm> reportForms();

} // namespace cif

#endif
