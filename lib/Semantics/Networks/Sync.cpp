//===- Sync.cpp - Handshakes ----------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Nothing is ever in transit: a send and its reception are one step, which the
/// semantics makes. Implements: [verchor], the synchronous composition.
///
//===----------------------------------------------------------------------===//

#include "Queues.h"

using namespace cif;

namespace {
class Sync final : public Network {
public:
  explicit Sync(NetworkSetup setup) : Network(std::move(setup)) {
    bound = noBound;
    alwaysBounded = true;
  }
  bool isSync() const override { return true; }
  bool send(uint32_t *, uint32_t) const override { return false; }
  bool receive(uint32_t *, uint32_t) const override { return false; }
  void touches(uint32_t, SmallVectorImpl<uint32_t> &) const override {}
  uint64_t weight(const uint32_t *) const override { return 0; }
  uint64_t inTransit(const uint32_t *, uint32_t) const override { return 0; }
  void contents(const uint32_t *, QueueSink) const override {}
  bool repeats(const uint32_t *, const uint32_t *, ArrayRef<NetworkOp>,
               std::string &) const override {
    return true;
  }
};
} // namespace

std::unique_ptr<Network> cif::makeSync(NetworkSetup setup) {
  return std::make_unique<Sync>(std::move(setup));
}
