//===- SvgCanvas.h - BPMN's signs in SVG ----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_SVG_SVGCANVAS_H
#define CIF_LIB_EXPORT_SVG_SVGCANVAS_H

#include "Layout/Diagram.h"
#include "XmlWriter.h"

namespace cif {

/// Writes shapes; knows BPMN's notation and nothing of modules.
class SvgCanvas {
public:
  explicit SvgCanvas(raw_ostream &os) : os(os) {}

  void begin(layout::Coord width, layout::Coord height);
  void end() { os << "</svg>\n"; }

  void rectangle(const layout::Box &box, int radius, const char *style);
  void path(const Twine &data, const char *style);
  /// A choreography activity's band; the outer corners are round.
  void band(const layout::Box &box, bool first, bool last, const char *style);
  void envelope(const layout::Box &box, const char *style);
  void event(const layout::Box &box, const Node &node);
  void gateway(const layout::Box &box, NodeKind kind);
  /// A loop marker around a point.
  void marker(LoopKind kind, layout::Coord x, layout::Coord y);
  void polyline(ArrayRef<layout::Point> points, const char *style,
                const char *markerEnd, const char *markerStart);
  /// The sign of a default flow, at its start.
  void slash(ArrayRef<layout::Point> points);
  /// Lines of text in the middle of a box.
  void text(const TextBlock &block, const layout::Box &box);
  void verticalText(StringRef text, const layout::Box &box);
  void title(const layout::Box &box, StringRef text);
  void lane(const layout::Box &box, StringRef name);
  void annotation(const layout::Box &box, StringRef text);
  void dataObject(const layout::Box &box);
  void dataStore(const layout::Box &box);
  /// The sign of a task's type, e.g. `userTask`, in its upper left corner.
  void taskType(const layout::Box &box, StringRef type);
  /// The sign of an activity whose content is not shown.
  void plus(layout::Coord x, layout::Coord y);
  void badge(layout::Coord x, layout::Coord y, StringRef text);

  bool isStep = false; ///< what is drawn is a step of a witness

private:
  /// The class of a shape, with what it looks like where CSS is not known.
  std::string look(StringRef style) const;
  void triggerSign(layout::Coord x, layout::Coord y, Trigger trigger,
                   bool filled);
  raw_ostream &os;
};

} // namespace cif

#endif
