//===- Encoding.cpp - XML in any encoding to UTF-8 ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds the encoding of an XML text as [XML 1.0, appendix F] says, and decodes
/// it to UTF-8 in memory, so that offsets in what is parsed are offsets in one
/// text. Lines are those of the file; columns count bytes of the UTF-8 text.
///
//===----------------------------------------------------------------------===//

#include "Bpmn.h"
#include "cif/Support/Diagnostics/Bpmn.h"
#include "llvm/Support/ConvertUTF.h"
#include <cerrno>
#include <cstring>
#include <iconv.h>

using namespace cif;
using namespace cif::bpmn;

/// The encoding that an XML declaration in ASCII names, or empty.
static StringRef declaredEncoding(StringRef text) {
  if (!text.starts_with("<?xml"))
    return {};
  StringRef declaration = text.take_front(1024);
  declaration = declaration.take_front(declaration.find("?>"));
  size_t at = declaration.find("encoding");
  if (at == StringRef::npos)
    return {};
  StringRef rest = declaration.substr(at + strlen("encoding")).ltrim();
  if (!rest.consume_front("="))
    return {};
  rest = rest.ltrim();
  if (rest.empty() || (rest[0] != '"' && rest[0] != '\''))
    return {};
  size_t close = rest.find(rest[0], 1);
  return close == StringRef::npos ? StringRef() : rest.slice(1, close);
}

/// Eight bytes at a time: most texts are ASCII to the end.
static bool isAscii(StringRef text) {
  const char *at = text.begin();
  uint64_t high = 0, word;
  for (; text.end() - at >= ptrdiff_t(sizeof word); at += sizeof word) {
    std::memcpy(&word, at, sizeof word);
    high |= word;
  }
  for (; at != text.end(); ++at)
    high |= static_cast<unsigned char>(*at);
  return !(high & 0x8080808080808080ull);
}

/// Whether \p text is UTF-8; \p bad: where it first is not.
static bool isUtf8(StringRef text, size_t &bad) {
  auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  auto *end = reinterpret_cast<const llvm::UTF8 *>(text.end());
  const llvm::UTF8 *at = begin;
  if (llvm::isLegalUTF8String(&at, end))
    return true;
  bad = static_cast<size_t>(at - begin);
  return false;
}

/// The name iconv knows an encoding by.
static std::string iconvName(StringRef encoding) {
  std::string lower = encoding.lower();
  if (lower == "macroman" || lower == "x-mac-roman" || lower == "mac-roman")
    return "MACINTOSH";
  return encoding.upper();
}

std::optional<StringRef> bpmn::decodeXml(const SourceBuffer &source,
                                         std::string &decoded,
                                         DiagnosticEngine &diags) {
  StringRef text = source.text();
  std::string encoding;
  auto startsWith = [&](StringRef bytes) { return text.starts_with(bytes); };
  auto refuse = [&](size_t offset) {
    diags.report(source.place(offset), diag::bpmn_encoding)
        << encoding << "byte " + Twine(offset) + " does not begin a character";
    return std::nullopt;
  };
  size_t bad = 0;
  if (startsWith("\xef\xbb\xbf")) {
    encoding = "UTF-8";
    return isUtf8(text, bad) ? std::optional(text) : refuse(bad);
  }
  if (startsWith(StringRef("\xff\xfe\0\0", 4)) ||
      startsWith(StringRef("\0\0\xfe\xff", 4)))
    encoding = "UTF-32";
  else if (startsWith("\xff\xfe") || startsWith("\xfe\xff"))
    encoding = "UTF-16";
  else if (startsWith(StringRef("<\0", 2)))
    encoding = "UTF-16LE";
  else if (startsWith(StringRef("\0<", 2)))
    encoding = "UTF-16BE";
  else {
    encoding = iconvName(declaredEncoding(text));
    // Declared as wide but readable byte by byte: tools that build the text in
    // UTF-16 and save it as UTF-8 write this.
    if (encoding.empty() || encoding == "UTF-8" || encoding == "UTF8" ||
        encoding == "US-ASCII" || encoding == "ASCII" ||
        StringRef(encoding).starts_with("UTF-16") ||
        StringRef(encoding).starts_with("UTF-32")) {
      if (isAscii(text) || isUtf8(text, bad))
        return text;
      // Tools that write the system's encoding and declare UTF-8 are common;
      // windows-1252 is what they mean where anything is.
      encoding = "WINDOWS-1252";
      (void)diags.report(source.place(bad), diag::bpmn_not_utf8);
    }
  }

  iconv_t converter = iconv_open("UTF-8", encoding.c_str());
  // NOLINTNEXTLINE(performance-no-int-to-ptr): how POSIX says it
  if (converter == reinterpret_cast<iconv_t>(-1)) {
    diags.report(source.place(0), diag::bpmn_encoding)
        << encoding << "no such encoding is known";
    return std::nullopt;
  }
  std::string chunk(1 << 16, '\0');
  char *in = const_cast<char *>(text.data());
  size_t inLeft = text.size();
  bool good = true;
  decoded.reserve(text.size() + text.size() / 8);
  while (good && inLeft) {
    char *out = chunk.data();
    size_t outLeft = chunk.size();
    size_t result = iconv(converter, &in, &inLeft, &out, &outLeft);
    decoded.append(chunk.data(), chunk.size() - outLeft);
    good = result != static_cast<size_t>(-1) || errno == E2BIG;
  }
  iconv_close(converter);
  if (!good)
    return refuse(text.size() - inLeft);
  return StringRef(decoded);
}
