//===- Operators.cpp - What operators compute -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Operators.h"
#include "llvm/ADT/DenseSet.h"

using namespace cif;

const OperatorInfo &cif::operatorInfo(ExprOp op) {
  static constexpr OperatorInfo infos[] = {
      {nullptr, 9, 0, {}, intSort},        // IntLiteral
      {nullptr, 9, 0, {}, boolSort},       // BoolLiteral
      {nullptr, 9, 0, {}, stringSort},     // StringLiteral
      {nullptr, 9, 0, {}, unknownSort},    // EnumLiteral
      {nullptr, 9, 0, {}, unknownSort},    // Variable
      {nullptr, 9, 0, {}, unknownSort},    // Opaque
      {"!", 8, 1, boolSort, boolSort},     // Not
      {"-", 8, 1, intSort, intSort},       // Negate
      {"&&", 3, 2, boolSort, boolSort},    // And
      {"||", 2, 2, boolSort, boolSort},    // Or
      {"=>", 1, 2, boolSort, boolSort},    // Implies
      {"+", 6, 2, intSort, intSort},       // Add
      {"-", 6, 2, intSort, intSort},       // Subtract
      {"*", 7, 2, intSort, intSort},       // Multiply
      {"/", 7, 2, intSort, intSort},       // Divide
      {"%", 7, 2, intSort, intSort},       // Modulo
      {"==", 4, 2, unknownSort, boolSort}, // Equal
      {"!=", 4, 2, unknownSort, boolSort}, // NotEqual
      {"<", 5, 2, intSort, boolSort},      // Less
      {"<=", 5, 2, intSort, boolSort},     // LessEqual
      {">", 5, 2, intSort, boolSort},      // Greater
      {">=", 5, 2, intSort, boolSort},     // GreaterEqual
  };
  static_assert(std::size(infos) ==
                static_cast<size_t>(ExprOp::GreaterEqual) + 1);
  return infos[static_cast<unsigned>(op)];
}

std::vector<ExprId> cif::partsOf(const Module &module, ExprId root) {
  std::vector<ExprId> parts, work{root};
  llvm::SmallDenseSet<uint32_t, 8> seen; // operands may be shared
  while (!work.empty()) {
    ExprId id = work.back();
    work.pop_back();
    if (!id || !seen.insert(id.index()).second)
      continue;
    parts.push_back(id);
    work.push_back(module.expr(id).rhs);
    work.push_back(module.expr(id).lhs);
  }
  return parts;
}

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
