//===- Verify.cpp - --verify ----------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Verifier.h"
#include "cif/Pass/Pass.h"

using namespace cif;

namespace cif {
/// The rules that every reader and every pass is held to anyway; as a pass of
/// its own it is for pipelines under suspicion.
PassResult runVerify(Module &module, PassContext &context) {
  return verify(module, context.diags) ? PassResult::Unchanged
                                       : PassResult::Failed;
}
} // namespace cif
