//===- FifoPair.cpp - A queue for each ordered pair -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Peer-to-peer FIFO: messages from p to q arrive in the order in which they
/// were sent; nothing is said across pairs (fbpmn's NetworkFifoPair).
///
//===----------------------------------------------------------------------===//

#include "Queues.h"
#include "cif/IR/Names.h"

using namespace cif;

std::unique_ptr<Network> cif::makeFifoPair(NetworkSetup setup) {
  return std::make_unique<QueueNetwork>(
      std::move(setup),
      [](const NetworkMessage &m) {
        return uint64_t(m.sender) << 32 | m.receiver;
      },
      [](const NetworkMessage &m) {
        return "queue " + quoted(m.sentBy) + "->" + quoted(m.queueOf);
      });
}
