//===- FactBuilder.h - Facts, one sentence after the other ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How a check says what it found, in the order in which people ask:
///
///   FactBuilder fact("well-composed", "the processes", place);
///   fact.by("message edges counted [c4, Def. 4.5]").with("open", "error");
///   if (problems.empty())
///     fact.holds();
///   else
///     fact.violated("the processes do not fit together")
///         .show("elements", problems);
///   context.report(module, fact);
///
//===----------------------------------------------------------------------===//

#ifndef CIF_PASS_FACTBUILDER_H
#define CIF_PASS_FACTBUILDER_H

#include "cif/IR/Fact.h"

namespace cif {

/// A fact in the making. It is inconclusive until something else is said.
struct FactBuilder : Fact {
  FactBuilder() = default;
  FactBuilder(Fact fact) : Fact(std::move(fact)) {}
  FactBuilder(StringRef ofProperty, const Twine &onSubject, Place where = {}) {
    property = ofProperty.str();
    subject = onSubject.str();
    at = std::move(where);
  }

  /// How it was decided, with the definition's reference.
  FactBuilder &by(const Twine &how) {
    method = how.str();
    return *this;
  }
  /// A parameter of the question, or a detail of the answer for scripts.
  FactBuilder &with(StringRef name, const Twine &value) {
    parameters.emplace_back(name.str(), value.str());
    return *this;
  }
  FactBuilder &note(const Twine &text) { return note(Place(), text); }
  FactBuilder &note(Place place, const Twine &text) {
    notes.push_back({std::move(place), text.str()});
    return *this;
  }
  FactBuilder &sized(uint64_t numStates, uint64_t numTransitions) {
    states = numStates;
    transitions = numTransitions;
    return *this;
  }

  /// \name The answer; exact unless \p isExact says otherwise
  /// @{
  FactBuilder &holds(bool isExact = true) {
    return answer(Verdict::Holds, isExact);
  }
  /// Needs something to show.
  FactBuilder &violated(const Twine &sentence, bool isExact = true) {
    message = sentence.str();
    return answer(Verdict::Violated, isExact);
  }
  FactBuilder &inconclusive(const Twine &sentence) {
    message = sentence.str();
    return answer(Verdict::Inconclusive, false);
  }
  /// What a result says; exact unless it says nothing.
  FactBuilder &answer(Verdict given) {
    return answer(given, given != Verdict::Inconclusive);
  }
  FactBuilder &answer(Verdict given, bool isExact) {
    verdict = given;
    exact = isExact;
    return *this;
  }
  /// @}

  /// Starts a witness of a kind, see Witness::kind; step() adds to it.
  FactBuilder &show(StringRef kind, std::vector<WitnessStep> steps = {}) {
    witness.emplace();
    witness->kind = kind.str();
    witness->steps = std::move(steps);
    return *this;
  }
  FactBuilder &step(const Twine &label, Place place = {},
                    const Twine &text = "") {
    witness->steps.push_back({label.str(), std::move(place), text.str()});
    return *this;
  }
};

} // namespace cif

#endif
