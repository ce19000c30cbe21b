//===- FileSvg.cpp - A BPMN file's own drawing as SVG ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Draws what a BPMN file draws, where it draws it, with the signs that bpmn.io
/// has for its elements ([BPMN 2.0, chapter 13], and chapter 11 for
/// choreographies). Pools lie at the bottom, then lanes, then activities with
/// what is in them, flows, nodes, events at borders, and what flows between
/// pools.
///
//===----------------------------------------------------------------------===//

#include "FileSvg.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace cif;
using namespace cif::xmltree;
using layout::Box;
using layout::Coord;
using layout::Point;

namespace {

class FilePainter {
public:
  FilePainter(const FileDrawing &drawing, SvgCanvas &canvas,
              const Highlights &highlights)
      : drawing(drawing), canvas(canvas), highlights(highlights) {}

  /// Moves the page to the origin; its size with a margin.
  std::pair<Coord, Coord> settle(FilePage &page);
  void paint(const FilePage &page);

private:
  struct Label {
    TextBlock block;
    Coord centre = 0, top = 0;
  };
  struct Activity {            ///< of a choreography
    Coord top = 0, bottom = 0; ///< heights of its bands
    Box box;
    bool isCall = false;
  };

  static unsigned layerOf(const FileItem &item, bool isCollapsed);
  Label labelOf(const FileItem &item) const;
  std::string nameOf(const FileItem &item) const;
  void item(const FileItem &item);
  void edge(const FileItem &item);
  void shape(const FileItem &item);
  void pool(const FileItem &item);
  void band(const FileItem &item);
  void envelope(const FileItem &item, const Activity &activity, bool atTop);
  std::string messageFrom(const FileItem &band) const;
  void activity(const FileItem &item);
  void markers(const FileItem &item, Coord bottom, bool isCollapsed);
  void event(const FileItem &item);
  void gateway(const FileItem &item);
  void data(const FileItem &item);
  bool isHorizontal(const FileItem &item) const;

  const FileDrawing &drawing;
  SvgCanvas &canvas;
  const Highlights &highlights;
  llvm::StringMap<Activity> activities; ///< by the ids of their shapes
};

bool isEdge(const FileItem &item) { return !item.points.empty(); }

bool isData(StringRef type) {
  return type == "dataObjectReference" || type == "dataObject" ||
         type == "dataStoreReference" || type == "dataStore" ||
         type == "dataInput" || type == "dataOutput";
}

/// The point in the middle of a line, by its length.
Point halfWay(ArrayRef<Point> points) {
  auto lengthOf = [&](size_t i) {
    return std::hypot(double(points[i + 1].x - points[i].x),
                      double(points[i + 1].y - points[i].y));
  };
  double rest = 0;
  for (size_t i = 0; i + 1 < points.size(); ++i)
    rest += lengthOf(i) / 2;
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    double length = lengthOf(i);
    if (length > 0 && rest <= length) {
      const Point &a = points[i], &b = points[i + 1];
      return {a.x + static_cast<Coord>(double(b.x - a.x) * rest / length),
              a.y + static_cast<Coord>(double(b.y - a.y) * rest / length)};
    }
    rest -= length;
  }
  return points.back();
}

/// A colour that can stand in a style: `#fff`, `white`, `rgb(1, 2, 3)`.
std::string colour(xmlNodePtr di, const char *name, const char *older) {
  std::string text = anyAttribute(di, name);
  if (text.empty())
    text = anyAttribute(di, older);
  bool good = text.size() < 40 && llvm::all_of(text, [](char c) {
                return llvm::isAlnum(c) || StringRef("#(), .%").contains(c);
              });
  return good ? text : "";
}

/// Words for the classes of elements, the same as for models without a drawing.
StringRef wordOf(const FileItem &item) {
  StringRef type = item.type;
  if (type == "participant")
    return item.isBand ? "band-of" : "pool";
  if (type == "choreographyTask")
    return "interaction";
  if (isScopeName(type))
    return "container";
  if (isActivityName(type))
    return "task";
  if (type.ends_with("Gateway"))
    return "gateway";
  if (type.ends_with("Event"))
    return "event";
  if (type == "sequenceFlow")
    return "flow";
  if (type == "messageFlow")
    return "message-flow";
  if (type == "textAnnotation")
    return "annotation";
  if (type.starts_with("dataStore"))
    return "data-store";
  if (type.ends_with("Association"))
    return "data-association";
  if (isData(type))
    return "data-object";
  return type; // lane, group, association
}

} // namespace

