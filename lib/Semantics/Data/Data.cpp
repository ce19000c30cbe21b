//===- Data.cpp - What guards say of message contents ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Data.h"
#include "cif/IR/ExprText.h"

using namespace cif;

//===----------------------------------------------------------------------===//
// Which data matter
//===----------------------------------------------------------------------===//

DataModel::DataModel(const Module &of, ArrayRef<uint32_t> behaviours,
                     bool showsValues, const PinnedData *pins)
    : module(of), shows(showsValues),
      pinned(pins ? std::optional(*pins) : std::nullopt) {
  bool guarded = pins || llvm::any_of(behaviours, [&](uint32_t b) {
                   return llvm::any_of(module.behaviours[b].flows,
                                       [](const Flow &flow) {
                                         return bool(flow.guard);
                                       }) ||
                          (shows && hasArguments(b));
                 });
  if (!guarded)
    return;
  domains = {{falseValue, trueValue}};
  domainNumbers[domains[0]] = 0;
  for (const Expr &e : module.exprs)
    if (e.op == ExprOp::Variable)
      named.insert(e.name);
  collect(behaviours);
  if (pins)
    pin(*pins);
  else if (!findRegions(behaviours, shows) && shows)
    numHidden += !findRegions(behaviours, false) || hasArguments(behaviours);
  findGuards(behaviours);
  findWhatMatters();
}

bool DataModel::hasArguments(ArrayRef<uint32_t> behaviours) const {
  return llvm::any_of(behaviours, [&](uint32_t b) {
    return llvm::any_of(module.behaviours[b].nodes, [](const Node &node) {
      return node.numArguments && !(node.flags & BindsArguments);
    });
  });
}

std::string DataModel::method() const {
  std::string text;
  if (!guardOf.empty())
    text = regionsDecide ? "guards decide by regions of numbers and texts"
                         : "guards decide";
  if (!shownFields.empty())
    text += (text.empty() ? "" : "; ") +
            std::string("participants know the values that they exchange");
  return text;
}

std::string DataModel::guardText(uint32_t program) const {
  for (const auto &[flow, own] : guardOf)
    if (own == program)
      return exprText(module,
                      module.behaviours[flow.first].flows[flow.second].guard);
  return "";
}

DataValue DataModel::newValue(std::string text, int64_t number) {
  values.emplace_back(std::move(text), number);
  return firstLiteral + values.size() - 1;
}

DataValue DataModel::literal(Name name) {
  auto [at, isNew] = literalOf.try_emplace(name, anyValue);
  if (isNew)
    at->second = newValue(module.text(name).str(), 0);
  return at->second;
}

uint32_t DataModel::domainOfValues(std::vector<DataValue> all) {
  llvm::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  auto [at, isNew] = domainNumbers.try_emplace(all, domains.size());
  if (isNew)
    domains.push_back(std::move(all));
  return at->second;
}

uint32_t DataModel::domainOf(Sort sort) {
  if (sort == boolSort)
    return 0;
  if (!sort.isEnum() || module.enumerations[sort.enumIndex()].literals.empty())
    return noData;
  auto [at, isNew] = enumDomains.try_emplace(sort.enumIndex(), noData);
  if (isNew) { // there may be as many messages as literals
    std::vector<DataValue> all;
    for (Name name : module.enumerations[sort.enumIndex()].literals)
      all.push_back(literal(name));
    at->second = domainOfValues(std::move(all));
  }
  return at->second;
}

uint32_t DataModel::domainOfField(const Use &use, uint32_t field) {
  auto found = fieldDomains.find({module.message(use.message).name, field});
  return found == fieldDomains.end() ? domainOf(fieldSort(use, field))
                                     : found->second;
}

uint32_t DataModel::variable(uint32_t behaviour, Name name) const {
  auto found = variableOf.find({behaviour, name});
  return found == variableOf.end() ? noData : found->second;
}

