//===- SymbolicConforms.h - --check-conforms with relation=symbolic -------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_CONFORMANCE_SYMBOLICCONFORMS_H
#define CIF_CHECK_CONFORMANCE_SYMBOLICCONFORMS_H

#include "cif/Pass/Pass.h"

namespace cif {

/// Compares the processes of \p module, or its choreography, with that of
/// \p spec for all data [symbolic, Def. 5].
PassResult checkSymbolicConforms(Module &module, Module &spec,
                                 PassContext &context);

/// Compares each choreography of \p module with the product of its projections
/// for all data. A guard goes to those who know its variables.
PassResult checkSymbolicRealizable(Module &module, PassContext &context);

} // namespace cif

#endif
