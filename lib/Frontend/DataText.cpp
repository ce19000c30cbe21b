//===- DataText.cpp - Data in the textual languages -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataText.h"
#include "cif/IR/Operators.h"
#include "llvm/ADT/DenseSet.h"

using namespace cif;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

uint32_t DataParser::newExpr(ExprOp op, const Token &at, uint32_t lhs,
                             uint32_t rhs) {
  RawExpr expr{
      .op = op, .lhs = lhs, .rhs = rhs, .line = at.line, .column = at.column};
  exprs.push_back(expr);
  return static_cast<uint32_t>(exprs.size() - 1);
}

/// Prefix operators bind tightest; parentheses have 0.
static constexpr int prefixPrecedence = 9;

/// The binary operator that a token stands for, with its precedence; 0: none.
static int binaryOperator(Tok kind, ExprOp &op) {
  switch (kind) {
  case Tok::FatArrow:
    op = ExprOp::Implies;
    return 1;
  case Tok::BarBar:
    op = ExprOp::Or;
    return 2;
  case Tok::AndAnd:
    op = ExprOp::And;
    return 3;
  case Tok::EqualEqual:
    op = ExprOp::Equal;
    return 4;
  case Tok::NotEqual:
    op = ExprOp::NotEqual;
    return 4;
  case Tok::Less:
    op = ExprOp::Less;
    return 5;
  case Tok::LessEqual:
    op = ExprOp::LessEqual;
    return 5;
  case Tok::Greater:
    op = ExprOp::Greater;
    return 5;
  case Tok::GreaterEqual:
    op = ExprOp::GreaterEqual;
    return 5;
  case Tok::Plus:
    op = ExprOp::Add;
    return 6;
  case Tok::Minus:
    op = ExprOp::Subtract;
    return 6;
  case Tok::Star:
    op = ExprOp::Multiply;
    return 7;
  case Tok::Slash:
    op = ExprOp::Divide;
    return 7;
  case Tok::Percent:
    op = ExprOp::Modulo;
    return 7;
  default:
    return 0;
  }
}

void DataParser::applyOperator() {
  PendingOperator pending = operators.back();
  operators.pop_back();
  uint32_t rhs = values.back();
  values.pop_back();
  if (pending.precedence == prefixPrecedence) {
    values.push_back(newExpr(pending.op, pending.at, rhs));
    return;
  }
  uint32_t lhs = values.back();
  values.back() = newExpr(pending.op, pending.at, lhs, rhs);
}

/// A literal or a variable, with the prefix operators and parentheses before
/// it.
bool DataParser::parseOperand() {
  while (true) {
    Token at = lexer.token();
    switch (at.kind) {
    case Tok::LeftParen:
      operators.push_back({ExprOp::Not, 0, at});
      break;
    case Tok::Bang:
      operators.push_back({ExprOp::Not, prefixPrecedence, at});
      break;
    case Tok::Minus:
      operators.push_back({ExprOp::Negate, prefixPrecedence, at});
      break;
    case Tok::Number: {
      uint32_t expr = newExpr(ExprOp::IntLiteral, at);
      if (lexer.text(at) == "9223372036854775808" && !operators.empty() &&
          operators.back().op == ExprOp::Negate) {
        // The least number, whose opposite does not fit.
        exprs[expr].value = INT64_MIN;
        exprs[expr].line = operators.back().at.line;
        exprs[expr].column = operators.back().at.column;
        operators.pop_back();
      } else if (lexer.text(at).getAsInteger(10, exprs[expr].value))
        lexer.diags.report(lexer.place(at), diag::number_too_large)
            << lexer.text(at);
      values.push_back(expr);
      lexer.advance();
      return true;
    }
    case Tok::Quoted: {
      uint32_t expr = newExpr(ExprOp::StringLiteral, at);
      exprs[expr].name = lexer.string(at, strings);
      values.push_back(expr);
      lexer.advance();
      return true;
    }
    case Tok::Word: {
      bool isTrue = lexer.isWord("true"), isFalse = lexer.isWord("false");
      uint32_t expr = newExpr(
          isTrue || isFalse ? ExprOp::BoolLiteral : ExprOp::Variable, at);
      if (isTrue || isFalse)
        exprs[expr].value = isTrue;
      else
        exprs[expr].name = lexer.name(at, strings);
      values.push_back(expr);
      lexer.advance();
      return true;
    }
    default:
      lexer.expected("an expression");
      return false;
    }
    lexer.advance();
  }
}

