//===- Serve.h - cifc --serve ---------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs the studio until Ctrl-C, where this build has one.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_TOOLS_SERVE_H
#define CIF_LIB_TOOLS_SERVE_H

#include "cif/Tools/Session.h"

namespace cif {

/// \p self: how this program was called. Returns an exit code.
int serve(Session &session, const char *self);

} // namespace cif

#endif