uint32_t DataModel::numFields(const Use &use) const {
  const Node &node = module.behaviours[use.behaviour].node(use.node);
  return !use.isReply && node.numArguments
             ? node.numArguments
             : module.message(use.message).fields.size();
}

Sort DataModel::fieldSort(const Use &use, uint32_t field) const {
  const auto &fields = module.message(use.message).fields;
  if (field < fields.size() && fields[field].sort != unknownSort)
    return fields[field].sort;
  const Behaviour &graph = module.behaviours[use.behaviour];
  const Node &node = graph.node(use.node);
  return !use.isReply && field < node.numArguments
             ? module.expr(graph.arguments[node.firstArgument + field]).sort
             : unknownSort;
}

/// The variables that a use gives the value of a field: those that it names,
/// else the field itself, as `field` and as `message.field`. Names that no
/// expression has are left out: `field` may be in several messages, with other
/// values in each.
void DataModel::forBound(const Use &use, uint32_t field,
                         function_ref<void(Name)> function) const {
  const Behaviour &graph = module.behaviours[use.behaviour];
  const Node &node = graph.node(use.node);
  if (!use.isReply && node.numArguments) {
    const Expr &e = module.expr(graph.arguments[node.firstArgument + field]);
    if ((node.flags & BindsArguments) && e.op == ExprOp::Variable)
      function(e.name);
    return;
  }
  const Message &message = module.message(use.message);
  Name name = message.fields[field].name;
  Name dotted = module.strings.lookup(
      (module.text(message.name) + "." + module.text(name)).str());
  for (Name each : {name, dotted})
    if (named.count(each))
      function(each);
}

/// Finds all uses of messages and the variables that they bind.
void DataModel::collect(ArrayRef<uint32_t> behaviours) {
  std::map<std::pair<uint32_t, uint32_t>, SmallVector<MessageId, 2>> flowsOf[2];
  for (const MessageFlow &flow : module.messageFlows)
    for (bool out : {false, true}) {
      BehaviourId b = out ? flow.sourceBehaviour : flow.targetBehaviour;
      NodeId n = out ? flow.sourceNode : flow.targetNode;
      if (b && n && flow.message)
        flowsOf[out][{b.index(), n.index()}].push_back(flow.message);
    }
  for (uint32_t b : behaviours) {
    const Behaviour &graph = module.behaviours[b];
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      const Node &node = graph.nodes[i];
      bool both = node.kind == NodeKind::Interaction;
      bool sends = sendsMessage(node), receives = receivesMessage(node);
      if (!sends && !receives)
        continue;
      SmallVector<MessageId, 2> ids;
      if (auto found = flowsOf[sends].find({b, uint32_t(i)});
          !both && found != flowsOf[sends].end())
        ids = found->second;
      else if (node.message)
        ids.push_back(node.message);
      for (MessageId id : ids)
        uses.push_back({b, NodeId(i), id, false, sends, receives});
      if (node.reply)
        uses.push_back({b, NodeId(i), node.reply, true, sends, receives});
    }
  }
  for (const Use &use : uses)
    for (uint32_t field = 0, end = numFields(use); field < end; ++field)
      forBound(use, field, [&](Name name) {
        auto [at, isNew] =
            variableOf.try_emplace({use.behaviour, name}, variables.size());
        Sort sort = fieldSort(use, field);
        uint32_t domain = domainOf(sort);
        if (!isNew && variables[at->second].sort != sort)
          variables[at->second].sort = unknownSort;
        if (isNew) {
          variables.push_back({.behaviour = use.behaviour,
                               .name = name,
                               .domain = domain,
                               .sort = sort});
          return;
        }
        // Bound to fields of several sorts: enumerations may be joined.
        Variable &known = variables[at->second];
        if (known.domain == domain || known.domain == noData)
          return;
        if (domain == noData || domain == 0 || known.domain == 0) {
          known.domain = noData;
          return;
        }
        std::vector<DataValue> joined(domains[known.domain]);
        joined.insert(joined.end(), domains[domain].begin(),
                      domains[domain].end());
        known.domain = domainOfValues(std::move(joined));
      });
}

