//===- Formula.cpp - Terms and formulas over data -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Formula.h"
#include "cif/IR/Names.h"
#include "cif/IR/Operators.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

FormulaPool::FormulaPool() {
  isFalse = add({ExprOp::BoolLiteral, boolData, {}, {}, 0});
  isTrue = add({ExprOp::BoolLiteral, boolData, {}, {}, 1});
}

VariableId FormulaPool::makeVariable(StringRef name, StringRef owner,
                                     DataSort sort) {
  variables.push_back({name.str(), owner.str(), sort});
  return VariableId(variables.size() - 1);
}

uint32_t FormulaPool::literal(StringRef text) {
  auto [at, isNew] =
      literalNumbers.try_emplace(text.str(), literalTexts.size());
  if (isNew)
    literalTexts.push_back(text.str());
  return at->second;
}

std::optional<DataSort> FormulaPool::sort(const Module &module, Sort sort) {
  if (sort == boolSort)
    return boolData;
  if (sort == intSort)
    return intData;
  if (sort == stringSort)
    return stringData;
  if (!sort.isEnum() || module.enumerations[sort.enumIndex()].literals.empty())
    return std::nullopt;
  std::vector<uint32_t> values;
  for (Name name : module.enumerations[sort.enumIndex()].literals)
    values.push_back(literal(module.text(name)));
  llvm::sort(values);
  auto at = llvm::find(enumerations, values);
  if (at == enumerations.end())
    at = enumerations.insert(at, values);
  return DataSort{
      static_cast<uint32_t>(DataSort::firstEnum + (at - enumerations.begin()))};
}

FormulaId FormulaPool::add(Node node) {
  auto [at, isNew] = numbers.try_emplace(node, FormulaId(nodes.size()));
  if (isNew)
    nodes.push_back(node);
  return at->second;
}

FormulaId FormulaPool::number(int64_t value, DataSort sort) {
  if (sort == boolData)
    return truth(value);
  return add({sort == intData      ? ExprOp::IntLiteral
              : sort == stringData ? ExprOp::StringLiteral
                                   : ExprOp::EnumLiteral,
              sort,
              {},
              {},
              value});
}

FormulaId FormulaPool::var(VariableId id) {
  return add({ExprOp::Variable, variable(id).sort, {}, {}, id.index()});
}

std::vector<FormulaId> FormulaPool::stringsIn(FormulaId id) const {
  std::vector<FormulaId> found = below(id);
  llvm::erase_if(found,
                 [&](FormulaId f) { return (*this)[f].sort != stringData; });
  return found;
}

/// What an operation on these operands obviously is; empty: itself.
FormulaId FormulaPool::simplified(ExprOp op, FormulaId lhs,
                                  FormulaId rhs) const {
  switch (op) {
  case ExprOp::Not:
    if (is(lhs, true) || is(lhs, false))
      return truth(is(lhs, false));
    return (*this)[lhs].op == ExprOp::Not ? (*this)[lhs].lhs : FormulaId();
  case ExprOp::And:
  case ExprOp::Or: {
    bool unit = op == ExprOp::And; // and its opposite absorbs
    if (is(lhs, !unit) || is(rhs, !unit))
      return truth(!unit);
    if (is(lhs, unit) || lhs == rhs)
      return rhs;
    return is(rhs, unit) ? lhs : FormulaId();
  }
  case ExprOp::Implies:
    if (is(lhs, false) || is(rhs, true) || lhs == rhs)
      return isTrue;
    return is(lhs, true) ? rhs : FormulaId();
  case ExprOp::Equal:
  case ExprOp::NotEqual:
    if (lhs == rhs)
      return truth(op == ExprOp::Equal);
    if (isLiteral(lhs) && isLiteral(rhs)) // of enumerations: by their names
      return truth(((*this)[lhs].value == (*this)[rhs].value) ==
                   (op == ExprOp::Equal));
    for (FormulaId side : {lhs, rhs}) // anotherLiteral() equals nothing
      if ((*this)[side].op == ExprOp::StringLiteral &&
          (*this)[side].value == anotherLiteral())
        return truth(op == ExprOp::NotEqual);
    return {};
  case ExprOp::Less:
  case ExprOp::LessEqual:
  case ExprOp::Greater:
  case ExprOp::GreaterEqual:
    if (isLiteral(lhs) && isLiteral(rhs))
      return truth(*applyOperator(op, (*this)[lhs].value, (*this)[rhs].value));
    return {};
  default:
    return {};
  }
}

