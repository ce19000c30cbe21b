//===- Network.cpp - How messages travel
//-----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Networks/Queues.h"

using namespace cif;

Network::~Network() = default;

bool Network::isEmpty(const uint32_t *net) const {
  return std::all_of(net, net + numSlots, [](uint32_t v) { return v == 0; });
}

bool cif::networkNeedsReceiver(NetworkKind kind) {
  return kind == NetworkKind::FifoPair || kind == NetworkKind::Inbox ||
         kind == NetworkKind::Causal;
}

std::unique_ptr<Network>
cif::makeNetwork(NetworkKind kind, uint32_t bound, unsigned units,
                 std::vector<NetworkMessage> messages) {
  switch (kind) {
  case NetworkKind::Sync:
    return makeSync(std::move(messages));
  case NetworkKind::Bag:
    return makeBag(bound, std::move(messages));
  case NetworkKind::FifoPair:
    return makeFifoPair(bound, std::move(messages));
  case NetworkKind::Inbox:
    return makeInbox(bound, std::move(messages));
  case NetworkKind::Outbox:
    return makeOutbox(bound, std::move(messages));
  case NetworkKind::FifoAll:
    return makeFifoAll(bound, std::move(messages));
  case NetworkKind::Causal:
    return makeCausal(bound, units, std::move(messages));
  case NetworkKind::Rsc:
    return makeRsc(std::move(messages));
  }
  llvm_unreachable("unknown network");
}
