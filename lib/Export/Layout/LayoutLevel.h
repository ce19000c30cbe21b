//===- LayoutLevel.h - The drawing of one container's contents ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One level of a drawing: the nodes of one container, or the rows side by
/// side. All rows of a level share their columns, so that between two columns
/// there is a channel, free of shapes, from the top of the level to its bottom.
///
///   channel 0 | column 0 | channel 1 | column 1 | ... | channel n
///
/// Positions along x that come before the coordinates are known are "slots":
/// 2c for channel c, 2l + 1 for column l.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_LAYOUT_LAYOUTLEVEL_H
#define CIF_LIB_EXPORT_LAYOUT_LAYOUTLEVEL_H

#include "LayoutDetail.h"

namespace cif::layout {

/// Distances, in pixels.
constexpr Coord trackGap = 10, channelPad = 16, leastChannel = 44,
                attachedGap = 14;

/// Where a link's end leaves the level that it is in, upwards or downwards.
struct Exit {
  uint32_t end = 0;     ///< 2l for the source of link l, 2l + 1 for its target
  uint32_t node = none; ///< of this level
  uint32_t from = none; ///< where it starts: the node, or one attached to it
  bool up = false;
  Coord dx = -1; ///< where at the node; -1: to be found
  bool direct = false, below = false;
  uint32_t layer = 0, track = 0;
  Coord lane = 0; ///< how far from the centre line it turns, unless direct
};

/// What draw() knows of the whole graph.
struct Whole {
  const Graph &graph;
  Drawing &drawing;
  Budget *budget;
  /// Children of each node (index: the node, or numNodes for the top level)
  /// that are not attached to another; edges by the node that holds them;
  /// attached nodes by host. All in CSR form.
  std::vector<uint32_t> childBegin, childList, edgeBegin, edgeList,
      attachedBegin, attachedList;
  std::vector<uint32_t> local;          ///< a node's vertex in its level
  std::vector<uint32_t> rowOf;          ///< of rows: their number
  std::vector<std::vector<Exit>> exits; ///< by holder
  /// The pieces of links within rows, relative to the holder's corner.
  struct PathPoint {
    uint32_t holder;
    Point point;
  };
  std::vector<std::vector<PathPoint>> paths; ///< by link end

  void startLinks();

  ArrayRef<uint32_t> children(uint32_t n) const {
    return ArrayRef(childList).slice(childBegin[n],
                                     childBegin[n + 1] - childBegin[n]);
  }
  ArrayRef<uint32_t> edges(uint32_t n) const {
    return ArrayRef(edgeList).slice(edgeBegin[n],
                                    edgeBegin[n + 1] - edgeBegin[n]);
  }
  ArrayRef<uint32_t> attached(uint32_t n) const {
    return ArrayRef(attachedList)
        .slice(attachedBegin[n], attachedBegin[n + 1] - attachedBegin[n]);
  }
  /// The node that \p n stands for in its level: itself or its host.
  uint32_t host(uint32_t n) const {
    uint32_t to = graph.nodes[n].attachedTo;
    return to == none ? n : to;
  }
};

class Level {
public:
  Level(Whole &whole, ArrayRef<uint32_t> holders)
      : whole(whole), graph(whole.graph), drawing(whole.drawing),
        holders(holders) {}

  /// Places the children of the holders, relative to the level's corner, and
  /// routes their edges.
  void run();
  /// Draws the links; rows only, after everything has moved to its place.
  void routeLinks();
  Coord width = 0, height = 0;
  /// Of each holder: where it begins and how high it is.
  std::vector<Coord> rowTop, rowHeight;
  /// Rows only: width of the room at the left (the rows' names).
  Coord left = 0, right = 0;

private:
  enum class Side : uint8_t { Plain, Top, Bottom };
  /// One end of an edge at a node.
  struct End {
    Coord offset = 0; ///< of the dock from the node's centre line
    Side tip = Side::Plain;
    Coord lane = 0; ///< attached nodes: how far below their centre it turns
  };
  struct Wire {
    uint32_t edge, row;
    uint32_t from, to; ///< vertices in the row
    uint32_t firstHop = 0, numHops = 0;
    bool bypass = false;
    Side side = Side::Top; ///< of a bypass
    uint32_t track = 0;
    Coord trackY = 0;
    uint32_t labelVertex = none;
    End source, target;
    uint32_t outTrack = none, inTrack = none; ///< of a bypass, in channels
  };
  struct Row {
    uint32_t holder;
    uint32_t first = 0; ///< member of its first vertex
    Layered graph;
    std::vector<uint32_t> wires; ///< in Level::wires
    Coord contentHeight = 0, topRoom = 0, bottomRoom = 0;
    Coord contentTop = 0;                       ///< absolute in the level
    std::vector<Coord> topTracks, bottomTracks; ///< distance from the contents
  };
  /// A vertical piece in a channel.
  struct Vertical {
    Coord fromY, toY;
    uint32_t *track;
  };

