//===- BpmnPatchDrawing.cpp - The drawing of what was changed -------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BpmnPatcher.h"

using namespace cif;
using namespace cif::bpmnpatch;

static std::string number(double value) {
  return std::to_string(static_cast<long>(std::lround(value)));
}

/// Gives a new shape or edge an id that the source has not.
void Patcher::takeDrawingId(xmlNodePtr drawing) {
  std::string own = attribute(drawing, "id"), id = own;
  for (unsigned i = 1; !source.allIds.insert(id).second; ++i)
    id = own + "_" + std::to_string(i);
  if (id != own)
    xmlSetProp(drawing, xml("id"), xml(id));
}

/// What stands in the drawing, bands aside.
std::vector<Bounds> Patcher::shapes() const {
  std::vector<Bounds> all;
  for (const auto &entry : source.drawn)
    if (std::optional<Bounds> b = source.bounds(entry.first()))
      all.push_back(*b);
  // A map has no order, and the answer must have one.
  llvm::sort(all, [](const Bounds &a, const Bounds &b) {
    return std::tie(a.x, a.y, a.width, a.height) <
           std::tie(b.x, b.y, b.width, b.height);
  });
  return all;
}

/// The parts of the lines that are drawn, but for those that will be anew.
std::vector<std::pair<Place2D, Place2D>> Patcher::lines() const {
  std::vector<std::pair<Place2D, Place2D>> all;
  for (const auto &entry : source.drawn) {
    if (llvm::is_contained(rerouted, entry.first()))
      continue;
    std::optional<Place2D> before_;
    forChildren(entry.second, [&](xmlNodePtr c) {
      Place2D p;
      if (!is(c, "waypoint") || StringRef(attribute(c, "x")).getAsDouble(p.x) ||
          StringRef(attribute(c, "y")).getAsDouble(p.y))
        return;
      if (before_)
        all.push_back({*before_, p});
      before_ = p;
    });
  }
  return all;
}

/// What an element is drawn in: its sub-process, or its pool.
std::optional<Bounds> Patcher::boundsAround(const std::string &id) const {
  xmlNodePtr in = source.byId.lookup(id);
  if (!in)
    return std::nullopt;
  std::string parent = attribute(in->parent, "id");
  for (const auto &entry : source.byId)
    if (is(entry.second, "participant") &&
        reference(attribute(entry.second, "processRef")) == parent)
      return source.bounds(entry.first());
  return source.bounds(parent);
}

/// Makes what \p box is the bounds of higher, and moves all that is below it
/// down.
void Patcher::makeRoom(xmlNodePtr plane, const Bounds &box, double height) {
  for (xmlNodePtr n = plane; n; n = next(n, plane)) {
    if (!is(n, "Bounds") && !is(n, "waypoint"))
      continue;
    double y = 0, own = 0;
    if (StringRef(attribute(n, "y")).getAsDouble(y))
      continue;
    (void)StringRef(attribute(n, "height")).getAsDouble(own);
    if (y >= box.bottom() - 1)
      xmlSetProp(n, xml("y"), xml(number(y + height)));
    else if (is(n, "Bounds") && y + own >= box.bottom() - 1) // it, its lanes
      xmlSetProp(n, xml("height"), xml(number(own + height)));
  }
}

