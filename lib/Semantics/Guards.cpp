//===- Guards.cpp - Guards that decide nothing ----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Semantics/Guards.h"
#include "Data/Data.h"
#include "cif/IR/Operators.h"

using namespace cif;

/// Whether \p id asks about anything: a constant is decided.
static bool asks(const Module &module, ExprId id) {
  return llvm::any_of(partsOf(module, id), [&](ExprId part) {
    ExprOp op = module.expr(part).op;
    return op == ExprOp::Opaque || op == ExprOp::Variable;
  });
}

bool cif::guardsAreFree(const Module &module, uint32_t behaviour) {
  for (const Flow &flow : module.behaviours[behaviour].flows)
    if (flow.guard && !asks(module, flow.guard))
      return false;
  DataModel data(module, behaviour, /*showsValues=*/true);
  return data.empty() && !data.settles() && !data.hiddenFields();
}

bool cif::guardDecides(const Module &module, uint32_t behaviour, FlowId flow) {
  DataModel data(module, behaviour, /*showsValues=*/true);
  return data.guard(behaviour, flow) != noData || data.settled(behaviour, flow);
}

bool cif::leavesGuards(const Module &module, uint32_t behaviour) {
  DataModel data(module, behaviour, /*showsValues=*/true);
  ArrayRef<Flow> flows = module.behaviours[behaviour].flows;
  for (size_t f = 0; f < flows.size(); ++f)
    if (ExprId guard = flows[f].guard;
        guard && asks(module, guard) &&
        llvm::none_of(partsOf(module, guard),
                      [&](ExprId part) {
                        return module.expr(part).op == ExprOp::Opaque;
                      }) &&
        data.guard(behaviour, FlowId(f)) == noData &&
        !data.settled(behaviour, FlowId(f)))
      return true;
  return false;
}

std::string cif::dataMethod(const Module &module, ArrayRef<uint32_t> behaviours,
                            bool shows) {
  return DataModel(module, behaviours, shows).method();
}

std::string cif::dataMethodOf(const Module &module, BehaviourKind kind) {
  SmallVector<uint32_t, 8> all;
  for (size_t b = 0; b < module.behaviours.size(); ++b)
    if (module.behaviours[b].kind == kind)
      all.push_back(static_cast<uint32_t>(b));
  std::string text = dataMethod(module, all);
  return text.empty() ? text : "; " + text;
}
