//===- RandomModule.h - Modules that nobody would write -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random modules that use every field of the IR and keep the verifier's rules.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_TEST_UNIT_RANDOMMODULE_H
#define CIF_TEST_UNIT_RANDOMMODULE_H

#include "cif/IR/Module.h"
#include <random>

namespace cif {

/// A module made of \p seed; \p scale is about the number of nodes of its
/// largest behaviour.
Module randomModule(unsigned seed, unsigned scale = 12);

} // namespace cif

#endif
