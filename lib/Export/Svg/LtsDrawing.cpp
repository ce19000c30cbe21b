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
  StateIndex from, to;
  std::string text;
  std::string inFull; ///< or empty
  TextBlock block;
};

using Arrows = std::map<std::pair<StateIndex, StateIndex>, Arrow>;
} // namespace

static Arrows arrowsOf(const Lts &lts, ArrayRef<std::string> inFull) {
  Arrows arrows;
  for (StateIndex s = 0; s < lts.numStates(); ++s)
    for (uint32_t t = lts.rowBegin[s]; t < lts.rowBegin[s + 1]; ++t) {
      Arrow &arrow = arrows[{s, lts.target[t]}];
      arrow.from = s;
      arrow.to = lts.target[t];
      const Label &label = lts.labels[lts.label[t]];
      arrow.text +=
          (arrow.text.empty() ? "" : ", ") +
          (label.kind == LabelKind::Plain ? label.message : labelText(label));
      if (!inFull.empty())
        arrow.inFull +=
            (arrow.inFull.empty() ? "" : "; ") + inFull[lts.label[t]];
    }
  for (auto &[ends, arrow] : arrows)
    arrow.block = textBlock(arrow.text, labelWidth, 4);
  return arrows;
}

static void openGroup(raw_ostream &os, StringRef kind, const Twine &id,
                      StringRef text) {
  os << "<g class=\"" << kind << "\" data-id=\"";
  escapeXml(os, id.str(), /*inAttribute=*/true);
  if (!text.empty()) {
    os << "\" data-text=\"";
    escapeXml(os, text, /*inAttribute=*/true);
  }
  os << "\">\n";
}

static void openArrow(raw_ostream &os, StringRef name, const Arrow &arrow) {
  openGroup(os, "transition",
            "step:" + name + ":" + Twine(arrow.from) + ":" + Twine(arrow.to),
            arrow.inFull);
}

/// A state is the initial one, or stuck: nothing leads on, and it is not said
/// to be an end.
static std::string kindOf(const Lts &lts, StateIndex s) {
  std::string kind = "state";
  if (s == lts.initial)
    kind += " initial";
  if (lts.saysFinal() && !lts.isFinal(s) && lts.targetsOf(s).empty())
    kind += " dead";
  return kind;
}

static void circle(raw_ostream &os, const layout::Box &box, Coord inset,
                   StringRef style) {
  os << "<circle class=\"" << style
     << "\" fill=\"#ffffff\" stroke=\"#1f2328\" cx=\"" << box.centreX()
     << "\" cy=\"" << box.centreY() << "\" r=\"" << diameter / 2 - inset
     << "\"/>\n";
}

void cif::drawLts(raw_ostream &os, const Lts &lts, StringRef name,
                  const LtsTexts &texts) {
  Arrows arrows = arrowsOf(lts, texts.labels);
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
    openArrow(os, name, *drawn[e]);
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
      openArrow(os, name, own->second);
      os << "<path class=\"line\" fill=\"none\" stroke=\"#1f2328\" "
            "marker-end=\"url(#cif-arrow)\" d=\"M"
         << x << ' ' << y << "c-14 -34 32 -34 18 0\"/>\n";
      canvas.text(block,
                  {box.centreX() - block.width / 2, box.y - arc - block.height,
                   block.width, block.height});
      os << "</g>\n";
    }
    openGroup(os, kindOf(lts, s), "state:" + name + ":" + Twine(s),
              texts.states.empty() ? "" : StringRef(texts.states[s]));
    circle(os, box, 0, s == lts.initial ? "shape thick" : "shape");
    if (lts.saysFinal() && lts.isFinal(s))
      circle(os, box, 4, "line");
    canvas.text(textBlock(std::to_string(s), diameter, 1), box);
    os << "</g>\n";
  }
  os << "</g>\n";
  canvas.end();
}
