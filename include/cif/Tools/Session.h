//===- Session.h - What every run of a tool has ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One run of a tool: its arguments, sources, diagnostics, limits, and the
/// options that all tools share (--help, --version, --color, ...). A driver is
///
///   Session session(tool, registry);
///   if (auto status = session.start(argc, argv))
///     return *status;
///   ... read, run, write ...
///   return session.finish(status);
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TOOLS_SESSION_H
#define CIF_TOOLS_SESSION_H

#include "cif/Support/Limits.h"
#include "cif/Tools/CommandLine.h"
#include "cif/Tools/Input.h"
#include "cif/Tools/RunFiles.h"

namespace cif {

class DiagnosticTee;
class GroupedWarnings;
class RunOutcome;
struct PageModels;
struct ReportFix;

class Session {
public:
  /// Plugins add to \p registry, which must stay; nothing is read yet.
  Session(const ToolInfo &tool, Registry &registry);
  ~Session();

  /// Parses the command line, loads plugins, and does what needs no input
  /// (--help and the like). A status: the run is over.
  std::optional<int> start(int argc, char **argv);
  /// The exit status, with verified diagnostics where these were asked for.
  /// Whatever \p status says, an error that was reported is one.
  int finish(int status);

  /// Prints the warnings that wait for others of their kind.
  void flushWarnings();

  /// The inputs; standard input when none is given, unless passes read their
  /// own.
  ArrayRef<std::string> inputs() const { return arguments.inputs; }
  InputOptions inputOptions() const;
  /// Whether --\p option, which replaces the usual run, came without files and
  /// with none but the options \p others; else an error was reported.
  bool standsAlone(StringRef option, ArrayRef<StringRef> others);
  /// Prints facts for people unless --quiet, and writes --verdicts. False: the
  /// verdicts could not be written.
  bool report(ArrayRef<Fact> facts) { return report(facts, facts); }
  /// The same with fewer facts \p shown to people.
  bool report(ArrayRef<Fact> facts, ArrayRef<Fact> shown);

  /// Whether --check is to answer on a screen, and -v was not asked for.
  bool isFirstPage() const;
  /// Prints facts for people unless --quiet.
  void show(ArrayRef<Fact> facts);

  const ToolInfo &tool;
  Registry &registry;
  Arguments arguments;
  SourceManager sources;
  DiagnosticPrinter printer;
  std::unique_ptr<GroupedWarnings> grouped;
  DiagnosticEngine diags;
  Limits limits;
  uint64_t maxInput = defaultMaxInput; ///< bytes of each input
  RunFiles files;
  bool colors = false;
  std::unique_ptr<PageModels> page; ///< what --report=html shows
  bool wantsFixes = false;          ///< some report tells how to mend files
  std::vector<ReportFix> fixes;

private:
  std::optional<int> begin(ArrayRef<const char *> words);
  bool loadPlugins(ArrayRef<const char *> words);
  std::optional<int> answer();
  bool readDisplay();
  bool readInputs();
  void keepCommand(ArrayRef<const char *> words);
  bool readLimits();
  bool hasInputBesideValues();
  bool claimOutputs();
  int flushed(int status);
  bool explain(StringRef name);
  bool writeReports(int status);
  std::string depsFile() const;
  bool writeDeps();

  DiagnosticCollector collector; // --verify-diagnostics
  std::unique_ptr<RunOutcome> outcome;
  std::unique_ptr<DiagnosticTee> tee;  // where a report is asked for
  std::vector<Fact> found;             // where outcome needs them
  std::string command;                 // as it was typed
  std::vector<std::string> reproduced; // the words of --run-reproducer
  std::chrono::steady_clock::time_point started =
      std::chrono::steady_clock::now();
  std::unique_ptr<ProgressSink> progress;
};

} // namespace cif

#endif
