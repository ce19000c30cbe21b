//===- Report.h - Verdicts for people and for scripts ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_REPORT_REPORT_H
#define CIF_REPORT_REPORT_H

#include "cif/IR/Fact.h"

namespace cif {

/// The id of a fact in messages and reports, which `--explain` knows: the check
/// (`check-safe`), or what else came to the verdict (`lower-lts`, `emit`).
std::string ruleOf(const Fact &fact);

/// The message with its place and caret, the witness step by step, the notes,
/// and last the verdict in one line:
///   choreography 'S': synchronizable: violated (exact; 1-bounded)  21 states
/// Of a run with more steps than \p maxSteps the middle is left out; 0: show
/// all.
void printFact(raw_ostream &os, const Fact &fact, DiagnosticPrinter &printer,
               bool colors, size_t maxSteps = 0);

/// One line of JSON (design contract: --verdicts).
void writeVerdict(raw_ostream &os, const Fact &fact, StringRef file = "");

/// The exit status that these facts ask for: violated over inconclusive over
/// holds.
int exitStatus(ArrayRef<Fact> facts);

} // namespace cif

#endif
