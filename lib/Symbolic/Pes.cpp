//===- Pes.cpp - Predicate equation systems -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The equations follow the five cases of [symbolic, Def. 4]. Late semantics:
/// an answer is chosen before the value is known, so `for all values` is inside
/// `one of the answers`.
///
/// In the paper a choreography has no silent steps. Here it has them where a
/// choice is decided silently and data do not settle it. Then both sides are
/// treated alike, which is branching bisimulation: a silent step is answered by
/// none, or by silent steps of which all but the last stay related to where the
/// other side was. Without silent steps in the choreography this is Def. 4.
///
/// Where Algorithm 2 differs from Def. 4, the definition is followed: what an
/// implementation can do only after silent steps is forbidden only if these
/// steps can be taken (line 14 omits their guards, so that R(2, 2) of Example 5
/// requires y >= 10 even where no silent step is possible).
///
/// A step is answered after silent steps that stay related to it. They are
/// followed one by one, each state of the silent part at most once: going round
/// without changing data adds nothing.
///
//===----------------------------------------------------------------------===//

#include "cif/Symbolic/Pes.h"
#include "cif/IR/Names.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

uint32_t Pes::find(uint32_t s1, uint32_t s2) const {
  auto found = numbers.find({s1, s2});
  return found == numbers.end() ? UINT32_MAX : found->second;
}

uint32_t Pes::pair(uint32_t s1, uint32_t s2) {
  auto [at, isNew] =
      numbers.try_emplace({s1, s2}, static_cast<uint32_t>(pairs.size()));
  if (isNew) {
    PesPair made{s1, s2, 0, 0, {}, {}};
    made.variables = impl.free[s1];
    made.variables.insert(made.variables.end(), spec.free[s2].begin(),
                          spec.free[s2].end());
    pairs.push_back(std::move(made));
  }
  return at->second;
}

std::string Pes::name(uint32_t pair) const {
  return "R(" + std::to_string(pairs[pair].implementation) + ", " +
         std::to_string(pairs[pair].choreography) + ")";
}

//===----------------------------------------------------------------------===//
// Data of steps
//===----------------------------------------------------------------------===//

FormulaId Pes::inRange(FormulaId value, DataSort sort) {
  FormulaId result = pool.truth(true);
  if (sort == intData) {
    result = range.contains(value, pool);
  } else if (sort.isEnum()) {
    result = pool.truth(false);
    for (uint32_t literal : pool.literals(sort))
      result = pool.make(
          ExprOp::Or, result,
          pool.make(ExprOp::Equal, value, pool.number(literal, sort)));
  }
  return result;
}

FormulaId Pes::carries(const StgTransition &t, const Substitution &given) {
  FormulaId result = pool.truth(true);
  for (const StgField &field : t.fields) {
    FormulaId value = pool.substitute(pool.var(field.parameter), given);
    result = pool.conjunction(
        result, inRange(value, pool.variable(field.parameter).sort));
    if (field.value)
      result = pool.conjunction(
          result,
          pool.make(ExprOp::Equal, value, pool.substitute(field.value, given)));
  }
  if (t.allows)
    result = pool.conjunction(result, pool.substitute(t.allows, given));
  return result;
}

Substitution Pes::behind(FormulaPool &pool, const StgTransition &t,
                         const Substitution &given) {
  Substitution after = given;
  for (const auto &[variable, value] : t.updates)
    after[variable] = pool.substitute(value, given);
  return after;
}

Substitution Pes::asIn(const StgTransition &t, const StgTransition &u,
                       SmallVectorImpl<VariableId> &bound) {
  Substitution same;
  for (size_t i = 0; i < std::max(t.fields.size(), u.fields.size()); ++i) {
    if (i < t.fields.size()) {
      bound.push_back(t.fields[i].parameter);
      if (i < u.fields.size())
        same[u.fields[i].parameter] = pool.var(t.fields[i].parameter);
    } else {
      bound.push_back(u.fields[i].parameter);
    }
  }
  return same;
}

//===----------------------------------------------------------------------===//
// Equations
//===----------------------------------------------------------------------===//

uint32_t Pes::add(PesNode node) {
  nodes.push_back(std::move(node));
  return static_cast<uint32_t>(nodes.size() - 1);
}

uint32_t Pes::formula(FormulaId f) {
  PesNode node;
  node.formula = f;
  return add(std::move(node));
}

