//===- DiagramGiven.cpp - Diagrams as their source draws them -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A diagram keeps the source's drawing where that has a place for everything:
/// each node is drawn where its element is; nodes that were made explicit when
/// the file was read (an implicit merge, say) share the element of another one
/// and are not drawn. Otherwise the whole diagram is laid out anew.
///
//===----------------------------------------------------------------------===//

#include "Diagram.h"
#include "llvm/ADT/DenseMap.h"

using namespace cif;
using layout::Box;
using layout::Coord;
using layout::Point;
using layout::Route;

/// Whether a node can stand for something that BPMN leaves implicit.
static bool canBeImplicit(NodeKind kind) {
  return isGateway(kind) || kind == NodeKind::Initial ||
         kind == NodeKind::Final;
}

/// In the middle of the longest part of \p route.
static Box labelBox(const Route &route, Coord width, Coord height) {
  Coord longest = -1;
  Box box{0, 0, width, height};
  for (size_t i = 1; i < route.points.size(); ++i) {
    const Point &a = route.points[i - 1], &b = route.points[i];
    Coord length = std::abs(a.x - b.x) + std::abs(a.y - b.y);
    if (length <= longest)
      continue;
    longest = length;
    box.x = (a.x + b.x) / 2 - width / 2;
    box.y = (a.y + b.y) / 2 - (a.y == b.y ? height + 4 : height / 2);
  }
  return box;
}

static Box boxOf(const DiagramLayout::Bounds &bounds) {
  return {bounds.x, bounds.y, bounds.width, bounds.height};
}

/// Finds what the source draws beside the model: all of it where the diagram is
/// the only one, else what is drawn within it.
void Diagram::findDecorations(const Box &within) {
  std::vector<StringRef> order;
  for (const auto &entry : given->decorations)
    order.push_back(entry.first());
  llvm::sort(order); // a map has none
  for (StringRef id : order) {
    const DiagramLayout::Decoration &given_ = given->decorations.at(id);
    DrawnDecoration drawn{id, given_.kind, given_.text, {}, {}, {}};
    Box extent;
    if (auto found = given->bounds.find(id); found != given->bounds.end())
      extent = drawn.box = boxOf(found->second);
    if (auto found = given->waypoints.find(id);
        found != given->waypoints.end() && found->second.size() > 1) {
      for (const DiagramLayout::Point &p : found->second)
        drawn.points.push_back({p.x, p.y});
      extent = {drawn.points[0].x, drawn.points[0].y, 1, 1};
    }
    if (!extent.width)
      continue;
    bool isNear =
        extent.x < within.right() + 300 && extent.right() > within.x - 300 &&
        extent.y < within.bottom() + 300 && extent.bottom() > within.y - 300;
    if (!isNear)
      continue;
    if (auto label = given->labels.find(id); label != given->labels.end())
      drawn.label = boxOf(label->second);
    decorations.push_back(std::move(drawn));
  }
}

