//===- Joint.h - Two LTSs as one ----------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EQUIVALENCE_JOINT_H
#define CIF_LIB_EQUIVALENCE_JOINT_H

#include "cif/Equivalence/Compare.h"
#include "cif/Equivalence/Partition.h"
#include "cif/LTS/Operations.h"
#include "cif/Support/ArrayPool.h"
#include "llvm/ADT/DenseMap.h"

namespace cif {

/// Two LTSs reduced together modulo a bisimulation: states of either that are
/// bisimilar are one state.
struct Joint {
  Lts lts;
  StateIndex left, right;                      ///< the initial states
  std::vector<uint32_t> leftClass, rightClass; ///< of the original states

  StateIndex initial(Side side) const {
    return side == Side::Left ? left : right;
  }
};
/// Nothing: \p limit is reached.
std::optional<Joint> joinReduced(const Lts &left, const Lts &right,
                                 Relation relation, Budget &budget,
                                 std::string &limit);

/// Sets of states of one LTS and their successors, hash-consed. When tau is
/// silent every set is closed under silent steps.
class Subsets {
public:
  using SetId = uint32_t;

  Subsets(const Lts &lts, TauIs tau)
      : lts(lts), tau(tau), seen(lts.numStates()) {}
  /// {state}, closed.
  SetId of(StateIndex state);
  /// The states after label \p label (for a silent tau: the set itself).
  SetId post(SetId set, LabelIndex label);
  ArrayRef<StateIndex> operator[](SetId set) const { return pool[set]; }
  bool empty(SetId set) const { return pool[set].empty(); }
  bool contains(SetId set, StateIndex s) const {
    ArrayRef<StateIndex> members = pool[set];
    return std::binary_search(members.begin(), members.end(), s);
  }
  bool includes(SetId larger, SetId smaller) const {
    ArrayRef<StateIndex> x = pool[larger], y = pool[smaller];
    return y.size() <= x.size() &&
           std::includes(x.begin(), x.end(), y.begin(), y.end());
  }
  /// The labels that some member has, tau only when it is visible; sorted.
  SmallVector<LabelIndex, 16> enabled(SetId set) const;
  size_t size() const { return pool.size(); }
  size_t bytes() const { return pool.bytes() + posts.getMemorySize(); }

private:
  SetId close();

  const Lts &lts;
  TauIs tau;
  ArrayPool<uint32_t> pool;
  llvm::DenseMap<uint64_t, SetId> posts;
  std::vector<bool> seen;
  std::vector<StateIndex> members;
};

/// A word of labels that \p has has and \p lacks has not, as found by a search.
struct TraceSearch {
  enum { Included, NotIncluded, Exceeded } outcome = Included;
  std::vector<LabelIndex> trace;   ///< NotIncluded; shortest
  std::vector<LabelIndex> instead; ///< NotIncluded
  uint64_t explored = 0;
  std::string limit;
  /// Included: for each state of the left that came up the sets of states that
  /// the right may be in at least; smallest ones only.
  std::vector<std::pair<StateIndex, std::vector<StateIndex>>> cover;
};
/// Are all traces of \p from also traces of \p in? (States of one LTS.)
TraceSearch searchTrace(const Lts &lts, StateIndex from, StateIndex in,
                        TauIs tau, Budget &budget, bool wantCover = false);

/// Says \p difference in sentences.
void explain(Difference &difference, const Lts &left, const Lts &right);

// Each decides one family of relations. A difference that they find is replayed
// and explained by compare().
void compareBisimilar(const Lts &left, const Lts &right, Budget &budget,
                      bool certificate, Comparison &result);
void compareTraces(const Lts &left, const Lts &right, Budget &budget,
                   bool certificate, Comparison &result);
void compareOffers(const Lts &left, const Lts &right, Budget &budget,
                   bool certificate, Comparison &result);
void compareSimilar(const Lts &left, const Lts &right, Budget &budget,
                    bool certificate, Comparison &result);

} // namespace cif

#endif
