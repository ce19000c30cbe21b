//===- DotPass.cpp - --dot ------------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Export/Emitter.h"
#include "cif/Pass/Pass.h"

using namespace cif;

namespace cif {
/// Writes the module as it is at this point of a pipeline for Graphviz.
PassResult runDot(Module &module, PassContext &context) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!emitDot(module, os, context.diags, EmitOptions()))
    return PassResult::Failed;
  bool written = context.host.write(context.option("file"),
                                    [&](raw_ostream &out) { out << text; });
  return written ? PassResult::Unchanged : PassResult::Failed;
}
} // namespace cif
