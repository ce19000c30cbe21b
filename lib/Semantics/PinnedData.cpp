//===- PinnedData.cpp - Data with given values ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Messages carry a few given values. An expression is then a table: its value
/// for each combination of the values that its variables may have. Nothing is
/// assumed of operators, so that products and remainders are followed too.
/// Where a result does not fit into 64 bits, or a divisor is 0, a guard is not
/// passed and nothing is sent. Nor is an integer that no message may carry.
///
//===----------------------------------------------------------------------===//

#include "Data/Data.h"
#include "cif/IR/Operators.h"

using namespace cif;

static constexpr size_t maxCombinations = 4096, maxPinned = 64;
/// What no field carries: the result of a computation that leads elsewhere.
static constexpr DataValue elsewhere = firstSubset - 1;

std::string cif::pinnedText(Sort sort, const PinnedValue &value) {
  return sort == boolSort     ? value.number ? "true" : "false"
         : sort == intSort    ? std::to_string(value.number)
         : sort == stringSort ? "'" + value.text + "'"
                              : value.text;
}

DataValue DataModel::pinnedValue(Sort sort, const PinnedValue &value) {
  if (sort == boolSort)
    return value.number ? trueValue : falseValue;
  auto [at, isNew] = pinnedOf.try_emplace(pinnedText(sort, value), anyValue);
  if (isNew)
    at->second = newValue(at->first, value.number);
  return at->second;
}

bool DataModel::addPinned(const Use &use, uint32_t field,
                          ArrayRef<DataValue> more) {
  auto [at, isNew] = fieldDomains.try_emplace(
      {module.message(use.message).name, field}, noData);
  std::vector<DataValue> all(more);
  if (!isNew)
    llvm::append_range(all, domains[at->second]);
  uint32_t domain = domainOfValues(std::move(all));
  if (domain == at->second || domains[domain].size() > maxPinned)
    return false;
  at->second = domain;
  return true;
}

/// Each variable may have what the fields carry that give it its value.
void DataModel::pinVariables() {
  std::vector<std::vector<DataValue>> all(variables.size());
  for (const Use &use : uses)
    for (uint32_t field = 0, end = numFields(use); field < end; ++field)
      if (auto found =
              fieldDomains.find({module.message(use.message).name, field});
          found != fieldDomains.end())
        forBound(use, field, [&](Name name) {
          llvm::append_range(all[variable(use.behaviour, name)],
                             domains[found->second]);
        });
  for (size_t v = 0; v < variables.size(); ++v)
    variables[v].domain =
        all[v].empty() ? noData : domainOfValues(std::move(all[v]));
}

/// Adds what is computed from what is known by now. False: that is all.
bool DataModel::pinComputed() {
  bool changed = false;
  for (const Use &use : uses) {
    const Behaviour &graph = module.behaviours[use.behaviour];
    const Node &node = graph.node(use.node);
    if (!use.sends || use.isReply || node.flags & BindsArguments)
      continue;
    for (uint32_t field = 0; field < node.numArguments; ++field) {
      uint32_t program = compilePinned(
          use.behaviour, graph.arguments[node.firstArgument + field], false);
      if (program == noData)
        continue;
      std::vector<DataValue> results = std::move(tables.back().results);
      programs.pop_back();
      tables.pop_back();
      llvm::erase(results, elsewhere);
      changed |= !results.empty() && addPinned(use, field, results);
    }
  }
  return changed;
}

void DataModel::pin(const PinnedData &pins) {
  for (const Use &use : uses)
    for (uint32_t field = 0, end = numFields(use); field < end; ++field) {
      auto found = pins.fields.find(
          {module.text(module.message(use.message).name).str(), field});
      if (found == pins.fields.end())
        continue;
      std::vector<DataValue> values;
      for (const PinnedValue &value : found->second)
        values.push_back(pinnedValue(fieldSort(use, field), value));
      addPinned(use, field, values);
    }
  constexpr unsigned maxRounds = 16; // of values that are computed from others
  pinVariables();
  for (unsigned round = 0; round < maxRounds && pinComputed(); ++round)
    pinVariables();
}

/// The operator applied to its operands, of which a unary one has the first.
/// Nothing: it has no value, or none of 64 bits.
static std::optional<int64_t> compute(ExprOp op, const PinnedValue &l,
                                      const PinnedValue &r) {
  if (op == ExprOp::Equal || op == ExprOp::NotEqual) // of texts, too
    return (l == r) == (op == ExprOp::Equal);
  return applyOperator(op, l.number, r.number);
}

