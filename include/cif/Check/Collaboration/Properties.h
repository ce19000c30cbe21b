//===- Properties.h - Properties of collaborations --------------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The properties of processes and collaborations that have names, under one
/// semantics and one network: all of them from one exploration.
/// docs/soundness.md defines each.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_COLLABORATION_PROPERTIES_H
#define CIF_CHECK_COLLABORATION_PROPERTIES_H

#include "cif/Explore/Engine.h"
#include "cif/Explore/Explorer.h"
#include "cif/IR/Fact.h"
#include "cif/Semantics/CollaborationSystem.h"
#include <array>
#include <functional>

namespace cif {

enum class CollaborationProperty : uint8_t {
  Safe,
  Bounded,
  DeadlockFree,
  LivelockFree,
  OptionToComplete,
  ProperCompletion,
  NoDeadActivity,
  NoUndeliveredMessage,
  Sound,
  MessageRelaxedSound,
};
constexpr unsigned numCollaborationProperties = 10;

/// "safe", "option-to-complete", ...: the check's name without `check-`.
StringRef collaborationPropertyText(CollaborationProperty property);

struct CollaborationOptions {
  SemanticsOptions semantics;
  /// Sound and message-relaxed sound look at fair runs [fbpmn]; else at all.
  bool fair = true;
  /// Leave out orders of independent steps where that keeps the verdicts.
  bool reduce = true;
  /// Who searches, where it is not ours: only for properties that engineAsks.
  std::optional<EngineOptions> engine;
  Limits limits;
};

/// Whether \p property reduces to reachability, so that an engine can decide
/// it.
bool engineAsks(CollaborationProperty property);

/// What was found about one property.
struct CollaborationFinding {
  Verdict verdict = Verdict::Inconclusive;
  bool exact = false;
  std::string method, message;
  Place at;
  std::vector<Note> notes;
  std::optional<Witness> witness;
  /// The witness as steps of the exploration, where it is a run.
  std::vector<RunStep> run;
  size_t loopStart = SIZE_MAX; ///< in run; SIZE_MAX: it does not repeat
  /// States and transitions when it was decided: what other properties ask for
  /// may explore more.
  std::optional<std::pair<uint64_t, uint64_t>> counts;
  bool failed = false; ///< an engine could not be asked; that was reported
};

/// A collaboration under one network, and what is known about it. Properties
/// are decided when they are first asked for.
class CollaborationAnalysis {
public:
  /// \p wider: gives the same under `bag`, which allows whatever this network
  /// does, or null; asked for only where it may help. \p module must be
  /// normalized, outlive the analysis and stay as it is. Null: errors were
  /// reported.
  static std::unique_ptr<CollaborationAnalysis>
  make(const Module &module, const CollaborationOptions &options,
       std::function<CollaborationAnalysis *()> wider, DiagnosticEngine &diags);
  ~CollaborationAnalysis();

  /// Decides \p property, once. Inconclusive at a limit, or where the states
  /// are infinitely many and no theory decides; the message says which.
  const CollaborationFinding &check(CollaborationProperty property);
  const CollaborationSystem &system() const;
  /// What was explored. Where unbounded growth was proved: a part of it.
  const Exploration &exploration() const;
  NetworkKind network() const { return system().networkKind(); }
  /// The processes together, for people.
  std::string subject() const;
  Place place() const;
  /// As cif::tellAbstractions, of what this explores.
  void tellAbstractions(DiagnosticEngine &diags) const;

private:
  friend std::vector<Note> explainDifference(CollaborationAnalysis &,
                                             CollaborationAnalysis &,
                                             CollaborationProperty);
  struct State;
  explicit CollaborationAnalysis(std::unique_ptr<State> with);
  std::unique_ptr<State> state;
};

/// Why \p property fails under the network of \p failing and holds under that
/// of \p holding: the message that overtakes another, and where. Empty: no
/// explanation was found.
std::vector<Note> explainDifference(CollaborationAnalysis &failing,
                                    CollaborationAnalysis &holding,
                                    CollaborationProperty property);

} // namespace cif

#endif
