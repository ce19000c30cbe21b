//===- Text.h - Modules as text ------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The text form (.cift), complete and for people; docs/text-form.md describes
/// it. What is printed reads back as the same module, and what is read prints
/// as the same text but for blanks, comments and the order of words.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_TEXT_H
#define CIF_IR_TEXT_H

#include "cif/IR/Module.h"

namespace cif {

/// The version of both forms: readers take the same major version and any minor
/// version up to this one.
constexpr unsigned formMajorVersion = 1, formMinorVersion = 2;
/// `1.0`, or `1.0 to 1.3`.
std::string knownVersions();

/// Prints \p module, which must be one that the verifier accepts.
void printText(const Module &module, raw_ostream &os);

/// Reads \p source into \p module, which must be new, and verifies it. False:
/// errors were reported and the module is not to be used.
bool parseText(const SourceBuffer &source, Module &module,
               DiagnosticEngine &diags);

/// Writes single expressions of a module as the text form does.
class ExprPrinter {
public:
  explicit ExprPrinter(const Module &module);
  ~ExprPrinter();
  /// The text of an expression in use; empty when it is too large, which
  /// sharing can make it.
  std::string text(ExprId id);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Reads what ExprPrinter writes into a module that has the enumerations; its
/// parts stand at \p loc. None: the text is no expression.
ExprId parseExpr(StringRef text, Module &module, Location loc);

/// Whether \p bytes start like the text form: `cif` and a version, perhaps
/// after comments.
bool looksText(StringRef bytes);

} // namespace cif

#endif
