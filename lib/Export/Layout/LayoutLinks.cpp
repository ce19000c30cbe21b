//===- LayoutLinks.cpp - Links between rows -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A link (message flow) leaves its node towards the row of its other end. At
/// each level up to the row it goes straight to the border when nothing of its
/// column is in the way, else beside its node into the next channel and there
/// to the border. Between rows it runs in a track of the gap; rows in between
/// are passed in a channel, which all rows share. So a link meets no shape
/// either.
///
//===----------------------------------------------------------------------===//

#include "LayoutLevel.h"
#include <algorithm>

using namespace cif;
using namespace cif::layout;

void Whole::startLinks() {
  rowOf.assign(graph.nodes.size(), none);
  exits.resize(graph.nodes.size() + 1);
  paths.resize(2 * graph.links.size());
  auto row = [&](uint32_t n) {
    while (!graph.nodes[n].isRow && graph.nodes[host(n)].parent != none)
      n = graph.nodes[host(n)].parent;
    return n;
  };
  uint32_t count = 0;
  for (uint32_t n : children(graph.nodes.size()))
    rowOf[n] = count++;
  for (uint32_t l = 0; l < graph.links.size(); ++l) {
    const Link &link = graph.links[l];
    uint32_t from = rowOf[row(link.source)], to = rowOf[row(link.target)];
    for (bool target : {false, true}) {
      uint32_t n = target ? link.target : link.source;
      if (graph.nodes[n].isRow || from == to)
        continue;
      Exit exit{.end = 2 * l + target,
                .node = host(n),
                .up = target ? from < to : to < from};
      exit.from = n;
      exits[graph.nodes[exit.node].parent].push_back(exit);
    }
  }
}

std::vector<std::pair<uint32_t, uint32_t>> Level::levelLinks() const {
  std::vector<std::pair<uint32_t, uint32_t>> result;
  if (holders.size() < 2)
    return result;
  // Every end that is not a row's border has an exit at this level.
  std::vector<uint32_t> member(2 * graph.links.size(), none);
  for (uint32_t holder : holders)
    for (const Exit &exit : whole.exits[holder])
      member[exit.end] = whole.local[exit.node];
  for (uint32_t l = 0; l < graph.links.size(); ++l)
    if (member[2 * l] != none && member[2 * l + 1] != none)
      result.push_back({member[2 * l], member[2 * l + 1]});
  return result;
}

/// The exits of a node; they are sorted when a row is made.
ArrayRef<Exit> Level::exitsOf(const Row &row, uint32_t n) const {
  const std::vector<Exit> &exits = whole.exits[row.holder];
  auto begin = llvm::partition_point(
      exits, [&](const Exit &exit) { return exit.node < n; });
  auto end = begin;
  while (end != exits.end() && end->node == n)
    ++end;
  return ArrayRef(exits).slice(begin - exits.begin(), end - begin);
}

/// Decides how the exits of a row leave, and keeps the room for it. Comes
/// between the order within layers and the coordinates.
void Level::planExits(Row &row) {
  std::vector<Exit> &exits = whole.exits[row.holder];
  Layered &layered = row.graph;
  for (size_t i = 0; i < exits.size();) {
    size_t end = i + 1;
    while (end < exits.size() && exits[end].node == exits[i].node &&
           exits[end].up == exits[i].up)
      ++end;
    uint32_t v = whole.local[exits[i].node] - row.first;
    Layered::Vertex &vertex = layered.vertices[v];
    bool up = exits[i].up;
    bool isLast =
        up ? vertex.position == 0
           : vertex.position + 1 == layered.layers[vertex.layer].size();
    Coord width = drawing.boxes[exits[i].node].width;
    Coord step = std::min<Coord>(14, (width - 8) / Coord(end - i));
    for (size_t k = i; k < end; ++k) {
      Exit &exit = exits[k];
      bool attached =
          graph.nodes[exit.from].attachedTo != none && exit.from != exit.node;
      if (!attached && exit.dx < 0)
        exit.dx =
            width / 2 + (2 * Coord(k - i) - Coord(end - i - 1)) * step / 2;
      exit.direct = isLast && !(attached && up);
      exit.layer = vertex.layer;
      exit.below = !up || attached;
      if (exit.direct)
        continue;
      Coord &room = exit.below ? vertex.down : vertex.up;
      // The first one leaves room for an arrow head.
      room += k == i ? 2 * trackGap : trackGap;
      exit.lane = room - trackGap / 2;
    }
    i = end;
  }
}

/// The slots that a link runs between in the gaps; see planGaps.
static uint32_t slotOf(const Exit &exit) {
  return exit.direct ? 2 * exit.layer + 1 : 2 * exit.layer + 2;
}

