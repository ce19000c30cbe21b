//===- SvgCanvas.cpp - BPMN's signs in SVG --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SvgCanvas.h"

using namespace cif;
using layout::Box;
using layout::Coord;
using layout::Point;

static const char *const styleSheet = R"css(
.cif{--cif-ink:#1f2328;--cif-paper:#ffffff;--cif-fill:#ffffff;
--cif-other:#dfe3e8;--cif-step:#c2410c;--cif-step-fill:#ffedd5;
background:var(--cif-paper);font:12px Arial,Helvetica,sans-serif}
@media (prefers-color-scheme:dark){.cif{--cif-ink:#e6edf3;--cif-paper:#0d1117;
--cif-fill:#161b22;--cif-other:#30363d;--cif-step:#fb923c;
--cif-step-fill:#431407}}
.cif .shape{fill:var(--cif-fill);stroke:var(--cif-ink);stroke-width:1.5}
.cif .band{fill:var(--cif-fill);stroke:var(--cif-ink);stroke-width:1.5}
.cif .other{fill:var(--cif-other)}
.cif .line{fill:none;stroke:var(--cif-ink);stroke-width:1.5;
stroke-linejoin:round}
.cif .dashed{stroke-dasharray:7 5}
.cif .dotted{fill:none;stroke:var(--cif-ink);stroke-width:2;
stroke-dasharray:0 4;stroke-linecap:round}
.cif .icon{fill:var(--cif-fill);stroke:var(--cif-ink);stroke-width:1.2;
stroke-linejoin:round}
.cif .filled{fill:var(--cif-ink);stroke:var(--cif-fill)}
.cif .solid{fill:var(--cif-ink);stroke:none}
.cif text{fill:var(--cif-ink);text-anchor:middle}
.cif .title{font-weight:bold;text-anchor:start}
.cif .arrow{fill:var(--cif-ink)}
.cif .thick{stroke-width:4}
.cif .step .shape,.cif .step .band,.cif .step .line{stroke:var(--cif-step);
stroke-width:3}
.cif .step .shape{fill:var(--cif-step-fill)}
.cif .badge circle,.cif .badge rect{fill:var(--cif-step)}
.cif .badge text{fill:var(--cif-paper);font-weight:bold;font-size:11px}
)css";

void SvgCanvas::begin(Coord width, Coord height) {
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cif\" width=\""
     << width << "\" height=\"" << height << "\" viewBox=\"0 0 " << width << ' '
     << height << "\">\n<style>" << styleSheet
     << "</style>\n<defs>\n"
        "<marker id=\"cif-arrow\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" "
        "markerWidth=\"9\" markerHeight=\"9\" "
        "markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
        "<path class=\"arrow\" d=\"M0 1L10 5L0 9z\"/></marker>\n"
        "<marker id=\"cif-message-end\" viewBox=\"0 0 12 12\" refX=\"11\" "
        "refY=\"6\" markerWidth=\"11\" markerHeight=\"11\" "
        "markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
        "<path class=\"icon\" d=\"M1 2L11 6L1 10z\"/></marker>\n"
        "<marker id=\"cif-message-start\" viewBox=\"0 0 10 10\" refX=\"5\" "
        "refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" "
        "markerUnits=\"userSpaceOnUse\">"
        "<circle class=\"icon\" cx=\"5\" cy=\"5\" r=\"4\"/></marker>\n"
        "</defs>\n";
}

void SvgCanvas::rectangle(const Box &box, int radius, const char *style) {
  os << "<rect class=\"" << style << "\" x=\"" << box.x << "\" y=\"" << box.y
     << "\" width=\"" << box.width << "\" height=\"" << box.height << '"';
  if (radius)
    os << " rx=\"" << radius << '"';
  os << "/>\n";
}

void SvgCanvas::path(const Twine &data, const char *style) {
  os << "<path class=\"" << style << "\" d=\"" << data << "\"/>\n";
}

void SvgCanvas::band(const Box &box, bool first, bool last, const char *style) {
  int top = first ? 8 : 0, bottom = last ? 8 : 0;
  os << "<path class=\"" << style << "\" d=\"M" << box.x + top << ' ' << box.y
     << 'H' << box.right() - top << 'a' << top << ' ' << top << " 0 0 1 " << top
     << ' ' << top << 'V' << box.bottom() - bottom << 'a' << bottom << ' '
     << bottom << " 0 0 1 " << -bottom << ' ' << bottom << 'H' << box.x + bottom
     << 'a' << bottom << ' ' << bottom << " 0 0 1 " << -bottom << ' ' << -bottom
     << 'V' << box.y + top << 'a' << top << ' ' << top << " 0 0 1 " << top
     << ' ' << -top << "z\"/>\n";
}

void SvgCanvas::envelope(const Box &box, const char *style) {
  os << "<path class=\"" << style << "\" d=\"M" << box.x << ' ' << box.y << 'h'
     << box.width << 'v' << box.height << 'h' << -box.width << 'z' << 'M'
     << box.x << ' ' << box.y << 'L' << box.centreX() << ' '
     << box.y + box.height * 3 / 5 << 'L' << box.right() << ' ' << box.y
     << "\"/>\n";
}

void SvgCanvas::triggerSign(Coord x, Coord y, Trigger trigger, bool filled) {
  const char *style = filled ? "icon filled" : "icon";
  auto draw = [&](const char *data) {
    os << "<path class=\"" << style << "\" transform=\"translate(" << x << ' '
       << y << ")\" d=\"" << data << "\"/>\n";
  };
  switch (trigger) {
  case Trigger::None:
    return;
  case Trigger::Message:
    envelope({x - 9, y - 6, 18, 12}, style);
    return;
  case Trigger::Timer:
    style = "icon";
    draw("M10 0A10 10 0 1 1 -10 0A10 10 0 1 1 10 0zM0 -7V0L5 3M0 -10v2M0 8v2"
         "M-10 0h2M8 0h2");
    return;
  case Trigger::Signal:
    draw("M0 -9L9 7H-9z");
    return;
  case Trigger::Error:
    draw("M-8 8L-3 -6L2 2L8 -8L3 6L-2 -2z");
    return;
  case Trigger::Escalation:
    draw("M0 -9L7 8L0 1L-7 8z");
    return;
  case Trigger::Conditional:
    style = "icon";
    draw("M-7 -8h14v16h-14zM-4 -4h8M-4 0h8M-4 4h8");
    return;
  case Trigger::Link:
    draw("M-9 -4H1V-8L9 0L1 8V4H-9z");
    return;
  case Trigger::Compensation:
    draw("M0 -6V6L-8 0zM8 -6V6L0 0z");
    return;
  case Trigger::Cancel:
    draw("M-8 -5L-5 -8L0 -3L5 -8L8 -5L3 0L8 5L5 8L0 3L-5 8L-8 5L-3 0z");
    return;
  case Trigger::Multiple:
    draw("M0 -9L9 -2L5 8H-5L-9 -2z");
    return;
  case Trigger::Race:
    draw("M-8 -7L0 0L-8 7zM0 -7L8 0L0 7z");
    return;
  }
}

void SvgCanvas::event(const Box &box, const Node &node) {
  auto circle = [&](Coord radius, const char *style) {
    os << "<circle class=\"" << style << "\" cx=\"" << box.centreX()
       << "\" cy=\"" << box.centreY() << "\" r=\"" << radius << "\"/>\n";
  };
  const bool ends =
      node.kind == NodeKind::Final || node.kind == NodeKind::Terminate;
  const bool dashed = node.flags & NonInterrupting;
  circle(box.width / 2, ends     ? "shape thick"
                        : dashed ? "shape dashed"
                                 : "shape");
  if (node.kind == NodeKind::Catch || node.kind == NodeKind::Throw ||
      node.kind == NodeKind::Boundary || node.kind == NodeKind::Task)
    circle(box.width / 2 - 3, dashed ? "line dashed" : "line");
  if (node.kind == NodeKind::Terminate)
    circle(box.width / 2 - 7, "solid");
  triggerSign(box.centreX(), box.centreY(), node.trigger,
              ends || node.kind == NodeKind::Throw);
}

void SvgCanvas::gateway(const Box &box, NodeKind kind) {
  os << "<path class=\"shape\" d=\"M" << box.centreX() << ' ' << box.y << 'L'
     << box.right() << ' ' << box.centreY() << 'L' << box.centreX() << ' '
     << box.bottom() << 'L' << box.x << ' ' << box.centreY() << "z\"/>\n";
  os << "<g transform=\"translate(" << box.centreX() << ' ' << box.centreY()
     << ")\">";
  switch (kind) {
  case NodeKind::AllSelect:
  case NodeKind::AllJoin:
    os << "<path class=\"line thick\" d=\"M0 -13V13M-13 0H13\"/>";
    break;
  case NodeKind::SubsetSelect:
  case NodeKind::SubsetJoin:
    os << "<circle class=\"line\" r=\"12\" style=\"stroke-width:3\"/>";
    break;
  case NodeKind::EventChoice:
    os << "<circle class=\"line\" r=\"14\"/><circle class=\"line\" r=\"11\"/>"
          "<path class=\"line\" d=\"M0 -7L7 -1L4 6H-4L-7 -1z\"/>";
    break;
  default:
    os << "<path class=\"line thick\" d=\"M-8 -9L8 9M8 -9L-8 9\"/>";
  }
  os << "</g>\n";
}

void SvgCanvas::marker(LoopKind kind, Coord x, Coord y) {
  const char *data = nullptr;
  switch (kind) {
  case LoopKind::None:
    return;
  case LoopKind::Standard:
    data = "M-2 6A6 6 0 1 1 3 5M3 5V1M3 5H7";
    break;
  case LoopKind::MultiSequence:
    data = "M-6 -4H6M-6 0H6M-6 4H6";
    break;
  case LoopKind::MultiParallel:
    data = "M-4 -6V6M0 -6V6M4 -6V6";
    break;
  }
  os << "<path class=\"line\" transform=\"translate(" << x << ' ' << y
     << ")\" d=\"" << data << "\"/>\n";
}

void SvgCanvas::polyline(ArrayRef<Point> points, const char *style,
                         const char *markerEnd, const char *markerStart) {
  os << "<path class=\"" << style << "\" d=\"";
  for (size_t i = 0; i < points.size(); ++i)
    os << (i ? 'L' : 'M') << points[i].x << ' ' << points[i].y;
  os << "\" marker-end=\"" << markerEnd << '"';
  if (*markerStart)
    os << " marker-start=\"" << markerStart << '"';
  os << "/>\n";
}

void SvgCanvas::slash(ArrayRef<Point> points) {
  if (points.size() < 2)
    return;
  Point a = points[0], b = points[1];
  auto sign = [](Coord d) { return d > 0 ? 1 : d < 0 ? -1 : 0; };
  Coord x = a.x + 12 * sign(b.x - a.x), y = a.y + 12 * sign(b.y - a.y);
  os << "<path class=\"line\" d=\"M" << x - 4 << ' ' << y + 5 << 'L' << x + 4
     << ' ' << y - 5 << "\"/>\n";
}

void SvgCanvas::text(const TextBlock &block, const Box &box) {
  if (block.lines.empty())
    return;
  // The base line of the first line.
  Coord y = box.y + (box.height - block.height) / 2 + 11;
  os << "<text>";
  for (const std::string &line : block.lines) {
    os << "<tspan x=\"" << box.centreX() << "\" y=\"" << y << "\">";
    escapeXml(os, line, /*inAttribute=*/false);
    os << "</tspan>";
    y += lineHeight;
  }
  os << "</text>\n";
}

void SvgCanvas::verticalText(StringRef text, const Box &box) {
  TextBlock block = textBlock(text, box.height, 1);
  if (block.lines.empty())
    return;
  os << "<text transform=\"translate(" << box.centreX() + 4 << ' '
     << box.centreY() << ") rotate(-90)\">";
  escapeXml(os, block.lines[0], /*inAttribute=*/false);
  os << "</text>\n";
}

void SvgCanvas::title(const Box &box, StringRef text) {
  os << "<text class=\"title\" x=\"" << box.x << "\" y=\"" << box.bottom() - 8
     << "\">";
  escapeXml(os, text, /*inAttribute=*/false);
  os << "</text>\n";
}

void SvgCanvas::badge(Coord x, Coord y, StringRef text) {
  Coord width = std::max<Coord>(20, textWidth(text) + 10);
  os << "<g class=\"badge\"><rect x=\"" << x - width / 2 << "\" y=\"" << y - 10
     << "\" width=\"" << width << "\" height=\"20\" rx=\"10\"/><text x=\"" << x
     << "\" y=\"" << y + 4 << "\">" << text << "</text></g>\n";
}
