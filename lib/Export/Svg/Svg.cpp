//===- Svg.cpp - Diagrams as SVG ------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Draws the module's diagrams one below the other with BPMN's notation: as its
/// file draws them where it does (FileSvg.cpp), else laid out.
/// Colours are CSS variables with values for light and dark surroundings, so
/// that a page that holds the picture can set its own. Elements carry their id
/// in data-id, not in id, because several pictures may be in one page.
/// Highlighted elements have the class `step` and a badge with the numbers of
/// their steps.
///
//===----------------------------------------------------------------------===//

#include "FileSvg.h"
#include "SvgCanvas.h"
#include "cif/Export/Emitter.h"
#include "cif/Support/Diagnostics/Checks.h"

using namespace cif;
using layout::Box;
using layout::Coord;

namespace {
struct LegendLine {
  std::string badge, text;
  bool isMark, isTitle;
  Coord y; ///< below the pages
};

class SvgWriter {
public:
  SvgWriter(const Module &module, raw_ostream &os, const EmitOptions &options)
      : module(module), os(os), canvas(os), ids(module),
        highlights(module, options), options(options), layout(options.layout) {}
  /// Writes nothing when \p budget stops.
  void run(Budget &budget);

private:
  void diagram(const Diagram &diagram);
  void pool(const Diagram &diagram, uint32_t s);
  void shape(const Diagram &diagram, uint32_t s);
  void choreographyTask(const Diagram &diagram, uint32_t s);
  void link(const Shape &shape, const Box &box, Node event, bool throws);
  void unknownChoreography(const Box &box, const Node &node, bool isCall);
  void container(const Diagram &diagram, uint32_t s, const Node &node);
  void activity(const Shape &shape, const Box &box, const Node &node,
                StringRef type);
  void bands(const Diagram &diagram, uint32_t s);
  void decoration(const DrawnDecoration &decoration);
  StringRef typeOf(const Node &node) const;
  void line(const Diagram &diagram, uint32_t e);
  void messageFlow(const Diagram &diagram, uint32_t l);
  /// What animations find elements by; nothing when nobody asks for it.
  std::vector<std::pair<StringRef, std::string>>
  data(std::initializer_list<std::pair<StringRef, std::string>> all) const {
    if (!options.references)
      return {};
    return all;
  }

  const Module &module;
  raw_ostream &os;
  SvgCanvas canvas;
  ElementIds ids;
  Highlights highlights;
  const EmitOptions &options;
  const DiagramLayout *layout;
};
} // namespace

static GatewaySign signOf(NodeKind kind) {
  switch (kind) {
  case NodeKind::AllSelect:
  case NodeKind::AllJoin:
    return GatewaySign::Plus;
  case NodeKind::SubsetSelect:
  case NodeKind::SubsetJoin:
    return GatewaySign::Circle;
  case NodeKind::EventChoice:
    return GatewaySign::Event;
  default:
    return GatewaySign::Cross;
  }
}

