//===- PeerBuilder.cpp - Peers from lists of transitions ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PeerBuilder.h"

using namespace cif;

void PeerBuilder::addAction(StateIndex from, LabelKind kind, Name partner,
                            Name message, StateIndex to, uint32_t line) {
  auto key = std::make_pair(uint64_t(partner.index()) << 32 | message.index(),
                            static_cast<uint32_t>(kind));
  auto [entry, isNew] =
      labels.try_emplace(key, static_cast<LabelIndex>(actions.size() + 1));
  if (isNew)
    actions.push_back({kind, partner, message});
  transitions.push_back({from, entry->second, to, line});
}

void PeerBuilder::finish(Module &module, ParticipantId owner,
                         StateIndex initial, Location loc) {
  SystemDecl system{.name = module.participant(owner).name,
                    .role = SystemRole::Peer,
                    .owner = owner,
                    .loc = loc};
  std::string self = module.participantName(owner).str();
  for (const Action &action : actions) {
    std::string partner = module.text(action.partner).str();
    bool sends = action.kind == LabelKind::Send;
    system.lts.labels.push_back({action.kind, sends ? self : partner,
                                 sends ? partner : self,
                                 module.text(action.message).str()});
  }
  // Counting sort by source; the order of the text stays within a state.
  std::vector<uint32_t> begin(states + 1, 0);
  for (const Transition &t : transitions)
    ++begin[t.from + 1];
  for (size_t i = 0; i < states; ++i)
    begin[i + 1] += begin[i];
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  std::vector<LabelIndex> label(transitions.size());
  std::vector<StateIndex> target(transitions.size());
  std::vector<uint32_t> lines(transitions.size());
  for (const Transition &t : transitions) {
    uint32_t at = next[t.from]++;
    label[at] = t.label;
    target[at] = t.to;
    lines[at] = t.line;
  }
  system.lts.initial = initial;
  system.lts.rowBegin = std::move(begin);
  system.lts.label = std::move(label);
  system.lts.target = std::move(target);
  system.transitionLines = std::move(lines);
  if (saysFinal) {
    std::vector<uint64_t> bits((states + 63) / 64, 0);
    for (StateIndex s : finals)
      bits[s / 64] |= uint64_t(1) << (s % 64);
    system.lts.finals = std::move(bits);
  }
  module.systems.push_back(std::move(system));
}
