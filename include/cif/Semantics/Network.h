//===- Network.h - How messages travel ------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A network keeps the messages in transit in some slots of a state and says
/// what may be sent and received. Collaborations and peers use the same ones;
/// each is a file in lib/Semantics/Networks. Under `sync` nothing is in
/// transit, and the semantics pairs sends with receptions itself.
///
/// Checks carry verdicts from one network to another, and rely on this of all
/// networks but `sync` (test/Unit/NetworkTest.cpp):
/// - every run is a run under `bag`: what is received was sent, and is received
///   once;
/// - when nothing is in transit, any message can be sent, and then received;
/// - a send waits only for the bound, or when the network has NetworkIsFinite.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_SEMANTICS_NETWORK_H
#define CIF_SEMANTICS_NETWORK_H

#include "cif/Semantics/Semantics.h"

namespace cif {

/// A message that can be in transit. Sender and receiver are numbers below the
/// network's number of units (participants); UINT32_MAX: any receiver.
struct NetworkMessage {
  uint32_t sender, receiver;
  std::string name;    ///< for people: `m`
  std::string queueOf; ///< for people: the receiver's name
  std::string sentBy;  ///< for people: the sender's name
};

/// A network operation, for proofs of growth.
struct NetworkOp {
  uint32_t message;
  bool isSend;
};

/// What a network is made of.
struct NetworkSetup {
  uint32_t bound = noBound;
  unsigned units = 0; ///< participants
  std::vector<NetworkMessage> messages;
  bool plainQueues = false; ///< see SemanticsOptions
};

/// Gets the messages of a queue.
using QueueSink =
    function_ref<void(StringRef queue, ArrayRef<uint32_t> messages)>;

class Network {
public:
  virtual ~Network();

  /// How many slots it needs; the pointers below point to the first of them.
  unsigned slots() const { return numSlots; }
  virtual bool isSync() const { return false; }
  /// Whether finitely many messages can be in transit without a bound.
  bool isFinite() const { return alwaysBounded; }
  bool isBounded() const { return bound != noBound || alwaysBounded; }
  /// The most messages in a queue, or of each kind; noBound: any number.
  uint32_t capacity() const { return bound; }
  /// The network as FIFO queues, one slot each, if that is what it is.
  virtual const class QueueNetwork *asQueues() const { return nullptr; }

  /// Nothing in transit; all slots zero in every network.
  bool isEmpty(const uint32_t *net) const;
  /// Sends or receives message \p m; false and nothing changed when it cannot.
  virtual bool send(uint32_t *net, uint32_t m) const = 0;
  virtual bool receive(uint32_t *net, uint32_t m) const = 0;

  /// The slots (counted from the network's first) that an operation on \p m
  /// reads and writes.
  virtual void touches(uint32_t m, SmallVectorImpl<uint32_t> &slots) const = 0;
  /// How many messages are in transit, and how many of them are \p m.
  virtual uint64_t weight(const uint32_t *net) const = 0;
  virtual uint64_t inTransit(const uint32_t *net, uint32_t m) const = 0;
  /// The message that has to be received before \p m can be, whatever is sent
  /// later: another one at the head of its queue. UINT32_MAX: none.
  virtual uint32_t heldUpBy(const uint32_t *, uint32_t /*m*/) const {
    return UINT32_MAX;
  }
  virtual uint32_t slotMaximum(unsigned) const { return UINT32_MAX; }
  /// \name See System::exportSlot
  /// @{
  virtual bool isInterned(unsigned) const { return false; }
  virtual void exportWords(unsigned slot, uint32_t value,
                           SmallVectorImpl<uint32_t> &words) const;
  virtual std::optional<uint32_t> importWords(unsigned slot,
                                              ArrayRef<uint32_t> words) const;
  /// @}
  /// Tells \p sink what is in transit: each queue that is not empty by its name
  /// and from its front; what travels outside queues without a name.
  virtual void contents(const uint32_t *net, QueueSink sink) const = 0;
  /// The same for people.
  void describe(const uint32_t *net, raw_ostream &os) const;
  const NetworkMessage &message(uint32_t m) const { return messages[m]; }
  /// Whether \p cycle, which leads from \p low to \p high, can be repeated for
  /// ever; then \p grows says what it adds each time, and is empty when it adds
  /// nothing.
  virtual bool repeats(const uint32_t *low, const uint32_t *high,
                       ArrayRef<NetworkOp> cycle, std::string &grows) const = 0;

protected:
  explicit Network(NetworkSetup setup)
      : messages(std::move(setup.messages)), bound(setup.bound),
        numUnits(setup.units) {}

  unsigned numSlots = 0;
  std::vector<NetworkMessage> messages;
  uint32_t bound;
  unsigned numUnits;
  bool alwaysBounded = false;
};

/// What is in transit on \p network, for System::transit.
std::vector<TransitQueue> transitOn(const Network &network,
                                    const uint32_t *net);

/// The network of this kind. Messages to any receiver are not for those that
/// have NetworkNeedsReceiver.
std::unique_ptr<Network> makeNetwork(NetworkKind kind, NetworkSetup setup);

} // namespace cif

#endif
