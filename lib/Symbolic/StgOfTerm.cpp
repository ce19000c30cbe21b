//===- StgOfTerm.cpp - From terms to symbolic transition graphs -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rules of [symbolic, Fig. 2] for sequence, choice, parallel,
/// interruption, guard and while, and corresponding rules for `loop`, `rec`,
/// `0` and `tau`. A state is what remains of a term; equal remainders are one
/// state. A guard is tested by the first step after it, and that of `while`
/// again in each round.
///
/// Beyond the paper: a choice that is decided silently (an exclusive gateway)
/// takes a silent step, with the guard of its branch. The steps of a state are
/// computed from those of its parts with an explicit stack, so that nesting
/// costs no recursion.
///
/// A recursion with calls that are not in tail position may have infinitely
/// many states; limits apply.
///
//===----------------------------------------------------------------------===//

#include "StgData.h"
#include "llvm/ADT/STLExtras.h"

using namespace cif;

namespace {

/// What is left to do.
struct Residual {
  enum Kind : uint8_t {
    Nil,       ///< has ended, and said so
    Done,      ///< 1
    Start,     ///< term a
    Seq,       ///< residual a, then b
    Par,       ///< both
    Interrupt, ///< a, until b starts
  };
  Kind kind = Nil;
  uint32_t a = 0, b = 0;
  auto operator<=>(const Residual &) const = default;
};

struct Step {
  FormulaId guard;
  StgAction action; ///< Tick, Tau, or Exchange for any action
  NodeId node;
  bool decides = false;
  uint32_t to;
};

class Builder {
public:
  Builder(const Module &module, const Behaviour &b, const Term &term,
          FormulaPool &pool, const Limits &limits,
          std::vector<OpenCondition> &open)
      : module(module), b(b), term(term), pool(pool), budget(limits),
        data(module, b, pool, open) {}

  Outcome<Stg> run();

private:
  using Condition = StgData::Condition;

  uint32_t get(Residual r);
  void startAll();
  uint32_t start(TermId t) const { return started[t.index()]; }
  uint32_t seq(uint32_t a, uint32_t b) {
    return residuals[a].kind == Residual::Done ? b : get({Residual::Seq, a, b});
  }
  uint32_t par(uint32_t a, uint32_t b) {
    if (residuals[a].kind == Residual::Done)
      return b;
    return residuals[b].kind == Residual::Done ? a : get({Residual::Par, a, b});
  }
  bool find(uint32_t state);
  bool compute(uint32_t state);
  bool computeStart(TermId t, std::vector<Step> &out);
  bool computeSilent(TermId t, std::vector<Step> &out);
  bool computeTwo(const Residual &r, uint32_t x, uint32_t y,
                  std::vector<Step> &out);
  /// The steps of another state, if they are known; else asks for them.
  const std::vector<Step> *need(uint32_t state);

  const Module &module;
  const Behaviour &b;
  const Term &term;
  FormulaPool &pool;
  Budget budget;
  StgData data;

  std::vector<uint32_t> started; ///< by term
  std::vector<Residual> residuals;
  std::map<Residual, uint32_t> numbers;
  enum class State : uint8_t { Unknown, Asked, Known };
  std::vector<State> states;
  std::vector<std::vector<Step>> steps;
  std::vector<uint32_t> work;
};

} // namespace

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

uint32_t Builder::get(Residual r) {
  auto [at, isNew] =
      numbers.try_emplace(r, static_cast<uint32_t>(residuals.size()));
  if (isNew) {
    residuals.push_back(r);
    states.push_back(State::Unknown);
    steps.emplace_back();
  }
  return at->second;
}