/// Draws a new node near the middle of its neighbours, where there is room.
void Patcher::draw(const std::string &id) {
  auto shape = after.drawn.find(id);
  std::optional<Bounds> own = after.bounds(id);
  if (shape == after.drawn.end() || !own || !is(shape->second, "BPMNShape"))
    return;
  double x = 0, y = 0;
  unsigned count = 0;
  xmlNodePtr plane = nullptr;
  for (const std::string &flow : after.order) {
    xmlNodePtr f = after.byId[flow];
    if (!is(f, "sequenceFlow"))
      continue;
    std::string from = attribute(f, "sourceRef"),
                to = attribute(f, "targetRef");
    if (from != id && to != id)
      continue;
    std::string other = from == id ? to : from;
    if (std::optional<Bounds> near = source.bounds(other)) {
      x += near->centreX();
      y += near->centreY();
      ++count;
      plane = source.drawn[other]->parent;
    }
  }
  if (!plane)
    return;
  Bounds wanted = *own;
  wanted.x = x / count - wanted.width / 2;
  wanted.y = y / count - wanted.height / 2;
  // With the envelope of a message above it, and its name.
  const double above = envelopeRoom;
  wanted.y -= above;
  wanted.height += above;
  std::optional<Bounds> around = boundsAround(id);
  Bounds at = placeNear(wanted, shapes(), lines(), around);
  if (around && !around->contains(at)) {
    makeRoom(plane, *around, wanted.height + 40);
    at = placeNear(wanted, shapes(), lines(), boundsAround(id));
  }
  at.y += above;
  at.height -= above;
  auto add = [&](xmlNodePtr node) {
    xmlNodePtr made = copy(node);
    forChildren(made, [&](xmlNodePtr c) {
      if (!is(c, "Bounds"))
        return;
      double dx = 0, dy = 0;
      (void)StringRef(attribute(c, "x")).getAsDouble(dx);
      (void)StringRef(attribute(c, "y")).getAsDouble(dy);
      xmlSetProp(c, xml("x"), xml(number(dx - own->x + at.x)));
      xmlSetProp(c, xml("y"), xml(number(dy - own->y + at.y)));
    });
    takeDrawingId(made);
    place(made, plane);
    return made;
  };
  std::string shapeId = attribute(shape->second, "id");
  source.drawn[id] = add(shape->second);
  std::string madeId = attribute(source.drawn[id], "id");
  for (xmlNodePtr n = after.root; n; n = next(n, after.root))
    if (is(n, "BPMNShape") &&
        attribute(n, "choreographyActivityShape") == shapeId)
      xmlSetProp(add(n), xml("choreographyActivityShape"), xml(madeId));
}

/// Whatever leads to a node or from it is drawn anew.
void Patcher::redraw(const std::string &id) {
  for (const std::string &flow : after.order) {
    xmlNodePtr f = after.byId[flow];
    if ((is(f, "sequenceFlow") || is(f, "messageFlow")) &&
        (attribute(f, "sourceRef") == id || attribute(f, "targetRef") == id) &&
        !llvm::is_contained(rerouted, flow))
      rerouted.push_back(flow);
  }
}

/// Moves a shape, with its label, so that its middle is there.
void Patcher::moveTo(const std::string &id, double x, double y) {
  std::optional<Bounds> own = source.bounds(id);
  if (!own)
    return;
  const double dx = x - own->centreX(), dy = y - own->centreY();
  xmlNodePtr shape = source.drawn.lookup(id);
  for (xmlNodePtr n = shape; n; n = next(n, shape)) {
    if (!is(n, "Bounds"))
      continue;
    double left = 0, top = 0;
    (void)StringRef(attribute(n, "x")).getAsDouble(left);
    (void)StringRef(attribute(n, "y")).getAsDouble(top);
    xmlSetProp(n, xml("x"), xml(number(left + dx)));
    xmlSetProp(n, xml("y"), xml(number(top + dy)));
  }
  redraw(id);
}

/// The size that an element of this kind is drawn in.
static std::pair<double, double> usualSize(StringRef kind) {
  if (kind.ends_with("Event"))
    return {36, 36};
  if (kind.ends_with("Gateway"))
    return {50, 50};
  return {100, 80};
}

/// Gives an element that is of another kind now the size of that, where it is.
void Patcher::reshape(const std::string &id) {
  std::optional<Bounds> had = source.bounds(id);
  xmlNodePtr was = before.byId[id], now = after.byId[id];
  auto [width, height] = usualSize(str(now->name));
  if (!had || usualSize(str(was->name)) == std::pair(width, height))
    return;
  xmlNodePtr shape = source.drawn.lookup(id), label = nullptr;
  forChildren(shape, [&](xmlNodePtr c) {
    if (is(c, "BPMNLabel"))
      label = c;
    if (!is(c, "Bounds"))
      return;
    xmlSetProp(c, xml("x"), xml(number(had->centreX() - width / 2)));
    xmlSetProp(c, xml("y"), xml(number(had->centreY() - height / 2)));
    xmlSetProp(c, xml("width"), xml(number(width)));
    xmlSetProp(c, xml("height"), xml(number(height)));
  });
  if (label)
    remove(label);
  redraw(id);
  // The name of an event stands below it, or above where a message comes from
  // below.
  label = nullptr;
  forChildren(after.drawn.lookup(id), [&](xmlNodePtr c) {
    if (is(c, "BPMNLabel"))
      label = c;
  });
  if (!label || !str(now->name).ends_with("Event"))
    return;
  bool fromBelow = false;
  for (const std::string &flow : after.order)
    if (xmlNodePtr f = after.byId[flow];
        is(f, "messageFlow") && attribute(f, "targetRef") == id)
      if (auto other = source.bounds(attribute(f, "sourceRef")))
        fromBelow |= other->y > had->y;
  label = copy(label);
  place(label, shape);
  forChildren(label, [&](xmlNodePtr c) {
    double w = 0, h = 0;
    if (!is(c, "Bounds") || StringRef(attribute(c, "width")).getAsDouble(w) ||
        StringRef(attribute(c, "height")).getAsDouble(h))
      return;
    const double top = fromBelow ? had->centreY() - height / 2 - h - 4
                                 : had->centreY() + height / 2 + 4;
    xmlSetProp(c, xml("x"), xml(number(had->centreX() - w / 2)));
    xmlSetProp(c, xml("y"), xml(number(top)));
  });
}

