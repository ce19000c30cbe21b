//===- EngineOptions.cpp - Options of checks that engines decide ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/EngineOptions.h"
#include "cif/Support/Diagnostics/Usage.h"

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
  for (StringRef idle : {"engine-args", "hosts"})
    if (context.hasOption(idle)) {
      context.diags.report(diag::idle_option)
          << "--" + idle.str() << "without --engine";
      return false;
    }
  return true;
}
