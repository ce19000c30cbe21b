//===- LtlCheck.cpp - Runs on which a property does not hold --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The product of an LTS with the automaton of the negated property, and a
/// search for a cycle in it that is accepting, and fair where that is asked.
/// Implements: [baierkatoen], Sec. 5.2.
///
/// The automaton moves with visible steps. A state of the product is one of the
/// LTS, one of the automaton and a mode: silent steps do not move the
/// automaton, unless the run has decided that nothing visible comes any more
/// (mode Silent): then each of them reads `end`. A run that ends reads `end`
/// for ever in its last state (mode Ended). If the property is violated
/// whatever follows, the run is not followed any further (mode Open). Only
/// states that were entered by reading count as accepting, so that silent
/// cycles do not.
///
/// Sound and complete for finite LTSs: exact. Without fairness the stem of the
/// counterexample is as short as possible and its cycle is a shortest one.
///
//===----------------------------------------------------------------------===//

#include "cif/Temporal/Ltl.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;
using namespace cif::ltl;

static uint32_t letterOf(const Lts &lts, RunEnd end) {
  return lts.labels.size() + static_cast<uint32_t>(end) - 1;
}

/// Which atoms each label, and each end of a run after them, makes true.
static std::vector<std::vector<bool>> matchLetters(const Lts &lts,
                                                   const Property &property) {
  std::vector<std::vector<bool>> atomsOf(
      lts.labels.size() + 3, std::vector<bool>(property.atoms.size()));
  for (size_t a = 0; a < property.atoms.size(); ++a) {
    const Atom &atom = property.atoms[a];
    for (size_t l = 0; l < lts.labels.size(); ++l)
      atomsOf[l][a] = atom.matches(lts.labels[l]);
    for (RunEnd end : {RunEnd::Silent, RunEnd::Done, RunEnd::Stuck})
      atomsOf[letterOf(lts, end)][a] =
          atom.kind == Atom::End ||
          (atom.kind == Atom::Done && end == RunEnd::Done) ||
          (atom.kind == Atom::Stuck && end == RunEnd::Stuck);
  }
  return atomsOf;
}

namespace {
enum Mode : uint8_t { Quiet, Read, Silent, Ended, Open };

class Product {
public:
  /// \p negation: of the property, in normal form.
  Product(const Lts &of, const Property &to, FormulaId negation,
          const CheckOptions &by)
      : lts(of), options(by), atomsOf(matchLetters(of, to)),
        automaton(to.formulas, negation, atomsOf, by.limits) {}

  /// False: a limit was reached.
  bool build(std::string &limit);
  /// Nothing says nothing once \p budget is used up.
  std::optional<Run> search(Budget &budget);
  size_t size() const { return stateOf.size(); }

private:
  struct State {
    StateIndex s;
    uint32_t q;
    Mode mode;
  };
  static constexpr uint32_t noTransition = UINT32_MAX;
  /// What a run that ends in this state reads.
  uint32_t endLetter(StateIndex s) const {
    return letterOf(lts, lts.isFinal(s) ? RunEnd::Done : RunEnd::Stuck);
  }
  bool isEnd(StateIndex s) const {
    return s < options.expanded &&
           (lts.isFinal(s) || lts.rowBegin[s] == lts.rowBegin[s + 1]);
  }
  uint32_t add(StateIndex s, uint32_t q, Mode mode);
  bool accepts(StateIndex p) const {
    return stateOf[p].mode == Open ||
           (stateOf[p].mode != Quiet && automaton.accepting(stateOf[p].q));
  }
  std::optional<Run> shortest();
  Run runOf(ArrayRef<uint32_t> stem, ArrayRef<uint32_t> cycle) const;

  const Lts &lts;
  const CheckOptions &options;
  const std::vector<std::vector<bool>> atomsOf; ///< by letter
  Automaton automaton;
  llvm::DenseMap<uint64_t, uint32_t> numbers;
  std::vector<State> stateOf;
  Lts product;
  std::vector<uint32_t> transitionOf;
};
} // namespace

uint32_t Product::add(StateIndex s, uint32_t q, Mode mode) {
  uint64_t key = uint64_t(s) << 32 | uint64_t(q) << 3 | mode;
  auto [at, isNew] = numbers.try_emplace(key, stateOf.size());
  if (isNew)
    stateOf.push_back({s, q, mode});
  return at->second;
}