uint32_t Pes::join(PesNode::Kind kind, SmallVector<uint32_t, 2> children) {
  if (children.size() == 1)
    return children[0];
  if (children.empty())
    return formula(pool.truth(kind == PesNode::And));
  PesNode node;
  node.kind = kind;
  node.children = std::move(children);
  return add(std::move(node));
}

uint32_t Pes::implies(FormulaId premise, uint32_t then) {
  if (pool.is(premise, true))
    return then;
  uint32_t first = formula(premise);
  PesNode node;
  node.kind = PesNode::Implies;
  node.children = {first, then};
  return add(std::move(node));
}

uint32_t Pes::apply(uint32_t s1, uint32_t s2, Substitution given) {
  PesNode node;
  node.kind = PesNode::Apply;
  node.pair = pair(s1, s2);
  const std::vector<VariableId> &own = pairs[node.pair].variables;
  for (auto at = given.begin(); at != given.end();)
    at = llvm::is_contained(own, at->first) ? std::next(at) : given.erase(at);
  node.given = std::move(given);
  return add(std::move(node));
}

/// That \p own of the side \p by and \p other of the other side are related.
uint32_t Pes::applyAt(Side by, uint32_t own, uint32_t other,
                      Substitution given) {
  return by == Side::Implementation ? apply(own, other, std::move(given))
                                    : apply(other, own, std::move(given));
}

uint32_t Pes::quantify(PesNode::Kind kind, SmallVector<VariableId, 1> bound,
                       uint32_t body) {
  if (bound.empty())
    return body;
  PesNode node;
  node.kind = kind;
  node.bound = std::move(bound);
  node.children = {body};
  return add(std::move(node));
}

/// For all values: if the step that is taken may carry them, so may the answer,
/// and what is behind both is related.
uint32_t Pes::exchange(const StgTransition &t, const StgTransition &u,
                       bool specMoves) {
  SmallVector<VariableId, 1> bound;
  Substitution ofSpec = asIn(t, u, bound), values;
  const StgTransition &mover = specMoves ? u : t;
  for (size_t i = 0; i < mover.fields.size(); ++i)
    if (mover.fields[i].value) { // the only one that there is
      const VariableId z =
          i < t.fields.size() ? t.fields[i].parameter : u.fields[i].parameter;
      values[z] = mover.fields[i].value;
      llvm::erase(bound, z);
    }
  for (auto &[v, z] : ofSpec)
    z = pool.substitute(z, values);
  for (auto [z, value] : values)
    ofSpec.try_emplace(z, value);
  FormulaId premise = specMoves ? carries(u, ofSpec) : carries(t, values);
  FormulaId answered = specMoves ? carries(t, values) : carries(u, ofSpec);
  Substitution after = behind(pool, t, values);
  for (auto &[v, value] : behind(pool, u, ofSpec))
    after[v] = value;
  uint32_t related = apply(t.to, u.to, std::move(after));
  if (!pool.is(answered, true)) {
    uint32_t may = formula(answered);
    related = join(PesNode::And, {may, related});
  }
  return quantify(PesNode::ForAll, std::move(bound), implies(premise, related));
}

/// How \p state of the side that answers takes the step \p mover at once. A
/// silent step needs no other: what it leads to may be related already.
uint32_t Pes::answers(Side by, uint32_t state, const StgTransition &mover) {
  if (mover.action == StgAction::Tau)
    return applyAt(by, state, mover.to, behind(pool, mover, {}));
  SmallVector<uint32_t, 2> ways;
  for (const StgTransition &t : graph(by).of(state)) {
    if (t.action != mover.action || t.label != mover.label)
      continue;
    uint32_t guard = formula(t.guard);
    if (mover.action == StgAction::Exchange) {
      uint32_t rest = by == Side::Implementation
                          ? exchange(t, mover, /*specMoves=*/true)
                          : exchange(mover, t, /*specMoves=*/false);
      guard = join(PesNode::And, {guard, rest});
    }
    ways.push_back(guard);
  }
  return join(PesNode::Or, std::move(ways));
}

std::vector<uint32_t> Pes::silentClosure(Side by, uint32_t state) const {
  const Stg &stg = graph(by);
  std::vector<uint32_t> found{state};
  std::vector<bool> seen(stg.numStates(), false);
  seen[state] = true;
  for (size_t i = 0; i < found.size(); ++i)
    for (const StgTransition &t : stg.of(found[i]))
      if (t.action == StgAction::Tau && !seen[t.to]) {
        seen[t.to] = true;
        found.push_back(t.to);
      }
  return found;
}

