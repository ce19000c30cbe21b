//===- Solver.h - What formulas follow from others ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The two questions to a solver: whether a formula can be true, and which
/// condition remains if it is to hold for all values of some variables. Neither
/// questions nor answers have quantifiers. Each question has a time limit; one
/// that is not answered leads to `inconclusive`.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SYMBOLIC_SOLVER_H
#define CIF_SYMBOLIC_SOLVER_H

#include "cif/Support/Limits.h"
#include "cif/Symbolic/Formula.h"
#include <functional>
#include <memory>

namespace cif {

enum class Answer : uint8_t { Yes, No, Unknown };

class Solver {
public:
  virtual ~Solver();

  /// Whether some values make \p formula true; these values into \p model,
  /// small ones where there are.
  virtual Answer satisfiable(FormulaId formula, Valuation *model = nullptr) = 0;
  /// `formula` for all values of \p bound, which does not mention these.
  virtual std::optional<FormulaId> forAll(ArrayRef<VariableId> bound,
                                          FormulaId formula) = 0;
  /// The same formula, shorter.
  virtual std::optional<FormulaId> simplify(FormulaId formula) = 0;

  /// "Z3 4.8.12".
  virtual std::string version() const = 0;
  /// Questions so far.
  uint64_t queries = 0;
  /// The limit that left the last question without an answer, as budgets say
  /// it, or nothing.
  std::string limit;
  /// Why the last question has no answer.
  std::string silence() const {
    return limit.empty() ? "the solver gave no answer" : limit;
  }
};

/// Z3 in a process of its own, with so many seconds for each question, and not
/// beyond the deadline of \p limits. Null, and why: built without it.
std::unique_ptr<Solver> makeSolver(FormulaPool &pool, double secondsEach,
                                   const Limits &limits, std::string &why);

using SolverFactory = std::function<std::unique_ptr<Solver>(FormulaPool &)>;
/// The solver that \p make makes, in a child process. Whatever it does, a
/// question ends shortly after its seconds, at the deadline, and when the run
/// is interrupted; then, and where the child dies, its answer is unknown. A
/// child that ends with `outOfMemoryStatus`, or that has no answer and a
/// `limit`, met --max-memory.
constexpr int outOfMemoryStatus = 101;
std::unique_ptr<Solver> makeSolverProcess(FormulaPool &pool, double secondsEach,
                                          const Limits &limits,
                                          std::string version,
                                          SolverFactory make);

/// `formula` for all values of those of \p bound that are no integers, which
/// needs no solver: truth values and literals are tried one by one; of strings,
/// of which only equality is known, those that \p formula names and one that is
/// none of them. Integers are left in \p integers.
FormulaId forAllFinite(FormulaPool &pool, ArrayRef<VariableId> bound,
                       FormulaId formula,
                       SmallVectorImpl<VariableId> &integers);
/// `formula` for all values of the integer \p v, where it is only compared with
/// terms: its truth changes at these alone, so that they and their neighbours
/// are tried. Nothing: it is used otherwise, or there would be too many cases.
std::optional<FormulaId> forAllByCases(FormulaPool &pool, VariableId v,
                                       FormulaId formula);
/// `formula` for all values of \p bound, where \p solver eliminates nothing:
/// each model of its negation gives values for which it is asked, until what is
/// asked says it all. \p exact: it does; else the result is weaker. Products of
/// variables are often linear for given values.
FormulaId forAllByInstances(FormulaPool &pool, Solver &solver,
                            ArrayRef<VariableId> bound, FormulaId formula,
                            bool &exact);

} // namespace cif

#endif
