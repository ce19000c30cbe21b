//===- DiagnosticCode.h - A diagnostic's kind from its code ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The value of a kind depends on its code alone, so that a new diagnostic does
/// not change the others. The headers of the ranges use this
/// (utils/embed-diagnostics).
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_DIAGNOSTICCODE_H
#define CIF_SUPPORT_DIAGNOSTICCODE_H

#include <cstdint>

namespace cif::diag {

enum Kind : uint16_t;

/// Kinds below this are those of Diagnostics.def.
inline constexpr uint16_t firstAdded = 3 * 10000;

/// The kind of the diagnostic with \p code: a letter (E, W or N), four digits.
constexpr Kind kindOf(const char *code) {
  unsigned number = 0;
  for (unsigned i = 1; i <= 4; ++i)
    number = number * 10 + static_cast<unsigned>(code[i] - '0');
  unsigned letter = code[0] == 'E' ? 0 : code[0] == 'W' ? 1 : 2;
  return static_cast<Kind>(number * 3 + letter);
}

} // namespace cif::diag

#endif // CIF_SUPPORT_DIAGNOSTICCODE_H
