//===- TextWords.h - What printer and parser of the text form share -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_IR_TEXTWORDS_H
#define CIF_LIB_IR_TEXTWORDS_H

#include "cif/IR/Operators.h"
#include <optional>

namespace cif {

/// An expression that is larger than this and used several times is written
/// once, on a line of its own.
constexpr uint32_t maxRepeatedExpr = 32;

inline const char *builtinSortText(Sort sort) {
  static const char *const texts[] = {"unknown", "bool", "int", "string"};
  return texts[sort.value];
}
inline std::optional<Sort> builtinSort(StringRef text) {
  for (uint32_t i = 0; i < 4; ++i)
    if (text == builtinSortText(Sort{i}))
      return Sort{i};
  return std::nullopt;
}

constexpr unsigned numNodeFlags = 8;
inline const char *nodeFlagText(unsigned bit) {
  static const char *const texts[numNodeFlags] = {
      "non-interrupting", "test-after",  "transaction",       "event-triggered",
      "ad-hoc",           "instantiate", "parallel-multiple", "binds"};
  return texts[bit];
}

} // namespace cif

#endif
