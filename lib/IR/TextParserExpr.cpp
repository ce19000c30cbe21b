//===- TextParserExpr.cpp - Expressions of the text form ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Operator precedence with two explicit stacks: nesting costs memory, not
/// stack. Expressions are made operands first, which is the order that their
/// locations are listed in.
///
//===----------------------------------------------------------------------===//

#include "TextParser.h"
#include "TextWords.h"
#include "cif/IR/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace cif;

ExprId TextParser::addExpr(ExprOp op, Name name, int64_t value) {
  Expr e{.op = op, .sort = operatorInfo(op).makes, .name = name};
  e.value = value;
  return module.addExpr(e);
}

bool TextParser::annotation(ExprId of) {
  // What a name stands for keeps the sort that it has.
  if (in.peek() != ':' || of.index() < firstOwnExpr)
    return true;
  return in.take(":") && sortRef(module.exprs[of.index()].sort);
}

/// What the top operator is applied to is on top of the operands.
void TextParser::reduce() {
  Operator top = operators.pop_back_val();
  Expr e{.op = top.op, .sort = operatorInfo(top.op).makes};
  if (top.kind == Operator::Binary)
    e.rhs = operands.pop_back_val();
  e.lhs = operands.pop_back_val();
  operands.push_back(module.addExpr(e));
}

bool TextParser::binaryOperator(ExprOp &to) {
  // Longer ones first.
  static const ExprOp all[] = {
      ExprOp::And,          ExprOp::Or,       ExprOp::Implies,
      ExprOp::Equal,        ExprOp::NotEqual, ExprOp::LessEqual,
      ExprOp::GreaterEqual, ExprOp::Less,     ExprOp::Greater,
      ExprOp::Add,          ExprOp::Subtract, ExprOp::Multiply,
      ExprOp::Divide,       ExprOp::Modulo};
  for (ExprOp op : all)
    if (in.take(operatorInfo(op).sign)) {
      to = op;
      return true;
    }
  return false;
}

bool TextParser::operand(ExprId &to) {
  char c = in.peek();
  const char *start = in.mark();
  bool negative = c == '-';
  if (llvm::isDigit(c) || negative) {
    if (negative)
      in.take("-");
    uint64_t value = 0, limit = uint64_t(INT64_MAX) + negative;
    if (!in.number(value, limit, "a number"))
      return false;
    if (isWordChar(in.rest().empty() ? ' ' : in.rest().front())) {
      in.reset(start);
      return in.expected("an expression");
    }
    to = addExpr(ExprOp::IntLiteral, {},
                 static_cast<int64_t>(negative ? 0 - value : value));
    return annotation(to);
  }
  if (c == '$') {
    in.take("$");
    uint32_t number = 0;
    if (!in.number(number, "a number"))
      return false;
    if (number >= namedExprs.size())
      return in.unknown(start, "expression", "$" + std::to_string(number));
    to = namedExprs[number];
    return true;
  }
  Name n;
  if (c == '\'' || c == '`') {
    if (!in.quotedName(n, c))
      return false;
    to = addExpr(c == '`' ? ExprOp::Opaque : ExprOp::StringLiteral, n);
    return annotation(to);
  }
  if (!in.name(n, "an expression"))
    return false;
  StringRef text = module.text(n);
  if (in.take(".")) {
    auto found = enumerations.find(n.index());
    if (found == enumerations.end())
      return in.unknown(start, "enumeration", text);
    Name literal;
    if (!in.name(literal, "a literal"))
      return false;
    to = addExpr(ExprOp::EnumLiteral, literal);
    module.exprs[to.index()].sort = Sort{Sort::firstEnum + found->second};
    return true;
  }
  if (c != '"' && (text == "true" || text == "false"))
    to = addExpr(ExprOp::BoolLiteral, {}, text == "true");
  else
    to = addExpr(ExprOp::Variable, n);
  return annotation(to);
}

