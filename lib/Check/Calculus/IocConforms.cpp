//===- IocConforms.cpp - A system of roles against a choreography ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Calculus/IocConforms.h"
#include "cif/Calculus/IocSubject.h"
#include "cif/IR/Nodes.h"
#include "cif/Pass/FactBuilder.h"
#include "cif/Support/Diagnostics/Calculus.h"
#include "cif/Support/Diagnostics/Checks.h"
#include "cif/Support/Diagnostics/Semantics.h"
#include "llvm/ADT/StringMap.h"

using namespace cif;

const Behaviour *cif::selectedChoreography(const Module &module,
                                           PassContext &context) {
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
    context.diags.report(diag::nothing_to_check) << "choreography";
  else if (!chosen)
    context.diags.report(diag::unknown_selected) << "choreography" << only;
  return chosen;
}

std::optional<IocRelation> cif::parseIocRelation(StringRef word) {
  ArrayRef<StringRef> names = iocRelationNames();
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == word)
      return static_cast<IocRelation>(i);
  return std::nullopt;
}

namespace {

/// Numbers for names that two modules share.
class SharedNumbers {
public:
  uint32_t number(StringRef name) {
    auto [it, isNew] =
        numbers.try_emplace(name, static_cast<uint32_t>(names.size()));
    if (isNew)
      names.push_back(name.str());
    return it->second;
  }
  const std::string &name(uint32_t number) const { return names[number]; }
  uint32_t size() const { return static_cast<uint32_t>(names.size()); }

private:
  llvm::StringMap<uint32_t> numbers;
  std::vector<std::string> names;
};

/// What a condition that is just `true` or `false` leaves of its term. False:
/// any other condition, or `while [true]`.
bool settle(const Module &module, const Behaviour &b, TermNode &node) {
  ExprId guard = b.flow(node.flow).guard;
  if (!guard || module.expr(guard).op != ExprOp::BoolLiteral)
    return false;
  bool isTrue = module.expr(guard).value;
  if (isTrue)
    return node.kind == TermKind::Guard; // which is what stands behind it
  node.kind = node.kind == TermKind::Guard ? TermKind::Stuck : TermKind::Done;
  node.firstChild = TermId();
  node.numChildren = 0;
  return true;
}

/// A term with a semantics (of choices only those that the first step decides)
/// and with shared numbers. Conditions that are left open are counted.
std::optional<Term> readTerm(const Module &module, const Behaviour &b,
                             SharedNumbers &roles, SharedNumbers &operations,
                             DiagnosticEngine &diags, size_t &conditions) {
  OperationNumbers own;
  auto term = iocSubject(module, b, own, iocLtsKinds(), diags);
  if (!term)
    return term;
  for (TermNode &node : term->nodes) {
    if ((node.kind == TermKind::Choice || node.kind == TermKind::Loop) &&
        !node.deferred) {
      diags.report(module.place(b.node(node.node).loc), diag::silent_choice)
          << "a " + termKindText(node.kind).str();
      return std::nullopt;
    }
    conditions +=
        (node.kind == TermKind::Guard || node.kind == TermKind::While) &&
        !settle(module, b, node);
    TermAction &x = node.action;
    for (uint32_t *role : {&x.sender, &x.receiver})
      if (*role != TermAction::none)
        *role = roles.number(module.participantName(ParticipantId(*role)));
    if (!x.isTau())
      x.operation = operations.number(module.text(own.name(x.operation)));
  }
  return term;
}

} // namespace

PassResult cif::checkIocRelation(Module &module, PassContext &context,
                                 const Module &spec,
                                 const Behaviour &choreography,
                                 IocRelation relation, StringRef property) {
  SharedNumbers roleNumbers, operations;
  size_t conditions = 0;
  auto term = readTerm(spec, choreography, roleNumbers, operations,
                       context.diags, conditions);
  if (!term)
    return PassResult::Failed;
  std::vector<PocRole> roles;
  for (const Behaviour &b : module.behaviours) {
    if (b.kind != BehaviourKind::Process)
      continue;
    auto own =
        readTerm(module, b, roleNumbers, operations, context.diags, conditions);
    if (!own)
      return PassResult::Failed;
    roles.push_back(
        {roleNumbers.number(module.participantName(b.owner)), std::move(*own)});
  }
  term->numRoles = roleNumbers.size();
  term->numOperations = operations.size();
  bool projected = roles.empty();
  Budget budget(context.limits);
  if (projected)
    roles = projectTerm(*term, &budget);
  IocNames names{
      [&](uint32_t role) { return roleNumbers.name(role); },
      [&](uint32_t operation) { return operations.name(operation); }};
  IocComparison found;
  if (budget.stopped())
    found.limit = budget.limit();
  else
    found = compareIoc(*term, roles, relation, names, context.limits);

  StringRef word = iocRelationNames()[static_cast<unsigned>(relation)];
  FactBuilder fact(property,
                   "choreography '" + spec.text(choreography.name) + "' and " +
                       (projected ? "its projection" : "the system"),
                   spec.place(choreography.loc));
  fact.with("relation", word)
      .by(word.str() + (found.method.empty() ? "" : ", " + found.method))
      .sized(found.states, found.transitions);
  if (found.verdict == Verdict::Inconclusive) {
    fact.inconclusive(fact.subject +
                      ": no verdict: " + stoppedText(found.limit));
  } else if (found.holds()) {
    fact.holds();
  } else {
    fact.violated(fact.subject + " are not related by " + word.str())
        .show(found.trace.empty() ? "game" : "trace");
    for (const Label &label : found.trace)
      fact.step(labelText(label));
    fact.witness->formula = found.formula;
    for (const std::string &sentence : found.sentences)
      fact.note(sentence);
  }
  if (conditions)
    context.diags.abstracted(
        countedText("guards are free choices", conditions));
  for (StringRef text : spec.abstractions)
    context.diags.abstracted(text);
  context.report(module, std::move(fact),
                 [&] { return found.replays && found.replays(); });
  return PassResult::Unchanged;
}

PassResult cif::checkIocConforms(Module &module, PassContext &context,
                                 IocRelation relation) {
  StringRef path = context.option("spec");
  std::unique_ptr<Module> spec = context.host.load(path);
  if (!spec)
    return PassResult::Failed;
  const Behaviour *chosen = nullptr;
  size_t count = 0;
  for (const Behaviour &b : spec->behaviours)
    if (b.kind == BehaviourKind::Choreography) {
      chosen = &b;
      ++count;
    }
  if (count != 1) {
    context.diags.report(diag::spec_choreographies) << path << count;
    return PassResult::Failed;
  }
  if (!module.has(BehaviourKind::Process)) {
    context.diags.report(diag::nothing_to_check) << "roles or processes";
    return PassResult::Failed;
  }
  return checkIocRelation(module, context, *spec, *chosen, relation,
                          "conforms");
}
