//===- AmendConnected.h - --amend for connectedness -----------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_REPAIR_AMENDCONNECTED_H
#define CIF_LIB_REPAIR_AMENDCONNECTED_H

#include "cif/Pass/Pass.h"
#include "cif/Repair/AmendTerm.h"

namespace cif {

/// Makes the module's choreography connected for \p semantics.
PassResult amendForConnectedness(Module &module, IocSemantics semantics,
                                 PassContext &context);

} // namespace cif

#endif
