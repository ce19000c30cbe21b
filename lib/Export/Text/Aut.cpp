//===- Aut.cpp - --emit=aut -----------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/LTS/Aut.h"
#include "cif/Export/Emitter.h"
#include "cif/IR/Names.h"
#include "cif/Support/Diagnostics/Checks.h"

using namespace cif;

bool cif::emitAut(const Module &module, raw_ostream &os,
                  DiagnosticEngine &diags, const EmitOptions &) {
  // AUT has room for one LTS.
  if (module.systems.size() != 1) {
    std::string names;
    for (const SystemDecl &s : module.systems)
      names += (names.empty() ? ": " : ", ") + quoted(module.text(s.name));
    diags.report(diag::aut_needs_one_system) << module.systems.size() << names;
    return false;
  }
  writeAut(module.systems.front().lts, os);
  return true;
}