/// Two steps that follow each other the other way round change places.
void Patcher::exchange() {
  for (const std::string &id : after.order) {
    xmlNodePtr now = after.byId[id], was = before.byId.lookup(id);
    if (!was || !is(now, "sequenceFlow"))
      continue;
    std::string from = attribute(now, "sourceRef"),
                to = attribute(now, "targetRef");
    if (attribute(was, "sourceRef") != to ||
        attribute(was, "targetRef") != from)
      continue;
    std::optional<Bounds> a = source.bounds(from), b = source.bounds(to);
    if (!a || !b)
      continue;
    moveTo(from, b->centreX(), b->centreY());
    moveTo(to, a->centreX(), a->centreY());
    exchanged.insert({from, to});
  }
}

/// A node that nothing leads to any longer that did goes to where it is now: in
/// between what is before it and what comes next.
void Patcher::follow() {
  struct Ends {
    unsigned in = 0, changedIn = 0;
    double before = 0, y = 0, after = 0;
    bool hasNext = false;
  };
  std::map<std::string, Ends> ends;
  for (const std::string &id : after.order) {
    xmlNodePtr now = after.byId[id], was = before.byId.lookup(id);
    if (!is(now, "sequenceFlow"))
      continue;
    std::string from = attribute(now, "sourceRef"),
                to = attribute(now, "targetRef");
    std::optional<Bounds> a = source.bounds(from), b = source.bounds(to);
    Ends &target = ends[to], &origin = ends[from];
    ++target.in;
    target.changedIn += !was || attribute(was, "targetRef") != to;
    if (a && (target.in == 1 || a->right() > target.before)) {
      target.before = a->right();
      target.y = a->centreY();
    }
    if (b && was && attribute(was, "targetRef") != to &&
        (!origin.hasNext || b->x < origin.after)) {
      origin.after = b->x;
      origin.hasNext = true;
    }
  }
  for (const auto &[id, e] : ends) {
    std::optional<Bounds> own = source.bounds(id);
    // Only what leads elsewhere as well has really moved.
    if (!own || !e.in || e.changedIn != e.in || !e.hasNext ||
        !before.byId.count(id) || e.after <= e.before || exchanged.count(id))
      continue;
    Bounds wanted = *own;
    wanted.x = (e.before + e.after) / 2 - own->width / 2;
    wanted.y = e.y - own->height / 2;
    redraw(id);
    Bounds at = placeNear(wanted, shapes(), lines(), boundsAround(id));
    moveTo(id, at.centreX(), at.centreY());
  }
}

