//===- Layout.h - Layered drawing of nested graphs ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Places boxes of given sizes from left to right and routes the edges between
/// them orthogonally. It knows nothing of BPMN: shapes, containers, things on a
/// container's border, rows (pools) and links between rows are all there is.
/// What it promises: boxes of one container do not overlap, neither do labels
/// and boxes; an edge crosses no box but those of its own ends. All arithmetic
/// is on integers, so that the same graph gives the same drawing everywhere.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_EXPORT_LAYOUT_LAYOUT_H
#define CIF_EXPORT_LAYOUT_LAYOUT_H

#include "cif/Support/LLVM.h"
#include "cif/Support/Limits.h"
#include <cstdint>
#include <vector>

namespace cif::layout {

using Coord = int64_t;
constexpr uint32_t none = 0xffffffffu;

struct Point {
  Coord x = 0, y = 0;
  bool operator==(const Point &) const = default;
};

struct Box {
  Coord x = 0, y = 0, width = 0, height = 0;
  Coord right() const { return x + width; }
  Coord bottom() const { return y + height; }
  Coord centreX() const { return x + width / 2; }
  Coord centreY() const { return y + height / 2; }
  bool operator==(const Box &) const = default;
};

/// Room on the four sides of something.
struct Sides {
  Coord left = 0, top = 0, right = 0, bottom = 0;
};

/// Where edges may dock: anywhere on the left and right side, at the four tips
/// of a diamond, or in the middle of the sides.
enum class Docking : uint8_t { Sides, Tips, Middle };

struct Node {
  Coord width = 0, height = 0; ///< of a container: at least
  Docking docking = Docking::Sides;
  bool isContainer = false;
  /// Top level only: a row as wide as the drawing. Where one node is a row, all
  /// top-level nodes are.
  bool isRow = false;
  uint32_t parent = none;     ///< the container or row that it is in
  uint32_t attachedTo = none; ///< sits on this node's lower border
  Sides outside;              ///< kept free around it: labels, envelopes
  Sides inside;               ///< containers: between border and contents
};

/// Between two nodes of one container, or things on their borders.
struct Edge {
  uint32_t source = none, target = none;
  Coord labelWidth = 0, labelHeight = 0; ///< 0: no label
};

/// Between nodes of different rows, at any depth, or the rows themselves.
struct Link {
  uint32_t source = none, target = none;
  Coord labelWidth = 0, labelHeight = 0;
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Link> links;
};

/// A polyline and where its label goes (no width: no label).
struct Route {
  std::vector<Point> points;
  Box label;
};

struct Drawing {
  std::vector<Box> boxes;    ///< one for each node
  std::vector<Route> routes; ///< one for each edge
  std::vector<Route> links;  ///< one for each link
  Coord width = 0, height = 0;
};

/// Draws \p graph. Ends of an edge that are in different containers are the
/// caller's error (asserted); so are cycles of containment. When \p budget
/// stops, the drawing is of no use.
Drawing draw(const Graph &graph, Budget *budget = nullptr);

} // namespace cif::layout

#endif
