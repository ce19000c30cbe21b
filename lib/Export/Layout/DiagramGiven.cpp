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
#include "llvm/ADT/DenseSet.h"

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

namespace {
/// A drawing of the source in the making.
class GivenDrawing {
public:
  GivenDrawing(Diagram &diagram, const Module &module,
               const DiagramLayout &given)
      : diagram(diagram), module(module), given(given) {
    drawing.boxes.resize(diagram.shapes.size());
  }

  /// Finds the shape of each element; false: the source has no place for all.
  bool findShapes() { return findInside() && findElements(); }
  void drawShapes();
  void drawLines();
  /// What is drawn so far, with room for what stands outside of shapes.
  const Box &coverAll();
  /// Takes the places of names from the source.
  void placeNames();
  /// Moves everything so that the drawing begins at the origin.
  void moveToOrigin();
  void breakNames();

  layout::Drawing drawing;
  bool hides = false;

private:
  bool findInside();
  bool findElements();
  Route route(Name element, uint32_t source, uint32_t target, Coord width,
              Coord height) const;
  bool isLinkFlow(const Behaviour &behaviour, const Flow &flow) const;
  void cover(const Box &box);
  void cover(const Point &p) { cover({p.x, p.y, 0, 0}); }

  const Behaviour &behaviourOf(uint32_t s) const {
    return module.behaviours[diagram.shapes[s].behaviour];
  }
  NodeKind kindOf(uint32_t s) const {
    return behaviourOf(s).node(diagram.shapes[s].node).kind;
  }
  Name elementOf(uint32_t s) const {
    if (NodeId node = diagram.shapes[s].node)
      return behaviourOf(s).node(node).loc.element;
    ParticipantId p = diagram.pools[s].participant;
    return p ? module.participant(p).loc.element : Name();
  }
  const DiagramLayout::Bounds *boundsOf(Name element) const {
    if (element.empty())
      return nullptr;
    auto found = given.bounds.find(module.text(element));
    return found == given.bounds.end() ? nullptr : &found->second;
  }
  const Flow &flowOf(uint32_t e) const {
    const Line &line = diagram.lines[e];
    return module.behaviours[line.behaviour].flow(line.flow);
  }

  Diagram &diagram;
  const Module &module;
  const DiagramLayout &given;
  /// Which shape an element's drawing is: the node that is no gateway, else the
  /// first.
  llvm::DenseMap<uint32_t, uint32_t> shapeOfElement;
  std::vector<bool> isInside; ///< a collapsed activity
  bool isEmpty = true;
  Box extent;
};
} // namespace

/// What is in a collapsed activity is not drawn.
bool GivenDrawing::findInside() {
  const layout::Graph &graph = diagram.graph;
  isInside.resize(diagram.shapes.size());
  for (uint32_t s = 0; s < isInside.size(); ++s) {
    uint32_t parent = graph.nodes[s].parent;
    if (parent == layout::none || graph.nodes[parent].isRow)
      continue;
    if (parent > s)
      return false;
    isInside[s] = isInside[parent] ||
                  given.collapsed.count(module.text(elementOf(parent)));
    diagram.shapes[parent].isCollapsed |= isInside[s] && !isInside[parent];
  }
  return true;
}

bool GivenDrawing::findElements() {
  for (uint32_t s = 0; s < diagram.shapes.size(); ++s) {
    Name element = elementOf(s);
    if (isInside[s])
      continue;
    if (!boundsOf(element))
      return false;
    auto [entry, isNew] = shapeOfElement.try_emplace(element.index(), s);
    if (isNew)
      continue;
    uint32_t first = entry->second;
    if (!diagram.shapes[s].node || !diagram.shapes[first].node)
      return false;
    if (canBeImplicit(kindOf(first)) && !canBeImplicit(kindOf(s)))
      entry->second = s;
    else if (!canBeImplicit(kindOf(s)))
      return false; // a task with a send and a receive, an unrolled loop
  }
  return true;
}

void GivenDrawing::drawShapes() {
  for (uint32_t s = 0; s < diagram.shapes.size(); ++s) {
    Box &box = drawing.boxes[s];
    const bool isHidden =
        isInside[s] || shapeOfElement.lookup(elementOf(s).index()) != s;
    box = isInside[s] ? drawing.boxes[diagram.graph.nodes[s].parent]
                      : boxOf(*boundsOf(elementOf(s)));
    if (isHidden)
      box = {box.centreX(), box.centreY(), 0, 0};
    hides |= isHidden;
  }
}

Route GivenDrawing::route(Name element, uint32_t source, uint32_t target,
                          Coord width, Coord height) const {
  Route line;
  const Box &from = drawing.boxes[source], &to = drawing.boxes[target];
  auto found = element.empty() ? given.waypoints.end()
                               : given.waypoints.find(module.text(element));
  if (found != given.waypoints.end() && found->second.size() > 1)
    for (const DiagramLayout::Point &p : found->second)
      line.points.push_back({p.x, p.y});
  else if (from.width && to.width)
    line.points = {{from.centreX(), from.centreY()},
                   {to.centreX(), to.centreY()}};
  if (width && !line.points.empty())
    line.label = labelBox(line, width, height);
  if (auto label = given.labels.find(module.text(element));
      width && label != given.labels.end())
    line.label = boxOf(label->second);
  return line;
}

