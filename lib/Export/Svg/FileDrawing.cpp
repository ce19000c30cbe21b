//===- FileDrawing.cpp - The pages that a BPMN file draws -----------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileDrawing.h"
#include "cif/Support/Diagnostics/Usage.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace cif;
using namespace cif::xmltree;
using layout::Box;
using layout::Coord;
using layout::Point;

bool cif::isScopeName(StringRef name) {
  return name == "subProcess" || name == "adHocSubProcess" ||
         name == "transaction" || name == "subChoreography";
}

bool cif::isActivityName(StringRef name) {
  return isScopeName(name) || name == "task" || name.ends_with("Task") ||
         name == "callActivity" || name == "callChoreography";
}

bool cif::isFlowNodeName(StringRef name) {
  return (isActivityName(name) || name.ends_with("Event") ||
          name.ends_with("Gateway")) &&
         !name.starts_with("global");
}

/// A coordinate that a picture can have.
static bool readCoord(xmlNodePtr node, const char *name, Coord &into) {
  double value = 0;
  if (StringRef(attribute(node, name)).trim().getAsDouble(value) ||
      !std::isfinite(value) || std::abs(value) > 1e6)
    return false;
  into = static_cast<Coord>(std::lround(value));
  return true;
}

static bool readBounds(xmlNodePtr holder, Box &box) {
  xmlNodePtr bounds = child(holder, "Bounds");
  return bounds && readCoord(bounds, "x", box.x) &&
         readCoord(bounds, "y", box.y) &&
         readCoord(bounds, "width", box.width) &&
         readCoord(bounds, "height", box.height) && box.width > 0 &&
         box.height > 0;
}

FileDrawing::FileDrawing(StringRef text) {
  // What is damaged was mended, and told, when the model was read.
  doc = xmlReadMemory(text.data(), static_cast<int>(text.size()), nullptr,
                      nullptr,
                      XML_PARSE_NONET | XML_PARSE_NOERROR |
                          XML_PARSE_NOWARNING | XML_PARSE_RECOVER);
  root = doc ? xmlDocGetRootElement(doc) : nullptr;
  if (!root)
    return;
  for (xmlNodePtr n = root; n; n = next(n, root))
    if (isElement(n))
      if (std::string id = attribute(n, "id"); !id.empty())
        byId.try_emplace(id, n);
  forChildren(root, [&](xmlNodePtr n) {
    if (is(n, "BPMNDiagram"))
      readPage(n);
  });
}

bool FileDrawing::readItem(xmlNodePtr di, FileItem &item) const {
  item.di = di;
  item.element = find(attribute(di, "bpmnElement"));
  if (!item.element)
    return false;
  item.type = str(item.element->name);
  item.id = attribute(item.element, "id");
  item.name = attribute(item.element, "name");
  item.isBand = !attribute(di, "choreographyActivityShape").empty();
  if (xmlNodePtr label = child(di, "BPMNLabel"))
    if (!readBounds(label, item.label))
      item.label = {};
  if (is(di, "BPMNShape"))
    return readBounds(di, item.box);
  forChildren(di, [&](xmlNodePtr c) {
    Point p;
    if (is(c, "waypoint") && readCoord(c, "x", p.x) && readCoord(c, "y", p.y))
      item.points.push_back(p);
  });
  return item.points.size() > 1;
}

void FileDrawing::readPage(xmlNodePtr diagram) {
  FilePage page;
  page.id = attribute(diagram, "id");
  page.name = attribute(diagram, "name");
  xmlNodePtr plane = child(diagram, "BPMNPlane");
  if (!plane)
    return;
  if (xmlNodePtr shown = find(attribute(plane, "bpmnElement"))) {
    drawn.insert(shown);
    if (page.name.empty())
      page.name = attribute(shown, "name");
  }
  llvm::DenseSet<xmlNodePtr> here;
  forChildren(plane, [&](xmlNodePtr di) {
    FileItem item;
    if ((!is(di, "BPMNShape") && !is(di, "BPMNEdge")) || !readItem(di, item))
      return;
    drawn.insert(item.element);
    here.insert(item.element);
    page.items.push_back(std::move(item));
  });
  // An activity whose content stands on its own page is shown collapsed on
  // others.
  for (xmlNodePtr element : here)
    if (isFlowNodeName(str(element->name)) && here.contains(element->parent))
      holdDrawn.insert(element->parent);
  if (!page.items.empty())
    pages.push_back(std::move(page));
}

bool FileDrawing::isCollapsed(const FileItem &item) const {
  std::string said = attribute(item.di, "isExpanded");
  if (item.type == "callActivity" || item.type == "callChoreography")
    return said != "true";
  if (!isScopeName(item.type))
    return false;
  return said.empty() ? !holdDrawn.contains(item.element) : said == "false";
}

bool FileDrawing::choose(StringRef id, DiagnosticEngine &diags) {
  std::string known;
  for (const FilePage &page : pages)
    known += (known.empty() ? "" : ", ") + page.id;
  llvm::erase_if(pages, [&](const FilePage &page) { return page.id != id; });
  if (!pages.empty())
    return true;
  diags.report(diag::bad_option_value)
      << "--diagram" << id
      << (known.empty() ? "a diagram, and the file has none" : known);
  return false;
}

bool FileDrawing::isComplete() const {
  if (pages.empty())
    return false;
  llvm::DenseSet<xmlNodePtr> hiding;
  for (const FilePage &page : pages)
    for (const FileItem &item : page.items)
      if (isCollapsed(item))
        hiding.insert(item.element);
  for (xmlNodePtr n = root; n; n = next(n, root))
    if (is(n, "callActivity") || is(n, "callChoreography"))
      for (const char *name : {"calledElement", "calledChoreographyRef"})
        if (xmlNodePtr called = find(attribute(n, name)))
          hiding.insert(called);
  // Parents come before what they hold, and what is hidden hides.
  for (xmlNodePtr n = root; n; n = next(n, root)) {
    if (!isElement(n))
      continue;
    // What an editor adds may have any names.
    if (hiding.contains(n->parent) || is(n, "extensionElements"))
      hiding.insert(n);
    else if (isFlowNodeName(str(n->name)) && !drawn.contains(n))
      return false;
  }
  return true;
}
