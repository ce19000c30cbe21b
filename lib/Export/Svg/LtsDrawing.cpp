//===- LtsDrawing.cpp - A small LTS as a picture --------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The layout of diagrams places the states; a transition from a state to
/// itself is an arc above it, which the layout only has to leave room for.
///
//===----------------------------------------------------------------------===//

#include "cif/Export/Svg/LtsDrawing.h"
#include "SvgCanvas.h"
#include <map>

using namespace cif;
using layout::Coord;

bool cif::isDrawable(const Lts &lts) {
  return lts.numStates() && lts.numStates() <= maxDrawnStates &&
         lts.numTransitions() <= maxDrawnTransitions;
}

namespace {
constexpr Coord diameter = 36, arc = 26, margin = 20, labelWidth = 170;

/// What leads from a state to another: one arrow, a line for each label.
struct Arrow {
  std::string text;
  TextBlock block;
};
} // namespace

static std::map<std::pair<StateIndex, StateIndex>, Arrow>
arrowsOf(const Lts &lts) {
  std::map<std::pair<StateIndex, StateIndex>, Arrow> arrows;
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t) {
      std::string &text = arrows[{s, lts.target[t]}].text;
      text += (text.empty() ? "" : ", ") + labelText(lts.labels[lts.label[t]]);
    }
  for (auto &[ends, arrow] : arrows)
    arrow.block = textBlock(arrow.text, labelWidth, 4);
  return arrows;
}

static void openGroup(raw_ostream &os, StringRef kind, const std::string &id) {
  os << "<g class=\"" << kind << "\" data-id=\"";
  escapeXml(os, id, /*inAttribute=*/true);
  os << "\">\n";
}

static void circle(raw_ostream &os, const layout::Box &box, Coord inset,
                   StringRef style) {
  os << "<circle class=\"" << style
     << "\" fill=\"#ffffff\" stroke=\"#1f2328\" cx=\"" << box.centreX()
     << "\" cy=\"" << box.centreY() << "\" r=\"" << diameter / 2 - inset
     << "\"/>\n";
}

void cif::drawLts(raw_ostream &os, const Lts &lts, StringRef name) {
  auto arrows = arrowsOf(lts);
  layout::Graph graph;
  for (StateIndex s = 0; s < lts.numStates(); ++s) {
    layout::Node node;
    node.width = node.height = diameter;
    node.docking = layout::Docking::Sides;
    if (auto own = arrows.find({s, s}); own != arrows.end()) {
      Coord side = std::max<Coord>(0, (own->second.block.width - diameter) / 2);
      node.outside = {side, arc + own->second.block.height + 2, side, 0};
    }
    graph.nodes.push_back(node);
  }
  std::vector<const Arrow *> drawn;
  for (const auto &[ends, arrow] : arrows)
    if (ends.first != ends.second) {
      graph.edges.push_back(
          {ends.first, ends.second, arrow.block.width, arrow.block.height});
      drawn.push_back(&arrow);
    }
  layout::Drawing drawing = layout::draw(graph);
  SvgCanvas canvas(os);
  canvas.begin(drawing.width + 2 * margin, drawing.height + 2 * margin);
  os << "<g transform=\"translate(" << margin << ' ' << margin << ")\">\n";
  for (size_t e = 0; e < drawn.size(); ++e) {
    openGroup(os, "transition", "");
    canvas.polyline(drawing.routes[e].points, "line", "url(#cif-arrow)", "");
    canvas.text(drawn[e]->block, drawing.routes[e].label);
    os << "</g>\n";
  }
  for (StateIndex s = 0; s < lts.numStates(); ++s) {
    const layout::Box &box = drawing.boxes[s];
    if (auto own = arrows.find({s, s}); own != arrows.end()) {
      const TextBlock &block = own->second.block;
      std::string x = std::to_string(box.centreX() - 9),
                  y = std::to_string(box.y + 3);
      openGroup(os, "transition", "");
      os << "<path class=\"line\" fill=\"none\" stroke=\"#1f2328\" "
            "marker-end=\"url(#cif-arrow)\" d=\"M"
         << x << ' ' << y << "c-14 -34 32 -34 18 0\"/>\n";
      canvas.text(block,
                  {box.centreX() - block.width / 2, box.y - arc - block.height,
                   block.width, block.height});
      os << "</g>\n";
    }
    openGroup(os, s == lts.initial ? "state initial" : "state",
              ("state:" + name + ":" + Twine(s)).str());
    circle(os, box, 0, s == lts.initial ? "shape thick" : "shape");
    if (lts.saysFinal() && lts.isFinal(s))
      circle(os, box, 4, "line");
    canvas.text(textBlock(std::to_string(s), diameter, 1), box);
    os << "</g>\n";
  }
  os << "</g>\n";
  canvas.end();
}