unsigned FilePainter::layerOf(const FileItem &item, bool isCollapsed) {
  if (item.type == "participant" && !item.isBand)
    return 0;
  if (item.type == "lane")
    return 1;
  if (isScopeName(item.type) && !isCollapsed)
    return 2;
  if (item.type == "messageFlow")
    return 7;
  if (isEdge(item))
    return 3;
  if (item.isBand)
    return 5;
  if (item.type == "boundaryEvent")
    return 6;
  return isFlowNodeName(item.type) ? 4 : 8;
}

std::string FilePainter::nameOf(const FileItem &item) const {
  if (item.type == "group") {
    xmlNodePtr value =
        drawing.find(attribute(item.element, "categoryValueRef"));
    return value ? attribute(value, "value") : "";
  }
  if (item.type == "textAnnotation") {
    xmlNodePtr text = child(item.element, "text");
    return text ? content(text) : "";
  }
  if (isData(item.type))
    if (xmlNodePtr state = child(item.element, "dataState"))
      if (std::string in = attribute(state, "name");
          !in.empty() && !StringRef(item.name).contains(in))
        return item.name + " [" + in + "]";
  return item.name;
}

/// The name of what has it beside itself.
FilePainter::Label FilePainter::labelOf(const FileItem &item) const {
  Label label;
  bool isOutside = isEdge(item) || isData(item.type) || item.type == "group" ||
                   item.type.ends_with("Event") ||
                   item.type.ends_with("Gateway");
  std::string name = nameOf(item);
  if (!isOutside || name.empty())
    return label;
  const Coord least = 90; // narrower boxes were made for other fonts
  label.block = SvgCanvas::labelBlock(name, std::max(least, item.label.width));
  if (item.label.width) {
    label.centre = item.label.centreX();
    label.top = item.label.y;
  } else if (isEdge(item)) {
    const Point &a = item.points[(item.points.size() - 1) / 2],
                &b = item.points[(item.points.size() - 1) / 2 + 1];
    bool isLevel = a.y == b.y;
    label.centre = (a.x + b.x) / 2 + (isLevel ? 0 : label.block.width / 2 + 6);
    label.top = (a.y + b.y) / 2 -
                (isLevel ? label.block.height + 3 : label.block.height / 2);
  } else {
    label.centre = item.box.centreX();
    label.top = item.type == "group" ? item.box.y + 3 : item.box.bottom() + 4;
  }
  return label;
}

/// Puts bands onto their activities: some editors place them themselves, and
/// write what is no longer true.
static void placeBands(FilePage &page) {
  llvm::StringMap<Box> activities; // by the ids of their shapes
  for (const FileItem &item : page.items)
    if (!item.isBand && isActivityName(item.type))
      activities[attribute(item.di, "id")] = item.box;
  for (FileItem &item : page.items) {
    auto found =
        activities.find(attribute(item.di, "choreographyActivityShape"));
    if (!item.isBand || found == activities.end())
      continue;
    const Box &in = found->second;
    Box &band = item.box;
    if (band.x >= in.x - 2 && band.right() <= in.right() + 2 &&
        band.y >= in.y - 2 && band.bottom() <= in.bottom() + 2)
      continue;
    bool isTop =
        StringRef(attribute(item.di, "participantBandKind")).starts_with("top");
    band.height = std::min(band.height, in.height / 3);
    band = {in.x, isTop ? in.y : in.bottom() - band.height, in.width,
            band.height};
  }
}

