//===- WellComposed.h - Messages with both their ends ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_CONFORMANCE_WELLCOMPOSED_H
#define CIF_CHECK_CONFORMANCE_WELLCOMPOSED_H

#include "cif/IR/Module.h"

namespace cif {

/// What keeps the processes of \p module from being well-composed, at the
/// elements: a message without its other end, with too many, or to itself.
/// Empty: they are well-composed. \p open: for each, whether its other end is
/// not here: with a participant without a process, or with nobody.
std::vector<WitnessStep> compositionProblems(const Module &module,
                                             std::vector<bool> *open = nullptr);

} // namespace cif

#endif
