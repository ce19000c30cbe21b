//===- PropertyModel.h - What is explored for properties ------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_PROPERTY_PROPERTYMODEL_H
#define CIF_LIB_CHECK_PROPERTY_PROPERTYMODEL_H

#include "cif/Explore/ExploreModule.h"
#include "cif/Explore/PeerReduction.h"
#include "cif/Pass/Pass.h"
#include "cif/Temporal/Ltl.h"

namespace cif {

/// What was explored of a module.
struct PropertyModel {
  std::unique_ptr<System> system;
  std::unique_ptr<ReducedPeers> reduced; ///< null: all steps were taken
  std::optional<Exploration> exploration;
};

/// Explores \p module as far as \p properties need it; without an exploration,
/// the diagnostics say why.
PropertyModel explorePropertyModel(const Module &module, PassContext &context,
                                   const SemanticsOptions &semantics,
                                   ArrayRef<ltl::Property> properties,
                                   bool fair);

} // namespace cif

#endif