/// What each term is at its beginning. Children stand before their parents.
void Builder::startAll() {
  for (size_t i = 0; i < term.size(); ++i) {
    const TermNode &node = term.nodes[i];
    if (node.kind == TermKind::Done) {
      started.push_back(get({Residual::Done, 0, 0}));
      continue;
    }
    bool isSeq = node.kind == TermKind::Sequence;
    if (!isSeq && node.kind != TermKind::Parallel) {
      started.push_back(get({Residual::Start, static_cast<uint32_t>(i), 0}));
      continue;
    }
    std::vector<uint32_t> parts;
    for (TermId c = node.firstChild; c; c = term[c].nextSibling)
      parts.push_back(start(c));
    uint32_t whole = parts.back();
    for (size_t p = parts.size() - 1; p-- > 0;)
      whole = isSeq ? seq(parts[p], whole) : par(parts[p], whole);
    started.push_back(whole);
  }
}

const std::vector<Step> *Builder::need(uint32_t state) {
  if (states[state] == State::Known)
    return &steps[state];
  work.push_back(state);
  return nullptr;
}

/// Sequence, parallel and interruption of two residuals. False: asks for more.
bool Builder::computeTwo(const Residual &r, uint32_t x, uint32_t y,
                         std::vector<Step> &out) {
  const std::vector<Step> *first = need(x);
  if (!first)
    return false;
  bool ticks = llvm::any_of(
      *first, [](const Step &s) { return s.action == StgAction::Tick; });
  bool isSeq = r.kind == Residual::Seq, isPar = r.kind == Residual::Par;
  if ((!isSeq || ticks) && !need(y))
    return false;
  std::vector<Step> left = *first; // making residuals moves them
  std::vector<Step> right = !isSeq || ticks ? steps[y] : std::vector<Step>();
  const uint32_t nil = get({Residual::Nil, 0, 0});
  for (Step &s : left) {
    if (s.action != StgAction::Tick) {
      s.to = isSeq   ? seq(s.to, y)
             : isPar ? par(s.to, y)
                     : get({Residual::Interrupt, s.to, y});
      out.push_back(s);
      continue;
    }
    if (r.kind == Residual::Interrupt) {
      out.push_back(s);
      continue;
    }
    for (Step other : right) {
      if (isPar && other.action != StgAction::Tick)
        continue;
      other.guard = pool.conjunction(s.guard, other.guard);
      if (isPar)
        other.to = nil;
      out.push_back(other);
    }
  }
  if (isSeq)
    return true;
  for (Step &s : right) {
    if (isPar && s.action == StgAction::Tick)
      continue;
    if (isPar)
      s.to = par(x, s.to);
    out.push_back(s);
  }
  return true;
}

/// Choices and loops that are decided silently.
bool Builder::computeSilent(TermId t, std::vector<Step> &out) {
  const TermNode &node = term[t];
  auto decide = [&](FormulaId guard, uint32_t to) {
    out.push_back({guard, StgAction::Tau, node.node, true, to});
  };
  if (node.kind == TermKind::Loop) {
    decide(pool.truth(true), get({Residual::Done, 0, 0}));
    decide(pool.truth(true),
           seq(start(node.firstChild), get({Residual::Start, t.index(), 0})));
    return true;
  }
  for (TermId c = node.firstChild; c; c = term[c].nextSibling) {
    const TermNode &child = term[c];
    if (child.kind == TermKind::Guard)
      decide(data.condition(child.flow).isTrue, start(child.firstChild));
    else
      decide(pool.truth(true), start(c));
  }
  return true;
}

