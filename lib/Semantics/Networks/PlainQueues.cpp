//===- PlainQueues.cpp - A slot for each place in a queue -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Bounded queues without interned contents: a queue with room for k messages
/// takes k slots, from its front. A slot holds 0, or the number of its message
/// among those of the queue, counted from 1. What other engines store is the
/// same in every process then, and decision diagrams see the structure.
///
//===----------------------------------------------------------------------===//

#include "Queues.h"

using namespace cif;

namespace {
class PlainQueues final : public Network {
public:
  explicit PlainQueues(std::unique_ptr<Network> of)
      : Network({of->capacity(), 0, of->asQueues()->allMessages()}),
        network(std::move(of)), queues(*network->asQueues()) {
    numSlots = network->slots() * bound;
    messageAt.resize(network->slots());
    for (uint32_t m = 0; m < messages.size(); ++m)
      messageAt[queues.queueOf(m)].push_back(m);
  }

  bool send(uint32_t *net, uint32_t m) const override {
    uint32_t *queue = net + size_t(queues.queueOf(m)) * bound;
    uint32_t *end = std::find(queue, queue + bound, 0);
    if (end == queue + bound)
      return false;
    *end = queues.ordinalOf(m) + 1;
    return true;
  }
  bool receive(uint32_t *net, uint32_t m) const override {
    uint32_t *queue = net + size_t(queues.queueOf(m)) * bound;
    if (*queue != queues.ordinalOf(m) + 1)
      return false;
    std::copy(queue + 1, queue + bound, queue);
    queue[bound - 1] = 0;
    return true;
  }
  void touches(uint32_t m, SmallVectorImpl<uint32_t> &slots) const override {
    for (uint32_t i = 0; i < bound; ++i)
      slots.push_back(queues.queueOf(m) * bound + i);
  }
  uint64_t weight(const uint32_t *net) const override {
    return numSlots - std::count(net, net + numSlots, 0);
  }
  uint64_t inTransit(const uint32_t *net, uint32_t m) const override {
    const uint32_t *queue = net + size_t(queues.queueOf(m)) * bound;
    return std::count(queue, queue + bound, queues.ordinalOf(m) + 1);
  }
  uint32_t heldUpBy(const uint32_t *net, uint32_t m) const override {
    const uint32_t q = queues.queueOf(m), first = net[size_t(q) * bound];
    return !first || first == queues.ordinalOf(m) + 1 ? UINT32_MAX
                                                      : messageAt[q][first - 1];
  }
  uint32_t slotMaximum(unsigned slot) const override {
    return messageAt[slot / bound].size();
  }
  void contents(const uint32_t *net, QueueSink sink) const override {
    SmallVector<uint32_t, 16> waiting;
    for (uint32_t q = 0; q < messageAt.size(); ++q) {
      waiting.clear();
      for (uint32_t i = 0; i < bound && net[q * bound + i]; ++i)
        waiting.push_back(messageAt[q][net[q * bound + i] - 1]);
      if (!waiting.empty())
        sink(queues.queueName(q), waiting);
    }
  }
  bool repeats(const uint32_t *low, const uint32_t *high, ArrayRef<NetworkOp>,
               std::string &) const override {
    return std::equal(low, low + numSlots, high);
  }

private:
  std::unique_ptr<Network> network; ///< which message goes where
  const QueueNetwork &queues;
  std::vector<std::vector<uint32_t>> messageAt; ///< by queue and ordinal
};
} // namespace

std::unique_ptr<Network>
cif::makePlainQueues(std::unique_ptr<Network> network) {
  constexpr uint64_t mostSlots = 4096;
  if (!network->asQueues() || !network->capacity() ||
      uint64_t(network->slots()) * network->capacity() > mostSlots)
    return network;
  return std::make_unique<PlainQueues>(std::move(network));
}
