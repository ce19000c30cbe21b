//===- Regions.cpp - Numbers and texts that guards cannot tell apart ------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Guards over unbounded numbers and over texts with finitely many values.
///
/// Variables and fields of messages whose values are passed on to each other,
/// or compared with each other, are of one kind. Where values are only passed
/// on, never computed, and a guard compares one variable with constants (`2 * x
/// + 1 < 7`, `s == "a"`), numbers between two neighbouring constants are
/// equivalent: no guard distinguishes them, now or later. One number of each
/// such region represents all, and one text represents all texts that no guard
/// names. This is exact: related states (equal except for numbers of the same
/// region) take the same steps to related states.
///
/// Where variables of a kind are compared with each other (`x < y`), each
/// region needs as many numbers as values can be created in a run. That number
/// is known if behaviours are sequential and have no loops; any order of so
/// many values then exists within the region. Elsewhere such a comparison is a
/// free choice, and so is what is computed from several variables, divided, or
/// compared with what was computed before it was sent.
///
/// Where labels show values that are passed on, a region has one number more
/// than there are variables of the kind: a participant that does not know a
/// value may send one that no variable has.
///
//===----------------------------------------------------------------------===//

#include "Data.h"
#include "cif/Graph/Reach.h"
#include "cif/IR/Operators.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace cif;

