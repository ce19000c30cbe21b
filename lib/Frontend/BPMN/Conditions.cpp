//===- Conditions.cpp - Conditions in the usual expression languages ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Conditions in BPMN files are written in JUEL (`${x == 1}`), FEEL (`=x > 5`),
/// Java, XPath or plain words. What they have in common is read: comparisons,
/// boolean and integer operators over names and literals. Of Java also
/// `execution.getVariable("x")` and `x.equals("a")`, of FEEL also `x between 1
/// and 5`, `x in [1..5]`, `x in ("a", "b")` and, where a gateway is named after
/// a field, tests of that field: `> 5`, `[1..5]`, `"a", "b"`, `not(1)`. A text
/// that is anything else is kept as it is and not understood.
///
/// Operators are kept on a stack, so that nesting costs no recursion.
///
//===----------------------------------------------------------------------===//

#include "Bpmn.h"
#include "cif/IR/Names.h"
#include "cif/Support/Diagnostics/Data.h"

using namespace cif;
using namespace cif::bpmn;

namespace {

struct Operator {
  ExprOp op;
  uint8_t precedence; ///< 0: an open parenthesis
  bool unary;
};

class ConditionParser {
public:
  ConditionParser(StringRef text, Module &module, Location loc,
                  const FieldTable &fields, DiagnosticEngine &diags)
      : rest(text), module(module), loc(loc), fields(fields), diags(diags) {}

  /// The expression, or none when the text is not understood.
  ExprId parse();
  /// The same for tests that the field \p input is put to.
  ExprId parseTests(StringRef input);
  /// Whether every name is that of a field, and there is one.
  bool namesFields() const { return numFields > 0 && !namesOther; }

private:
  ExprId finish();
  bool operand();
  bool text();
  bool word();
  bool name(StringRef word);
  bool equals();
  /// `in` or `between` and what follows; good: whether it was understood.
  bool membership(bool &good);
  bool between(uint32_t left);
  bool tests(uint32_t left, char close);
  bool test(uint32_t left);
  bool range(uint32_t left);
  bool endpoint(uint32_t &into);
  /// Nobody compares a name with itself: it means something else there.
  bool isSame(uint32_t a, uint32_t b) const {
    return exprs[a].op == ExprOp::Variable && exprs[b].op == ExprOp::Variable &&
           texts[a] == texts[b];
  }
  /// The operator applied to two operands; its number is pushed.
  bool apply(ExprOp op, uint32_t left, uint32_t right) {
    operands.push_back(left);
    operands.push_back(right);
    operators.push_back({op, 4, false});
    return reduce();
  }
  /// Joins the topmost two operands.
  bool join(ExprOp op) {
    operators.push_back({op, 1, false});
    return reduce();
  }
  bool take(StringRef sign) {
    rest = rest.ltrim();
    return rest.consume_front(sign);
  }
  bool binary();
  bool reduce();
  bool reduceTo(unsigned precedence) {
    while (!operators.empty() && operators.back().precedence >= precedence)
      if (!reduce())
        return false;
    return true;
  }
  void push(Expr e, StringRef text = {}) {
    e.loc = loc;
    exprs.push_back(e);
    texts.push_back(text);
    operands.push_back(static_cast<uint32_t>(exprs.size() - 1));
  }
  /// Gives a name the sort that its use asks for.
  bool require(uint32_t index, Sort sort) {
    Expr &e = exprs[index];
    if (sort.isEnum() && e.sort != sort)
      return requireLiteral(index, sort);
    if (e.sort == unknownSort && e.op == ExprOp::Variable)
      e.sort = sort;
    return e.sort == sort;
  }
  bool requireLiteral(uint32_t index, Sort sort);
  /// Takes a word operator such as `and`.
  bool takeWord(StringRef word) {
    if (!rest.starts_with(word) ||
        (rest.size() > word.size() && isWordChar(rest[word.size()])))
      return false;
    rest = rest.drop_front(word.size());
    return true;
  }

