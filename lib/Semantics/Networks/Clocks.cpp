//===- Clocks.cpp - Causal order by vector clocks -------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Messages arrive in causal order, kept by vector clocks. Implements: [fbpmn],
/// NetworkCausal, exactly: a send increments the entry of the sender in its
/// clock and stamps the message; a message may be received if no other message
/// to the same receiver has a stamp that is nowhere above its own; the receiver
/// takes the entrywise maximum. Clocks are never reset, so a loop that sends
/// has infinitely many states; Causal.cpp has the same behaviour with finitely
/// many.
///
//===----------------------------------------------------------------------===//

#include "Interned.h"
#include <map>
#include <set>

using namespace cif;

namespace {
/// A message in transit and its stamp, in one list of words.
using Stamped = SmallVector<uint32_t, 8>;

/// The network, taken apart: a clock for each unit, and what is in transit,
/// sorted.
struct Clocks {
  SmallVector<Stamped, 8> clocks, transit;
};

class ClockNetwork final : public InternedNetwork {
public:
  explicit ClockNetwork(NetworkSetup setup)
      : InternedNetwork(std::move(setup)) {}

  uint64_t weight(const uint32_t *net) const override {
    return *net ? (store[*net].size() - numUnits * numUnits) / (numUnits + 1)
                : 0;
  }
  uint64_t inTransit(const uint32_t *net, uint32_t m) const override {
    return llvm::count_if(decode(*net).transit,
                          [&](const Stamped &s) { return s[0] == m; });
  }
  void contents(const uint32_t *net, QueueSink sink) const override {
    SmallVector<uint32_t, 16> all;
    for (const Stamped &s : decode(*net).transit)
      all.push_back(s[0]);
    if (!all.empty())
      sink("", all);
  }
  std::optional<uint32_t> importWords(unsigned,
                                      ArrayRef<uint32_t> words) const override {
    return words.empty() || areClocks(words) ? std::optional(store.get(words))
                                             : std::nullopt;
  }

private:
  /// Whether \p words are clocks and stamps: nobody knows more of a unit than
  /// it does, and each message has the stamp of a send of its own.
  bool areClocks(ArrayRef<uint32_t> words) const {
    const size_t clocks = size_t(numUnits) * numUnits;
    if (words.size() < clocks || (words.size() - clocks) % (numUnits + 1) ||
        llvm::all_of(words, [](uint32_t word) { return word == 0; }))
      return false;
    auto knows = [&](unsigned unit, unsigned of) {
      return words[size_t(unit) * numUnits + of];
    };
    for (unsigned unit = 0; unit < numUnits; ++unit)
      for (unsigned of = 0; of < numUnits; ++of)
        if (knows(unit, of) > knows(of, of))
          return false;
    std::set<std::pair<uint32_t, uint32_t>> sends;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> ofPair;
    ArrayRef<uint32_t> before;
    for (ArrayRef<uint32_t> rest = words.drop_front(clocks); !rest.empty();
         rest = rest.drop_front(numUnits + 1)) {
      ArrayRef<uint32_t> sent = rest.take_front(numUnits + 1);
      if (sent[0] >= messages.size() ||
          !std::lexicographical_compare(before.begin(), before.end(),
                                        sent.begin(), sent.end()))
        return false;
      const NetworkMessage &message = messages[sent[0]];
      for (unsigned of = 0; of < numUnits; ++of)
        if (sent[1 + of] > knows(message.sender, of))
          return false;
      if (!sent[1 + message.sender] ||
          !sends.insert({message.sender, sent[1 + message.sender]}).second ||
          ofPair[{message.sender, message.receiver}]++ >= bound)
        return false;
      before = sent;
    }
    return true;
  }

  uint32_t sent(uint32_t from, uint32_t m) const override {
    Clocks now = decode(from);
    const NetworkMessage &message = messages[m];
    if (bound != noBound &&
        llvm::count_if(now.transit, [&](const Stamped &other) {
          return messages[other[0]].sender == message.sender &&
                 messages[other[0]].receiver == message.receiver;
        }) >= bound)
      return StepMemo::noStep;
    Stamped &clock = now.clocks[message.sender];
    ++clock[message.sender];
    Stamped sent{m};
    sent.append(clock);
    now.transit.insert(llvm::upper_bound(now.transit, sent), sent);
    return encode(now);
  }

  uint32_t received(uint32_t from, uint32_t m) const override {
    if (!from)
      return StepMemo::noStep;
    Clocks now = decode(from);
    uint32_t receiver = messages[m].receiver;
    for (size_t i = 0; i < now.transit.size(); ++i) {
      if (now.transit[i][0] != m || !isFirst(now, i))
        continue;
      Stamped &clock = now.clocks[receiver];
      for (unsigned u = 0; u < numUnits; ++u)
        clock[u] = std::max(clock[u], now.transit[i][1 + u]);
      now.transit.erase(now.transit.begin() + i);
      return encode(now);
    }
    return StepMemo::noStep;
  }
  /// Whether no other message to this one's receiver was stamped before it. A
  /// sender's clock grows with each send, so that of two messages of one kind
  /// at most one is first.
  bool isFirst(const Clocks &now, size_t i) const {
    const Stamped &mine = now.transit[i];
    for (size_t k = 0; k < now.transit.size(); ++k) {
      const Stamped &other = now.transit[k];
      if (k == i || messages[other[0]].receiver != messages[mine[0]].receiver)
        continue;
      bool before = true;
      for (unsigned u = 0; u < numUnits && before; ++u)
        before = other[1 + u] <= mine[1 + u];
      if (before)
        return false;
    }
    return true;
  }
  Clocks decode(uint32_t number) const {
    Clocks now;
    ArrayRef<uint32_t> words = store[number];
    now.clocks.assign(numUnits, Stamped(numUnits, 0));
    if (words.empty())
      return now;
    for (Stamped &clock : now.clocks) {
      clock.assign(words.begin(), words.begin() + numUnits);
      words = words.drop_front(numUnits);
    }
    for (; !words.empty(); words = words.drop_front(numUnits + 1))
      now.transit.emplace_back(words.begin(), words.begin() + numUnits + 1);
    return now;
  }
  uint32_t encode(const Clocks &now) const {
    SmallVector<uint32_t, 64> words;
    for (const Stamped &clock : now.clocks)
      words.append(clock);
    for (const Stamped &sent : now.transit)
      words.append(sent);
    return store.get(words);
  }
};
} // namespace

std::unique_ptr<Network> cif::makeClocks(NetworkSetup setup) {
  return std::make_unique<ClockNetwork>(std::move(setup));
}