FormulaId FormulaPool::make(ExprOp op, FormulaId lhs, FormulaId rhs) {
  if (FormulaId known = simplified(op, lhs, rhs))
    return known;
  if ((op == ExprOp::And || op == ExprOp::Or) && rhs == negation(lhs))
    return truth(op == ExprOp::Or);
  if (op == ExprOp::Not) { // comparisons have an opposite
    Node of = (*this)[lhs];
    static const std::pair<ExprOp, ExprOp> opposites[] = {
        {ExprOp::Less, ExprOp::GreaterEqual},
        {ExprOp::LessEqual, ExprOp::Greater},
        {ExprOp::Equal, ExprOp::NotEqual}};
    for (auto [a, b] : opposites)
      if (of.op == a || of.op == b)
        return make(of.op == a ? b : a, of.lhs, of.rhs);
  }
  bool isInt = operatorInfo(op).makes == intSort;
  return add({op, isInt ? intData : boolData, lhs, rhs, 0});
}

std::vector<FormulaId> FormulaPool::below(FormulaId id) const {
  std::vector<FormulaId> found{id};
  llvm::DenseMap<uint32_t, bool> seen;
  seen[id.index()] = true;
  for (size_t i = 0; i < found.size(); ++i) {
    const Node node = (*this)[found[i]];
    for (FormulaId operand : {node.lhs, node.rhs})
      if (operand && seen.try_emplace(operand.index(), true).second)
        found.push_back(operand);
  }
  llvm::sort(found); // operands are made before what they are part of
  return found;
}

