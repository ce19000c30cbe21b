//===- EngineOptions.cpp - Options of checks that engines decide ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/EngineOptions.h"
#include "cif/Check/IdleOptions.h"

using namespace cif;

bool cif::readEngineOptions(const PassContext &context,
                            std::optional<EngineOptions> &engine) {
  if (!context.info->findOption("engine"))
    return true;
  if (context.hasOption("engine")) {
    engine = readEngine(context.option("engine"), context.option("engine-args"),
                        context.option("hosts"), context.diags);
    return engine.has_value();
  }
  return noneGiven(context, {"engine-args", "hosts"}, "without --engine");
}
