//===- JsonText.h - Facts as JSON, piece by piece -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_REPORT_JSONTEXT_H
#define CIF_LIB_REPORT_JSONTEXT_H

#include "cif/IR/Fact.h"
#include "cif/Support/Json.h"

namespace cif {

/// `"key": {"file", "line", "column", "id"}`, or nothing where \p place says
/// nothing.
void writePlace(llvm::json::OStream &json, StringRef key, const Place &place);
/// The attributes of a verdict, within its object.
void writeVerdictAttributes(llvm::json::OStream &json, const Fact &fact,
                            StringRef file);
/// The attributes of a run, within its object.
void writeRunAttributes(llvm::json::OStream &json, const struct RunReport &run);

} // namespace cif

#endif
