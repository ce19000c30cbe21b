//===- LayoutRouting.cpp - Docking and orthogonal routes ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where edges leave and enter nodes, and the vertical pieces between columns.
/// A piece that goes down starts further right the higher it starts, and one
/// that goes up the lower it starts: then edges whose ends are in the same
/// order do not cross. Horizontal pieces stay within the room of the vertex
/// that they lead to or come from, which is why they meet no other shape.
///
//===----------------------------------------------------------------------===//

#include "LayoutLevel.h"
#include <algorithm>

using namespace cif;
using namespace cif::layout;

uint32_t Level::outSlot(const Row &row, const Wire &wire) const {
  uint32_t l = row.graph.vertices[wire.from].layer;
  return wire.source.tip == Side::Plain ? 2 * l + 2 : 2 * l + 1;
}
uint32_t Level::inSlot(const Row &row, const Wire &wire) const {
  uint32_t l = row.graph.vertices[wire.to].layer;
  return wire.target.tip == Side::Plain ? 2 * l : 2 * l + 1;
}

/// The vertex that an end's edge goes to first, or comes from last.
uint32_t Level::farVertex(const Row &row, const Wire &wire, bool out) const {
  const Layered::Hop &hop =
      row.graph.hops[out ? wire.firstHop : wire.firstHop + wire.numHops - 1];
  return out ? hop.to : hop.from;
}

/// Where the edge is at that vertex.
Coord Level::farY(const Row &row, const Wire &wire, bool out) const {
  if (wire.bypass)
    return wire.side == Side::Top ? INT64_MIN : INT64_MAX;
  uint32_t v = farVertex(row, wire, out);
  const Layered::Vertex &vertex = row.graph.vertices[v];
  if (vertex.node == none)
    return vertex.y;
  if (!out && wire.source.lane)
    return vertex.y + wire.source.lane;
  return vertex.y + (out ? wire.target.offset : wire.source.offset);
}

void Level::dock(Row &row) {
  const Layered &layered = row.graph;
  // The wires that leave and enter each node.
  std::vector<std::vector<uint32_t>> outs(layered.vertices.size()),
      ins(layered.vertices.size());
  for (uint32_t w : row.wires) {
    if (!wires[w].source.lane)
      outs[wires[w].from].push_back(w);
    ins[wires[w].to].push_back(w);
  }
  for (uint32_t v = 0; v < layered.vertices.size(); ++v)
    if (layered.vertices[v].node != none &&
        nodeOf(row, v).docking == Docking::Sides) {
      dockSides(row, v, outs[v], /*out=*/true);
      dockSides(row, v, ins[v], /*out=*/false);
    }
  // A lone edge at a node moves along the side when that makes it straight.
  for (uint32_t v = 0; v < layered.vertices.size(); ++v) {
    if (layered.vertices[v].node == none ||
        nodeOf(row, v).docking != Docking::Sides)
      continue;
    Coord most = drawing.boxes[layered.vertices[v].node].height / 4;
    for (bool out : {true, false}) {
      ArrayRef<uint32_t> ends = out ? outs[v] : ins[v];
      if (ends.size() != 1 || wires[ends[0]].bypass)
        continue;
      Wire &wire = wires[ends[0]];
      Coord offset = farY(row, wire, out) - layered.vertices[v].y;
      if (offset >= -most && offset <= most)
        (out ? wire.source : wire.target).offset = offset;
    }
  }
  for (bool out : {true, false})
    for (uint32_t v = 0; v < layered.vertices.size(); ++v)
      if (layered.vertices[v].node != none &&
          nodeOf(row, v).docking == Docking::Tips &&
          out == (outs[v].size() > 1 || ins[v].size() < 2))
        dockTips(row, v, out ? outs[v] : ins[v], out);
}

