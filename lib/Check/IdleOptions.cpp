//===- IdleOptions.cpp - Options that have no effect ----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/IdleOptions.h"
#include "cif/Support/Diagnostics/Usage.h"

using namespace cif;

bool cif::noneGiven(const PassContext &context, ArrayRef<StringRef> names,
                    const Twine &why) {
  for (StringRef name : names)
    if (context.options.count(name)) {
      context.diags.report(diag::idle_option) << "--" + name << why;
      return false;
    }
  return true;
}
