//===- TransitCommands.cpp - Networks as counters and queues --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransitCommands.h"
#include "Networks/Queues.h"

using namespace cif;
using Test = CommandModel::Test;
using Update = CommandModel::Update;

TransitCommands::TransitCommands(CommandModel &model, NetworkKind kind,
                                 const Network &network,
                                 ArrayRef<std::string> names,
                                 std::string &reason)
    : kind(kind), bound(network.capacity()), first(model.counters.size()) {
  if (kind == NetworkKind::Sync)
    return;
  if (kind == NetworkKind::Bag) {
    for (const std::string &name : names) {
      model.finalAll.push_back(
          {Test::Is, static_cast<uint32_t>(model.counters.size()), 0});
      model.counters.push_back({name, 0, bound, false});
    }
  } else if (kind == NetworkKind::Rsc) {
    model.finalAll.push_back({Test::Is, first, 0});
    model.counters.push_back(
        {"in transit", 0, static_cast<uint32_t>(names.size()), true});
  } else if (const QueueNetwork *queues = network.asQueues()) {
    for (uint32_t slot = 0; slot < network.slots(); ++slot)
      model.queues.push_back({queues->queueName(slot).str(), bound});
    for (uint32_t m = 0; m < names.size() && queues->carries(m); ++m)
      model.messages.push_back({names[m], queues->queueOf(m)});
  } else {
    reason = "the network '" +
             networkWords()[static_cast<unsigned>(kind)].str() +
             "' is neither counters nor queues";
  }
}

void TransitCommands::send(CommandModel::Command &command, uint32_t m) const {
  if (kind == NetworkKind::Bag) {
    // Without room nothing can be sent, ever.
    if (bound == 0)
      command.some.emplace_back();
    else if (bound != noBound)
      command.all.push_back({Test::AtMost, first + m, bound - 1});
    command.updates.push_back({Update::Add, first + m, 1});
  } else if (kind == NetworkKind::Rsc) {
    command.all.push_back({Test::Is, first, 0});
    command.updates.push_back({Update::Set, first, int64_t(m) + 1});
  } else {
    command.sends = m;
  }
}

void TransitCommands::receive(CommandModel::Command &command,
                              uint32_t m) const {
  if (kind == NetworkKind::Bag) {
    command.all.push_back({Test::AtLeast, first + m, 1});
    command.updates.push_back({Update::Add, first + m, -1});
  } else if (kind == NetworkKind::Rsc) {
    command.all.push_back({Test::Is, first, m + 1});
    command.updates.push_back({Update::Set, first, 0});
  } else {
    command.receives = m;
  }
}