/// Operator precedence with stacks of our own. Ends at the first token that
/// cannot go on; the caller says what should have been there.
bool DataParser::parseExpr(Argument &into) {
  operators.clear();
  values.clear();
  into.begin = static_cast<uint32_t>(exprs.size());
  while (true) {
    if (!parseOperand())
      return false;
    // Closing parentheses.
    while (lexer.is(Tok::RightParen)) {
      size_t open = operators.size();
      while (open && operators[open - 1].precedence != 0)
        --open;
      if (!open) // it belongs to the payload around us
        break;
      while (operators.size() > open)
        applyOperator();
      operators.pop_back();
      lexer.advance();
    }
    ExprOp op;
    int precedence = binaryOperator(lexer.token().kind, op);
    if (!precedence)
      break;
    // `=>` associates to the right, the others to the left.
    while (!operators.empty() && operators.back().precedence != 0 &&
           (operators.back().precedence > precedence ||
            (operators.back().precedence == precedence && precedence > 1)))
      applyOperator();
    operators.push_back({op, precedence, lexer.token()});
    lexer.advance();
  }
  while (!operators.empty()) {
    if (operators.back().precedence == 0) {
      lexer.expected("an operator or ')'", operators.back().at,
                     "the parenthesis opened here");
      return false;
    }
    applyOperator();
  }
  into.end = static_cast<uint32_t>(exprs.size());
  return true;
}

bool DataParser::parseCondition(Argument &into) {
  Token open = lexer.token();
  if (!lexer.consume(Tok::LeftBracket)) {
    lexer.expected("'[' and a condition");
    return false;
  }
  into.line = lexer.token().line;
  into.column = lexer.token().column;
  if (!parseExpr(into))
    return false;
  if (lexer.consume(Tok::RightBracket))
    return true;
  lexer.expected("an operator or ']'", open, "the condition opened here");
  return false;
}

bool DataParser::parsePayload(std::vector<Argument> &into) {
  Token open = lexer.token();
  lexer.advance();
  if (!lexer.is(Tok::RightParen)) {
    bool isFirst = true;
    do {
      parseArgument(into, isFirst);
      isFirst = false;
    } while (lexer.consume(Tok::Comma));
  }
  if (lexer.consume(Tok::RightParen))
    return true;
  lexer.expected("',' or ')'", open, "the payload opened here");
  return false;
}

void DataParser::parseArgument(std::vector<Argument> &into, bool isFirst) {
  Argument argument{.line = lexer.token().line, .column = lexer.token().column};
  bool declares = lexer.is(Tok::Word) && lexer.peek().kind == Tok::Colon;
  if (declares) {
    argument.variable = lexer.name(lexer.token(), strings);
    lexer.advance();
    lexer.advance();
    argument.sortLine = lexer.token().line;
    argument.sortColumn = lexer.token().column;
    if (!lexer.isName() || lexer.is(Tok::Number)) {
      lexer.expected("a sort");
      return;
    }
    argument.sort = lexer.name(lexer.token(), strings);
    lexer.advance();
  } else if (!parseExpr(argument)) {
    return;
  }
  // All are of one kind, so that the node can say which.
  if (!isFirst && !into.empty() && into.back().variable.empty() == declares)
    static_cast<void>(lexer.diags.report(
        lexer.place(argument.line, argument.column), diag::mixed_payload));
  into.push_back(argument);
}

