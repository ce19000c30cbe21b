//===- IocConforms.h - A system of roles against a choreography -----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The relations of [iocpoc] as checks on modules.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_CHECK_CALCULUS_IOCCONFORMS_H
#define CIF_CHECK_CALCULUS_IOCCONFORMS_H

#include "cif/Calculus/IocRelation.h"
#include "cif/Pass/Pass.h"

namespace cif {

/// The relation that \p word names, if it is one of [iocpoc]'s.
std::optional<IocRelation> parseIocRelation(StringRef word);

/// The choreography that the option `only` names or, without it, the only one.
/// Null: an error was reported.
const Behaviour *selectedChoreography(const Module &module,
                                      PassContext &context);

/// Compares the roles of \p module with \p choreography of \p spec, which may
/// be the same module; if \p module has no roles, the choreography's projection
/// takes their place. Roles and operations correspond by name. Reports a fact
/// on \p property, which is inconclusive at a limit. Failed: an error was
/// reported; choices that are decided silently are one.
PassResult checkIocRelation(Module &module, PassContext &context,
                            const Module &spec, const Behaviour &choreography,
                            IocRelation relation, StringRef property);

/// The same with the one choreography of the file that the option `spec` names,
/// as `check-conforms` does.
PassResult checkIocConforms(Module &module, PassContext &context,
                            IocRelation relation);

} // namespace cif

#endif
