//===- ExprText.cpp - Expressions as text ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprText.h"
#include "cif/IR/Names.h"
#include "cif/Support/Visible.h"

using namespace cif;

namespace {
struct Operator {
  const char *sign; ///< null: a leaf
  int precedence;
};

Operator operatorOf(ExprOp op) {
  switch (op) {
  case ExprOp::Not:
    return {"!", 8};
  case ExprOp::Negate:
    return {"-", 8};
  case ExprOp::Multiply:
    return {" * ", 7};
  case ExprOp::Divide:
    return {" / ", 7};
  case ExprOp::Modulo:
    return {" % ", 7};
  case ExprOp::Add:
    return {" + ", 6};
  case ExprOp::Subtract:
    return {" - ", 6};
  case ExprOp::Less:
    return {" < ", 5};
  case ExprOp::LessEqual:
    return {" <= ", 5};
  case ExprOp::Greater:
    return {" > ", 5};
  case ExprOp::GreaterEqual:
    return {" >= ", 5};
  case ExprOp::Equal:
    return {" == ", 4};
  case ExprOp::NotEqual:
    return {" != ", 4};
  case ExprOp::And:
    return {" && ", 3};
  case ExprOp::Or:
  case ExprOp::Implies:
    return {" || ", 2};
  default:
    return {nullptr, 9};
  }
}

std::string leafText(const Module &module, const Expr &e) {
  switch (e.op) {
  case ExprOp::IntLiteral:
    return std::to_string(e.value);
  case ExprOp::BoolLiteral:
    return e.value ? "true" : "false";
  case ExprOp::StringLiteral:
    return quoteAlways(module.text(e.name));
  case ExprOp::Opaque:
    return module.text(e.name).str();
  case ExprOp::Variable: {
    // `message.field` as it stands, which is no word.
    auto [message, field] = module.text(e.name).split('.');
    if (isPlainWord(message) && isPlainWord(field) &&
        isVisible(module.text(e.name)))
      return module.text(e.name).str();
    return quoted(module.text(e.name));
  }
  default:
    return quoted(module.text(e.name));
  }
}
} // namespace

std::string cif::exprText(const Module &module, ExprId id) {
  // What is left to write: an expression that must bind at least this tightly,
  // or (without one) a text.
  struct Item {
    ExprId expr;
    int least;
    const char *text;
  };
  std::string result;
  std::vector<Item> stack{{id, 0, nullptr}};
  while (!stack.empty()) {
    Item item = stack.back();
    stack.pop_back();
    if (!item.expr) {
      result += item.text;
      continue;
    }
    const Expr &e = module.expr(item.expr);
    Operator op = operatorOf(e.op);
    if (!op.sign) {
      result += leafText(module, e);
      continue;
    }
    bool parenthesised = op.precedence < item.least;
    if (parenthesised) {
      result += '(';
      stack.push_back({ExprId(), 0, ")"});
    }
    if (e.op == ExprOp::Not || e.op == ExprOp::Negate) {
      result += op.sign;
      stack.push_back({e.lhs, op.precedence + 1, nullptr});
      continue;
    }
    stack.push_back({e.rhs, op.precedence + 1, nullptr});
    stack.push_back({ExprId(), 0, op.sign});
    bool implies = e.op == ExprOp::Implies;
    stack.push_back({e.lhs, implies ? 9 : op.precedence, nullptr});
    if (implies)
      stack.push_back({ExprId(), 0, "!"});
  }
  return result;
}
