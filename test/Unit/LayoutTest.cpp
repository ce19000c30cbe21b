//===- LayoutTest.cpp - What every drawing promises -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Export/Layout/Layout.h"
#include <ctime>
#include <gtest/gtest.h>
#include <random>

using namespace cif;
using namespace cif::layout;

namespace {
bool overlap(const Box &a, const Box &b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() &&
         b.y < a.bottom();
}

bool inside(const Box &inner, const Box &outer) {
  return inner.x >= outer.x && inner.right() <= outer.right() &&
         inner.y >= outer.y && inner.bottom() <= outer.bottom();
}

/// Whether the segment goes through the box (touching its border is allowed).
bool through(Point a, Point b, const Box &box) {
  Box segment{std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x),
              std::abs(a.y - b.y)};
  return segment.x < box.right() && box.x < segment.right() + 1 &&
         segment.y < box.bottom() && box.y < segment.bottom() + 1 &&
         !(segment.right() <= box.x || segment.bottom() <= box.y ||
           segment.x >= box.right() || segment.y >= box.bottom());
}

bool touches(Point p, const Box &box) {
  return p.x >= box.x && p.x <= box.right() && p.y >= box.y &&
         p.y <= box.bottom();
}

/// What is wrong with a drawing, or empty.
std::string fault(const Graph &graph, const Drawing &drawing) {
  auto text = [](auto... parts) {
    std::string result;
    ((result += parts, result += ' '), ...);
    return result;
  };
  uint32_t count = graph.nodes.size();
  auto host = [&](uint32_t n) {
    return graph.nodes[n].attachedTo == none ? n : graph.nodes[n].attachedTo;
  };
  auto holds = [&](uint32_t container, uint32_t n) {
    for (n = host(n); n != none; n = graph.nodes[n].parent)
      if (n == container)
        return true;
    return false;
  };
  for (uint32_t a = 0; a < count; ++a) {
    if (drawing.boxes[a].width < graph.nodes[a].width ||
        drawing.boxes[a].height < graph.nodes[a].height)
      return text("node", std::to_string(a), "is too small");
    uint32_t parent = graph.nodes[host(a)].parent;
    if (parent != none && !inside(drawing.boxes[a], drawing.boxes[parent]))
      return text("node", std::to_string(a), "leaves its container");
    for (uint32_t b = 0; b < a; ++b)
      if (!holds(a, b) && !holds(b, a) && host(a) != b && host(b) != a &&
          overlap(drawing.boxes[a], drawing.boxes[b]))
        return text("nodes", std::to_string(a), std::to_string(b), "overlap");
  }
  std::vector<Box> labels;
  for (size_t e = 0; e < graph.edges.size(); ++e) {
    const Edge &edge = graph.edges[e];
    const Route &route = drawing.routes[e];
    std::string name = "edge " + std::to_string(e);
    if (route.points.size() < 2)
      return name + " has no route";
    if (!touches(route.points.front(), drawing.boxes[edge.source]) ||
        !touches(route.points.back(), drawing.boxes[edge.target]))
      return name + " does not reach its ends";
    for (size_t i = 0; i + 1 < route.points.size(); ++i) {
      Point a = route.points[i], b = route.points[i + 1];
      if (a.x != b.x && a.y != b.y)
        return name + " is not orthogonal";
      for (uint32_t n = 0; n < count; ++n)
        if (!holds(n, edge.source) && through(a, b, drawing.boxes[n]) &&
            host(n) != host(edge.source) && n != edge.target)
          return text(name, "goes through node", std::to_string(n));
    }
    if (edge.labelWidth) {
      if (route.label.width != edge.labelWidth)
        return name + " lost its label";
      for (uint32_t n = 0; n < count; ++n)
        if (!holds(n, edge.source) && overlap(route.label, drawing.boxes[n]))
          return text("label of", name, "covers node", std::to_string(n));
    }
  }
  for (size_t l = 0; l < graph.links.size(); ++l) {
    const Link &link = graph.links[l];
    const std::vector<Point> &points = drawing.links[l].points;
    std::string name = "link " + std::to_string(l);
    if (points.size() < 2 ||
        !touches(points.front(), drawing.boxes[link.source]) ||
        !touches(points.back(), drawing.boxes[link.target]))
      return name + " does not reach its ends";
    for (size_t i = 0; i + 1 < points.size(); ++i) {
      if (points[i].x != points[i + 1].x && points[i].y != points[i + 1].y)
        return name + " is not orthogonal";
      for (uint32_t n = 0; n < count; ++n)
        if (!graph.nodes[n].isRow && !holds(n, link.source) &&
            !holds(n, link.target) && host(n) != host(link.source) &&
            host(n) != host(link.target) &&
            through(points[i], points[i + 1], drawing.boxes[n]))
          return text(name, "goes through node", std::to_string(n));
    }
  }
  return "";
}

