//===- Operators.cpp - What operators compute -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Operators.h"

using namespace cif;

std::optional<int64_t> cif::applyOperator(ExprOp op, int64_t lhs, int64_t rhs) {
  int64_t result = 0;
  bool fails = false;
  switch (op) {
  case ExprOp::Not:
    return !lhs;
  case ExprOp::And:
    return lhs && rhs;
  case ExprOp::Or:
    return lhs || rhs;
  case ExprOp::Implies:
    return !lhs || rhs;
  case ExprOp::Equal:
    return lhs == rhs;
  case ExprOp::NotEqual:
    return lhs != rhs;
  case ExprOp::Less:
    return lhs < rhs;
  case ExprOp::LessEqual:
    return lhs <= rhs;
  case ExprOp::Greater:
    return lhs > rhs;
  case ExprOp::GreaterEqual:
    return lhs >= rhs;
  case ExprOp::Negate:
    fails = __builtin_sub_overflow(int64_t(0), lhs, &result);
    break;
  case ExprOp::Add:
    fails = __builtin_add_overflow(lhs, rhs, &result);
    break;
  case ExprOp::Subtract:
    fails = __builtin_sub_overflow(lhs, rhs, &result);
    break;
  case ExprOp::Multiply:
    fails = __builtin_mul_overflow(lhs, rhs, &result);
    break;
  case ExprOp::Divide:
  case ExprOp::Modulo: {
    if (rhs == 0 || (lhs == INT64_MIN && rhs == -1))
      return std::nullopt;
    int64_t rest = lhs % rhs;
    if (rest < 0)
      rest = rhs < 0 ? rest - rhs : rest + rhs;
    return op == ExprOp::Modulo
               ? rest
               : static_cast<int64_t>((__int128(lhs) - rest) / rhs);
  }
  default:
    return std::nullopt;
  }
  return fails ? std::nullopt : std::optional(result);
}
