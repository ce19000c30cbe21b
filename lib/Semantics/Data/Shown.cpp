//===- Shown.cpp - Messages that show their values ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The participants of an exchange know what it carries; the others do not. In
/// graphs whose labels show the values (`Request(4)`), the part of a
/// participant is therefore what it can do with what it knows: it decides where
/// the values that it has seen determine the decision, and takes any branch
/// elsewhere.
///
/// A field is shown if a guard can depend on it, or if its value is passed on:
/// a participant that does not know a value can send another one. Each use of a
/// message shows the same fields. If a value cannot be tracked, the field is
/// hidden everywhere and counted.
///
//===----------------------------------------------------------------------===//

#include "Data.h"

using namespace cif;

/// Values of one message; more are not worth a label each.
static constexpr size_t maxShown = 4096;

/// Of each message the fields that are shown. Variables that are passed on
/// matter then, as those that guards read.
void DataModel::findShown() {
  std::set<std::pair<Name, uint32_t>> wanted, hidden;
  auto field = [&](const Use &use, uint32_t f) {
    return std::pair(module.message(use.message).name, f);
  };
  for (const Use &use : uses) {
    const Behaviour &graph = module.behaviours[use.behaviour];
    const Node &node = graph.node(use.node);
    if (!use.sends || use.isReply || node.flags & BindsArguments)
      continue;
    for (uint32_t f = 0; f < node.numArguments; ++f) {
      auto [at, isNew] =
          argumentOf.try_emplace({nodeKey(use.behaviour, use.node), f}, noData);
      if (isNew)
        at->second = compile(use.behaviour,
                             graph.arguments[node.firstArgument + f], false);
      wanted.insert(field(use, f));
      if (at->second == noData) {
        hidden.insert(field(use, f));
        continue;
      }
      for (uint32_t v : programs[at->second].variables)
        variables[v].matters = true;
    }
  }
  for (const Use &use : uses)
    for (uint32_t f = 0, end = numFields(use); f < end; ++f)
      if (pinned && fieldDomains.count(field(use, f)))
        wanted.insert(field(use, f));
  for (const Use &use : uses)
    for (uint32_t f = 0, end = numFields(use); f < end; ++f)
      forBound(use, f, [&](Name name) {
        if (variables[variable(use.behaviour, name)].matters)
          wanted.insert(field(use, f));
      });
  for (const Use &use : uses)
    for (uint32_t f = 0, end = numFields(use); f < end; ++f)
      if (wanted.count(field(use, f)) && domainOfField(use, f) == noData)
        hidden.insert(field(use, f));
  // Both ends of an exchange show the same, or they would never meet.
  for (const Use &use : uses)
    for (auto at = wanted.lower_bound(field(use, numFields(use)));
         at != wanted.end() && at->first == field(use, 0).first; ++at)
      hidden.insert(*at);
  for (const Use &use : uses) {
    size_t count = 1;
    for (uint32_t f = 0, end = numFields(use); f < end; ++f)
      if (auto at = field(use, f); wanted.count(at) && !hidden.count(at)) {
        count *= domains[domainOfField(use, f)].size();
        if (count > maxShown) {
          count = 1;
          hidden.insert(at);
        }
      }
  }
  for (const auto &at : wanted)
    if (!hidden.count(at))
      shownFields.insert(at);
  numHidden += hidden.size();
}

/// That the value of \p program is \p value.
uint32_t DataModel::isValue(uint32_t program, DataValue value) {
  auto [at, isNew] = valueTests.try_emplace({program, value}, programs.size());
  if (isNew) {
    Program test = programs[program];
    test.code.push_back({ExprOp::EnumLiteral, value});
    test.code.push_back({ExprOp::Equal, 0});
    programs.push_back(std::move(test));
  }
  return at->second;
}

std::string DataModel::valueText(DataValue value) const {
  return value == falseValue  ? "false"
         : value == trueValue ? "true"
                              : values[value - firstLiteral].first;
}

std::vector<ShownValues> DataModel::shown(uint32_t behaviour, NodeId node,
                                          MessageId id, bool isReply,
                                          Does does) {
  std::vector<ShownValues> all;
  if (!id || shownFields.empty())
    return all;
  bool receives = does == Does::Receive;
  Use use{behaviour, node, id, isReply, !receives, receives};
  Name name = module.message(id).name;
  SmallVector<uint32_t, 4> fields, at;
  for (uint32_t f = 0, end = numFields(use); f < end; ++f)
    if (shownFields.count({name, f}))
      fields.push_back(f);
  if (fields.empty())
    return all;
  at.assign(fields.size(), 0);
  for (bool more = true; more;) {
    ShownValues made;
    DataAction action{.receives = receives};
    for (uint32_t f = 0, end = numFields(use); f < end; ++f) {
      FieldAction own;
      forBound(use, f, [&](Name bound) {
        const Variable &v = variables[variable(behaviour, bound)];
        if (v.matters)
          own.variables.push_back(v.index);
      });
      own.domain = domainOfField(use, f);
      if (auto number = llvm::find(fields, f); number != fields.end()) {
        DataValue value = domains[own.domain][at[number - fields.begin()]];
        made.text += (made.text.empty() ? "(" : ", ") + valueText(value);
        auto sent = argumentOf.find({nodeKey(behaviour, node), f});
        if (receives || isReply || sent == argumentOf.end())
          own.constant = value;
        else
          made.required.push_back(require(isValue(sent->second, value), true));
      }
      if (!own.variables.empty())
        action.fields.push_back(std::move(own));
    }
    made.text += ")";
    if (!action.fields.empty()) {
      made.action = actions.size();
      actions.push_back(std::move(action));
    }
    all.push_back(std::move(made));
    more = false;
    for (size_t i = fields.size(); i-- > 0 && !more;) {
      more = ++at[i] < domains[domainOfField(use, fields[i])].size();
      if (!more)
        at[i] = 0;
    }
  }
  return all;
}