/// A graph with containers, attached nodes, labels, loops and self loops.
Graph randomGraph(std::mt19937 &random, uint32_t size, unsigned density) {
  Graph graph;
  for (uint32_t n = 0; n < size; ++n) {
    Node node;
    switch (random() % 6) {
    case 0:
      node.width = node.height = 36;
      node.docking = Docking::Middle;
      node.outside.bottom = random() % 30;
      break;
    case 1:
    case 2:
      node.width = node.height = 50;
      node.docking = Docking::Tips;
      node.outside = {Coord(random() % 60), Coord(random() % 30), 0, 0};
      break;
    default:
      node.width = 80 + random() % 80;
      node.height = 60 + random() % 60;
      node.outside = {0, Coord(random() % 50), 0, Coord(random() % 50)};
    }
    if (n && random() % 3 == 0) {
      uint32_t parent = random() % n;
      if (graph.nodes[parent].attachedTo == none &&
          graph.nodes[parent].docking == Docking::Sides) {
        graph.nodes[parent].isContainer = true;
        graph.nodes[parent].inside = {20, 40, 20, 20};
        node.parent = parent;
      }
    }
    if (n && random() % 8 == 0) {
      uint32_t to = random() % n;
      if (graph.nodes[to].attachedTo == none &&
          graph.nodes[to].docking == Docking::Sides) {
        node = Node();
        node.width = node.height = 36;
        node.docking = Docking::Middle;
        node.parent = graph.nodes[to].parent;
        node.attachedTo = to;
        node.outside = {Coord(random() % 40), 0, 0, Coord(random() % 20)};
      }
    }
    graph.nodes.push_back(node);
  }
  for (uint32_t i = 0; i < size * density / 4; ++i) {
    uint32_t a = random() % size, b = random() % size;
    if (graph.nodes[a].parent != graph.nodes[b].parent ||
        graph.nodes[b].attachedTo != none)
      continue;
    Edge edge{a, b};
    if (random() % 4 == 0)
      edge.labelWidth = 20 + random() % 80, edge.labelHeight = 14;
    graph.edges.push_back(edge);
  }
  return graph;
}
} // namespace

TEST(Layout, KeepsItsPromisesOnRandomGraphs) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    Graph graph = randomGraph(random, 1 + random() % 40, 1 + random() % 9);
    std::string what = fault(graph, draw(graph));
    ASSERT_EQ(what, "") << "graph " << i;
  }
}

/// Rows with a graph in each, and links between nodes of different rows.
static Graph randomRows(std::mt19937 &random) {
  Graph graph;
  uint32_t rows = 2 + random() % 4;
  for (uint32_t r = 0; r < rows; ++r) {
    Node row{300, 60};
    row.isRow = true;
    row.inside = {50, 20, 20, 20};
    graph.nodes.push_back(row);
  }
  std::vector<uint32_t> rowOf;
  for (uint32_t r = 0; r < rows; ++r) {
    Graph inner = randomGraph(random, random() % 15, 1 + random() % 5);
    uint32_t base = graph.nodes.size();
    for (Node node : inner.nodes) {
      node.parent = node.parent == none ? r : node.parent + base;
      if (node.attachedTo != none)
        node.attachedTo += base;
      graph.nodes.push_back(node);
      rowOf.push_back(r);
    }
    for (Edge edge : inner.edges) {
      edge.source += base, edge.target += base;
      graph.edges.push_back(edge);
    }
  }
  uint32_t inRows = graph.nodes.size() - rows;
  for (uint32_t i = 0; inRows && i < inRows / 2; ++i) {
    uint32_t a = random() % inRows, b = random() % inRows;
    if (rowOf[a] == rowOf[b])
      continue;
    // Containers hold what the link might cross; only leaves have links here.
    Link link{a + rows, b + rows};
    if (random() % 5 == 0)
      link.target = rowOf[b];
    if (random() % 2)
      link.labelWidth = 60, link.labelHeight = 15;
    graph.links.push_back(link);
  }
  return graph;
}

TEST(Layout, LinksMeetNoShapes) {
  std::mt19937 random(11);
  for (int i = 0; i < 1000; ++i) {
    Graph graph = randomRows(random);
    std::string what = fault(graph, draw(graph));
    ASSERT_EQ(what, "") << "graph " << i;
  }
}

TEST(Layout, TheChecksSeeFaults) {
  std::mt19937 random(12);
  Graph graph = randomRows(random);
  Drawing drawing = draw(graph);
  ASSERT_EQ(fault(graph, drawing), "");
  Drawing moved = drawing;
  moved.boxes.back() = moved.boxes[graph.nodes.size() - 2];
  EXPECT_NE(fault(graph, moved), "");
  for (size_t e = 0; e < graph.edges.size(); ++e)
    for (Point &p : drawing.routes[e].points)
      p.y += 300;
  EXPECT_NE(fault(graph, drawing), "");
}