static bool isNumberOrText(Sort sort) {
  return sort == intSort || sort == stringSort;
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

Sort DataModel::leafSort(uint32_t behaviour, ExprId id) const {
  const Expr &e = module.expr(id);
  if (Sort made = operatorInfo(e.op).makes;
      made == intSort || made == stringSort)
    return made;
  if (e.op != ExprOp::Variable)
    return e.sort;
  uint32_t v = variable(behaviour, e.name);
  return v == noData ? e.sort : variables[v].sort;
}

bool DataModel::isAtom(uint32_t behaviour, const Expr &e) const {
  switch (e.op) {
  case ExprOp::Equal:
  case ExprOp::NotEqual:
    return isNumberOrText(leafSort(behaviour, e.lhs)) ||
           isNumberOrText(leafSort(behaviour, e.rhs));
  case ExprOp::Less:
  case ExprOp::LessEqual:
  case ExprOp::Greater:
  case ExprOp::GreaterEqual:
    return true;
  default:
    return false;
  }
}

/// Adds \p times the expression. False: it is not linear, or too large.
bool DataModel::addSide(uint32_t behaviour, ExprId side, int64_t times,
                        Atom &to) const {
  constexpr size_t maxParts = 1024; // shared operands are written out
  SmallVector<std::pair<ExprId, int64_t>, 8> work{{side, times}};
  for (size_t parts = 0; !work.empty(); ++parts) {
    auto [id, factor] = work.pop_back_val();
    const Expr &e = module.expr(id);
    if (parts > maxParts)
      return false;
    switch (e.op) {
    case ExprOp::IntLiteral: {
      int64_t value;
      if (__builtin_mul_overflow(e.value, factor, &value) ||
          __builtin_add_overflow(to.constant, value, &to.constant))
        return false;
      continue;
    }
    case ExprOp::Variable: {
      uint32_t v = variable(behaviour, e.name);
      if (v == noData || variables[v].sort != intSort)
        return false;
      auto known =
          llvm::find_if(to.terms, [&](auto &term) { return term.first == v; });
      if (known == to.terms.end())
        to.terms.push_back({v, factor});
      else if (__builtin_add_overflow(known->second, factor, &known->second))
        return false;
      continue;
    }
    case ExprOp::Negate:
    case ExprOp::Subtract: {
      int64_t minus;
      if (__builtin_sub_overflow(int64_t(0), factor, &minus))
        return false;
      if (e.rhs)
        work.push_back({e.lhs, factor});
      work.push_back({e.rhs ? e.rhs : e.lhs, minus});
      continue;
    }
    case ExprOp::Add:
      work.push_back({e.lhs, factor});
      work.push_back({e.rhs, factor});
      continue;
    case ExprOp::Multiply: {
      bool left = module.expr(e.lhs).op == ExprOp::IntLiteral;
      const Expr &by = module.expr(left ? e.lhs : e.rhs);
      if (by.op != ExprOp::IntLiteral ||
          __builtin_mul_overflow(factor, by.value, &factor))
        return false;
      work.push_back({left ? e.rhs : e.lhs, factor});
      continue;
    }
    default:
      return false;
    }
  }
  return true;
}

std::optional<DataModel::Atom> DataModel::atom(uint32_t behaviour,
                                               const Expr &e) const {
  Atom made;
  made.op = e.op;
  Sort left = leafSort(behaviour, e.lhs), right = leafSort(behaviour, e.rhs);
  if (left != right || !isNumberOrText(left))
    return std::nullopt;
  if (left == intSort) {
    if (!addSide(behaviour, e.lhs, 1, made) ||
        !addSide(behaviour, e.rhs, -1, made))
      return std::nullopt;
    llvm::erase_if(made.terms, [](auto &term) { return term.second == 0; });
    return made;
  }
  if (e.op != ExprOp::Equal && e.op != ExprOp::NotEqual)
    return std::nullopt;
  made.isText = true;
  SmallVector<Name, 2> texts;
  for (ExprId side : {e.lhs, e.rhs}) {
    const Expr &of = module.expr(side);
    uint32_t v =
        of.op == ExprOp::Variable ? variable(behaviour, of.name) : noData;
    if (v != noData && variables[v].sort == stringSort)
      made.terms.push_back({v, made.terms.empty() ? 1 : -1});
    else if (of.op == ExprOp::StringLiteral)
      texts.push_back(of.name);
    else
      return std::nullopt;
  }
  if (texts.size() == 1)
    made.text = texts[0];
  else if (texts.size() == 2) // a constant
    made.constant = texts[0] != texts[1];
  else if (made.terms[0].first == made.terms[1].first)
    made.terms.clear(); // equal
  return made;
}

/// Of a sum that is \p value, or of texts: 0 where they are equal.
bool DataModel::Atom::isTrue(int64_t value) const {
  switch (op) {
  case ExprOp::Equal:
    return value == 0;
  case ExprOp::NotEqual:
    return value != 0;
  case ExprOp::Less:
    return value < 0;
  case ExprOp::LessEqual:
    return value <= 0;
  case ExprOp::Greater:
    return value > 0;
  default:
    return value >= 0;
  }
}

bool DataModel::isKnown(const Atom &of) const {
  if (llvm::any_of(of.terms, [&](auto &term) {
        return variables[term.first].domain == noData;
      }))
    return false;
  if (of.terms.size() < 2)
    return true;
  return of.terms.size() == 2 && of.constant == 0 &&
         of.terms[0].second + of.terms[1].second == 0 &&
         std::abs(of.terms[0].second) == 1 &&
         comparable.count(of.terms[0].first) &&
         variables[of.terms[0].first].domain ==
             variables[of.terms[1].first].domain;
}

void DataModel::compileAtom(const Atom &of, Program &program) {
  for (auto [v, times] : of.terms)
    if (!llvm::is_contained(program.variables, v))
      program.variables.push_back(v);
  if (of.terms.empty()) {
    program.code.push_back(
        {ExprOp::BoolLiteral, of.isTrue(of.constant) ? trueValue : falseValue});
    return;
  }
  if (of.terms.size() == 1) {
    auto [v, times] = of.terms[0];
    Table table{.operands = {variables[v].domain}};
    for (DataValue value : domains[variables[v].domain]) {
      __int128 sum =
          of.isText ? value != textOf.find(of.text)->second
                    : __int128(times) * values[value - firstLiteral].second +
                          of.constant;
      table.results.push_back(of.isTrue(sum < 0 ? -1 : sum > 0) ? trueValue
                                                                : falseValue);
    }
    program.code.push_back({ExprOp::Variable, v});
    program.code.push_back(
        {ExprOp::Opaque, static_cast<uint32_t>(tables.size())});
    tables.push_back(std::move(table));
    return;
  }
  // x - y op 0; with > and >= the other way round.
  uint32_t left = of.terms[0].first, right = of.terms[1].first;
  if (of.terms[0].second < 0)
    std::swap(left, right);
  ExprOp op = of.op;
  if (op == ExprOp::Greater || op == ExprOp::GreaterEqual) {
    std::swap(left, right);
    op = op == ExprOp::Greater ? ExprOp::Less : ExprOp::LessEqual;
  }
  program.code.push_back({ExprOp::Variable, left});
  program.code.push_back({ExprOp::Variable, right});
  program.code.push_back({op, 0});
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Whether a behaviour does one thing after the other and nothing twice.
static bool happensOnce(const Behaviour &b) {
  FlowIndex flows(b);
  unsigned starts = 0;
  for (size_t i = 0; i < b.nodes.size(); ++i) {
    const Node &node = b.nodes[i];
    bool splits = flows.outgoing(NodeId(i)).size() > 1 &&
                  node.kind != NodeKind::Choice &&
                  node.kind != NodeKind::DominatedChoice &&
                  node.kind != NodeKind::EventChoice;
    if (splits || node.parent || node.attachedTo ||
        node.loop != LoopKind::None || node.kind == NodeKind::Container ||
        node.kind == NodeKind::Call)
      return false;
    starts += flows.incoming(NodeId(i)).empty();
  }
  return starts == 1 && isAcyclic(b.nodes.size(), [&](uint32_t n, auto visit) {
           for (FlowId f : flows.outgoing(NodeId(n)))
             visit(b.flow(f).target.index());
         });
}

/// Where `times * x + constant op 0` changes; nothing: the numbers are too
/// large.
static bool addCuts(int64_t times, int64_t constant, std::set<int64_t> &cuts,
                    function_ref<bool(int64_t)> isTrue) {
  auto truth = [&](__int128 x) {
    __int128 sum = x * times + constant;
    return isTrue(sum < 0 ? -1 : sum > 0);
  };
  __int128 root = -__int128(constant) / times;
  constexpr __int128 most = __int128(1) << 61;
  if (root > most || root < -most)
    return false;
  for (__int128 x = root - 2; x <= root + 2; ++x)
    if (truth(x) != truth(x + 1))
      cuts.insert(static_cast<int64_t>(x));
  return true;
}

/// Variables and fields of messages whose values are passed on to each other,
/// or compared with each other, share a region. Variables are numbered first,
/// then fields.
class DataModel::RegionFinder {
public:
  RegionFinder(DataModel &data, ArrayRef<uint32_t> behaviours, bool tellsApart)
      : data(data), module(data.module), behaviours(behaviours),
        tellsApart(tellsApart) {}
  /// False: there would be too many values.
  bool run();

private:
  struct Region {
    Sort sort;
    bool exact = true;
    bool compared = false;  ///< with each other
    bool passed = false;    ///< on to others, who must send the same
    uint32_t holders = 0;   ///< variables
    uint32_t makers = 0;    ///< what can make a value
    std::set<int64_t> cuts; ///< c: the numbers up to c are apart from the rest
    std::set<Name> texts;

    /// Whether values are told from each other, not only from constants.
    bool compares() const { return compared && makers <= 16; }
  };

  void numberFields();
  void lookAtUses();
  void lookAtArgument(const Use &use, uint32_t field, uint32_t number);
  void lookAtGuards();
  void lookAtExpr(uint32_t behaviour, ExprId root);
  void lookAtAtom(const Atom &atom);
  void join();
  uint32_t makeDomain(const Region &region);
  void addTexts(const Region &region, int64_t points,
                std::vector<DataValue> &all);
  void addNumbers(const Region &region, int64_t points,
                  std::vector<DataValue> &all);

  DataModel &data;
  const Module &module;
  ArrayRef<uint32_t> behaviours;
  bool tellsApart;
  bool once = false; ///< every behaviour does nothing twice
  std::map<std::pair<Name, uint32_t>, uint32_t> fieldNumbers;
  llvm::IntEqClasses classes;
  std::vector<Region> own;     ///< by number
  std::vector<Region> regions; ///< by class
};

bool DataModel::findRegions(ArrayRef<uint32_t> behaviours, bool tellsApart) {
  return RegionFinder(*this, behaviours, tellsApart).run();
}

bool DataModel::RegionFinder::run() {
  numberFields();
  lookAtUses();
  once = llvm::all_of(behaviours, [&](uint32_t b) {
    return happensOnce(module.behaviours[b]);
  });
  lookAtGuards();
  join();
  std::vector<uint32_t> domains;
  for (const Region &region : regions)
    domains.push_back(makeDomain(region));
  // States say what is known of each variable: where that could be more than
  // can be looked at, nothing is followed, as without regions.
  constexpr size_t maxCombinations = size_t(1) << 14;
  size_t combinations = 1;
  for (uint32_t v = 0; v < data.variables.size(); ++v)
    if (uint32_t domain = domains[classes[v]]; domain != noData) {
      combinations *= data.domains[domain].size();
      if (combinations > maxCombinations)
        return false;
    }
  for (uint32_t v = 0; v < data.variables.size(); ++v)
    if (uint32_t domain = domains[classes[v]]; domain != noData) {
      data.variables[v].domain = domain;
      if (regions[classes[v]].compares())
        data.comparable.insert(v);
    }
  for (auto [field, number] : fieldNumbers)
    if (uint32_t domain = domains[classes[number]]; domain != noData)
      data.fieldDomains[field] = domain;
  return true;
}

void DataModel::RegionFinder::numberFields() {
  for (const Use &use : data.uses)
    for (uint32_t field = 0, end = data.numFields(use); field < end; ++field)
      fieldNumbers.try_emplace({module.message(use.message).name, field}, 0);
  uint32_t count = data.variables.size();
  for (auto &[field, number] : fieldNumbers)
    number = count++;
  classes.grow(count);
  own.resize(count);
}

void DataModel::RegionFinder::lookAtUses() {
  std::set<uint32_t> sent; // what is only received comes from elsewhere
  for (const Use &use : data.uses)
    if (use.sends)
      sent.insert(use.message.raw());
  for (const Use &use : data.uses) {
    const Node &node = module.behaviours[use.behaviour].node(use.node);
    for (uint32_t field = 0, end = data.numFields(use); field < end; ++field) {
      uint32_t number = fieldNumbers[{module.message(use.message).name, field}];
      Region &region = own[number];
      Sort sort = data.fieldSort(use, field);
      region.exact &= region.sort == unknownSort || region.sort == sort;
      region.sort = sort;
      data.forBound(use, field, [&](Name name) {
        classes.join(number, data.variable(use.behaviour, name));
      });
      if (use.isReply || !node.numArguments || node.flags & BindsArguments)
        region.makers += use.sends || !sent.count(use.message.raw());
      else
        lookAtArgument(use, field, number);
    }
  }
  for (uint32_t v = 0; v < data.variables.size(); ++v) {
    own[v].sort = data.variables[v].sort;
    own[v].makers = 1; // it may have some value before it is given one
    own[v].holders = 1;
  }
}

/// What is sent in \p field: a variable's value, a constant, or anything else.
void DataModel::RegionFinder::lookAtArgument(const Use &use, uint32_t field,
                                             uint32_t number) {
  const Behaviour &graph = module.behaviours[use.behaviour];
  Region &region = own[number];
  const Expr &e =
      module.expr(graph.arguments[graph.node(use.node).firstArgument + field]);
  uint32_t v =
      e.op == ExprOp::Variable ? data.variable(use.behaviour, e.name) : noData;
  if (v != noData) {
    region.passed = true;
    classes.join(number, v);
  } else if (e.op == ExprOp::StringLiteral) {
    region.texts.insert(e.name);
  } else if (e.op == ExprOp::IntLiteral && e.value != INT64_MIN &&
             e.value != INT64_MAX) {
    region.cuts.insert({e.value - 1, e.value});
  } else {
    region.exact = false;
  }
}

void DataModel::RegionFinder::lookAtGuards() {
  for (uint32_t b : behaviours) {
    const Behaviour &graph = module.behaviours[b];
    for (const Flow &flow : graph.flows)
      if (flow.guard &&
          hasTrait(graph.node(flow.source).kind, NodeTraits::Decision))
        lookAtExpr(b, flow.guard);
    for (ExprId argument : graph.arguments) // whether x < 5 may be sent
      lookAtExpr(b, argument);
  }
}

void DataModel::RegionFinder::lookAtExpr(uint32_t behaviour, ExprId root) {
  SmallVector<ExprId, 8> work{root};
  std::set<uint32_t> seen;
  while (!work.empty()) {
    ExprId id = work.pop_back_val();
    if (!seen.insert(id.raw()).second)
      continue;
    const Expr &e = module.expr(id);
    if (!data.isAtom(behaviour, e)) {
      for (ExprId operand : {e.lhs, e.rhs})
        if (operand)
          work.push_back(operand);
    } else if (std::optional<Atom> atom = data.atom(behaviour, e);
               atom && !atom->terms.empty()) {
      lookAtAtom(*atom);
    }
  }
}

void DataModel::RegionFinder::lookAtAtom(const Atom &atom) {
  auto [v, times] = atom.terms[0];
  if (atom.terms.size() == 2 && once) {
    classes.join(v, atom.terms[1].first);
    own[v].compared = true;
  } else if (atom.terms.size() == 1 && atom.isText) {
    own[v].texts.insert(atom.text);
  } else if (atom.terms.size() == 1) {
    own[v].exact &= addCuts(times, atom.constant, own[v].cuts,
                            [&](int64_t sum) { return atom.isTrue(sum); });
  }
}

/// Puts together what was found of the members of each class.
void DataModel::RegionFinder::join() {
  classes.compress();
  regions.resize(classes.getNumClasses());
  std::vector<bool> any(regions.size());
  for (uint32_t i = 0; i < own.size(); ++i) {
    Region &to = regions[classes[i]];
    const Region &from = own[i];
    to.exact &= from.exact && (!any[classes[i]] || to.sort == from.sort);
    to.sort = from.sort;
    any[classes[i]] = true;
    to.compared |= from.compared;
    to.makers += from.makers;
    to.passed |= from.passed;
    to.holders += from.holders;
    to.cuts.insert(from.cuts.begin(), from.cuts.end());
    to.texts.insert(from.texts.begin(), from.texts.end());
  }
}

/// The values of \p region, or noData where it cannot be followed.
uint32_t DataModel::RegionFinder::makeDomain(const Region &region) {
  constexpr size_t maxValues = 1024;
  if (!region.exact || !isNumberOrText(region.sort))
    return noData;
  int64_t points = region.compares() ? std::max<int64_t>(region.makers, 1) : 1;
  if (tellsApart && region.passed)
    points = std::max<int64_t>(points, region.holders + 1);
  if ((region.cuts.size() + region.texts.size() + 1) * points > maxValues)
    return noData;
  std::vector<DataValue> all;
  if (region.sort == stringSort)
    addTexts(region, points, all);
  else
    addNumbers(region, points, all);
  return data.domainOfValues(std::move(all));
}

void DataModel::RegionFinder::addTexts(const Region &region, int64_t points,
                                       std::vector<DataValue> &all) {
  for (Name text : region.texts) {
    auto [at, isNew] = data.textOf.try_emplace(text, anyValue);
    if (isNew)
      at->second = data.newValue("'" + module.text(text).str() + "'", 0);
    all.push_back(at->second);
  }
  for (int64_t i = 0; i < points; ++i)
    all.push_back(data.newValue(
        "another text" + (i ? " " + std::to_string(i + 1) : ""), i));
}

void DataModel::RegionFinder::addNumbers(const Region &region, int64_t points,
                                         std::vector<DataValue> &all) {
  auto point = [&](int64_t number) {
    auto [at, isNew] = data.numberOf.try_emplace(number, anyValue);
    if (isNew)
      at->second = data.newValue(std::to_string(number), number);
    all.push_back(at->second);
  };
  // Up to the first cut from above, the others from below.
  int64_t lowest = region.cuts.empty() ? points - 1 : *region.cuts.begin();
  for (int64_t i = 0; i < points; ++i)
    point(lowest - i);
  for (auto cut = region.cuts.begin(); cut != region.cuts.end(); ++cut) {
    auto next = std::next(cut);
    int64_t last = next == region.cuts.end() ? *cut + points : *next;
    for (int64_t i = 1; i <= points && *cut + i <= last; ++i)
      point(*cut + i);
  }
}
