//===- Smt2.cpp - --emit=smt2 ---------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The questions of symbolic conformance for a module that has both the
/// choreography and the processes.
///
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Smt2.h"
#include "cif/Export/Emitter.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Diagnostics/Data.h"

using namespace cif;

bool cif::emitSmt2(const Module &module, raw_ostream &os,
                   DiagnosticEngine &diags, const EmitOptions &asked) {
  FormulaPool pool;
  SymbolicOptions options;
  options.limits = asked.semantics.runLimits;
  std::string why;
  constexpr double secondsEach = 10;
  auto solver = makeSolver(pool, secondsEach, options.limits, why);
  if (!solver) {
    diags.report(diag::no_solver) << "--emit=smt2" << why;
    return false;
  }
  std::vector<OpenCondition> open;
  Outcome<ComparedGraphs> graphs = buildComparison(
      module, module, pool, *solver, options.limits, diags, open);
  if (graphs.isFailed())
    return false;
  std::string limit = graphs.limit();
  for (const OpenCondition &c : open)
    diags.report(c.at, diag::condition_open) << c.text << c.why;
  if (graphs) {
    Pes pes(graphs->implementation, graphs->choreography, pool, {});
    limit = pes.build(options.limits);
    if (limit.empty()) {
      PesSolution solution = solvePes(pes, *solver, options);
      limit = solution.stopped;
      if (limit.empty())
        printSmt2(pes, solution, decideConformance(pes, solution, *solver, {}),
                  os);
    }
  }
  if (!limit.empty() && asked.stopped)
    asked.stopped(limit);
  return limit.empty();
}
