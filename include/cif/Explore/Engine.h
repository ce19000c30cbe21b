//===- Engine.h - Engines of other tools ----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lets an engine of LTSmin answer the questions of checks that reduce to
/// reachability: it runs as a child process, with cif-pins and the module in a
/// temporary file. What it finds is replayed in our own system, step by step;
/// docs/ltsmin.md is the page for users.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_ENGINE_H
#define CIF_EXPLORE_ENGINE_H

#include "cif/Explore/Walks.h"
#include "cif/Semantics/Goals.h"
#include "cif/Support/Outcome.h"
#include "cif/Support/TemporaryFolder.h"

namespace cif {

enum class EngineKind : uint8_t { LtsminMc, LtsminSym, LtsminDist };
/// "ltsmin-mc", ...: as users say it, by kind.
ArrayRef<StringRef> engineWords();

struct EngineOptions {
  EngineKind kind = EngineKind::LtsminMc;
  std::vector<std::string> arguments; ///< for the engine, behind our own
  std::string hosts;                  ///< for mpirun; empty: this machine
};

/// The same for one that is asked for, to tell it from others.
std::string engineText(const EngineOptions &options);

/// Reads the values of `--engine`, `--engine-args` and `--hosts`. Nothing: an
/// error was reported.
std::optional<EngineOptions> readEngine(StringRef engine, StringRef arguments,
                                        StringRef hosts,
                                        DiagnosticEngine &diags);

/// What an engine says.
struct EngineAnswer {
  bool isReached = false;
  /// Where it is: a run of our own system, whose last state or step is the
  /// goal.
  Walk run;
  /// The goals of steps that were found, where all were looked for.
  std::vector<uint32_t> found;
  uint64_t states = 0, transitions = 0; ///< as it counted; 0: it did not say
};

/// An engine on one system. What cannot be done is an error that was reported.
class Engine {
public:
  /// \p system is made of \p module with \p semantics; all must outlive this.
  Engine(const EngineOptions &options, const Module &module,
         const SemanticsOptions &semantics, const System &system,
         const Limits &limits, DiagnosticEngine &diags);

  /// Whether the engine and what it needs are installed, and the states are
  /// known to be finitely many. Else an error was reported.
  bool isReady();

  /// Counts all states.
  Outcome<EngineAnswer> count();
  /// The same, and writes the LTS as AUT to a file that goes with this object;
  /// only ltsmin-dist can.
  Outcome<EngineAnswer> write();
  std::string writtenFile() const { return folder.path() + "/out.aut"; }
  /// Looks for a state without steps that is none to stop in (Goals.h).
  Outcome<EngineAnswer> findDeadlock();
  /// Looks for a state or step that reaches \p goal, with this number.
  Outcome<EngineAnswer> find(Goal goal, uint32_t number = 0);
  /// Looks for all numbers of a goal of steps at once; only ltsmin-sym can.
  Outcome<EngineAnswer> findAll(Goal goal);

  /// "LTSmin (symbolic)": the method of facts.
  std::string method() const;
  /// Whether the user adds arguments, of which some keep an engine from part of
  /// the states. A run that it finds is one; that it finds none is then not
  /// exact.
  bool isTold() const { return !options.arguments.empty(); }
  bool canFindAll() const { return options.kind == EngineKind::LtsminSym; }

private:
  struct Question;
  Outcome<EngineAnswer> ask(const Question &question);
  std::vector<std::string> commandFor(const Question &question) const;
  std::vector<std::string> modelOptions() const;
  Outcome<EngineAnswer> read(const Question &question,
                             const struct ChildEnd &end, StringRef said);
  using States = std::vector<std::vector<uint32_t>>;
  Outcome<States> readTrace(const std::string &file);
  bool readRows(StringRef table, States &states);
  Outcome<Walk> follow(const States &states, const Question &question);
  bool prepare();
  Outcome<struct ChildEnd> runTool(ArrayRef<std::string> words,
                                   const std::string &log);
  bool fail(const Twine &text);

  const EngineOptions &options;
  const Module &module;
  const SemanticsOptions &semantics;
  const System &system;
  const Limits &limits;
  DiagnosticEngine &diags;
  TemporaryFolder folder;
  std::string plugin; ///< cif-pins.so
};

} // namespace cif

#endif
