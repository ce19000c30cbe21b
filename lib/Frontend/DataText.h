//===- DataText.h - Data in the textual languages -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What messages carry and what conditions say, as IOC and CP write them:
/// `m(x: int)`, `m(x + 1)`, `[x < 5]`. Reading gives expressions as written;
/// lowering gives names their meaning and checks sorts.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_FRONTEND_DATATEXT_H
#define CIF_LIB_FRONTEND_DATATEXT_H

#include "Lexer.h"
#include "llvm/ADT/DenseMap.h"

namespace cif {

/// An expression as written; operands come before it. Variables and literals of
/// enumerations are not told apart yet: both are Variable.
struct RawExpr {
  static constexpr uint32_t none = 0xffffffffu;
  ExprOp op = ExprOp::BoolLiteral;
  uint32_t lhs = none, rhs = none;
  int64_t value = 0;
  Name name;
  uint32_t line = 0, column = 0;
};

/// `variable : sort`, or an expression: [begin, end) of the expressions, root
/// last.
struct Argument {
  Name variable, sort;
  uint32_t begin = 0, end = 0;
  uint32_t line = 0, column = 0;
  uint32_t sortLine = 0, sortColumn = 0;
};

struct EnumDecl {
  Name name;
  uint32_t line = 0, column = 0;
  struct Literal {
    Name name;
    uint32_t line, column;
  };
  std::vector<Literal> literals;
};

class DataParser {
public:
  DataParser(Lexer &lexer, StringTable &strings, std::vector<RawExpr> &exprs)
      : lexer(lexer), strings(strings), exprs(exprs) {}

  /// Operator precedence with stacks of our own. Ends at the first token that
  /// cannot go on; the caller says what should have been there. False: an error
  /// was reported, as below.
  bool parseExpr(Argument &into);
  /// `[expr]`
  bool parseCondition(Argument &into);
  /// `( [argument {, argument}] )`, which begins here.
  bool parsePayload(std::vector<Argument> &into);
  /// `literal {, literal} }` of an enumeration whose block opened at \p brace;
  /// \p define is told of each.
  void parseLiterals(EnumDecl &into, const Token &brace,
                     function_ref<void(Name, const Token &)> define);

private:
  uint32_t newExpr(ExprOp op, const Token &at, uint32_t lhs = RawExpr::none,
                   uint32_t rhs = RawExpr::none);
  bool parseOperand();
  void applyOperator();
  void parseArgument(std::vector<Argument> &into, bool isFirst);

  Lexer &lexer;
  StringTable &strings;
  std::vector<RawExpr> &exprs;
  struct PendingOperator {
    ExprOp op;
    int precedence; ///< 0: an open parenthesis
    Token at;
  };
  std::vector<PendingOperator> operators;
  std::vector<uint32_t> values;
};

/// Gives names their meaning and checks sorts.
class DataLowering {
public:
  DataLowering(Module &module, SourceId source, DiagnosticEngine &diags)
      : module(module), source(source), diags(diags) {}

  void addEnumeration(const EnumDecl &decl);
  /// Whether a name is a literal of an enumeration.
  bool isLiteral(Name name) const { return literals.count(name.index()); }

  std::string sortText(Sort sort) const;
  /// The sort of `variable : sort`; unknownSort after an error.
  Sort sortOf(const Argument &argument);

  /// What a variable is, by its name; an error was reported where it is
  /// unknownSort.
  using Variables = function_ref<Sort(const RawExpr &)>;
  /// An expression of \p exprs in the module.
  ExprId lower(ArrayRef<RawExpr> exprs, const Argument &argument,
               Variables variables);
  ExprId lowerCondition(ArrayRef<RawExpr> exprs, const Argument &argument,
                        Variables variables);
  /// The fields of a payload with these values.
  void fieldsOf(ArrayRef<Argument> arguments, ArrayRef<ExprId> values,
                SmallVectorImpl<Field> &fields) const;
  /// The variable that `variable : sort` declares.
  ExprId declare(const Argument &argument, Sort sort);
  /// A message has the same fields wherever it is exchanged.
  void checkFields(MessageId message, ArrayRef<Field> fields, uint32_t line,
                   uint32_t column);
  Place place(uint32_t line, uint32_t column) const {
    return module.place({source, line, column, Name()});
  }
  Location location(uint32_t line, uint32_t column) const {
    return {source, line, column, Name()};
  }
  /// Says that there is no variable of this name; \p known: those there are.
  void unknownVariable(const RawExpr &raw, SmallVectorImpl<StringRef> &known);

private:
  Sort check(const RawExpr &raw, const Expr *lhs, const Expr *rhs, Expr &expr,
             Variables variables);
  void require(const Expr &operand, Sort sort, const char *what);

  Module &module;
  SourceId source;
  DiagnosticEngine &diags;
  llvm::DenseMap<uint32_t, Sort> literals, enumSorts;
  /// Where a message's fields were first said; key: message, or the name of an
  /// operation without a partner.
  struct FirstUse {
    uint32_t line = 0, column = 0;
    SmallVector<Field, 1> fields;
  };
  llvm::DenseMap<uint64_t, uint32_t> firstUses;
  std::vector<FirstUse> uses;
};

} // namespace cif

#endif
