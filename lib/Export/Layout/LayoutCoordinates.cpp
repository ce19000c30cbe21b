//===- LayoutCoordinates.cpp - Coordinates within layers ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: [brandeskoepf], Alg. 1 (type 1 conflicts), Alg. 2 (alignment)
/// and the balancing of its section 4.3. Differs from the paper: vertices have
/// sizes; blocks are compacted by a longest path over the graph of blocks and a
/// pull back towards their successors, both iterative, instead of Alg. 3, whose
/// recursion is as deep as the drawing and whose shifts need the authors'
/// erratum. Linear time.
///
//===----------------------------------------------------------------------===//

#include "LayoutDetail.h"
#include <algorithm>

using namespace cif;
using namespace cif::layout;

namespace {
class Placer {
public:
  Placer(Layered &graph, Budget *budget) : graph(graph), budget(budget) {}
  Coord run();

private:
  void markConflicts();
  void align(bool fromLeft, bool fromTop);
  void compact(bool fromTop, std::vector<Coord> &y);

  Layered &graph;
  Budget *budget;
  std::vector<uint8_t> conflict;    ///< per hop
  std::vector<uint32_t> root, next; ///< blocks, as rings
  std::vector<uint32_t> neighbours; ///< hops of one vertex, sorted
};
} // namespace

/// A hop between two vertices that edges only pass is "inner". Where an inner
/// hop crosses another one, the other one must not be made straight.
void Placer::markConflicts() {
  conflict.resize(graph.hops.size());
  for (size_t h = 0; h < graph.hops.size(); ++h)
    conflict[h] = graph.hops[h].loose;
  auto isInner = [&](const Layered::Hop &hop) {
    return graph.vertices[hop.from].node == none &&
           graph.vertices[hop.to].node == none;
  };
  for (size_t l = 1; l < graph.layers.size(); ++l) {
    const std::vector<uint32_t> &layer = graph.layers[l];
    int64_t low = -1;
    size_t done = 0;
    for (size_t i = 0; i < layer.size(); ++i) {
      int64_t high = -1;
      for (uint32_t h : graph.in(layer[i]))
        if (isInner(graph.hops[h]))
          high = graph.vertices[graph.hops[h].from].position;
      if (high < 0) {
        if (i + 1 != layer.size())
          continue;
        high = graph.layers[l - 1].size();
      }
      for (; done <= i; ++done)
        for (uint32_t h : graph.in(layer[done])) {
          const Layered::Hop &hop = graph.hops[h];
          int64_t from = graph.vertices[hop.from].position;
          if ((from < low || from > high) && !isInner(hop))
            conflict[h] = 1;
        }
      low = high;
    }
  }
}

void Placer::align(bool fromLeft, bool fromTop) {
  size_t n = graph.vertices.size();
  root.resize(n);
  next.resize(n);
  for (uint32_t v = 0; v < n; ++v)
    root[v] = next[v] = v;
  size_t count = graph.layers.size();
  for (size_t i = 1; i < count; ++i) {
    const std::vector<uint32_t> &layer =
        graph.layers[fromLeft ? i : count - 1 - i];
    if (spend(budget, 4 * layer.size()))
      return;
    int64_t limit = fromTop ? -1 : int64_t(1) << 40;
    for (size_t j = 0; j < layer.size(); ++j) {
      uint32_t v = layer[fromTop ? j : layer.size() - 1 - j];
      ArrayRef<uint32_t> hops = fromLeft ? graph.in(v) : graph.out(v);
      if (hops.empty())
        continue;
      auto other = [&](uint32_t h) {
        return fromLeft ? graph.hops[h].from : graph.hops[h].to;
      };
      neighbours.assign(hops.begin(), hops.end());
      llvm::stable_sort(neighbours, [&](uint32_t a, uint32_t b) {
        return graph.vertices[other(a)].position <
               graph.vertices[other(b)].position;
      });
      size_t low = (neighbours.size() - 1) / 2, high = neighbours.size() / 2;
      for (size_t m : {fromTop ? low : high, fromTop ? high : low}) {
        uint32_t h = neighbours[m], u = other(h);
        int64_t position = graph.vertices[u].position;
        if (next[v] != v || conflict[h] ||
            (fromTop ? position <= limit : position >= limit))
          continue;
        next[u] = v;
        root[v] = root[u];
        next[v] = root[v];
        limit = position;
      }
    }
  }
}