/// The value of the last of \p order, in which operands come first; texts and
/// literals as labels show them. Nothing: it has none.
std::optional<PinnedValue>
DataModel::evaluatePinned(uint32_t behaviour, ArrayRef<ExprId> order,
                          function_ref<DataValue(uint32_t)> valueOf,
                          Sort &sort) const {
  llvm::DenseMap<uint32_t, PinnedValue> made;
  for (ExprId id : order) {
    const Expr &e = module.expr(id);
    PinnedValue value;
    sort = operatorInfo(e.op).makes;
    switch (e.op) {
    case ExprOp::IntLiteral:
    case ExprOp::BoolLiteral:
      value.number = e.value;
      break;
    case ExprOp::StringLiteral:
    case ExprOp::EnumLiteral:
      if (sort == unknownSort)
        sort = e.sort;
      value.text = pinnedText(sort, {0, module.text(e.name).str()});
      break;
    case ExprOp::Variable: {
      uint32_t v = variable(behaviour, e.name);
      DataValue known = valueOf(v);
      sort = variables[v].sort;
      if (known < firstLiteral)
        value.number = known == trueValue;
      else if (sort == intSort)
        value.number = values[known - firstLiteral].second;
      else
        value.text = values[known - firstLiteral].first;
      break;
    }
    default: {
      static const PinnedValue none;
      auto result = compute(e.op, e.lhs ? made[e.lhs.raw()] : none,
                            e.rhs ? made[e.rhs.raw()] : none);
      if (!result)
        return std::nullopt;
      value.number = *result;
    }
    }
    made[id.raw()] = std::move(value);
  }
  return made[order.back().raw()];
}

uint32_t DataModel::compilePinned(uint32_t behaviour, ExprId root,
                                  bool wantsBool) {
  std::vector<ExprId> order;
  SmallVector<std::pair<ExprId, bool>, 8> work{{root, false}};
  std::set<uint32_t> seen;
  Program program;
  size_t combinations = 1;
  Table table;
  while (!work.empty()) {
    auto [at, operandsDone] = work.pop_back_val();
    if (operandsDone) {
      order.push_back(at);
      continue;
    }
    if (!seen.insert(at.raw()).second)
      continue;
    const Expr &e = module.expr(at);
    if (e.op == ExprOp::Opaque)
      return noData; // a free choice, whatever the data
    work.push_back({at, true});
    for (ExprId operand : {e.lhs, e.rhs})
      if (operand)
        work.push_back({operand, false});
    if (e.op != ExprOp::Variable)
      continue;
    uint32_t v = variable(behaviour, e.name);
    if (v == noData || variables[v].domain == noData)
      return noData;
    if (llvm::is_contained(program.variables, v))
      continue;
    program.variables.push_back(v);
    program.code.push_back({ExprOp::Variable, v});
    table.operands.push_back(variables[v].domain);
    combinations *= domains[variables[v].domain].size();
    if (combinations > maxCombinations)
      return noData;
  }
  std::vector<DataValue> now(program.variables.size());
  for (size_t c = 0; c < combinations; ++c) {
    size_t rest = c;
    for (size_t i = now.size(); i-- > 0;) {
      ArrayRef<DataValue> domain = domains[table.operands[i]];
      now[i] = domain[rest % domain.size()];
      rest /= domain.size();
    }
    auto valueOf = [&](uint32_t v) {
      return now[llvm::find(program.variables, v) - program.variables.begin()];
    };
    Sort sort = boolSort;
    auto value = evaluatePinned(behaviour, order, valueOf, sort);
    if (value && wantsBool && sort != boolSort)
      return noData;
    if (value && !wantsBool && sort == intSort &&
        !pinned->mayCarry(value->number))
      value.reset();
    if (value && sort != boolSort && sort != intSort) {
      auto known = pinnedOf.try_emplace(value->text, anyValue);
      if (known.second)
        known.first->second = newValue(value->text, 0);
      table.results.push_back(known.first->second);
      continue;
    }
    table.results.push_back(value       ? pinnedValue(sort, *value)
                            : wantsBool ? falseValue
                                        : elsewhere);
  }
  program.code.push_back(
      {ExprOp::Opaque, static_cast<uint32_t>(tables.size())});
  tables.push_back(std::move(table));
  programs.push_back(std::move(program));
  return programs.size() - 1;
}
