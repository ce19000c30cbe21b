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
#include "BpmnPlacement.h"
#include "XmlTree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>
#include <map>

using namespace cif;
using namespace cif::xmltree;

namespace {

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
  void takeDrawingId(xmlNodePtr drawing);
  void renameNew();
  void replaceGone();
  std::vector<Bounds> shapes() const;
  std::vector<std::pair<Place2D, Place2D>> lines() const;

  Tree &source, &before, &after;
  std::vector<std::string> inserted, rerouted;
  /// Participants that are others now, by their ids: names were joined.
  std::map<std::string, std::string> replaced;
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
  std::string gone, come;
  for (const auto &[word, count] : old)
    if (word.first == "participantRef" && !after.byId.count(word.second))
      gone = word.second;
  for (const auto &[word, count] : fresh)
    if (word.first == "participantRef" && !old.count(word))
      come = word.second;
  if (!gone.empty() && !come.empty())
    replaced.try_emplace(gone, come);
  bool listsFlows = llvm::any_of(words(node), [](const auto &word) {
    return word.first.first == "incoming" || word.first.first == "outgoing";
  });
  for (const auto &[word, count] : old) {
    auto found = fresh.find(word);
    int left = found == fresh.end() ? 0 : found->second;
    for (int i = left; i < count; ++i) {
      xmlNodePtr last = nullptr;
      forChildren(node, [&](xmlNodePtr c) {
        if (str(c->name) == word.first && content(c) == word.second)
          last = c;
      });
      if (last)
        remove(last);
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

/// Whether a file may leave an element out that we always write: a task without
/// messages has one of its name. The result shows whether that is meant.
static bool isImplied(xmlNodePtr node) {
  return is(node, "message") || is(node, "messageFlow");
}

bool Patcher::change(const std::string &id) {
  xmlNodePtr was = before.byId[id], now = after.byId[id];
  Attributes old = attributes(was), fresh = attributes(now);
  bool differs = old != fresh || words(was) != words(now);
  if (!differs)
    return true;
  xmlNodePtr node = source.byId.lookup(id);
  if (!node && isImplied(now))
    return true;
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
    if (name == "initiatingParticipantRef" && had != old.end() &&
        !after.byId.count(had->second))
      replaced[had->second] = value;
    xmlSetProp(node, xml(name), xml(value));
    if (name == "sourceRef" || name == "targetRef")
      rerouted.push_back(id);
  }
  return changeWords(node, was, now);
}

static std::string number(double value) {
  return std::to_string(static_cast<long>(std::lround(value)));
}

/// Gives a new shape or edge an id that the source has not.
void Patcher::takeDrawingId(xmlNodePtr drawing) {
  std::string own = attribute(drawing, "id"), id = own;
  for (unsigned i = 1; !source.allIds.insert(id).second; ++i)
    id = own + "_" + std::to_string(i);
  if (id != own)
    xmlSetProp(drawing, xml("id"), xml(id));
}

/// What stands in the drawing, bands aside.
std::vector<Bounds> Patcher::shapes() const {
  std::vector<Bounds> all;
  for (const auto &entry : source.drawn)
    if (std::optional<Bounds> b = source.bounds(entry.first()))
      all.push_back(*b);
  // A map has no order, and the answer must have one.
  llvm::sort(all, [](const Bounds &a, const Bounds &b) {
    return std::tie(a.x, a.y, a.width, a.height) <
           std::tie(b.x, b.y, b.width, b.height);
  });
  return all;
}

/// The parts of the lines that are drawn, but for those that will be anew.
std::vector<std::pair<Place2D, Place2D>> Patcher::lines() const {
  std::vector<std::pair<Place2D, Place2D>> all;
  for (const auto &entry : source.drawn) {
    if (llvm::is_contained(rerouted, entry.first()))
      continue;
    std::optional<Place2D> before_;
    forChildren(entry.second, [&](xmlNodePtr c) {
      Place2D p;
      if (!is(c, "waypoint") || StringRef(attribute(c, "x")).getAsDouble(p.x) ||
          StringRef(attribute(c, "y")).getAsDouble(p.y))
        return;
      if (before_)
        all.push_back({*before_, p});
      before_ = p;
    });
  }
  return all;
}

/// Draws a new node near the middle of its neighbours, where there is room.
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
  Bounds wanted = *own;
  wanted.x = x / count - wanted.width / 2;
  wanted.y = y / count - wanted.height / 2;
  // With the envelope of a message above it, and its name.
  const double above = envelopeRoom;
  wanted.y -= above;
  wanted.height += above;
  std::optional<Bounds> around;
  if (xmlNodePtr in = source.byId.lookup(id))
    around = source.bounds(attribute(in->parent, "id"));
  Bounds at = placeNear(wanted, shapes(), lines(), around);
  at.y += above;
  at.height -= above;
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
    takeDrawingId(made);
    place(made, plane);
    return made;
  };
  std::string shapeId = attribute(shape->second, "id");
  source.drawn[id] = add(shape->second);
  std::string madeId = attribute(source.drawn[id], "id");
  for (xmlNodePtr n = after.root; n; n = next(n, after.root))
    if (is(n, "BPMNShape") &&
        attribute(n, "choreographyActivityShape") == shapeId)
      xmlSetProp(add(n), xml("choreographyActivityShape"), xml(madeId));
}