std::pair<Coord, Coord> FilePainter::settle(FilePage &page) {
  placeBands(page);
  Coord left = INT32_MAX, top = INT32_MAX, right = INT32_MIN,
        bottom = INT32_MIN;
  auto cover = [&](Coord x, Coord y) {
    left = std::min(left, x), right = std::max(right, x);
    top = std::min(top, y), bottom = std::max(bottom, y);
  };
  for (const FileItem &item : page.items) {
    if (!isEdge(item)) {
      cover(item.box.x, item.box.y);
      cover(item.box.right(), item.box.bottom());
    }
    for (const Point &p : item.points)
      cover(p.x, p.y);
    if (item.isBand && attribute(item.di, "isMessageVisible") == "true") {
      // The envelope and its name.
      Coord room = envelopeDistance + envelopeHeight + 16;
      cover(item.box.x, item.box.y - room);
      cover(item.box.x, item.box.bottom() + room);
    }
    if (Label label = labelOf(item); !label.block.lines.empty()) {
      cover(label.centre - label.block.width / 2, label.top);
      cover(label.centre + label.block.width / 2,
            label.top + label.block.height);
    }
  }
  const Coord margin = 40, dx = margin - left, dy = margin - top;
  for (FileItem &item : page.items) {
    item.box.x += dx, item.box.y += dy;
    item.label.x += dx, item.label.y += dy;
    for (Point &p : item.points)
      p.x += dx, p.y += dy;
  }
  return {right - left + 2 * margin, bottom - top + 2 * margin};
}

void FilePainter::paint(const FilePage &page) {
  activities.clear();
  for (const FileItem &item : page.items)
    if (!item.isBand && isActivityName(item.type)) {
      Activity &at = activities[attribute(item.di, "id")];
      at.box = item.box;
      at.isCall = item.type == "callChoreography";
    }
  for (const FileItem &item : page.items) {
    if (!item.isBand)
      continue;
    Activity &at = activities[attribute(item.di, "choreographyActivityShape")];
    bool isTop = item.box.centreY() < at.box.centreY();
    (isTop ? at.top : at.bottom) += item.box.height;
  }
  std::vector<std::tuple<unsigned, unsigned, const FileItem *>> order;
  for (const FileItem &item : page.items) {
    unsigned depth = 0;
    for (xmlNodePtr n = item.element; n; n = n->parent)
      ++depth;
    unsigned layer = layerOf(item, drawing.isCollapsed(item));
    order.push_back({layer, layer == 2 ? depth : 0, &item});
  }
  llvm::stable_sort(order, [](const auto &a, const auto &b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) <
           std::tie(std::get<0>(b), std::get<1>(b));
  });
  for (const auto &[layer, depth, what] : order)
    item(*what);
  canvas.drawBadges();
}

void FilePainter::item(const FileItem &item) {
  // A participant has as many bands as there are activities that it is in.
  canvas.open(wordOf(item), item.id,
              item.isBand ? Highlight() : highlights.of(item.id));
  canvas.ownFill = colour(item.di, "background-color", "fill");
  canvas.ownStroke = colour(item.di, "border-color", "stroke");
  if (isEdge(item)) {
    edge(item);
    canvas.badgesAt(item.points.back().x - 12, item.points.front().x + 12,
                    item.points.back().y);
  } else {
    shape(item);
    if (!item.isBand)
      canvas.badgesAt(item.box.x, item.box.right(), item.box.y);
  }
  if (Label label = labelOf(item); !label.block.lines.empty())
    canvas.label(label.block, label.centre, label.top);
  canvas.close();
}

void FilePainter::edge(const FileItem &item) {
  if (item.type == "sequenceFlow") {
    xmlNodePtr source = drawing.find(attribute(item.element, "sourceRef"));
    bool isDefault =
        source && reference(attribute(source, "default")) == item.id;
    bool isConditional = !isDefault && source &&
                         child(item.element, "conditionExpression") &&
                         isActivityName(str(source->name));
    canvas.polyline(item.points, "line", "url(#cif-arrow)",
                    isConditional ? "url(#cif-condition)" : "");
    if (isDefault)
      canvas.slash(item.points);
  } else if (item.type == "messageFlow") {
    canvas.polyline(item.points, "line dashed thin", "url(#cif-message-end)",
                    "url(#cif-message-start)");
    xmlNodePtr message = drawing.find(attribute(item.element, "messageRef"));
    if (!message)
      return;
    Point at = halfWay(item.points);
    canvas.envelope({at.x - 10, at.y - 7, 20, 14},
                    attribute(item.di, "messageVisibleKind") == "non_initiating"
                        ? "band other"
                        : "band");
    if (std::string name = attribute(message, "name"); name != item.name)
      canvas.label(SvgCanvas::labelBlock(name, 90), at.x, at.y + 9);
  } else {
    std::string direction = attribute(item.element, "associationDirection");
    bool isData = item.type.ends_with("Association");
    bool atEnd = isData || direction == "One" || direction == "Both";
    canvas.polyline(item.points, "dotted", atEnd ? "url(#cif-open)" : "",
                    direction == "Both" ? "url(#cif-open)" : "");
  }
}

