//===- BpmnPlacement.cpp - Room for what is new in a drawing --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BpmnPlacement.h"
#include <algorithm>
#include <cmath>

using namespace cif;

static Bounds grown(const Bounds &b, double by) {
  return {b.x - by, b.y - by, b.width + 2 * by, b.height + 2 * by};
}

/// The box around a part of a line.
static Bounds boxOf(const Place2D &a, const Place2D &b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x),
          std::abs(a.y - b.y)};
}

Bounds cif::placeNear(const Bounds &wanted, ArrayRef<Bounds> shapes,
                      ArrayRef<std::pair<Place2D, Place2D>> lines,
                      const std::optional<Bounds> &around) {
  const double step = 20, gap = 20;
  const int most = 60;
  auto costOf = [&](const Bounds &at) -> double {
    if (around && !around->contains(grown(at, 10)))
      return -1;
    Bounds wide = grown(at, gap);
    for (const Bounds &shape : shapes)
      if (shape.overlaps(wide) && !shape.contains(at))
        return -1;
    // What is drawn in a container is no place for what is not in it.
    for (const Bounds &shape : shapes)
      if (shape.contains(at) && !shape.contains(wanted) &&
          (!around || !shape.contains(*around)))
        return -1;
    double cost = std::hypot(at.x - wanted.x, at.y - wanted.y);
    for (const auto &[a, b] : lines)
      if (boxOf(a, b).overlaps(grown(at, 5)))
        cost += 150;
    return cost;
  };
  Bounds best = wanted;
  double least = -1;
  for (int i = -most; i <= most; ++i)
    for (int j = -most; j <= most; ++j) {
      Bounds at = wanted;
      at.x += i * step;
      at.y += j * step;
      // No better, whatever stands there.
      if (least >= 0 && std::hypot(i * step, j * step) >= least)
        continue;
      double cost = costOf(at);
      if (cost >= 0 && (least < 0 || cost < least)) {
        least = cost;
        best = at;
      }
    }
  if (least < 0 && around)
    return placeNear(wanted, shapes, lines, std::nullopt);
  if (least < 0)
    for (const Bounds &shape : shapes) // below everything
      best.y = std::max(best.y, shape.bottom() + gap);
  return best;
}

namespace {
/// Where a line meets a shape, and how it goes on from there.
struct Side {
  Place2D at;
  bool isLevel; ///< it leaves to the left or to the right
  double sign;  ///< to the right, or down
};
} // namespace

static std::vector<Side> sidesOf(const Bounds &b) {
  return {{{b.right(), b.centreY()}, true, 1},
          {{b.x, b.centreY()}, true, -1},
          {{b.centreX(), b.bottom()}, false, 1},
          {{b.centreX(), b.y}, false, -1}};
}

std::vector<Place2D> cif::routeBetween(const Bounds &from, const Bounds &to,
                                       ArrayRef<Bounds> shapes) {
  const double stub = 20;
  std::vector<Place2D> best;
  double least = 0;
  auto consider = [&](const std::vector<Place2D> &points) {
    double cost = 40 * static_cast<double>(points.size());
    for (size_t i = 1; i < points.size(); ++i) {
      Bounds part = boxOf(points[i - 1], points[i]);
      cost += part.width + part.height;
      Bounds line = grown(part, 4);
      for (const Bounds &shape : shapes) {
        if (shape.contains(from) || shape.contains(to))
          continue;
        if (shape.overlaps(line))
          cost += 2000;
      }
      // Its own ends are left for good.
      for (const Bounds &end : {from, to})
        if (grown(end, -4).overlaps(line))
          cost += 2000;
    }
    if (best.empty() || cost < least) {
      least = cost;
      best = points;
    }
  };
  for (const Side &a : sidesOf(from))
    for (const Side &b : sidesOf(to)) {
      auto out = [&](const Side &s) -> Place2D {
        return {s.at.x + (s.isLevel ? s.sign * stub : 0),
                s.at.y + (s.isLevel ? 0 : s.sign * stub)};
      };
      Place2D p = out(a), q = out(b);
      if (a.isLevel != b.isLevel) // one corner
        consider({a.at,
                  a.isLevel ? Place2D{b.at.x, a.at.y} : Place2D{a.at.x, b.at.y},
                  b.at});
      if (a.isLevel && b.isLevel && a.at.y == b.at.y)
        consider({a.at, b.at});
      if (!a.isLevel && !b.isLevel && a.at.x == b.at.x)
        consider({a.at, b.at});
      for (double x : {(p.x + q.x) / 2, p.x, q.x}) // by way of a column
        if (a.isLevel && b.isLevel)
          consider({a.at, {x, a.at.y}, {x, b.at.y}, b.at});
      for (double y : {(p.y + q.y) / 2, p.y, q.y}) // or of a row
        if (!a.isLevel && !b.isLevel)
          consider({a.at, {a.at.x, y}, {b.at.x, y}, b.at});
      consider({a.at, p, {p.x, q.y}, q, b.at});
      consider({a.at, p, {q.x, p.y}, q, b.at});
    }
  // Points on one line are one too many.
  std::vector<Place2D> points;
  for (size_t i = 0; i < best.size(); ++i) {
    bool isBetween =
        i > 0 && i + 1 < best.size() &&
        ((points.back().x == best[i].x && best[i].x == best[i + 1].x) ||
         (points.back().y == best[i].y && best[i].y == best[i + 1].y));
    if (!isBetween)
      points.push_back(best[i]);
  }
  return points;
}
