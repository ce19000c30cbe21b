//===- ExchangeText.cpp - Exchanges in the text of a source -------------- ===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExchangeText.h"
#include "cif/IR/Names.h"

using namespace cif;

std::optional<ExchangeExtent> cif::exchangeExtent(const SourceBuffer &source,
                                                  size_t offset) {
  StringRef text = source.text().drop_front(offset);
  std::string word;
  bool ok = takeName(text, word) && (text = text.ltrim()).consume_front("->");
  text = text.ltrim();
  ok = ok && takeName(text, word) && (text = text.ltrim()).consume_front(":");
  text = text.ltrim();
  if (!ok || !takeName(text, word))
    return std::nullopt;
  auto at = [&] {
    return static_cast<size_t>(text.begin() - source.text().begin());
  };
  ExchangeExtent found{offset, at(), at(), isWordChar(text.data()[-1])};
  StringRef rest = text.ltrim();
  if (rest.starts_with("(")) {
    size_t close = rest.find(')');
    if (close == StringRef::npos || rest.slice(1, close).contains('('))
      return std::nullopt;
    text = rest.drop_front(close + 1);
    found.end = at();
  }
  return found;
}