TEST(Layout, SameGraphSameDrawing) {
  std::mt19937 random(8);
  Graph graph = randomGraph(random, 200, 6);
  Drawing a = draw(graph), b = draw(graph);
  EXPECT_EQ(a.boxes, b.boxes);
  for (size_t e = 0; e < graph.edges.size(); ++e)
    EXPECT_EQ(a.routes[e].points, b.routes[e].points);
}

/// How often the edges at \p upper and those at \p lower cross when one layer
/// is drawn as it is, and \p upper stands above \p lower in the other.
static unsigned crossings(const Graph &graph, const Drawing &drawing,
                          uint32_t upper, uint32_t lower) {
  auto others = [&](uint32_t n) {
    std::vector<Coord> found;
    for (const Edge &edge : graph.edges)
      if (edge.source == n || edge.target == n)
        found.push_back(
            drawing.boxes[edge.source == n ? edge.target : edge.source].y);
    return found;
  };
  unsigned found = 0;
  for (Coord a : others(upper))
    for (Coord b : others(lower))
      found += a > b;
  return found;
}

/// Barycentres alone leave some that do.
TEST(Layout, NoNeighboursCrossLessInTheOtherOrder) {
  std::mt19937 random(13);
  for (int i = 0; i < 200; ++i) {
    Graph graph;
    const uint32_t size = 5;
    for (uint32_t n = 0; n < 2 * size; ++n)
      graph.nodes.push_back({100, 60});
    for (uint32_t n = 0; n < size; ++n)
      for (uint32_t to = 0; to < size; ++to)
        if (n == to || random() % 3 == 0) // all of the second layer is reached
          graph.edges.push_back({n, size + to});
    Drawing drawing = draw(graph);
    for (uint32_t first : {0u, size}) {
      std::vector<uint32_t> layer;
      for (uint32_t n = first; n < first + size; ++n)
        layer.push_back(n);
      llvm::sort(layer, [&](uint32_t a, uint32_t b) {
        return drawing.boxes[a].y < drawing.boxes[b].y;
      });
      for (uint32_t n = 0; n + 1 < size; ++n)
        EXPECT_LE(crossings(graph, drawing, layer[n], layer[n + 1]),
                  crossings(graph, drawing, layer[n + 1], layer[n]))
            << "graph " << i;
    }
  }
}

TEST(Layout, AChainIsAStraightLine) {
  Graph graph;
  for (uint32_t n = 0; n < 5; ++n) {
    graph.nodes.push_back({100, Coord(n % 2 ? 80 : 60)});
    if (n)
      graph.edges.push_back({n - 1, n});
  }
  Drawing drawing = draw(graph);
  for (const Route &route : drawing.routes)
    EXPECT_EQ(route.points.size(), 2u);
}

/// Processor time, which does not depend on who else uses the machine.
static double seconds(const Graph &graph) {
  std::clock_t start = std::clock();
  draw(graph);
  return double(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Sanitizers and builds without optimisation take longer.
static double slack() {
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
  return 20;
#else
  return 1;
#endif
}

TEST(Layout, TenThousandNodesInASecond) {
  std::mt19937 random(9);
  Graph graph;
  for (uint32_t n = 0; n < 10000; ++n) {
    graph.nodes.push_back({100, 80});
    // A tree with some joins and loops, as diagrams are.
    if (n)
      graph.edges.push_back({n - 1 - uint32_t(random() % std::min(n, 20u)), n});
    if (n % 5 == 4)
      graph.edges.push_back({n, n - uint32_t(random() % 5)});
  }
  EXPECT_LT(seconds(graph), slack());
}

TEST(Layout, ManyLongEdgesStayLinear) {
  Graph graph;
  for (uint32_t n = 0; n < 10000; ++n) {
    graph.nodes.push_back({100, 80});
    if (n)
      graph.edges.push_back({n - 1, n});
    graph.edges.push_back({n, 0});
    if (n + 1 < 10000)
      graph.edges.push_back({n, 9999});
  }
  EXPECT_LT(seconds(graph), slack());
}

TEST(Layout, DeepNestingNeedsNoStack) {
  Graph graph;
  for (uint32_t n = 0; n < 100000; ++n) {
    Node node{100, 80};
    node.isContainer = true;
    node.inside = {10, 10, 10, 10};
    node.parent = n ? n - 1 : none;
    graph.nodes.push_back(node);
  }
  Drawing drawing = draw(graph);
  EXPECT_EQ(drawing.boxes[0].width, 100 + 99999 * 20);
  EXPECT_LT(seconds(graph), slack());
}
