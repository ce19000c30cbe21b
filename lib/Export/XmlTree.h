//===- XmlTree.h - Reading libxml2's trees --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_XMLTREE_H
#define CIF_LIB_EXPORT_XMLTREE_H

#include "cif/Support/LLVM.h"
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <string>

namespace cif::xmltree {

inline const xmlChar *xml(const char *text) {
  return reinterpret_cast<const xmlChar *>(text);
}
inline const xmlChar *xml(const std::string &text) { return xml(text.c_str()); }

inline StringRef str(const xmlChar *text) {
  return text ? StringRef(reinterpret_cast<const char *>(text)) : StringRef();
}

inline std::string attribute(xmlNodePtr node, const char *name) {
  xmlChar *value = xmlGetNoNsProp(node, xml(name));
  std::string result = str(value).str();
  xmlFree(value);
  return result;
}

/// The attribute in whatever namespace.
inline std::string anyAttribute(xmlNodePtr node, const char *name) {
  for (xmlAttrPtr a = node->properties; a; a = a->next)
    if (str(a->name) == name) {
      xmlChar *value = xmlNodeListGetString(node->doc, a->children, 1);
      std::string result = str(value).str();
      xmlFree(value);
      return result;
    }
  return {};
}

inline std::string content(xmlNodePtr node) {
  xmlChar *value = xmlNodeGetContent(node);
  std::string result = str(value).trim().str();
  xmlFree(value);
  return result;
}

/// A reference without the prefix that some tools give it.
inline std::string reference(StringRef text) {
  return text.substr(text.find(':') + 1).str();
}

inline bool isElement(xmlNodePtr node) {
  return node->type == XML_ELEMENT_NODE;
}
inline bool is(xmlNodePtr node, const char *name) {
  return isElement(node) && str(node->name) == name;
}

/// The node after \p node below \p root, in the order of the text.
inline xmlNodePtr next(xmlNodePtr node, xmlNodePtr root) {
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

inline xmlNodePtr child(xmlNodePtr node, const char *name) {
  for (xmlNodePtr c = node->children; c; c = c->next)
    if (is(c, name))
      return c;
  return nullptr;
}

} // namespace cif::xmltree

#endif