/// What a pair of link events means is not drawn.
bool GivenDrawing::isLinkFlow(const Behaviour &behaviour,
                              const Flow &flow) const {
  auto isLink = [&](NodeId n, StringRef word) {
    auto found = given.types.find(module.text(behaviour.node(n).loc.element));
    return found != given.types.end() && found->second == word;
  };
  return isLink(flow.source, "linkThrow") && isLink(flow.target, "linkCatch");
}

void GivenDrawing::drawLines() {
  const layout::Graph &graph = diagram.graph;
  // The flow that an implicit node splits off shares its element with others,
  // of which the first is drawn.
  llvm::DenseSet<uint32_t> drawn;
  for (uint32_t e = 0; e < graph.edges.size(); ++e) {
    const layout::Edge &edge = graph.edges[e];
    const Flow &flow = flowOf(e);
    Route &line = drawing.routes.emplace_back();
    if (!isLinkFlow(module.behaviours[diagram.lines[e].behaviour], flow))
      line = route(flow.loc.element, edge.source, edge.target, edge.labelWidth,
                   edge.labelHeight);
    if (!flow.loc.element.empty() &&
        !drawn.insert(flow.loc.element.index()).second)
      line.points.clear();
  }
  for (uint32_t l = 0; l < graph.links.size(); ++l) {
    const layout::Link &link = graph.links[l];
    drawing.links.push_back(route(diagram.messageFlows[l].loc.element,
                                  link.source, link.target, link.labelWidth,
                                  link.labelHeight));
  }
}

void GivenDrawing::cover(const Box &box) {
  if (isEmpty) {
    extent = box;
    isEmpty = false;
    return;
  }
  Coord right = std::max(extent.right(), box.right());
  Coord bottom = std::max(extent.bottom(), box.bottom());
  extent.x = std::min(extent.x, box.x);
  extent.y = std::min(extent.y, box.y);
  extent.width = right - extent.x;
  extent.height = bottom - extent.y;
}

const Box &GivenDrawing::coverAll() {
  for (uint32_t s = 0; s < diagram.shapes.size(); ++s) {
    const Box &box = drawing.boxes[s];
    const layout::Sides &room = diagram.graph.nodes[s].outside;
    if (box.width)
      cover({box.x - room.left, box.y - room.top,
             box.width + room.left + room.right,
             box.height + room.top + room.bottom});
  }
  for (auto *routes : {&drawing.routes, &drawing.links})
    for (const Route &r : *routes)
      for (const Point &p : r.points)
        cover(p);
  return extent;
}

void GivenDrawing::placeNames() {
  for (uint32_t s = 0; s < diagram.shapes.size(); ++s) {
    Shape &shape = diagram.shapes[s];
    auto label = given.labels.find(module.text(elementOf(s)));
    if (!shape.textOutside || label == given.labels.end() ||
        !drawing.boxes[s].width)
      continue;
    shape.hasGivenText = true;
    shape.textBox = boxOf(label->second);
  }
}

void GivenDrawing::moveToOrigin() {
  for (const DrawnDecoration &d : diagram.decorations) {
    for (const Box *box : {&d.box, &d.label})
      if (box->width)
        cover(*box);
    for (const Point &p : d.points)
      cover(p);
  }
  for (const Shape &shape : diagram.shapes)
    if (shape.hasGivenText && shape.textBox.width)
      cover(shape.textBox);
  auto move = [&](auto &what) { what.x -= extent.x, what.y -= extent.y; };
  for (Shape &shape : diagram.shapes)
    move(shape.textBox);
  for (DrawnDecoration &d : diagram.decorations) {
    move(d.box);
    move(d.label);
    for (Point &p : d.points)
      move(p);
  }
  for (Box &box : drawing.boxes)
    move(box);
  for (auto *routes : {&drawing.routes, &drawing.links})
    for (Route &r : *routes) {
      for (Point &p : r.points)
        move(p);
      move(r.label);
    }
  drawing.width = extent.width;
  drawing.height = extent.height;
}

/// Names are broken anew to the given widths; envelopes are drawn where the
/// source draws them.
void GivenDrawing::breakNames() {
  for (uint32_t s = 0; s < diagram.shapes.size(); ++s) {
    Shape &shape = diagram.shapes[s];
    uint8_t shown = given.envelopes.lookup(module.text(elementOf(s)));
    if (!(shown & 1))
      shape.envelope.lines.clear();
    if (!(shown & 2))
      shape.replyEnvelope.lines.clear();
    if (shape.node && !shape.textOutside && drawing.boxes[s].width)
      shape.text =
          textBlock(module.text(behaviourOf(s).node(shape.node).name),
                    std::max<Coord>(20, drawing.boxes[s].width - 10), 8);
  }
}

bool Diagram::takeGiven() {
  GivenDrawing made(*this, module, *given);
  if (!made.findShapes())
    return false;
  made.drawShapes();
  made.drawLines();
  findDecorations(made.coverAll());
  made.placeNames();
  made.moveToOrigin();
  made.breakNames();
  drawing = std::move(made.drawing);
  hides = made.hides;
  return true;
}
