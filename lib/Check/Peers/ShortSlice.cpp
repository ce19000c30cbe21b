//===- ShortSlice.cpp - Slices with shorter chains of steps ---------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Peers/ShortSlice.h"
#include "cif/Calculus/BehaviourOfTerm.h"
#include "cif/Explore/ExploreModule.h"
#include "cif/IR/Link.h"

using namespace cif;

bool cif::canShortenChains(NetworkKind network) {
  return network == NetworkKind::Inbox || network == NetworkKind::Bag ||
         network == NetworkKind::Sync;
}

/// New names end with a mark, so that none is the beginning of another.
std::string ShortSlice::newName(uint32_t number) const {
  return base + std::to_string(number) + "'";
}

ShortSlice::ShortSlice(const SearchedParts &parts, ShortTerm term)
    : module(parts.normal->clone()), whole(parts), brief(std::move(term)),
      base(parts.newName()) {
  const Behaviour &old = whole.normal->behaviours[0];
  auto add = [&](Name is) {
    names.push_back(module.text(is).str());
    return module.intern(newName(names.size() - 1));
  };
  std::vector<ParticipantId> copies;
  for (uint32_t role : brief.copyOf)
    copies.push_back(
        module.getParticipant(add(module.participants[role].name)));
  auto participant = [&](uint32_t role) {
    return role < brief.firstRole ? ParticipantId(role)
                                  : copies[role - brief.firstRole];
  };
  const Term &of = brief.term;
  std::vector<MessageId> messages(of.size());
  for (size_t i = 0; i < messages.size(); ++i) {
    const TermNode &node = of.nodes[i];
    if (node.kind != TermKind::Action)
      continue;
    messages[i] = old.node(node.node).message;
    const TermAction &action = node.action;
    if (action.operation < brief.firstOperation)
      continue;
    const uint32_t number = action.operation - brief.firstOperation;
    MessageId last = old.node(brief.standsFor[number].back()).message;
    messages[i] = module.getMessage(add(module.message(last).name),
                                    participant(action.sender),
                                    participant(action.receiver));
    fresh[labelForPeople(module.label(LabelKind::Exchange, messages[i]))] =
        number;
  }
  module.behaviours[0] = behaviourOf(module, old, of, messages);
  module = extractBehaviour(module, 0);
}

/// \p text with what \p from says in place of \p to.
static void replaceAll(std::string &text, StringRef from, StringRef to) {
  for (size_t at = 0; (at = text.find(from.str(), at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to.str());
}

std::string ShortSlice::toldText(StringRef text) const {
  std::string found = text.str(), result;
  if (!text.contains(base))
    return found;
  // A step that stands for several means the first of them.
  for (const auto &[label, number] : fresh)
    if (brief.standsFor[number].size() > 1)
      replaceAll(found, label, whole.label(brief.standsFor[number].front()));
  for (StringRef rest = found;;) {
    auto [before, after] = rest.split(base);
    result += before;
    if (before.size() == rest.size())
      return result;
    unsigned number = 0;
    if (!after.consumeInteger(10, number) && after.consume_front("'") &&
        number < names.size())
      result += names[number];
    rest = after;
  }
}

/// \p step, which stands for \p nodes.
void ShortSlice::tell(const WitnessStep &step, ArrayRef<NodeId> nodes,
                      std::vector<WitnessStep> &steps) const {
  std::vector<WitnessStep> told = whole.handshakes(nodes);
  told.back().note = toldText(step.note);
  llvm::append_range(steps, told);
}

std::optional<Fact> ShortSlice::told(const Fact &fact) const {
  Fact result = fact;
  std::vector<WitnessStep> steps;
  std::vector<NodeId> run;
  for (const WitnessStep &step : fact.witness->steps) {
    auto at = fresh.find(step.label);
    if (at == fresh.end()) {
      steps.push_back({step.label, step.at, toldText(step.note)});
      continue;
    }
    ArrayRef<NodeId> nodes = brief.standsFor[at->second];
    // Who only hands on never does so too early.
    if (nodes.size() > 1 && &step == &fact.witness->steps.back())
      return std::nullopt;
    llvm::append_range(run, nodes);
    tell(step, nodes, steps);
  }
  if (!brief.allowsRelays(run))
    return std::nullopt;
  result.witness->steps = std::move(steps);
  result.message = toldText(fact.message);
  for (Note &note : result.notes)
    note.text = toldText(note.text);
  return result;
}
