//===- Operators.h - What operators compute -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_OPERATORS_H
#define CIF_IR_OPERATORS_H

#include "cif/IR/Module.h"
#include <optional>

namespace cif {

/// \p op applied to integers and truth values (0 and 1); a unary operator has
/// \p lhs alone. Quotients and remainders are those of mathematics: a remainder
/// is never negative. Nothing: \p op is no operator, divides by 0, or its
/// result does not fit into 64 bits.
std::optional<int64_t> applyOperator(ExprOp op, int64_t lhs, int64_t rhs);

} // namespace cif

#endif