bool Diagram::takeGiven() {
  auto boundsOf = [&](Name element) -> const DiagramLayout::Bounds * {
    if (element.empty())
      return nullptr;
    auto found = given->bounds.find(module.text(element));
    return found == given->bounds.end() ? nullptr : &found->second;
  };
  layout::Drawing result;
  result.boxes.resize(shapes.size());
  // Which shape an element's drawing is: the node that is no gateway, else the
  // first.
  llvm::DenseMap<uint32_t, uint32_t> shapeOfElement;
  auto elementOf = [&](uint32_t s) -> Name {
    const Shape &shape = shapes[s];
    if (shape.node)
      return module.behaviours[shape.behaviour].node(shape.node).loc.element;
    ParticipantId p = pools[s].participant;
    return p ? module.participant(p).loc.element : Name();
  };
  auto kindOf = [&](uint32_t s) {
    return module.behaviours[shapes[s].behaviour].node(shapes[s].node).kind;
  };
  // What is in a collapsed activity is not drawn.
  std::vector<bool> isInside(shapes.size());
  for (uint32_t s = 0; s < shapes.size(); ++s) {
    uint32_t parent = graph.nodes[s].parent;
    if (parent == layout::none || graph.nodes[parent].isRow)
      continue;
    if (parent > s)
      return false;
    isInside[s] = isInside[parent] ||
                  given->collapsed.count(module.text(elementOf(parent)));
    shapes[parent].isCollapsed |= isInside[s] && !isInside[parent];
  }
  for (uint32_t s = 0; s < shapes.size(); ++s) {
    Name element = elementOf(s);
    if (isInside[s])
      continue;
    if (!boundsOf(element))
      return false;
    auto [entry, isNew] = shapeOfElement.try_emplace(element.index(), s);
    if (isNew)
      continue;
    uint32_t first = entry->second;
    if (!shapes[s].node || !shapes[first].node)
      return false;
    if (canBeImplicit(kindOf(first)) && !canBeImplicit(kindOf(s)))
      entry->second = s;
    else if (!canBeImplicit(kindOf(s)))
      return false; // a task with a send and a receive, an unrolled loop
  }
  bool anyHidden = false;
  for (uint32_t s = 0; s < shapes.size(); ++s) {
    Box &box = result.boxes[s];
    if (isInside[s]) {
      const Box &around = result.boxes[graph.nodes[s].parent];
      box = {around.centreX(), around.centreY(), 0, 0};
      anyHidden = true;
      continue;
    }
    const DiagramLayout::Bounds &at = *boundsOf(elementOf(s));
    box = {at.x, at.y, at.width, at.height};
    if (shapeOfElement.lookup(elementOf(s).index()) != s) {
      box = {box.centreX(), box.centreY(), 0, 0};
      anyHidden = true;
    }
  }
  auto route = [&](Name element, uint32_t source, uint32_t target, Coord width,
                   Coord height) {
    Route line;
    const Box &from = result.boxes[source], &to = result.boxes[target];
    auto found = element.empty() ? given->waypoints.end()
                                 : given->waypoints.find(module.text(element));
    if (found != given->waypoints.end() && found->second.size() > 1)
      for (const DiagramLayout::Point &p : found->second)
        line.points.push_back({p.x, p.y});
    else if (from.width && to.width)
      line.points = {{from.centreX(), from.centreY()},
                     {to.centreX(), to.centreY()}};
    if (width && !line.points.empty())
      line.label = labelBox(line, width, height);
    if (auto label = given->labels.find(module.text(element));
        width && label != given->labels.end())
      line.label = boxOf(label->second);
    return line;
  };
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    const layout::Edge &edge = graph.edges[e];
    const Flow &flow =
        module.behaviours[lines[e].behaviour].flow(lines[e].flow);
    // What a pair of link events means is not drawn.
    auto isLink = [&](NodeId n, StringRef word) {
      Name element = module.behaviours[lines[e].behaviour].node(n).loc.element;
      auto found = given->types.find(module.text(element));
      return found != given->types.end() && found->second == word;
    };
    if (isLink(flow.source, "linkThrow") && isLink(flow.target, "linkCatch")) {
      result.routes.emplace_back();
      continue;
    }
    result.routes.push_back(route(flow.loc.element, edge.source, edge.target,
                                  edge.labelWidth, edge.labelHeight));
  }
  for (uint32_t l = 0; l < graph.links.size(); ++l) {
    const layout::Link &link = graph.links[l];
    result.links.push_back(route(messageFlows[l].loc.element, link.source,
                                 link.target, link.labelWidth,
                                 link.labelHeight));
  }

  // The flow that an implicit node splits off shares its element with others.
  llvm::DenseMap<uint32_t, uint32_t> drawnFlow;
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    const Flow &flow =
        module.behaviours[lines[e].behaviour].flow(lines[e].flow);
    if (!flow.loc.element.empty() &&
        !drawnFlow.try_emplace(flow.loc.element.index(), e).second)
      result.routes[e].points.clear();
  }

  // The drawing begins at the origin, with room for what stands outside.
  Coord left = 0, top = 0, right = 0, bottom = 0;
  bool first = true;
  auto cover = [&](Coord x1, Coord y1, Coord x2, Coord y2) {
    left = first ? x1 : std::min(left, x1);
    top = first ? y1 : std::min(top, y1);
    right = first ? x2 : std::max(right, x2);
    bottom = first ? y2 : std::max(bottom, y2);
    first = false;
  };
  for (uint32_t s = 0; s < shapes.size(); ++s) {
    const Box &box = result.boxes[s];
    const layout::Sides &room = graph.nodes[s].outside;
    if (box.width)
      cover(box.x - room.left, box.y - room.top, box.right() + room.right,
            box.bottom() + room.bottom);
  }
  for (auto *routes : {&result.routes, &result.links})
    for (const Route &r : *routes)
      for (const Point &p : r.points)
        cover(p.x, p.y, p.x, p.y);
  findDecorations({left, top, right - left, bottom - top});
  for (uint32_t s = 0; s < shapes.size(); ++s) {
    auto label = given->labels.find(module.text(elementOf(s)));
    if (!shapes[s].textOutside || label == given->labels.end() ||
        !result.boxes[s].width)
      continue;
    shapes[s].hasGivenText = true;
    shapes[s].textBox = boxOf(label->second);
  }
  auto coverBox = [&](const Box &box) {
    if (box.width)
      cover(box.x, box.y, box.right(), box.bottom());
  };
  for (const DrawnDecoration &d : decorations) {
    coverBox(d.box);
    coverBox(d.label);
    for (const Point &p : d.points)
      cover(p.x, p.y, p.x, p.y);
  }
  for (const Shape &shape : shapes)
    if (shape.hasGivenText)
      coverBox(shape.textBox);
  for (Shape &shape : shapes)
    shape.textBox.x -= left, shape.textBox.y -= top;
  for (DrawnDecoration &d : decorations) {
    for (Box *box : {&d.box, &d.label})
      box->x -= left, box->y -= top;
    for (Point &p : d.points)
      p.x -= left, p.y -= top;
  }
  for (Box &box : result.boxes)
    box.x -= left, box.y -= top;
  for (auto *routes : {&result.routes, &result.links})
    for (Route &r : *routes) {
      for (Point &p : r.points)
        p.x -= left, p.y -= top;
      r.label.x -= left, r.label.y -= top;
    }
  result.width = right - left;
  result.height = bottom - top;
  // Names are broken anew to the given widths; envelopes are drawn where the
  // source draws them.
  for (uint32_t s = 0; s < shapes.size(); ++s) {
    Shape &shape = shapes[s];
    uint8_t shown = given->envelopes.lookup(module.text(elementOf(s)));
    if (!(shown & 1))
      shape.envelope.lines.clear();
    if (!(shown & 2))
      shape.replyEnvelope.lines.clear();
    if (shape.node && !shape.textOutside && result.boxes[s].width)
      shape.text = textBlock(
          module.text(module.behaviours[shape.behaviour].node(shape.node).name),
          std::max<Coord>(20, result.boxes[s].width - 10), 8);
  }
  drawing = std::move(result);
  hides = anyHidden;
  return true;
}
