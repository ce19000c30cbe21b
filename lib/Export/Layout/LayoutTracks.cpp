//===- LayoutTracks.cpp - Parallel tracks for intervals -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where several pieces of edges run side by side, each gets a track. A segment
/// tree over the compressed coordinates holds the highest track in use, so that
/// n intervals take O(n log n).
///
//===----------------------------------------------------------------------===//

#include "LayoutDetail.h"
#include <algorithm>

using namespace cif;
using namespace cif::layout;

namespace {
/// The maximum over a range, and raising a range to a value. Raising is never
/// pushed down: a query looks at the ancestors instead.
class MaximumTree {
public:
  explicit MaximumTree(uint32_t count)
      : leaves(count), most(2 * count), raised(2 * count) {}

  uint32_t maximum(uint32_t low, uint32_t high) const {
    uint32_t result = 0;
    for (uint32_t end : {low, high})
      for (uint32_t i = end + leaves; i; i >>= 1)
        result = std::max(result, raised[i]);
    for (uint32_t l = low + leaves, r = high + leaves + 1; l < r;
         l >>= 1, r >>= 1) {
      if (l & 1)
        result = std::max(result, most[l++]);
      if (r & 1)
        result = std::max(result, most[--r]);
    }
    return result;
  }

  /// \p value is more than the range's maximum.
  void raise(uint32_t low, uint32_t high, uint32_t value) {
    for (uint32_t l = low + leaves, r = high + leaves + 1; l < r;
         l >>= 1, r >>= 1) {
      if (l & 1) {
        raised[l] = std::max(raised[l], value);
        most[l] = std::max(most[l], value);
        ++l;
      }
      if (r & 1) {
        --r;
        raised[r] = std::max(raised[r], value);
        most[r] = std::max(most[r], value);
      }
    }
    for (uint32_t end : {low, high})
      for (uint32_t i = (end + leaves) >> 1; i; i >>= 1)
        most[i] = std::max(most[i], value);
  }

private:
  uint32_t leaves;
  std::vector<uint32_t> most, raised;
};
} // namespace

std::vector<uint32_t> cif::layout::assignTracks(ArrayRef<Interval> intervals) {
  std::vector<Coord> ends;
  ends.reserve(2 * intervals.size());
  for (const Interval &interval : intervals) {
    ends.push_back(interval.low);
    ends.push_back(interval.high);
  }
  llvm::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  // A power of two, so that the tree's nodes are proper halves.
  uint32_t size = 1;
  while (size < ends.size())
    size *= 2;
  MaximumTree tree(size);
  std::vector<uint32_t> tracks;
  tracks.reserve(intervals.size());
  for (const Interval &interval : intervals) {
    uint32_t low = llvm::lower_bound(ends, interval.low) - ends.begin();
    uint32_t high = llvm::lower_bound(ends, interval.high) - ends.begin();
    uint32_t track = tree.maximum(low, high) + 1;
    tree.raise(low, high, track);
    tracks.push_back(track - 1);
  }
  return tracks;
}
