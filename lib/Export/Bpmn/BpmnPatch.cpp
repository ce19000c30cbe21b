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
#include "BpmnPatcher.h"
#include <libxml/xmlsave.h>

using namespace cif;
using namespace cif::bpmnpatch;

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
    xmlAddNextSibling(node, xmlNewText(xml(space)));
  } else {
    // The gap before the parent's end stays there.
    xmlNodePtr gap = parent->last;
    std::string end = "\n";
    if (gap && gap->type == XML_TEXT_NODE && str(gap->content).trim().empty()) {
      end = str(gap->content).str();
      xmlNodeSetContent(gap, xml(space));
    }
    xmlAddChild(parent, node);
    xmlAddChild(parent, xmlNewText(xml(end)));
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
      xmlNodePtr model = nullptr;
      forChildren(now, [&](xmlNodePtr c) {
        if (str(c->name) == word.first && content(c) == word.second)
          model = c;
      });
      for (const auto &[name, value] : attributes(model))
        if (StringRef(name).ends_with("Ref") && !needs(value))
          return false;
      place(copy(model), node);
    }
    if (count > had && !isFlow && !needs(word.second))
      return false;
  }
  return true;
}

void Patcher::changePayload(xmlNodePtr node, xmlNodePtr now) {
  std::vector<xmlNodePtr> old;
  forPayload(node, [&](xmlNodePtr c) { old.push_back(c); });
  for (xmlNodePtr c : old)
    remove(c);
  xmlNodePtr extensions = nullptr, documentation = nullptr;
  forChildren(node, [&](xmlNodePtr c) {
    if (is(c, "extensionElements"))
      extensions = c;
    if (is(c, "documentation"))
      documentation = c;
  });
  if (!extensions) {
    extensions = xmlNewNode(node->ns, xml(std::string("extensionElements")));
    if (documentation)
      xmlAddNextSibling(documentation, extensions);
    else if (node->children)
      xmlAddPrevSibling(node->children, extensions);
    else
      xmlAddChild(node, extensions);
    unsigned depth = 0;
    for (xmlNodePtr n = node->parent; n; n = n->parent)
      ++depth;
    std::string outer = "\n" + std::string(2 * (depth - 1), ' ');
    xmlAddPrevSibling(extensions, xmlNewText(xml(outer + "  ")));
    xmlAddChild(extensions, xmlNewText(xml(outer + "  ")));
    if (!extensions->next)
      xmlAddChild(node, xmlNewText(xml(outer)));
  }
  forPayload(now, [&](xmlNodePtr c) { place(copy(c), extensions); });
}

/// Makes sure that the source has what a new reference leads to.
bool Patcher::needs(const std::string &id) {
  if (source.byId.count(id) || !after.byId.count(id))
    return true; // no reference, or one that leads somewhere
  return insert(id);
}

/// Where the source has what stands in \p parent. The model does not know the
/// id of a collaboration, but what is in it.
xmlNodePtr Patcher::inSource(xmlNodePtr parent) const {
  if (parent == after.root)
    return source.root;
  if (!is(parent, "collaboration"))
    return source.byId.lookup(attribute(parent, "id"));
  xmlNodePtr found = nullptr;
  forChildren(parent, [&](xmlNodePtr c) {
    xmlNodePtr own = source.byId.lookup(attribute(c, "id"));
    if (own && is(own->parent, "collaboration"))
      found = own->parent;
  });
  return found;
}

