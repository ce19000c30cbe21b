//===- PeerCommands.cpp - Peers as guarded commands -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A composition of peers as plain data: a counter for the local state of each
/// peer, a command for each transition, and for each pair of transitions that
/// shake hands.
///
//===----------------------------------------------------------------------===//

#include "SystemFactories.h"
#include "TransitCommands.h"

using namespace cif;

namespace {
using Command = CommandModel::Command;
using Test = CommandModel::Test;
using Update = CommandModel::Update;

constexpr size_t maxCommands = size_t(1) << 24;

class Maker {
public:
  explicit Maker(const PeerCommandsSetup &from)
      : setup(from), view(from.view), model(std::make_unique<CommandModel>()) {}
  std::unique_ptr<CommandModel> run(std::string &reason);

private:
  void addPeers();
  Command commandOf(uint32_t peer, StateIndex from, uint32_t transition) const;

  const PeerCommandsSetup &setup;
  const PeerView &view;
  std::unique_ptr<CommandModel> model;
};
} // namespace

void Maker::addPeers() {
  bool final = true;
  for (uint32_t p = 0; p < view.peers.size(); ++p) {
    const Lts &lts = *view.peers[p].lts;
    model->counters.push_back({view.peers[p].name, lts.initial,
                               static_cast<uint32_t>(lts.numStates() - 1),
                               true});
    final &= lts.saysFinal();
    auto &any = model->finalSome.emplace_back();
    for (StateIndex s = 0; s < lts.numStates(); ++s)
      if (lts.isFinal(s))
        any.push_back({Test::Is, p, s});
  }
  if (final)
    model->finalReason.clear();
}

Command Maker::commandOf(uint32_t peer, StateIndex from,
                         uint32_t transition) const {
  Command command;
  command.group = view.peers[peer].firstGroup + transition;
  command.label = setup.shownBy(command.group);
  command.all.push_back({Test::Is, peer, from});
  StateIndex target = view.peers[peer].lts->target[transition];
  command.updates.push_back({Update::Set, peer, target});
  return command;
}

std::unique_ptr<CommandModel> Maker::run(std::string &reason) {
  model->labels = setup.labels.vec();
  addPeers();
  std::vector<std::string> names;
  for (const PeerView::Message &message : view.messages)
    names.push_back(
        labelText({LabelKind::Exchange, view.peers[message.sender].name,
                   view.peers[message.receiver].name, message.name}));
  TransitCommands transit(*model, setup.kind, setup.network, names, reason);
  if (!reason.empty())
    return nullptr;
  const bool sync = setup.kind == NetworkKind::Sync;
  std::vector<std::vector<Command>> offers(view.messages.size()),
      handed(view.messages.size());
  for (uint32_t p = 0; p < view.peers.size(); ++p) {
    const Lts &lts = *view.peers[p].lts;
    for (StateIndex s = 0; s < lts.numStates(); ++s)
      for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t) {
        PeerView::Action action = view.peers[p].action(t);
        Command command = commandOf(p, s, t);
        const bool sends = action.kind == PeerView::Kind::Send;
        if (action.kind != PeerView::Kind::Internal &&
            (sync || view.isHandshake(action))) {
          (sends ? handed : offers)[action.message].push_back(
              std::move(command));
          continue;
        }
        if (sends)
          transit.send(command, action.message);
        else if (action.kind == PeerView::Kind::Receive)
          transit.receive(command, action.message);
        model->commands.push_back(std::move(command));
      }
  }
  for (size_t m = 0; m < handed.size(); ++m)
    for (const Command &from : handed[m])
      for (const Command &to : offers[m]) {
        if (model->commands.size() > maxCommands) {
          reason = "there are more than " + std::to_string(maxCommands) +
                   " handshakes";
          return nullptr;
        }
        Command command = from;
        command.partner = to.group;
        command.all.append(to.all);
        command.updates.append(to.updates);
        model->commands.push_back(std::move(command));
      }
  return std::move(model);
}

std::unique_ptr<CommandModel>
cif::makePeerCommands(const PeerCommandsSetup &setup, std::string &reason) {
  return Maker(setup).run(reason);
}
