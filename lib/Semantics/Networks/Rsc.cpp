//===- Rsc.cpp - One message in transit in all ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Realizable with synchronous communication: a send requires that nothing is
/// in transit. A message that nobody receives blocks everything (NetworkRSC of
/// fbpmn).
///
//===----------------------------------------------------------------------===//

#include "Queues.h"

using namespace cif;

namespace {
class Rsc final : public Network {
public:
  explicit Rsc(NetworkSetup setup) : Network(std::move(setup)) {
    bound = noBound;
    numSlots = 1;
    alwaysBounded = true;
  }
  bool send(uint32_t *net, uint32_t m) const override {
    if (*net)
      return false;
    *net = m + 1;
    return true;
  }
  bool receive(uint32_t *net, uint32_t m) const override {
    if (*net != m + 1)
      return false;
    *net = 0;
    return true;
  }
  void touches(uint32_t, SmallVectorImpl<uint32_t> &slots) const override {
    slots.push_back(0);
  }
  uint64_t weight(const uint32_t *net) const override { return *net != 0; }
  uint64_t inTransit(const uint32_t *net, uint32_t m) const override {
    return *net == m + 1;
  }
  uint32_t heldUpBy(const uint32_t *net, uint32_t m) const override {
    return *net && *net != m + 1 ? *net - 1 : UINT32_MAX;
  }
  uint32_t slotMaximum(unsigned) const override { return messages.size(); }
  void contents(const uint32_t *net, QueueSink sink) const override {
    if (*net)
      sink("", *net - 1);
  }
  bool repeats(const uint32_t *low, const uint32_t *high, ArrayRef<NetworkOp>,
               std::string &) const override {
    return *low == *high;
  }
};
} // namespace

std::unique_ptr<Network> cif::makeRsc(NetworkSetup setup) {
  return std::make_unique<Rsc>(std::move(setup));
}