/// Adds what needs no operands: a value, a variable or a comparison of numbers
/// or texts. Whether it is a truth value; nothing: it is not known, or not one
/// of these, which \p isLeaf says.
std::optional<bool> DataModel::compileLeaf(uint32_t behaviour, const Expr &e,
                                           Program &program, bool &isLeaf) {
  isLeaf = true;
  switch (e.op) {
  case ExprOp::BoolLiteral:
    program.code.push_back({e.op, e.value ? trueValue : falseValue});
    return true;
  case ExprOp::EnumLiteral:
    program.code.push_back({e.op, literal(e.name)});
    return false;
  case ExprOp::Variable: {
    uint32_t v = variable(behaviour, e.name);
    if (v == noData || variables[v].domain == noData)
      return std::nullopt;
    program.code.push_back({e.op, v});
    if (!llvm::is_contained(program.variables, v))
      program.variables.push_back(v);
    return variables[v].domain == 0;
  }
  case ExprOp::IntLiteral: // a value that is sent
  case ExprOp::StringLiteral: {
    bool isText = e.op == ExprOp::StringLiteral;
    DataValue value = isText ? textOf.count(e.name) ? textOf[e.name] : anyValue
                      : numberOf.count(e.value) ? numberOf[e.value]
                                                : anyValue;
    if (value == anyValue)
      return std::nullopt;
    program.code.push_back({e.op, value});
    return false;
  }
  default:
    break;
  }
  isLeaf = isAtom(behaviour, e);
  if (!isLeaf)
    return std::nullopt;
  std::optional<Atom> compared = atom(behaviour, e);
  if (!compared || !isKnown(*compared))
    return std::nullopt;
  compileAtom(*compared, program);
  return true;
}

uint32_t DataModel::compile(uint32_t behaviour, ExprId root, bool wantsBool) {
  if (pinned)
    return compilePinned(behaviour, root, wantsBool);
  constexpr size_t maxCode = 1024; // shared operands are written out
  Program program;
  SmallVector<std::pair<ExprId, bool>, 8> work{{root, false}};
  SmallVector<bool, 8> isBool; ///< of the operands on the stack
  while (!work.empty()) {
    auto [at, operandsDone] = work.pop_back_val();
    const Expr &e = module.expr(at);
    if (program.code.size() + work.size() > maxCode)
      return noData;
    bool isLeaf;
    if (std::optional<bool> truth =
            compileLeaf(behaviour, e, program, isLeaf)) {
      isBool.push_back(*truth);
      continue;
    }
    bool compares = e.op == ExprOp::Equal || e.op == ExprOp::NotEqual;
    if (isLeaf || !(compares || e.op == ExprOp::Not || e.op == ExprOp::And ||
                    e.op == ExprOp::Or || e.op == ExprOp::Implies))
      return noData;
    if (!operandsDone) {
      work.push_back({at, true});
      if (e.rhs)
        work.push_back({e.rhs, false});
      work.push_back({e.lhs, false});
      continue;
    }
    bool rhs = e.rhs ? isBool.pop_back_val() : true;
    bool lhs = isBool.pop_back_val();
    if (compares ? lhs != rhs : !lhs || !rhs)
      return noData;
    program.code.push_back({e.op, 0});
    isBool.push_back(true);
  }
  if (wantsBool && !isBool.front())
    return noData;
  programs.push_back(std::move(program));
  return programs.size() - 1;
}

void DataModel::findGuards(ArrayRef<uint32_t> behaviours) {
  for (uint32_t b : behaviours) {
    const Behaviour &graph = module.behaviours[b];
    for (size_t i = 0; i < graph.flows.size(); ++i) {
      const Flow &flow = graph.flows[i];
      if (!flow.guard)
        continue;
      if (!hasTrait(graph.node(flow.source).kind, NodeTraits::Decision))
        continue;
      uint32_t program = compile(b, flow.guard, /*wantsBool=*/true);
      if (program == noData)
        continue;
      if (programs[program].variables.empty()) {
        settledOf[{b, uint32_t(i)}] = evaluate(program, {}) == trueValue;
        programs.pop_back();
        continue;
      }
      guardOf[{b, uint32_t(i)}] = program;
      for (uint32_t v : programs[program].variables)
        regionsDecide |=
            variables[v].sort == intSort || variables[v].sort == stringSort;
    }
  }
}