  void layer();
  void makeRow(uint32_t r);
  void addWires(Row &row, uint32_t r);
  Coord attachedRoom(uint32_t n) const;
  void dock(Row &row);
  void dockSides(Row &row, uint32_t v, std::vector<uint32_t> &ends, bool out);
  void dockTips(Row &row, uint32_t v, ArrayRef<uint32_t> ends, bool out);
  void bypassTracks(Row &row);
  void stackRows();
  void fillChannels();
  void placeColumns();
  void placeAttached(const Row &row, uint32_t host);
  void route(const Wire &wire);

  // LayoutLinks.cpp
  struct LinkPlan {
    uint32_t link, upper, lower; ///< upper and lower end
    uint32_t upperRow, lowerRow;
    Coord firstY = 0, secondY = 0; ///< in the first and the last gap
    uint32_t channel = none;       ///< in which it passes rows
    uint32_t track = 0;
    Coord borderX = 0; ///< of a link between borders
  };
  std::vector<std::pair<uint32_t, uint32_t>> levelLinks() const;
  ArrayRef<Exit> exitsOf(const Row &row, uint32_t n) const;
  void planExits(Row &row);
  /// What a link takes of the gap between two rows.
  struct GapPiece {
    uint32_t plan;
    bool second;
    uint32_t from, to; ///< slots at the upper and the lower row
  };
  void planLinks(ArrayRef<const Exit *> exitOf,
                 MutableArrayRef<std::vector<GapPiece>> pieces);
  void planTracks(uint32_t row, std::vector<GapPiece> &pieces,
                  ArrayRef<const Exit *> exitOf);
  void planGaps();
  void separateStubs();
  void widenHosts(const Row &row);
  void addLinkVerticals();
  void routeExits();
  Coord gapY(uint32_t r, Coord y) const { return rowTop[r] + rowHeight[r] + y; }

  const Node &nodeOf(const Row &row, uint32_t v) const {
    return graph.nodes[row.graph.vertices[v].node];
  }
  /// The centre line of a vertex in the level.
  Coord lineY(const Row &row, uint32_t v) const {
    return row.contentTop + row.graph.vertices[v].y;
  }
  uint32_t farVertex(const Row &row, const Wire &wire, bool out) const;
  Coord farY(const Row &row, const Wire &wire, bool out) const;
  Coord exitY(const Row &row, const Wire &wire) const;
  Coord entryY(const Row &row, const Wire &wire) const;
  Point border(uint32_t n, Coord y, bool rightSide) const;
  uint32_t outSlot(const Row &row, const Wire &wire) const;
  uint32_t inSlot(const Row &row, const Wire &wire) const;
  Coord trackX(uint32_t channel, uint32_t track) const {
    return channelX[channel] + channelPad + Coord(track) * trackGap;
  }

  Whole &whole;
  const Graph &graph;
  Drawing &drawing;
  ArrayRef<uint32_t> holders;

  std::vector<uint32_t> members, rowOf, layers; ///< per member
  std::vector<Arc> arcs;
  std::vector<uint32_t> arcBegin; ///< arcs of each row
  std::vector<uint32_t> arcEdges; ///< the edge of each arc
  uint32_t numLayers = 0;
  std::vector<Row> rows;
  std::vector<Wire> wires;
  std::vector<std::vector<uint32_t>> hopTracks; ///< by row and hop
  std::vector<LinkPlan> plans;
  std::vector<Coord> gapHeight; ///< below each row
  std::vector<std::vector<Vertical>> channels;
  std::vector<Coord> channelX, channelWidth, columnX, columnLeft, columnRight;
};

/// Drops points that are on the line between their neighbours.
void simplify(std::vector<Point> &points);

} // namespace cif::layout

#endif
