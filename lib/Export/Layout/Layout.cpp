//===- Layout.cpp - Layered drawing of nested graphs ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Draws containers from the inside out, a level at a time, then moves each
/// level to where its container is. No recursion: containers may nest as deeply
/// as memory holds. Near-linear in nodes and edges; see the steps' files.
///
//===----------------------------------------------------------------------===//

#include "LayoutLevel.h"
#include <algorithm>
#include <memory>

using namespace cif;
using namespace cif::layout;

/// Fills CSR arrays: \p keyOf gives each of \p count items its bucket or none.
template <class KeyOf>
static void bucket(uint32_t numBuckets, uint32_t count, KeyOf keyOf,
                   std::vector<uint32_t> &begin, std::vector<uint32_t> &list) {
  begin.assign(numBuckets + 1, 0);
  for (uint32_t i = 0; i < count; ++i)
    if (uint32_t key = keyOf(i); key != none)
      ++begin[key + 1];
  for (uint32_t b = 0; b < numBuckets; ++b)
    begin[b + 1] += begin[b];
  list.resize(begin[numBuckets]);
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (uint32_t i = 0; i < count; ++i)
    if (uint32_t key = keyOf(i); key != none)
      list[next[key]++] = i;
}

/// What is in a container moves with it; rows are at the level's corner.
static void moveContents(Whole &whole, ArrayRef<uint32_t> holders) {
  const Graph &graph = whole.graph;
  Drawing &drawing = whole.drawing;
  const uint32_t top = graph.nodes.size();
  for (uint32_t holder : holders) {
    if (holder == top || graph.nodes[holder].isRow)
      continue;
    Point by{drawing.boxes[holder].x, drawing.boxes[holder].y};
    for (uint32_t n : whole.children(holder)) {
      drawing.boxes[n].x += by.x;
      drawing.boxes[n].y += by.y;
      for (uint32_t a : whole.attached(n)) {
        drawing.boxes[a].x += by.x;
        drawing.boxes[a].y += by.y;
      }
    }
    for (uint32_t e : whole.edges(holder)) {
      for (Point &p : drawing.routes[e].points) {
        p.x += by.x;
        p.y += by.y;
      }
      drawing.routes[e].label.x += by.x;
      drawing.routes[e].label.y += by.y;
    }
  }
  for (auto &path : whole.paths)
    for (Whole::PathPoint &p : path)
      if (p.holder != top && !graph.nodes[p.holder].isRow) {
        p.point.x += drawing.boxes[p.holder].x;
        p.point.y += drawing.boxes[p.holder].y;
      }
}

Drawing cif::layout::draw(const Graph &graph, Budget *budget) {
  const uint32_t count = graph.nodes.size(), top = count;
  Drawing drawing;
  drawing.boxes.resize(count);
  drawing.routes.resize(graph.edges.size());
  drawing.links.resize(graph.links.size());
  Whole whole{graph, drawing, budget};
  whole.local.assign(count, none);
  auto holderOf = [&](uint32_t n) {
    uint32_t parent = graph.nodes[whole.host(n)].parent;
    return parent == none ? top : parent;
  };
  bucket(
      count + 1, count,
      [&](uint32_t n) {
        return graph.nodes[n].attachedTo == none ? holderOf(n) : none;
      },
      whole.childBegin, whole.childList);
  bucket(
      count, count, [&](uint32_t n) { return graph.nodes[n].attachedTo; },
      whole.attachedBegin, whole.attachedList);
  bucket(
      count + 1, graph.edges.size(),
      [&](uint32_t e) {
        assert(holderOf(graph.edges[e].source) ==
                   holderOf(graph.edges[e].target) &&
               "an edge stays within its container");
        return holderOf(graph.edges[e].source);
      },
      whole.edgeBegin, whole.edgeList);

  whole.startLinks();

  // Containers from the outside in.
  std::vector<uint32_t> order{top};
  for (size_t i = 0; i < order.size(); ++i)
    for (uint32_t n : whole.children(order[i]))
      if (graph.nodes[n].isContainer || graph.nodes[n].isRow)
        order.push_back(n);

  for (uint32_t n = 0; n < count; ++n) {
    drawing.boxes[n].width = graph.nodes[n].width;
    drawing.boxes[n].height = graph.nodes[n].height;
  }
  ArrayRef<uint32_t> topNodes = whole.children(top);
  const bool hasRows = !topNodes.empty() && graph.nodes[topNodes[0]].isRow;
  std::unique_ptr<Level> last; // in the end, the one of the top level
  for (uint32_t holder : llvm::reverse(order)) {
    if (holder != top && graph.nodes[holder].isRow)
      continue;
    const bool rows = holder == top && hasRows;
    Level &level = *(last = std::make_unique<Level>(
                         whole, rows ? topNodes : ArrayRef(holder)));
    level.run();
    if (isStopped(budget))
      return drawing;
    if (holder == top) {
      drawing.width = level.width;
      drawing.height = level.height;
    } else {
      Box &box = drawing.boxes[holder];
      box.width = std::max(box.width, level.width);
      box.height = std::max(box.height, level.height);
    }
    if (rows)
      for (size_t r = 0; r < topNodes.size(); ++r)
        drawing.boxes[topNodes[r]] = {0, level.rowTop[r], level.width,
                                      level.rowHeight[r]};
  }

  moveContents(whole, order);
  last->routeLinks();
  return drawing;
}
