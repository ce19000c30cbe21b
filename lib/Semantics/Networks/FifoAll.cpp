//===- FifoAll.cpp - One queue for all ------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// All messages are received in the order in which they were sent (fbpmn's
/// NetworkFifoAll).
///
//===----------------------------------------------------------------------===//

#include "Queues.h"

using namespace cif;

std::unique_ptr<Network> cif::makeFifoAll(NetworkSetup setup) {
  return std::make_unique<QueueNetwork>(
      std::move(setup), [](const NetworkMessage &) { return uint64_t(0); },
      [](const NetworkMessage &) { return std::string("the queue"); });
}
