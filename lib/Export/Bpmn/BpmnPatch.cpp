//===- BpmnPatch.cpp - A change of a model, made in its BPMN file ---------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A three-way merge by ids: what emitBpmn writes of the model before and after
/// the change differs in few elements, and that difference is made in the tree
/// of the file that the model was read from. The caller reads the result again
/// and compares (sameBpmn), so that a change that cannot be made there, say at
/// a merge that the file leaves implicit, is never written.
///
//===----------------------------------------------------------------------===//

#include "cif/Export/Bpmn/BpmnPatch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <map>

using namespace cif;

namespace {

const xmlChar *xml(const char *text) {
  return reinterpret_cast<const xmlChar *>(text);
}
const xmlChar *xml(const std::string &text) { return xml(text.c_str()); }

StringRef str(const xmlChar *text) {
  return text ? StringRef(reinterpret_cast<const char *>(text)) : StringRef();
}

std::string attribute(xmlNodePtr node, const char *name) {
  xmlChar *value = xmlGetNoNsProp(node, xml(name));
  std::string result = str(value).str();
  xmlFree(value);
  return result;
}

std::string content(xmlNodePtr node) {
  xmlChar *value = xmlNodeGetContent(node);
  std::string result = str(value).trim().str();
  xmlFree(value);
  return result;
}

bool isElement(xmlNodePtr node) { return node->type == XML_ELEMENT_NODE; }
bool is(xmlNodePtr node, const char *name) {
  return isElement(node) && str(node->name) == name;
}

/// The node after \p node below \p root, in the order of the text.
xmlNodePtr next(xmlNodePtr node, xmlNodePtr root) {
  if (node->children && isElement(node))
    return node->children;
  while (node != root && !node->next)
    node = node->parent;
  return node == root ? nullptr : node->next;
}

template <class Function>
void forChildren(xmlNodePtr node, Function function) {
  for (xmlNodePtr c = node->children; c; c = c->next)
    if (isElement(c))
      function(c);
}

struct Bounds {
  double x = 0, y = 0, width = 0, height = 0;
  double centreX() const { return x + width / 2; }
  double centreY() const { return y + height / 2; }
  bool overlaps(const Bounds &o) const {
    return x < o.x + o.width && o.x < x + width && y < o.y + o.height &&
           o.y < y + height;
  }
  bool contains(const Bounds &o) const {
    return x <= o.x && y <= o.y && o.x + o.width <= x + width &&
           o.y + o.height <= y + height;
  }
};

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
    drawn.clear();
    order.clear();
    for (xmlNodePtr n = root; n; n = next(n, root)) {
      if (!isElement(n))
        continue;
      bool isDrawing = is(n, "BPMNShape") || is(n, "BPMNEdge");
      if (isDrawing && attribute(n, "choreographyActivityShape").empty()) {
        std::string element = attribute(n, "bpmnElement");
        // References may be qualified.
        drawn.try_emplace(
            StringRef(element).substr(StringRef(element).find(':') + 1), n);
      }
      if (isDiagram(n))
        continue;
      std::string id = attribute(n, "id");
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
  std::vector<std::string> order; ///< ids, as they stand
};

using Attributes = std::map<std::string, std::string>;

Attributes attributes(xmlNodePtr node) {
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
Words words(xmlNodePtr node) {
  Words all;
  forChildren(node, [&](xmlNodePtr c) {
    if (attribute(c, "id").empty() && !xmlFirstElementChild(c))
      ++all[{str(c->name).str(), content(c)}];
  });
  return all;
}

class Patcher {
public:
  Patcher(Tree &source, Tree &before, Tree &after)
      : source(source), before(before), after(after) {}
  bool run();

private:
  bool change(const std::string &id);
  bool changeWords(xmlNodePtr node, xmlNodePtr was, xmlNodePtr now);
  bool insert(const std::string &id);
  void remove(xmlNodePtr node);
  xmlNodePtr copy(xmlNodePtr node);
  xmlNsPtr spaceOf(xmlNsPtr ns, bool ofAttribute);
  void place(xmlNodePtr node, xmlNodePtr parent);
  void draw(const std::string &id);
  void drawFlow(const std::string &id);
  bool needs(const std::string &id);

  Tree &source, &before, &after;
  std::vector<std::string> inserted, rerouted;
};

} // namespace

/// The namespace of the source for one of ours.
xmlNsPtr Patcher::spaceOf(xmlNsPtr ns, bool ofAttribute) {
  if (!ns)
    return nullptr;
  // The source may have BPMN's namespace of an earlier day.
  if (after.root->ns && xmlStrEqual(ns->href, after.root->ns->href))
    return source.root->ns;
  xmlNsPtr found = xmlSearchNsByHref(source.doc, source.root, ns->href);
  if (found && (found->prefix || !ofAttribute))
    return found;
  return xmlNewNs(source.root, ns->href, ns->prefix);
}

xmlNodePtr Patcher::copy(xmlNodePtr node) {
  xmlNodePtr made = xmlDocCopyNode(node, source.doc, 1);
  for (xmlNodePtr n = made; n; n = next(n, made)) {
    if (!isElement(n))
      continue;
    n->ns = spaceOf(n->ns, /*ofAttribute=*/false);
    for (xmlAttrPtr a = n->properties; a; a = a->next)
      a->ns = spaceOf(a->ns, /*ofAttribute=*/true);
  }
  for (xmlNodePtr n = made; n; n = next(n, made))
    if (isElement(n) && n->nsDef) {
      xmlFreeNsList(n->nsDef);
      n->nsDef = nullptr;
    }
  return made;
}

/// Puts \p node into \p parent behind the last one of its kind, where the order
/// of BPMN's schema has it.
void Patcher::place(xmlNodePtr node, xmlNodePtr parent) {
  xmlNodePtr last = nullptr, first = nullptr;
  auto after_ = [&](const char *name) {
    forChildren(parent, [&](xmlNodePtr c) {
      if (is(c, name))
        last = c;
    });
  };
  after_(reinterpret_cast<const char *>(node->name));
  if (!last && is(node, "messageFlow"))
    after_("participant");
  if (!last && (is(node, "incoming") || is(node, "outgoing")))
    for (const char *name : {"documentation", "extensionElements", "incoming"})
      after_(name);
  if (!last && is(node, "message"))
    forChildren(parent, [&](xmlNodePtr c) {
      if (!first &&
          (is(c, "choreography") || is(c, "collaboration") || is(c, "process")))
        first = c;
    });
  unsigned depth = 0;
  for (xmlNodePtr n = parent; n; n = n->parent)
    ++depth;
  std::string space = "\n" + std::string(2 * (depth - 1), ' ');
  if (last) {
    xmlNodePtr gap = xmlNewText(xml(space));
    xmlAddNextSibling(last, gap);
    // Two texts beside each other become one.
    xmlAddNextSibling(last->next, node);
  } else if (first || (is(node, "incoming") && xmlFirstElementChild(parent)) ||
             (is(node, "outgoing") && xmlFirstElementChild(parent))) {
    xmlAddPrevSibling(first ? first : xmlFirstElementChild(parent), node);
  } else {
    xmlAddChild(parent, node);
    xmlAddChild(parent, xmlNewText(xml("\n")));
  }
}

void Patcher::remove(xmlNodePtr node) {
  if (node->prev && node->prev->type == XML_TEXT_NODE &&
      str(node->prev->content).trim().empty()) {
    xmlNodePtr gap = node->prev;
    xmlUnlinkNode(gap);
    xmlFreeNode(gap);
  }
  xmlUnlinkNode(node);
  xmlFreeNode(node);
}

bool Patcher::changeWords(xmlNodePtr node, xmlNodePtr was, xmlNodePtr now) {
  Words old = words(was), fresh = words(now);
  bool listsFlows = llvm::any_of(words(node), [](const auto &word) {
    return word.first.first == "incoming" || word.first.first == "outgoing";
  });
  for (const auto &[word, count] : old) {
    auto found = fresh.find(word);
    int left = found == fresh.end() ? 0 : found->second;
    for (int i = left; i < count; ++i) {
      xmlNodePtr gone = nullptr;
      forChildren(node, [&](xmlNodePtr c) {
        if (str(c->name) == word.first && content(c) == word.second)
          gone = c;
      });
      if (gone)
        remove(gone);
    }
  }
  for (const auto &[word, count] : fresh) {
    auto found = old.find(word);
    int had = found == old.end() ? 0 : found->second;
    bool isFlow = word.first == "incoming" || word.first == "outgoing";
    if (isFlow && !listsFlows)
      continue;
    for (int i = had; i < count; ++i) {
      xmlNodePtr made =
          xmlNewDocNode(source.doc, source.root->ns, xml(word.first), nullptr);
      xmlNodeAddContent(made, xml(word.second));
      place(made, node);
    }
    if (count > had && !isFlow && !needs(word.second))
      return false;
  }
  return true;
}

/// Makes sure that the source has what a new reference leads to.
bool Patcher::needs(const std::string &id) {
  if (source.byId.count(id) || !after.byId.count(id))
    return true; // no reference, or one that leads somewhere
  return insert(id);
}

bool Patcher::insert(const std::string &id) {
  xmlNodePtr node = after.byId[id];
  xmlNodePtr parent = node->parent;
  std::string parentId = attribute(parent, "id");
  xmlNodePtr into =
      parent == after.root ? source.root : source.byId.lookup(parentId);
  // The source has an element of that id which the model does not know.
  if (!into || source.byId.count(id))
    return false;
  xmlNodePtr made = copy(node);
  place(made, into);
  for (xmlNodePtr n = made; n; n = next(n, made))
    if (isElement(n))
      if (std::string own = attribute(n, "id"); !own.empty())
        if (!source.byId.try_emplace(own, n).second)
          return false;
  inserted.push_back(id);
  for (xmlNodePtr n = made; n; n = next(n, made)) {
    if (!isElement(n))
      continue;
    for (const auto &[name, value] : attributes(n))
      if (name.ends_with("Ref") && !needs(value))
        return false;
    if (StringRef(str(n->name)).ends_with("Ref") && !needs(content(n)))
      return false;
  }
  return true;
}

bool Patcher::change(const std::string &id) {
  xmlNodePtr was = before.byId[id], now = after.byId[id];
  Attributes old = attributes(was), fresh = attributes(now);
  bool differs = old != fresh || words(was) != words(now);
  if (!differs)
    return true;
  xmlNodePtr node = source.byId.lookup(id);
  if (!node || str(node->name) != str(now->name))
    return false;
  for (const auto &[name, value] : old)
    if (!fresh.count(name))
      xmlUnsetNsProp(node, nullptr, xml(name));
  for (const auto &[name, value] : fresh) {
    auto had = old.find(name);
    if (had != old.end() && had->second == value)
      continue;
    if (StringRef(name).ends_with("Ref") && !needs(value))
      return false;
    xmlSetProp(node, xml(name), xml(value));
    if (name == "sourceRef" || name == "targetRef")
      rerouted.push_back(id);
  }
  return changeWords(node, was, now);
}

static std::string number(double value) {
  return std::to_string(static_cast<long>(std::lround(value)));
}

/// Draws a new node in the middle of its neighbours, below what is there.
void Patcher::draw(const std::string &id) {
  auto shape = after.drawn.find(id);
  std::optional<Bounds> own = after.bounds(id);
  if (shape == after.drawn.end() || !own || !is(shape->second, "BPMNShape"))
    return;
  double x = 0, y = 0;
  unsigned count = 0;
  xmlNodePtr plane = nullptr;
  for (const std::string &flow : after.order) {
    xmlNodePtr f = after.byId[flow];
    if (!is(f, "sequenceFlow"))
      continue;
    std::string from = attribute(f, "sourceRef"),
                to = attribute(f, "targetRef");
    if (from != id && to != id)
      continue;
    std::string other = from == id ? to : from;
    if (std::optional<Bounds> near = source.bounds(other)) {
      x += near->centreX();
      y += near->centreY();
      ++count;
      plane = source.drawn[other]->parent;
    }
  }
  if (!plane)
    return;
  Bounds at = *own;
  at.x = x / count - at.width / 2;
  at.y = y / count - at.height / 2;
  auto isFree = [&] {
    Bounds wide{at.x - 30, at.y - 30, at.width + 60, at.height + 60};
    return llvm::none_of(source.drawn, [&](const auto &entry) {
      std::optional<Bounds> b = source.bounds(entry.first());
      return b && b->overlaps(wide) && !b->contains(at);
    });
  };
  for (unsigned i = 0; i < 100 && !isFree(); ++i)
    at.y += 20;
  auto add = [&](xmlNodePtr node) {
    xmlNodePtr made = copy(node);
    forChildren(made, [&](xmlNodePtr c) {
      if (!is(c, "Bounds"))
        return;
      double dx = 0, dy = 0;
      (void)StringRef(attribute(c, "x")).getAsDouble(dx);
      (void)StringRef(attribute(c, "y")).getAsDouble(dy);
      xmlSetProp(c, xml("x"), xml(number(dx - own->x + at.x)));
      xmlSetProp(c, xml("y"), xml(number(dy - own->y + at.y)));
    });
    place(made, plane);
    return made;
  };
  std::string shapeId = attribute(shape->second, "id");
  source.drawn[id] = add(shape->second);
  for (xmlNodePtr n = after.root; n; n = next(n, after.root))
    if (is(n, "BPMNShape") &&
        attribute(n, "choreographyActivityShape") == shapeId)
      add(n);
}

/// Where the line between the centres of two shapes leaves the first.
static std::pair<double, double> border(const Bounds &from, const Bounds &to) {
  double dx = to.centreX() - from.centreX(), dy = to.centreY() - from.centreY();
  double scale = std::max(std::abs(dx) / std::max(1.0, from.width / 2),
                          std::abs(dy) / std::max(1.0, from.height / 2));
  if (scale < 1)
    scale = 1;
  return {from.centreX() + dx / scale, from.centreY() + dy / scale};
}

/// Draws a flow that is new or leads elsewhere as one line.
void Patcher::drawFlow(const std::string &id) {
  xmlNodePtr flow = source.byId.lookup(id);
  if (!flow || !is(flow, "sequenceFlow"))
    return;
  std::optional<Bounds> from = source.bounds(attribute(flow, "sourceRef")),
                        to = source.bounds(attribute(flow, "targetRef"));
  xmlNodePtr edge = source.drawn.lookup(id);
  if (!from || !to)
    return;
  if (!edge) {
    xmlNodePtr plane = source.drawn[attribute(flow, "sourceRef")]->parent;
    auto ours = after.drawn.find(id);
    if (ours == after.drawn.end())
      return;
    edge = copy(ours->second);
    place(edge, plane);
    source.drawn[id] = edge;
  }
  llvm::SmallVector<xmlNodePtr, 4> old;
  xmlNsPtr space = nullptr;
  forChildren(edge, [&](xmlNodePtr c) {
    if (is(c, "waypoint")) {
      space = c->ns;
      old.push_back(c);
    }
  });
  if (old.empty())
    return;
  for (auto [x, y] : {border(*from, *to), border(*to, *from)}) {
    xmlNodePtr point =
        xmlNewDocNode(source.doc, space, xml("waypoint"), nullptr);
    xmlSetProp(point, xml("x"), xml(number(x)));
    xmlSetProp(point, xml("y"), xml(number(y)));
    xmlAddPrevSibling(old.front(), point);
  }
  for (xmlNodePtr point : old)
    remove(point);
}

bool Patcher::run() {
  for (const std::string &id : before.order) {
    if (after.byId.count(id))
      continue;
    xmlNodePtr node = source.byId.lookup(id);
    if (!node)
      return false; // it stands for something that the source leaves implicit
    if (xmlNodePtr drawing = source.drawn.lookup(id))
      remove(drawing);
    remove(node);
    source.index();
  }
  for (const std::string &id : after.order)
    if (before.byId.count(id)) {
      if (!change(id))
        return false;
    } else if (!source.byId.count(id)) {
      if (!insert(id))
        return false;
    } else if (!llvm::is_contained(inserted, id) &&
               !llvm::any_of(inserted, [&](const std::string &outer) {
                 for (xmlNodePtr n = after.byId[id]; n; n = n->parent)
                   if (n == after.byId[outer])
                     return true;
                 return false;
               })) {
      return false; // the source uses the id for something else
    }
  for (const std::string &id : inserted)
    draw(id);
  for (const auto *flows : {&rerouted, &inserted})
    for (const std::string &id : *flows)
      drawFlow(id);
  return true;
}

std::optional<std::string> cif::patchBpmn(StringRef sourceText,
                                          StringRef beforeText,
                                          StringRef afterText) {
  Tree source(sourceText), before(beforeText), after(afterText);
  if (!source.root || !before.root || !after.root)
    return std::nullopt;
  if (!Patcher(source, before, after).run())
    return std::nullopt;
  xmlChar *text = nullptr;
  int size = 0;
  xmlDocDumpMemoryEnc(source.doc, &text, &size,
                      source.doc->encoding
                          ? reinterpret_cast<const char *>(source.doc->encoding)
                          : "UTF-8");
  if (!text)
    return std::nullopt;
  std::string result(reinterpret_cast<const char *>(text),
                     static_cast<size_t>(size));
  xmlFree(text);
  return result;
}

/// A message flow without its id: what goes from where to where.
static std::string flowText(const Tree &tree, xmlNodePtr node) {
  std::string message = attribute(node, "messageRef");
  auto found = tree.byId.find(message);
  if (found != tree.byId.end())
    message = attribute(found->second, "name");
  return "flow " + attribute(node, "name") + " " + message + " " +
         attribute(node, "sourceRef") + " " + attribute(node, "targetRef");
}

/// What an element says: its name, attributes and words, with ids that we made
/// for messages replaced by what these are called.
static std::string saying(const Tree &tree, xmlNodePtr node) {
  auto named = [&](const std::string &value) {
    auto found = tree.byId.find(value);
    if (found != tree.byId.end() && is(found->second, "message"))
      return "message " + attribute(found->second, "name");
    if (found != tree.byId.end() && is(found->second, "messageFlow"))
      return flowText(tree, found->second);
    return value;
  };
  std::string text = str(node->name).str();
  for (const auto &[name, value] : attributes(node))
    text += " " + name + "=" + named(value);
  for (const auto &[word, count] : words(node))
    text += " <" + word.first + ">" + named(word.second) + "x" +
            std::to_string(count);
  return text;
}

bool cif::sameBpmn(StringRef one, StringRef other) {
  Tree a(one), b(other);
  if (!a.root || !b.root)
    return false;
  auto all = [](const Tree &tree) {
    std::vector<std::string> texts;
    for (const std::string &id : tree.order) {
      xmlNodePtr node = tree.byId.lookup(id);
      // The ids of messages and of message flows in choreographies are ours.
      if (is(node, "messageFlow"))
        texts.push_back(flowText(tree, node));
      else if (!is(node, "message"))
        texts.push_back(saying(tree, node));
    }
    llvm::sort(texts);
    return texts;
  };
  return all(a) == all(b);
}
