//===- Format.h - The layout of a text, for editors -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_FRONTEND_FORMAT_H
#define CIF_FRONTEND_FORMAT_H

#include "cif/Support/Source.h"
#include <optional>

namespace cif {

/// \p source with its lines indented and its blanks in order, in the language
/// of the front end \p language: ioc, cp or cift. Lines stay lines, comments
/// stay as they are, and no token changes. Formatting twice changes nothing
/// more. Nothing: the language has no layout, or the text has something that is
/// no token (an open comment or quote).
std::optional<std::string> formatSource(StringRef language,
                                        const SourceBuffer &source);

} // namespace cif

#endif
