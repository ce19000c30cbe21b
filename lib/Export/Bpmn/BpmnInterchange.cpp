//===- BpmnInterchange.cpp - BPMN's diagram interchange -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Shapes, edges and labels [bpmn20, 12]. Bands of choreography activities are
/// shapes of participants that name the activity's shape; viewers draw the
/// envelope of a band whose message is visible.
///
//===----------------------------------------------------------------------===//

#include "BpmnWriter.h"

using namespace cif;
using layout::Box;

void BpmnWriter::interchange(const Diagram &diagram) {
  xml.open("bpmndi:BPMNDiagram")
      .attribute("id", ids.fresh("BPMNDiagram_" + diagram.id));
  xml.open("bpmndi:BPMNPlane")
      .attribute("id", ids.fresh("BPMNPlane_" + diagram.id))
      .attribute("bpmnElement", diagram.id);
  for (uint32_t s = 0; s < diagram.shapes.size(); ++s)
    shape(diagram, s);
  for (size_t e = 0; e < diagram.lines.size(); ++e) {
    const Line &line = diagram.lines[e];
    const Behaviour &behaviour = module.behaviours[line.behaviour];
    const Flow &flow = behaviour.flow(line.flow);
    if (followsLink(behaviour, flow))
      continue;
    edge(ids.flow(line.behaviour, line.flow.index()), diagram.drawing.routes[e],
         !flow.name.empty());
  }
  for (size_t l = 0; l < diagram.messageFlows.size(); ++l)
    edge(diagram.messageFlows[l].id, diagram.drawing.links[l],
         !diagram.messageFlows[l].text.lines.empty());
  xml.close();
  xml.close();
}

void BpmnWriter::bounds(const Box &box) {
  xml.open("dc:Bounds")
      .attribute("x", box.x)
      .attribute("y", box.y)
      .attribute("width", box.width)
      .attribute("height", box.height)
      .close();
}

void BpmnWriter::label(const Box &box) {
  xml.open("bpmndi:BPMNLabel");
  bounds(box);
  xml.close();
}

void BpmnWriter::shape(const Diagram &diagram, uint32_t s) {
  const Shape &shape = diagram.shapes[s];
  StringRef element = shape.figure == Figure::Pool
                          ? StringRef(diagram.pools[s].id)
                          : ids.node(shape.behaviour, shape.node);
  std::string id = ids.fresh(element + "_di");
  xml.open("bpmndi:BPMNShape")
      .attribute("id", id)
      .attribute("bpmnElement", element);
  if (shape.figure == Figure::Pool)
    xml.attribute("isHorizontal", "true");
  if (shape.figure == Figure::Container ||
      shape.figure == Figure::SubChoreography)
    xml.attribute("isExpanded", "true");
  if (shape.figure == Figure::Gateway) {
    NodeKind kind = module.behaviours[shape.behaviour].node(shape.node).kind;
    if (kind == NodeKind::Choice || kind == NodeKind::DominatedChoice ||
        kind == NodeKind::SimpleJoin || kind == NodeKind::EventChoice)
      xml.attribute("isMarkerVisible", "true");
  }
  bounds(diagram.drawing.boxes[s]);
  if (shape.textOutside && !shape.text.lines.empty())
    label(shape.textBox);
  xml.close();
  bands(diagram, s, id);
}

void BpmnWriter::bands(const Diagram &diagram, uint32_t s, StringRef shapeId) {
  const Shape &shape = diagram.shapes[s];
  size_t count = shape.bands.size();
  for (size_t i = 0; i < count; ++i) {
    const char *kinds[3][2] = {{"top_initiating", "top_non_initiating"},
                               {"middle_initiating", "middle_non_initiating"},
                               {"bottom_initiating", "bottom_non_initiating"}};
    size_t where = i == 0 ? 0 : i + 1 == count ? 2 : 1;
    bool visible = shape.figure == Figure::ChoreographyTask &&
                   (i == 0 ? !shape.envelope.lines.empty()
                           : !shape.replyEnvelope.lines.empty());
    const std::string &participant =
        diagram.participantIds[shape.bands[i].index()];
    xml.open("bpmndi:BPMNShape")
        .attribute("id", ids.fresh(shapeId + "_" + participant))
        .attribute("bpmnElement", participant)
        .attribute("choreographyActivityShape", shapeId)
        .attribute("participantBandKind", kinds[where][i != 0])
        .attribute("isMessageVisible", visible ? "true" : "false");
    bounds(diagram.bandBox(s, i));
    xml.close();
  }
}

void BpmnWriter::edge(StringRef element, const layout::Route &route,
                      bool labelled) {
  xml.open("bpmndi:BPMNEdge")
      .attribute("id", ids.fresh(element + "_di"))
      .attribute("bpmnElement", element);
  for (const layout::Point &p : route.points)
    xml.open("di:waypoint").attribute("x", p.x).attribute("y", p.y).close();
  if (labelled && route.label.width)
    label(route.label);
  xml.close();
}
