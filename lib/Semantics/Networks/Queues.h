//===- Queues.h - What the networks made of queues share ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_SEMANTICS_NETWORKS_QUEUES_H
#define CIF_LIB_SEMANTICS_NETWORKS_QUEUES_H

#include "../Interning.h"
#include "cif/Semantics/Network.h"

namespace cif {

/// FIFO queues, one slot each. A network of this kind only says which queue a
/// message goes to and how people call that queue.
class QueueNetwork : public Network {
public:
  bool send(uint32_t *net, uint32_t m) const final {
    uint32_t &queue = net[queueOf[m]];
    if (bound != noBound && store.length(queue) >= bound)
      return false;
    queue = store.push(queue, m);
    return true;
  }
  bool receive(uint32_t *net, uint32_t m) const final {
    uint32_t &queue = net[queueOf[m]];
    if (!queue || store.front(queue) != m)
      return false;
    queue = store.rest(queue);
    return true;
  }
  void touches(uint32_t m, SmallVectorImpl<uint32_t> &slots) const final {
    slots.push_back(queueOf[m]);
  }
  uint64_t weight(const uint32_t *net) const final {
    uint64_t sum = 0;
    for (unsigned i = 0; i < numSlots; ++i)
      sum += store.length(net[i]);
    return sum;
  }
  void describe(const uint32_t *net, raw_ostream &os) const final;
  bool repeats(const uint32_t *low, const uint32_t *high,
               ArrayRef<NetworkOp> cycle, std::string &grows) const final;

protected:
  /// \p keyOf gives the same key to messages of the same queue; queues are
  /// numbered as their messages come. \p nameOf names the queue of a message.
  QueueNetwork(std::vector<NetworkMessage> all, uint32_t capacity,
               function_ref<uint64_t(const NetworkMessage &)> keyOf,
               function_ref<std::string(const NetworkMessage &)> nameOf);

private:
  std::vector<uint32_t> queueOf;       // by message
  std::vector<std::string> queueNames; // by queue
  mutable QueueStore store;
};

/// How a message is written in a description.
void printMessage(raw_ostream &os, const NetworkMessage &message);

std::unique_ptr<Network> makeSync(std::vector<NetworkMessage> messages);
std::unique_ptr<Network> makeBag(uint32_t bound,
                                 std::vector<NetworkMessage> messages);
std::unique_ptr<Network> makeFifoPair(uint32_t bound,
                                      std::vector<NetworkMessage> messages);
std::unique_ptr<Network> makeInbox(uint32_t bound,
                                   std::vector<NetworkMessage> messages);
std::unique_ptr<Network> makeOutbox(uint32_t bound,
                                    std::vector<NetworkMessage> messages);
std::unique_ptr<Network> makeFifoAll(uint32_t bound,
                                     std::vector<NetworkMessage> messages);
std::unique_ptr<Network> makeCausal(uint32_t bound, unsigned units,
                                    std::vector<NetworkMessage> messages);
std::unique_ptr<Network> makeRsc(std::vector<NetworkMessage> messages);

} // namespace cif

#endif
