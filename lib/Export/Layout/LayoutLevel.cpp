//===- LayoutLevel.cpp - The drawing of one container's contents ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Layers, order and coordinates of one level. An edge that goes back, or that
/// would need too many passing vertices, is a "bypass": it runs in a track
/// above or below the contents of its row. Routing is in LayoutRouting.cpp.
///
//===----------------------------------------------------------------------===//

#include "LayoutLevel.h"
#include <algorithm>

using namespace cif;
using namespace cif::layout;

void Level::run() {
  layer();
  rows.resize(holders.size());
  for (uint32_t r = 0; r < rows.size() && !isStopped(whole.budget); ++r)
    makeRow(r);
  if (isStopped(whole.budget))
    return;
  planGaps();
  stackRows();
  fillChannels();
  placeColumns();
  for (const Wire &wire : wires) {
    if (spend(whole.budget, 4 + wire.numHops))
      return;
    route(wire);
  }
  routeExits();
}

void Level::layer() {
  for (uint32_t r = 0; r < holders.size(); ++r)
    for (uint32_t n : whole.children(holders[r])) {
      whole.local[n] = members.size();
      members.push_back(n);
      rowOf.push_back(r);
    }
  for (uint32_t holder : holders) {
    arcBegin.push_back(arcs.size());
    for (uint32_t e : whole.edges(holder)) {
      const Edge &edge = graph.edges[e];
      arcs.push_back({whole.local[whole.host(edge.source)],
                      whole.local[whole.host(edge.target)],
                      edge.labelWidth ? 2u : 1u});
      arcEdges.push_back(e);
    }
  }
  arcBegin.push_back(arcs.size());
  layers = assignLayers(members.size(), arcs, levelLinks());
  for (uint32_t l : layers)
    numLayers = std::max(numLayers, l + 1);

  // Passing vertices are quadratic in the worst case; past a budget the longest
  // edges go round.
  auto span = [&](uint32_t a) {
    return layers[arcs[a].target] - layers[arcs[a].source];
  };
  uint64_t passing = 0, budget = 2000 + 6 * (members.size() + arcs.size());
  std::vector<uint32_t> forward;
  for (uint32_t a = 0; a < arcs.size(); ++a)
    if (!arcs[a].back) {
      forward.push_back(a);
      passing += span(a) - 1;
    }
  if (passing <= budget)
    return;
  llvm::stable_sort(forward,
                    [&](uint32_t a, uint32_t b) { return span(a) > span(b); });
  for (uint32_t a : forward) {
    if (passing <= budget)
      break;
    passing -= span(a) - 1;
    arcs[a].back = true;
  }
}

/// Room that a node's attached nodes and their edges take below its border.
Coord Level::attachedRoom(uint32_t n) const {
  Coord room = 0;
  for (uint32_t a : whole.attached(n))
    room = std::max(room, graph.nodes[a].height / 2 + 4 +
                              graph.nodes[a].outside.bottom);
  return room;
}

void Level::makeRow(uint32_t r) {
  Row &row = rows[r];
  row.holder = holders[r];
  auto begin = llvm::lower_bound(rowOf, r) - rowOf.begin();
  auto end = llvm::upper_bound(rowOf, r) - rowOf.begin();
  row.first = begin;
  llvm::stable_sort(whole.exits[row.holder], [](const Exit &a, const Exit &b) {
    return std::pair(a.node, a.up) < std::pair(b.node, b.up);
  });
  widenHosts(row);
  Layered &layered = row.graph;
  layered.layers.resize(numLayers);
  for (auto m = begin; m < end; ++m) {
    const Node &node = graph.nodes[members[m]];
    const Box &box = drawing.boxes[members[m]];
    layered.vertices.push_back(
        {.layer = layers[m],
         .node = members[m],
         .up = box.height / 2 + node.outside.top,
         .down = box.height - box.height / 2 +
                 std::max(node.outside.bottom, attachedRoom(members[m]))});
  }
  addWires(row, r);
  if (isStopped(whole.budget))
    return;
  for (uint32_t v = 0; v < layered.vertices.size(); ++v)
    layered.layers[layered.vertices[v].layer].push_back(v);
  layered.index();
  orderLayers(layered, whole.budget);
  if (isStopped(whole.budget))
    return;
  planExits(row);
  row.contentHeight = placeVertices(layered, whole.budget);
  if (isStopped(whole.budget))
    return;
  for (uint32_t w : row.wires) {
    Wire &wire = wires[w];
    if (wire.bypass)
      wire.side = layered.vertices[wire.from].y + layered.vertices[wire.to].y <=
                          row.contentHeight
                      ? Side::Top
                      : Side::Bottom;
  }
  dock(row);
  bypassTracks(row);
}

