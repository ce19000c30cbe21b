//===- Queues.h - What the networks made of queues share ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_SEMANTICS_NETWORKS_QUEUES_H
#define CIF_LIB_SEMANTICS_NETWORKS_QUEUES_H

#include "Interning.h"
#include "cif/Semantics/Network.h"

namespace cif {

/// FIFO queues, one slot each. A network of this kind only says which queue a
/// message goes to and how people call that queue.
class QueueNetwork final : public Network {
public:
  /// \p keyOf gives the same key to messages of the same queue; queues are
  /// numbered as their messages come. \p nameOf names the queue of a message.
  QueueNetwork(NetworkSetup setup,
               function_ref<uint64_t(const NetworkMessage &)> keyOf,
               function_ref<std::string(const NetworkMessage &)> nameOf);

  const QueueNetwork *asQueues() const override { return this; }

  /// Whether message \p m ever travels; those that are handed over within a
  /// process, such as errors, come behind all that do.
  bool carries(uint32_t m) const { return m < slotOf.size(); }
  /// The slot of the queue that message \p m goes to.
  uint32_t queueOf(uint32_t m) const { return slotOf[m]; }
  /// The queue with \p m behind it; QueueStore::full: there is no room.
  /// \p number is ordinalOf(m).
  uint32_t sent(uint32_t queue, uint32_t m, uint32_t number) const {
    return store.push(queue, m, number, bound);
  }
  /// The number of a message among those of its queue, and how many there are.
  uint32_t ordinalOf(uint32_t m) const { return ordinal[m]; }
  uint32_t messagesOf(uint32_t slot) const { return counts[slot]; }
  /// All messages, for a network with the same ones.
  const std::vector<NetworkMessage> &allMessages() const { return messages; }
  StringRef queueName(uint32_t slot) const { return queueNames[slot]; }
  /// The first message; UINT32_MAX: the queue is empty.
  uint32_t front(uint32_t queue) const { return store.front(queue); }
  /// The queue without its first message.
  uint32_t rest(uint32_t queue) const { return store.rest(queue); }

  bool send(uint32_t *net, uint32_t m) const override {
    uint32_t &queue = net[slotOf[m]];
    uint32_t longer = sent(queue, m, ordinal[m]);
    if (longer == QueueStore::full)
      return false;
    queue = longer;
    return true;
  }
  bool receive(uint32_t *net, uint32_t m) const override {
    uint32_t &queue = net[slotOf[m]];
    if (store.front(queue) != m)
      return false;
    queue = store.rest(queue);
    return true;
  }
  void touches(uint32_t m, SmallVectorImpl<uint32_t> &slots) const override {
    slots.push_back(slotOf[m]);
  }
  uint64_t weight(const uint32_t *net) const override {
    uint64_t sum = 0;
    for (unsigned i = 0; i < numSlots; ++i)
      sum += store.length(net[i]);
    return sum;
  }
  uint64_t inTransit(const uint32_t *net, uint32_t m) const override;
  uint32_t heldUpBy(const uint32_t *net, uint32_t m) const override {
    uint32_t first = store.front(net[slotOf[m]]);
    return first == m ? UINT32_MAX : first;
  }
  void contents(const uint32_t *net, QueueSink sink) const override;
  bool isInterned(unsigned) const override { return true; }
  void exportWords(unsigned slot, uint32_t value,
                   SmallVectorImpl<uint32_t> &words) const override;
  std::optional<uint32_t> importWords(unsigned slot,
                                      ArrayRef<uint32_t> words) const override;
  bool repeats(const uint32_t *low, const uint32_t *high,
               ArrayRef<NetworkOp> cycle, std::string &grows) const override;

private:
  std::vector<uint32_t> slotOf;        // by message
  std::vector<uint32_t> ordinal;       // by message: its number in its queue
  std::vector<uint32_t> counts;        // of messages, by queue
  std::vector<std::string> queueNames; // by queue
  mutable QueueStore store;
};

/// How a message is written in a description.
void printMessage(raw_ostream &os, const NetworkMessage &message);

/// Whether \p cycle receives nothing, so that it can be repeated where sends
/// never wait; \p grows says what it sends.
bool sendsOnly(const Network &network, ArrayRef<NetworkOp> cycle,
               std::string &grows);

#define CIF_NETWORK(NAME, WORD, TEXT, ORDER, PROPERTIES)                       \
  std::unique_ptr<Network> make##NAME(NetworkSetup setup);
#include "cif/Semantics/Networks.def"
/// \p network with a slot for each place in its queues, if it has such, they
/// are bounded and the slots are not too many; else the same network.
std::unique_ptr<Network> makePlainQueues(std::unique_ptr<Network> network);
/// Causal order by vector clocks that never reset, as published.
std::unique_ptr<Network> makeClocks(NetworkSetup setup);

} // namespace cif

#endif