/// Variables matter that a guard reads, or from which a message gets a value
/// that some receiver keeps in a variable that matters.
void DataModel::findWhatMatters() {
  auto matter = [&](uint32_t program) {
    for (uint32_t v : programs[program].variables)
      variables[v].matters = true;
  };
  for (const auto &[flow, program] : guardOf)
    matter(program);
  if (shows)
    findShown();
  for (bool changed = !shows && !guardOf.empty(); changed;) {
    changed = false;
    for (const Use &use : uses) {
      if (!use.receives || use.sends) // a whole exchange carries nothing
        continue;
      for (uint32_t field = 0, end = numFields(use); field < end; ++field)
        forBound(use, field, [&](Name name) {
          if (!variables[variable(use.behaviour, name)].matters)
            return;
          auto &carried = carriedOf[module.message(use.message).name];
          if (llvm::is_contained(carried, field))
            return;
          carried.push_back(field);
          changed = true;
        });
    }
    if (!changed)
      break;
    for (const Use &use : uses) {
      const Behaviour &graph = module.behaviours[use.behaviour];
      const Node &node = graph.node(use.node);
      auto found = carriedOf.find(module.message(use.message).name);
      if (!use.sends || use.receives || found == carriedOf.end() ||
          (node.flags & BindsArguments))
        continue;
      for (uint32_t field : found->second) {
        if (field >= node.numArguments)
          continue;
        auto [at, isNew] = argumentOf.try_emplace(
            {nodeKey(use.behaviour, use.node), field}, noData);
        if (!isNew)
          continue;
        at->second = compile(
            use.behaviour, graph.arguments[node.firstArgument + field], false);
        if (at->second != noData)
          matter(at->second);
      }
    }
  }
  for (size_t v = 0; v < variables.size(); ++v)
    if (variables[v].matters) {
      variables[v].index = tracked.size();
      tracked.push_back(v);
    }
  for (Program &program : programs) {
    for (Instruction &instruction : program.code)
      if (instruction.op == ExprOp::Variable)
        instruction.operand = variables[instruction.operand].index;
    for (uint32_t &v : program.variables)
      v = variables[v].index;
  }
  for (auto &[name, fields] : carriedOf)
    llvm::sort(fields);
}

uint32_t DataModel::guard(uint32_t behaviour, FlowId flow) const {
  auto found = guardOf.find({behaviour, flow.raw()});
  return found == guardOf.end() ? noData : found->second;
}

std::optional<bool> DataModel::settled(uint32_t behaviour, FlowId flow) const {
  auto found = settledOf.find({behaviour, flow.raw()});
  return found == settledOf.end() ? std::nullopt : std::optional(found->second);
}