void FilePainter::shape(const FileItem &item) {
  StringRef type = item.type;
  if (item.isBand)
    band(item);
  else if (type == "participant")
    pool(item);
  else if (type == "lane")
    canvas.lane(item.box, item.name, !isHorizontal(item));
  else if (isActivityName(type))
    activity(item);
  else if (type.ends_with("Event"))
    event(item);
  else if (type.ends_with("Gateway"))
    gateway(item);
  else if (type == "textAnnotation")
    canvas.annotation(item.box, nameOf(item));
  else if (type == "group")
    canvas.rectangle(item.box, 10, "faint");
  else if (isData(type))
    data(item);
  else if (type == "message")
    canvas.envelope(item.box, "band");
  else
    canvas.rectangle(item.box, 0, "line");
}

/// Pools and lanes are horizontal unless the file says otherwise.
bool FilePainter::isHorizontal(const FileItem &item) const {
  return attribute(item.di, "isHorizontal") != "false";
}

void FilePainter::pool(const FileItem &item) {
  const Box &box = item.box;
  canvas.rectangle(box, 0, "shape thin");
  bool isWhite = !attribute(item.element, "processRef").empty();
  if (!isWhite) {
    canvas.text(textBlock(item.name, std::max<Coord>(20, box.width - 10), 3),
                box);
  } else if (isHorizontal(item)) {
    canvas.path("M" + Twine(box.x + poolHeader) + " " + Twine(box.y) + "v" +
                    Twine(box.height),
                "line thin");
    canvas.verticalText(item.name, {box.x, box.y, poolHeader, box.height});
  } else {
    canvas.path("M" + Twine(box.x) + " " + Twine(box.y + poolHeader) + "h" +
                    Twine(box.width),
                "line thin");
    canvas.text(textBlock(item.name, std::max<Coord>(20, box.width - 10), 2),
                {box.x, box.y, box.width, poolHeader});
  }
  if (child(item.element, "participantMultiplicity"))
    canvas.marker(LoopKind::MultiParallel, box.centreX(), box.bottom() - 10);
}

/// The name of the message that the participant of a band sends in its task.
std::string FilePainter::messageFrom(const FileItem &band) const {
  xmlNodePtr shape =
      drawing.find(attribute(band.di, "choreographyActivityShape"));
  xmlNodePtr task =
      shape ? drawing.find(attribute(shape, "bpmnElement")) : nullptr;
  std::string name;
  if (task)
    forChildren(task, [&](xmlNodePtr c) {
      xmlNodePtr flow =
          is(c, "messageFlowRef") ? drawing.find(content(c)) : nullptr;
      if (!flow || reference(attribute(flow, "sourceRef")) != band.id)
        return;
      xmlNodePtr message = drawing.find(attribute(flow, "messageRef"));
      name = attribute(message ? message : flow, "name");
    });
  return name;
}

void FilePainter::envelope(const FileItem &item, const Activity &activity,
                           bool atTop) {
  const Box &task = activity.box;
  Coord y = atTop ? task.y - envelopeDistance - envelopeHeight
                  : task.bottom() + envelopeDistance;
  bool isReply = StringRef(attribute(item.di, "participantBandKind"))
                     .ends_with("non_initiating");
  canvas.path("M" + Twine(task.centreX()) + " " +
                  Twine(atTop ? y + envelopeHeight : task.bottom()) + "v" +
                  Twine(envelopeDistance),
              "dotted");
  Box box{task.centreX() - envelopeWidth / 2, y, envelopeWidth, envelopeHeight};
  canvas.envelope(box, isReply ? "band other" : "band");
  TextBlock name = SvgCanvas::labelBlock(messageFrom(item), task.width);
  canvas.label(name, task.centreX(),
               atTop ? y - name.height - 2 : box.bottom() + 2);
}