std::vector<FormulaId> FormulaPool::conjuncts(FormulaId id) {
  std::vector<FormulaId> found, work{id};
  while (!work.empty()) {
    FormulaId at = work.back();
    work.pop_back();
    const Node node = (*this)[at];
    const Node then = node.op == ExprOp::Implies ? (*this)[node.rhs] : node;
    if (node.op == ExprOp::And) {
      work.push_back(node.rhs);
      work.push_back(node.lhs);
    } else if (node.op == ExprOp::Implies && then.op == ExprOp::And) {
      work.push_back(make(ExprOp::Implies, node.lhs, then.rhs));
      work.push_back(make(ExprOp::Implies, node.lhs, then.lhs));
    } else if (!is(at, true)) {
      found.push_back(at);
    }
  }
  llvm::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

FormulaId FormulaPool::normalized(FormulaId id) {
  // By what follows: all premises that it follows from.
  std::map<FormulaId, std::vector<FormulaId>> premises;
  for (FormulaId part : conjuncts(id)) {
    const Node node = (*this)[part];
    bool implies = node.op == ExprOp::Implies;
    std::vector<FormulaId> &own = premises[implies ? node.rhs : part];
    FormulaId premise = implies ? node.lhs : isTrue;
    if (llvm::is_contained(own, negation(premise)))
      premise = isTrue;
    if (is(premise, true))
      own.clear();
    if (own.empty() || !is(own[0], true))
      own.push_back(premise);
  }
  FormulaId all = isTrue;
  for (const auto &[then, own] : premises) {
    FormulaId premise = isFalse;
    for (FormulaId each : own)
      premise = make(ExprOp::Or, premise, each);
    all = conjunction(all, make(ExprOp::Implies, premise, then));
  }
  return all;
}

std::optional<FormulaId>
FormulaPool::import(const Module &module, ExprId root,
                    function_ref<std::optional<VariableId>(Name)> lookUp,
                    std::string &why) {
  std::vector<ExprId> order = partsOf(module, root);
  llvm::sort(order); // operands come first
  llvm::DenseMap<uint32_t, FormulaId> made;
  for (ExprId id : order) {
    const Expr &e = module.expr(id);
    FormulaId result, lhs, rhs;
    if (e.lhs)
      lhs = made[e.lhs.index()];
    if (e.rhs)
      rhs = made[e.rhs.index()];
    switch (e.op) {
    case ExprOp::IntLiteral:
      result = number(e.value);
      break;
    case ExprOp::BoolLiteral:
      result = truth(e.value);
      break;
    case ExprOp::StringLiteral:
      result = number(literal(module.text(e.name)), stringData);
      break;
    case ExprOp::EnumLiteral: {
      std::optional<DataSort> own = sort(module, e.sort);
      if (!own) {
        why = ("'" + module.text(e.name) + "' is of no enumeration").str();
        return std::nullopt;
      }
      result = number(literal(module.text(e.name)), *own);
      break;
    }
    case ExprOp::Variable: {
      std::optional<VariableId> known = lookUp(e.name);
      if (!known) {
        why =
            ("no message carries '" + module.text(e.name) + "' a value").str();
        return std::nullopt;
      }
      result = var(*known);
      break;
    }
    case ExprOp::Opaque:
      why = "it is not understood";
      return std::nullopt;
    case ExprOp::Divide:
    case ExprOp::Modulo: {
      std::optional<DataNumber> by; // `-2` is a constant, too
      if ((*this)[rhs].sort == intData)
        by = evaluate(rhs, {});
      if (!by || !*by) {
        why = by ? "it divides by 0"
                 : "it divides by something other than a constant";
        return std::nullopt;
      }
      rhs = number(*by);
    }
      [[fallthrough]];
    default: {
      DataSort a = (*this)[lhs].sort, b = rhs ? (*this)[rhs].sort : a;
      const Sort takes = operatorInfo(e.op).takes;
      DataSort wanted = takes == intSort ? intData : boolData;
      // Literals of all enumerations share one space of names.
      bool fits = takes == unknownSort ? a == b || (a.isEnum() && b.isEnum())
                                       : a == wanted && b == wanted;
      if (!fits) {
        why = "it compares values of different sorts";
        return std::nullopt;
      }
      result = make(e.op, lhs, rhs);
    }
    }
    made[id.index()] = result;
  }
  return made[root.index()];
}

FormulaId FormulaPool::substitute(FormulaId id, const Substitution &by) {
  if (by.empty())
    return id;
  llvm::DenseMap<uint32_t, FormulaId> made;
  for (FormulaId at : below(id)) {
    Node node = (*this)[at]; // a copy: making others moves it
    FormulaId result = at;
    if (node.op == ExprOp::Variable) {
      auto found = by.find(VariableId(node.value));
      if (found != by.end())
        result = found->second;
    } else if (node.lhs) {
      FormulaId lhs = made[node.lhs.index()];
      FormulaId rhs = node.rhs ? made[node.rhs.index()] : FormulaId();
      if (lhs != node.lhs || rhs != node.rhs)
        result = make(node.op, lhs, rhs);
    }
    made[at.index()] = result;
  }
  return made[id.index()];
}

void FormulaPool::collect(FormulaId id, std::vector<VariableId> &into) const {
  for (FormulaId at : below(id))
    if ((*this)[at].op == ExprOp::Variable)
      into.push_back(VariableId((*this)[at].value));
  llvm::sort(into);
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

std::optional<DataNumber> FormulaPool::evaluate(FormulaId id,
                                                const Valuation &values) const {
  llvm::DenseMap<uint32_t, DataNumber> made;
  for (FormulaId at : below(id)) {
    const Node &node = (*this)[at];
    if (node.op == ExprOp::Variable) {
      auto found = values.find(VariableId(node.value));
      if (found == values.end())
        return std::nullopt;
      made[at.index()] = found->second;
    } else if (!node.lhs) {
      made[at.index()] = node.value;
    } else {
      DataNumber lhs = made[node.lhs.index()];
      DataNumber rhs = node.rhs ? made[node.rhs.index()] : 0;
      std::optional<DataNumber> result = applyOperator(node.op, lhs, rhs);
      if (!result)
        return std::nullopt;
      made[at.index()] = *result;
    }
  }
  return made[id.index()];
}

std::string FormulaPool::qualifiedName(VariableId id) const {
  const DataVariable &v = variable(id);
  return (v.owner.empty() ? "" : quoted(v.owner) + ".") + quoted(v.name);
}

std::string FormulaPool::otherText(DataNumber value) const {
  // Where nothing depends on a text, it is number 0, literal or not.
  std::string text = value < firstOtherText ? "any text" : "any other text";
  DataNumber number = value < firstOtherText ? value : value - firstOtherText;
  if (number)
    text += " (" + std::to_string(number + 1) + ")";
  while (llvm::is_contained(literalTexts, text))
    text += "*";
  return text;
}

std::string FormulaPool::valueText(DataNumber value, DataSort sort) const {
  if (sort == boolData)
    return value ? "true" : "false";
  if (sort == intData)
    return std::to_string(value);
  if (value < 0 || static_cast<uint64_t>(value) >= literalTexts.size())
    return otherText(value);
  return sort == stringData ? quoteAlways(literalTexts[value])
                            : quoted(literalTexts[value]);
}

std::string
FormulaPool::text(FormulaId id,
                  function_ref<std::string(VariableId)> nameOf) const {
  auto nodeOf = [&](FormulaId at) -> const Node & { return (*this)[at]; };
  return infixText(id, /*isLogic=*/true, nodeOf, [&](FormulaId at) {
    const Node &node = (*this)[at];
    if (node.op != ExprOp::Variable)
      return valueText(node.value, node.sort);
    VariableId v(node.value);
    return nameOf ? nameOf(v) : quoted(variable(v).name);
  });
}

std::vector<int64_t> FormulaPool::constants() const {
  std::vector<int64_t> found;
  for (const Node &node : nodes)
    if (node.op == ExprOp::IntLiteral)
      found.push_back(node.value);
  llvm::sort(found);
  return found;
}
