//===- Guards.cpp - Guards that decide nothing ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Semantics/Guards.h"
#include "Data/Data.h"

using namespace cif;

/// Whether \p id asks about anything: a constant is decided.
static bool asks(const Module &module, ExprId id) {
  SmallVector<ExprId, 8> work{id};
  while (!work.empty()) {
    const Expr &e = module.expr(work.pop_back_val());
    if (e.op == ExprOp::Opaque || e.op == ExprOp::Variable)
      return true;
    for (ExprId operand : {e.lhs, e.rhs})
      if (operand)
        work.push_back(operand);
  }
  return false;
}

bool cif::guardsAreFree(const Module &module, uint32_t behaviour) {
  for (const Flow &flow : module.behaviours[behaviour].flows)
    if (flow.guard && !asks(module, flow.guard))
      return false;
  return DataModel(module, behaviour).empty();
}
