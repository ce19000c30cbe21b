//===- CheckBisimilar.cpp - --check-bisimilar -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IocSubject.h"
#include "cif/Equivalence/IocRelation.h"
#include "cif/IR/Names.h"
#include "cif/Pass/Pass.h"
#include "cif/Support/DiagnosticKinds.h"

using namespace cif;

namespace {

class CheckBisimilar : public Pass {
public:
  PassResult run(Module &module, PassContext &context) override {
    auto relation = context.oneOf("relation", iocRelationNames());
    if (!relation)
      return PassResult::Failed;
    OperationNumbers operations;
    const Behaviour *chosen = choose(module, context);
    if (!chosen)
      return PassResult::Failed;
    auto choreography = read(module, *chosen, operations, context);
    if (!choreography)
      return PassResult::Failed;
    std::vector<PocRole> roles;
    for (const Behaviour &b : module.behaviours) {
      if (b.kind != BehaviourKind::Process)
        continue;
      auto term = read(module, b, operations, context);
      if (!term)
        return PassResult::Failed;
      roles.push_back({b.owner.raw(), std::move(*term)});
    }
    bool projected = roles.empty();
    if (projected)
      roles = projectTerm(*choreography);

    IocNames names{[&](uint32_t role) {
                     return module.participantName(ParticipantId(role)).str();
                   },
                   [&](uint32_t operation) {
                     return module.text(operations.name(operation)).str();
                   }};
    IocComparison found =
        compareIoc(*choreography, roles, static_cast<IocRelation>(*relation),
                   names, context.limits);

    Fact fact;
    fact.property = "bisimilar";
    fact.subject = ("choreography '" + module.text(chosen->name) + "' and " +
                    (projected ? "its projection" : "the system"))
                       .str();
    fact.parameters.emplace_back("relation", iocRelationNames()[*relation]);
    fact.verdict = found.verdict;
    fact.exact = found.verdict != Verdict::Inconclusive;
    fact.method = iocRelationNames()[*relation].str() +
                  (found.method.empty() ? "" : ", " + found.method);
    fact.at = module.place(chosen->loc);
    fact.states = found.states;
    fact.transitions = found.transitions;
    if (found.verdict == Verdict::Inconclusive) {
      fact.message = fact.subject + ": stopped at " + found.limit;
    } else if (found.verdict == Verdict::Violated) {
      fact.message = fact.subject + " are not related by " +
                     iocRelationNames()[*relation].str();
      fact.witness.emplace();
      fact.witness->kind = found.trace.empty() ? "game" : "trace";
      for (const Label &label : found.trace)
        fact.witness->steps.push_back({labelText(label), Place(), ""});
      fact.witness->formula = found.formula;
      for (const std::string &sentence : found.sentences)
        fact.notes.push_back({Place(), sentence});
    }
    context.report(module, std::move(fact));
    return PassResult::Unchanged;
  }

private:
  static const Behaviour *choose(const Module &module, PassContext &context) {
    const Behaviour *chosen = nullptr;
    StringRef only = context.option("only");
    for (const Behaviour &b : module.behaviours) {
      if (b.kind != BehaviourKind::Choreography ||
          (!only.empty() && module.text(b.name) != only))
        continue;
      if (chosen) {
        context.diags.report(module.place(b.loc), diag::several_behaviours)
            << "choreographies";
        return nullptr;
      }
      chosen = &b;
    }
    if (!chosen && only.empty())
      context.diags.report(diag::nothing_to_explore) << "choreography";
    else if (!chosen)
      context.diags.report(diag::unknown_selected) << "choreography" << only;
    return chosen;
  }

  /// A term with a semantics: of choices only those that the first step
  /// decides.
  static std::optional<IocTerm> read(const Module &module, const Behaviour &b,
                                     OperationNumbers &operations,
                                     PassContext &context) {
    auto term = iocSubject(module, b, operations, iocLtsKinds(), context.diags);
    if (!term)
      return term;
    for (const TermNode &node : term->term.nodes)
      if ((node.kind == TermKind::Choice || node.kind == TermKind::Loop) &&
          !node.deferred) {
        context.diags.report(module.place(b.node(node.node).loc),
                             diag::foreign_node)
            << termKindText(node.kind).str() + " that is decided silently";
        return std::nullopt;
      }
    return term;
  }
};
} // namespace

namespace cif {
std::unique_ptr<Pass> createCheckBisimilarPass() {
  return std::make_unique<CheckBisimilar>();
}
} // namespace cif