  StringRef rest;
  Module &module;
  Location loc;
  const FieldTable &fields;
  DiagnosticEngine &diags;
  std::vector<Expr> exprs;
  std::vector<StringRef> texts; ///< of exprs; names go to the module at the end
  std::vector<uint32_t> operands;
  std::vector<Operator> operators;
  unsigned numFields = 0;
  bool namesOther = false;
};

} // namespace

/// Takes a text or a bare word for the literal that it names.
bool ConditionParser::requireLiteral(uint32_t index, Sort sort) {
  Expr &e = exprs[index];
  bool isText = e.op == ExprOp::StringLiteral ||
                (e.op == ExprOp::Variable && e.sort == unknownSort);
  if (!isText)
    return false;
  std::string values;
  for (Name literal : module.enumerations[sort.enumIndex()].literals) {
    if (module.text(literal) == texts[index]) {
      e.op = ExprOp::EnumLiteral;
      e.sort = sort;
      return true;
    }
    values += (values.empty() ? "" : ", ") + module.text(literal).str();
  }
  StringRef field;
  for (size_t i = 0; i < exprs.size(); ++i)
    if (exprs[i].op == ExprOp::Variable && exprs[i].sort == sort)
      field = texts[i];
  diags.report(module.place(loc), diag::condition_value)
      << field << texts[index] << values;
  return false;
}

bool ConditionParser::operand() {
  for (;;) {
    rest = rest.ltrim();
    if (rest.consume_front("("))
      operators.push_back({ExprOp::Not, 0, true});
    else if (!rest.starts_with("!=") &&
             (rest.consume_front("!") || takeWord("not")))
      operators.push_back({ExprOp::Not, 7, true});
    else if (rest.consume_front("-"))
      operators.push_back({ExprOp::Negate, 7, true});
    else
      break;
  }
  if (rest.empty())
    return false;
  if (rest[0] == '"' || rest[0] == '\'')
    return text() && (!rest.consume_front(".equals") || equals());
  return word();
}

/// A text in quotes, as it stands.
bool ConditionParser::text() {
  size_t close = rest.find(rest[0], 1);
  if (close == StringRef::npos || rest.take_front(close).contains('\\'))
    return false;
  Expr e{.op = ExprOp::StringLiteral, .sort = stringSort};
  push(e, rest.slice(1, close));
  rest = rest.drop_front(close + 1);
  return true;
}

/// `(...)` behind `x.equals`, with x the topmost operand.
bool ConditionParser::equals() {
  uint32_t left = operands.back(), right;
  operands.pop_back();
  return take("(") && endpoint(right) && take(")") &&
         apply(ExprOp::Equal, left, right);
}

bool ConditionParser::word() {
  StringRef found =
      rest.take_while([](char c) { return isWordChar(c) || c == '.'; });
  if (found.empty() || found.back() == '.')
    return false;
  rest = rest.drop_front(found.size());
  if (!rest.ltrim().starts_with("("))
    return name(found);
  if (found == "getVariable" || found.ends_with(".getVariable")) {
    take("(");
    rest = rest.ltrim();
    if ((!rest.starts_with("'") && !rest.starts_with("\"")) || !text())
      return false;
    StringRef variable = texts.back();
    exprs.pop_back();
    texts.pop_back();
    operands.pop_back();
    bool isName = !variable.empty() && llvm::all_of(variable, isWordChar) &&
                  !(variable[0] >= '0' && variable[0] <= '9');
    return isName && take(")") && name(variable) &&
           (!rest.consume_front(".equals") || equals());
  }
  // Any other call is a function that is not known.
  return found.consume_back(".equals") && name(found) && equals();
}

