//===- ModuleParts.h - What can be taken out of a module ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The parts of a module that cif-reduce tries to do without, by kind.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_TOOLS_MODULEPARTS_H
#define CIF_LIB_TOOLS_MODULEPARTS_H

#include "cif/IR/Module.h"
#include "llvm/ADT/BitVector.h"

namespace cif {

/// One kind of parts. They are numbered from 0 in the order of the module.
struct ModuleParts {
  const char *name; ///< "nodes", "flows", ...
  size_t (*count)(const Module &module);
  /// Takes the parts in \p gone out of \p module, and whatever cannot be
  /// without them. The result need not pass the verifier.
  void (*remove)(Module &module, const llvm::BitVector &gone);
};

/// All kinds, those first whose removal takes most with it.
ArrayRef<ModuleParts> allModuleParts();

} // namespace cif

#endif
