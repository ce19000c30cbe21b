//===- Version.h - Versions -----------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TOOLS_VERSION_H
#define CIF_TOOLS_VERSION_H

#include "cif/Support/LLVM.h"

namespace cif {

/// Plugins built against another number are refused.
constexpr uint32_t pluginApiVersion = 5;

/// "0.1.0".
StringRef versionText();
/// What a bug report needs: formats and libraries, a line each.
std::string buildText();

} // namespace cif

#endif
