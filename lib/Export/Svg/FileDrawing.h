//===- FileDrawing.h - The pages that a BPMN file draws -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// BPMN's diagram interchange: which elements are drawn where, on which page.
/// What the elements are is looked up in the file's tree, since a picture also
/// shows what has no bearing on behaviour.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_SVG_FILEDRAWING_H
#define CIF_LIB_EXPORT_SVG_FILEDRAWING_H

#include "XmlTree.h"
#include "cif/Export/Layout/Layout.h"
#include "cif/Support/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace cif {

/// A shape or an edge.
struct FileItem {
  xmlNodePtr element = nullptr, di = nullptr;
  StringRef type; ///< the element's name in BPMN, e.g. `userTask`
  std::string id, name;
  layout::Box box;                   ///< of a shape
  layout::Box label;                 ///< without width: the file does not say
  std::vector<layout::Point> points; ///< of an edge
  bool isBand = false;               ///< of a choreography activity
};

struct FilePage {
  std::string id, name;
  std::vector<FileItem> items; ///< as they stand in the file
};

class FileDrawing {
public:
  explicit FileDrawing(StringRef text);
  ~FileDrawing() { xmlFreeDoc(doc); }
  FileDrawing(const FileDrawing &) = delete;
  FileDrawing &operator=(const FileDrawing &) = delete;

  /// Whether every node of the file's flows is on some page, or within one that
  /// is drawn collapsed, or in what is called from elsewhere.
  bool isComplete() const;
  /// Keeps only the page of that id; reports which there are if it is not one.
  bool choose(StringRef id, DiagnosticEngine &diags);
  /// Whether what is in the activity is not shown there.
  bool isCollapsed(const FileItem &item) const;
  xmlNodePtr find(const std::string &id) const {
    return byId.lookup(xmltree::reference(id));
  }

  std::vector<FilePage> pages;

private:
  void readPage(xmlNodePtr diagram);
  bool readItem(xmlNodePtr di, FileItem &item) const;

  xmlDocPtr doc = nullptr;
  xmlNodePtr root = nullptr;
  llvm::StringMap<xmlNodePtr> byId;
  llvm::DenseSet<xmlNodePtr> drawn;     ///< elements
  llvm::DenseSet<xmlNodePtr> holdDrawn; ///< parents of what is drawn with them
};

/// Whether BPMN's element of that name is a node of a flow.
bool isFlowNodeName(StringRef name);
bool isActivityName(StringRef name);
/// Whether it holds a flow of its own.
bool isScopeName(StringRef name);

} // namespace cif

#endif