bool Product::build(std::string &limit) {
  // The limit is on what is explored; a product may be a little larger.
  Limits limits = options.limits;
  limits.maxStates =
      std::max<uint64_t>(limits.maxStates, 16 * lts.numStates() + 1000);
  Budget budget(limits);
  std::vector<uint32_t> rows{0}, targets;
  add(lts.initial, 0, Quiet);
  for (uint32_t p = 0; p < stateOf.size(); ++p) {
    State from = stateOf[p];
    auto to = [&](uint32_t next, uint32_t transition) {
      targets.push_back(next);
      transitionOf.push_back(transition);
    };
    auto read = [&](uint32_t letter, StateIndex s, Mode mode, uint32_t by) {
      for (uint32_t q : automaton.successors(from.q, letter))
        to(add(s, q, mode), by);
    };
    if (from.mode == Open) {
      to(p, noTransition);
    } else if (from.mode == Ended) {
      read(endLetter(from.s), from.s, Ended, noTransition);
    } else {
      if (from.mode != Silent && isEnd(from.s))
        read(endLetter(from.s), from.s, Ended, noTransition);
      // Nothing that follows can mend it.
      if (from.mode != Silent && automaton.universal(from.q))
        to(add(from.s, from.q, Open), noTransition);
      for (uint32_t e = lts.rowBegin[from.s]; e < lts.rowBegin[from.s + 1];
           ++e) {
        StateIndex s = lts.target[e];
        if (lts.label[e] != tauLabel) {
          if (from.mode != Silent)
            read(lts.label[e], s, Read, e);
          continue;
        }
        if (from.mode != Silent)
          to(add(s, from.q, Quiet), e);
        read(letterOf(lts, RunEnd::Silent), s, Silent, e);
      }
    }
    rows.push_back(targets.size());
    limit = automaton.limit();
    if (limit.empty())
      limit = budget.exceeded(stateOf.size(),
                              targets.size() * 8 + stateOf.size() * 40);
    if (limit.empty() && automaton.size() >= (1u << 29))
      limit = "the property's automaton has more than 2^29 states";
    if (!limit.empty())
      return false;
    if (targets.size() > UINT32_MAX / 2) {
      limit = "a product of more than 2^31 transitions";
      return false;
    }
  }
  product.label = std::vector<LabelIndex>(targets.size(), tauLabel);
  product.rowBegin = std::move(rows);
  product.target = std::move(targets);
  return true;
}

Run Product::runOf(ArrayRef<uint32_t> stem, ArrayRef<uint32_t> cycle) const {
  Run run;
  for (uint32_t e : stem)
    if (transitionOf[e] != noTransition)
      run.stem.push_back(transitionOf[e]);
  for (uint32_t e : cycle)
    if (transitionOf[e] != noTransition)
      run.cycle.push_back(transitionOf[e]);
  // The same run, with as little before its cycle as can be, and the cycle
  // once.
  while (!run.stem.empty() && !run.cycle.empty() &&
         run.stem.back() == run.cycle.back()) {
    std::rotate(run.cycle.rbegin(), run.cycle.rbegin() + 1, run.cycle.rend());
    run.stem.pop_back();
  }
  for (size_t period = 1; period < run.cycle.size(); ++period)
    if (run.cycle.size() % period == 0 &&
        std::equal(run.cycle.begin() + period, run.cycle.end(),
                   run.cycle.begin())) {
      run.cycle.resize(period);
      break;
    }
  if (run.cycle.empty()) {
    StateIndex last = stateOf[product.target[cycle.back()]].s;
    Mode mode = stateOf[product.target[cycle.back()]].mode;
    run.end = mode == Open        ? RunEnd::Open
              : lts.isFinal(last) ? RunEnd::Done
                                  : RunEnd::Stuck;
  } else if (llvm::all_of(run.cycle, [&](uint32_t e) {
               return lts.label[e] == tauLabel;
             })) {
    run.end = RunEnd::Silent;
  }
  return run;
}

