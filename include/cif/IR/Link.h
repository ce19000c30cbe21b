//===- Link.h - One module from several -----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_IR_LINK_H
#define CIF_IR_LINK_H

#include "cif/IR/Module.h"

namespace cif {

/// Adds everything of \p from to \p into. Participants are merged by name,
/// messages by name and ends, enumerations by name (other literals under one
/// name are an error). False: reported.
bool linkInto(Module &into, const Module &from, DiagnosticEngine &diags);

/// A module with one behaviour or system of \p from, and what that refers to in
/// the order that it has there; without facts. As large as that part is.
Module extractBehaviour(const Module &from, uint32_t behaviour);
Module extractSystem(const Module &from, uint32_t system);

} // namespace cif

#endif
