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

#include "Interned.h"

using namespace cif;

namespace {
using Words = SmallVector<uint32_t, 64>;

/// What is in transit: words of a list. The number of messages, the messages by
/// sender and time of sending, then sets of messages, each in whole words: of
/// each message those that came before it, of each unit those that it knows of.
class Transit {
public:
  explicit Transit(ArrayRef<uint32_t> words) : all(words) {}
  unsigned count() const { return all.empty() ? 0 : all[0]; }
  ArrayRef<uint32_t> messages() const { return all.slice(1, count()); }
  /// The past of message \p i; behind those, what the units know.
  ArrayRef<uint32_t> set(unsigned i) const {
    return all.slice(1 + count() + i * wordsOf(count()), wordsOf(count()));
  }
  static unsigned wordsOf(unsigned bits) { return (bits + 31) / 32; }

private:
  ArrayRef<uint32_t> all;
};

/// Appends \p set with a bit that is not set at \p at, in \p size words.
void appendWithRoom(Words &to, ArrayRef<uint32_t> set, unsigned at,
                    unsigned size) {
  uint32_t carry = 0;
  for (unsigned i = 0; i < size; ++i) {
    uint32_t word = i < set.size() ? set[i] : 0;
    if (i < at / 32) {
      to.push_back(word);
    } else {
      uint32_t low = i == at / 32 ? (1u << (at % 32)) - 1 : 0;
      to.push_back((word & low) | (word & ~low) << 1 | carry);
      carry = word >> 31;
    }
  }
}

/// Appends \p set without the bit at \p at, in \p size words.
void appendWithout(Words &to, ArrayRef<uint32_t> set, unsigned at,
                   unsigned size) {
  for (unsigned i = 0; i < size; ++i) {
    uint32_t word = set[i], next = i + 1 < set.size() ? set[i + 1] : 0;
    uint32_t low = i < at / 32 ? ~0u : i == at / 32 ? (1u << (at % 32)) - 1 : 0;
    to.push_back(i < at / 32 ? word
                             : (word & low) | (word >> 1 & ~low) | next << 31);
  }
}

class Causal final : public InternedNetwork {
public:
  explicit Causal(NetworkSetup setup) : InternedNetwork(std::move(setup)) {}

  uint64_t weight(const uint32_t *net) const override {
    return *net ? store[*net][0] : 0;
  }
  uint64_t inTransit(const uint32_t *net, uint32_t m) const override {
    ArrayRef<uint32_t> words = store[*net];
    return words.empty() ? 0 : llvm::count(words.slice(1, words[0]), m);
  }
  void contents(const uint32_t *net, QueueSink sink) const override {
    if (!*net)
      return;
    Words all(Transit(store[*net]).messages());
    llvm::sort(all); // equal ones beside each other
    sink("", all);
  }
  std::optional<uint32_t> importWords(unsigned,
                                      ArrayRef<uint32_t> words) const override {
    return words.empty() || isOrder(words) ? std::optional(store.get(words))
                                           : std::nullopt;
  }

private:
  /// Whether \p words are messages in transit in a causal order: listed by
  /// sender, each behind the sender's earlier ones, and whoever knows of one
  /// knows of its past.
  bool isOrder(ArrayRef<uint32_t> words) const {
    const size_t count = words[0], size = Transit::wordsOf(count);
    if (!count || words.size() <= count ||
        words.size() != 1 + count + (count + numUnits) * size)
      return false;
    Transit t(words);
    auto has = [](ArrayRef<uint32_t> set, size_t i) {
      return set[i / 32] >> (i % 32) & 1;
    };
    std::vector<uint32_t> ofPair(size_t(numUnits) * numUnits);
    for (size_t i = 0; i < count; ++i) {
      const uint32_t m = t.messages()[i];
      if (m >= messages.size() ||
          (i && messages[t.messages()[i - 1]].sender > messages[m].sender) ||
          ofPair[messages[m].sender * numUnits + messages[m].receiver]++ >=
              bound)
        return false;
    }
    for (size_t i = 0; i < count + numUnits; ++i) {
      ArrayRef<uint32_t> set = t.set(i);
      const uint32_t of = i < count ? messages[t.messages()[i]].sender
                                    : static_cast<uint32_t>(i - count);
      if (count % 32 && set.back() >> (count % 32))
        return false;
      for (size_t k = 0; k < count; ++k) {
        // A sender's own messages before it are in its past, no later ones.
        const bool own = messages[t.messages()[k]].sender == of;
        if (own && bool(has(set, k)) != (i >= count || k < i))
          return false;
        if (!has(set, k))
          continue;
        for (size_t w = 0; w < size; ++w)
          if (t.set(k)[w] & ~set[w])
            return false;
      }
    }
    return true;
  }

  uint32_t sent(uint32_t now, uint32_t m) const override {
    Transit t(store[now]);
    const NetworkMessage &message = messages[m];
    const unsigned count = t.count();
    // The new one goes behind the sender's others.
    unsigned at = 0, same = 0;
    for (unsigned i = 0; i < count; ++i) {
      const NetworkMessage &other = messages[t.messages()[i]];
      at += other.sender <= message.sender;
      same +=
          other.sender == message.sender && other.receiver == message.receiver;
    }
    if (bound != noBound && same >= bound)
      return StepMemo::noStep;
    Words words{count + 1};
    for (unsigned i = 0; i <= count; ++i)
      words.push_back(i == at ? m : t.messages()[i - (i > at)]);
    const unsigned size = Transit::wordsOf(count + 1);
    auto put = [&](unsigned set) {
      // Of nothing in transit nobody knows anything.
      appendWithRoom(words, count ? t.set(set) : ArrayRef<uint32_t>(), at,
                     size);
    };
    for (unsigned i = 0; i <= count; ++i)
      put(i == at ? count + message.sender : i - (i > at));
    for (unsigned unit = 0; unit < numUnits; ++unit) {
      put(count + unit);
      if (unit == message.sender)
        words[words.size() - size + at / 32] |= 1u << (at % 32);
    }
    return store.get(words);
  }

  uint32_t received(uint32_t now, uint32_t m) const override {
    if (!now)
      return StepMemo::noStep;
    Transit t(store[now]);
    // The sender's earlier messages of this name are in the later ones' past.
    auto found = llvm::find(t.messages(), m);
    if (found == t.messages().end())
      return StepMemo::noStep;
    const unsigned at = found - t.messages().begin(), count = t.count();
    const uint32_t receiver = messages[m].receiver;
    ArrayRef<uint32_t> past = t.set(at);
    for (unsigned other = 0; other < count; ++other)
      if (past[other / 32] >> (other % 32) & 1 &&
          messages[t.messages()[other]].receiver == receiver)
        return StepMemo::noStep;
    if (count == 1)
      return 0;
    Words words{count - 1};
    for (unsigned i = 0; i < count; ++i)
      if (i != at)
        words.push_back(t.messages()[i]);
    const unsigned size = Transit::wordsOf(count - 1);
    for (unsigned i = 0; i < count + numUnits; ++i) {
      if (i == at)
        continue;
      Words known(t.set(i));
      if (i == count + receiver)
        for (unsigned w = 0; w < known.size(); ++w)
          known[w] |= past[w];
      appendWithout(words, known, at, size);
    }
    return store.get(words);
  }
};
} // namespace

std::unique_ptr<Network> cif::makeCausal(NetworkSetup setup) {
  return std::make_unique<Causal>(std::move(setup));
}