/// The closure with each state behind those that lead to it; empty: a cycle.
std::vector<uint32_t> Pes::silentOrder(Side by,
                                       ArrayRef<uint32_t> closure) const {
  const Stg &stg = graph(by);
  std::map<uint32_t, uint32_t> ways;
  for (uint32_t s : closure)
    for (const StgTransition &t : stg.of(s))
      ways[t.to] += t.action == StgAction::Tau;
  std::vector<uint32_t> order;
  for (uint32_t s : closure)
    if (!ways[s])
      order.push_back(s);
  for (size_t i = 0; i < order.size(); ++i)
    for (const StgTransition &t : stg.of(order[i]))
      if (t.action == StgAction::Tau && !--ways[t.to])
        order.push_back(t.to);
  if (order.size() < closure.size())
    order.clear();
  return order;
}

/// Whether a silent cycle changes data on its way round.
bool Pes::changesInCycle(Side by, ArrayRef<uint32_t> closure) const {
  for (uint32_t s : closure)
    for (const StgTransition &t : graph(by).of(s))
      if (t.action == StgAction::Tau && !t.updates.empty() &&
          llvm::is_contained(silentClosure(by, t.to), s))
        return true;
  return false;
}

/// The silent step \p t of the side that answers \p mover, and what \p rest
/// says behind it. The last one before a silent step is answered need not stay
/// related to where the other side was.
uint32_t Pes::afterSilent(Side by, const StgTransition &t,
                          const StgTransition &mover, uint32_t rest) {
  Substitution given = behind(pool, t, {});
  uint32_t related = applyAt(by, t.to, mover.from, given);
  if (!given.empty()) {
    PesNode node;
    node.kind = PesNode::Substitute;
    node.given = given;
    node.children = {rest};
    rest = add(std::move(node));
  }
  uint32_t both = join(PesNode::And, {related, rest});
  if (mover.action == StgAction::Tau) {
    for (const auto &[v, value] : behind(pool, mover, {}))
      given[v] = value;
    uint32_t arrived = applyAt(by, t.to, mover.to, std::move(given));
    both = join(PesNode::Or, {arrived, both});
  }
  SmallVector<VariableId, 1> bound;
  for (const StgField &field : t.fields)
    bound.push_back(field.parameter);
  if (!bound.empty()) {
    uint32_t may = formula(carries(t, {}));
    both = quantify(PesNode::Exists, std::move(bound),
                    join(PesNode::And, {may, both}));
  }
  uint32_t guard = formula(t.guard);
  return join(PesNode::And, {guard, both});
}

/// How the side that is in \p state answers \p mover after silent steps,
/// through states that are related to where the other side is.
uint32_t Pes::weakAnswers(Side by, uint32_t state, const StgTransition &mover) {
  std::vector<uint32_t> closure = silentClosure(by, state);
  if (budget->spend(closure.size()))
    return formula(pool.truth(true));
  std::vector<uint32_t> order = silentOrder(by, closure);
  std::map<uint32_t, uint32_t> atOnce, now;
  for (uint32_t s : closure)
    now[s] = atOnce[s] = answers(by, s, mover);
  auto step = [&](uint32_t s) {
    SmallVector<uint32_t, 2> ways{atOnce[s]};
    for (const StgTransition &t : graph(by).of(s))
      if (t.action == StgAction::Tau)
        ways.push_back(afterSilent(by, t, mover, now[t.to]));
    return join(PesNode::Or, std::move(ways));
  };
  if (!order.empty()) {
    for (uint32_t s : llvm::reverse(order))
      now[s] = step(s);
    return now[state];
  }
  cutsSilentLoops |= changesInCycle(by, closure);
  for (size_t round = 1; round < closure.size(); ++round) {
    std::map<uint32_t, uint32_t> next;
    for (uint32_t s : closure) {
      if (budget->spend(graph(by).of(s).size()))
        return now[state];
      next[s] = step(s);
    }
    now = std::move(next);
  }
  return now[state];
}

/// That the side \p by, in \p state, answers the step \p mover of the other.
uint32_t Pes::isAnswered(Side by, uint32_t state, const StgTransition &mover) {
  uint32_t answered = weakAnswers(by, state, mover);
  // Where no value can be sent there is nothing to answer.
  if (mover.action != StgAction::Tau)
    return implies(pool.conjunction(mover.guard, canCarry(mover)), answered);
  SmallVector<VariableId, 1> bound;
  for (const StgField &field : mover.fields)
    bound.push_back(field.parameter);
  uint32_t whatever = quantify(PesNode::ForAll, std::move(bound),
                               implies(carries(mover, {}), answered));
  return implies(mover.guard, whatever);
}