bool ConditionParser::name(StringRef word) {
  Expr e;
  if (word == "true" || word == "false") {
    e.op = ExprOp::BoolLiteral;
    e.sort = boolSort;
    e.value = word == "true";
  } else if (word[0] >= '0' && word[0] <= '9') {
    e.op = ExprOp::IntLiteral;
    e.sort = intSort;
    if (word == "9223372036854775808" && !operators.empty() &&
        operators.back().op == ExprOp::Negate) {
      e.value = INT64_MIN; // whose opposite does not fit
      operators.pop_back();
    } else if (word.getAsInteger(10, e.value)) {
      return false;
    }
  } else {
    e.op = ExprOp::Variable;
    if (auto field = fields.sorts.find(word); field != fields.sorts.end()) {
      e.sort = field->second;
      ++numFields;
    } else if (auto several = fields.ambiguous.find(word);
               several != fields.ambiguous.end()) {
      diags.report(module.place(loc), diag::condition_ambiguous)
          << word << several->second;
      return false;
    } else {
      namesOther = true;
    }
  }
  push(e, e.op == ExprOp::Variable ? word : StringRef());
  return true;
}

bool ConditionParser::binary() {
  // Longer spellings first.
  static const struct {
    const char *text;
    bool word;
    ExprOp op;
    uint8_t precedence;
  } table[] = {
      {"||", false, ExprOp::Or, 1},
      {"or", true, ExprOp::Or, 1},
      {"&&", false, ExprOp::And, 2},
      {"and", true, ExprOp::And, 2},
      {"===", false, ExprOp::Equal, 3},
      {"==", false, ExprOp::Equal, 3},
      {"eq", true, ExprOp::Equal, 3},
      {"!==", false, ExprOp::NotEqual, 3},
      {"!=", false, ExprOp::NotEqual, 3},
      {"<>", false, ExprOp::NotEqual, 3},
      {"ne", true, ExprOp::NotEqual, 3},
      {"<=", false, ExprOp::LessEqual, 4},
      {"le", true, ExprOp::LessEqual, 4},
      {">=", false, ExprOp::GreaterEqual, 4},
      {"ge", true, ExprOp::GreaterEqual, 4},
      {"<", false, ExprOp::Less, 4},
      {"lt", true, ExprOp::Less, 4},
      {">", false, ExprOp::Greater, 4},
      {"gt", true, ExprOp::Greater, 4},
      {"=", false, ExprOp::Equal, 3},
      {"+", false, ExprOp::Add, 5},
      {"-", false, ExprOp::Subtract, 5},
      {"*", false, ExprOp::Multiply, 6},
  };
  for (const auto &entry : table) {
    if (entry.word ? !takeWord(entry.text) : !rest.consume_front(entry.text))
      continue;
    if (!reduceTo(entry.precedence))
      return false;
    operators.push_back({entry.op, entry.precedence, false});
    return true;
  }
  return false;
}

bool ConditionParser::reduce() {
  Operator op = operators.back();
  operators.pop_back();
  if (op.precedence == 0 || operands.size() < (op.unary ? 1u : 2u))
    return false;
  Expr e{.op = op.op};
  uint32_t right = operands.back();
  operands.pop_back();
  if (op.unary) {
    e.sort = op.op == ExprOp::Not ? boolSort : intSort;
    e.lhs = ExprId(right);
    push(e);
    return require(right, e.sort);
  }
  uint32_t left = operands.back();
  operands.pop_back();
  e.lhs = ExprId(left);
  e.rhs = ExprId(right);
  e.sort = boolSort;
  bool good = true;
  switch (op.op) {
  case ExprOp::And:
  case ExprOp::Or:
    good = require(left, boolSort) && require(right, boolSort);
    break;
  case ExprOp::Equal:
  case ExprOp::NotEqual:
    if (exprs[left].sort.isEnum())
      good = require(right, exprs[left].sort);
    else if (exprs[right].sort.isEnum())
      good = require(left, exprs[right].sort);
    else if (exprs[left].sort == unknownSort)
      good =
          exprs[right].sort == unknownSort || require(left, exprs[right].sort);
    else
      good = require(right, exprs[left].sort);
    break;
  default: // comparisons and arithmetic are over integers
    good = require(left, intSort) && require(right, intSort);
    if (op.precedence >= 5)
      e.sort = intSort;
  }
  push(e);
  return good;
}

