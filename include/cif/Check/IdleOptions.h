//===- IdleOptions.h - Options that have no effect ------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_IDLEOPTIONS_H
#define CIF_CHECK_IDLEOPTIONS_H

#include "cif/Pass/Pass.h"

namespace cif {

/// Whether none of the options \p names was given; reports the first that was,
/// and \p why it has no effect ("without --engine").
bool noneGiven(const PassContext &context, ArrayRef<StringRef> names,
               const Twine &why);

} // namespace cif

#endif
