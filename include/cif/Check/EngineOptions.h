//===- EngineOptions.h - Options of checks that engines decide ------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The options `engine`, `engine-args` and `hosts`, which some checks have.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_ENGINEOPTIONS_H
#define CIF_CHECK_ENGINEOPTIONS_H

#include "cif/Explore/Engine.h"
#include "cif/Pass/Pass.h"

namespace cif {

/// Reads them into \p engine, which stays empty where none is asked for. False:
/// an error was reported.
bool readEngineOptions(const PassContext &context,
                       std::optional<EngineOptions> &engine);

} // namespace cif

#endif
