//===- Operators.h - What operators are and compute -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_OPERATORS_H
#define CIF_IR_OPERATORS_H

#include "cif/IR/Module.h"
#include <optional>
#include <string>

namespace cif {

/// What each kind of expression is.
struct OperatorInfo {
  const char *sign;   ///< of those with operands
  uint8_t precedence; ///< how tightly it binds; binary ones group to the left
  uint8_t operands;   ///< 0, 1 or 2
  Sort takes;         ///< of its operands; unknown: both have one sort
  Sort makes;         ///< its own, where that goes without saying
};
const OperatorInfo &operatorInfo(ExprOp op);

/// \p root and all that it is made of, each once, left operands first; nothing
/// of an empty one.
std::vector<ExprId> partsOf(const Module &module, ExprId root);

/// The text of an expression as people write it, with no more parentheses than
/// needed. \p nodeOf(id) has an operator and its operands; \p leafOf(id) is
/// the text of what has none. \p isLogic: implications have a sign of their
/// own, and conjunctions of several parts are written in a row.
template <class Id, class NodeOf, class LeafOf>
std::string infixText(Id root, bool isLogic, NodeOf nodeOf, LeafOf leafOf) {
  // What is left to write: an expression that must bind at least this tightly,
  // or (without one) a text.
  struct Item {
    Id id;
    unsigned least;
    std::string text;
  };
  std::string result;
  std::vector<Item> stack{{root, 0, ""}};
  while (!stack.empty()) {
    Item item = std::move(stack.back());
    stack.pop_back();
    if (!item.id) {
      result += item.text;
      continue;
    }
    const auto &node = nodeOf(item.id);
    const OperatorInfo &own = operatorInfo(node.op);
    if (!own.operands) {
      result += leafOf(item.id);
      continue;
    }
    const bool isOr = node.op == ExprOp::Implies && !isLogic; // !a || b
    const OperatorInfo &op = isOr ? operatorInfo(ExprOp::Or) : own;
    if (op.precedence < item.least) {
      result += '(';
      stack.push_back({Id(), 0, ")"});
    }
    if (op.operands == 1) {
      result += op.sign;
      stack.push_back({node.lhs, op.precedence + 1u, ""});
      continue;
    }
    const bool inARow =
        isLogic && (node.op == ExprOp::And || node.op == ExprOp::Or);
    stack.push_back({node.rhs, op.precedence + (inARow ? 0u : 1u), ""});
    stack.push_back({Id(), 0, std::string(" ") + op.sign + " "});
    stack.push_back({node.lhs, isOr ? 9u : op.precedence, ""});
    if (isOr)
      stack.push_back({Id(), 0, "!"});
  }
  return result;
}

/// \p op applied to integers and truth values (0 and 1); a unary operator has
/// \p lhs alone. Quotients and remainders are those of mathematics: a remainder
/// is never negative. Nothing: \p op is no operator, divides by 0, or its
/// result does not fit into 64 bits.
std::optional<int64_t> applyOperator(ExprOp op, int64_t lhs, int64_t rhs);

} // namespace cif

#endif