/// What an animation calls an activity that has no id of its own.
static std::string referenceOf(const Module &module, const Node &node) {
  if (!node.loc.element.empty() ||
      !(node.message || hasTrait(node.kind, NodeTraits::Step) ||
        node.kind == NodeKind::Catch || node.kind == NodeKind::Throw))
    return "";
  Place place = module.place(node.loc);
  return "@" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

void SvgWriter::pool(const Diagram &diagram, uint32_t s) {
  const Box &box = diagram.drawing.boxes[s];
  const Pool &pool = diagram.pools[s];
  StringRef id =
      pool.participant ? ids.participant(pool.participant) : StringRef();
  canvas.open("pool", id, {}, data({{"name", pool.name}}));
  canvas.rectangle(box, 0, "shape");
  if (pool.behaviour == layout::none) {
    canvas.text(diagram.shapes[s].text, box);
  } else {
    canvas.path("M" + std::to_string(box.x + poolHeader) + " " +
                    std::to_string(box.y) + "v" + std::to_string(box.height),
                "line");
    canvas.verticalText(pool.name, {box.x, box.y, poolHeader, box.height});
  }
  canvas.close();
}

void SvgWriter::bands(const Diagram &diagram, uint32_t s) {
  const Shape &shape = diagram.shapes[s];
  for (size_t i = 0; i < shape.bands.size(); ++i) {
    Box band = diagram.bandBox(s, i);
    bool first = i == 0, last = i + 1 == shape.bands.size();
    canvas.band(band, first, last && shape.bands.size() > 1,
                i ? "band other" : "band");
    Box text = band;
    text.height = bandHeight;
    canvas.text(
        textBlock(module.participantName(shape.bands[i]), band.width - 6, 1),
        text);
    if (module.participant(shape.bands[i]).maximum != 1)
      canvas.marker(LoopKind::MultiParallel, band.centreX(), band.bottom() - 9);
  }
}

/// The heights of the bands above and below the name.
static std::pair<Coord, Coord> bandHeights(const Diagram &diagram,
                                           const Shape &shape) {
  Coord top = 0, bottom = 0;
  for (size_t i = 0; i < shape.bands.size(); ++i)
    (i < Diagram::topBands(shape) ? top : bottom) +=
        diagram.height(shape.bands[i]);
  return {top, bottom};
}

void SvgWriter::choreographyTask(const Diagram &diagram, uint32_t s) {
  const Shape &shape = diagram.shapes[s];
  const Box &box = diagram.drawing.boxes[s];
  const Node &node = module.behaviours[shape.behaviour].node(shape.node);
  for (bool reply : {false, true}) {
    const TextBlock &text = reply ? shape.replyEnvelope : shape.envelope;
    if (text.lines.empty())
      continue;
    Box envelope = diagram.envelopeBox(s, reply);
    Coord from = reply ? box.bottom() : envelope.bottom();
    canvas.path("M" + std::to_string(box.centreX()) + " " +
                    std::to_string(from) + "v" +
                    std::to_string(envelopeDistance),
                "dotted");
    canvas.envelope(envelope, reply ? "band other" : "band");
    canvas.text(text,
                {box.x,
                 reply ? envelope.bottom() + 2 : envelope.y - text.height - 2,
                 box.width, text.height});
  }
  canvas.rectangle(box, 8, "shape");
  bands(diagram, s);
  auto [top, bottom] = bandHeights(diagram, shape);
  Coord marker = node.loop != LoopKind::None ? 18 : 0;
  canvas.text(shape.text, {box.x, box.y + top, box.width,
                           box.height - top - bottom - marker});
  if (marker)
    canvas.marker(node.loop, box.centreX(), box.bottom() - bottom - 10);
}

void SvgWriter::link(const Shape &shape, const Box &box, Node event,
                     bool throws) {
  event.kind = throws ? NodeKind::Throw : NodeKind::Catch;
  event.trigger = Trigger::Link;
  canvas.event(box, event);
  if (!shape.text.lines.empty())
    canvas.text(shape.text, {box.x - 20, box.bottom() + 4, box.width + 40,
                             shape.text.height});
}

/// A sub-choreography or call whose content is not known: an internal step in
/// the IR.
void SvgWriter::unknownChoreography(const Box &box, const Node &node,
                                    bool isCall) {
  canvas.rectangle(box, 8, isCall ? "shape thick" : "shape");
  canvas.text(
      textBlock(module.text(node.name), std::max<Coord>(20, box.width - 10), 8),
      {box.x, box.y, box.width, box.height - 16});
  canvas.plus(box.centreX(), box.bottom() - 9);
}

void SvgWriter::container(const Diagram &diagram, uint32_t s,
                          const Node &node) {
  const Shape &shape = diagram.shapes[s];
  const Box &box = diagram.drawing.boxes[s];
  canvas.rectangle(box, 8,
                   node.flags & EventTriggered ? "shape dashed" : "shape");
  if (node.flags & Transaction)
    canvas.rectangle({box.x + 3, box.y + 3, box.width - 6, box.height - 6}, 6,
                     "line");
  bands(diagram, s);
  auto [top, bottom] = bandHeights(diagram, shape);
  if (shape.isCollapsed) {
    canvas.text(shape.text, {box.x, box.y + top, box.width,
                             box.height - top - bottom - 16});
    canvas.plus(box.centreX() + (node.loop != LoopKind::None ? 10 : 0),
                box.bottom() - bottom - 9);
  } else {
    canvas.text(shape.text,
                {box.x, box.y + top + 4, box.width, shape.text.height});
  }
  if (node.loop != LoopKind::None)
    canvas.marker(node.loop, box.centreX() - (shape.isCollapsed ? 10 : 0),
                  box.bottom() - bottom - 11);
}

void SvgWriter::activity(const Shape &shape, const Box &box, const Node &node,
                         StringRef type) {
  canvas.rectangle(box, 8,
                   node.kind == NodeKind::Call || type == "callActivity"
                       ? "shape thick"
                       : "shape");
  bool isCollapsed =
      layout && layout->collapsed.count(module.text(node.loc.element));
  Coord marked = isCollapsed || node.loop != LoopKind::None ? 16 : 0;
  canvas.text(shape.text, {box.x, box.y, box.width, box.height - marked});
  if (isCollapsed)
    canvas.plus(box.centreX() + (node.loop != LoopKind::None ? 10 : 0),
                box.bottom() - 9);
  if (!type.empty())
    canvas.taskType(box, type);
  else if (node.kind == NodeKind::Send || node.kind == NodeKind::Receive)
    canvas.envelope({box.x + 7, box.y + 6, 18, 13},
                    node.kind == NodeKind::Send ? "icon filled" : "icon");
  if (node.loop != LoopKind::None)
    canvas.marker(node.loop, box.centreX() - (isCollapsed ? 10 : 0),
                  box.bottom() - 10);
}

void SvgWriter::shape(const Diagram &diagram, uint32_t s) {
  const Shape &shape = diagram.shapes[s];
  const Box &box = diagram.drawing.boxes[s];
  const Behaviour &behaviour = module.behaviours[shape.behaviour];
  const Node &node = behaviour.node(shape.node);
  if (!box.width)
    return;
  StringRef id = ids.node(shape.behaviour, shape.node);
  canvas.open(nodeKindText(node.kind), id, highlights.of(node, id),
              data({{"ref", referenceOf(module, node)},
                    {"name", module.text(node.name).str()}}));
  StringRef type = typeOf(node);
  const bool isLink = type.starts_with("link"),
             isUnknown = type.ends_with("Choreography") &&
                         shape.figure == Figure::Event;
  if (isLink)
    link(shape, box, node, type == "linkThrow");
  else if (isUnknown)
    unknownChoreography(box, node, type == "callChoreography");
  else
    switch (shape.figure) {
    case Figure::Event:
      canvas.event(box, node);
      break;
    case Figure::Gateway:
      canvas.gateway(box, signOf(node.kind));
      break;
    case Figure::ChoreographyTask:
      choreographyTask(diagram, s);
      break;
    case Figure::Container:
    case Figure::SubChoreography:
      container(diagram, s, node);
      break;
    default:
      activity(shape, box, node, type);
    }
  if (!isLink && !isUnknown && shape.textOutside && !shape.text.lines.empty())
    canvas.text(shape.text, shape.textBox);
  canvas.badgesAt(box.x, box.right(), box.y);
  canvas.close();
}

/// The source's word for what a node is, where it draws that.
StringRef SvgWriter::typeOf(const Node &node) const {
  if (!layout || node.loc.element.empty())
    return {};
  auto found = layout->types.find(module.text(node.loc.element));
  return found == layout->types.end() ? StringRef() : found->second;
}

void SvgWriter::decoration(const DrawnDecoration &d) {
  using Kind = DiagramLayout::Kind;
  static const char *const kinds[] = {
      "lane",  "annotation",  "data-object",     "data-store",
      "group", "association", "data-association"};
  canvas.open(kinds[unsigned(d.kind)], d.id);
  Box label = d.label;
  if (!label.width)
    label = {d.box.x - 20, d.box.bottom() + 2, d.box.width + 40, lineHeight};
  switch (d.kind) {
  case Kind::Lane:
    canvas.lane(d.box, d.text);
    break;
  case Kind::Annotation:
    canvas.annotation(d.box, d.text);
    break;
  case Kind::DataObject:
    canvas.dataObject(d.box);
    break;
  case Kind::DataStore:
    canvas.dataStore(d.box);
    break;
  case Kind::Group:
    canvas.rectangle(d.box, 10, "faint");
    label = {d.box.x, d.box.y + 2, d.box.width, lineHeight};
    break;
  default:
    canvas.polyline(d.points, "dotted",
                    d.kind == Kind::DataAssociation ? "url(#cif-arrow)" : "",
                    "");
  }
  if (d.box.width && d.kind != Kind::Lane && d.kind != Kind::Annotation)
    canvas.text(textBlock(d.text, label.width, 3), label);
  canvas.close();
}

void SvgWriter::line(const Diagram &diagram, uint32_t e) {
  const Line &line = diagram.lines[e];
  const layout::Route &route = diagram.drawing.routes[e];
  const Flow &flow = module.behaviours[line.behaviour].flow(line.flow);
  if (route.points.empty())
    return;
  StringRef id = ids.flow(line.behaviour, line.flow.index());
  std::string number = "flow:" + std::to_string(line.behaviour) + ":" +
                       std::to_string(line.flow.index());
  canvas.open("flow", id, highlights.of(flow.loc, id),
              data({{"ref", flow.loc.element.empty() ? number : std::string()},
                    {"name", module.text(flow.name).str()}}));
  canvas.polyline(route.points, "line", "url(#cif-arrow)", "");
  if (flow.flags & DefaultFlow)
    canvas.slash(route.points);
  if (!line.text.lines.empty())
    canvas.text(line.text, route.label);
  canvas.badgesAt(route.points.back().x - 12, route.points.front().x + 12,
                  route.points.back().y);
  canvas.close();
}

void SvgWriter::messageFlow(const Diagram &diagram, uint32_t l) {
  const DrawnMessageFlow &flow = diagram.messageFlows[l];
  const layout::Route &route = diagram.drawing.links[l];
  if (route.points.empty())
    return;
  Message message; // without one nobody waits for it
  if (flow.message)
    message = module.message(flow.message);
  canvas.open("message-flow", module.text(flow.loc.element),
              highlights.of(flow.loc),
              data({{"from", module.participantName(message.sender).str()},
                    {"to", module.participantName(message.receiver).str()},
                    {"name", module.text(message.name).str()}}));
  canvas.polyline(route.points, "line dashed", "url(#cif-message-end)",
                  "url(#cif-message-start)");
  if (!flow.text.lines.empty())
    canvas.text(flow.text, route.label);
  canvas.close();
}

void SvgWriter::diagram(const Diagram &diagram) {
  // Containers before what is in them, then edges, then everything else.
  std::vector<uint32_t> depth(diagram.shapes.size(), layout::none), containers;
  std::vector<uint32_t> path;
  for (uint32_t s = 0; s < diagram.shapes.size(); ++s) {
    const layout::Node &at = diagram.graph.nodes[s];
    if (at.isRow)
      pool(diagram, s);
    else if (at.isContainer)
      containers.push_back(s);
    for (uint32_t n = s; n != layout::none && depth[n] == layout::none;
         n = diagram.graph.nodes[n].parent)
      path.push_back(n);
    while (!path.empty()) {
      uint32_t parent = diagram.graph.nodes[path.back()].parent;
      depth[path.back()] = parent == layout::none ? 0 : depth[parent] + 1;
      path.pop_back();
    }
  }
  llvm::stable_sort(
      containers, [&](uint32_t a, uint32_t b) { return depth[a] < depth[b]; });
  auto isBehind = [](const DrawnDecoration &d) {
    return d.kind == DiagramLayout::Kind::Lane;
  };
  for (const DrawnDecoration &d : diagram.decorations)
    if (isBehind(d))
      decoration(d);
  for (uint32_t s : containers)
    shape(diagram, s);
  for (uint32_t e = 0; e < diagram.lines.size(); ++e)
    line(diagram, e);
  // Events at a border stand before what they are attached to.
  for (bool attached : {false, true})
    for (uint32_t s = 0; s < diagram.shapes.size(); ++s)
      if (const layout::Node &at = diagram.graph.nodes[s];
          !at.isRow && !at.isContainer &&
          (at.attachedTo != layout::none) == attached)
        shape(diagram, s);
  for (uint32_t l = 0; l < diagram.messageFlows.size(); ++l)
    messageFlow(diagram, l);
  for (const DrawnDecoration &d : diagram.decorations)
    if (!isBehind(d))
      decoration(d);
  canvas.drawBadges();
}

void SvgWriter::run(Budget &budget) {
  std::vector<Diagram> diagrams = makeDiagrams(module, layout, budget);
  if (budget.stopped())
    return;
  std::vector<SvgPage> pages;
  for (const Diagram &page : diagrams) {
    std::string name = "collaboration";
    if (page.isChoreography())
      name = ("choreography " + module.text(module.behaviours[page.only].name))
                 .str();
    pages.push_back({name, page.drawing.width, page.drawing.height,
                     [&] { diagram(page); }});
  }
  drawSvg(canvas, os, pages, options);
}

/// The lines of the legend: what the picture shows, and what its signs mean.
static std::vector<LegendLine> legendOf(const EmitOptions &options,
                                        Coord width) {
  std::vector<LegendLine> lines;
  Coord y = 0;
  auto add = [&](std::string badge, bool isMark, StringRef text, bool isTitle) {
    for (std::string &line :
         wrapText(text, std::max<Coord>(400, width - 110))) {
      lines.push_back(
          {std::exchange(badge, ""), std::move(line), isMark, isTitle, y});
      y += lineHeight;
    }
    y += 9;
  };
  if (options.caption.empty())
    return lines;
  add("", false, options.caption, /*isTitle=*/true);
  if (!options.highlight.empty())
    add("1", false, "the steps of the run, in their order", false);
  for (size_t i = 0; i < options.marks.size(); ++i)
    add(Highlights::letter(i), true, options.marks[i].text, false);
  return lines;
}

void cif::drawSvg(SvgCanvas &canvas, raw_ostream &os, ArrayRef<SvgPage> pages,
                  const EmitOptions &options) {
  const Coord title = 30;
  Coord width = 0, height = 0;
  for (const SvgPage &page : pages) {
    width = std::max(width, page.width);
    height += page.height + (pages.size() > 1 ? title : 0);
  }
  std::vector<LegendLine> legend = legendOf(options, width);
  const Coord pagesEnd = height;
  for (const LegendLine &line : legend)
    width = std::max(width, textWidth(line.text) + 110);
  if (!legend.empty())
    height += legend.back().y + 40;
  canvas.begin(width, height);
  if (!legend.empty()) {
    os << "<g class=\"legend\">\n";
    for (const LegendLine &line : legend)
      canvas.legendLine(pagesEnd + line.y, line.badge, line.isMark, line.text,
                        line.isTitle);
    os << "</g>\n";
  }
  Coord y = 0;
  for (const SvgPage &page : pages) {
    if (pages.size() > 1) {
      canvas.title({16, y, width - 32, title}, page.name);
      y += title;
    }
    os << "<g transform=\"translate(0 " << y << ")\">\n";
    page.draw();
    os << "</g>\n";
    y += page.height;
  }
  canvas.end();
}

bool cif::emitSvg(const Module &module, raw_ostream &os,
                  DiagnosticEngine &diags, const EmitOptions &options) {
  if (module.behaviours.empty()) {
    diags.report(diag::emit_nothing) << "svg"
                                     << "choreography, process or controller";
    return false;
  }
  if (!options.drawing.empty()) {
    FileDrawing drawing(options.drawing);
    if (!options.diagram.empty() && !drawing.choose(options.diagram, diags))
      return false;
    if (!options.diagram.empty() || drawing.isComplete()) {
      paintFile(drawing, module, os, options);
      return true;
    }
  }
  if (!checkFlows(module, diags))
    return false;
  Budget budget(options.semantics.runLimits);
  SvgWriter(module, os, options).run(budget);
  if (budget.stopped() && options.stopped)
    options.stopped(budget.limit());
  return !budget.stopped();
}
