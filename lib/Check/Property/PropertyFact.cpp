//===- PropertyFact.cpp - One property of one LTS -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Strong fairness is that of static steps: each branch of a gateway, each
/// node and each transition of a peer that is possible infinitely often is
/// taken infinitely often; in an LTS that was given as one, each label. It
/// implies the fairness of [fbpmn].
///
//===----------------------------------------------------------------------===//

#include "PropertyFact.h"
#include "Collaboration/Explain.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Semantics/Guards.h"
#include "cif/Transforms/Project.h"

using namespace cif;

/// The sets of strong fairness.
static std::vector<FairnessSet> fairnessOf(const PropertySubject &subject) {
  const Lts &lts = *subject.lts;
  std::vector<FairnessSet> sets;
  if (!subject.exploration) {
    for (LabelIndex label = 0; label < lts.labels.size(); ++label)
      sets.push_back(fairLabel(lts, label, /*strong=*/true));
    return sets;
  }
  ArrayRef<Step> steps = subject.steps;
  for (GroupIndex g = 0; g < subject.numGroups; ++g) {
    auto taken = [steps, g](uint32_t e) {
      return steps[e].group == g || steps[e].partner == g;
    };
    auto enabled = [&lts, taken](StateIndex s) {
      for (uint32_t e = lts.rowBegin[s]; e < lts.rowBegin[s + 1]; ++e)
        if (taken(e))
          return true;
      return false;
    };
    sets.push_back({/*strong=*/true, enabled, taken});
  }
  return sets;
}

/// Whether \p run, which replays on the LTS, is one of the whole system.
static bool replaysWhole(const PropertySubject &subject, const ltl::Run &run) {
  if (!subject.unreduced)
    return true;
  std::vector<Step> steps;
  for (ArrayRef<uint32_t> part : {ArrayRef(run.stem), ArrayRef(run.cycle)})
    for (uint32_t e : part)
      steps.push_back(subject.steps[e]);
  const System &system = *subject.unreduced;
  std::vector<uint32_t> at(system.width()), begin;
  system.initial(at.data());
  size_t done = 0;
  if (run.stem.empty())
    begin = at;
  return replayRun(system, steps,
                   [&](const Step &, const uint32_t *after) {
                     at.assign(after, after + at.size());
                     if (++done == run.stem.size())
                       begin = at;
                   }) &&
         (run.cycle.empty() || at == begin);
}

static Witness witnessOf(const Module &module, const PropertySubject &subject,
                         const ltl::Run &run) {
  Witness witness{.kind = run.cycle.empty() ? "trace" : "lasso"};
  std::optional<Explainer> explainer;
  if (subject.ofTokens)
    explainer.emplace(module, *subject.ofTokens);
  StateIndex at = subject.lts->initial;
  auto add = [&](uint32_t e) {
    const Lts &lts = *subject.lts;
    WitnessStep step{.label = labelForPeople(lts.labels[lts.label[e]])};
    if (subject.exploration) {
      const Origin &origin =
          subject.exploration->system->groups().origin(subject.steps[e].group);
      step.at = originPlace(module, origin);
      if (lts.label[e] == tauLabel && explainer)
        step.label = explainer->stepText(subject.steps[e]);
      else if (lts.label[e] == tauLabel)
        step.note = originText(module, origin);
    } else {
      step.at = module.place(subject.system->loc);
      if (!subject.system->transitionLines.empty()) {
        step.at.line = subject.system->transitionLines[e];
        step.at.column = 0;
      }
    }
    at = lts.target[e];
    witness.steps.push_back(std::move(step));
  };
  for (uint32_t e : run.stem)
    add(e);
  if (!run.cycle.empty())
    witness.loopStart = witness.steps.size();
  for (uint32_t e : run.cycle)
    add(e);
  if (run.cycle.empty() && !witness.steps.empty())
    witness.steps.back().note +=
        std::string(witness.steps.back().note.empty() ? "" : "; ") +
        (run.end == ltl::RunEnd::Done    ? "here the run ends"
         : run.end == ltl::RunEnd::Stuck ? "here nothing more is possible"
                                         : "here it is violated");
  return witness;
}

Fact cif::propertyFact(const Module &module, PassContext &context,
                       const PropertySubject &subject, ltl::Property &property,
                       bool fair, bool &replays) {
  FactBuilder fact("property", "'" + property.text + "' on " + subject.text,
                   subject.at);
  fact.parameters = subject.parameters;
  fact.parameters.insert(
      fact.parameters.begin(),
      {{"formula", property.text}, {"fair", fair ? "strong" : "none"}});
  fact.sized(subject.lts->numStates(), subject.lts->numTransitions())
      .by(fair ? "product with a Büchi automaton, strongly fair runs"
               : "product with a Büchi automaton, all maximal runs");
  if (subject.unreduced)
    fact.method += "; fewer orders of independent steps";
  if (!subject.system)
    fact.method += dataMethodOf(module, findChoreographies(module).empty()
                                            ? BehaviourKind::Process
                                            : BehaviourKind::Choreography);
  ltl::CheckOptions options;
  options.limits = context.limits;
  options.expanded = subject.expanded;
  std::vector<FairnessSet> sets;
  if (fair)
    sets = fairnessOf(subject);
  options.fairness = sets;
  ltl::CheckResult result = ltl::check(*subject.lts, property, options);
  context.count("product-states", result.productStates);
  // Fairness of cycles looks at what is possible in states that may not be
  // known.
  bool usable = subject.incomplete.empty() || !fair ||
                (result.counterexample && result.counterexample->cycle.empty());
  if (result.counterexample && usable) {
    const ltl::Run &run = *result.counterexample;
    replays = ltl::replays(*subject.lts, property, run, sets) &&
              replaysWhole(subject, run);
    static const char *const how[] = {
        "an infinite run violates it",
        "a run that is silent from some point on violates it",
        "a run that ends violates it", "a run that gets stuck violates it",
        "a run violates it, whatever follows"};
    fact.violated("'" + property.text +
                  "' does not hold: " + how[static_cast<unsigned>(run.end)]);
    fact.witness = witnessOf(module, subject, run);
    if (!fair && !run.cycle.empty() && subject.incomplete.empty() &&
        !subject.unreduced) {
      sets = fairnessOf(subject);
      if (sets.size() * (fact.states + fact.transitions) > 50'000'000)
        return fact;
      options.fairness = sets;
      ltl::CheckResult again = ltl::check(*subject.lts, property, options);
      if (again.complete && !again.counterexample)
        fact.note(
            "it holds for fair runs, in which every step that is possible "
            "infinitely often is taken infinitely often: fair=strong");
    }
    return fact;
  }
  std::string limit =
      result.complete ? subject.incomplete : stoppedText(result.limit);
  if (!limit.empty())
    return fact.inconclusive("'" + property.text +
                             "' is not decided: " + limit);
  return fact.holds();
}