/// The wires of the row's edges, with a passing vertex in each layer between.
void Level::addWires(Row &row, uint32_t r) {
  Layered &layered = row.graph;
  for (uint32_t a = arcBegin[r]; a < arcBegin[r + 1]; ++a) {
    const Arc &arc = arcs[a];
    Wire wire{.edge = arcEdges[a],
              .row = r,
              .from = arc.source - row.first,
              .to = arc.target - row.first};
    const Edge &edge = graph.edges[wire.edge];
    bool fromBorder = graph.nodes[edge.source].attachedTo != none;
    if (fromBorder) {
      Layered::Vertex &host = layered.vertices[wire.from];
      host.down += trackGap;
      wire.source.lane = host.down - trackGap / 2;
    }
    wire.bypass = arc.back;
    if (!wire.bypass) {
      wire.firstHop = layered.hops.size();
      uint32_t previous = wire.from;
      for (uint32_t l = layers[arc.source] + 1; l < layers[arc.target]; ++l) {
        Layered::Vertex vertex{.layer = l};
        if (edge.labelWidth && wire.labelVertex == none) {
          wire.labelVertex = layered.vertices.size();
          vertex.up = edge.labelHeight + 4;
          vertex.down = 4;
        }
        layered.hops.push_back({previous, uint32_t(layered.vertices.size()),
                                wire.edge,
                                fromBorder && previous == wire.from});
        previous = layered.vertices.size();
        layered.vertices.push_back(vertex);
      }
      layered.hops.push_back(
          {previous, wire.to, wire.edge, fromBorder && previous == wire.from});
      wire.numHops = layered.hops.size() - wire.firstHop;
    }
    row.wires.push_back(wires.size());
    wires.push_back(wire);
    if (spend(whole.budget, 4 * (1 + wire.numHops)))
      return;
  }
}

/// Bypasses of a row: short ones next to the contents, long ones around them.
void Level::bypassTracks(Row &row) {
  for (Side side : {Side::Top, Side::Bottom}) {
    std::vector<uint32_t> on;
    for (uint32_t w : row.wires)
      if (wires[w].bypass && wires[w].side == side)
        on.push_back(w);
    auto low = [&](uint32_t w) {
      return std::min(outSlot(row, wires[w]), inSlot(row, wires[w]));
    };
    auto high = [&](uint32_t w) {
      return std::max(outSlot(row, wires[w]), inSlot(row, wires[w]));
    };
    llvm::stable_sort(on, [&](uint32_t a, uint32_t b) {
      return high(a) - low(a) < high(b) - low(b);
    });
    std::vector<Interval> intervals;
    intervals.reserve(on.size());
    for (uint32_t w : on)
      intervals.push_back({low(w), high(w)});
    std::vector<uint32_t> tracks = assignTracks(intervals);
    std::vector<Coord> heights;
    for (size_t i = 0; i < on.size(); ++i) {
      wires[on[i]].track = tracks[i];
      if (tracks[i] >= heights.size())
        heights.resize(tracks[i] + 1);
      heights[tracks[i]] = std::max(heights[tracks[i]],
                                    graph.edges[wires[on[i]].edge].labelHeight);
    }
    // Labels stand above their line.
    std::vector<Coord> &at =
        side == Side::Top ? row.topTracks : row.bottomTracks;
    Coord distance = on.empty() ? 0 : 6;
    for (Coord label : heights) {
      Coord room = label ? label + 4 : 0;
      at.push_back(side == Side::Top ? distance + trackGap
                                     : distance + room + trackGap);
      distance += room + trackGap + 2;
    }
    (side == Side::Top ? row.topRoom : row.bottomRoom) =
        on.empty() ? 0 : distance + 8;
  }
}

