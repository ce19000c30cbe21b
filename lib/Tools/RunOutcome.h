//===- RunOutcome.h - What becomes of the verdicts of a run ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The options that decide how verdicts are reported, and what fails a run:
/// --report, --expect, --baseline and --exit-zero.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_TOOLS_RUNOUTCOME_H
#define CIF_LIB_TOOLS_RUNOUTCOME_H

#include "cif/Report/RunReport.h"
#include "cif/Tools/CommandLine.h"
#include <set>

namespace cif {

/// Hands diagnostics on, and keeps a copy for the reports.
class DiagnosticTee : public DiagnosticConsumer {
public:
  explicit DiagnosticTee(DiagnosticConsumer &next) : next(next) {}
  void handle(const Diagnostic &diagnostic) override {
    kept.push_back(diagnostic);
    next.handle(diagnostic);
  }
  std::vector<Diagnostic> kept;

private:
  DiagnosticConsumer &next;
};

/// A report that was asked for.
struct ReportRequest {
  const ReportForm *form;
  std::string file; ///< empty: standard error

  /// What asks for the file, for people.
  std::string owner() const { return "--report=" + form->name.str(); }
};

class RunOutcome {
public:
  /// Reads the options and the baseline. False: reported.
  bool configure(const Arguments &arguments, uint64_t maxInput,
                 DiagnosticEngine &diags);
  ArrayRef<ReportRequest> reports() const { return requests; }
  /// Whether reports or the exit status need more than the last facts' status.
  bool needsFacts() const {
    return !requests.empty() || !expectations.empty() || hasBaseline;
  }

  /// The exit status that \p facts ask for: what the baseline knows does not
  /// count, what --expect names counts when it is not so; \p unmet says which.
  int status(ArrayRef<Fact> facts, ArrayRef<std::string> inputs, int status,
             std::vector<Note> &unmet, DiagnosticEngine &diags) const;

private:
  struct Expectation {
    std::string property; ///< empty: every verdict
    Verdict verdict;
  };
  bool readExpectations(StringRef text, DiagnosticEngine &diags);
  bool readBaseline(StringRef path, uint64_t maxInput, DiagnosticEngine &diags);

  std::vector<ReportRequest> requests;
  std::vector<Expectation> expectations;
  std::set<std::string> known; ///< violated verdicts of the baseline
  bool hasBaseline = false, exitZero = false;
};

} // namespace cif

#endif