void Pes::equation(uint32_t number) {
  const uint32_t s1 = pairs[number].implementation;
  const uint32_t s2 = pairs[number].choreography;
  const uint32_t first = static_cast<uint32_t>(nodes.size());
  SmallVector<uint32_t, 2> all;
  for (const StgTransition &t : impl.of(s1)) // cases 1 to 3
    if (counts(Side::Implementation, t))
      all.push_back(isAnswered(Side::Choreography, s2, t));
  for (const StgTransition &u : spec.of(s2)) // cases 4 and 5
    if (counts(Side::Choreography, u))
      all.push_back(isAnswered(Side::Implementation, s1, u));
  uint32_t root = join(PesNode::And, std::move(all));
  if (root + 1 != nodes.size()) { // the root stands last
    PesNode node;
    node.kind = PesNode::And;
    node.children = {root};
    add(std::move(node));
  }
  PesPair &made = pairs[number];
  made.firstNode = first;
  made.endNode = static_cast<uint32_t>(nodes.size());
  for (uint32_t n = first; n < made.endNode; ++n)
    if (nodes[n].kind == PesNode::Apply)
      made.uses.push_back(nodes[n].pair);
  llvm::sort(made.uses);
  made.uses.erase(std::unique(made.uses.begin(), made.uses.end()),
                  made.uses.end());
}

/// That some values may be exchanged: one that is given may be out of range.
FormulaId Pes::canCarry(const StgTransition &t) {
  FormulaId result = pool.truth(true);
  for (const StgField &field : t.fields)
    if (field.value)
      result = pool.conjunction(
          result, inRange(field.value, pool.variable(field.parameter).sort));
  return result;
}

std::string Pes::build(const Limits &limits) {
  Budget watch(limits);
  budget = &watch;
  pair(impl.initial, spec.initial);
  for (uint32_t i = 0; i < pairs.size(); ++i) {
    size_t before = nodes.size();
    equation(i);
    watch.spend(nodes.size() - before);
    std::string limit = watch.exceeded(pairs.size(), memoryInUse());
    if (watch.stopped() || !limit.empty())
      return watch.stopped() ? watch.limit() : limit;
  }
  return "";
}

void cif::printPes(const Pes &pes, raw_ostream &os) {
  FormulaPool &pool = pes.pool;
  auto name = [&](VariableId v) { return pool.qualifiedName(v); };
  auto list = [&](ArrayRef<VariableId> variables) {
    std::string text;
    for (VariableId v : variables)
      text += (text.empty() ? "" : ", ") + name(v);
    return text;
  };
  for (uint32_t p = 0; p < pes.pairs.size(); ++p) {
    const PesPair &pair = pes.pairs[p];
    std::vector<std::string> texts;
    for (uint32_t n = pair.firstNode; n < pair.endNode; ++n) {
      const PesNode &node = pes.nodes[n];
      auto child = [&](size_t i) -> const std::string & {
        return texts[node.children[i] - pair.firstNode];
      };
      std::string given;
      for (auto [v, value] : node.given)
        given += (given.empty() ? "" : ", ") + name(v) +
                 " := " + pool.text(value, name);
      std::string text;
      switch (node.kind) {
      case PesNode::Formula:
        text = pool.text(node.formula, name);
        if (!pool.isLiteral(node.formula))
          text = "(" + text + ")";
        break;
      case PesNode::Apply:
        text = pes.name(node.pair) + (given.empty() ? "" : "{" + given + "}");
        break;
      case PesNode::Substitute:
        text = child(0) + "{" + given + "}";
        break;
      case PesNode::And:
      case PesNode::Or:
        for (size_t i = 0; i < node.children.size(); ++i)
          text += (!i                          ? ""
                   : node.kind == PesNode::And ? " && "
                                               : " || ") +
                  child(i);
        if (node.children.size() > 1)
          text = "(" + text + ")";
        break;
      case PesNode::Implies:
        text = "(" + child(0) + " => " + child(1) + ")";
        break;
      case PesNode::ForAll:
      case PesNode::Exists:
        text = std::string(node.kind == PesNode::ForAll ? "(all " : "(some ") +
               list(node.bound) + " : " + child(0) + ")";
        break;
      }
      texts.push_back(std::move(text));
    }
    os << pes.name(p) << "(" << list(pair.variables) << ") := " << texts.back()
       << "\n";
  }
}
