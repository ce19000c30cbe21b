//===- Bag.cpp - Any message in transit may be received -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A count for each message edge (sender, receiver, message), no order at all.
/// Implements: [c4], the message part of Fig. 9. A bound is on each count.
///
//===----------------------------------------------------------------------===//

#include "Queues.h"
#include "cif/IR/Names.h"

using namespace cif;

namespace {
class Bag final : public Network {
public:
  explicit Bag(NetworkSetup setup) : Network(std::move(setup)) {
    numSlots = messages.size();
  }
  bool send(uint32_t *net, uint32_t m) const override {
    if (net[m] >= bound) // noBound is the largest count that a slot holds
      return false;
    ++net[m];
    return true;
  }
  bool receive(uint32_t *net, uint32_t m) const override {
    if (!net[m])
      return false;
    --net[m];
    return true;
  }
  void touches(uint32_t m, SmallVectorImpl<uint32_t> &slots) const override {
    slots.push_back(m);
  }
  uint64_t weight(const uint32_t *net) const override {
    uint64_t sum = 0;
    for (unsigned i = 0; i < numSlots; ++i)
      sum += net[i];
    return sum;
  }
  uint64_t inTransit(const uint32_t *net, uint32_t m) const override {
    return net[m];
  }
  uint32_t slotMaximum(unsigned) const override {
    return bound == noBound ? 255 : bound; // a first guess; slots widen
  }
  std::optional<uint32_t> importWords(unsigned,
                                      ArrayRef<uint32_t> words) const override {
    return onlyWord(words, bound);
  }
  void contents(const uint32_t *net, QueueSink sink) const override {
    SmallVector<uint32_t, 16> all;
    for (unsigned i = 0; i < numSlots; ++i)
      all.append(net[i], i);
    if (!all.empty())
      sink("", all);
  }
  /// Counts only enable: what a cycle did once it can do with more
  /// [karpmiller].
  bool repeats(const uint32_t *low, const uint32_t *high, ArrayRef<NetworkOp>,
               std::string &grows) const override {
    llvm::raw_string_ostream os(grows);
    for (unsigned i = 0; i < numSlots; ++i) {
      if (high[i] < low[i] || (high[i] > low[i] && bound != noBound))
        return false;
      if (high[i] > low[i])
        os << (grows.empty() ? "" : " and ") << "the messages in transit from "
           << quoted(messages[i].sentBy) << " to "
           << quoted(messages[i].queueOf) << " gain "
           << quoted(messages[i].name);
    }
    return true;
  }
};
} // namespace

std::unique_ptr<Network> cif::makeBag(NetworkSetup setup) {
  return std::make_unique<Bag>(std::move(setup));
}
