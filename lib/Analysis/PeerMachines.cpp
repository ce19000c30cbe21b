//===- PeerMachines.cpp - Peers as tables of sends and receptions ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PeerMachines.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/StringMap.h"
#include <map>

using namespace cif;

PeerMachines::PeerMachines(const Module &module) {
  llvm::StringMap<uint32_t> numbers;
  for (size_t i = 0; i < module.systems.size(); ++i) {
    const SystemDecl &decl = module.systems[i];
    if (decl.role != SystemRole::Peer)
      continue;
    Peer peer;
    peer.name = (decl.owner ? module.participantName(decl.owner)
                            : module.text(decl.name))
                    .str();
    peer.system = i;
    peer.lts = &decl.lts;
    numbers.try_emplace(peer.name, peers.size());
    peers.push_back(std::move(peer));
  }
  llvm::DenseMap<uint64_t, uint32_t> pairs;
  std::map<std::pair<uint32_t, StringRef>, uint32_t> known; // by pair and name
  for (Peer &peer : peers)
    for (const Label &label : peer.lts->labels) {
      Action action;
      if (label.kind == LabelKind::Send || label.kind == LabelKind::Receive ||
          label.kind == LabelKind::Exchange) {
        bool sends = label.kind == LabelKind::Exchange
                         ? label.sender == peer.name
                         : label.kind == LabelKind::Send;
        action.kind = sends ? Kind::Send : Kind::Receive;
        uint32_t sender = numbers.lookup(label.sender),
                 receiver = numbers.lookup(label.receiver);
        uint32_t pair =
            pairs.try_emplace(uint64_t(sender) << 32 | receiver, numPairs)
                .first->second;
        numPairs = pairs.size();
        auto [at, isNew] =
            known.try_emplace({pair, label.message}, messages.size());
        if (isNew)
          messages.push_back({sender, receiver, pair, label.message});
        action.message = at->second;
      }
      peer.actions.push_back(action);
    }
}

Label PeerMachines::label(Action action) const {
  if (action.kind == Kind::Internal)
    return Label::tau();
  const Message &m = messages[action.message];
  return {action.kind == Kind::Send ? LabelKind::Send : LabelKind::Receive,
          peers[m.sender].name, peers[m.receiver].name, m.name};
}

std::vector<std::vector<uint32_t>> PeerMachines::linkedPeers() const {
  llvm::IntEqClasses classes(peers.size());
  for (const Message &m : messages)
    classes.join(m.sender, m.receiver);
  classes.compress();
  std::vector<std::vector<uint32_t>> sets(classes.getNumClasses());
  for (uint32_t p = 0; p < peers.size(); ++p)
    sets[classes[p]].push_back(p);
  return sets;
}
