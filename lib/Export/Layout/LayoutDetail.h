//===- LayoutDetail.h - The steps of the layered drawing ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The steps of layout::draw, each on plain arrays: layers, order within
/// layers, coordinates within layers, tracks for what runs in parallel. A
/// "layer" is a column, as drawings go from left to right.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_LAYOUT_LAYOUTDETAIL_H
#define CIF_LIB_EXPORT_LAYOUT_LAYOUTDETAIL_H

#include "cif/Export/Layout/Layout.h"

namespace cif::layout {

/// An edge of the graph that is put into layers.
struct Arc {
  uint32_t source, target;
  uint32_t length = 1; ///< how many layers it spans at least
  bool back = false;   ///< closes a cycle; takes no part in layering
};

/// Marks the arcs that close cycles and gives each node its layer. \p links
/// want their source not to be right of their target, as far as possible.
std::vector<uint32_t>
assignLayers(uint32_t numNodes, std::vector<Arc> &arcs,
             ArrayRef<std::pair<uint32_t, uint32_t>> links);

/// A proper layered graph: hops join neighbouring layers only.
struct Layered {
  struct Vertex {
    uint32_t layer = 0;
    uint32_t node = none;   ///< none: an edge passes
    Coord up = 0, down = 0; ///< room above and below its centre line
    Coord y = 0;            ///< of the centre line
    uint32_t position = 0;  ///< within its layer
  };
  struct Hop {
    uint32_t from, to;
    uint32_t edge = none; ///< which edge it is a piece of
    bool loose = false;   ///< need not be straight
  };
  std::vector<Vertex> vertices;
  std::vector<Hop> hops;
  std::vector<std::vector<uint32_t>> layers; ///< vertices in order
  /// Hops at each vertex, in CSR form; set by index().
  std::vector<uint32_t> outBegin, outHops, inBegin, inHops;

  void index();
  ArrayRef<uint32_t> out(uint32_t v) const {
    return ArrayRef(outHops).slice(outBegin[v], outBegin[v + 1] - outBegin[v]);
  }
  ArrayRef<uint32_t> in(uint32_t v) const {
    return ArrayRef(inHops).slice(inBegin[v], inBegin[v + 1] - inBegin[v]);
  }
  /// How far apart the centre lines of neighbours in a layer must be.
  Coord separation(uint32_t above, uint32_t below) const;
};

/// The budget of a drawing; null: there is none.
inline bool spend(Budget *budget, uint64_t amount) {
  return budget && budget->spend(amount);
}
inline bool isStopped(const Budget *budget) {
  return budget && budget->stopped();
}

/// Orders each layer so that few hops cross.
void orderLayers(Layered &graph, Budget *budget);
/// Gives each vertex its y; the topmost room begins at 0. Returns the height.
Coord placeVertices(Layered &graph, Budget *budget);

/// Puts intervals on parallel tracks: intervals that meet get different tracks,
/// and one that comes later in \p intervals gets the higher one.
struct Interval {
  Coord low, high;
};
std::vector<uint32_t> assignTracks(ArrayRef<Interval> intervals);

} // namespace cif::layout

#endif
