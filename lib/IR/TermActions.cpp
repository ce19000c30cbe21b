//===- TermActions.cpp - Terms with numbered roles and operations ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Term.h"

using namespace cif;

TermId Term::add(TermNode node, ArrayRef<TermId> children) {
  node.numChildren = static_cast<uint32_t>(children.size());
  node.firstChild = children.empty() ? TermId() : children.front();
  node.nextSibling = TermId();
  for (size_t i = 0; i < children.size(); ++i)
    nodes[children[i].index()].nextSibling =
        i + 1 < children.size() ? children[i + 1] : TermId();
  nodes.push_back(node);
  return root();
}

uint32_t OperationNumbers::number(Name name) {
  size_t index = name.index();
  if (index >= numbers.size())
    numbers.resize(index + 1, TermAction::none);
  if (numbers[index] == TermAction::none) {
    numbers[index] = size();
    names.push_back(name);
  }
  return numbers[index];
}

std::optional<Term> cif::recoverTerm(const Module &module,
                                     const Behaviour &behaviour,
                                     OperationNumbers &operations,
                                     TermBreak *why) {
  std::optional<Term> term = recoverTerm(behaviour, why);
  if (!term)
    return std::nullopt;
  auto fail = [&](const TermNode &node, const char *reason) {
    if (why)
      *why = {node.node, reason};
    return std::nullopt;
  };
  term->numRoles = static_cast<uint32_t>(module.participants.size());
  for (TermNode &node : term->nodes)
    if (node.kind == TermKind::Action) {
      const Message &message =
          module.message(behaviour.node(node.node).message);
      node.action = {message.sender.raw(), message.receiver.raw(),
                     operations.number(message.name)};
      bool open = !message.sender || !message.receiver;
      if (message.sender == message.receiver ||
          (open && behaviour.kind == BehaviourKind::Choreography))
        return fail(node, "an interaction needs two different roles");
    } else if (node.kind == TermKind::Tau) {
      ParticipantId who = behaviour.node(node.node).participant;
      if (!who)
        who = behaviour.owner;
      if (!who)
        return fail(node, "the step does not say who takes it");
      node.action.sender = node.action.receiver = who.raw();
    }
  term->numOperations = operations.size();
  return term;
}

std::vector<uint32_t> cif::rolesOf(const Term &term) {
  std::vector<bool> takesPart(term.numRoles);
  for (const TermNode &node : term.nodes)
    if (node.kind == TermKind::Action || node.kind == TermKind::Tau)
      takesPart[node.action.sender] = takesPart[node.action.receiver] = true;
  std::vector<uint32_t> roles;
  for (uint32_t role = 0; role < term.numRoles; ++role)
    if (takesPart[role])
      roles.push_back(role);
  return roles;
}

TermId cif::findOther(const Term &term, ArrayRef<TermKind> kinds) {
  for (size_t i = 0; i < term.size(); ++i)
    if (!llvm::is_contained(kinds, term.nodes[i].kind))
      return TermId(i);
  return {};
}
