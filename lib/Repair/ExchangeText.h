//===- ExchangeText.h - Exchanges in the text of a source ---------------- ===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_REPAIR_EXCHANGETEXT_H
#define CIF_LIB_REPAIR_EXCHANGETEXT_H

#include "cif/Support/Source.h"
#include <optional>

namespace cif {

/// Where `p -> q : m(...)` stands in a source of IOC or conversation protocols.
struct ExchangeExtent {
  size_t begin, nameEnd, end; ///< of the whole, and of the name `m`
  bool plain;                 ///< `m` is a plain word
};

/// The exchange that begins at \p offset, if it is one and its payload is
/// simple.
std::optional<ExchangeExtent> exchangeExtent(const SourceBuffer &source,
                                             size_t offset);

} // namespace cif

#endif