/// Spreads ends over a side, in the order of where they lead; a straight one
/// stays in the middle.
void Level::dockSides(Row &row, uint32_t v, std::vector<uint32_t> &ends,
                      bool out) {
  if (ends.size() < 2)
    return;
  auto key = [&](uint32_t w) {
    if (wires[w].bypass)
      return farY(row, wires[w], out);
    return row.graph.vertices[farVertex(row, wires[w], out)].y;
  };
  llvm::stable_sort(ends,
                    [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  const Layered::Vertex &vertex = row.graph.vertices[v];
  Coord count = ends.size(), middle2 = count - 1; // twice the middle index
  for (Coord i = 0; i < count; ++i)
    if (key(ends[i]) == vertex.y)
      middle2 = 2 * i;
  Coord reach = std::max(middle2, 2 * (count - 1) - middle2);
  Coord half = std::max<Coord>(0, drawing.boxes[vertex.node].height / 2 - 10);
  Coord step2 = std::min<Coord>(14, 2 * half / reach); // between neighbours
  for (Coord i = 0; i < count; ++i) {
    Wire &wire = wires[ends[i]];
    (out ? wire.source : wire.target).offset = (2 * i - middle2) * step2 / 2;
  }
}

/// Ends at a diamond use the upper or lower tip where the way there is free.
void Level::dockTips(Row &row, uint32_t v, ArrayRef<uint32_t> ends, bool out) {
  const Layered &layered = row.graph;
  const Layered::Vertex &vertex = layered.vertices[v];
  const std::vector<uint32_t> &layer = layered.layers[vertex.layer];
  const Coord half = drawing.boxes[vertex.node].height / 2;
  for (Side side : {Side::Top, Side::Bottom}) {
    bool top = side == Side::Top;
    // How far the ends may go: up to the neighbour's room.
    bool isLast =
        top ? vertex.position == 0 : vertex.position + 1 == layer.size();
    Coord limit = top ? INT64_MIN : INT64_MAX;
    if (!isLast) {
      const Layered::Vertex &next =
          layered.vertices[layer[vertex.position + (top ? -1 : 1)]];
      limit = top ? next.y + next.down + 4 : next.y - next.up - 4;
    }
    // A label may stand at the upper left.
    Coord from = top ? vertex.y - (out ? half + 2 : vertex.up)
                     : vertex.y + (out ? half + 2 : vertex.down);
    SmallVector<uint32_t, 8> chosen;
    bool free = true;
    for (uint32_t w : ends) {
      Wire &wire = wires[w];
      // Only one end of a piece may bend in its column.
      if (!out && !wire.bypass && wire.numHops == 1 &&
          wire.source.tip != Side::Plain)
        continue;
      Coord y = farY(row, wire, out);
      if (top ? y > from : y < from)
        continue;
      if (wire.bypass ? !isLast : (top ? y < limit : y > limit))
        free = free && wire.bypass;
      else
        chosen.push_back(w);
    }
    if (!free)
      continue;
    for (uint32_t w : chosen)
      (out ? wires[w].source : wires[w].target).tip = side;
  }
}

/// Where a wire crosses the right border of its source's column.
Coord Level::exitY(const Row &row, const Wire &wire) const {
  Coord y = lineY(row, wire.from);
  return y + (wire.source.lane ? wire.source.lane : wire.source.offset);
}
Coord Level::entryY(const Row &row, const Wire &wire) const {
  return lineY(row, wire.to) + wire.target.offset;
}

void Level::fillChannels() {
  channels.resize(numLayers + 1);
  hopTracks.resize(rows.size());
  for (uint32_t r = 0; r < rows.size(); ++r)
    hopTracks[r].assign(rows[r].graph.hops.size(), none);
  for (Wire &wire : wires) {
    const Row &row = rows[wire.row];
    const auto &vertices = row.graph.vertices;
    if (wire.bypass) {
      if (wire.source.tip == Side::Plain)
        channels[vertices[wire.from].layer + 1].push_back(
            {exitY(row, wire), wire.trackY, &wire.outTrack});
      if (wire.target.tip == Side::Plain)
        channels[vertices[wire.to].layer].push_back(
            {wire.trackY, entryY(row, wire), &wire.inTrack});
      continue;
    }
    for (uint32_t i = 0; i < wire.numHops; ++i) {
      uint32_t h = wire.firstHop + i;
      const Layered::Hop &hop = row.graph.hops[h];
      bool first = i == 0, last = i + 1 == wire.numHops;
      if ((first && wire.source.tip != Side::Plain) ||
          (last && wire.target.tip != Side::Plain))
        continue;
      Coord from = first ? exitY(row, wire) : lineY(row, hop.from);
      Coord to = last ? entryY(row, wire) : lineY(row, hop.to);
      if (from != to)
        channels[vertices[hop.to].layer].push_back(
            {from, to, &hopTracks[wire.row][h]});
    }
  }
  addLinkVerticals();
  channelWidth.assign(numLayers + 1, 0);
  for (uint32_t c = 0; c <= numLayers; ++c) {
    std::vector<Vertical> &verticals = channels[c];
    llvm::stable_sort(verticals, [](const Vertical &a, const Vertical &b) {
      bool down = a.fromY < a.toY, alsoDown = b.fromY < b.toY;
      if (down != alsoDown)
        return down;
      return down ? a.fromY > b.fromY : a.fromY < b.fromY;
    });
    std::vector<Interval> intervals;
    intervals.reserve(verticals.size());
    for (const Vertical &v : verticals)
      intervals.push_back(
          {std::min(v.fromY, v.toY) - 4, std::max(v.fromY, v.toY) + 4});
    std::vector<uint32_t> tracks = assignTracks(intervals);
    Coord most = -1;
    for (size_t i = 0; i < tracks.size(); ++i) {
      *verticals[i].track = tracks[i];
      most = std::max<Coord>(most, tracks[i]);
    }
    bool outer = c == 0 || c == numLayers;
    channelWidth[c] = most < 0 ? 0 : 2 * channelPad + most * trackGap;
    if (!outer)
      channelWidth[c] = std::max(channelWidth[c], leastChannel);
  }
}

void cif::layout::simplify(std::vector<Point> &points) {
  size_t kept = 0;
  for (const Point &p : points) {
    if (kept && points[kept - 1] == p)
      continue;
    while (kept >= 2 && ((points[kept - 2].x == points[kept - 1].x &&
                          points[kept - 1].x == p.x) ||
                         (points[kept - 2].y == points[kept - 1].y &&
                          points[kept - 1].y == p.y)))
      --kept;
    points[kept++] = p;
  }
  points.resize(kept);
}

/// Where a horizontal line at \p y from \p side meets the node's border.
Point Level::border(uint32_t n, Coord y, bool rightSide) const {
  const Box &box = drawing.boxes[n];
  Coord cut = 0;
  if (graph.nodes[n].docking == Docking::Tips)
    cut = std::min(box.width / 2, std::abs(y - box.centreY()));
  return {rightSide ? box.right() - cut : box.x + cut, y};
}

void Level::route(const Wire &wire) {
  const Row &row = rows[wire.row];
  const Edge &edge = graph.edges[wire.edge];
  Route &result = drawing.routes[wire.edge];
  std::vector<Point> &points = result.points;
  uint32_t fromNode = row.graph.vertices[wire.from].node;
  uint32_t toNode = row.graph.vertices[wire.to].node;
  const Box &fromBox = drawing.boxes[fromNode], &toBox = drawing.boxes[toNode];
  const uint32_t fromLayer = row.graph.vertices[wire.from].layer;
  const uint32_t toLayer = row.graph.vertices[wire.to].layer;

  Coord y = exitY(row, wire); // of the horizontal piece that is being drawn
  if (wire.source.lane) {
    const Box &box = drawing.boxes[edge.source];
    points.push_back({box.centreX(), box.bottom()});
    points.push_back({box.centreX(), y});
  } else if (wire.source.tip != Side::Plain) {
    bool top = wire.source.tip == Side::Top;
    points.push_back({fromBox.centreX(), top ? fromBox.y : fromBox.bottom()});
    y = wire.bypass         ? wire.trackY
        : wire.numHops == 1 ? entryY(row, wire)
                            : lineY(row, row.graph.hops[wire.firstHop].to);
    points.push_back({fromBox.centreX(), y});
  } else {
    points.push_back(border(fromNode, y, /*rightSide=*/true));
  }

  auto turn = [&](Coord x, Coord toY) {
    points.push_back({x, y});
    y = toY;
    points.push_back({x, y});
  };
  if (wire.bypass) {
    if (wire.source.tip == Side::Plain)
      turn(trackX(fromLayer + 1, wire.outTrack), wire.trackY);
    Coord firstX = points.back().x;
    if (wire.target.tip == Side::Plain)
      turn(trackX(toLayer, wire.inTrack), entryY(row, wire));
    Coord lastX =
        wire.target.tip == Side::Plain ? points.back().x : toBox.centreX();
    if (edge.labelWidth)
      result.label = {(firstX + lastX - edge.labelWidth) / 2,
                      wire.trackY - edge.labelHeight - 3, edge.labelWidth,
                      edge.labelHeight};
  } else {
    for (uint32_t i = 0; i < wire.numHops; ++i) {
      uint32_t track = hopTracks[wire.row][wire.firstHop + i];
      if (track == none)
        continue;
      const Layered::Hop &hop = row.graph.hops[wire.firstHop + i];
      bool last = i + 1 == wire.numHops;
      turn(trackX(row.graph.vertices[hop.to].layer, track),
           last ? entryY(row, wire) : lineY(row, hop.to));
    }
    if (wire.labelVertex != none) {
      const Layered::Vertex &vertex = row.graph.vertices[wire.labelVertex];
      result.label = {columnX[vertex.layer] - edge.labelWidth / 2,
                      lineY(row, wire.labelVertex) - edge.labelHeight - 3,
                      edge.labelWidth, edge.labelHeight};
    }
  }
  if (wire.target.tip != Side::Plain) {
    bool top = wire.target.tip == Side::Top;
    points.push_back({toBox.centreX(), y});
    points.push_back({toBox.centreX(), top ? toBox.y : toBox.bottom()});
  } else {
    points.push_back(border(toNode, y, /*rightSide=*/false));
  }
  simplify(points);
}
