//===- CommandSystem.h - Guarded commands as a system ---------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_SEMANTICS_COMMANDSYSTEM_H
#define CIF_SEMANTICS_COMMANDSYSTEM_H

#include "cif/IR/Commands.h"
#include "cif/Semantics/System.h"
#include <memory>

namespace cif {

/// The system of \p model: a slot for each counter, then one for each queue,
/// and a group for each command.
std::unique_ptr<System> makeCommandSystem(CommandModel model);

} // namespace cif

#endif