uint32_t DataModel::action(uint32_t behaviour, NodeId node, MessageId id,
                           bool isReply, Does does, uint32_t inTransit) {
  if (empty() || !id)
    return noData;
  Use use{behaviour,
          node,
          id,
          isReply,
          does != Does::Receive,
          does == Does::Receive};
  DataAction action{.receives = does == Does::Receive};
  ArrayRef<uint32_t> carried;
  if (auto found = carriedOf.find(module.message(id).name);
      found != carriedOf.end() && inTransit != noData)
    carried = found->second;
  bool any = !carried.empty();
  uint32_t count = numFields(use);
  if (any) {
    auto [at, isNew] = channelOf.try_emplace(inTransit, channelWidth.size());
    if (isNew)
      channelWidth.push_back(carried.size());
    action.channel = at->second;
    count = std::max(count, carried.back() + 1);
  }
  for (uint32_t field = 0; field < count; ++field) {
    FieldAction made;
    if (field < numFields(use)) {
      forBound(use, field, [&](Name name) {
        const Variable &v = variables[variable(behaviour, name)];
        if (v.matters)
          made.variables.push_back(v.index);
      });
      made.domain = domainOfField(use, field);
    }
    if (auto at = llvm::find(carried, field); at != carried.end())
      made.carried = at - carried.begin();
    if (!action.receives)
      if (auto found = argumentOf.find({nodeKey(behaviour, node), field});
          found != argumentOf.end() && !isReply)
        made.program = found->second;
    if (!made.variables.empty() || made.carried != noData)
      action.fields.push_back(std::move(made));
  }
  if (!any && action.fields.empty())
    return noData;
  actions.push_back(std::move(action));
  return actions.size() - 1;
}

//===----------------------------------------------------------------------===//
// Sets of valuations
//===----------------------------------------------------------------------===//

DataStates::DataStates(DataModel of, bool overtake)
    : model(std::move(of)), unordered(overtake) {
  Words free(model.tracked.size() + model.channelWidth.size(), 0);
  SmallVector<uint32_t, 1> only{valuations.get(free)};
  first = setOf(only);
  findKinds();
}

uint32_t DataStates::number(ArrayRef<uint32_t> list) {
  SmallVector<uint32_t, 8> sorted(list.begin(), list.end());
  llvm::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return lists.get(sorted);
}

uint32_t DataStates::setOf(SmallVectorImpl<uint32_t> &members) {
  llvm::sort(members);
  members.erase(std::unique(members.begin(), members.end()), members.end());
  if (members.empty())
    return none;
  if (members.size() > maxValuations) {
    tooMany = true;
    return none;
  }
  return sets.get(members);
}

/// Replaces the operands of a table by what it says of them; of values that no
/// run has (importWords may be given any), that it is not so.
void DataModel::lookUp(const Table &table,
                       SmallVectorImpl<DataValue> &stack) const {
  const size_t first = stack.size() - table.operands.size();
  size_t index = 0;
  bool known = true;
  for (size_t i = 0; i < table.operands.size(); ++i) {
    ArrayRef<DataValue> domain = domains[table.operands[i]];
    auto at = llvm::lower_bound(domain, stack[first + i]);
    known &= at != domain.end() && *at == stack[first + i];
    index = index * domain.size() + (at - domain.begin());
  }
  stack.truncate(first);
  stack.push_back(known ? table.results[index] : falseValue);
}

DataValue DataModel::evaluate(uint32_t number,
                              ArrayRef<uint32_t> valuation) const {
  SmallVector<DataValue, 16> stack;
  auto truth = [](bool value) { return value ? trueValue : falseValue; };
  for (const Instruction &at : programs[number].code) {
    switch (at.op) {
    case ExprOp::Variable:
      stack.push_back(valuation[at.operand]);
      continue;
    case ExprOp::Not:
      stack.back() = truth(stack.back() == falseValue);
      continue;
    case ExprOp::Opaque:
      lookUp(tables[at.operand], stack);
      continue;
    case ExprOp::And:
    case ExprOp::Or:
    case ExprOp::Implies:
    case ExprOp::Equal:
    case ExprOp::NotEqual:
      break;
    case ExprOp::Less:
    case ExprOp::LessEqual: {
      int64_t right = values[stack.pop_back_val() - firstLiteral].second;
      int64_t left = values[stack.pop_back_val() - firstLiteral].second;
      stack.push_back(
          truth(at.op == ExprOp::Less ? left < right : left <= right));
      continue;
    }
    default:
      stack.push_back(at.operand);
      continue;
    }
    DataValue rhs = stack.pop_back_val(), lhs = stack.pop_back_val();
    bool l = lhs == trueValue, r = rhs == trueValue;
    stack.push_back(truth(at.op == ExprOp::And       ? l && r
                          : at.op == ExprOp::Or      ? l || r
                          : at.op == ExprOp::Implies ? !l || r
                          : at.op == ExprOp::Equal   ? lhs == rhs
                                                     : lhs != rhs));
  }
  return stack.front();
}

