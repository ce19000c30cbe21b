//===- Inbox.cpp - A queue for each receiver ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Mailboxes: a receiver takes messages in the order in which they were sent to
/// it, whoever sent them. Implements: [verchor], the asynchronous composition
/// of section IV; fbpmn's NetworkInbox.
///
//===----------------------------------------------------------------------===//

#include "Queues.h"
#include "cif/IR/Names.h"

using namespace cif;

std::unique_ptr<Network> cif::makeInbox(NetworkSetup setup) {
  return std::make_unique<QueueNetwork>(
      std::move(setup),
      [](const NetworkMessage &m) { return uint64_t(m.receiver); },
      [](const NetworkMessage &m) { return "inbox of " + quoted(m.queueOf); });
}