bool Builder::computeStart(TermId t, std::vector<Step> &out) {
  const TermNode &node = term[t];
  const FormulaId yes = pool.truth(true);
  switch (node.kind) {
  case TermKind::Stuck:
    return true;
  case TermKind::Action:
    out.push_back({yes, StgAction::Exchange, node.node, false,
                   get({Residual::Done, 0, 0})});
    return true;
  case TermKind::Tau:
    out.push_back(
        {yes, StgAction::Tau, node.node, false, get({Residual::Done, 0, 0})});
    return true;
  case TermKind::Choice:
    if (!node.deferred)
      return computeSilent(t, out);
    for (TermId c = node.firstChild; c; c = term[c].nextSibling) {
      const std::vector<Step> *some = need(start(c));
      if (!some)
        return false;
      out.insert(out.end(), some->begin(), some->end());
    }
    return true;
  case TermKind::Loop:
    if (!node.deferred)
      return computeSilent(t, out);
    break;
  case TermKind::Interrupt:
    return computeTwo({Residual::Interrupt}, start(node.firstChild),
                      start(term[node.firstChild].nextSibling), out);
  default:
    break;
  }
  // One child, whose steps are these but for guards and what follows.
  TermId child = node.kind == TermKind::Call ? term[node.target].firstChild
                                             : node.firstChild;
  const std::vector<Step> *inner = need(start(child));
  if (!inner)
    return false;
  out = *inner;
  if (node.kind == TermKind::Call || node.kind == TermKind::Rec)
    return true;
  Condition when = node.kind == TermKind::Loop ? Condition{yes, yes}
                                               : data.condition(node.flow);
  if (node.kind != TermKind::Guard) { // again and again
    llvm::erase_if(out,
                   [](const Step &s) { return s.action == StgAction::Tick; });
    const uint32_t again = get({Residual::Start, t.index(), 0});
    for (Step &s : out)
      s.to = seq(s.to, again);
  }
  for (Step &s : out)
    s.guard = pool.conjunction(when.isTrue, s.guard);
  if (node.kind != TermKind::Guard)
    out.push_back({when.isFalse, StgAction::Tick, NodeId(), false,
                   get({Residual::Nil, 0, 0})});
  return true;
}

/// Finds the steps of one state from those of its parts; false: asked for some
/// of these.
bool Builder::compute(uint32_t state) {
  const Residual r = residuals[state];
  std::vector<Step> out;
  bool known = true;
  switch (r.kind) {
  case Residual::Nil:
    break;
  case Residual::Done:
    out.push_back({pool.truth(true), StgAction::Tick, NodeId(), false,
                   get({Residual::Nil, 0, 0})});
    break;
  case Residual::Start:
    known = computeStart(TermId(r.a), out);
    break;
  default:
    known = computeTwo(r, r.a, r.b, out);
  }
  if (!known)
    return false;
  llvm::erase_if(out, [&](const Step &s) { return pool.is(s.guard, false); });
  budget.spend(out.size() + 1);
  steps[state] = std::move(out);
  states[state] = State::Known;
  return true;
}

/// The steps of \p state and of what they are made of. False: a way round that
/// takes no step.
bool Builder::find(uint32_t state) {
  work.push_back(state);
  while (!work.empty() && !budget.stopped()) {
    uint32_t at = work.back();
    if (states[at] == State::Known) {
      work.pop_back();
      continue;
    }
    size_t before = work.size();
    states[at] = State::Asked;
    if (compute(at)) {
      work.resize(before - 1);
      continue;
    }
    if (states[work.back()] == State::Asked)
      return false;
    budget.spend();
  }
  return true;
}

Outcome<Stg> Builder::run() {
  startAll();
  Stg stg;
  stg.name = module.text(b.name).str();
  std::map<uint32_t, uint32_t> numberOf; // residual -> state
  std::vector<uint32_t> order;
  auto state = [&](uint32_t residual) {
    auto [at, isNew] =
        numberOf.try_emplace(residual, static_cast<uint32_t>(order.size()));
    if (isNew)
      order.push_back(residual);
    return at->second;
  };
  state(start(term.root()));
  for (size_t i = 0; i < order.size(); ++i) {
    if (!find(order[i]))
      return Failed();
    std::string limit = budget.exceeded(order.size(), memoryInUse());
    if (budget.stopped() || !limit.empty())
      return Stopped{budget.stopped() ? budget.limit() : limit};
    std::vector<Step> all = steps[order[i]];
    for (const Step &step : all)
      stg.transitions.push_back(
          data.transition(static_cast<uint32_t>(i), state(step.to), step.guard,
                          step.action, step.node, step.decides));
  }
  stg.finish(pool, order.size());
  return stg;
}

Outcome<Stg> cif::stgOfTerm(const Module &module, const Behaviour &behaviour,
                            const Term &term, FormulaPool &pool,
                            const Limits &limits,
                            std::vector<OpenCondition> &open) {
  return Builder(module, behaviour, term, pool, limits, open).run();
}
