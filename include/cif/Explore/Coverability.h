//===- Coverability.h - What a net can reach or exceed ----------*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Place/transition nets without bounds, and their minimal coverability sets:
/// finitely many markings, some of their counts without a bound, that say for
/// every marking whether it or a larger one is reachable.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPLORE_COVERABILITY_H
#define CIF_EXPLORE_COVERABILITY_H

#include "cif/Support/LLVM.h"
#include "cif/Support/Limits.h"
#include <string>
#include <vector>

namespace cif {

/// A net in which nothing tests for emptiness and nothing is cleared.
struct PureNet {
  struct Arc {
    uint32_t place, count;
    bool operator==(const Arc &) const = default;
  };
  struct Transition {
    /// Each place once, with a count above 0. A place that is only looked at
    /// is in both.
    SmallVector<Arc, 4> take, give;
  };
  std::vector<uint32_t> initial; ///< by place
  std::vector<Transition> transitions;

  size_t numPlaces() const { return initial.size(); }
};

/// A count without a bound.
constexpr uint32_t omega = UINT32_MAX;

struct CoverabilitySet {
  /// Incomparable markings, in the order in which they were found.
  std::vector<std::vector<uint32_t>> markings;
  bool complete = false;
  std::string limit;   ///< why it is not complete
  size_t explored = 0; ///< markings that were worked on

  /// Whether some reachable marking has all that \p wanted has.
  bool covers(ArrayRef<PureNet::Arc> wanted) const;
  /// Whether \p place can hold any number of tokens.
  bool isUnbounded(uint32_t place) const;
  bool isBounded() const;
};

/// The minimal coverability set of \p net. Where a limit is met, what is there
/// can be covered, and more may be.
CoverabilitySet coverabilitySet(const PureNet &net, const Limits &limits);

} // namespace cif

#endif
