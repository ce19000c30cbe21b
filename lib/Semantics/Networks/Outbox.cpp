//===- Outbox.cpp - A queue for each sender -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A sender's messages are received in the order in which it sent them, whoever
/// receives them (fbpmn's NetworkOutbox).
///
//===----------------------------------------------------------------------===//

#include "Queues.h"
#include "cif/IR/Names.h"

using namespace cif;

std::unique_ptr<Network> cif::makeOutbox(NetworkSetup setup) {
  return std::make_unique<QueueNetwork>(
      std::move(setup),
      [](const NetworkMessage &m) { return uint64_t(m.sender); },
      [](const NetworkMessage &m) { return "outbox of " + quoted(m.sentBy); });
}
