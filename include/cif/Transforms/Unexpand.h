//===- Unexpand.h - A change of a normalised module, made before ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_TRANSFORMS_UNEXPAND_H
#define CIF_TRANSFORMS_UNEXPAND_H

#include "cif/IR/Module.h"
#include <optional>

namespace cif {

/// Passes change what normalize() made of \p original: loops and two-way
/// interactions are expanded in \p changed. Returns a module that normalizes to
/// the same behaviours as \p changed and has these as \p original has them.
/// Nothing: there was nothing to expand, \p changed was not made by adding
/// nodes on flows of the normalised module, or some are inside of what was
/// expanded.
std::optional<Module> unexpanded(const Module &original, const Module &changed);

} // namespace cif

#endif
