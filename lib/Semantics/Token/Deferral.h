//===- Deferral.h - Choices that wait for a first step
//---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A token at an event choice (or a container with a race on its border) is in
/// no branch yet: the first step of a branch decides. A branch may begin with
/// gateways: they are passed on the way to its first steps, together with these
/// in one step, and only those that the step needs.
///
/// So a deferred step is a step together with the firings that it depends on,
/// at least one of them the taking of a branch: the local configuration of the
/// step in the unfolding of the net from the present marking [mcmillan],
/// restricted to firings that depend on the taking of a branch. Gateways whose
/// tokens do not come from such a branch fire on their own, as ever.
///
/// Where no gateway on the way needs a second token, the deferred steps do not
/// depend on the rest of the marking and are made firings of the net, once.
/// Otherwise they are computed when a marking needs them, and cached by the
/// part of the marking that they depend on.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_SEMANTICS_TOKEN_DEFERRAL_H
#define CIF_LIB_SEMANTICS_TOKEN_DEFERRAL_H

#include "Interning.h"
#include "TokenNet.h"
#include "llvm/ADT/DenseMap.h"

namespace cif {

class Deferral {
public:
  /// Adds the deferred steps that do not depend on the rest of the marking to
  /// the net's firings.
  Deferral(TokenNet &net, const Limits &limits);

  /// Whether steps may have to be worked out in this marking.
  bool isPending(const uint32_t *marking) const {
    for (uint32_t place : pendingPlaces)
      if (marking[place])
        return true;
    return false;
  }
  /// The deferred steps of a marking beyond the net's firings. Their groups are
  /// those of `groupOf`.
  const std::vector<Firing> &steps(const uint32_t *marking) const;
  /// Whether what is left can end without a step: each token is at a choice
  /// with an empty branch, or waits for such ones. Then the marking is final.
  /// \p set: what is known of the data.
  bool vanishes(const uint32_t *marking, uint32_t set) const;

  /// The places of which a marking that vanishes may hold tokens; it holds no
  /// others.
  const llvm::BitVector &vanishingPlaces() const { return mayVanish; }

  /// Guards over data on the way to first steps. They have to be known before
  /// somebody may wait for these: while a token is there, it may be found out.
  /// The same for guards of a silent choice of which several can be true.
  struct Look {
    uint32_t place;
    uint32_t programs; ///< as requirements of the data
    Origin origin;
    /// A group for each outcome: these are choices, too, and fair.
    GroupIndex group = noGroup;
    uint32_t numGroups = 1;
  };
  std::vector<Look> looks;
  llvm::BitVector onCycle; ///< places to which a token can come back

  /// The places on which those steps depend.
  ArrayRef<uint32_t> relevantPlaces() const { return relevant; }
  /// The firings that those steps end with.
  ArrayRef<uint32_t> lastFirings() const { return lastSteps; }
  /// The takings of branches that they begin with.
  ArrayRef<uint32_t> branchFirings() const { return roots; }
  llvm::DenseMap<uint32_t, GroupIndex> groupOf; ///< by firing

  std::string trouble() const {
    if (!gaveUp.load(std::memory_order_relaxed))
      return "";
    std::lock_guard<std::mutex> guard(lock);
    return limit.empty()
               ? "a choice with more than 4096 ways to its first steps"
               : limit;
  }

private:
  friend class Unfolding;
  /// What a deferred firing leads to, up to first steps.
  struct Reach {
    llvm::BitVector places, firings;
    bool local; ///< no firing on the way needs a second token
  };
  bool isLocal(const Firing &firing) const;
  Reach reachOf(uint32_t root, Budget &budget) const;
  void addLook(uint32_t root, const llvm::BitVector &firings);
  void addChoiceLooks();
  llvm::BitVector placesOnCycles() const;
  void addNeeded(const Firing &firing, llvm::BitVector &places) const;
  void classify(Budget &budget);
  bool fireApart(const Firing &firing, ArrayRef<uint32_t> whole, bool branched,
                 std::vector<uint32_t> &next) const;
  bool isChain(const llvm::BitVector &used) const;
  void unfoldChain(uint32_t root, std::vector<Firing> &out,
                   Budget &budget) const;

  TokenNet &net;
  size_t numFirings;                               ///< without those added here
  std::vector<SmallVector<uint32_t, 4>> consumers; ///< by place
  llvm::DenseMap<uint64_t, SmallVector<uint32_t, 2>> completionsOf;
  SmallVector<uint32_t, 8> localRoots, roots; ///< deferred firings
  llvm::BitVector chains; ///< local ones that pass one token on, to the last
  std::vector<uint32_t> relevant, pendingPlaces, lastSteps;
  llvm::BitVector mayVanish; ///< places that do not speak against vanishing
  mutable std::atomic<bool> gaveUp{false};
  const Limits limits;
  mutable std::mutex lock;
  mutable std::string limit; ///< that was met; under the lock
  mutable WordsStore keys;
  mutable llvm::DenseMap<uint32_t, std::unique_ptr<std::vector<Firing>>> known;
};

} // namespace cif

#endif