void Level::stackRows() {
  Coord y = 0;
  for (Row &row : rows) {
    const bool isTop = row.holder == graph.nodes.size();
    const Sides inside = isTop ? Sides() : graph.nodes[row.holder].inside;
    Coord least = isTop ? 0 : graph.nodes[row.holder].height;
    left = std::max(left, inside.left);
    right = std::max(right, inside.right);
    Coord used = row.topRoom + row.contentHeight + row.bottomRoom;
    Coord total = std::max(least, inside.top + used + inside.bottom);
    Coord spare = total - inside.top - used - inside.bottom;
    rowTop.push_back(y);
    rowHeight.push_back(total);
    row.contentTop = y + inside.top + spare / 2 + row.topRoom;
    y += total;
    for (uint32_t w : row.wires) {
      Wire &wire = wires[w];
      if (wire.bypass)
        wire.trackY = wire.side == Side::Top
                          ? row.contentTop - row.topTracks[wire.track]
                          : row.contentTop + row.contentHeight +
                                row.bottomTracks[wire.track];
    }
    if (&row != &rows.back())
      y += gapHeight[&row - rows.data()];
  }
  height = y;
}

void Level::placeColumns() {
  columnLeft.assign(numLayers, 0);
  columnRight.assign(numLayers, 0);
  for (const Row &row : rows)
    for (const Layered::Vertex &vertex : row.graph.vertices) {
      if (vertex.node == none)
        continue;
      const Box &box = drawing.boxes[vertex.node];
      const Sides &outside = graph.nodes[vertex.node].outside;
      Coord &l = columnLeft[vertex.layer], &r = columnRight[vertex.layer];
      l = std::max(l, box.width / 2 + outside.left);
      r = std::max(r, box.width - box.width / 2 + outside.right);
    }
  for (const Wire &wire : wires)
    if (wire.labelVertex != none) {
      uint32_t l = rows[wire.row].graph.vertices[wire.labelVertex].layer;
      Coord half = graph.edges[wire.edge].labelWidth / 2 + 4;
      columnLeft[l] = std::max(columnLeft[l], half);
      columnRight[l] = std::max(columnRight[l], half);
    }
  Coord x = left;
  for (uint32_t c = 0; c <= numLayers; ++c) {
    channelX.push_back(x);
    x += channelWidth[c];
    if (c < numLayers) {
      columnX.push_back(x + columnLeft[c]);
      x += columnLeft[c] + columnRight[c];
    }
  }
  width = x + right;
  for (uint32_t holder : holders)
    if (holder != graph.nodes.size())
      width = std::max(width, graph.nodes[holder].width);
  for (const Row &row : rows)
    for (uint32_t v = 0; v < row.graph.vertices.size(); ++v) {
      const Layered::Vertex &vertex = row.graph.vertices[v];
      if (vertex.node == none)
        continue;
      Box &box = drawing.boxes[vertex.node];
      box.x = columnX[vertex.layer] - box.width / 2;
      box.y = lineY(row, v) - box.height / 2;
      placeAttached(row, vertex.node);
    }
}

/// A node is wide enough for what sits on its lower border, beside the links
/// that leave there.
void Level::widenHosts(const Row &row) {
  for (uint32_t n : whole.children(row.holder)) {
    Coord width = 0, widest = 0;
    for (uint32_t a : whole.attached(n)) {
      const Node &node = graph.nodes[a];
      Coord one =
          node.outside.left + attachedGap + node.width + node.outside.right;
      width += one;
      widest = std::max(widest, one);
    }
    if (!width)
      continue;
    for (const Exit &exit : exitsOf(row, n))
      if (exit.from == n && !exit.up)
        width += widest + attachedGap;
    Box &box = drawing.boxes[n];
    box.width = std::max(box.width, width + attachedGap);
  }
}

/// Things on the lower border, from the left, beside the links that leave
/// there.
void Level::placeAttached(const Row &row, uint32_t host) {
  if (whole.attached(host).empty())
    return;
  const Box &hostBox = drawing.boxes[host];
  SmallVector<Coord, 4> links;
  for (const Exit &exit : exitsOf(row, host))
    if (exit.from == host && !exit.up)
      links.push_back(hostBox.x + exit.dx);
  llvm::sort(links);
  Coord x = hostBox.x;
  for (uint32_t a : whole.attached(host)) {
    const Node &node = graph.nodes[a];
    Box &box = drawing.boxes[a];
    for (Coord link : links)
      if (link >= x && link < x + node.outside.left + attachedGap + node.width +
                                  node.outside.right + 6)
        x = link;
    x += node.outside.left + attachedGap;
    box.x = x;
    box.y = hostBox.bottom() - box.height / 2;
    x += box.width + node.outside.right;
  }
}
