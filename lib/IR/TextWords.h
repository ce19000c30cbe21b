//===- TextWords.h - What printer and parser of the text form share -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_IR_TEXTWORDS_H
#define CIF_LIB_IR_TEXTWORDS_H

#include "cif/IR/Module.h"
#include <cassert>
#include <optional>

namespace cif {

/// An expression that is larger than this and used several times is written
/// once, on a line of its own.
constexpr uint32_t maxRepeatedExpr = 32;

/// How operators are written; only of those with operands.
inline const char *opText(ExprOp op) {
  static const char *const texts[] = {
      "!", "-", "&&", "||", "=>", "+",  "-", "*",
      "/", "%", "==", "!=", "<",  "<=", ">", ">="};
  unsigned index =
      static_cast<unsigned>(op) - static_cast<unsigned>(ExprOp::Not);
  assert(index < std::size(texts) && "it has no operands");
  return texts[index];
}

/// How tightly they bind. All binary ones group to the left.
inline uint8_t precedence(ExprOp op) {
  switch (op) {
  case ExprOp::Implies:
    return 1;
  case ExprOp::Or:
    return 2;
  case ExprOp::And:
    return 3;
  case ExprOp::Equal:
  case ExprOp::NotEqual:
    return 4;
  case ExprOp::Less:
  case ExprOp::LessEqual:
  case ExprOp::Greater:
  case ExprOp::GreaterEqual:
    return 5;
  case ExprOp::Add:
  case ExprOp::Subtract:
    return 6;
  case ExprOp::Multiply:
  case ExprOp::Divide:
  case ExprOp::Modulo:
    return 7;
  default:
    return 8;
  }
}

/// The sort that goes without saying.
inline Sort defaultSort(ExprOp op) {
  switch (op) {
  case ExprOp::IntLiteral:
  case ExprOp::Negate:
  case ExprOp::Add:
  case ExprOp::Subtract:
  case ExprOp::Multiply:
  case ExprOp::Divide:
  case ExprOp::Modulo:
    return intSort;
  case ExprOp::StringLiteral:
    return stringSort;
  case ExprOp::EnumLiteral:
  case ExprOp::Variable:
  case ExprOp::Opaque:
    return unknownSort;
  default:
    return boolSort;
  }
}

inline const char *builtinSortText(Sort sort) {
  static const char *const texts[] = {"unknown", "bool", "int", "string"};
  return texts[sort.value];
}
inline std::optional<Sort> builtinSort(StringRef text) {
  for (uint32_t i = 0; i < 4; ++i)
    if (text == builtinSortText(Sort{i}))
      return Sort{i};
  return std::nullopt;
}

constexpr unsigned numNodeFlags = 8;
inline const char *nodeFlagText(unsigned bit) {
  static const char *const texts[numNodeFlags] = {
      "non-interrupting", "test-after",  "transaction",       "event-triggered",
      "ad-hoc",           "instantiate", "parallel-multiple", "binds"};
  return texts[bit];
}

} // namespace cif

#endif
