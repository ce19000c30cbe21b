//===- Names.h - How names are written as text ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One way to write a name in every textual form that CIF has: as it is when it
/// is a plain word, else between double quotes, where \" \\ \n \t \r and \xHH
/// stand for what cannot be written.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_NAMES_H
#define CIF_IR_NAMES_H

#include "cif/Support/LLVM.h"
#include <string>

namespace cif {

/// Letters, digits, '_' and any non-ASCII character; not a digit first unless
/// all are digits.
bool isPlainWord(StringRef text);
/// \p text as it is when it is a plain word, else in quotes.
std::string quoted(StringRef text);
std::string quoteAlways(StringRef text);
/// Appends what quoted() gives, without a temporary.
void printName(raw_ostream &os, StringRef text);
/// Takes a plain word or a quoted name off the front of \p text.
bool takeName(StringRef &text, std::string &name);
/// Undoes quoting; \p body is what stands between the quotes. False: bad
/// escape.
bool unescape(StringRef body, std::string &out);

/// Where \p text is no longer UTF-8, or npos when all of it is.
size_t findNotUtf8(StringRef text);

inline bool isWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

} // namespace cif

#endif
