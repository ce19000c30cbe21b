//===- Guards.h - Guards that decide nothing ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_SEMANTICS_GUARDS_H
#define CIF_SEMANTICS_GUARDS_H

#include "cif/IR/Module.h"

namespace cif {

/// Whether every guard of a behaviour is a free choice to the semantics: none
/// is constant, and none looks at data that are followed.
bool guardsAreFree(const Module &module, uint32_t behaviour);

} // namespace cif

#endif
