//===- AutFrontEnd.h - AUT files as modules -------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_TOOLS_AUTFRONTEND_H
#define CIF_LIB_TOOLS_AUTFRONTEND_H

#include "cif/Frontend/FrontEnd.h"

namespace cif {

// Here and not in Frontend, because the reader belongs to LTS.
int detectAut(StringRef path, StringRef text);
bool parseAut(const SourceBuffer &source, Module &module,
              DiagnosticEngine &diags, const FrontEndOptions &options);

} // namespace cif

#endif