void Placer::compact(bool fromTop, std::vector<Coord> &y) {
  // Blocks follow each other where their vertices do within a layer. From the
  // bottom the picture is mirrored: orders reversed, coordinates negated.
  size_t n = graph.vertices.size();
  struct Step {
    uint32_t from, to;
    Coord distance;
  };
  std::vector<Step> steps;
  steps.reserve(n);
  for (const auto &layer : graph.layers)
    for (size_t i = 0; i + 1 < layer.size(); ++i) {
      Coord distance = graph.separation(layer[i], layer[i + 1]);
      uint32_t a = root[layer[i]], b = root[layer[i + 1]];
      steps.push_back(fromTop ? Step{a, b, distance} : Step{b, a, distance});
    }
  std::vector<uint32_t> begin(n + 1), sorted(steps.size()), waiting(n);
  for (const Step &step : steps)
    ++begin[step.from + 1], ++waiting[step.to];
  for (size_t v = 0; v < n; ++v)
    begin[v + 1] += begin[v];
  std::vector<uint32_t> fill(begin.begin(), begin.end() - 1), order;
  for (uint32_t i = 0; i < steps.size(); ++i)
    sorted[fill[steps[i].from]++] = i;
  order.reserve(n);
  for (uint32_t v = 0; v < n; ++v)
    if (root[v] == v && !waiting[v])
      order.push_back(v);
  std::vector<Coord> at(n);
  for (size_t i = 0; i < order.size(); ++i)
    for (uint32_t s = begin[order[i]]; s < begin[order[i] + 1]; ++s) {
      const Step &step = steps[sorted[s]];
      at[step.to] = std::max(at[step.to], at[step.from] + step.distance);
      if (!--waiting[step.to])
        order.push_back(step.to);
    }
  for (uint32_t v : llvm::reverse(order)) {
    Coord most = INT64_MAX;
    for (uint32_t s = begin[v]; s < begin[v + 1]; ++s) {
      const Step &step = steps[sorted[s]];
      most = std::min(most, at[step.to] - step.distance);
    }
    if (most != INT64_MAX)
      at[v] = std::max(at[v], most);
  }
  y.resize(n);
  for (uint32_t v = 0; v < n; ++v)
    y[v] = fromTop ? at[root[v]] : -at[root[v]];
}

Coord Placer::run() {
  size_t n = graph.vertices.size();
  if (!n)
    return 0;
  markConflicts();
  std::vector<Coord> candidates[4];
  Coord low[4], high[4];
  unsigned narrowest = 0;
  for (unsigned c = 0; c < 4; ++c) {
    bool fromLeft = c < 2, fromTop = c % 2 == 0;
    align(fromLeft, fromTop);
    // Compacting takes about as long.
    if (spend(budget, 4 * n))
      return 0;
    compact(fromTop, candidates[c]);
    low[c] = INT64_MAX, high[c] = INT64_MIN;
    for (size_t v = 0; v < n; ++v) {
      low[c] = std::min(low[c], candidates[c][v] - graph.vertices[v].up);
      high[c] = std::max(high[c], candidates[c][v] + graph.vertices[v].down);
    }
    if (high[c] - low[c] < high[narrowest] - low[narrowest])
      narrowest = c;
  }
  Coord shift[4];
  for (unsigned c = 0; c < 4; ++c)
    shift[c] = c % 2 == 0 ? low[narrowest] - low[c] : high[narrowest] - high[c];
  Coord top = INT64_MAX, bottom = INT64_MIN;
  for (size_t v = 0; v < n; ++v) {
    Coord at[4];
    for (unsigned c = 0; c < 4; ++c)
      at[c] = candidates[c][v] + shift[c];
    std::sort(at, at + 4);
    Layered::Vertex &vertex = graph.vertices[v];
    // Rounding down keeps distances: the sums of neighbours differ by twice
    // their separation at least.
    vertex.y = (at[1] + at[2]) >> 1;
    top = std::min(top, vertex.y - vertex.up);
    bottom = std::max(bottom, vertex.y + vertex.down);
  }
  for (Layered::Vertex &vertex : graph.vertices)
    vertex.y -= top;
  return bottom - top;
}

Coord cif::layout::placeVertices(Layered &graph, Budget *budget) {
  return Placer(graph, budget).run();
}
