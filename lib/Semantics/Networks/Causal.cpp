//===- Causal.cpp - Messages arrive in causal order -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A message may be received if no other message to the same receiver is in
/// transit that was sent causally before it. Implements: [fbpmn],
/// NetworkCausal.
///
/// Differs from the paper: there the order is kept in vector clocks, which are
/// never reset, so that every loop that sends has infinitely many states. A
/// clock entry of a message that has arrived has no further effect; what is
/// kept here is the causal order of the messages in transit, and for each
/// participant which of them it knows of. Two histories with the same order
/// have the same future. The messages of one participant are totally ordered,
/// so the list by sender and time of sending is canonical.
///
/// The bound applies to the messages in transit of each ordered pair.
///
//===----------------------------------------------------------------------===//

#include "Queues.h"
#include "cif/IR/Names.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace cif;

namespace {
/// What is in transit, taken apart.
struct Transit {
  SmallVector<uint32_t, 8> messages;          ///< by sender, then time
  SmallVector<llvm::SmallBitVector, 8> past;  ///< of each: which came before it
  SmallVector<llvm::SmallBitVector, 8> known; ///< by unit
};

class Causal final : public Network {
public:
  Causal(NetworkSetup setup, unsigned units)
      : Network(std::move(setup)), numUnits(units) {
    numSlots = 1;
  }

  bool send(uint32_t *net, uint32_t m) const override {
    Transit t = decode(*net);
    const NetworkMessage &message = messages[m];
    if (bound != noBound && llvm::count_if(t.messages, [&](uint32_t other) {
                              return messages[other].sender == message.sender &&
                                     messages[other].receiver ==
                                         message.receiver;
                            }) >= bound)
      return false;
    // The new one goes behind the sender's others.
    unsigned at = 0;
    while (at < t.messages.size() &&
           messages[t.messages[at]].sender <= message.sender)
      ++at;
    for (auto &set : t.past)
      insertBit(set, at);
    for (auto &set : t.known)
      insertBit(set, at);
    t.messages.insert(t.messages.begin() + at, m);
    t.past.insert(t.past.begin() + at, t.known[message.sender]);
    t.known[message.sender].set(at);
    *net = encode(t);
    return true;
  }

  bool receive(uint32_t *net, uint32_t m) const override {
    Transit t = decode(*net);
    // The sender's earlier messages of this name are in the later ones' past.
    auto found = llvm::find(t.messages, m);
    if (found == t.messages.end())
      return false;
    unsigned at = found - t.messages.begin();
    uint32_t receiver = messages[m].receiver;
    for (unsigned other : t.past[at].set_bits())
      if (messages[t.messages[other]].receiver == receiver)
        return false;
    t.known[receiver] |= t.past[at];
    t.messages.erase(found);
    t.past.erase(t.past.begin() + at);
    for (auto &set : t.past)
      removeBit(set, at);
    for (auto &set : t.known)
      removeBit(set, at);
    *net = encode(t);
    return true;
  }

  void touches(uint32_t, SmallVectorImpl<uint32_t> &slots) const override {
    slots.push_back(0);
  }
  uint64_t weight(const uint32_t *net) const override {
    return *net ? store[*net][0] : 0;
  }
  uint64_t inTransit(const uint32_t *net, uint32_t m) const override {
    ArrayRef<uint32_t> words = store[*net];
    return words.empty() ? 0 : llvm::count(words.slice(1, words[0]), m);
  }
  void contents(const uint32_t *net, QueueSink sink) const override {
    Transit t = decode(*net);
    llvm::sort(t.messages); // equal ones beside each other
    if (!t.messages.empty())
      sink("", t.messages);
  }
  /// Claimed only for cycles that receive nothing: sends never wait here.
  bool repeats(const uint32_t *low, const uint32_t *high,
               ArrayRef<NetworkOp> cycle, std::string &grows) const override {
    if (*low == *high)
      return true;
    if (bound != noBound)
      return false;
    for (const NetworkOp &op : cycle)
      if (!op.isSend)
        return false;
    llvm::raw_string_ostream os(grows);
    os << "the messages in transit gain";
    for (const NetworkOp &op : cycle)
      os << ' ' << quoted(messages[op.message].name);
    return true;
  }

private:
  static void insertBit(llvm::SmallBitVector &set, unsigned at) {
    unsigned size = set.size();
    set.resize(size + 1);
    for (unsigned i = size; i > at; --i)
      set[i] = set[i - 1];
    set.reset(at);
  }
  static void removeBit(llvm::SmallBitVector &set, unsigned at) {
    for (unsigned i = at; i + 1 < set.size(); ++i)
      set[i] = set[i + 1];
    set.resize(set.size() - 1);
  }

  /// Words: the number of messages, the messages, then the sets, each in whole
  /// words.
  Transit decode(uint32_t number) const {
    Transit t;
    ArrayRef<uint32_t> words = store[number];
    unsigned count = words.empty() ? 0 : words[0];
    auto set = [&, at = size_t(1) + count]() mutable {
      llvm::SmallBitVector result(count);
      for (unsigned i = 0; i < count; ++i)
        if (words[at + i / 32] >> (i % 32) & 1)
          result.set(i);
      at += (count + 31) / 32;
      return result;
    };
    for (unsigned i = 0; i < count; ++i)
      t.messages.push_back(words[1 + i]);
    for (unsigned i = 0; i < count; ++i)
      t.past.push_back(set());
    for (unsigned i = 0; i < numUnits; ++i)
      t.known.push_back(count ? set() : llvm::SmallBitVector());
    return t;
  }
  uint32_t encode(const Transit &t) const {
    SmallVector<uint32_t, 64> words;
    unsigned count = t.messages.size();
    if (!count)
      return 0; // nobody knows of anything in transit
    words.push_back(count);
    words.append(t.messages.begin(), t.messages.end());
    auto put = [&](const llvm::SmallBitVector &set) {
      size_t at = words.size();
      words.append((count + 31) / 32, 0);
      for (unsigned i : set.set_bits())
        words[at + i / 32] |= 1u << (i % 32);
    };
    for (const auto &set : t.past)
      put(set);
    for (const auto &set : t.known)
      put(set);
    return store.get(words);
  }

  unsigned numUnits;
  mutable WordsStore store;
};
} // namespace

std::unique_ptr<Network> cif::makeCausal(NetworkSetup setup) {
  unsigned units = setup.units;
  return std::make_unique<Causal>(std::move(setup), units);
}