//===----------------------------------------------------------------------===//
// FEEL's tests
//===----------------------------------------------------------------------===//

bool ConditionParser::membership(bool &good) {
  rest = rest.ltrim();
  bool isBetween = takeWord("between");
  if (!isBetween && !takeWord("in"))
    return false;
  good = reduceTo(5) && !operands.empty();
  if (!good)
    return true;
  uint32_t left = operands.back();
  operands.pop_back();
  if (isBetween) {
    good = between(left);
    return true;
  }
  rest = rest.ltrim();
  // A list of tests; an open interval is one of them.
  StringRef before = rest;
  size_t exprsBefore = exprs.size();
  good = (rest.starts_with("(") || rest.starts_with("]")) && range(left);
  if (good)
    return true;
  rest = before;
  exprs.resize(exprsBefore);
  texts.resize(exprsBefore);
  good = take("(") ? tests(left, ')') : test(left);
  return true;
}

/// `a and b` behind `x between`.
bool ConditionParser::between(uint32_t left) {
  uint32_t low, high;
  if (!endpoint(low))
    return false;
  rest = rest.ltrim();
  return takeWord("and") && endpoint(high) &&
         apply(ExprOp::GreaterEqual, left, low) &&
         apply(ExprOp::LessEqual, left, high) && join(ExprOp::And);
}

/// Tests with commas between them, one of which has to be true, up to \p close
/// or to the end.
bool ConditionParser::tests(uint32_t left, char close) {
  bool isNot = false;
  if (!close) {
    rest = rest.ltrim();
    isNot = takeWord("not");
    if (isNot && !take("("))
      return false;
    if (isNot)
      close = ')';
  }
  for (bool first = true; first || take(","); first = false)
    if (!test(left) || (!first && !join(ExprOp::Or)))
      return false;
  if (close ? !take(StringRef(&close, 1)) : !rest.ltrim().empty())
    return false;
  if (!isNot)
    return true;
  operators.push_back({ExprOp::Not, 7, true});
  return rest.ltrim().empty() && reduce();
}

/// `< 5`, `[1..5]`, `"a"`.
bool ConditionParser::test(uint32_t left) {
  rest = rest.ltrim();
  if (rest.starts_with("[") || rest.starts_with("(") || rest.starts_with("]"))
    return range(left);
  static const std::pair<const char *, ExprOp> signs[] = {
      {"<=", ExprOp::LessEqual},    {"<", ExprOp::Less},
      {">=", ExprOp::GreaterEqual}, {">", ExprOp::Greater},
      {"!=", ExprOp::NotEqual},     {"=", ExprOp::Equal}};
  ExprOp op = ExprOp::Equal;
  for (auto [sign, meant] : signs)
    if (rest.consume_front(sign)) {
      op = meant;
      break;
    }
  uint32_t right;
  return endpoint(right) && !isSame(left, right) && apply(op, left, right);
}

/// `[1..5]`; a parenthesis or a bracket the other way round leaves the end out.
bool ConditionParser::range(uint32_t left) {
  bool closedLow = rest.starts_with("[");
  rest = rest.drop_front();
  uint32_t low, high;
  if (!endpoint(low) || !take("..") || !endpoint(high))
    return false;
  rest = rest.ltrim();
  bool closedHigh = rest.starts_with("]");
  if (!closedHigh && !rest.starts_with(")") && !rest.starts_with("["))
    return false;
  rest = rest.drop_front();
  return apply(closedLow ? ExprOp::GreaterEqual : ExprOp::Greater, left, low) &&
         apply(closedHigh ? ExprOp::LessEqual : ExprOp::Less, left, high) &&
         join(ExprOp::And);
}

