//===- Guards.h - Guards that decide nothing ------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_SEMANTICS_GUARDS_H
#define CIF_SEMANTICS_GUARDS_H

#include "cif/Semantics/Semantics.h"

namespace cif {

/// Whether every guard of a behaviour is a free choice to the semantics: none
/// is constant, and none looks at data that are followed.
bool guardsAreFree(const Module &module, uint32_t behaviour);

/// Whether the guard of a flow decides, by data that are followed.
bool guardDecides(const Module &module, uint32_t behaviour, FlowId flow);

/// Whether some guard over data that is understood is a free choice, because
/// its data are not followed.
bool leavesGuards(const Module &module, uint32_t behaviour);

/// How guards over data are decided, for people: `guards decide by regions of
/// numbers and texts`. Empty: all are free choices. \p shows: as
/// makeValuedChoreography does.
std::string dataMethod(const Module &module, ArrayRef<uint32_t> behaviours,
                       bool shows = false);
/// The same of all behaviours of a kind, ready to stand behind a method: with
/// `; ` before it.
std::string dataMethodOf(const Module &module, BehaviourKind kind);

/// The choreography as a system whose labels show the values that guards can
/// look at or that are passed on, as in `Request(4)`; of numbers and texts that
/// behave alike one stands for all. Null: errors were reported.
std::unique_ptr<System> makeValuedChoreography(const Module &module,
                                               uint32_t behaviour,
                                               const Limits &limits,
                                               DiagnosticEngine &diags);
/// The same of one process alone (SemanticsKind::Local), with the values that
/// the guards of any process tell apart.
std::unique_ptr<System> makeValuedProcess(const Module &module,
                                          uint32_t behaviour,
                                          const Limits &limits,
                                          DiagnosticEngine &diags);

} // namespace cif

#endif