/// Nodes above and below each other whose links go elsewhere: their pieces in
/// the gap would be on one line, so the lower ones move aside.
void Level::separateStubs() {
  for (uint32_t r = 0; r + 1 < rows.size(); ++r) {
    std::vector<std::pair<uint32_t, uint32_t>> above; // layer, link
    for (const Exit &exit : whole.exits[holders[r]])
      if (exit.direct && !exit.up)
        above.push_back({exit.layer, exit.end / 2});
    llvm::sort(above);
    for (Exit &exit : whole.exits[holders[r + 1]]) {
      if (!exit.direct || !exit.up)
        continue;
      auto first = llvm::lower_bound(above, std::pair(exit.layer, 0u));
      bool some = first != above.end() && first->first == exit.layer;
      if (some &&
          !std::binary_search(above.begin(), above.end(),
                              std::pair(exit.layer, exit.end / 2)) &&
          exit.node == exit.from && whole.paths[exit.end].empty())
        exit.dx = std::min(exit.dx + 8, drawing.boxes[exit.node].width - 4);
    }
  }
}

/// Plans the way of each link between rows, and adds what it takes of each gap
/// to \p pieces.
void Level::planLinks(ArrayRef<const Exit *> exitOf,
                      MutableArrayRef<std::vector<GapPiece>> pieces) {
  auto rowOfEnd = [&](uint32_t end) {
    const Link &link = graph.links[end / 2];
    uint32_t n = end % 2 ? link.target : link.source;
    while (!graph.nodes[n].isRow)
      n = graph.nodes[whole.host(n)].parent;
    return whole.rowOf[n];
  };
  plans.clear();
  Coord borderX = 0;
  for (uint32_t l = 0; l < graph.links.size(); ++l) {
    LinkPlan plan{.link = l};
    uint32_t a = rowOfEnd(2 * l), b = rowOfEnd(2 * l + 1);
    if (a == b)
      continue;
    plan.upper = a < b ? 2 * l : 2 * l + 1;
    plan.lower = a < b ? 2 * l + 1 : 2 * l;
    plan.upperRow = std::min(a, b);
    plan.lowerRow = std::max(a, b);
    const Exit *upper = exitOf[plan.upper], *lower = exitOf[plan.lower];
    uint32_t from, to;
    if (upper || lower) {
      from = slotOf(upper ? *upper : *lower);
      to = slotOf(lower ? *lower : *upper);
    } else {
      from = to = 1;
      plan.borderX = borderX;
      borderX += 40;
    }
    if (plan.upperRow + 1 == plan.lowerRow) {
      pieces[plan.upperRow].push_back(
          {uint32_t(plans.size()), false, from, to});
    } else {
      // Past the rows in between in a channel at the lower end, on the side
      // that the link comes from.
      uint32_t channel = to % 2 == 0 ? to / 2 : from < to ? to / 2 : to / 2 + 1;
      plan.channel = std::min(channel, numLayers);
      uint32_t slot = 2 * plan.channel;
      pieces[plan.upperRow].push_back(
          {uint32_t(plans.size()), false, from, slot});
      pieces[plan.lowerRow - 1].push_back(
          {uint32_t(plans.size()), true, slot, to});
    }
    plans.push_back(plan);
  }
}

/// Gives the pieces in the gap below row \p r their tracks.
void Level::planTracks(uint32_t r, std::vector<GapPiece> &pieces,
                       ArrayRef<const Exit *> exitOf) {
  // As in channels, turned by a quarter.
  llvm::stable_sort(pieces, [](const GapPiece &a, const GapPiece &b) {
    bool right = a.from < a.to, alsoRight = b.from < b.to;
    if (right != alsoRight)
      return right;
    return right ? a.from > b.from : a.from < b.from;
  });
  std::vector<Interval> intervals;
  for (const GapPiece &piece : pieces) {
    Coord low = std::min(piece.from, piece.to);
    Coord high = std::max(piece.from, piece.to);
    bool labelled = graph.links[plans[piece.plan].link].labelWidth;
    intervals.push_back({low, labelled ? std::max(high, low + 2) : high});
  }
  std::vector<uint32_t> tracks = assignTracks(intervals);
  std::vector<Coord> labels;
  for (size_t i = 0; i < tracks.size(); ++i) {
    if (tracks[i] >= labels.size())
      labels.resize(tracks[i] + 1);
    const LinkPlan &plan = plans[pieces[i].plan];
    if (!pieces[i].second || !exitOf[plan.upper])
      labels[tracks[i]] =
          std::max(labels[tracks[i]], graph.links[plan.link].labelHeight);
  }
  Coord y = 14;
  std::vector<Coord> at;
  for (Coord label : labels) {
    y += label ? label + 2 : 0;
    at.push_back(y);
    y += trackGap;
  }
  for (size_t i = 0; i < tracks.size(); ++i) {
    LinkPlan &plan = plans[pieces[i].plan];
    (pieces[i].second ? plan.secondY : plan.firstY) = at[tracks[i]];
  }
  gapHeight[r] = std::max<Coord>(30, y + 8);
}

