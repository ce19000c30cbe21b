//===- LayoutOrder.cpp - Crossing reduction -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Implements: the barycentre sweeps of [sugiyama]; crossings are counted with
/// an accumulator tree [barthmutzel]. Each sweep is O(h log h) in the number of
/// hops; the number of sweeps is fixed, and the best order seen is kept.
///
//===----------------------------------------------------------------------===//

#include "LayoutDetail.h"
#include <algorithm>

using namespace cif;
using namespace cif::layout;

void Layered::index() {
  uint32_t n = vertices.size();
  outBegin.assign(n + 1, 0);
  inBegin.assign(n + 1, 0);
  for (const Hop &hop : hops)
    ++outBegin[hop.from + 1], ++inBegin[hop.to + 1];
  for (uint32_t v = 0; v < n; ++v)
    outBegin[v + 1] += outBegin[v], inBegin[v + 1] += inBegin[v];
  outHops.resize(hops.size());
  inHops.resize(hops.size());
  std::vector<uint32_t> nextOut(outBegin.begin(), outBegin.end() - 1);
  std::vector<uint32_t> nextIn(inBegin.begin(), inBegin.end() - 1);
  for (uint32_t h = 0; h < hops.size(); ++h) {
    outHops[nextOut[hops[h].from]++] = h;
    inHops[nextIn[hops[h].to]++] = h;
  }
}

Coord Layered::separation(uint32_t above, uint32_t below) const {
  const Vertex &a = vertices[above], &b = vertices[below];
  bool real = a.node != none, alsoReal = b.node != none;
  Coord gap = real && alsoReal ? 30 : real || alsoReal ? 20 : 12;
  return a.down + gap + b.up;
}

namespace {
class Orderer {
public:
  Orderer(Layered &graph, Budget *budget) : graph(graph), budget(budget) {}
  void run();

private:
  void firstOrder();
  void sortBy(std::vector<uint32_t> &layer, bool fromLeft);
  uint64_t crossings();
  uint64_t crossings(ArrayRef<uint32_t> layer);
  bool transpose(std::vector<uint32_t> &layer);
  int64_t swapGain(uint32_t above, uint32_t below);
  void renumber(ArrayRef<uint32_t> layer) {
    for (uint32_t i = 0; i < layer.size(); ++i)
      graph.vertices[layer[i]].position = i;
  }

  Layered &graph;
  Budget *budget;
  std::vector<std::pair<int64_t, uint32_t>> keyed;
  std::vector<uint32_t> tree, targets, first, second;
};
} // namespace

/// Depth first from the leftmost vertices: what belongs together stays
/// together.
void Orderer::firstOrder() {
  std::vector<std::vector<uint32_t>> layers(graph.layers.size());
  std::vector<uint8_t> seen(graph.vertices.size());
  std::vector<uint32_t> stack;
  auto visit = [&](uint32_t root) {
    if (seen[root])
      return;
    seen[root] = 1;
    stack.push_back(root);
    while (!stack.empty()) {
      uint32_t v = stack.back();
      stack.pop_back();
      layers[graph.vertices[v].layer].push_back(v);
      for (uint32_t h : llvm::reverse(graph.out(v)))
        if (uint32_t to = graph.hops[h].to; !seen[to]) {
          seen[to] = 1;
          stack.push_back(to);
        }
    }
  };
  for (uint32_t v = 0; v < graph.vertices.size(); ++v)
    if (graph.in(v).empty())
      visit(v);
  for (const auto &layer : graph.layers)
    for (uint32_t v : layer)
      visit(v);
  graph.layers = std::move(layers);
  for (const auto &layer : graph.layers)
    renumber(layer);
}

void Orderer::sortBy(std::vector<uint32_t> &layer, bool fromLeft) {
  keyed.clear();
  for (uint32_t v : layer) {
    ArrayRef<uint32_t> hops = fromLeft ? graph.in(v) : graph.out(v);
    int64_t key = int64_t(graph.vertices[v].position) << 16;
    if (!hops.empty()) {
      int64_t sum = 0;
      for (uint32_t h : hops) {
        const Layered::Hop &hop = graph.hops[h];
        sum += graph.vertices[fromLeft ? hop.from : hop.to].position;
      }
      key = (sum << 16) / int64_t(hops.size());
    }
    keyed.push_back({key, v});
  }
  std::stable_sort(
      keyed.begin(), keyed.end(),
      [](const auto &a, const auto &b) { return a.first < b.first; });
  for (size_t i = 0; i < layer.size(); ++i)
    layer[i] = keyed[i].second;
  renumber(layer);
}

