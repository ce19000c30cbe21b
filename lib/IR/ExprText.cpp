//===- ExprText.cpp - Expressions as text ---------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/ExprText.h"
#include "cif/IR/Names.h"
#include "cif/IR/Operators.h"
#include "cif/Support/Visible.h"

using namespace cif;

static std::string leafText(const Module &module, const Expr &e) {
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

std::string cif::exprText(const Module &module, ExprId id) {
  auto nodeOf = [&](ExprId at) -> const Expr & { return module.expr(at); };
  return infixText(id, /*isLogic=*/false, nodeOf, [&](ExprId at) {
    return leafText(module, module.expr(at));
  });
}
