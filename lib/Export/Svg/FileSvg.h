//===- FileSvg.h - A BPMN file's own drawing as SVG -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_SVG_FILESVG_H
#define CIF_LIB_EXPORT_SVG_FILESVG_H

#include "FileDrawing.h"
#include "SvgCanvas.h"
#include <functional>

namespace cif {

/// One of the drawings that a picture shows one below the other.
struct SvgPage {
  std::string name;
  layout::Coord width, height;
  std::function<void()> draw;
};

/// Draws the pages, with their names where there are several, and the legend.
void drawSvg(SvgCanvas &canvas, raw_ostream &os, ArrayRef<SvgPage> pages,
             const EmitOptions &options);

/// Draws the pages of a file; \p module is what is in it.
void paintFile(const FileDrawing &drawing, const Module &module,
               raw_ostream &os, const EmitOptions &options);

} // namespace cif

#endif
