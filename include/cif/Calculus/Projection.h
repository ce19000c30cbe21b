//===- Projection.h - What a role does in a choreography's term -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Projection of IOC terms to POC systems.
/// Implements: [iocpoc], Defs. 3.1 and 3.2.
///
/// A projected step keeps the node of the interaction that it comes from: that
/// is the index of [iocpoc, section 4], and it gives the location.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CALCULUS_PROJECTION_H
#define CIF_CALCULUS_PROJECTION_H

#include "cif/IR/Term.h"
#include "cif/Support/Limits.h"

namespace cif {

/// One role of a POC system. In its term an action whose sender is the role is
/// an output, one whose receiver is the role an input; the partner may be open.
struct PocRole {
  uint32_t role;
  Term term;
};

/// What \p role does in \p term. Partners are left open, as POC matches by
/// operation alone.
Term projectTerm(const Term &term, uint32_t role);

/// All roles of \p term, by number: a term for each of them, which is much
/// where there are many. Only the first ones if \p budget stops.
std::vector<PocRole> projectTerm(const Term &term, Budget *budget = nullptr);

} // namespace cif

#endif