/// Gives each link its tracks in the gaps between rows.
void Level::planGaps() {
  gapHeight.assign(rows.size(), 30);
  if (rows.size() < 2)
    return;
  std::vector<const Exit *> exitOf(2 * graph.links.size());
  for (uint32_t holder : holders)
    for (const Exit &exit : whole.exits[holder])
      exitOf[exit.end] = &exit;
  std::vector<std::vector<GapPiece>> pieces(rows.size());
  planLinks(exitOf, pieces);
  separateStubs();
  for (uint32_t r = 0; r + 1 < rows.size(); ++r)
    planTracks(r, pieces[r], exitOf);
}

void Level::addLinkVerticals() {
  for (uint32_t r = 0; r < rows.size(); ++r)
    for (Exit &exit : whole.exits[holders[r]])
      if (!exit.direct) {
        Coord line = lineY(rows[r], whole.local[exit.node] - rows[r].first);
        channels[exit.layer + 1].push_back(
            {exit.below ? line + exit.lane : line - exit.lane,
             exit.up ? rowTop[r] - (r ? gapHeight[r - 1] : 0)
                     : rowTop[r] + rowHeight[r] + gapHeight[r],
             &exit.track});
      }
  for (LinkPlan &plan : plans)
    if (plan.channel != none)
      channels[plan.channel].push_back({gapY(plan.upperRow, plan.firstY),
                                        gapY(plan.lowerRow - 1, plan.secondY),
                                        &plan.track});
}

/// Draws the exits of the level up to its borders, and hands them on.
void Level::routeExits() {
  for (uint32_t r = 0; r < rows.size(); ++r) {
    std::vector<Exit> exits = std::move(whole.exits[holders[r]]);
    whole.exits[holders[r]].clear();
    for (Exit &exit : exits) {
      std::vector<Whole::PathPoint> &path = whole.paths[exit.end];
      auto add = [&](Coord x, Coord y) {
        path.push_back({holders[r], {x, y}});
      };
      const Box &box = drawing.boxes[exit.node];
      const Box &start = drawing.boxes[exit.from];
      bool attached = exit.from != exit.node &&
                      graph.nodes[exit.from].attachedTo == exit.node;
      Coord x = attached ? start.centreX() + 6 : box.x + exit.dx;
      Coord line = lineY(rows[r], whole.local[exit.node] - rows[r].first);
      if (path.empty())
        add(x, exit.below ? (attached ? start : box).bottom() : box.y);
      if (!exit.direct) {
        Coord y = exit.below ? line + exit.lane : line - exit.lane;
        add(x, y);
        x = trackX(exit.layer + 1, exit.track);
        add(x, y);
      }
      add(x, exit.up ? rowTop[r] : rowTop[r] + rowHeight[r]);
      if (holders.size() == 1 && holders[r] != graph.nodes.size() &&
          !graph.nodes[holders[r]].isRow) {
        Exit outer{.end = exit.end};
        outer.node = outer.from = holders[r];
        outer.up = exit.up;
        outer.dx = x;
        whole.exits[graph.nodes[holders[r]].parent].push_back(outer);
      }
    }
  }
}

/// Joins what routeExits drew, once everything is where it will be.
void Level::routeLinks() {
  for (const LinkPlan &plan : plans) {
    const Link &link = graph.links[plan.link];
    ArrayRef<Whole::PathPoint> upper = whole.paths[plan.upper],
                               lower = whole.paths[plan.lower];
    // Where it leaves the upper row and enters the lower one.
    const bool passes = plan.channel != none;
    Coord between = passes ? trackX(plan.channel, plan.track) : 0;
    Coord from, to;
    if (upper.empty() && lower.empty())
      from = to = passes ? between : left + 20 + plan.borderX;
    else if (upper.empty())
      to = lower.back().point.x, from = passes ? between : to;
    else if (lower.empty())
      from = upper.back().point.x, to = passes ? between : from;
    else
      from = upper.back().point.x, to = lower.back().point.x;
    if (!passes)
      between = to;

    std::vector<Point> points;
    for (const Whole::PathPoint &p : upper)
      points.push_back(p.point);
    points.push_back({from, rowTop[plan.upperRow] + rowHeight[plan.upperRow]});
    Coord y = gapY(plan.upperRow, plan.firstY);
    Coord second = gapY(plan.lowerRow - 1, plan.secondY);
    if (from != between) {
      points.push_back({from, y});
      points.push_back({between, y});
    }
    if (to != between) {
      points.push_back({between, second});
      points.push_back({to, second});
    }
    points.push_back({to, rowTop[plan.lowerRow]});
    for (const Whole::PathPoint &p : llvm::reverse(lower))
      points.push_back(p.point);
    if (plan.upper % 2)
      std::reverse(points.begin(), points.end());
    Route &route = drawing.links[plan.link];
    if (link.labelWidth) {
      // In the first gap that it has a track in.
      bool late = passes && upper.empty();
      Coord a = late ? between : from, b = late ? to : between;
      Coord at = late ? second : y;
      bool narrow = std::abs(a - b) < link.labelWidth;
      route.label = {
          narrow ? std::max(a, b) + 6 : (a + b - link.labelWidth) / 2,
          at - link.labelHeight - 2, link.labelWidth, link.labelHeight};
    }
    simplify(points);
    route.points = std::move(points);
  }
}
