//===- IocConforms.h - A system of roles against a choreography -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_CALCULUS_IOCCONFORMS_H
#define CIF_CHECK_CALCULUS_IOCCONFORMS_H

#include "cif/Calculus/IocRelation.h"
#include "cif/Pass/Pass.h"

namespace cif {

/// The relation that \p word names, if it is one of [iocpoc]'s.
std::optional<IocRelation> parseIocRelation(StringRef word);

/// Compares the roles of \p module with the choreography of \p spec, which may
/// be the same module; without roles, with the choreography's projection. Roles
/// and operations correspond by name. Adds a fact to \p module.
PassResult checkIocRelation(Module &module, PassContext &context,
                            const Module &spec, const Behaviour &choreography,
                            IocRelation relation, StringRef property);

/// The same with the one choreography of the file that the option `spec` names,
/// as `check-conforms` does.
PassResult checkIocConforms(Module &module, PassContext &context,
                            IocRelation relation);

} // namespace cif

#endif
