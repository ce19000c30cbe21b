//===- ExprText.h - Expressions as text -----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_TEXT_EXPRTEXT_H
#define CIF_LIB_EXPORT_TEXT_EXPRTEXT_H

#include "cif/IR/Module.h"

namespace cif {

/// An expression with the operators of C and Java; `=>` has no sign there and
/// is written with `!` and `||`. What is opaque is written as it is.
std::string exprText(const Module &module, ExprId id);

} // namespace cif

#endif
