//===- Covering.h - What coverability tells of a collaboration --*- C++ -*-===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A collaboration as a net without tests, and its minimal coverability set.
///
//===----------------------------------------------------------------------===//

#ifndef CIF_LIB_CHECK_COLLABORATION_COVERING_H
#define CIF_LIB_CHECK_COLLABORATION_COVERING_H

#include "cif/Explore/Coverability.h"
#include "cif/Semantics/CollaborationSystem.h"

namespace cif {

class Covering {
public:
  Covering(const CollaborationSystem &of, const Limits &limits);

  /// The set is complete; otherwise nothing is claimed.
  bool isKnown() const { return set.complete; }
  /// The net is the system; otherwise it allows more than that.
  bool isExact() const { return exact; }
  const char *method() const;
  /// No flow holds two tokens.
  bool isSafe() const;
  bool isBounded() const { return isKnown() && set.isBounded(); }
  /// Tells \p visit of the steps that can be taken.
  void forEachPossible(function_ref<void(GroupIndex)> visit) const;

private:
  void makeExact(const PetriNet &petri);
  void makeWider(const StepNet &steps);
  void add(GroupIndex group, ArrayRef<StepNet::Arc> take,
           ArrayRef<StepNet::Arc> give);

  const CollaborationSystem &system;
  PureNet net;
  std::vector<GroupIndex> groupOf; ///< by transition
  bool exact = false;
  CoverabilitySet set;
};

} // namespace cif

#endif