void DataParser::parseLiterals(EnumDecl &into, const Token &brace,
                               function_ref<void(Name, const Token &)> define) {
  do {
    if (!lexer.is(Tok::Word)) {
      lexer.expected("the name of a literal");
      break;
    }
    Token literal = lexer.token();
    Name name = lexer.name(literal, strings);
    lexer.advance();
    define(name, literal);
    into.literals.push_back({name, literal.line, literal.column});
  } while (lexer.consume(Tok::Comma));
  if (lexer.consume(Tok::RightBrace))
    return;
  lexer.expected("',' or '}'", brace, "the block opened here");
  while (!lexer.is(Tok::End) && !lexer.consume(Tok::RightBrace))
    lexer.advance();
}

//===----------------------------------------------------------------------===//
// Sorts
//===----------------------------------------------------------------------===//

void DataLowering::addEnumeration(const EnumDecl &decl) {
  Enumeration made{.name = decl.name, .loc = location(decl.line, decl.column)};
  Sort sort{
      static_cast<uint32_t>(Sort::firstEnum + module.enumerations.size())};
  for (const EnumDecl::Literal &literal : decl.literals) {
    made.literals.push_back(literal.name);
    literals.try_emplace(literal.name.index(), sort);
  }
  enumSorts.try_emplace(made.name.index(), sort);
  module.enumerations.push_back(std::move(made));
}

std::string DataLowering::sortText(Sort sort) const {
  if (sort.isEnum())
    return module.text(module.enumerations[sort.enumIndex()].name).str();
  return sort == boolSort     ? "bool"
         : sort == intSort    ? "int"
         : sort == stringSort ? "string"
                              : "unknown";
}

/// The sort of `variable : sort`.
Sort DataLowering::sortOf(const Argument &argument) {
  StringRef text = module.text(argument.sort);
  auto it = enumSorts.find(argument.sort.index());
  if (text == "int")
    return intSort;
  if (text == "bool")
    return boolSort;
  if (text == "string")
    return stringSort;
  if (it != enumSorts.end())
    return it->second;
  SmallVector<StringRef> known = {"int", "bool", "string"};
  for (const Enumeration &e : module.enumerations)
    known.push_back(module.text(e.name));
  diags.report(place(argument.sortLine, argument.sortColumn),
               diag::unknown_sort)
          .guess(nearest(text, known))
      << text;
  return unknownSort;
}

ExprId DataLowering::declare(const Argument &argument, Sort sort) {
  if (isLiteral(argument.variable))
    diags.report(place(argument.line, argument.column), diag::redefinition)
        << "literal" << module.text(argument.variable);
  Expr expr{.op = ExprOp::Variable,
            .sort = sort,
            .name = argument.variable,
            .loc = location(argument.line, argument.column)};
  return module.addExpr(expr);
}

void DataLowering::fieldsOf(ArrayRef<Argument> arguments,
                            ArrayRef<ExprId> values,
                            SmallVectorImpl<Field> &fields) const {
  for (size_t i = 0; i < arguments.size(); ++i)
    fields.push_back({arguments[i].variable.empty()
                          ? module.intern("arg" + std::to_string(i + 1))
                          : arguments[i].variable,
                      module.expr(values[i]).sort});
}

static std::string fieldCount(size_t count) {
  return count == 0   ? "no fields"
         : count == 1 ? "1 field"
                      : std::to_string(count) + " fields";
}

