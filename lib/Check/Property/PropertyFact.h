//===- PropertyFact.h - One property of one LTS ---------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_PROPERTY_PROPERTYFACT_H
#define CIF_LIB_CHECK_PROPERTY_PROPERTYFACT_H

#include "cif/Explore/Explorer.h"
#include "cif/Pass/Pass.h"
#include "cif/Semantics/CollaborationSystem.h"
#include "cif/Temporal/Ltl.h"

namespace cif {

/// What properties are checked on.
struct PropertySubject {
  std::string text;
  Place at;
  const Lts *lts = nullptr;
  /// By transition; empty: the LTS came as one.
  ArrayRef<Step> steps;
  const Exploration *exploration = nullptr;
  /// What was explored, where it is no peers: its steps can be read.
  const CollaborationSystem *ofTokens = nullptr;
  const SystemDecl *system = nullptr;
  size_t numGroups = 0;
  ArrayRef<Label> alphabet;
  size_t expanded = SIZE_MAX;
  std::string incomplete; ///< why the LTS is not whole; empty: it is
  /// Not null: the LTS has only some of the steps of this.
  const System *unreduced = nullptr;
  std::vector<std::pair<std::string, std::string>> parameters;
};

/// Decides \p property of \p subject, over strongly fair runs or over all
/// maximal ones. Inconclusive at a limit of \p context, or where the LTS is not
/// whole. \p replays: whether the run of a violated fact is one of the whole
/// system and violates the property.
Fact propertyFact(const Module &module, PassContext &context,
                  const PropertySubject &subject, ltl::Property &property,
                  bool fair, bool &replays);

} // namespace cif

#endif
