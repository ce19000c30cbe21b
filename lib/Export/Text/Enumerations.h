//===- Enumerations.h - Enumerations in the textual languages -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What IOC and CP have in common.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_TEXT_ENUMERATIONS_H
#define CIF_LIB_EXPORT_TEXT_ENUMERATIONS_H

#include "cif/IR/Module.h"

namespace cif {

/// `enum name { literal {, literal} }`, one line each. False: \p format has no
/// such names, which was reported.
bool printEnumerations(const Module &module, StringRef format, raw_ostream &os,
                       DiagnosticEngine &diags);

} // namespace cif

#endif // CIF_LIB_EXPORT_TEXT_ENUMERATIONS_H
