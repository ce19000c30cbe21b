//===- Json.h - JSON that somebody else wrote -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_SUPPORT_JSON_H
#define CIF_SUPPORT_JSON_H

#include "cif/Support/LLVM.h"
#include "llvm/Support/JSON.h"

namespace cif {

/// llvm::json::parse, which recurses, for texts of any origin: what is nested
/// deeply is an error.
llvm::Expected<llvm::json::Value> parseJson(StringRef text);
/// \p text, with what is no UTF-8 replaced.
std::string utf8(StringRef text);

} // namespace cif

#endif