void DataStates::settle(ArrayRef<uint32_t> valuation,
                        ArrayRef<uint32_t> programs,
                        function_ref<void(Words &)> function) const {
  SmallVector<uint32_t, 8> open;
  for (uint32_t program : programs)
    for (uint32_t v : model.programs[program].variables)
      if (isOpen(valuation[v]) && !llvm::is_contained(open, v))
        open.push_back(v);
  Words settled(valuation.begin(), valuation.end());
  auto domain = [&](uint32_t v) {
    return choices(valuation[v], model.variables[model.tracked[v]].domain);
  };
  SmallVector<uint32_t, 8> at(open.size(), 0);
  for (uint32_t v : open)
    settled[v] = domain(v)[0];
  for (;;) {
    function(settled);
    size_t i = 0;
    for (; i < open.size(); ++i) {
      if (++at[i] < domain(open[i]).size()) {
        settled[open[i]] = domain(open[i])[at[i]];
        break;
      }
      at[i] = 0;
      settled[open[i]] = domain(open[i])[0];
    }
    if (i == open.size())
      return;
  }
}

static SmallVector<uint32_t, 8> programsOf(ArrayRef<uint32_t> requirements) {
  SmallVector<uint32_t, 8> programs;
  for (uint32_t requirement : requirements)
    programs.push_back(requirement >> 1);
  return programs;
}

/// Keeps of each open variable the values that meet the requirements on it
/// alone, without settling which: independent variables stay apart. False:
/// there is none.
bool DataStates::narrow(Words &valuation, ArrayRef<uint32_t> required) {
  for (uint32_t r : required) {
    ArrayRef<uint32_t> reads = model.programs[r >> 1].variables;
    if (reads.size() != 1 || !isOpen(valuation[reads[0]]))
      continue;
    uint32_t v = reads[0];
    DataValue before = valuation[v];
    ArrayRef<DataValue> from =
        choices(before, model.variables[model.tracked[v]].domain);
    Words kept;
    for (DataValue value : from) {
      valuation[v] = value;
      if (holds(r >> 1, valuation) == bool(r & 1))
        kept.push_back(value);
    }
    if (kept.empty())
      return false;
    valuation[v] = kept.size() == from.size() ? before
                   : kept.size() == 1         ? kept[0]
                                              : firstSubset + subsets.get(kept);
  }
  return true;
}

uint32_t DataStates::restrict(uint32_t set, uint32_t number) {
  uint64_t key = uint64_t(set) << 32 | number;
  {
    std::lock_guard<std::mutex> guard(lock);
    if (auto found = restricted.find(key); found != restricted.end())
      return found->second;
  }
  ArrayRef<uint32_t> required = lists[number];
  SmallVector<uint32_t, 8> programs;
  for (uint32_t program : programsOf(required))
    if (model.programs[program].variables.size() > 1)
      programs.push_back(program);
  SmallVector<uint32_t, 16> kept;
  for (uint32_t member : sets[set]) {
    ArrayRef<uint32_t> known = valuations[member];
    Words valuation(known.begin(), known.end());
    if (!narrow(valuation, required))
      continue;
    settle(valuation, programs, [&](Words &settled) {
      if (llvm::all_of(required, [&](uint32_t r) {
            uint32_t program = r >> 1;
            ArrayRef<uint32_t> reads = model.programs[program].variables;
            return (reads.size() == 1 && isOpen(settled[reads[0]])) ||
                   holds(program, settled) == bool(r & 1);
          }))
        kept.push_back(valuations.get(settled));
    });
  }
  uint32_t result = setOf(kept);
  std::lock_guard<std::mutex> guard(lock);
  return restricted[key] = result;
}