void FilePainter::band(const FileItem &item) {
  std::string kind = attribute(item.di, "participantBandKind");
  const Activity activity =
      activities.lookup(attribute(item.di, "choreographyActivityShape"));
  bool isTop = item.box.centreY() < activity.box.centreY();
  if (attribute(item.di, "isMessageVisible") == "true" && activity.box.width)
    envelope(item, activity, isTop);
  canvas.band(item.box, item.box.y <= activity.box.y + 1,
              item.box.bottom() >= activity.box.bottom() - 1,
              StringRef(kind).ends_with("non_initiating") ? "band other"
                                                          : "band");
  if (activity.isCall) // its border is thick around the bands, too
    canvas.rectangle(activity.box, 8, "line thick");
  bool isMany = child(item.element, "participantMultiplicity");
  Box text = item.box;
  if (isMany)
    text.height = std::max<Coord>(lineHeight, text.height - 14);
  canvas.text(textBlock(item.name, std::max<Coord>(20, text.width - 6),
                        std::max<Coord>(1, text.height / lineHeight)),
              text);
  if (isMany)
    canvas.marker(LoopKind::MultiParallel, item.box.centreX(),
                  item.box.bottom() - 8);
}

void FilePainter::activity(const FileItem &item) {
  const Box &box = item.box;
  const bool isCall =
      item.type == "callActivity" || item.type == "callChoreography";
  const bool isCollapsed = drawing.isCollapsed(item);
  const bool isEvent = attribute(item.element, "triggeredByEvent") == "true";
  canvas.rectangle(box, 8,
                   isCall    ? "shape thick"
                   : isEvent ? "shape dots"
                             : "shape");
  if (item.type == "transaction")
    canvas.rectangle({box.x + 3, box.y + 3, box.width - 6, box.height - 6}, 6,
                     "line");
  const Activity bands = activities.lookup(attribute(item.di, "id"));
  Box room{box.x, box.y + bands.top, box.width,
           box.height - bands.top - bands.bottom};
  auto has = [&](const char *name) { return child(item.element, name); };
  // All but `None`.
  bool isMarked = isCollapsed || has("standardLoopCharacteristics") ||
                  has("multiInstanceLoopCharacteristics") ||
                  item.type == "adHocSubProcess" ||
                  attribute(item.element, "isForCompensation") == "true" ||
                  StringRef(attribute(item.element, "loopType")).size() > 4;
  bool isOpen =
      !isCollapsed && (isScopeName(item.type) ||
                       (isCall && attribute(item.di, "isExpanded") == "true"));
  Coord height = room.height - (isMarked && !isOpen ? 16 : 0);
  TextBlock name =
      textBlock(item.name, std::max<Coord>(20, box.width - 10),
                isOpen ? 2 : std::max<Coord>(1, height / lineHeight));
  if (isOpen)
    canvas.text(name, {room.x, room.y + 4, room.width, name.height});
  else
    canvas.text(name, {room.x, room.y, room.width, height});
  canvas.taskType(box, item.type);
  markers(item, room.bottom(), isCollapsed);
}

/// The signs at the lower border of an activity, side by side.
void FilePainter::markers(const FileItem &item, Coord bottom,
                          bool isCollapsed) {
  std::vector<std::function<void(Coord)>> signs;
  const Coord y = bottom - 9;
  auto loop = [&](LoopKind kind) {
    signs.push_back([this, kind, y](Coord x) { canvas.marker(kind, x, y); });
  };
  if (attribute(item.element, "isForCompensation") == "true")
    signs.push_back([&](Coord x) { canvas.compensation(x, y); });
  // A choreography activity has an attribute, others an element.
  std::string type = attribute(item.element, "loopType");
  xmlNodePtr many = child(item.element, "multiInstanceLoopCharacteristics");
  if (child(item.element, "standardLoopCharacteristics") || type == "Standard")
    loop(LoopKind::Standard);
  else if (type == "MultiInstanceSequential" ||
           (many && attribute(many, "isSequential") == "true"))
    loop(LoopKind::MultiSequence);
  else if (many || type == "MultiInstanceParallel")
    loop(LoopKind::MultiParallel);
  if (isCollapsed)
    signs.push_back([&](Coord x) { canvas.plus(x, y); });
  if (item.type == "adHocSubProcess")
    signs.push_back([&](Coord x) { canvas.tilde(x, y); });
  const Coord step = 20;
  Coord x = item.box.centreX() - step * (Coord(signs.size()) - 1) / 2;
  for (const auto &sign : signs) {
    sign(x);
    x += step;
  }
}

