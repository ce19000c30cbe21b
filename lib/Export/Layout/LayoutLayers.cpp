//===- LayoutLayers.cpp - Cycle breaking and layering ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: the first two steps of [sugiyama]: a depth-first search finds
/// the arcs that close cycles, and the longest path from a source gives the
/// layer. Differs from the paper: arcs that close cycles are taken out rather
/// than turned round, because they are routed around the drawing; links between
/// rows (message flows) count as arcs of length 0 where they close no cycle, so
/// that a message is received no further left than it is sent. Linear time.
///
//===----------------------------------------------------------------------===//

#include "LayoutDetail.h"
#include <algorithm>

using namespace cif;
using namespace cif::layout;

namespace {
/// Arcs by source, in their order.
struct Successors {
  std::vector<uint32_t> begin, arc;
  template <class Range, class SourceOf>
  Successors(uint32_t numNodes, const Range &range, SourceOf sourceOf)
      : begin(numNodes + 1), arc(range.size()) {
    for (const auto &a : range)
      ++begin[sourceOf(a) + 1];
    for (uint32_t n = 0; n < numNodes; ++n)
      begin[n + 1] += begin[n];
    std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
    for (uint32_t i = 0; i < range.size(); ++i)
      arc[next[sourceOf(range[i])]++] = i;
  }
  ArrayRef<uint32_t> of(uint32_t node) const {
    return ArrayRef(arc).slice(begin[node], begin[node + 1] - begin[node]);
  }
};
} // namespace

static void breakCycles(uint32_t numNodes, std::vector<Arc> &arcs,
                        const Successors &successors) {
  std::vector<uint32_t> incoming(numNodes);
  for (const Arc &arc : arcs)
    if (arc.source != arc.target)
      ++incoming[arc.target];
  enum : uint8_t { New, Open, Done };
  std::vector<uint8_t> state(numNodes, New);
  struct Frame {
    uint32_t node, next;
  };
  std::vector<Frame> stack;
  auto search = [&](uint32_t root) {
    if (state[root] != New)
      return;
    state[root] = Open;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      Frame &frame = stack.back();
      ArrayRef<uint32_t> out = successors.of(frame.node);
      if (frame.next == out.size()) {
        state[frame.node] = Done;
        stack.pop_back();
        continue;
      }
      Arc &arc = arcs[out[frame.next++]];
      if (state[arc.target] == Open) {
        arc.back = true;
      } else if (state[arc.target] == New) {
        state[arc.target] = Open;
        stack.push_back({arc.target, 0});
      }
    }
  };
  for (uint32_t n = 0; n < numNodes; ++n)
    if (!incoming[n])
      search(n);
  for (uint32_t n = 0; n < numNodes; ++n)
    search(n);
}

/// Moves a node that nothing leads to next to what it leads to.
static void moveSources(ArrayRef<Arc> arcs, const Successors &arcsOf,
                        ArrayRef<std::pair<uint32_t, uint32_t>> links,
                        const Successors &linksOf, ArrayRef<uint8_t> dropped,
                        ArrayRef<uint32_t> order,
                        std::vector<uint32_t> &layer) {
  std::vector<uint8_t> hasIncoming(layer.size());
  for (const Arc &arc : arcs)
    if (!arc.back)
      hasIncoming[arc.target] = 1;
  for (size_t i = 0; i < links.size(); ++i)
    if (!dropped[i])
      hasIncoming[links[i].second] = 1;
  for (uint32_t n : order) {
    if (hasIncoming[n])
      continue;
    uint32_t most = none;
    for (uint32_t i : arcsOf.of(n))
      if (!arcs[i].back)
        most = std::min(most, layer[arcs[i].target] - arcs[i].length);
    for (uint32_t i : linksOf.of(n))
      if (!dropped[i])
        most = std::min(most, layer[links[i].second]);
    if (most != none)
      layer[n] = most;
  }
}

std::vector<uint32_t>
cif::layout::assignLayers(uint32_t numNodes, std::vector<Arc> &arcs,
                          ArrayRef<std::pair<uint32_t, uint32_t>> links) {
  Successors arcsOf(numNodes, arcs, [](const Arc &arc) { return arc.source; });
  Successors linksOf(numNodes, links,
                     [](const auto &link) { return link.first; });
  breakCycles(numNodes, arcs, arcsOf);

  std::vector<uint32_t> layer(numNodes), arcsIn(numNodes), linksIn(numNodes);
  for (const Arc &arc : arcs)
    if (!arc.back)
      ++arcsIn[arc.target];
  for (const auto &link : links)
    if (link.first != link.second)
      ++linksIn[link.second];
  // Nodes go out in topological order of arcs and links. When links close a
  // cycle nothing is ready; then the first node that waits for links alone goes
  // and those links are let go.
  std::vector<uint32_t> order, ready, waiting;
  std::vector<uint8_t> placed(numNodes);
  order.reserve(numNodes);
  auto offer = [&](uint32_t n) {
    if (!placed[n] && !arcsIn[n])
      (linksIn[n] ? waiting : ready).push_back(n);
  };
  for (uint32_t n = 0; n < numNodes; ++n)
    offer(n);
  std::vector<uint8_t> dropped(links.size());
  size_t nextReady = 0, nextWaiting = 0;
  while (order.size() < numNodes) {
    uint32_t n;
    if (nextReady < ready.size()) {
      n = ready[nextReady++];
    } else {
      while (placed[waiting[nextWaiting]])
        ++nextWaiting;
      n = waiting[nextWaiting++];
    }
    if (placed[n])
      continue;
    placed[n] = 1;
    order.push_back(n);
    for (uint32_t i : arcsOf.of(n)) {
      const Arc &arc = arcs[i];
      if (arc.back)
        continue;
      layer[arc.target] = std::max(layer[arc.target], layer[n] + arc.length);
      if (!--arcsIn[arc.target])
        offer(arc.target);
    }
    for (uint32_t i : linksOf.of(n)) {
      uint32_t target = links[i].second;
      if (target == n)
        continue;
      if (placed[target]) {
        dropped[i] = 1;
        continue;
      }
      layer[target] = std::max(layer[target], layer[n]);
      if (!--linksIn[target] && !arcsIn[target])
        ready.push_back(target);
    }
  }
  moveSources(arcs, arcsOf, links, linksOf, dropped, order, layer);
  return layer;
}
