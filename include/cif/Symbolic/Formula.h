//===- Formula.h - Terms and formulas over data ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Expressions of several modules in one place: shared nodes, variables that
/// know whose they are, sorts that do not depend on a module. Symbolic
/// transition graphs are made of these; no solver is needed for them.
///
/// Integers are those of mathematics. `/` and `%` are those of SMT-LIB (the
/// remainder is never negative), by a constant other than 0. Strings and
/// literals of enumerations are numbered and only compared.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SYMBOLIC_FORMULA_H
#define CIF_SYMBOLIC_FORMULA_H

#include "cif/IR/Module.h"
#include <map>
#include <optional>
#include <tuple>

namespace cif {

using FormulaId = Id<struct FormulaTag>;
using VariableId = Id<struct VariableTag>;

/// The sort of a value: three fixed ones, then the pool's enumerations.
struct DataSort {
  uint32_t value = 1;
  static constexpr uint32_t firstEnum = 3;
  bool isEnum() const { return value >= firstEnum; }
  auto operator<=>(const DataSort &) const = default;
};
inline constexpr DataSort boolData{0}, intData{1}, stringData{2};

struct DataVariable {
  std::string name;  ///< as the source has it
  std::string owner; ///< whose it is: a participant, or ""
  DataSort sort;
};

/// A value; of a truth value 0 or 1, of strings and literals their number.
using DataNumber = int64_t;
/// A model may have texts that no literal names: these, in any order.
constexpr DataNumber firstOtherText = DataNumber(1) << 32;
using Valuation = std::map<VariableId, DataNumber>;
using Substitution = std::map<VariableId, FormulaId>;

class FormulaPool {
public:
  struct Node {
    ExprOp op;
    DataSort sort;
    FormulaId lhs, rhs;
    /// Of literals; of a Variable its number.
    int64_t value = 0;
    auto operator<=>(const Node &) const = default;
  };

  FormulaPool();

  const Node &operator[](FormulaId id) const { return nodes[id.index()]; }
  const DataVariable &variable(VariableId id) const {
    return variables[id.index()];
  }
  size_t numVariables() const { return variables.size(); }
  /// Always a new one, whatever its name.
  VariableId makeVariable(StringRef name, StringRef owner, DataSort sort);
  /// The pool's sort for that of a module; nothing: unknown.
  std::optional<DataSort> sort(const Module &module, Sort sort);
  /// The literals of an enumeration, as their numbers.
  ArrayRef<uint32_t> literals(DataSort sort) const {
    return enumerations[sort.value - DataSort::firstEnum];
  }
  /// The number of a string or of a literal of an enumeration, by its text.
  uint32_t literal(StringRef text);
  size_t numLiterals() const { return literalTexts.size(); }
  StringRef literalText(uint32_t number) const { return literalTexts[number]; }

  /// A number that no literal has.
  uint32_t anotherLiteral() const { return UINT32_MAX; }
  /// The strings that \p id is made of: variables and literals.
  std::vector<FormulaId> stringsIn(FormulaId id) const;

  FormulaId truth(bool value) const { return value ? isTrue : isFalse; }
  bool is(FormulaId id, bool value) const { return id == truth(value); }
  bool isLiteral(FormulaId id) const {
    return (*this)[id].op < ExprOp::Variable;
  }
  /// A literal: an integer, a truth value, or the number of a text.
  FormulaId number(int64_t value, DataSort sort = intData);
  /// The formula that is this variable.
  FormulaId var(VariableId id);
  /// With what is obvious simplified.
  FormulaId make(ExprOp op, FormulaId lhs, FormulaId rhs = {});
  FormulaId conjunction(FormulaId a, FormulaId b) {
    return make(ExprOp::And, a, b);
  }
  FormulaId negation(FormulaId a) { return make(ExprOp::Not, a); }

  /// Formulas that together say the same as \p id, in their order; implications
  /// of several are taken apart.
  std::vector<FormulaId> conjuncts(FormulaId id);
  /// The same formula as a conjunction in which nothing stands twice: what
  /// follows from `p` and from `!p` needs neither. Keeps predicates small that
  /// are made of each other.
  FormulaId normalized(FormulaId id);

  /// The expression with each name replaced by the variable that \p lookUp
  /// gives. Nothing, and why, where it cannot be followed: a text that was not
  /// understood, an unknown variable, a division by no constant.
  std::optional<FormulaId>
  import(const Module &module, ExprId root,
         function_ref<std::optional<VariableId>(Name)> lookUp,
         std::string &why);

  /// The formula with each of these variables replaced, all at the same time.
  FormulaId substitute(FormulaId id, const Substitution &by);
  /// Adds the variables of \p id, in their order.
  void collect(FormulaId id, std::vector<VariableId> &into) const;
  /// The value; nothing: overflow, or a variable without a value.
  std::optional<DataNumber> evaluate(FormulaId id,
                                     const Valuation &values) const;
  /// In the language of guards. \p nameOf: null takes the variables' names.
  std::string
  text(FormulaId id,
       function_ref<std::string(VariableId)> nameOf = nullptr) const;
  /// `owner.name`.
  std::string qualifiedName(VariableId id) const;
  std::string valueText(DataNumber value, DataSort sort) const;
  /// For a text that no literal names; no two have the same.
  std::string otherText(DataNumber value) const;
  /// All numbers that occur as literals of sort int.
  std::vector<int64_t> constants() const;

  /// Every node below \p id and itself, operands first.
  std::vector<FormulaId> below(FormulaId id) const;

private:
  FormulaId add(Node node);
  FormulaId simplified(ExprOp op, FormulaId lhs, FormulaId rhs) const;

  std::vector<Node> nodes;
  std::map<Node, FormulaId> numbers;
  std::vector<DataVariable> variables;
  std::vector<std::vector<uint32_t>> enumerations;
  std::vector<std::string> literalTexts;
  std::map<std::string, uint32_t, std::less<>> literalNumbers;
  FormulaId isTrue, isFalse;
};

} // namespace cif

#endif
