//===- Interned.h - Networks whose contents are one number ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_SEMANTICS_NETWORKS_INTERNED_H
#define CIF_LIB_SEMANTICS_NETWORKS_INTERNED_H

#include "Queues.h"

namespace cif {

/// A network in one slot: the number of a list of words, 0 when nothing is in
/// transit. What each operation makes of each number is computed once. A
/// network of this kind says what a list becomes; sends wait for the bound
/// only.
class InternedNetwork : public Network {
public:
  bool send(uint32_t *net, uint32_t m) const final {
    return memo.step(net, 2 * m, 2 * messages.size(),
                     [&](uint32_t now) { return sent(now, m); });
  }
  bool receive(uint32_t *net, uint32_t m) const final {
    return memo.step(net, 2 * m + 1, 2 * messages.size(),
                     [&](uint32_t now) { return received(now, m); });
  }
  void touches(uint32_t, SmallVectorImpl<uint32_t> &slots) const final {
    slots.push_back(0);
  }
  /// Claimed only for cycles that receive nothing.
  bool repeats(const uint32_t *low, const uint32_t *high,
               ArrayRef<NetworkOp> cycle, std::string &grows) const final {
    return *low == *high ||
           (bound == noBound && sendsOnly(*this, cycle, grows));
  }

  bool isInterned(unsigned) const final { return true; }
  void exportWords(unsigned, uint32_t value,
                   SmallVectorImpl<uint32_t> &words) const final {
    ArrayRef<uint32_t> all = store[value];
    words.append(all.begin(), all.end());
  }

protected:
  explicit InternedNetwork(NetworkSetup setup) : Network(std::move(setup)) {
    numSlots = 1;
  }
  /// The number of the network after sending or receiving \p m;
  /// StepMemo::noStep: that cannot be.
  virtual uint32_t sent(uint32_t now, uint32_t m) const = 0;
  virtual uint32_t received(uint32_t now, uint32_t m) const = 0;

  mutable WordsStore store;

private:
  mutable StepMemo memo;
};

} // namespace cif

#endif
