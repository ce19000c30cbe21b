//===- Parts.h - A collaboration of minimised processes -------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Processes are minimised before they are composed, and a run that is found in
/// the product is searched for in the collaboration itself. Parts.cpp proves
/// that the product is equivalent.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_CONFORMANCE_PARTS_H
#define CIF_LIB_CHECK_CONFORMANCE_PARTS_H

#include "cif/Check/Conformance/Conformance.h"

namespace cif {

/// The product of the minimised processes of a collaboration.
struct PartsProduct {
  Lts lts;
  std::vector<Label> shown; ///< by label of `lts`: an exchange, or tau
};

/// Minimises each process of \p pairing and composes them on its network.
/// Nothing: they cannot be taken apart, it would not pay, or a limit was met.
std::optional<PartsProduct> productOfParts(const Pairing &pairing);

/// The runs of \p system that show a beginning of \p trace, each state with the
/// number of exchanges so far in one more slot. \p shown says what each label
/// shows.
std::unique_ptr<System> makeGuidedSystem(const System &system,
                                         ArrayRef<Label> shown,
                                         ArrayRef<Label> trace);

} // namespace cif

#endif
