//===- Verify.cpp - --verify ----------------------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/IR/Verifier.h"
#include "cif/Pass/Pass.h"

using namespace cif;

namespace {
/// The rules that every reader and every pass is held to anyway; as a pass of
/// its own it is for pipelines under suspicion.
class Verify : public Pass {
public:
  PassResult run(Module &module, PassContext &context) override {
    return verify(module, context.diags) ? PassResult::Unchanged
                                         : PassResult::Failed;
  }
};
} // namespace

namespace cif {
std::unique_ptr<Pass> createVerifyPass() { return std::make_unique<Verify>(); }
} // namespace cif
