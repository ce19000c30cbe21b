//===- Json.cpp - JSON that somebody else wrote ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Support/Json.h"

using namespace cif;

llvm::Expected<llvm::json::Value> cif::parseJson(StringRef text) {
  constexpr unsigned deepest = 200;
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inString && c == '\\')
      ++i; // what follows ends nothing
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{') && ++depth > deepest)
      return llvm::createStringError(
          "arrays and objects are nested more than " + Twine(deepest) +
          " deep");
    else if (!inString && (c == ']' || c == '}') && depth)
      --depth;
  }
  return llvm::json::parse(text);
}

std::string cif::utf8(StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}