bool DataStates::meets(uint32_t set, uint32_t number) {
  ArrayRef<uint32_t> required = lists[number];
  auto programs = programsOf(required);
  bool all = true;
  for (uint32_t member : sets[set]) {
    settle(valuations[member], programs, [&](Words &settled) {
      for (uint32_t r : required)
        all &= holds(r >> 1, settled) == bool(r & 1);
    });
    if (!all)
      return false;
  }
  return true;
}

bool DataStates::readsSeveral(uint32_t number) const {
  return llvm::any_of(programsOf(lists[number]), [&](uint32_t program) {
    return model.programs[program].variables.size() > 1;
  });
}

std::vector<std::pair<uint64_t, uint32_t>>
DataStates::split(uint32_t set, uint32_t number, bool byValues) {
  auto programs = programsOf(lists[number]);
  SmallVector<uint32_t, 8> told;
  for (uint32_t program : programs)
    if (ArrayRef<uint32_t> reads = model.programs[program].variables;
        byValues && reads.size() > 1)
      told.append(reads.begin(), reads.end());
  std::map<std::pair<std::vector<bool>, std::vector<DataValue>>,
           SmallVector<uint32_t, 16>>
      parts;
  for (uint32_t member : sets[set])
    settle(valuations[member], programs, [&](Words &settled) {
      std::vector<bool> truths;
      for (uint32_t program : programs)
        truths.push_back(holds(program, settled));
      std::vector<DataValue> values;
      for (uint32_t v : told)
        values.push_back(settled[v]);
      parts[{truths, values}].push_back(valuations.get(settled));
    });
  std::vector<std::pair<uint64_t, uint32_t>> result;
  if (parts.size() == 1) // known: no need to settle anything
    return {{0, set}};
  for (auto &[key, members] : parts) {
    const std::vector<bool> &truths = key.first;
    uint64_t bits = 0;
    for (size_t i = 0; i < truths.size(); ++i)
      bits |= uint64_t(truths[i]) << (i % 64);
    if (uint32_t part = setOf(members); part != none)
      result.push_back({bits, part});
  }
  return result;
}

bool DataStates::settles(uint32_t requirements, uint32_t number) const {
  ArrayRef<uint32_t> required = lists[requirements];
  auto programs = programsOf(lists[number]), all = programsOf(required);
  all.append(programs);
  std::optional<std::vector<bool>> known;
  bool same = true;
  settle(valuations[sets[first][0]], all, [&](Words &settled) {
    if (!same || llvm::any_of(required, [&](uint32_t r) {
          return holds(r >> 1, settled) != bool(r & 1);
        }))
      return;
    std::vector<bool> truths;
    for (uint32_t program : programs)
      truths.push_back(holds(program, settled));
    same = !known || *known == truths;
    known = std::move(truths);
  });
  return same;
}