/// A message has the same fields wherever it is exchanged.
void DataLowering::checkFields(MessageId message, ArrayRef<Field> fields,
                               uint32_t line, uint32_t column) {
  Message &m = module.messages[message.index()];
  llvm::SmallDenseSet<uint32_t, 8> names;
  for (const Field &field : fields)
    if (!names.insert(field.name.index()).second)
      diags.report(place(line, column), diag::redefinition)
          << "field" << module.text(field.name);
  // Operations without a partner match by name alone.
  uint64_t key = m.sender && m.receiver ? message.index()
                                        : uint64_t(1) << 32 | m.name.index();
  auto [entry, isNew] =
      firstUses.try_emplace(key, static_cast<uint32_t>(uses.size()));
  if (isNew) {
    // A message that another source brought in keeps its fields.
    SmallVector<Field, 1> known(m.fields.begin(), m.fields.end());
    bool seen = !known.empty();
    uses.push_back({line, column,
                    seen
                        ? std::move(known)
                        : SmallVector<Field, 1>(fields.begin(), fields.end())});
    if (!seen)
      m.fields.assign(fields.begin(), fields.end());
    if (!seen)
      return;
  }
  FirstUse &use = uses[entry->second];
  if (m.fields.empty())
    m.fields.assign(use.fields.begin(), use.fields.end());
  if (fields.size() != use.fields.size()) {
    diags.report(place(line, column), diag::payload_mismatch)
            .note(place(use.line, use.column), "it is first exchanged here")
        << module.text(m.name) << fieldCount(fields.size())
        << fieldCount(use.fields.size());
    return;
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    Sort before = use.fields[i].sort, now = fields[i].sort;
    if (before != now && before != unknownSort && now != unknownSort) {
      diags.report(place(line, column), diag::payload_mismatch)
              .note(place(use.line, use.column), "it is first exchanged here")
          << module.text(m.name)
          << "a field " + Twine(i + 1) + " of sort " + sortText(now)
          << sortText(before);
      return;
    }
    // A declared name is better than a made one.
    if (module.text(m.fields[i].name) == "arg" + std::to_string(i + 1))
      m.fields[i].name = fields[i].name;
  }
}

ExprId DataLowering::lowerCondition(ArrayRef<RawExpr> exprs,
                                    const Argument &argument,
                                    Variables variables) {
  ExprId id = lower(exprs, argument, variables);
  require(module.expr(id), boolSort, "a condition");
  return id;
}

void DataLowering::require(const Expr &operand, Sort sort, const char *what) {
  if (operand.sort != sort && operand.sort != unknownSort)
    diags.report(module.place(operand.loc), diag::sort_mismatch)
        << what << sortText(sort) << sortText(operand.sort);
}

/// Copies an expression into the module, with its names resolved and its sorts
/// checked. Operands stand before operators, so one pass does it.
ExprId DataLowering::lower(ArrayRef<RawExpr> exprs, const Argument &argument,
                           Variables variables) {
  size_t base = module.exprs.size();
  auto id = [&](uint32_t raw) { return ExprId(base + raw - argument.begin); };
  for (uint32_t i = argument.begin; i < argument.end; ++i) {
    const RawExpr &raw = exprs[i];
    Expr expr{.op = raw.op,
              .value = raw.value,
              .name = raw.name,
              .loc = location(raw.line, raw.column)};
    if (raw.lhs != RawExpr::none)
      expr.lhs = id(raw.lhs);
    if (raw.rhs != RawExpr::none)
      expr.rhs = id(raw.rhs);
    expr.sort =
        check(raw, expr.lhs ? &module.expr(expr.lhs) : nullptr,
              expr.rhs ? &module.expr(expr.rhs) : nullptr, expr, variables);
    module.addExpr(expr);
  }
  return ExprId(module.exprs.size() - 1);
}

/// The sort of an expression from those of its operands.
Sort DataLowering::check(const RawExpr &raw, const Expr *lhs, const Expr *rhs,
                         Expr &expr, Variables variables) {
  auto of = [](const Expr *operand) -> const Expr & {
    assert(operand && "the parser gives each operator its operands");
    return *operand;
  };
  const OperatorInfo &op = operatorInfo(raw.op);
  if (raw.op == ExprOp::Variable) {
    auto literal = literals.find(raw.name.index());
    if (literal == literals.end())
      return variables(raw);
    expr.op = ExprOp::EnumLiteral;
    return literal->second;
  }
  if (op.takes != unknownSort && op.operands)
    require(of(lhs), op.takes, "an operand");
  if (op.takes != unknownSort && op.operands == 2)
    require(of(rhs), op.takes, "an operand");
  // Both sides of an equation have one sort.
  if (op.takes == unknownSort && op.operands && of(lhs).sort != unknownSort)
    require(of(rhs), lhs->sort, "an operand");
  return op.makes;
}

void DataLowering::unknownVariable(const RawExpr &raw,
                                   SmallVectorImpl<StringRef> &known) {
  llvm::sort(known);
  diags.report(place(raw.line, raw.column), diag::unknown_variable)
          .guess(nearest(module.text(raw.name), known))
      << module.text(raw.name);
}
