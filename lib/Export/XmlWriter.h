//===- XmlWriter.h - Well-formed XML, whatever the names are --------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_EXPORT_XMLWRITER_H
#define CIF_LIB_EXPORT_XMLWRITER_H

#include "cif/Support/LLVM.h"
#include <string>
#include <vector>

namespace cif {

/// Writes \p text so that an XML reader gives it back. What XML 1.0 cannot hold
/// (control characters, bytes that are not UTF-8) becomes U+FFFD.
void escapeXml(raw_ostream &os, StringRef text, bool inAttribute);
/// Whether \p text can be an id: an NCName of XML namespaces.
bool isNCName(StringRef text);

/// Writes elements with indentation. Names are literals.
class XmlWriter {
public:
  explicit XmlWriter(raw_ostream &os) : os(os) {}

  /// Starts an element; attributes may follow.
  XmlWriter &open(const char *name);
  XmlWriter &attribute(const char *name, StringRef value);
  XmlWriter &attribute(const char *name, int64_t value);
  XmlWriter &attribute(const char *name, const char *value) {
    return attribute(name, StringRef(value));
  }
  /// The same, unless the value is empty.
  XmlWriter &optional(const char *name, StringRef value) {
    return value.empty() ? *this : attribute(name, value);
  }
  /// Ends the element that was started last.
  void close();
  /// An element that holds text only.
  void textElement(const char *name, StringRef text);
  void text(StringRef text);

private:
  void endTag();

  raw_ostream &os;
  std::vector<const char *> names;
  bool tagOpen = false; ///< the start tag may take attributes
  bool inlined = false; ///< the element holds text
};

} // namespace cif

#endif
