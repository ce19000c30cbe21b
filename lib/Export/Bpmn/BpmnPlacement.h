//===- BpmnPlacement.h - Room for what is new in a drawing ----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_BPMN_BPMNPLACEMENT_H
#define CIF_LIB_EXPORT_BPMN_BPMNPLACEMENT_H

#include "cif/Support/LLVM.h"
#include <optional>
#include <utility>
#include <vector>

namespace cif {

struct Place2D {
  double x = 0, y = 0;
};

struct Bounds {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
  double centreX() const { return x + width / 2; }
  double centreY() const { return y + height / 2; }
  bool overlaps(const Bounds &o) const {
    return x < o.right() && o.x < right() && y < o.bottom() && o.y < bottom();
  }
  bool contains(const Bounds &o) const {
    return x <= o.x && y <= o.y && o.right() <= right() &&
           o.bottom() <= bottom();
  }
  bool operator==(const Bounds &) const = default;
};

/// How much room the envelope of a choreography task needs above it.
constexpr double envelopeRoom = 62;

/// The place for \p wanted that is nearest to where it is, within \p around if
/// that has room, where it is apart from the shapes and, if that is near, from
/// the lines. What contains \p wanted is no obstacle.
Bounds placeNear(const Bounds &wanted, ArrayRef<Bounds> shapes,
                 ArrayRef<std::pair<Place2D, Place2D>> lines,
                 const std::optional<Bounds> &around);

/// A line with right angles from the border of one shape to that of another
/// that crosses few of the others, is short and has few corners.
std::vector<Place2D> routeBetween(const Bounds &from, const Bounds &to,
                                  ArrayRef<Bounds> shapes);

} // namespace cif

#endif
