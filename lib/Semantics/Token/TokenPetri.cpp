//===- TokenPetri.cpp - A net as a plain Petri net ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Deferral.h"

using namespace cif;

std::optional<PetriNet> cif::makePetriNet(const TokenCommandsSetup &setup,
                                          std::vector<uint32_t> initial,
                                          std::string &reason) {
  const TokenNet &net = setup.net;
  const Network *network = setup.network;
  auto none = [&](StringRef why) {
    reason = why.str();
    return std::nullopt;
  };
  if (!net.limit.empty())
    return none(net.limit);
  if (network && setup.options.network != NetworkKind::Bag)
    return none("messages are ordered or limited");
  if (network && network->isBounded())
    return none("the number of messages is limited");
  if (net.data)
    return none("guards depend on data");
  if (setup.options.limits.any())
    return none("tokens are limited");
  if (!setup.deferral.relevantPlaces().empty())
    return none("event-based choices depend on other tokens");
  PetriNet result;
  result.initial = std::move(initial);
  std::vector<Firing> firings;
  for (const Firing &firing : net.firings) {
    if (firing.kind == FiringKind::Deferred || firing.never)
      continue;
    auto ways = net.waysOf(firing);
    if (ways.empty())
      return none(net.splits[firing.split].tooManyText());
    llvm::append_range(firings, ways);
  }
  for (const Firing &firing : firings) {
    if (firing.orJoin != noIndex)
      return none("an inclusive join waits for places to be empty");
    if (firing.empty != noIndex || firing.marked != noIndex)
      return none("an activity waits for places to be empty");
    if (firing.clears != noIndex && !net.sets[firing.clears].empty())
      return none("a step empties places");
    PetriNet::Transition &t = result.transitions.emplace_back();
    t.group = firing.group;
    t.label = firing.label;
    for (const Arc &arc : firing.pre)
      t.pre.push_back({arc.place, arc.count});
    for (const Arc &arc : firing.post)
      if (!net.marks.test(arc.place))
        t.post.push_back({arc.place, arc.count});
    if (firing.message != noIndex && network)
      (firing.kind == FiringKind::Send ? t.post : t.pre)
          .push_back({net.numPlaces + firing.message, 1});
    for (auto *arcs : {&t.pre, &t.post}) {
      llvm::sort(*arcs, [](const PetriNet::Arc &a, const PetriNet::Arc &b) {
        return a.place < b.place;
      });
      size_t kept = 0;
      for (const PetriNet::Arc &arc : *arcs)
        if (kept && (*arcs)[kept - 1].place == arc.place)
          (*arcs)[kept - 1].count += arc.count;
        else
          (*arcs)[kept++] = arc;
      arcs->truncate(kept);
    }
  }
  return result;
}
