//===- PeerView.cpp - The peers of a module -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Semantics/PeerView.h"
#include "cif/Support/Diagnostics.h"
#include "cif/Support/Diagnostics/Semantics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <map>

using namespace cif;

std::optional<PeerView> PeerView::make(const Module &module,
                                       ArrayRef<uint32_t> systems,
                                       ArrayRef<std::string> handshakes,
                                       DiagnosticEngine &diags) {
  PeerView view;
  llvm::StringSet<> names;
  GroupIndex groups = 0;
  for (uint32_t system : systems) {
    const SystemDecl &decl = module.systems[system];
    Peer peer{.name = (decl.owner ? module.participantName(decl.owner)
                                  : module.text(decl.name))
                          .str(),
              .system = system,
              .lts = &decl.lts,
              .isController = decl.role == SystemRole::Controller,
              .firstGroup = groups};
    groups += decl.lts.numTransitions();
    if (!names.insert(peer.name).second) {
      diags.report(module.place(decl.loc), diag::two_peers) << peer.name;
      return std::nullopt;
    }
    view.peers.push_back(std::move(peer));
  }
  if (!view.addActions(module, diags))
    return std::nullopt;
  llvm::StringSet<> handed;
  for (const std::string &message : handshakes)
    handed.insert(message);
  for (Message &m : view.messages)
    m.handshake = view.peers[m.receiver].isController ||
                  handed.contains(labelText(m.shown));
  view.showControllers();
  return view;
}

/// What each label of each peer does, and the messages.
bool PeerView::addActions(const Module &module, DiagnosticEngine &diags) {
  llvm::StringMap<uint32_t> numbers;
  for (uint32_t p = 0; p < peers.size(); ++p)
    numbers.try_emplace(peers[p].name, p);
  llvm::DenseMap<uint64_t, uint32_t> pairs;
  std::map<std::pair<uint32_t, StringRef>, uint32_t> known; // by pair and name
  bool ok = true;
  for (uint32_t p = 0; p < peers.size(); ++p) {
    Peer &peer = peers[p];
    Place place = module.place(module.systems[peer.system].loc);
    for (const Label &label : peer.lts->labels) {
      Action &action = peer.actions.emplace_back();
      if (label.kind != LabelKind::Send && label.kind != LabelKind::Receive &&
          label.kind != LabelKind::Exchange)
        continue;
      bool sends = label.kind == LabelKind::Exchange
                       ? label.sender == peer.name
                       : label.kind == LabelKind::Send;
      StringRef self = sends ? label.sender : label.receiver;
      StringRef other = sends ? label.receiver : label.sender;
      auto partner = numbers.find(other);
      if (self != peer.name || other == peer.name) {
        diags.report(place, diag::foreign_label)
            << peer.name << labelText(label);
        ok = false;
        continue;
      }
      if (partner == numbers.end()) {
        diags.report(place, diag::missing_partner)
            << peer.name << label.message << other;
        ok = false;
        continue;
      }
      uint32_t sender = sends ? p : partner->second,
               receiver = sends ? partner->second : p;
      uint32_t pair =
          pairs.try_emplace(uint64_t(sender) << 32 | receiver, pairs.size())
              .first->second;
      auto [at, isNew] =
          known.try_emplace({pair, label.message}, messages.size());
      if (isNew)
        messages.push_back({sender, receiver, pair, label.message, false,
                            Label{LabelKind::Exchange, peers[sender].name,
                                  peers[receiver].name, label.message}});
      action = {sends ? Kind::Send : Kind::Receive, at->second};
    }
  }
  numPairs = pairs.size();
  return ok;
}

/// What a controller passes on shows as its peer's: that is the one peer that
/// sends to it.
void PeerView::showControllers() {
  constexpr uint32_t none = UINT32_MAX, several = UINT32_MAX - 1;
  std::vector<uint32_t> controlled(peers.size(), none);
  for (const Message &m : messages)
    if (peers[m.receiver].isController && !peers[m.sender].isController) {
      uint32_t &of = controlled[m.receiver];
      of = of == none || of == m.sender ? m.sender : several;
    }
  for (Message &m : messages)
    if (uint32_t of = controlled[m.sender]; of < peers.size() &&
                                            of != m.receiver &&
                                            !peers[m.receiver].isController)
      m.shown.sender = peers[of].name;
}

uint32_t PeerView::peerOf(GroupIndex group) const {
  // Peers without transitions have the first group of the next one.
  auto next = llvm::partition_point(
      peers, [&](const Peer &p) { return p.firstGroup <= group; });
  return next - peers.begin() - 1;
}

bool PeerView::hasHandshakes() const {
  return llvm::any_of(messages, [](const Message &m) { return m.handshake; });
}

Label PeerView::label(Action action) const {
  if (action.kind == Kind::Internal)
    return Label::tau();
  const Message &m = messages[action.message];
  return {action.kind == Kind::Send ? LabelKind::Send : LabelKind::Receive,
          peers[m.sender].name, peers[m.receiver].name, m.name};
}

std::vector<std::vector<uint32_t>> PeerView::linkedPeers() const {
  llvm::IntEqClasses classes(peers.size());
  for (const Message &m : messages)
    classes.join(m.sender, m.receiver);
  classes.compress();
  std::vector<std::vector<uint32_t>> sets(classes.getNumClasses());
  for (uint32_t p = 0; p < peers.size(); ++p)
    sets[classes[p]].push_back(p);
  return sets;
}
