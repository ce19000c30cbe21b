//===- Fact.h - What checks found -----------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A verdict is data: a check pass adds a Fact to the module, reporters print
/// it, and the exit status follows from it. Facts stand on their own (no ids
/// into the module), because they outlive the transforms after them.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_FACT_H
#define CIF_IR_FACT_H

#include "cif/Support/Diagnostics.h"
#include <optional>

namespace cif {

enum class Verdict : uint8_t { Holds, Violated, Inconclusive };

/// "holds", "violated", "inconclusive".
StringRef verdictText(Verdict verdict);

/// One step of a witness, in the terms of the source.
struct WitnessStep {
  std::string label; ///< e.g. `c -> bs : login`
  Place at;          ///< the element that took the step
  std::string note;  ///< e.g. the queues' contents, or why this step matters

  bool operator==(const WitnessStep &) const = default;
};

struct Witness {
  /// "trace", "lasso", "runs" (two runs, one after the other), "game" (a play
  /// and the formula that wins it), "elements" (places, not steps).
  std::string kind;
  std::vector<WitnessStep> steps;
  std::optional<uint32_t> loopStart; ///< of a lasso: where the cycle begins
  std::string formula;               ///< of a game: Hennessy-Milner formula

  bool operator==(const Witness &) const = default;
};

struct Fact {
  std::string property; ///< the check's name without `check-`
  std::string subject;  ///< what it was checked on, e.g. "choreography 'Shop'"
  std::vector<std::pair<std::string, std::string>> parameters;
  Verdict verdict = Verdict::Inconclusive;
  /// Whether the verdict is proved for the question asked (not up to a bound).
  bool exact = false;
  /// What was read with less or more behaviour than the source says, or is
  /// explored so: the verdict is on the model as read.
  std::vector<std::string> abstractions;
  std::string method;  ///< how it was decided, with the definition's reference
  std::string message; ///< one sentence for a person, without a full stop
  Place at;            ///< where the message points
  std::vector<Note> notes; ///< explanations and what to do next
  uint64_t states = 0, transitions = 0;
  std::optional<Witness> witness; ///< always there when violated
  uint64_t digest = 0; ///< of what it was found on; see Module::digest

  /// The value of a parameter; empty if it has none of this name.
  StringRef parameter(StringRef name) const;
  bool operator==(const Fact &) const = default;
};

/// Adds \p found to \p facts. A fact on a question that is already there (the
/// same property, subject and parameters) replaces the answer and keeps its
/// place; the rest go to the end. Several facts on one question in \p found
/// stand for each other in their order, so that none is lost. A fact without a
/// verdict whose check stopped before it knew all parameters, or told problems
/// apart, is on the questions that these would have been.
///
/// With \p ofOneRun the limits were the same, so that two verdicts on one
/// module can only differ by an option that the facts do not name: both stay.
void mergeFacts(std::vector<Fact> &facts, ArrayRef<Fact> found,
                bool ofOneRun = false);

} // namespace cif

#endif
