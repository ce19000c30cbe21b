//===- IocTerm.cpp - IOC and POC terms with numbered roles ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Calculus/IocTerm.h"

using namespace cif;

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

std::optional<IocTerm> cif::recoverIocTerm(const Module &module,
                                           const Behaviour &behaviour,
                                           OperationNumbers &operations,
                                           TermBreak *why) {
  std::optional<Term> term = recoverTerm(behaviour, why);
  if (!term)
    return std::nullopt;
  IocTerm result;
  result.term = std::move(*term);
  result.actions.resize(result.term.size());
  result.numRoles = static_cast<uint32_t>(module.participants.size());
  for (size_t i = 0; i < result.term.size(); ++i) {
    const TermNode &node = result.term.nodes[i];
    TermAction &action = result.actions[i];
    if (node.kind == TermKind::Action) {
      const Message &message =
          module.message(behaviour.node(node.node).message);
      action = {message.sender.raw(), message.receiver.raw(),
                operations.number(message.name)};
      bool open = !message.sender || !message.receiver;
      if (message.sender == message.receiver ||
          (open && behaviour.kind == BehaviourKind::Choreography)) {
        if (why)
          *why = {node.node, "an interaction has two roles"};
        return std::nullopt;
      }
    } else if (node.kind == TermKind::Tau) {
      ParticipantId who = behaviour.node(node.node).participant;
      if (!who)
        who = behaviour.owner;
      if (!who) {
        if (why)
          *why = {node.node, "nobody is said to take this step"};
        return std::nullopt;
      }
      action.sender = action.receiver = who.raw();
    }
  }
  result.numOperations = operations.size();
  return result;
}

TermId cif::findOther(const Term &term, ArrayRef<TermKind> kinds) {
  for (size_t i = 0; i < term.size(); ++i)
    if (!llvm::is_contained(kinds, term.nodes[i].kind))
      return TermId(i);
  return {};
}
