//===- CheckAll.h - --check -----------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The loop of [verchor, Fig. 4] as one option: every check that applies to a
/// module, and what to do next.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_TOOLS_CHECKALL_H
#define CIF_LIB_TOOLS_CHECKALL_H

#include "cif/Tools/Registry.h"

namespace cif {

/// The checks that apply to \p module, in the order in which their answers make
/// sense. Empty: there is nothing to check.
Pipeline checksFor(const Module &module, const PassRegistry &passes);

/// The checks that the answers of the first ones ask for.
Pipeline checksAfter(ArrayRef<Fact> facts, const PassRegistry &passes);

/// The facts that are worth more than their line in the summary: what does not
/// hold, and each run once.
std::vector<Fact> factsToShow(ArrayRef<Fact> facts);

/// What holds, what fails and why, and what to do next.
void printSummary(raw_ostream &os, ArrayRef<Fact> facts,
                  ArrayRef<std::string> inputs, bool colors);

} // namespace cif

#endif