/// A number, a text, a truth value or a name.
bool ConditionParser::endpoint(uint32_t &into) {
  size_t depth = operators.size(), count = operands.size();
  bool negative = take("-");
  rest = rest.ltrim();
  if (rest.starts_with("(") || rest.starts_with("!") || rest.starts_with("-"))
    return false;
  // The dots of a range do not belong to the number before them.
  StringRef word =
      rest.take_while([](char c) { return isWordChar(c) || c == '.'; });
  StringRef after = rest;
  size_t dots = word.find("..");
  if (dots != StringRef::npos)
    rest = rest.take_front(dots);
  bool good = operand();
  if (dots != StringRef::npos)
    rest = after.drop_front(dots);
  if (!good || operators.size() != depth || operands.size() != count + 1)
    return false;
  if (negative) {
    operators.push_back({ExprOp::Negate, 7, true});
    if (!reduce())
      return false;
  }
  into = operands.back();
  operands.pop_back();
  return true;
}

ExprId ConditionParser::parse() {
  for (;;) {
    if (!operand())
      return {};
    bool good = true;
    for (;;) {
      if (membership(good)) {
        if (!good)
          return {};
        continue;
      }
      if (!take(")"))
        break;
      if (!reduceTo(1) || operators.empty())
        return {};
      operators.pop_back(); // the open parenthesis
      // A unary operator in front of it binds at once.
      while (!operators.empty() && operators.back().unary &&
             operators.back().precedence)
        if (!reduce())
          return {};
    }
    if (rest.empty())
      break;
    if (!binary())
      return {};
  }
  return finish();
}

ExprId ConditionParser::parseTests(StringRef input) {
  Expr e{.op = ExprOp::Variable, .sort = fields.sorts.find(input)->second};
  push(e, input);
  uint32_t left = operands.back();
  operands.pop_back();
  if (rest == "-" || !tests(left, '\0'))
    return {};
  return finish();
}

/// Adds what was read to the module.
ExprId ConditionParser::finish() {
  if (!reduceTo(1) || !operators.empty() || operands.size() != 1 ||
      !require(operands[0], boolSort))
    return {};
  size_t base = module.exprs.size();
  for (size_t i = 0; i < exprs.size(); ++i) {
    Expr &e = exprs[i];
    e.name = module.intern(texts[i]);
    if (e.lhs)
      e.lhs = ExprId(base + e.lhs.index());
    if (e.rhs)
      e.rhs = ExprId(base + e.rhs.index());
    module.addExpr(e);
  }
  return ExprId(base + operands[0]);
}

ExprId bpmn::parseNamedCondition(StringRef text, Module &module, Location loc,
                                 const FieldTable &fields,
                                 DiagnosticEngine &diags) {
  // A word alone may be the name of a field and mean something else.
  if (text.find_first_of("=<>!&|") == StringRef::npos)
    return {};
  const size_t before = module.exprs.size();
  ConditionParser parser(text, module, loc, fields, diags);
  ExprId parsed = parser.parse();
  if (parsed && parser.namesFields())
    return parsed;
  module.exprs.resize(before);
  return {};
}

ExprId bpmn::parseCondition(StringRef text, Module &module, Location loc,
                            const FieldTable &fields, DiagnosticEngine &diags,
                            StringRef input) {
  text = text.trim();
  if (text.empty())
    return {};
  StringRef body = text;
  if ((body.starts_with("${") || body.starts_with("#{")) &&
      body.ends_with("}") && body.find('}') == body.size() - 1)
    body = body.drop_front(2).drop_back();
  else if (!body.starts_with("=="))
    body.consume_front("=");
  if (ExprId parsed =
          ConditionParser(body.trim(), module, loc, fields, diags).parse())
    return parsed;
  input = input.rtrim("? ");
  if (fields.sorts.count(input))
    if (ExprId parsed = ConditionParser(body.trim(), module, loc, fields, diags)
                            .parseTests(input))
      return parsed;
  Expr opaque{.op = ExprOp::Opaque,
              .sort = boolSort,
              .name = module.intern(text),
              .loc = loc};
  return module.addExpr(opaque);
}