/// Gives the fields their values one after the other; each may have several.
void DataStates::applyTo(Words from, const DataAction &action,
                         SmallVectorImpl<uint32_t> &out) {
  const size_t width = from.size();
  const uint32_t tuple =
      action.channel == noData ? 0 : model.channelWidth[action.channel];
  const size_t slot =
      model.tracked.size() + (action.channel == noData ? 0 : action.channel);
  // What is sent or was received stands behind each valuation.
  std::vector<Words> now;
  if (!action.receives || action.channel == noData) {
    from.resize(width + tuple, anyValue);
    now.push_back(std::move(from));
  } else {
    ArrayRef<uint32_t> waiting = contents[from[slot]];
    for (size_t at = 0; at + tuple <= waiting.size(); at += tuple) {
      if (at && !unordered)
        break;
      if (at && std::equal(waiting.begin() + at, waiting.begin() + at + tuple,
                           waiting.begin() + at - tuple))
        continue; // the same again: they are sorted
      Words rest(waiting.begin(), waiting.begin() + at);
      rest.append(waiting.begin() + at + tuple, waiting.end());
      Words next(from);
      next[slot] = contents.get(rest);
      next.append(waiting.begin() + at, waiting.begin() + at + tuple);
      now.push_back(std::move(next));
    }
  }
  for (const FieldAction &field : action.fields) {
    std::vector<Words> next;
    for (Words &valuation : now) {
      bool sent = field.carried != noData && !action.receives;
      bool got = field.carried != noData && action.receives;
      auto give = [&](Words to, DataValue value) {
        for (uint32_t v : field.variables)
          to[v] = value;
        if (sent)
          to[width + field.carried] = value;
        next.push_back(std::move(to));
      };
      DataValue value = field.constant;
      if (got)
        value = valuation[width + field.carried];
      else if (field.program != noData)
        value = evaluate(field.program, valuation);
      // One holder may stay free; what several hold must be the same.
      if (!isOpen(value) || field.variables.size() + sent < 2 ||
          field.domain == noData) {
        give(std::move(valuation), value);
        continue;
      }
      for (DataValue picked : choices(value, field.domain))
        give(valuation, picked);
    }
    now = std::move(next);
    if (now.size() > maxValuations) {
      tooMany = true;
      return;
    }
  }
  for (Words &valuation : now) {
    if (!action.receives && tuple) {
      ArrayRef<uint32_t> made = ArrayRef(valuation).drop_front(width);
      ArrayRef<uint32_t> waiting = contents[valuation[slot]];
      size_t at = waiting.size();
      if (unordered)
        while (at && std::lexicographical_compare(made.begin(), made.end(),
                                                  waiting.begin() + at - tuple,
                                                  waiting.begin() + at))
          at -= tuple;
      Words all(waiting.begin(), waiting.begin() + at);
      all.append(made.begin(), made.end());
      all.append(waiting.begin() + at, waiting.end());
      valuation[slot] = contents.get(all);
    }
    valuation.resize(width);
    out.push_back(valuations.get(valuation));
  }
}

uint32_t DataStates::apply(uint32_t set, uint32_t number) {
  uint64_t key = uint64_t(set) << 32 | number;
  {
    std::lock_guard<std::mutex> guard(lock);
    if (auto found = applied.find(key); found != applied.end())
      return found->second;
  }
  const DataAction &action = model.actions[number];
  SmallVector<uint32_t, 8> programs;
  for (const FieldAction &field : action.fields)
    if (field.program != noData)
      programs.push_back(field.program);
  SmallVector<uint32_t, 16> made;
  for (uint32_t member : sets[set])
    settle(valuations[member], programs, [&](Words &settled) {
      if (made.size() <= maxValuations)
        applyTo(settled, action, made);
    });
  uint32_t result = setOf(made);
  std::lock_guard<std::mutex> guard(lock);
  return applied[key] = result;
}

std::string DataStates::truthsText(uint32_t programs, uint64_t truths) const {
  std::string text;
  std::set<std::string> seen; // flows may have the same guard
  for (auto [i, program] : llvm::enumerate(programsOf(lists[programs]))) {
    std::string guard = model.guardText(program);
    if (guard.empty() || !seen.insert(guard).second)
      continue;
    text += (text.empty() ? "" : " and ") + guard +
            (truths >> i & 1 ? " is true" : " is false");
  }
  return text;
}

void DataStates::describe(uint32_t set, raw_ostream &os) const {
  for (size_t v = 0; v < model.tracked.size(); ++v) {
    std::vector<DataValue> values;
    for (uint32_t member : sets[set])
      if (DataValue value = valuations[member][v]; value < firstSubset)
        values.push_back(value);
      else
        llvm::append_range(values, subsets[value - firstSubset]);
    llvm::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.front() == anyValue)
      continue;
    const DataModel::Variable &variable = model.variables[model.tracked[v]];
    os << "; " << model.module.text(variable.name) << " = ";
    StringRef separator;
    for (DataValue value : values) {
      os << separator
         << (value == falseValue ? "false"
             : value == trueValue
                 ? "true"
                 : StringRef(model.values[value - firstLiteral].first));
      separator = "|";
    }
  }
}
