//===- CheckBisimilar.cpp - --check-bisimilar -----------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cif/Check/Calculus/IocConforms.h"

using namespace cif;

namespace cif {
PassResult runCheckBisimilar(Module &module, PassContext &context) {
  auto relation = context.oneOf("relation", iocRelationNames());
  if (!relation)
    return PassResult::Failed;
  const Behaviour *chosen = selectedChoreography(module, context);
  if (!chosen)
    return PassResult::Failed;
  return checkIocRelation(module, context, module, *chosen,
                          static_cast<IocRelation>(*relation), "bisimilar");
}
} // namespace cif
