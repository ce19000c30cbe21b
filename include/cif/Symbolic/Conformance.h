//===- Conformance.h - Symbolic conformance -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether an implementation conforms to a choreography, for which data, and
/// where they part [symbolic, Def. 5]. The implementation is the product of its
/// parts, restricted to what the choreography exchanges.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SYMBOLIC_CONFORMANCE_H
#define CIF_SYMBOLIC_CONFORMANCE_H

#include "cif/IR/Fact.h"
#include "cif/Symbolic/Pes.h"
#include "cif/Symbolic/Solver.h"

namespace cif {

struct SymbolicOptions {
  Limits limits;
  IntegerRange integers;
  /// Times round a cycle of equations before giving up.
  unsigned maxRounds = 100;
};

/// What is known of a predicate after each change: it only ever gets stronger.
struct SolvedPredicate {
  struct Version {
    uint64_t stamp; ///< in the order of all changes of all predicates
    FormulaId formula;
  };
  /// The first is `true`, at 0.
  std::vector<Version> versions;
  FormulaId formula() const { return versions.back().formula; }
  /// As it was before \p stamp.
  FormulaId before(uint64_t stamp) const {
    size_t i = versions.size();
    while (i > 1 && versions[i - 1].stamp >= stamp)
      --i;
    return versions[i - 1].formula;
  }
};

/// The greatest solution of a system of equations.
struct PesSolution {
  std::vector<SolvedPredicate> predicates; ///< by pair
  /// Empty: the solution is complete. Else why it is not; predicates are then
  /// no stronger than the solution.
  std::string stopped;
  uint32_t stoppedAt = 0; ///< the pair, where it is not
  size_t solved = 0;      ///< predicates that are
  /// Of each pair: what is true of the data wherever it is reached. Predicates
  /// are solutions there, and elsewhere may be anything. Empty: everywhere.
  std::vector<FormulaId> reachable;
};
/// Of each pair: what is true of the data wherever it is reached, as far as
/// guards and equal values tell; `false`: it is not. Empty: a limit was met.
std::vector<FormulaId> reachableData(const Pes &pes, Solver &solver,
                                     const Limits &limits);
PesSolution solvePes(const Pes &pes, Solver &solver,
                     const SymbolicOptions &options);

/// One step of a run in which both sides take part, with its values.
struct PartingStep {
  const StgTransition *implementation = nullptr; ///< null: the choreography's
  const StgTransition *choreography = nullptr;   ///< null: silent, or alone
  std::vector<DataNumber> values;                ///< of the fields
};

/// A run on which implementation and choreography part: the last step is one
/// that one side takes alone.
struct Parting {
  Valuation initial; ///< what is free at the beginning: hidden values
  std::vector<PartingStep> steps;
  /// In the last step the other side could answer with another transition, but
  /// not with the one that it has to choose before it knows the value.
  const StgTransition *lateAnswer = nullptr;
};

/// Some such run; nothing: none was found.
std::optional<Parting> findParting(Pes &pes, const PesSolution &solution,
                                   const Valuation &initial, Solver &solver);
/// Runs it on the two graphs with these values, apart from any solver.
bool replayParting(Pes &pes, const Parting &parting);

/// When a receiver sees a message, and whether equal ones keep their order.
enum class Travel : uint8_t { None, InOrder, Overtakes };

/// Whether whoever plays \p participant has to be able to take \p step before
/// the last step of a run, with values that the choreography does not allow
/// there: some run of the choreography looks the same to it, and has the step
/// next. What that run carries is added to \p alike.
Answer mustBeAble(Pes &pes, const Parting &parting, StringRef participant,
                  Travel travel, const StgTransition &step, Solver &solver,
                  std::vector<struct CarriedValue> &alike);

/// The participants of the choreography of \p pes, each of which does what it
/// would in some run that looks to it as the one that it is in. Stopped: what
/// somebody can tell was not found out, and why.
Outcome<std::vector<Stg>> projectByViews(Pes &pes, Solver &solver,
                                         const Limits &limits);

/// The choreography of \p pes as a graph in which a step and its values lead to
/// one state: its traces, whatever it decides when. Stopped: where data say too
/// much.
Outcome<Stg> tracesOf(Pes &pes, Solver &solver, const Limits &limits);

/// A value that a field of an exchange has in a run.
struct CarriedValue {
  const StgTransition *transition;
  uint32_t step; ///< of the run; behind its last: beside it
  uint32_t field;
  DataSort sort;
  DataNumber value;
};
/// The values that the exchanges of a run carry, and those that hidden ones
/// would carry beside it. Some of what is computed may be missing: variables
/// whose values do not matter any more are forgotten.
std::vector<CarriedValue> carriedValues(Pes &pes, const Parting &parting);

struct SymbolicVerdict {
  Verdict verdict = Verdict::Inconclusive;
  /// Where it is violated, under which condition it holds; `false`: never.
  /// Nothing: not known.
  std::optional<FormulaId> constraint;
  std::optional<Parting> parting;
  std::string stopped; ///< of Inconclusive: at what
};
/// \p constants: the numbers that the sources have, for the constraint.
SymbolicVerdict decideConformance(Pes &pes, const PesSolution &solution,
                                  Solver &solver, ArrayRef<int64_t> constants);

/// The same as \p constraint for all data that are \p possible, in few cases
/// and comparisons, with the numbers of \p constants where there is a choice.
FormulaId readableConstraint(FormulaPool &pool, Solver &solver,
                             FormulaId constraint, FormulaId possible,
                             ArrayRef<int64_t> constants);
/// In the names of the source; with whose they are where two are alike.
std::string constraintText(const FormulaPool &pool, FormulaId constraint);

/// \p stg with the steps behind silent ones in place of these, wherever
/// \p passes says so of a state: its traces are the same. Silent steps give no
/// values to variables.
Outcome<Stg> withoutSilence(const Stg &stg, FormulaPool &pool,
                            function_ref<bool(uint32_t)> passes);
/// The choreography's graph without the silent steps by which guarded choices
/// are decided, where at most one of a choice can be taken. Others are left.
Outcome<Stg> withoutDecisions(const Stg &stg, FormulaPool &pool,
                              Solver &solver);

/// What is compared: an implementation without the exchanges that the
/// choreography does not have.
struct ComparedGraphs {
  Stg implementation, choreography;
  std::vector<StgLabel> hidden;
  std::vector<int64_t> constants; ///< numbers in the sources
  Place at;                       ///< the choreography
  size_t openInChoreography = 0;  ///< of the open conditions, the first
};
/// Of a choreography: whether only its traces count, so that no choice of it is
/// silent, or also when it decides.
enum class Decisions : uint8_t { Count, DoNotCount };
/// The graphs of \p module and of the choreography of \p spec. Failed:
/// reported.
Outcome<ComparedGraphs> buildComparison(
    const Module &module, const Module &spec, FormulaPool &pool, Solver &solver,
    const Limits &limits, DiagnosticEngine &diags,
    std::vector<OpenCondition> &open, const StgNetwork &network = {},
    const IntegerRange &integers = {}, Decisions decisions = Decisions::Count);

} // namespace cif

#endif