void FilePainter::event(const FileItem &item) {
  Node node;
  node.kind = item.type == "startEvent"               ? NodeKind::Initial
              : item.type == "endEvent"               ? NodeKind::Final
              : item.type == "boundaryEvent"          ? NodeKind::Boundary
              : item.type == "intermediateThrowEvent" ? NodeKind::Throw
                                                      : NodeKind::Catch;
  const char *goesOn =
      item.type == "startEvent" ? "isInterrupting" : "cancelActivity";
  if (attribute(item.element, goesOn) == "false")
    node.flags |= NonInterrupting;
  static const std::pair<const char *, Trigger> triggers[] = {
      {"message", Trigger::Message},
      {"timer", Trigger::Timer},
      {"signal", Trigger::Signal},
      {"error", Trigger::Error},
      {"escalation", Trigger::Escalation},
      {"conditional", Trigger::Conditional},
      {"link", Trigger::Link},
      {"compensate", Trigger::Compensation},
      {"cancel", Trigger::Cancel}};
  unsigned count = 0;
  bool ends = false;
  forChildren(item.element, [&](xmlNodePtr c) {
    xmlNodePtr definition =
        is(c, "eventDefinitionRef") ? drawing.find(content(c)) : c;
    StringRef kind = definition ? str(definition->name) : StringRef();
    if (!kind.consume_back("EventDefinition"))
      return;
    ++count;
    ends |= kind == "terminate";
    for (auto [name, trigger] : triggers)
      if (kind == name)
        node.trigger = trigger;
  });
  if (ends && node.kind == NodeKind::Final)
    node.kind = NodeKind::Terminate;
  bool isAll = attribute(item.element, "parallelMultiple") == "true";
  if (count > 1)
    node.trigger = isAll || node.kind == NodeKind::Terminate
                       ? Trigger::None
                       : Trigger::Multiple;
  canvas.event(item.box, node);
  if (count > 1 && isAll)
    canvas.cross(item.box);
}

void FilePainter::gateway(const FileItem &item) {
  GatewaySign sign = GatewaySign::None;
  if (item.type == "parallelGateway")
    sign = GatewaySign::Plus;
  else if (item.type == "inclusiveGateway")
    sign = GatewaySign::Circle;
  else if (item.type == "complexGateway")
    sign = GatewaySign::Star;
  else if (item.type == "exclusiveGateway" &&
           attribute(item.di, "isMarkerVisible") == "true")
    sign = GatewaySign::Cross;
  else if (item.type == "eventBasedGateway")
    sign = attribute(item.element, "eventGatewayType") == "Parallel"
               ? GatewaySign::ParallelStart
           : attribute(item.element, "instantiate") == "true"
               ? GatewaySign::EventStart
               : GatewaySign::Event;
  canvas.gateway(item.box, sign);
}

void FilePainter::data(const FileItem &item) {
  if (item.type.starts_with("dataStore")) {
    canvas.dataStore(item.box);
    return;
  }
  canvas.dataObject(item.box);
  if (item.type == "dataInput" || item.type == "dataOutput")
    canvas.path("M" + Twine(item.box.x + 4) + " " + Twine(item.box.y + 7) +
                    "h7v-3l6 5l-6 5v-3h-7z",
                item.type == "dataInput" ? "icon" : "solid");
  xmlNodePtr object = item.element;
  if (xmlNodePtr named = drawing.find(attribute(item.element, "dataObjectRef")))
    object = named;
  if (attribute(object, "isCollection") == "true")
    canvas.marker(LoopKind::MultiParallel, item.box.centreX(),
                  item.box.bottom() - 9);
}

void cif::paintFile(const FileDrawing &drawing, const Module &module,
                    raw_ostream &os, const EmitOptions &options) {
  SvgCanvas canvas(os);
  Highlights highlights(module, options);
  FilePainter painter(drawing, canvas, highlights);
  std::vector<FilePage> pages = drawing.pages;
  std::vector<SvgPage> drawn;
  for (FilePage &page : pages) {
    auto [width, height] = painter.settle(page);
    drawn.push_back({page.name.empty() ? page.id : page.name, width, height,
                     [&painter, &page] { painter.paint(page); }});
  }
  drawSvg(canvas, os, drawn, options);
}
