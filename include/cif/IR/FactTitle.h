//===- FactTitle.h - What a verdict is about, for people ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_FACTTITLE_H
#define CIF_IR_FACTTITLE_H

#include "cif/Support/LLVM.h"

#include <string>

namespace cif {

/// The subject and the property of a fact as they precede its verdict:
///   choreography 'Store': realizable
///   the collaboration under bag: deadlock-free
///   the peers: conforms to choreography 'Store'
///   the peers: health: no deadlock
/// What the subject adds to who it is about comes after the property. The
/// property alone if there is no subject. lib/Report/Html/verdicts.js does the
/// same for the page of a run.
std::string factTitle(StringRef property, StringRef subject);

} // namespace cif

#endif
