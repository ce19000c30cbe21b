//===- XmlWriter.cpp - Well-formed XML, whatever the names are ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "XmlWriter.h"
#include "Layout/TextMetrics.h"

using namespace cif;

/// XML 1.0, production 2 (Char).
static bool isXmlChar(uint32_t c) {
  return c == 0x9 || c == 0xa || c == 0xd || (c >= 0x20 && c <= 0xd7ff) ||
         (c >= 0xe000 && c <= 0xfffd) || (c >= 0x10000 && c <= 0x10ffff);
}

void cif::escapeXml(raw_ostream &os, StringRef text, bool inAttribute) {
  while (!text.empty()) {
    StringRef bytes;
    uint32_t c = takeCharacter(text, bytes);
    switch (c) {
    case '&':
      os << "&amp;";
      break;
    case '<':
      os << "&lt;";
      break;
    case '>':
      os << "&gt;";
      break;
    case '"':
      os << (inAttribute ? "&quot;" : "\"");
      break;
    case '\n':
    case '\t':
      // In attributes a reader would turn them into blanks.
      if (inAttribute)
        os << "&#" << c << ';';
      else
        os << bytes;
      break;
    case '\r':
      os << "&#13;";
      break;
    default:
      if (isXmlChar(c) && c != 0xfffd)
        os << bytes;
      else
        os << "\xef\xbf\xbd";
    }
  }
}

bool cif::isNCName(StringRef text) {
  auto letter = [](uint32_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (c >= 0xc0 && c <= 0xd6) || (c >= 0xd8 && c <= 0xf6) ||
           (c >= 0xf8 && c <= 0x2ff) || (c >= 0x370 && c <= 0x37d) ||
           (c >= 0x37f && c <= 0x1fff) || c == 0x200c || c == 0x200d ||
           (c >= 0x2070 && c <= 0x218f) || (c >= 0x2c00 && c <= 0x2fef) ||
           (c >= 0x3001 && c <= 0xd7ff) || (c >= 0xf900 && c <= 0xfdcf) ||
           (c >= 0xfdf0 && c <= 0xfffd) || (c >= 0x10000 && c <= 0xeffff);
  };
  auto other = [](uint32_t c) {
    return c == '-' || c == '.' || (c >= '0' && c <= '9') || c == 0xb7 ||
           (c >= 0x300 && c <= 0x36f) || c == 0x203f || c == 0x2040;
  };
  if (text.empty())
    return false;
  for (bool first = true; !text.empty(); first = false) {
    StringRef bytes;
    uint32_t c = takeCharacter(text, bytes);
    // U+FFFD stands for bytes that are not UTF-8, unless it is itself there.
    if (c == 0xfffd && bytes.size() != 3)
      return false;
    if (!letter(c) && (first || !other(c)))
      return false;
  }
  return true;
}

void XmlWriter::endTag() {
  if (tagOpen)
    os << '>';
  tagOpen = false;
}

XmlWriter &XmlWriter::open(const char *name) {
  endTag();
  if (!names.empty())
    os << '\n';
  // Deep nesting must not make the file quadratic.
  os.indent(std::min<size_t>(names.size(), 20) * 2) << '<' << name;
  names.push_back(name);
  tagOpen = true;
  inlined = false;
  return *this;
}

XmlWriter &XmlWriter::attribute(const char *name, StringRef value) {
  assert(tagOpen && "attributes come before contents");
  os << ' ' << name << "=\"";
  escapeXml(os, value, /*inAttribute=*/true);
  os << '"';
  return *this;
}

XmlWriter &XmlWriter::attribute(const char *name, int64_t value) {
  assert(tagOpen && "attributes come before contents");
  os << ' ' << name << "=\"" << value << '"';
  return *this;
}

void XmlWriter::close() {
  const char *name = names.back();
  names.pop_back();
  if (tagOpen) {
    os << " />";
    tagOpen = false;
  } else {
    if (!inlined)
      (os << '\n').indent(std::min<size_t>(names.size(), 20) * 2);
    os << "</" << name << '>';
  }
  inlined = false;
  if (names.empty())
    os << '\n';
}

void XmlWriter::text(StringRef text) {
  endTag();
  escapeXml(os, text, /*inAttribute=*/false);
  inlined = true;
}

void XmlWriter::textElement(const char *name, StringRef value) {
  open(name);
  text(value);
  close();
}
