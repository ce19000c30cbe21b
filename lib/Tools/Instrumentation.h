//===- Instrumentation.h - Watching the passes ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_TOOLS_INSTRUMENTATION_H
#define CIF_LIB_TOOLS_INSTRUMENTATION_H

#include "cif/Tools/Session.h"

namespace cif {

/// The observers that the command line asks for (--print-ir, --dump-phases,
/// --time, --stats). False: an option's value is bad, and that was reported.
bool makeObservers(Session &session,
                   std::vector<std::unique_ptr<PassObserver>> &observers);

} // namespace cif

#endif
