//===- GroupedWarnings.h - Warnings of one kind in one line ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A model may have a hundred timers: warnings with the same text about
/// different elements are printed as one line, with their number and the first
/// three elements. Warnings wait until something else is to be printed. Where a
/// summary follows that names what was abstracted, many kinds of abstraction
/// are one line, too.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_TOOLS_GROUPEDWARNINGS_H
#define CIF_LIB_TOOLS_GROUPEDWARNINGS_H

#include "cif/Support/Diagnostics.h"
#include "llvm/ADT/StringMap.h"

namespace cif {

class GroupedWarnings : public DiagnosticConsumer {
public:
  explicit GroupedWarnings(DiagnosticConsumer &to) : to(to) {}
  ~GroupedWarnings() override { flush(); }

  void handle(const Diagnostic &diagnostic) override;
  /// Prints what waits.
  void flush();

  std::string firstError;       ///< what the first one said, until cleared
  bool listAll = false;         ///< --verbose
  bool hasSummaryBelow = false; ///< --check

private:
  struct Group {
    Diagnostic first;
    size_t count = 1;
    std::vector<std::string> elements; ///< the first ones, with the first
  };
  static constexpr size_t mostConditions = 20; // that are shown in one warning
  static std::string howOften(const Group &group);
  /// Makes many groups of abstractions one.
  static void joinAbstractions(std::vector<Group> &groups);

  DiagnosticConsumer &to;
  std::vector<Group> groups;
  llvm::StringMap<size_t> groupOf;
};

} // namespace cif

#endif
