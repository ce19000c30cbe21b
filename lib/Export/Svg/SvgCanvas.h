//===- SvgCanvas.h - BPMN's signs in SVG ----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_SVG_SVGCANVAS_H
#define CIF_LIB_EXPORT_SVG_SVGCANVAS_H

#include "Highlights.h"
#include "Layout/Diagram.h"
#include "XmlWriter.h"

namespace cif {

/// What stands in a gateway's diamond.
enum class GatewaySign : uint8_t {
  None,
  Cross,
  Plus,
  Circle,
  Star,
  Event,
  EventStart,   ///< of an instance
  ParallelStart ///< by all of its events
};

/// Writes shapes; knows BPMN's notation and nothing of modules.
class SvgCanvas {
public:
  explicit SvgCanvas(raw_ostream &os) : os(os) {}

  void begin(layout::Coord width, layout::Coord height);
  void end() { os << "</svg>\n"; }

  /// Opens an element, with what there is to say of it; \p data become
  /// attributes data-NAME, unless they are empty.
  void open(StringRef kind, StringRef id, Highlight highlight = {},
            ArrayRef<std::pair<StringRef, std::string>> data = {});
  /// Puts the badges of the open element there: steps to the left, marks to the
  /// right.
  void badgesAt(layout::Coord left, layout::Coord right, layout::Coord y);
  void close();
  /// Badges stand before everything.
  void drawBadges();

  void rectangle(const layout::Box &box, int radius, const char *style);
  void path(const Twine &data, const char *style);
  /// A choreography activity's band; the outer corners are round.
  void band(const layout::Box &box, bool first, bool last, const char *style);
  void envelope(const layout::Box &box, const char *style);
  void event(const layout::Box &box, const Node &node);
  void gateway(const layout::Box &box, GatewaySign sign);
  /// The sign of an event that waits for several things together.
  void cross(const layout::Box &box);
  /// A loop marker around a point.
  void marker(LoopKind kind, layout::Coord x, layout::Coord y);
  void polyline(ArrayRef<layout::Point> points, const char *style,
                const char *markerEnd, const char *markerStart);
  /// The sign of a default flow, at its start.
  void slash(ArrayRef<layout::Point> points);
  /// Lines of text in the middle of a box.
  void text(const TextBlock &block, const layout::Box &box);
  /// A text beside what it names, in smaller letters: its lines are at most
  /// \p width long, and the first one is at \p top.
  void label(const TextBlock &block, layout::Coord centre, layout::Coord top);
  static TextBlock labelBlock(StringRef text, layout::Coord width);
  void verticalText(StringRef text, const layout::Box &box);
  void title(const layout::Box &box, StringRef text);
  void lane(const layout::Box &box, StringRef name, bool isVertical = false);
  void annotation(const layout::Box &box, StringRef text);
  void dataObject(const layout::Box &box);
  void dataStore(const layout::Box &box);
  /// The sign of a task's type, e.g. `userTask`, in its upper left corner.
  void taskType(const layout::Box &box, StringRef type);
  /// The sign of an activity whose content is not shown.
  void plus(layout::Coord x, layout::Coord y);
  /// The signs of compensation and of what has no order.
  void compensation(layout::Coord x, layout::Coord y);
  void tilde(layout::Coord x, layout::Coord y);
  void badge(layout::Coord x, layout::Coord y, StringRef text,
             bool isMark = false);
  /// A line of the legend: text from the left, behind a badge if there is one.
  void legendLine(layout::Coord y, StringRef badgeText, bool isMark,
                  StringRef text, bool isTitle);

  /// The source's own colours of what is drawn; empty for most.
  std::string ownFill, ownStroke;

private:
  /// The class of a shape, with what it looks like where CSS is not known.
  std::string look(StringRef style) const;
  void triggerSign(layout::Coord x, layout::Coord y, Trigger trigger,
                   bool filled);
  raw_ostream &os;
  Highlight current; ///< of the open element
  struct Badge {
    layout::Coord x, y;
    std::string text;
    bool isMark;
  };
  std::vector<Badge> badges;
};

} // namespace cif

#endif
