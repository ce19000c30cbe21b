//===- StateProperties.h - Properties of states of collaborations *- C++
//-*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_PROPERTY_STATEPROPERTIES_H
#define CIF_LIB_CHECK_PROPERTY_STATEPROPERTIES_H

#include "cif/Pass/Pass.h"
#include "cif/Semantics/Semantics.h"
#include "cif/Temporal/Ltl.h"

namespace cif {

/// Checks properties that speak of tokens, messages in transit or active
/// elements (ltl::Property::saysStates) on the module's processes, and reports
/// them. \p fair: under the fairness of [fbpmn]. False: errors were reported.
bool checkStateProperties(Module &module, PassContext &context,
                          const SemanticsOptions &semantics, bool fair,
                          ArrayRef<ltl::Property> properties);

} // namespace cif

#endif