/// Draws a flow that is new or leads elsewhere.
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
    takeDrawingId(edge);
    place(edge, plane);
    source.drawn[id] = edge;
  }
  llvm::SmallVector<xmlNodePtr, 4> old;
  forChildren(edge, [&](xmlNodePtr c) {
    if (is(c, "waypoint"))
      old.push_back(c);
  });
  if (old.empty())
    return;
  for (auto [x, y] : routeBetween(*from, *to, shapes())) {
    // With what other attributes the tool gives them.
    xmlNodePtr model = old.front();
    xmlNodePtr point =
        xmlNewDocNode(source.doc, model->ns, model->name, nullptr);
    for (xmlAttrPtr a = model->properties; a; a = a->next) {
      xmlChar *value = xmlNodeListGetString(source.doc, a->children, 1);
      xmlSetNsProp(point, a->ns, a->name, value);
      xmlFree(value);
    }
    xmlSetProp(point, xml("x"), xml(number(x)));
    xmlSetProp(point, xml("y"), xml(number(y)));
    xmlAddPrevSibling(old.front(), point);
  }
  for (xmlNodePtr point : old)
    remove(point);
}

/// Gives what is new another id where the source has that of its own: what we
/// made up was free in the model, which does not know all of the file.
void Patcher::renameNew() {
  llvm::StringMap<std::string> renamed;
  for (const std::string &id : after.order) {
    if (before.byId.count(id) || !source.allIds.contains(id))
      continue;
    std::string other;
    for (unsigned i = 1; other.empty() || source.allIds.contains(other) ||
                         after.byId.count(other) || before.byId.count(other);
         ++i)
      other = id + "_" + std::to_string(i);
    renamed[id] = other;
    // Taken, for those that come.
    after.byId[other] = after.byId[id];
  }
  if (renamed.empty())
    return;
  for (xmlNodePtr n = after.root; n; n = next(n, after.root)) {
    if (!isElement(n))
      continue;
    for (const auto &[name, value] : attributes(n))
      if (auto found = renamed.find(value);
          found != renamed.end() && name != "name")
        xmlSetProp(n, xml(name), xml(found->second));
    if (!xmlFirstElementChild(n))
      if (auto found = renamed.find(content(n)); found != renamed.end())
        xmlNodeSetContent(n, xml(found->second));
  }
  after.index();
}

/// Whatever else of the file names a participant that is another one now.
void Patcher::replaceGone() {
  if (replaced.empty())
    return;
  for (xmlNodePtr n = source.root; n; n = next(n, source.root)) {
    if (!isElement(n))
      continue;
    for (const auto &[name, value] : attributes(n))
      if (auto found = replaced.find(reference(value));
          found != replaced.end() &&
          (StringRef(name).ends_with("Ref") || name == "bpmnElement"))
        xmlSetProp(n, xml(name), xml(found->second));
    if (StringRef(str(n->name)).ends_with("Ref") && !xmlFirstElementChild(n))
      if (auto found = replaced.find(reference(content(n)));
          found != replaced.end())
        xmlNodeSetContent(n, xml(found->second));
  }
}

bool Patcher::run() {
  renameNew();
  for (const std::string &id : before.order) {
    if (after.byId.count(id))
      continue;
    xmlNodePtr node = source.byId.lookup(id);
    if (!node && isImplied(before.byId[id]))
      continue;
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
  replaceGone();
  for (const std::string &id : inserted)
    draw(id);
  for (const auto *flows : {&rerouted, &inserted})
    for (const std::string &id : *flows)
      drawFlow(id);
  return true;
}

/// The text of a tree, in the encoding that it came in.
static std::string textOf(xmlDocPtr doc) {
  xmlChar *text = nullptr;
  int size = 0;
  xmlDocDumpMemoryEnc(
      doc, &text, &size,
      doc->encoding ? reinterpret_cast<const char *>(doc->encoding) : "UTF-8");
  std::string result;
  if (text)
    result.assign(reinterpret_cast<const char *>(text),
                  static_cast<size_t>(size));
  xmlFree(text);
  return result;
}

std::optional<std::string> cif::patchBpmn(StringRef sourceText,
                                          StringRef beforeText,
                                          std::string &afterText) {
  Tree source(sourceText), before(beforeText), after(afterText);
  if (!source.root || !before.root || !after.root)
    return std::nullopt;
  if (!Patcher(source, before, after).run())
    return std::nullopt;
  afterText = textOf(after.doc);
  std::string result = textOf(source.doc);
  if (result.empty())
    return std::nullopt;
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