/// States are numbered as a breadth-first search finds them, so that the first
/// accepting one on a cycle is a nearest one.
std::optional<Run> Product::shortest() {
  Components parts = components(product);
  for (StateIndex p = 0; p < stateOf.size(); ++p) {
    if (!accepts(p))
      continue;
    bool onCycle = llvm::any_of(product.targetsOf(p), [&](StateIndex t) {
      return parts.of[t] == parts.of[p];
    });
    if (!onCycle)
      continue;
    auto goal = [&](StateIndex t) { return t == p; };
    auto inside = [&](uint32_t e) {
      return parts.of[product.target[e]] == parts.of[p];
    };
    std::optional<Path> stem = shortestPath(product, goal);
    std::optional<Path> cycle =
        shortestPathFrom(product, p, goal, inside, /*mayBeEmpty=*/false);
    return runOf(stem->transitions, cycle->transitions);
  }
  return std::nullopt;
}

std::optional<Run> Product::search(Budget &budget) {
  if (options.fairness.empty())
    return shortest();
  // Fairness is one of the LTS: of its states, save where the run has ended.
  std::vector<FairnessSet> sets;
  for (const FairnessSet &set : options.fairness)
    sets.push_back(
        {set.strong,
         [this, &set](StateIndex p) {
           return stateOf[p].mode <= Silent && set.enabled(stateOf[p].s);
         },
         [this, &set](uint32_t e) {
           return transitionOf[e] != noTransition && set.taken(transitionOf[e]);
         }});
  std::optional<Lasso> lasso = findFairCycle(
      product, sets, [&](StateIndex p) { return accepts(p); }, budget);
  if (!lasso)
    return std::nullopt;
  return runOf(lasso->stem, lasso->cycle);
}

static Word wordOf(const Lts &lts, const Property &property, const Run &run) {
  std::vector<std::vector<bool>> atomsOf = matchLetters(lts, property);
  Word word;
  for (uint32_t e : run.stem)
    if (lts.label[e] != tauLabel)
      word.stem.push_back(atomsOf[lts.label[e]]);
  for (uint32_t e : run.cycle)
    if (lts.label[e] != tauLabel)
      word.cycle.push_back(atomsOf[lts.label[e]]);
  // Open: it is broken already, so that any end will do.
  if (run.end != RunEnd::Never)
    word.cycle = {atomsOf[letterOf(lts, run.end == RunEnd::Open ? RunEnd::Silent
                                                                : run.end)]};
  return word;
}

/// Whether the transitions of a run follow each other, from the initial state
/// and round the cycle, and an end is one.
static bool isRun(const Lts &lts, const Run &run) {
  StateIndex at = lts.initial;
  auto follow = [&](ArrayRef<uint32_t> steps) {
    for (uint32_t e : steps) {
      if (e < lts.rowBegin[at] || e >= lts.rowBegin[at + 1])
        return false;
      at = lts.target[e];
    }
    return true;
  };
  if (!follow(run.stem))
    return false;
  if (run.end == RunEnd::Open)
    return run.cycle.empty();
  if (run.cycle.empty())
    return run.end == (lts.isFinal(at) ? RunEnd::Done : RunEnd::Stuck) &&
           (lts.isFinal(at) || lts.targetsOf(at).empty());
  StateIndex begin = at;
  return follow(run.cycle) && at == begin;
}

bool ltl::replays(const Lts &lts, const Property &property, const Run &run,
                  ArrayRef<FairnessSet> fairness) {
  if (!isRun(lts, run))
    return false;
  // What is possible on the cycle again and again is taken on it.
  for (const FairnessSet &set : fairness) {
    auto enabled = [&](uint32_t e) { return set.enabled(lts.target[e]); };
    bool due = set.strong ? llvm::any_of(run.cycle, enabled)
                          : llvm::all_of(run.cycle, enabled);
    if (!run.cycle.empty() && due && !llvm::any_of(run.cycle, set.taken))
      return false;
  }
  return !holdsOn(property.formulas, property.root, wordOf(lts, property, run));
}

CheckResult ltl::check(const Lts &lts, Property &property,
                       const CheckOptions &options) {
  CheckResult result;
  FormulaId negation = property.formulas.normal(property.root, true);
  Product product(lts, property, negation, options);
  if (!product.build(result.limit))
    return result;
  result.productStates = product.size();
  Budget budget(options.limits);
  result.counterexample = product.search(budget);
  result.limit = budget.limit();
  result.complete = result.limit.empty();
  if (result.counterexample &&
      !replays(lts, property, *result.counterexample, options.fairness)) {
    assert(false && "a counterexample that does not replay");
    result.counterexample.reset();
    result.complete = false;
    result.limit = "the counterexample does not replay: this is a defect of "
                   "this tool";
  }
  return result;
}
