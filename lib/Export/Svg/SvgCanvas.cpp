//===- SvgCanvas.cpp - BPMN's signs in SVG --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SvgCanvas.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace cif;
using layout::Box;
using layout::Coord;
using layout::Point;

static constexpr Coord labelHeight = 13; ///< of an 11 pixel font

static const char *const styleSheet = R"css(
.cif{--cif-ink:#1f2328;--cif-paper:#ffffff;--cif-fill:#ffffff;
--cif-other:#dfe3e8;--cif-step:#c2410c;--cif-step-fill:#ffedd5;
--cif-mark:#b3123f;--cif-mark-fill:#ffe0e9;
background:var(--cif-paper);font:12px Arial,Helvetica,sans-serif}
@media (prefers-color-scheme:dark){.cif{--cif-ink:#e6edf3;--cif-paper:#0d1117;
--cif-fill:#161b22;--cif-other:#30363d;--cif-step:#fb923c;
--cif-step-fill:#431407;--cif-mark:#ff7a9f;--cif-mark-fill:#4c0519}}
.cif .paper{fill:var(--cif-paper)}
.cif .shape{fill:var(--cif-fill);stroke:var(--cif-ink);stroke-width:2}
.cif .band{fill:var(--cif-fill);stroke:var(--cif-ink);stroke-width:2}
.cif .other{fill:var(--cif-other)}
.cif .line{fill:none;stroke:var(--cif-ink);stroke-width:2;
stroke-linejoin:round}
.cif .thin{stroke-width:1.5}
.cif .dashed{stroke-dasharray:7 5}
.cif .dots{stroke-width:2.5;stroke-dasharray:0 6;stroke-linecap:round}
.cif .dotted{fill:none;stroke:var(--cif-ink);stroke-width:2;
stroke-dasharray:0 4;stroke-linecap:round}
.cif .faint{fill:none;stroke:var(--cif-ink);stroke-width:1.5;
stroke-dasharray:8 4 2 4}
.cif .icon{fill:var(--cif-fill);stroke:var(--cif-ink);stroke-width:1.2;
stroke-linejoin:round}
.cif .filled{fill:var(--cif-ink);stroke:var(--cif-fill)}
.cif .solid{fill:var(--cif-ink);stroke:none}
.cif text{fill:var(--cif-ink);text-anchor:middle}
.cif .note{text-anchor:start}
.cif .title{font-weight:bold;text-anchor:start}
.cif .arrow{fill:var(--cif-ink)}
.cif .thick{stroke-width:4}
.cif .step .shape,.cif .step .band,.cif .step .line{stroke:var(--cif-step);
stroke-width:3}
.cif .step .shape{fill:var(--cif-step-fill)}
.cif .badge circle,.cif .badge rect{fill:var(--cif-step)}
.cif .mark .shape,.cif .mark .band,.cif .mark .line{stroke:var(--cif-mark);
stroke-width:3}
.cif .mark .shape{fill:var(--cif-mark-fill)}
.cif .badge.about rect{fill:var(--cif-mark)}
.cif .badge text{fill:var(--cif-paper);font-weight:bold;font-size:11px}
.cif .label{font-size:11px}
)css";

// The same without CSS: what the style sheet says in light surroundings. Tools
// that know neither variables nor classes show these.
static const char
    *const ink = "#1f2328",
           *const paper = "#ffffff", *const otherFill = "#dfe3e8",
           *const stepInk = "#c2410c", *const stepFill = "#ffedd5",
           *const markInk = "#b3123f", *const markFill = "#ffe0e9";

std::string SvgCanvas::look(StringRef style) const {
  std::string fill = paper, stroke = ink, width = "2", more;
  bool canStep = false, hasOwn = false;
  for (StringRef rest = style, word; !rest.empty();) {
    std::tie(word, rest) = rest.split(' ');
    if (word == "shape" || word == "band") {
      canStep = true;
    } else if (word == "other") {
      fill = otherFill;
    } else if (word == "line") {
      fill = "none";
      canStep = true;
      more += " stroke-linejoin=\"round\"";
    } else if (word == "dashed") {
      more += " stroke-dasharray=\"7 5\"";
    } else if (word == "dots") {
      width = "2.5";
      more += " stroke-dasharray=\"0 6\" stroke-linecap=\"round\"";
    } else if (word == "dotted") {
      fill = "none";
      width = "2";
      more += " stroke-dasharray=\"0 4\" stroke-linecap=\"round\"";
    } else if (word == "thin") {
      width = "1.5";
    } else if (word == "faint") {
      fill = "none";
      width = "1.5";
      more += " stroke-dasharray=\"8 4 2 4\"";
    } else if (word == "icon") {
      hasOwn = true;
      width = "1.2";
      more += " stroke-linejoin=\"round\"";
    } else if (word == "filled") {
      hasOwn = false;
      fill = ink;
      stroke = paper;
    } else if (word == "solid" || word == "arrow") {
      fill = ink;
      stroke = "none";
    } else if (word == "thick") {
      width = "4";
    }
  }
  const bool isMark = !current.marks.empty();
  if (!current.empty() && canStep) {
    stroke = isMark ? markInk : stepInk;
    width = "3";
    if (style.starts_with("shape"))
      fill = isMark ? markFill : stepFill;
  } else if ((canStep || hasOwn) && (!ownFill.empty() || !ownStroke.empty())) {
    // A style, as classes would prevail over plain attributes.
    std::string own;
    if (!ownFill.empty() && fill == paper)
      own += "fill:" + ownFill + ";";
    if (!ownStroke.empty())
      own += "stroke:" + ownStroke;
    if (!own.empty())
      more += " style=\"" + own + "\"";
  }
  return (" class=\"" + style + "\" fill=\"" + fill + "\" stroke=\"" + stroke +
          "\" stroke-width=\"" + width + "\"" + more)
      .str();
}

void SvgCanvas::begin(Coord width, Coord height) {
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cif\" width=\""
     << width << "\" height=\"" << height << "\" viewBox=\"0 0 " << width << ' '
     << height
     << "\" font-family=\"Arial,Helvetica,sans-serif\" font-size=\"12\" "
        "text-anchor=\"middle\" fill=\""
     << ink << "\">\n<style>" << styleSheet
     << "</style>\n<rect class=\"paper\" fill=\"" << paper << "\" width=\""
     << width << "\" height=\"" << height
     << "\"/>\n<defs>\n"
        "<marker id=\"cif-arrow\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" "
        "markerWidth=\"10\" markerHeight=\"10\" "
        "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path"
     << look("arrow")
     << " d=\"M0 0L10 5L0 10z\"/></marker>\n"
        "<marker id=\"cif-open\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" "
        "markerWidth=\"9\" markerHeight=\"9\" "
        "markerUnits=\"userSpaceOnUse\" orient=\"auto-start-reverse\"><path"
     << look("line")
     << " d=\"M1 1L9 5L1 9\"/></marker>\n"
        "<marker id=\"cif-condition\" viewBox=\"0 0 16 10\" refX=\"0\" "
        "refY=\"5\" markerWidth=\"16\" markerHeight=\"10\" "
        "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path"
     << look("icon")
     << " d=\"M1 5L8 1L15 5L8 9z\"/></marker>\n"
        "<marker id=\"cif-message-end\" viewBox=\"0 0 12 12\" refX=\"11\" "
        "refY=\"6\" markerWidth=\"11\" markerHeight=\"11\" "
        "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path"
     << look("icon")
     << " d=\"M1 2L11 6L1 10z\"/></marker>\n"
        "<marker id=\"cif-message-start\" viewBox=\"0 0 10 10\" refX=\"5\" "
        "refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" "
        "markerUnits=\"userSpaceOnUse\"><circle"
     << look("icon")
     << " cx=\"5\" cy=\"5\" r=\"4\"/></marker>\n"
        "</defs>\n";
}

void SvgCanvas::open(StringRef kind, StringRef id, Highlight highlight,
                     ArrayRef<std::pair<StringRef, std::string>> data) {
  current = std::move(highlight);
  os << "<g class=\"" << kind << (current.steps.empty() ? "" : " step")
     << (current.marks.empty() ? "" : " mark") << "\" data-id=\"";
  escapeXml(os, id, /*inAttribute=*/true);
  for (const auto &[name, value] : data)
    if (!value.empty()) {
      os << "\" data-" << name << "=\"";
      escapeXml(os, value, /*inAttribute=*/true);
    }
  os << "\">\n";
}

void SvgCanvas::badgesAt(Coord left, Coord right, Coord y) {
  if (!current.steps.empty())
    badges.push_back({left, y, current.steps, false});
  if (!current.marks.empty())
    badges.push_back({right, y, current.marks, true});
}

void SvgCanvas::close() {
  os << "</g>\n";
  current = {};
  ownFill.clear();
  ownStroke.clear();
}

void SvgCanvas::drawBadges() {
  for (const Badge &b : badges)
    badge(b.x, b.y, b.text, b.isMark);
  badges.clear();
}

void SvgCanvas::rectangle(const Box &box, int radius, const char *style) {
  os << "<rect" << look(style) << " x=\"" << box.x << "\" y=\"" << box.y
     << "\" width=\"" << box.width << "\" height=\"" << box.height << '"';
  if (radius)
    os << " rx=\"" << radius << '"';
  os << "/>\n";
}

void SvgCanvas::path(const Twine &data, const char *style) {
  os << "<path" << look(style) << " d=\"" << data << "\"/>\n";
}

void SvgCanvas::band(const Box &box, bool first, bool last, const char *style) {
  int top = first ? 8 : 0, bottom = last ? 8 : 0;
  os << "<path" << look(style) << " d=\"M" << box.x + top << ' ' << box.y << 'H'
     << box.right() - top << 'a' << top << ' ' << top << " 0 0 1 " << top << ' '
     << top << 'V' << box.bottom() - bottom << 'a' << bottom << ' ' << bottom
     << " 0 0 1 " << -bottom << ' ' << bottom << 'H' << box.x + bottom << 'a'
     << bottom << ' ' << bottom << " 0 0 1 " << -bottom << ' ' << -bottom << 'V'
     << box.y + top << 'a' << top << ' ' << top << " 0 0 1 " << top << ' '
     << -top << "z\"/>\n";
}

void SvgCanvas::envelope(const Box &box, const char *style) {
  os << "<path" << look(style) << " d=\"M" << box.x << ' ' << box.y << 'h'
     << box.width << 'v' << box.height << 'h' << -box.width << 'z'
     << 'M'
     // The way round that the rest goes, else a filled one had a hole.
     << box.right() << ' ' << box.y << 'L' << box.centreX() << ' '
     << box.y + box.height * 3 / 5 << 'L' << box.x << ' ' << box.y << "\"/>\n";
}

void SvgCanvas::triggerSign(Coord x, Coord y, Trigger trigger, bool filled) {
  // By trigger.
  static const char *const signs[] = {
      "",
      "",
      ("M10 0A10 10 0 1 1 -10 0A10 10 0 1 1 10 0zM0 -7V0L5 3M0 -10v2M0 8v2"
       "M-10 0h2M8 0h2"),
      "M0 -9L9 7H-9z",
      "M-8 8L-3 -8L3 1L8 -8L3 8L-3 -1z",
      "M0 -9L7 8L0 1L-7 8z",
      "M-7 -8h14v16h-14zM-4 -4h8M-4 0h8M-4 4h8",
      "M-9 -4H1V-8L9 0L1 8V4H-9z",
      "M0 -6V6L-8 0zM8 -6V6L0 0z",
      "M-8 -5L-5 -8L0 -3L5 -8L8 -5L3 0L8 5L5 8L0 3L-5 8L-8 5L-3 0z",
      "M0 -9L9 -2L5 8H-5L-9 -2z",
      "M-8 -7L0 0L-8 7zM0 -7L8 0L0 7z"};
  // Clocks and lists show their lines, as envelopes do; thin signs would lose
  // theirs.
  const bool isOpen =
      !filled || trigger == Trigger::Timer || trigger == Trigger::Conditional;
  if (trigger == Trigger::Message)
    envelope({x - 9, y - 6, 18, 12}, isOpen ? "icon" : "icon filled");
  else if (trigger != Trigger::None)
    os << "<path" << look(isOpen ? "icon" : "solid")
       << " transform=\"translate(" << x << ' ' << y << ")\" d=\""
       << signs[static_cast<unsigned>(trigger)] << "\"/>\n";
}

void SvgCanvas::event(const Box &box, const Node &node) {
  auto circle = [&](Coord radius, const char *style) {
    os << "<circle" << look(style) << " cx=\"" << box.centreX() << "\" cy=\""
       << box.centreY() << "\" r=\"" << radius << "\"/>\n";
  };
  const bool ends =
      node.kind == NodeKind::Final || node.kind == NodeKind::Terminate;
  const bool dashed = node.flags & NonInterrupting;
  const bool isDouble =
      node.kind == NodeKind::Catch || node.kind == NodeKind::Throw ||
      node.kind == NodeKind::Boundary || node.kind == NodeKind::Task;
  circle(box.width / 2, ends                 ? "shape thick"
                        : dashed && isDouble ? "shape dashed thin"
                        : dashed             ? "shape dashed"
                        : isDouble           ? "shape thin"
                                             : "shape");
  if (isDouble)
    circle(box.width / 2 - 3, dashed ? "line dashed thin" : "line thin");
  const bool filled = ends || node.kind == NodeKind::Throw;
  const Coord usual = 36; // which signs are made for
  if (node.kind == NodeKind::Terminate)
    circle(box.width * 11 / usual, "solid");
  if (box.width == usual || node.trigger == Trigger::None) {
    triggerSign(box.centreX(), box.centreY(), node.trigger, filled);
    return;
  }
  os << "<g transform=\"translate(" << box.centreX() << ' ' << box.centreY()
     << ") scale(" << llvm::format("%.2f", double(box.width) / usual)
     << ")\">\n";
  triggerSign(0, 0, node.trigger, filled);
  os << "</g>\n";
}

void SvgCanvas::gateway(const Box &box, GatewaySign sign) {
  os << "<path" << look("shape") << " d=\"M" << box.centreX() << ' ' << box.y
     << 'L' << box.right() << ' ' << box.centreY() << 'L' << box.centreX()
     << ' ' << box.bottom() << 'L' << box.x << ' ' << box.centreY()
     << "z\"/>\n";
  if (sign == GatewaySign::None)
    return;
  os << "<g transform=\"translate(" << box.centreX() << ' ' << box.centreY()
     << ")\">";
  switch (sign) {
  case GatewaySign::None:
    break;
  case GatewaySign::Plus:
    os << "<path" << look("line thick") << " d=\"M0 -13V13M-13 0H13\"/>";
    break;
  case GatewaySign::Circle:
    os << "<circle" << look("line thick") << " r=\"12\"/>";
    break;
  case GatewaySign::Event:
    os << "<circle" << look("line") << " r=\"14\"/>";
    [[fallthrough]];
  case GatewaySign::EventStart:
    os << "<circle" << look("line") << " r=\"11\"/><path" << look("line")
       << " d=\"M0 -7L7 -1L4 6H-4L-7 -1z\"/>";
    break;
  case GatewaySign::ParallelStart:
    os << "<circle" << look("line") << " r=\"11\"/><path" << look("line")
       << " d=\"M-2 -7H2V-2H7V2H2V7H-2V2H-7V-2H-2z\"/>";
    break;
  case GatewaySign::Star:
    os << "<path" << look("line thick")
       << " d=\"M0 -13V13M-13 0H13M-9 -9L9 9M9 -9L-9 9\"/>";
    break;
  case GatewaySign::Cross:
    os << "<path" << look("line thick") << " d=\"M-8 -9L8 9M8 -9L-8 9\"/>";
  }
  os << "</g>\n";
}

void SvgCanvas::cross(const Box &box) {
  os << "<path" << look("icon") << " transform=\"translate(" << box.centreX()
     << ' ' << box.centreY()
     << ")\" d=\"M-3 -9H3V-3H9V3H3V9H-3V3H-9V-3H-3z\"/>\n";
}

void SvgCanvas::marker(LoopKind kind, Coord x, Coord y) {
  if (kind == LoopKind::None)
    return;
  const char *data =
      kind == LoopKind::Standard        ? "M2 6A6 6 0 1 0 -3 5M-3 5V1M-3 5H-7"
      : kind == LoopKind::MultiSequence ? "M-6 -4H6M-6 0H6M-6 4H6"
                                        : "M-4 -6V6M0 -6V6M4 -6V6";
  os << "<path" << look("line") << " transform=\"translate(" << x << ' ' << y
     << ")\" d=\"" << data << "\"/>\n";
}

void SvgCanvas::polyline(ArrayRef<Point> points, const char *style,
                         const char *markerEnd, const char *markerStart) {
  os << "<path" << look(style) << " d=\"";
  // Corners are round where there is room for it.
  const Coord round = 5;
  auto length = [&](size_t i) {
    return std::hypot(points[i].x - points[i - 1].x,
                      points[i].y - points[i - 1].y);
  };
  auto towards = [&](size_t i, size_t j) {
    double part = round / std::hypot(points[j].x - points[i].x,
                                     points[j].y - points[i].y);
    os << points[i].x + static_cast<Coord>(
                            std::lround((points[j].x - points[i].x) * part))
       << ' '
       << points[i].y + static_cast<Coord>(
                            std::lround((points[j].y - points[i].y) * part));
  };
  for (size_t i = 0; i < points.size(); ++i) {
    os << (i ? 'L' : 'M');
    if (i == 0 || i + 1 == points.size() || length(i) < 2 * round ||
        length(i + 1) < 2 * round) {
      os << points[i].x << ' ' << points[i].y;
      continue;
    }
    towards(i, i - 1);
    os << 'Q' << points[i].x << ' ' << points[i].y << ' ';
    towards(i, i + 1);
  }
  os << '"';
  if (*markerEnd)
    os << " marker-end=\"" << markerEnd << '"';
  if (*markerStart)
    os << " marker-start=\"" << markerStart << '"';
  os << "/>\n";
}

void SvgCanvas::slash(ArrayRef<Point> points) {
  if (points.size() < 2)
    return;
  Point a = points[0], b = points[1];
  double dx = double(b.x - a.x), dy = double(b.y - a.y);
  double length = std::max(1.0, std::sqrt(dx * dx + dy * dy));
  Coord x = a.x + static_cast<Coord>(12 * dx / length),
        y = a.y + static_cast<Coord>(12 * dy / length);
  os << "<path" << look("line") << " d=\"M" << x - 4 << ' ' << y + 5 << 'L'
     << x + 4 << ' ' << y - 5 << "\"/>\n";
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

TextBlock SvgCanvas::labelBlock(StringRef text, Coord width) {
  TextBlock block = textBlock(text, width * 12 / 11, 8);
  block.width = block.width * 11 / 12;
  block.height = Coord(block.lines.size()) * labelHeight;
  return block;
}

void SvgCanvas::label(const TextBlock &block, Coord centre, Coord top) {
  if (block.lines.empty())
    return;
  Coord y = top + 11;
  os << "<text class=\"label\" font-size=\"11\">";
  for (const std::string &line : block.lines) {
    os << "<tspan x=\"" << centre << "\" y=\"" << y << "\">";
    escapeXml(os, line, /*inAttribute=*/false);
    os << "</tspan>";
    y += labelHeight;
  }
  os << "</text>\n";
}

void SvgCanvas::verticalText(StringRef text, const Box &box) {
  size_t most = std::max<Coord>(1, box.width / lineHeight);
  TextBlock block = textBlock(text, std::max<Coord>(20, box.height - 6), most);
  if (block.lines.empty())
    return;
  Coord y = 4 - (Coord(block.lines.size()) - 1) * (lineHeight - 1) / 2;
  os << "<text transform=\"translate(" << box.centreX() << ' ' << box.centreY()
     << ") rotate(-90)\">";
  for (const std::string &line : block.lines) {
    os << "<tspan x=\"0\" y=\"" << y << "\">";
    escapeXml(os, line, /*inAttribute=*/false);
    os << "</tspan>";
    y += lineHeight - 1;
  }
  os << "</text>\n";
}

void SvgCanvas::title(const Box &box, StringRef text) {
  os << "<text class=\"title\" font-weight=\"bold\" text-anchor=\"start\" x=\""
     << box.x << "\" y=\"" << box.bottom() - 8 << "\">";
  escapeXml(os, text, /*inAttribute=*/false);
  os << "</text>\n";
}

void SvgCanvas::badge(Coord x, Coord y, StringRef text, bool isMark) {
  Coord width = std::max<Coord>(20, textWidth(text) + 10);
  os << "<g class=\"badge" << (isMark ? " about" : "") << "\"><rect fill=\""
     << (isMark ? markInk : stepInk) << "\" x=\"" << x - width / 2 << "\" y=\""
     << y - 10 << "\" width=\"" << width
     << "\" height=\"20\" rx=\"10\"/><text font-weight=\"bold\" fill=\""
     << paper << "\" x=\"" << x << "\" y=\"" << y + 4 << "\">" << text
     << "</text></g>\n";
}

void SvgCanvas::legendLine(Coord y, StringRef badgeText, bool isMark,
                           StringRef text, bool isTitle) {
  if (!badgeText.empty())
    badge(50, y + 7, badgeText, isMark);
  os << "<text class=\"" << (isTitle ? "title" : "note")
     << "\" text-anchor=\"start\"" << (isTitle ? " font-weight=\"bold\"" : "")
     << " x=\"" << (isTitle ? 40 : 70) << "\" y=\"" << y + 11 << "\">";
  escapeXml(os, text, /*inAttribute=*/false);
  os << "</text>\n";
}

void SvgCanvas::lane(const Box &box, StringRef name, bool isVertical) {
  rectangle(box, 0, "line thin");
  if (isVertical)
    text(textBlock(name, std::max<Coord>(20, box.width - 6), 2),
         {box.x, box.y, box.width, poolHeader});
  else
    verticalText(name, {box.x, box.y, poolHeader, box.height});
}

void SvgCanvas::annotation(const Box &box, StringRef note) {
  path("M" + Twine(box.x + 10) + " " + Twine(box.y) + "H" + Twine(box.x) + "v" +
           Twine(box.height) + "h10",
       "line");
  TextBlock block = textBlock(note, std::max<Coord>(20, box.width - 10), 20);
  Coord y = box.y + 15;
  for (const std::string &line : block.lines) {
    os << "<text class=\"note\" text-anchor=\"start\" x=\"" << box.x + 6
       << "\" y=\"" << y << "\">";
    escapeXml(os, line, /*inAttribute=*/false);
    os << "</text>\n";
    y += lineHeight;
  }
}

void SvgCanvas::dataObject(const Box &box) {
  Coord fold = std::min<Coord>(12, box.width / 3);
  path("M" + Twine(box.x) + " " + Twine(box.y) + "h" + Twine(box.width - fold) +
           "l" + Twine(fold) + " " + Twine(fold) + "V" + Twine(box.bottom()) +
           "H" + Twine(box.x) + "zM" + Twine(box.right() - fold) + " " +
           Twine(box.y) + "v" + Twine(fold) + "h" + Twine(fold),
       "shape");
}

void SvgCanvas::dataStore(const Box &box) {
  Coord half = box.width / 2, ring = std::max<Coord>(3, box.height / 8);
  std::string arc = ("a" + Twine(half) + " " + Twine(ring) + " 0 0 ").str();
  Coord width = 2 * half;
  path("M" + Twine(box.x) + " " + Twine(box.y + ring) + arc + "1 " +
           Twine(width) + " 0V" + Twine(box.bottom() - ring) + arc + "1 " +
           Twine(-width) + " 0zM" + Twine(box.x) + " " + Twine(box.y + ring) +
           arc + "0 " + Twine(width) + " 0M" + Twine(box.x) + " " +
           Twine(box.y + 2 * ring) + arc + "0 " + Twine(width) + " 0M" +
           Twine(box.x) + " " + Twine(box.y + 3 * ring) + arc + "0 " +
           Twine(width) + " 0",
       "shape");
}

void SvgCanvas::taskType(const Box &box, StringRef type) {
  auto draw = [&](const char *data, const char *style) {
    os << "<path" << look(style) << " transform=\"translate(" << box.x + 8
       << ' ' << box.y + 7 << ")\" d=\"" << data << "\"/>\n";
  };
  if (type == "userTask")
    draw("M1 15V12Q1 8 5 8H9Q13 8 13 12V15zM10.5 4.5A3.5 3.5 0 1 1 3.5 4.5A3.5 "
         "3.5 0 1 1 10.5 4.5z",
         "icon");
  else if (type == "manualTask")
    draw("M1 7L6 2Q7 1 8 3L6 5H15V7H8M15 7V9H8M15 9V11H8M14 11V13H4Q1 13 1 10z",
         "icon");
  else if (type == "serviceTask")
    draw("M6 0H9L9.5 2.5L11.5 3.5L14 2L15 5L13 6.5V8.5L15 10L13.5 13L11 "
         "12L9.5 13L9 15H6L5.5 13L3.5 12L1 13L0 10L2 8.5V6.5L0 5L1 2L3.5 "
         "3.5L5.5 2.5zM10 7.5A2.5 2.5 0 1 1 5 7.5A2.5 2.5 0 1 1 10 7.5z",
         "icon");
  else if (type == "scriptTask")
    draw("M4 1H14Q9 5 12 8Q14 12 10 15H0Q5 11 2 8Q0 4 4 1zM4 5H9M4 8H10M5 "
         "11H10",
         "icon");
  else if (type == "businessRuleTask")
    draw("M0 1H16V14H0zM0 5H16M0 9.5H16M5 5V14", "icon");
  else if (type == "sendTask")
    envelope({box.x + 7, box.y + 6, 18, 13}, "icon filled");
  else if (type == "receiveTask")
    envelope({box.x + 7, box.y + 6, 18, 13}, "icon");
}

void SvgCanvas::plus(Coord x, Coord y) {
  path("M" + Twine(x - 7) + " " + Twine(y - 7) + "h14v14h-14zM" + Twine(x) +
           " " + Twine(y - 4) + "v8M" + Twine(x - 4) + " " + Twine(y) + "h8",
       "line");
}

void SvgCanvas::compensation(Coord x, Coord y) {
  path("M" + Twine(x) + " " + Twine(y - 5) + "v10l-6 -5zM" + Twine(x + 6) +
           " " + Twine(y - 5) + "v10l-6 -5z",
       "icon");
}

void SvgCanvas::tilde(Coord x, Coord y) {
  path("M" + Twine(x - 6) + " " + Twine(y + 2) + "q3 -6 6 -2t6 -2", "line");
}
