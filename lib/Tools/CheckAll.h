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

#include "cif/Pass/Pass.h"
#include "cif/Repair/CollaborationRepair.h"
#include "cif/Tools/Registry.h"

namespace cif {

/// The checks that apply to \p module, in the order in which their answers make
/// sense. Empty: there is nothing to check.
Pipeline checksFor(const Module &module, const PassRegistry &passes);

/// The checks that take no search.
Pipeline checksAtOnce(const Module &module, const PassRegistry &passes);

/// The checks that the answers of the first ones may ask for.
Pipeline checksLater(const Module &module, const PassRegistry &passes);

/// Those of \p later that the answers do ask for. Connectedness is sufficient
/// for realizability but not necessary, so that its lack says nothing against a
/// choreography that is known to be realizable.
Pipeline checksAfter(const Pipeline &later, const Module &module,
                     ArrayRef<Fact> facts);

/// The facts that are worth more than their line in the summary: what does not
/// hold, and each run once.
std::vector<Fact> factsToShow(ArrayRef<Fact> facts);

/// Keeps the one of \p shown that explains most, the first that is violated;
/// says how many are left for -v.
size_t keepMain(std::vector<Fact> &shown);

/// A repair that --check looked for.
struct SoonRepair {
  std::optional<CollaborationRepair> found;
  /// Why there is none, for people; empty: there is no flaw that a repair could
  /// be looked for.
  std::string missing;
};

/// A repair of a collaboration that \p facts say has a flaw, if one is found
/// with about as much work as the checks had; it is checked as the facts say
/// they were.
SoonRepair findRepair(const Module &module, ArrayRef<Fact> facts,
                      const Limits &limits);

/// What holds, what fails and why, and what to do next; \p hidden findings were
/// left out before. Processes have the names of their pools where they have
/// none of their own.
void printSummary(raw_ostream &os, ArrayRef<Fact> facts, const Module &module,
                  ArrayRef<std::string> inputs, size_t hidden,
                  const SoonRepair &repair, bool colors);

/// Which almost equal names, joined, make something hold that \p facts say is
/// violated, and \p checks of the joined module say so: a line for each.
std::vector<std::string>
helpfulJoins(const Module &module, ArrayRef<Fact> facts, const Pipeline &checks,
             const Limits &limits, const PassHost &host);

/// What one file of several comes to, and why.
struct FileResult {
  int status = 0;
  std::string reason;
};

/// The result of a file whose checks found \p facts.
FileResult fileResult(ArrayRef<Fact> facts);

/// `violated`, in its colour, and why; status 2: `not checked`.
void printStatus(raw_ostream &os, int status, StringRef reason, bool colors);

/// A file, or one of the diagrams in it.
struct CheckedInput {
  std::string file;
  std::string part;  ///< its name, for --select; empty: the whole file
  uint32_t line = 0; ///< of the part
  std::string title() const;
};

/// Checks each file or part as a module of its own, and prints a table of them.
/// The worst exit status.
int checkFiles(ArrayRef<CheckedInput> inputs,
               function_ref<FileResult(const CheckedInput &)> check,
               raw_ostream &os, bool colors, bool quiet);

} // namespace cif

#endif