bool TextParser::expression(ExprId &to) {
  operands.clear();
  operators.clear();
  firstOwnExpr = module.exprs.size();
  size_t open = 0;
  for (;;) {
    // An operand, after what may come before one.
    char c = in.peek();
    const char *start = in.mark();
    StringRef rest = in.rest();
    if (c == '(') {
      in.take("(");
      operators.push_back({Operator::Parenthesis, ExprOp::Not, start});
      ++open;
      continue;
    }
    if (c == '!' ||
        (c == '-' && !llvm::isDigit(rest.size() > 1 ? rest[1] : ' '))) {
      in.take(rest.take_front(1));
      operators.push_back(
          {Operator::Unary, c == '!' ? ExprOp::Not : ExprOp::Negate, start});
      continue;
    }
    ExprId leaf;
    if (!operand(leaf))
      return false;
    operands.push_back(leaf);

    // What may come after one.
    while (open && in.take(")")) {
      while (operators.back().kind != Operator::Parenthesis)
        reduce();
      operators.pop_back();
      --open;
      if (!annotation(operands.back()))
        return false;
    }
    ExprOp op;
    if (!binaryOperator(op))
      break;
    while (!operators.empty() &&
           operators.back().kind != Operator::Parenthesis &&
           operatorInfo(operators.back().op).precedence >=
               operatorInfo(op).precedence)
      reduce();
    operators.push_back({Operator::Binary, op, start});
  }
  if (open)
    return in.expected("')' or an operator");
  while (!operators.empty())
    reduce();
  to = operands.back();
  return true;
}

bool TextParser::exprLocations(size_t first, const Location &base) {
  in.take("{");
  size_t count = module.exprs.size() - first;
  for (size_t i = first; i < module.exprs.size(); ++i) {
    Location &loc = module.exprs[i].loc;
    char c = in.peek();
    if (c == '}')
      return in.expected(Twine(count) + " locations");
    StringRef rest = in.rest();
    if (c == '-' && !rest.drop_front().starts_with(":")) {
      in.take("-");
      continue;
    }
    // The last number is the column, then come line and source.
    loc.source = base.source;
    loc.line = base.line;
    const char *start = in.mark();
    uint32_t numbers[3] = {0, 0, 0};
    unsigned have = 0;
    bool noSource = in.take("-");
    if (noSource)
      in.take(":");
    do {
      if (have == (noSource ? 2u : 3u))
        return in.expected("a blank or '}'");
      if (!in.number(numbers[have++], "a location"))
        return false;
    } while (in.take(":"));
    if (noSource && have != 2) {
      in.reset(start);
      return in.expected("a location");
    }
    loc.column = numbers[have - 1];
    if (have >= 2)
      loc.line = numbers[have - 2];
    if (noSource)
      loc.source = {};
    else if (have == 3) {
      if (numbers[0] >= module.sources.size())
        return in.unknown(start, "source", std::to_string(numbers[0]));
      loc.source = SourceId(numbers[0]);
    }
    if (in.rest().starts_with("#") && !element(loc))
      return false;
  }
  return in.expect("}");
}

bool TextParser::parseExpression(ExprId &to) {
  for (size_t i = 0; i < module.enumerations.size(); ++i)
    enumerations[module.enumerations[i].name.index()] = uint32_t(i);
  return expression(to) && in.atLineEnd() && in.atEnd();
}

ExprId cif::parseExpr(StringRef text, Module &module, Location loc) {
  // Names are interned in place: the module keeps the text.
  StringRef kept = module.text(module.intern(text));
  SourceManager sources;
  DiagnosticCollector ignored; // the caller tells what is wrong, and where
  DiagnosticEngine diags(sources, ignored);
  const SourceBuffer &source = sources.add(
      "", llvm::MemoryBuffer::getMemBuffer(kept, "",
                                           /*RequiresNullTerminator=*/false));
  size_t first = module.exprs.size();
  ExprId id;
  if (!TextParser(source, module, diags).parseExpression(id)) {
    module.exprs.resize(first);
    return {};
  }
  for (size_t i = first; i < module.exprs.size(); ++i)
    module.exprs[i].loc = loc;
  return id;
}
