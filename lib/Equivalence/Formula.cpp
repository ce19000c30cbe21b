//===- Formula.cpp - Hennessy-Milner formulas ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Printing formulas and evaluating them. Evaluation is by fixed points over
/// whole LTSs and shares nothing with the algorithms that make formulas,
/// because it is what checks them. Implements: [hennessy1985], [denicola1995].
///
//===----------------------------------------------------------------------===//

#include "cif/Equivalence/Formula.h"
#include "cif/IR/Names.h"
#include "cif/LTS/Graph.h"
#include "cif/LTS/Operations.h"

using namespace cif;

unsigned Formula::depth() const {
  std::vector<unsigned> depths(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (NodeId o : nodes[i].operands)
      depths[i] = std::max(depths[i], depths[o]);
    depths[i] += nodes[i].op >= May;
  }
  return depths[root];
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string cif::formulaText(const Formula &formula, size_t limit) {
  std::string text;
  // What is still to be written, last first: a node, or a piece of text.
  struct Item {
    bool isNode;
    Formula::NodeId node;
    std::string piece;
  };
  std::vector<Item> work{{true, formula.root, ""}};
  auto label = [](const Label &l) { return quoteAlways(labelText(l)); };
  while (!work.empty()) {
    if (text.size() > limit)
      return text + "...";
    Item item = std::move(work.back());
    work.pop_back();
    if (!item.isNode) {
      text += item.piece;
      continue;
    }
    const Formula::Node &node = formula.nodes[item.node];
    switch (node.op) {
    case Formula::True:
      text += "true";
      break;
    case Formula::Not:
      text += "not ";
      work.push_back({true, node.operands[0], ""});
      break;
    case Formula::And:
      text += "(";
      work.push_back({false, 0, ")"});
      for (size_t i = node.operands.size(); i-- > 0;) {
        work.push_back({true, node.operands[i], ""});
        if (i)
          work.push_back({false, 0, " and "});
      }
      break;
    case Formula::May:
      text += "<" + label(node.label) + ">";
      work.push_back({true, node.operands[0], ""});
      break;
    case Formula::WeakMay:
      text += "<<" + label(node.label) + ">>";
      work.push_back({true, node.operands[0], ""});
      break;
    case Formula::Until:
      text += "(";
      work.push_back({false, 0, ")"});
      work.push_back({true, node.operands[1], ""});
      work.push_back({false, 0, " until<" + label(node.label) + "> "});
      work.push_back({true, node.operands[0], ""});
      break;
    case Formula::Diverge:
      text += "diverge ";
      work.push_back({true, node.operands[0], ""});
      break;
    }
  }
  return text;
}

namespace {
/// Says what formulas mean; what is nested too deeply is left to the formula.
class Speaker {
public:
  explicit Speaker(const Formula &formula) : formula(formula) {}

  std::string say(Formula::NodeId id, bool negated, unsigned depth) const {
    const Formula::Node &node = formula.nodes[id];
    if (depth > 6)
      return negated ? "the rest of the formula fails"
                     : "the rest of the formula holds";
    std::string label = labelText(node.label);
    auto isTrue = [&](Formula::NodeId i) {
      return formula.nodes[i].op == Formula::True;
    };
    switch (node.op) {
    case Formula::True:
      return negated ? "nothing is left" : "anything may follow";
    case Formula::Not:
      return say(node.operands[0], !negated, depth);
    case Formula::And: {
      std::string text;
      for (auto [i, o] : llvm::enumerate(node.operands)) {
        if (i)
          text += negated ? " or " : " and ";
        text += say(o, negated, depth + 1);
      }
      return text;
    }
    case Formula::May:
    case Formula::WeakMay: {
      Formula::NodeId next = node.operands[0];
      bool silent = node.label.kind == LabelKind::Tau;
      if (silent && node.op == Formula::WeakMay)
        return negated ? "always " + say(next, true, depth + 1)
                       : "a point can silently be reached where " +
                             say(next, false, depth + 1);
      if (silent)
        label = "a silent step";
      if (isTrue(next))
        return label + (negated ? " is impossible" : " is possible");
      return negated ? "after every " + label + " " + say(next, true, depth + 1)
                     : label + " can lead to a point where " +
                           say(next, false, depth + 1);
    }
    case Formula::Until: {
      bool silent = node.label.kind == LabelKind::Tau;
      std::string step = silent ? "a silent step" : label;
      std::string text = (negated ? "no silent run can lead to "
                                  : "a silent run can lead to ") +
                         step;
      if (!isTrue(node.operands[1]))
        text +=
            " into a point where " + say(node.operands[1], false, depth + 1);
      if (!isTrue(node.operands[0]))
        text += " while all along " + say(node.operands[0], false, depth + 1);
      return text;
    }
    case Formula::Diverge: {
      std::string text = negated ? "silent steps cannot go on for ever"
                                 : "silent steps can go on for ever";
      if (!isTrue(node.operands[0]))
        text += " while all along " + say(node.operands[0], false, depth + 1);
      return text;
    }
    }
    return {};
  }

private:
  const Formula &formula;
};
} // namespace

std::vector<std::string> cif::formulaSentences(const Formula &formula,
                                               StringRef holder,
                                               StringRef other) {
  // A chain of steps at the front is told as "after a, b".
  std::string after;
  Formula::NodeId at = formula.root;
  StringRef who = holder, whoNot = other;
  if (formula.nodes[at].op == Formula::Not) { // then the other one satisfies it
    at = formula.nodes[at].operands[0];
    std::swap(who, whoNot);
  }
  auto isStep = [&](Formula::NodeId id) {
    const Formula::Node &node = formula.nodes[id];
    return (node.op == Formula::May || node.op == Formula::WeakMay) &&
           formula.nodes[node.operands[0]].op != Formula::True &&
           node.label.kind != LabelKind::Tau;
  };
  while (isStep(at)) {
    after +=
        (after.empty() ? "after " : ", ") + labelText(formula.nodes[at].label);
    at = formula.nodes[at].operands[0];
  }
  bool silently = formula.nodes[at].op == Formula::WeakMay &&
                  formula.nodes[at].label.kind == LabelKind::Tau;
  if (silently)
    at = formula.nodes[at].operands[0];
  Speaker speaker(formula);
  std::string lead = after.empty() ? "" : after + " ";
  std::vector<std::string> result;
  bool point = silently || !after.empty();
  result.push_back(lead + "the " + who.str() +
                   (point ? (silently ? " can silently reach a point where "
                                      : " can be at a point where ")
                          : ": ") +
                   speaker.say(at, false, 0));
  result.push_back(lead + "the " + whoNot.str() +
                   (point ? " cannot; there always " : ": ") +
                   speaker.say(at, true, 0));
  return result;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

namespace {
using StateSet = std::vector<bool>;

class Evaluator {
public:
  Evaluator(const Formula &formula, const Lts &lts)
      : formula(formula), lts(lts), predecessors(lts) {}
  std::vector<StateSet> run();

private:
  /// Adds whatever reaches \p set silently over states of \p over.
  void closeBackwards(StateSet &set, const StateSet *over) const {
    std::vector<StateIndex> work;
    for (StateIndex s = 0; s < set.size(); ++s)
      if (set[s])
        work.push_back(s);
    while (!work.empty()) {
      StateIndex s = work.back();
      work.pop_back();
      for (auto [l, p] :
           llvm::zip_equal(predecessors.labelsOf(s), predecessors.of(s)))
        if (l == tauLabel && !set[p] && (!over || (*over)[p])) {
          set[p] = true;
          work.push_back(p);
        }
    }
  }
  /// The states with a step \p label into \p set.
  StateSet before(const StateSet &set, const Label &label) const {
    StateSet result(set.size());
    auto index = llvm::find(lts.labels, label) - lts.labels.begin();
    for (StateIndex s = 0; s < set.size(); ++s)
      for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
        if (lts.label[e] == index && set[lts.target[e]])
          result[s] = true;
    return result;
  }
  StateSet diverging(const StateSet &over) const;

  const Formula &formula;
  const Lts &lts;
  LabelledPredecessors predecessors;
};
} // namespace

StateSet Evaluator::diverging(const StateSet &over) const {
  Components silent = componentsWithin(
      lts, [&](StateIndex s) { return over[s]; },
      [&](uint32_t e) { return lts.label[e] == tauLabel; });
  StateSet result(over.size());
  for (StateIndex s = 0; s < over.size(); ++s)
    if (over[s])
      for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e) {
        StateIndex t = lts.target[e];
        if (lts.label[e] == tauLabel && over[t] && silent.of[s] == silent.of[t])
          result[s] = true;
      }
  closeBackwards(result, &over);
  return result;
}

std::vector<StateSet> Evaluator::run() {
  size_t n = lts.numStates();
  std::vector<StateSet> values(formula.root + 1);
  for (Formula::NodeId id = 0; id <= formula.root; ++id) {
    const Formula::Node &node = formula.nodes[id];
    StateSet &value = values[id];
    switch (node.op) {
    case Formula::True:
      value.assign(n, true);
      break;
    case Formula::Not:
      value = values[node.operands[0]];
      value.flip();
      break;
    case Formula::And:
      value.assign(n, true);
      for (Formula::NodeId o : node.operands)
        for (StateIndex s = 0; s < n; ++s)
          value[s] = value[s] && values[o][s];
      break;
    case Formula::May:
      value = before(values[node.operands[0]], node.label);
      break;
    case Formula::WeakMay:
      value = values[node.operands[0]];
      closeBackwards(value, nullptr);
      if (node.label.kind != LabelKind::Tau) {
        value = before(value, node.label);
        closeBackwards(value, nullptr);
      }
      break;
    case Formula::Until: {
      const StateSet &over = values[node.operands[0]];
      const StateSet &goal = values[node.operands[1]];
      value = before(goal, node.label);
      for (StateIndex s = 0; s < n; ++s)
        value[s] = over[s] &&
                   (value[s] || (node.label.kind == LabelKind::Tau && goal[s]));
      closeBackwards(value, &over);
      break;
    }
    case Formula::Diverge:
      value = diverging(values[node.operands[0]]);
      break;
    }
  }
  return values;
}

std::vector<bool> cif::satisfying(const Formula &formula, const Lts &lts) {
  return std::move(Evaluator(formula, lts).run()[formula.root]);
}

std::vector<std::vector<bool>> cif::satisfyingEach(const Formula &formula,
                                                   const Lts &lts) {
  return Evaluator(formula, lts).run();
}