bool Patcher::insert(const std::string &id) {
  xmlNodePtr node = after.byId[id];
  xmlNodePtr into = inSource(node->parent);
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
  const bool renamed = str(was->name) != str(now->name);
  const bool carriesOther = payload(was) != payload(now);
  if (!renamed && old == fresh && words(was) == words(now) && !carriesOther)
    return true;
  xmlNodePtr node = source.byId.lookup(id);
  if (!node && isImplied(now))
    return true;
  if (!node)
    return false;
  // What the file calls it may say more than we do: a user task is a task, and
  // one with a message flow is a send task to us.
  const bool isTask =
      llvm::all_of(ArrayRef<xmlNodePtr>{node, was, now}, [](xmlNodePtr n) {
        return is(n, "task") || str(n->name).ends_with("Task");
      });
  const bool isOwnKind = str(node->name) == str(was->name);
  if (renamed && str(node->name) != str(now->name) && (isOwnKind || !isTask)) {
    if (!isOwnKind)
      return false;
    xmlNodeSetName(node, now->name);
    reshaped.push_back(id);
  }
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
  if (carriesOther)
    changePayload(node, now);
  return changeWords(node, was, now);
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

/// Puts what is new into the lanes of what it stands behind or before.
void Patcher::enterLanes() {
  std::multimap<std::string, xmlNodePtr> entries; // by the node in a lane
  for (xmlNodePtr n = source.root; n; n = next(n, source.root))
    if (is(n, "flowNodeRef"))
      entries.insert({reference(content(n)), n});
  // Along the flows, since several may be new in a row.
  for (bool more = !entries.empty(); more;) {
    more = false;
    for (const std::string &id : after.order) {
      xmlNodePtr flow = source.byId.lookup(id);
      if (!flow || !is(flow, "sequenceFlow"))
        continue;
      std::string from = attribute(flow, "sourceRef"),
                  to = attribute(flow, "targetRef");
      for (const auto &[known, fresh] : {std::pair(from, to), {to, from}}) {
        if (!llvm::is_contained(inserted, fresh) || entries.count(fresh))
          continue;
        auto [first, last] = entries.equal_range(known);
        const std::vector<std::pair<const std::string, xmlNodePtr>> lanes(first,
                                                                          last);
        for (const auto &[name, entry] : lanes) {
          xmlNodePtr made =
              xmlNewDocNode(source.doc, entry->ns, entry->name, xml(fresh));
          xmlAddNextSibling(entry, made);
          if (entry->prev && entry->prev->type == XML_TEXT_NODE)
            xmlAddPrevSibling(made,
                              xmlNewText(xml(str(entry->prev->content).str())));
          entries.insert({fresh, made});
          more = true;
        }
      }
    }
  }
}

bool Patcher::run() {
  std::set<std::string> implied = foldImplied(before, source);
  foldImplied(after, source, &implied);
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
  enterLanes();
  for (const std::string &id : reshaped)
    reshape(id);
  exchange();
  follow();
  // Those first that stand beside something that is drawn.
  for (bool more = true; more;) {
    more = false;
    for (const std::string &id : inserted)
      if (!source.drawn.count(id)) {
        draw(id);
        more |= source.drawn.count(id);
      }
  }
  for (const auto *flows : {&rerouted, &inserted})
    for (const std::string &id : *flows)
      drawFlow(id);
  return true;
}

/// Whether most elements without content have an end tag.
static bool endsEmptyElements(StringRef text) {
  size_t pairs = 0;
  for (size_t at = text.find("></"); at != StringRef::npos;
       at = text.find("></", at + 1)) {
    StringRef before = text.take_front(at);
    StringRef tag = before.substr(before.rfind('<') + 1);
    pairs += !tag.empty() && !StringRef("/!?").contains(tag.front());
  }
  return pairs > text.count("/>");
}

/// The text of a tree, in the encoding that it came in and written as \p
/// sourceText is.
static std::string textOf(xmlDocPtr doc, StringRef sourceText) {
  int options = endsEmptyElements(sourceText) ? XML_SAVE_NO_EMPTY : 0;
  if (!doc->encoding && !sourceText.contains("<?xml"))
    options |= XML_SAVE_NO_DECL;
  xmlBufferPtr buffer = xmlBufferCreate();
  xmlSaveCtxtPtr save = xmlSaveToBuffer(
      buffer,
      doc->encoding ? reinterpret_cast<const char *>(doc->encoding) : "UTF-8",
      options);
  std::string result;
  if (save && xmlSaveDoc(save, doc) >= 0 && xmlSaveClose(save) >= 0)
    result.assign(reinterpret_cast<const char *>(xmlBufferContent(buffer)),
                  static_cast<size_t>(xmlBufferLength(buffer)));
  xmlBufferFree(buffer);
  return result;
}

/// Ends tags of elements without content as the source does: with a space or
/// without one.
static std::string spacedAs(StringRef sourceText, std::string text) {
  if (2 * sourceText.count(" />") <= sourceText.count("/>"))
    return text;
  std::string spaced;
  spaced.reserve(text.size() + text.size() / 32);
  for (size_t i = 0; i < text.size();) {
    StringRef rest = StringRef(text).drop_front(i);
    size_t whole = rest.starts_with("<!--")        ? rest.find("-->")
                   : rest.starts_with("<![CDATA[") ? rest.find("]]>")
                                                   : StringRef::npos;
    if (whole != StringRef::npos) {
      spaced += rest.take_front(whole);
      i += whole;
      continue;
    }
    // Elsewhere '>' is only ever the end of a tag: texts and values have it
    // escaped.
    if (rest.starts_with("/>"))
      spaced += ' ';
    spaced += text[i++];
  }
  return spaced;
}

std::optional<std::string> cif::patchBpmn(StringRef sourceText,
                                          StringRef beforeText,
                                          std::string &afterText) {
  Tree source(sourceText), before(beforeText), after(afterText);
  if (!source.root || !before.root || !after.root)
    return std::nullopt;
  if (!Patcher(source, before, after).run())
    return std::nullopt;
  afterText = textOf(after.doc, afterText);
  std::string result = spacedAs(sourceText, textOf(source.doc, sourceText));
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
  std::string text = str(node->name).str() + anyAttribute(node, "parts");
  for (const auto &[name, value] : attributes(node))
    text += " " + name + "=" + named(value);
  for (const auto &[word, count] : words(node))
    text += " <" + word.first + ">" + named(word.second) + "x" +
            std::to_string(count);
  return text;
}

bool cif::sameBpmn(StringRef one, StringRef other, StringRef fileText) {
  Tree a(one), b(other), file(fileText);
  if (!a.root || !b.root || !file.root)
    return false;
  foldImplied(a, file);
  foldImplied(b, file);
  auto all = [](const Tree &tree) {
    std::vector<std::string> texts;
    for (const std::string &id : tree.order) {
      xmlNodePtr node = tree.byId.lookup(id);
      // The ids of messages and of message flows in choreographies are ours.
      if (is(node, "messageFlow"))
        texts.push_back(flowText(tree, node));
      else if (!is(node, "message"))
        texts.push_back(saying(tree, node) + payload(node));
      else if (std::string carried = payload(node); !carried.empty())
        texts.push_back(attribute(node, "name") + carried);
    }
    llvm::sort(texts);
    return texts;
  };
  return all(a) == all(b);
}