/// Crossings between \p layer and the next one.
uint64_t Orderer::crossings(ArrayRef<uint32_t> layer) {
  targets.clear();
  uint32_t last = 0;
  for (uint32_t v : layer) {
    size_t begin = targets.size();
    for (uint32_t h : graph.out(v))
      targets.push_back(graph.vertices[graph.hops[h].to].position);
    std::sort(targets.begin() + begin, targets.end());
    if (targets.size() > begin)
      last = std::max(last, targets.back());
  }
  tree.assign(last + 2, 0);
  uint64_t count = 0, inserted = 0;
  for (uint32_t t : targets) {
    uint64_t notAfter = 0;
    for (uint32_t i = t + 1; i; i -= i & -i)
      notAfter += tree[i];
    count += inserted++ - notAfter;
    for (uint32_t i = t + 1; i < tree.size(); i += i & -i)
      ++tree[i];
  }
  return count;
}

uint64_t Orderer::crossings() {
  uint64_t count = 0;
  for (const auto &layer : graph.layers) {
    if (spend(budget, 4 * layer.size()))
      break;
    count += crossings(layer);
  }
  return count;
}

/// How many crossings go when two neighbours change places (may be negative).
int64_t Orderer::swapGain(uint32_t above, uint32_t below) {
  auto gain = [&](bool outgoing) {
    auto collect = [&](uint32_t v, std::vector<uint32_t> &into) {
      into.clear();
      for (uint32_t h : outgoing ? graph.out(v) : graph.in(v)) {
        const Layered::Hop &hop = graph.hops[h];
        into.push_back(graph.vertices[outgoing ? hop.to : hop.from].position);
      }
      llvm::sort(into);
    };
    collect(above, first);
    collect(below, second);
    // Pairs (a, b) with a > b cross now; pairs with a < b would.
    int64_t now = 0, then = 0;
    for (uint32_t a : first)
      now += llvm::lower_bound(second, a) - second.begin();
    for (uint32_t b : second)
      then += llvm::lower_bound(first, b) - first.begin();
    return now - then;
  };
  return gain(true) + gain(false);
}

bool Orderer::transpose(std::vector<uint32_t> &layer) {
  bool changed = false;
  for (size_t i = 0; i + 1 < layer.size(); ++i) {
    if (swapGain(layer[i], layer[i + 1]) <= 0)
      continue;
    std::swap(layer[i], layer[i + 1]);
    graph.vertices[layer[i]].position = i;
    graph.vertices[layer[i + 1]].position = i + 1;
    changed = true;
  }
  return changed;
}

void Orderer::run() {
  firstOrder();
  uint64_t best = crossings();
  std::vector<std::vector<uint32_t>> bestLayers = graph.layers;
  const bool small = graph.vertices.size() <= 4000;
  const unsigned sweeps = small ? 24 : graph.vertices.size() <= 40000 ? 8 : 4;
  unsigned useless = 0;
  for (unsigned sweep = 0; best && sweep < sweeps && useless < 4; ++sweep) {
    bool fromLeft = sweep % 2 == 0;
    size_t count = graph.layers.size();
    for (size_t i = 1; i < count; ++i) {
      auto &layer = graph.layers[fromLeft ? i : count - 1 - i];
      if (spend(budget, 4 * layer.size()))
        return;
      sortBy(layer, fromLeft);
    }
    if (small)
      for (unsigned round = 0; round < 4; ++round) {
        bool changed = false;
        for (auto &layer : graph.layers) {
          if (spend(budget, 8 * layer.size()))
            return;
          changed |= transpose(layer);
        }
        if (!changed)
          break;
      }
    uint64_t now = crossings();
    ++useless;
    if (now < best) {
      best = now;
      bestLayers = graph.layers;
      useless = 0;
    }
  }
  graph.layers = std::move(bestLayers);
  for (const auto &layer : graph.layers)
    renumber(layer);
}

void cif::layout::orderLayers(Layered &graph, Budget *budget) {
  Orderer(graph, budget).run();
}