/// Puts the label of an edge beside the longest part of its line, that of a
/// message flow beside the part between the pools.
static void placeLabel(xmlNodePtr edge, ArrayRef<Place2D> route,
                       bool isMessage) {
  size_t part = isMessage ? 2 : 1;
  auto length = [&](size_t i) {
    return std::abs(route[i].x - route[i - 1].x) +
           std::abs(route[i].y - route[i - 1].y);
  };
  for (size_t i = 2; i < route.size() && !isMessage; ++i)
    if (length(i) > length(part))
      part = i;
  if (part >= route.size())
    return;
  const Place2D &a = route[part - 1], &b = route[part];
  const bool isLevel = std::abs(a.x - b.x) > 1;
  for (xmlNodePtr n = edge; n; n = next(n, edge)) {
    double width = 0, height = 0;
    if (!is(n, "Bounds") ||
        StringRef(attribute(n, "width")).getAsDouble(width) ||
        StringRef(attribute(n, "height")).getAsDouble(height))
      continue;
    const double x = (a.x + b.x) / 2, y = (a.y + b.y) / 2;
    xmlSetProp(n, xml("x"), xml(number(isLevel ? x - width / 2 : x + 6)));
    xmlSetProp(n, xml("y"),
               xml(number(isLevel ? y - height - 3 : y - height / 2)));
  }
}

/// Message flows leave and enter from above or below, and turn between the
/// pools.
std::vector<Place2D> Patcher::messageRoute(const std::string &from,
                                           const std::string &to) const {
  Bounds a = *source.bounds(from), b = *source.bounds(to);
  auto isPool = [&](const std::string &id) {
    xmlNodePtr node = source.byId.lookup(id);
    return node && is(node, "participant");
  };
  Bounds upper = boundsAround(from).value_or(a),
         lower = boundsAround(to).value_or(b);
  if (isPool(from))
    upper = a;
  if (isPool(to))
    lower = b;
  const bool down = upper.y < lower.y;
  const double turn =
      down ? (upper.bottom() + lower.y) / 2 : (lower.bottom() + upper.y) / 2;
  // At a pool it ends where the other end is.
  const double x1 = isPool(from) ? b.centreX() : a.centreX(),
               x2 = isPool(to) ? x1 : b.centreX();
  Place2D start{x1, down ? a.bottom() : a.y}, end{x2, down ? b.y : b.bottom()};
  return {start, {x1, turn}, {x2, turn}, end};
}

/// Draws a flow that is new or leads elsewhere.
void Patcher::drawFlow(const std::string &id) {
  xmlNodePtr flow = source.byId.lookup(id);
  if (!flow || !(is(flow, "sequenceFlow") || is(flow, "messageFlow")))
    return;
  std::optional<Bounds> from = source.bounds(attribute(flow, "sourceRef")),
                        to = source.bounds(attribute(flow, "targetRef"));
  xmlNodePtr edge = source.drawn.lookup(id);
  if (!from || !to)
    return;
  if (!edge) {
    xmlNodePtr plane = source.drawn[attribute(flow, "sourceRef")]->parent;
    auto ours = after.drawn.find(id);
    if (ours == after.drawn.end())
      return;
    edge = copy(ours->second);
    takeDrawingId(edge);
    place(edge, plane);
    source.drawn[id] = edge;
  }
  llvm::SmallVector<xmlNodePtr, 4> old;
  forChildren(edge, [&](xmlNodePtr c) {
    if (is(c, "waypoint"))
      old.push_back(c);
  });
  if (old.empty())
    return;
  const bool isMessage = is(flow, "messageFlow");
  std::vector<Place2D> route = isMessage
                                   ? messageRoute(attribute(flow, "sourceRef"),
                                                  attribute(flow, "targetRef"))
                                   : routeBetween(*from, *to, shapes());
  placeLabel(edge, route, isMessage);
  if (isMessage && route[1].x == route[2].x)
    route = {route.front(), route.back()};
  std::string gap; // between two of them
  if (xmlNodePtr text = old.front()->prev; text && text->type == XML_TEXT_NODE)
    gap = str(text->content).str();
  for (auto [x, y] : route) {
    // With what other attributes the tool gives them.
    xmlNodePtr model = old.front();
    xmlNodePtr point =
        xmlNewDocNode(source.doc, model->ns, model->name, nullptr);
    for (xmlAttrPtr a = model->properties; a; a = a->next) {
      xmlChar *value = xmlNodeListGetString(source.doc, a->children, 1);
      xmlSetNsProp(point, a->ns, a->name, value);
      xmlFree(value);
    }
    xmlSetProp(point, xml("x"), xml(number(x)));
    xmlSetProp(point, xml("y"), xml(number(y)));
    xmlAddPrevSibling(old.front(), point);
    if (!gap.empty())
      xmlAddPrevSibling(old.front(), xmlNewText(xml(gap)));
  }
  for (xmlNodePtr point : old)
    remove(point);
}
