//===- TokenSteps.cpp - What the steps of a net depend on -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TokenNet.h"

using namespace cif;

static std::optional<StepNet::Order> orderOf(const Network *network,
                                             NetworkKind kind) {
  if (!network)
    return StepNet::Order::None;
  if (network->isSync() || network->capacity() != noBound)
    return std::nullopt;
  switch (kind) {
  case NetworkKind::Bag:
    return StepNet::Order::None;
  case NetworkKind::FifoPair:
  case NetworkKind::Inbox:
  case NetworkKind::Outbox:
  case NetworkKind::FifoAll:
    return StepNet::Order::Fifo;
  case NetworkKind::Rsc:
    return StepNet::Order::Single;
  default: // causal, and what nothing more is known of
    return StepNet::Order::Other;
  }
}

std::optional<StepNet> cif::makeStepNet(const TokenNet &net,
                                        const Network *network,
                                        NetworkKind kind, size_t numGroups) {
  std::optional<StepNet::Order> order = orderOf(network, kind);
  if (!order)
    return std::nullopt;
  StepNet made{.sets = net.sets, .order = *order};
  made.steps.resize(numGroups);
  uint32_t numMessages = 0;
  for (const Firing &firing : net.firings) {
    if (firing.group == noGroup)
      continue;
    StepNet::Step &step = made.steps[firing.group];
    for (const Arc &arc : firing.pre)
      step.pre.push_back({arc.place, arc.count});
    for (const Arc &arc : firing.post)
      step.post.push_back({arc.place, arc.count});
    step.clears = firing.clears;
    step.empty = firing.empty;
    step.marked = firing.marked;
    step.join = firing.orJoin;
    step.usesData = net.data && (firing.guards || firing.split != noIndex ||
                                 firing.action != noData);
    if (firing.message == noIndex || !network)
      continue;
    step.message = firing.message;
    step.sends = firing.kind == FiringKind::Send;
    numMessages = std::max(numMessages, firing.message + 1);
  }
  for (uint32_t m = 0; m < numMessages; ++m) {
    SmallVector<uint32_t, 4> slots;
    network->touches(m, slots);
    made.queueOf.push_back(slots.front());
  }
  for (const OrJoin &join : net.orJoins) {
    StepNet::Join &like = made.joins.emplace_back();
    like.incoming = join.incoming;
    llvm::BitVector watched(net.numPlaces);
    for (uint32_t place : join.incoming)
      watched.set(place);
    for (const llvm::BitVector &before : join.before)
      watched |= before;
    for (unsigned place : watched.set_bits()) {
      like.watched.push_back(place);
      auto &leadsTo = like.leadsTo.emplace_back();
      auto &movesTo = like.movesTo.emplace_back();
      for (size_t i = 0; i < join.incoming.size(); ++i) {
        if (join.before[i].test(place))
          leadsTo.push_back(join.incoming[i]);
        if (join.movesTo[i].test(place))
          movesTo.push_back(join.incoming[i]);
      }
    }
  }
  return made;
}
