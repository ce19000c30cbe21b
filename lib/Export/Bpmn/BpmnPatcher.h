//===- BpmnPatcher.h - A change of a model, made in its BPMN file ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_BPMN_BPMNPATCHER_H
#define CIF_LIB_EXPORT_BPMN_BPMNPATCHER_H

#include "BpmnPlacement.h"
#include "XmlTree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <map>
#include <set>

namespace cif::bpmnpatch {
using namespace xmltree;

/// A file's tree, with its elements by their ids and drawings.
class Tree {
public:
  explicit Tree(StringRef text) {
    doc = xmlReadMemory(
        text.data(), static_cast<int>(text.size()), nullptr, nullptr,
        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    root = doc ? xmlDocGetRootElement(doc) : nullptr;
    if (root)
      index();
  }
  ~Tree() { xmlFreeDoc(doc); }
  Tree(const Tree &) = delete;
  Tree &operator=(const Tree &) = delete;

  void index() {
    byId.clear();
    allIds.clear();
    drawn.clear();
    order.clear();
    for (xmlNodePtr n = root; n; n = next(n, root)) {
      if (!isElement(n))
        continue;
      bool isDrawing = is(n, "BPMNShape") || is(n, "BPMNEdge");
      if (isDrawing && attribute(n, "choreographyActivityShape").empty()) {
        std::string element = attribute(n, "bpmnElement");
        drawn.try_emplace(reference(element), n);
      }
      std::string id = attribute(n, "id");
      if (!id.empty())
        allIds.insert(id);
      if (isDiagram(n))
        continue;
      if (!id.empty() && byId.try_emplace(id, n).second)
        order.push_back(id);
    }
  }
  /// Whether a node is part of the diagram interchange.
  bool isDiagram(xmlNodePtr n) const {
    for (; n && n != root; n = n->parent)
      if (is(n, "BPMNDiagram"))
        return true;
    return false;
  }
  std::optional<Bounds> bounds(StringRef element) const {
    auto found = drawn.find(element);
    std::optional<Bounds> result;
    if (found != drawn.end())
      forChildren(found->second, [&](xmlNodePtr c) {
        if (!is(c, "Bounds"))
          return;
        Bounds b;
        auto read = [&](const char *name, double &into) {
          return !StringRef(attribute(c, name)).getAsDouble(into);
        };
        if (read("x", b.x) && read("y", b.y) && read("width", b.width) &&
            read("height", b.height))
          result = b;
      });
    return result;
  }

  xmlDocPtr doc = nullptr;
  xmlNodePtr root = nullptr;
  llvm::StringMap<xmlNodePtr> byId, drawn;
  llvm::StringSet<> allIds;       ///< those of the drawing, too
  std::vector<std::string> order; ///< ids, as they stand
};

using Attributes = std::map<std::string, std::string>;

inline Attributes attributes(xmlNodePtr node) {
  Attributes all;
  for (xmlAttrPtr a = node->properties; a; a = a->next) {
    if (a->ns)
      continue;
    std::string name = str(a->name).str();
    all[name] = attribute(node, name.c_str());
  }
  return all;
}

/// Children that have no id and only a text: references, conditions.
using Words = std::map<std::pair<std::string, std::string>, int>;
inline Words words(xmlNodePtr node) {
  Words all;
  forChildren(node, [&](xmlNodePtr c) {
    if (attribute(c, "id").empty() && !xmlFirstElementChild(c))
      ++all[{str(c->name).str(), content(c)}];
  });
  return all;
}

/// Calls \p function with what our extensions say of contents: the arguments of
/// an exchange, the fields of a message.
template <class Function>
void forPayload(xmlNodePtr node, Function function) {
  forChildren(node, [&](xmlNodePtr extensions) {
    if (is(extensions, "extensionElements"))
      forChildren(extensions, [&](xmlNodePtr c) {
        if (c->ns && str(c->ns->href) == "urn:cif:bpmn" &&
            (is(c, "argument") || is(c, "field")))
          function(c);
      });
  });
}
inline std::string payload(xmlNodePtr node) {
  std::string text;
  forPayload(node, [&](xmlNodePtr c) {
    text += " " + str(c->name).str();
    for (const auto &[name, value] : attributes(c))
      text += " " + name + "=" + value;
  });
  return text;
}

/// Takes out of a tree that emitBpmn wrote what \p file leaves implicit: merges
/// and splits at a node, starts and ends, of these only those that \p only
/// names, if given; and the steps of a task that sends and receives, which says
/// in an attribute of a namespace, `parts`, what these are: no file gets that.
/// Returns the names of what was taken out.
std::set<std::string> foldImplied(Tree &tree, const Tree &file,
                                  const std::set<std::string> *only = nullptr);

class Patcher {
public:
  Patcher(Tree &source, Tree &before, Tree &after)
      : source(source), before(before), after(after) {}
  bool run();

private:
  bool change(const std::string &id);
  bool changeWords(xmlNodePtr node, xmlNodePtr was, xmlNodePtr now);
  void changePayload(xmlNodePtr node, xmlNodePtr now);
  bool insert(const std::string &id);
  xmlNodePtr inSource(xmlNodePtr parent) const;
  void remove(xmlNodePtr node);
  xmlNodePtr copy(xmlNodePtr node);
  xmlNsPtr spaceOf(xmlNsPtr ns, bool ofAttribute);
  void place(xmlNodePtr node, xmlNodePtr parent);
  void enterLanes();
  void draw(const std::string &id);
  std::optional<Bounds> boundsAround(const std::string &id) const;
  std::vector<Place2D> messageRoute(const std::string &from,
                                    const std::string &to) const;
  void makeRoom(xmlNodePtr plane, const Bounds &box, double height);
  void moveTo(const std::string &id, double x, double y);
  void reshape(const std::string &id);
  void exchange();
  void follow();
  void redraw(const std::string &id);
  void drawFlow(const std::string &id);
  bool needs(const std::string &id);
  void takeDrawingId(xmlNodePtr drawing);
  void renameNew();
  void replaceGone();
  std::vector<Bounds> shapes() const;
  std::vector<std::pair<Place2D, Place2D>> lines() const;

  Tree &source, &before, &after;
  std::vector<std::string> inserted, rerouted, reshaped;
  std::set<std::string> exchanged;
  /// Participants that are others now, by their ids: names were joined.
  std::map<std::string, std::string> replaced;
};

} // namespace cif::bpmnpatch

#endif
