//===- ConformanceRuns.h - Runs of the two models -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From witnesses over labels to runs of the models, and from these to what a
/// person should look at. A run of the collaboration is replayed on its system
/// step by step when it is made: a run that is returned is one of the model.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_CONFORMANCE_CONFORMANCERUNS_H
#define CIF_LIB_CHECK_CONFORMANCE_CONFORMANCERUNS_H

#include "cif/Check/Conformance/Conformance.h"

namespace cif {

struct ModelStep {
  StateIndex from, to;
  Label shown;   ///< over the common labels; tau: silent
  Label own;     ///< of the collaboration: what is sent or received
  Origin origin; ///< in the model's module; none: a tick or a divergence
  /// A decision of the collaboration: the flow that was taken.
  Origin taken;

  bool isVisible() const { return shown.kind != LabelKind::Tau; }
};
using ModelRun = std::vector<ModelStep>;
using StateGoal = function_ref<bool(StateIndex)>;

class ModelRuns {
public:
  /// \p loops: with the steps of divergenceLoops.
  ModelRuns(const Pairing &pairing, bool loops);

  const Pairing &pairing;
  const Lts &lts(Side side) const {
    return extended[0] ? *extended[side == Side::Right] : pairing.lts(side);
  }
  const Module &module(Side side) const {
    return side == Side::Left ? pairing.collaboration : pairing.choreography;
  }

  /// A run of \p side from its initial state over \p trace, with as few steps
  /// as possible, to a state with \p goal.
  std::optional<ModelRun> along(Side side, ArrayRef<Label> trace,
                                StateGoal goal) const;
  /// A shortest run from \p from: silent steps, \p label (none for tau), silent
  /// steps, to a state with \p goal.
  std::optional<ModelRun> weakly(Side side, StateIndex from, const Label &label,
                                 StateGoal goal) const;
  /// The states that such runs lead to, nearest first.
  std::vector<StateIndex> reached(Side side, StateIndex from,
                                  const Label &label) const;
  /// The visible labels that silent steps lead to, sorted.
  std::vector<Label> offers(Side side, StateIndex from) const;
  /// The same after a trace.
  std::vector<Label> offersAfter(Side side, ArrayRef<Label> trace) const;

private:
  std::optional<ModelRun> follow(Side side, StateIndex from,
                                 ArrayRef<Label> trace, StateGoal goal) const;
  std::optional<ModelRun> stepsOf(Side side, StateIndex from,
                                  ArrayRef<uint32_t> transitions) const;
  bool replay(ModelStep &step, uint32_t transition) const;

  std::optional<Lts> extended[2];
};

/// \name Causes
/// What a run shows, as notes at the elements that are to blame.
/// @{

/// The collaboration's run ends with an exchange that the choreography does not
/// allow; it allows \p expected.
void explainExtra(const Pairing &pairing, ArrayRef<ModelStep> run,
                  ArrayRef<Label> expected, std::vector<Note> &notes);
/// The collaboration came to a state in which it can only do \p can, the
/// choreography can do \p expected.
void explainLack(const Pairing &pairing, ArrayRef<ModelStep> run,
                 StateIndex state, ArrayRef<Label> can,
                 ArrayRef<Label> expected, std::vector<Note> &notes);
/// The exchanges of \p labels that nobody sends or nobody receives.
void explainMissing(const Pairing &pairing, ArrayRef<Label> labels,
                    std::vector<Note> &notes);
/// Decisions of a run, for its steps: "'Customer' takes the branch to ...",
/// or empty.
std::string decisionText(const Pairing &pairing, Side side,
                         const ModelStep &step);
/// @}

} // namespace cif

#endif
