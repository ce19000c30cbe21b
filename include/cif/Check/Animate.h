//===- Animate.h - The states of a witness --------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_ANIMATE_H
#define CIF_CHECK_ANIMATE_H

#include "cif/IR/Animation.h"
#include "cif/IR/Module.h"
#include "cif/Support/Limits.h"

namespace cif {

/// The run that the witness of \p fact tells, taken again on \p module, which
/// is what the check was made on. Where it cannot be taken within a small
/// effort the frames are the steps alone.
Animation animate(const Module &module, const Fact &fact, const Limits &limits);

/// All states of the system that \p fact is about, where they are few enough to
/// be looked at; witness or not.
std::optional<AnimationGraph>
graphOfSystem(const Module &module, const Fact &fact, const Limits &limits);

} // namespace cif

#endif
